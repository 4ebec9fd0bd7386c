"""Plans its whole turn, considers the next player's best reply, and hunts or runs, whichever pays more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import Final

from engine.advice import Advice, Judged
from engine.bots import Kind, best
from engine.chance import Chance
from engine.game import Command
from games.snipers_and_assassins.bots._weighing import LEAST, WIN, Style, Weigher
from games.snipers_and_assassins.rules import commands as c
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.words import KINDS

STYLE: Final = Style(race=2.0, harm=1.0, kill=0.8, home=0.6, chase=0.15, mines=0.3)
FIRST: Final = 6  # Number of first acts that the search follows up
TURNS: Final = 6  # Number of turns compared together with the next player's reply

FITTED: Final = {2: (0.56, 0.29), 3: (-0.96, 0.056), 4: (-1.79, 0.054)}
"""Players -> constant and weight of the value in `win_probability`. It says little about more than two players."""


class Planner(Weigher):
    """A bot that chooses the turn with the best position after the next player's strongest reply.

    Nothing is hidden, so both turns are tried on a copy of the picture. Only the best few are tried, to save time.
    """

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the first act of the best turn."""
        if c.EndTurn() not in legal:
            return self._set_up(view, legal, chance)
        rated = self._rated(view)
        return best(list(rated), rated.__getitem__, chance)

    def weigh(self, view: Picture, legal: Sequence[Command], played: Command, chance: Chance) -> Advice:
        """Judge the acts with which the best turns begin, and the one that was played."""
        if c.EndTurn() not in legal:
            return Advice()
        rated = self._rated(view, played)
        ranked = sorted(rated, key=lambda act: (-rated[act], act != played))
        return Advice(tuple(Judged(act, win_probability(view, rated[act]), 0.0) for act in ranked))

    def appraise(self, truth: Picture, chance: Chance) -> float:
        """Return the chance after the best turn, or after the next player's strongest reply."""
        own = truth.over is None and truth.turn == self._seat
        return win_probability(truth, max(self._rated(truth).values()) if own else self._replied(truth))

    def _rated(self, view: Picture, played: Command | None = None) -> dict[Command, float]:
        """Return the first acts of the best turns, and the one that was `played`, with the value of their best turn."""
        ranked = sorted(self._turns(view, played), key=lambda turn: -turn[1])
        turns = ranked[:TURNS] + [turn for turn in ranked[TURNS:] if turn[0] == played][:TURNS]
        value_of: dict[Command, float] = {}
        for first, worth, after in turns:
            value_of[first] = max(value_of.get(first, -WIN), self._answered(after, worth))
        return value_of

    def _turns(self, view: Picture, played: Command | None) -> Iterator[tuple[Command, float, Picture]]:
        """Yield possible turns: the first act, the value of the position after the turn, and the picture."""
        yield c.EndTurn(), self._value(view) + LEAST, view
        acts = self._acts(view, played)
        for first, worth, after in acts[:FIRST] + [act for act in acts[FIRST:] if act[0] == played]:
            yield first, worth, after
            if after.over is None:
                yield from ((first, more, end) for _, more, end in self._acts(after)[:FIRST])

    def _acts(self, view: Picture, played: Command | None = None) -> list[tuple[Command, float, Picture]]:
        """Return the possible acts, best first, each with the value of the position and the picture after it.

        Holding a marker is included only if it was `played`.
        """
        acts = []
        for command in self._game.legal(view, view.turn):
            if not isinstance(command, c.Hold | c.EndTurn) or (command == played and command != c.EndTurn()):
                after = self._after(view, command)
                acts.append((command, self._value(after), after))
        return sorted(acts, key=lambda act: -act[1])

    def _answered(self, view: Picture, worth: float) -> float:
        """Return the value of the position after the next player's strongest reply."""
        return worth if view.over is not None else self._replied(self._after(view, c.EndTurn()))

    def _replied(self, view: Picture) -> float:
        """Return the value of the position after the strongest turn of the player to act, chosen act by act."""
        for _ in KINDS:
            # `_acts` is sorted for this bot, so the last act is the enemy's best.
            acts = self._acts(view) if view.over is None else []
            if acts and acts[-1][1] < self._value(view):
                view = acts[-1][2]
        return self._value(view if view.over is not None else self._after(view, c.EndTurn()))


def win_probability(view: Picture, value: float) -> float:
    """Return the probability of winning from a value, by logistic regression on games of this bot."""
    if abs(value) > WIN / 2:
        return float(value > 0)
    base, slope = FITTED[min(len(view.seats), max(FITTED))]
    return 1 / (1 + exp(-(base + slope * value)))


KIND = Kind(lambda game, seat, view: Planner(game, seat, STYLE), level="strong", slow=True)
