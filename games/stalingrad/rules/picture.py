"""What one viewer knows of a game. All pictures have the same type; what a viewer was not told is None."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.game import REFEREE, TABLE
from engine.refusal import NotUnderstood
from engine.text import Text
from games.stalingrad.rules.cards import CARDS, amount_of, stars_of
from games.stalingrad.rules.events import Rank
from games.stalingrad.rules.words import CAP, FEWEST, MOST, START, Phase, Reason, Stat, seat_names

ROLLS: Mapping[str, Stat] = {"target": "shoot", "danger": "evade"}
"""The phase of a roll -> the stat that it is rolled against."""


SWITCH_IDS: Final = {
    "hunt_aid_hunts": "ST-R-01",
    "aids_before_roll": "ST-R-04",
    "dead_can_win": "ST-R-19",
    "open_hands": "ST-R-22",
}
"""The switches, and how they are written: the numbers of their rulings."""


class Switches(Struct, frozen=True, rename=SWITCH_IDS):
    """The rulings that can be switched off, each True while it holds."""

    hunt_aid_hunts: bool = True
    aids_before_roll: bool = True
    dead_can_win: bool = True
    open_hands: bool = True


class Options(Struct, frozen=True):
    """How a game is played."""

    players: int = 2
    switches: Switches = Switches()

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats, in the order of play."""
        return seat_names(self.players)


class Over(Struct, frozen=True, forbid_unknown_fields=True):
    """How the game ended, as `GameOver` tells it."""

    winners: tuple[str, ...]
    ranking: tuple[Rank, ...]
    reason: Reason


class Player(Struct, frozen=True):
    """One player. `hand` None: it is hidden from this viewer, who knows its size alone (ST-R-22)."""

    hunt: int = START
    shoot: int = START
    evade: int = START
    xp: int = 0
    hand: tuple[str, ...] | None = ()
    hand_size: int = 0
    kills: tuple[str, ...] = ()
    skip: int = 0
    out: bool = False

    @property
    def stars(self) -> int:
        """ST-XP-02."""
        return stars_of(self.kills)

    def stat(self, name: Stat) -> int:
        """The stat of that name."""
        return {"hunt": self.hunt, "shoot": self.shoot, "evade": self.evade}[name]


class Picture(Struct, frozen=True):
    """A game as one viewer sees it. `deck`, `facedown` and `unseen` are None for everybody but the referee; `deck` and
    `facedown` have the next card first. `card` waits for its roll, `die` lies beside it where it was thrown before
    (ST-R-33); `aid` was played before the draw. `turns` counts the turns taken. `hurt` was wounded in the last act.
    """

    options: Options
    players: Mapping[str, Player]
    turn: str | None = None
    phase: Phase = "hunt"
    card: str | None = None
    die: int | None = None
    aid: str | None = None
    deck: tuple[str, ...] | None = None
    facedown: tuple[str, ...] | None = None
    unseen: tuple[str, ...] | None = None
    deck_size: int = 0
    facedown_size: int = 0
    unseen_size: int = 0
    discard: tuple[str, ...] = ()
    over: Over | None = None
    turns: int = 0
    hurt: str | None = None

    @property
    def actor(self) -> Player:
        """The player whose turn it is; nobody after the end."""
        assert self.turn is not None, "the game is not over"
        return self.players[self.turn]

    @property
    def hand(self) -> tuple[str, ...]:
        """The hand of the player whose turn it is, who looks at it."""
        hand = self.actor.hand
        assert hand is not None, "players see their own hands"
        return hand

    @property
    def left(self) -> tuple[str, ...]:
        """The players who are not out."""
        return tuple(seat for seat, player in self.players.items() if not player.out)

    def value(self, aids: tuple[str, ...] = ()) -> int | None:
        """What the next draw or roll counts with if these Aids are added; None where there is none (ST-R-05, ST-R-07).

        The Aid of the Hunt phase counts for the draw, or for every Evasion roll of the turn (ST-R-01, ST-R-32).
        """
        stat: Stat | None = "hunt" if self.phase == "hunt" else ROLLS.get(self.phase)
        if stat is None:
            return None
        lasting = "hunt" if self.options.switches.hunt_aid_hunts else "evade"
        cards = [*aids, *([self.card] if self.card else []), *([self.aid] if self.aid and stat == lasting else [])]
        return min(CAP, self.actor.stat(stat) + amount_of(cards))


class _RawSwitches(Struct, frozen=True, forbid_unknown_fields=True, rename=SWITCH_IDS):
    hunt_aid_hunts: bool | None = None
    aids_before_roll: bool | None = None
    dead_can_win: bool | None = None
    open_hands: bool | None = None


class _RawOptions(Struct, frozen=True, forbid_unknown_fields=True):
    players: Annotated[int, Meta(ge=FEWEST, le=MOST)] | None = None
    switches: _RawSwitches | None = None


def read_options(raw: Any) -> Options:
    """The options in decoded JSON; null is as absent. Raises `NotUnderstood`."""
    try:
        found = msgspec.convert({} if raw is None else raw, _RawOptions)
    except msgspec.ValidationError as error:
        raise NotUnderstood(Text("The options cannot be read: {error}.", error=str(error))) from error
    given = {} if found.switches is None else msgspec.structs.asdict(found.switches)
    switches = Switches(**{name: value for name, value in given.items() if value is not None})
    return Options(switches=switches) if found.players is None else Options(found.players, switches)


def fresh(options: Options) -> Picture:
    """The truth of a game before anything was told: the deck in the order of the numbers, nobody's turn."""
    players = dict.fromkeys(options.seats, Player())
    return Picture(options, players, deck=tuple(CARDS), facedown=(), unseen=(), deck_size=len(CARDS))


def pictures(truth: Picture) -> dict[str, Picture]:
    """Every viewer's picture: the referee alone knows what lies face down, and hands can be hidden (ST-R-22)."""
    public = replace(truth, deck=None, facedown=None, unseen=None)
    seats = {seat: replace(public, players=_seen(truth, seat)) for seat in truth.players}
    return {**seats, TABLE: replace(public, players=_seen(truth, TABLE)), REFEREE: truth}


def _seen(truth: Picture, viewer: str) -> Mapping[str, Player]:
    if truth.options.switches.open_hands:
        return truth.players
    return {seat: player if seat == viewer else replace(player, hand=None) for seat, player in truth.players.items()}
