"""Deciding an act event by event, where a later event depends on the result of an earlier one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from engine.chance import Chance
from engine.events import EVERYONE, Event, Told, only

P = TypeVar("P")  # The picture of a game

FOLD_CACHE_SIZE = 128
"""Number of remembered results of a fold: more than the events of an act."""


def memoized(fold: Callable[[P, Event], P]) -> Callable[[P, Event], P]:
    """Return a fold that remembers its last results.

    `Telling` folds each event of an act, and then the referee folds the same events into the same picture again. Use it
    for both: `fold = memoized(rules.fold)`. Of each event it remembers the first picture only.
    """
    # The events are kept, so no other object can have their identities.
    results: dict[int, tuple[P, Event, P]] = {}

    def remembering(view: P, event: Event) -> P:
        cached = results.get(id(event))
        if cached is not None and cached[0] is view:
            return cached[2]
        after = fold(view, event)
        # `Telling` folds first. What the other viewers' pictures become is asked for only once.
        if cached is None:
            if len(results) >= FOLD_CACHE_SIZE:
                results.clear()
            results[id(event)] = view, event, after
        return after

    return remembering


class Telling(Generic[P]):
    """The events of an act so far, `told`, and the truth after them. Each event is folded at once.

    For example, in the `decide` of a game::

        telling = Telling(truth, chance, fold)
        telling.tell(Dug(seat, space))
        if not telling.truth.holes_left:
            telling.tell(GameOver(seat))
        return telling.told
    """

    def __init__(self, truth: P, chance: Chance, fold: Callable[[P, Event], P]) -> None:
        self.truth = truth
        self.chance = chance
        self.told: list[Told] = []
        self._fold = fold

    def tell(self, event: Event) -> None:
        """Tell everyone of `event`."""
        self._add(Told(event, EVERYONE))

    def keep(self, event: Event) -> None:
        """Tell the referee alone."""
        self._add(Told(event, only()))

    def _add(self, told: Told) -> None:
        self.told.append(told)
        self.truth = self._fold(self.truth, told.event)
