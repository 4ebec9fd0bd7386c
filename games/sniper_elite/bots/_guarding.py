"""How bots defend: they hold the objectives that the sniper can still be after, and look and strike where it can be.

Where that is comes from `whereabouts.py`, how likely each of these spaces is from `_belief.py`. Every act is worth
something a cube (`_guard_turn.py`), and the best is done, until nothing is worth a cube. A `Style` says how well a
level does that.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.bots import Kind, Level, slipping
from engine.chance import Chance
from engine.game import Command, Game
from games.sniper_elite.bots._following import Follower
from games.sniper_elite.bots._guard_turn import LEAST, Style, Turn
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.specialists import SPECIALISTS
from games.sniper_elite.rules.words import DEFENDERS, SQUADS

END = c.EndDefendersTurn()


class Guard(Follower):
    """A defenders' seat."""

    def __init__(self, game: Game, view: Picture, style: Style) -> None:
        super().__init__(game, view, open_minded=not style.guesses)
        self._style = style

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """The act that is worth the most, the end of the turn where none is worth anything."""
        if END not in legal:
            return decision(legal, chance)
        if self._style.rests and chance.roll("rest", range(10), "bots") < self._style.rests:
            return END
        turn = Turn(view, self._known, self._guess.belief(self._known, view), self._style)
        return slipping(legal, turn.worth, END, chance, self._style.slips, LEAST)


def guard_kind(level: Level, style: Style) -> Kind:
    """Return the kind of bot that defends like this."""
    return Kind(lambda game, seat, view: Guard(game, view, style), (DEFENDERS,), level)


def decision(legal: Sequence[Command], chance: Chance) -> Command:
    """What is asked outside the defenders' turn: specialists, of whom any three are as good as others and the least to
    be expected, and whether the medic saves.
    """
    if isinstance(legal[0], c.ChooseSpecialists):
        return c.ChooseSpecialists(chance.assign("specialists", SQUADS, tuple(SPECIALISTS), "bots"))
    saving = [command for command in legal if isinstance(command, c.Save)]
    return saving[0] if saving else legal[0]
