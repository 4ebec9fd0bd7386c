"""Rate acts for a bot, which plays the best act until none helps and then ends its turn.

Nothing is hidden, so the bot tries each act on a copy of the picture and rates the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.bots import Bot, Kind, Level, best, best_with_slips
from engine.chance import Chance
from engine.game import Command, Game
from games.snipers_and_assassins.rules import commands as c
from games.snipers_and_assassins.rules import places
from games.snipers_and_assassins.rules.assassin import goal
from games.snipers_and_assassins.rules.picture import Picture, Telling
from games.snipers_and_assassins.rules.words import ASSASSIN, marker_of

STRIDE: Final = 2  # Spaces that an Assassin walks in a turn
WIN: Final = 1000.0
LOST_TURN: Final = 1.0  # Cost of an Assassin that can't act in its next turn
LEAST: Final = 0.01  # Minimum gain of an act that the bot plays
COUNTED: Final = 12  # Number of turns to the goal from which on an Assassin's distance doesn't matter


class Style(Struct, frozen=True):
    """The priorities of a bot.

    Weights per turn gained or lost: `race` for its own Assassin, `harm` for the other Assassins. `kill` values sending
    home an enemy Sniper, `home` losing its own, `chase` each space that its Sniper is closer to an enemy Assassin, and
    `mines` each mine in an enemy's way. `slips`: in how many of ten decisions it plays any useful act instead of the
    best one, unless it can win.
    """

    race: float
    harm: float
    kill: float
    home: float
    chase: float
    mines: float
    slips: int = 0


RACING = Style(race=3.0, harm=0.5, kill=0.2, home=0.4, chase=0.02, mines=0.05)


class Weigher(Bot):
    """A bot at one seat. It needs no memory, because everything is on the board."""

    def __init__(self, game: Game, seat: str, style: Style) -> None:
        self._game, self._seat, self._style = game, seat, style

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the act that leads to the best position, or a slip. End the turn if no act helps."""
        if c.EndTurn() not in legal:
            return self._set_up(view, legal, chance)
        now, end = self._value(view), c.EndTurn()
        acts = [command for command in legal if not isinstance(command, c.Hold)]
        gain = {act: LEAST if act == end else self._value(self._after(view, act)) - now for act in acts}
        # A bot never slips when it can win.
        wins = max(gain.values()) > WIN / 2
        return best_with_slips(acts, gain.__getitem__, end, chance, 0 if wins else self._style.slips, LEAST)

    def _set_up(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Place the Leader at the greatest distance from its nearest hunter. Make all other choices at random."""
        hunters = [player for player in view.players.values() if player.target == self._seat]

        def worth(command: Command) -> float:
            if not isinstance(command, c.PlaceLeader):
                return 0.0
            return min((turns(str(hunter.start), command.space) for hunter in hunters), default=0.0)

        return best(legal, worth, chance)

    def _after(self, view: Picture, command: Command) -> Picture:
        """Return the picture after an act. The next card is unknown, so the deck counts as empty."""
        # An empty deck means that the search never draws, so it can't depend on hidden cards.
        telling = self._game.decide(replace(view, deck=(), discard=()), command, Chance(Random(0)))
        assert isinstance(telling, Telling)
        return telling.truth

    def _value(self, view: Picture) -> float:
        style, me = self._style, self._seat
        if view.over is not None:
            return WIN if view.over.winner == me else -WIN
        # A Sniper at its start was sent home, or hasn't left yet.
        value = -style.race * self._way(view, me) - style.home * (
            view.at(marker_of(me, "sniper")) == view.players[me].start
        )
        value -= style.home * 0.5 * view.players[me].recover
        for other in view.seats:
            if other != me:
                # The player that hunts this bot's Leader is the greatest threat.
                weight = 2.0 if view.players[other].target == me else 1.0
                value += weight * style.harm * self._way(view, other)
                value += style.kill * (view.at(marker_of(other, "sniper")) == view.players[other].start)
        return value + self._position(view)

    def _way(self, view: Picture, seat: str) -> float:
        """Return the number of turns that an Assassin still needs, including turns in which it can't act."""
        player = view.players[seat]
        stuck = player.locked or player.shot == "fresh"
        way = turns(view.at(marker_of(seat, ASSASSIN)), str(goal(view, seat)))
        return min(way, COUNTED) + LOST_TURN * stuck + LOST_TURN / 2 * (player.shot == "stale")

    def _position(self, view: Picture) -> float:
        """Return the value of the bot's Sniper and mines near enemy Assassins."""
        style, mine = self._style, view.at(marker_of(self._seat, "sniper"))
        enemies = [view.at(marker_of(seat, ASSASSIN)) for seat in view.seats if seat != self._seat]
        nearest = min(places.distance(mine, enemy) for enemy in enemies)
        near = sum(
            places.distance(space, enemy) <= STRIDE for space in view.players[self._seat].mines for enemy in enemies
        )
        return style.mines * near - style.chase * nearest - 0.02 * len(view.players[self._seat].mines)


def weigher_kind(level: Level, style: Style) -> Kind:
    return Kind(lambda game, seat, view: Weigher(game, seat, style), level=level)


def turns(start: str, end: str) -> float:
    """Estimate the turns that an Assassin needs between two places, with jumps and walks of two."""
    a, b = places.place_of(start), places.place_of(end)
    jumps = abs(a.pathway - b.pathway)
    way = abs(a.column - b.column)
    # No jump leads out of a Hideout, so the Assassin walks out and back in.
    if jumps and not a.is_space and a.column == b.column:
        way = 2
    return jumps + way / STRIDE
