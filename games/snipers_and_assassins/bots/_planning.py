"""Plans a whole turn and the answer to it: the turn after whose worst answer the board is worth the most.

All is open, so both are played out on a copy of the picture. Only the best few turns are looked at, to be quick.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.bots import best
from engine.chance import Chance
from engine.game import Command
from games.snipers_and_assassins.bots._weighing import LEAST, WIN, Weigher
from games.snipers_and_assassins.rules import commands as c
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.words import KINDS

FIRST: Final = 6
"""How many first acts are followed up."""
TURNS: Final = 6
"""How many turns are looked at together with the answer."""


class Planner(Weigher):
    """A player at one seat, who looks ahead to the next turn of the one who comes after it."""

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """The first act of the best turn."""
        if c.EndTurn() not in legal:
            return self._set_up(view, legal, chance)
        turns = sorted(self._turns(view), key=lambda turn: -turn[1])[:TURNS]
        found: dict[Command, float] = {}
        for first, worth, after in turns:
            found[first] = max(found.get(first, -WIN), self._answered(after, worth))
        return best(list(found), found.__getitem__, chance)

    def _turns(self, view: Picture) -> Iterator[tuple[Command, float, Picture]]:
        """The turns that can be made: the first act, what the board is worth after them, and the board."""
        yield c.EndTurn(), self._value(view) + LEAST, view
        for first, worth, after in self._acts(view)[:FIRST]:
            yield first, worth, after
            if after.over is None:
                yield from ((first, more, end) for _, more, end in self._acts(after)[:FIRST])

    def _acts(self, view: Picture) -> list[tuple[Command, float, Picture]]:
        """What can be done now, the best for the own seat first, with what the board is worth after each."""
        found = []
        for command in self._game.legal(view, view.turn):
            if not isinstance(command, c.Hold | c.EndTurn):
                after = self._after(view, command)
                found.append((command, self._value(after), after))
        return sorted(found, key=lambda act: -act[1])

    def _answered(self, view: Picture, worth: float) -> float:
        """What the board is worth after the worst turn of the one who comes next: its worst act, and the next."""
        if view.over is not None:
            return worth
        view = self._after(view, c.EndTurn())
        for _ in KINDS:
            acts = self._acts(view) if view.over is None else []
            if acts and acts[-1][1] < self._value(view):
                view = acts[-1][2]
        return self._value(view if view.over is not None else self._after(view, c.EndTurn()))
