"""Helper to decide an act event by event, if later events depend on the results of earlier ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from engine.chance import Chance
from engine.events import EVERYONE, Audience, Event, Told, only

P = TypeVar("P")  # The picture of a game


class Telling(Generic[P]):
    """The events of an act so far, `told`, and the truth after them. Each event is folded at once.

    The referee takes the truth of a returned telling, so that it need not fold its events again. For example, in the
    `decide` of a game::

        telling = Telling(truth, chance, fold)
        telling.tell(Dug(seat, space))
        if not telling.truth.holes_left:
            telling.tell(GameOver(seat))
        return telling
    """

    def __init__(self, truth: P, chance: Chance, fold: Callable[[P, Event], P]) -> None:
        self.truth = truth
        self.chance = chance
        self.told: list[Told] = []
        self._fold = fold

    def __iter__(self) -> Iterator[Told]:
        """Iterate over the events, because `decide` has to return an iterable."""
        return iter(self.told)

    def tell(self, event: Event, audience: Audience = EVERYONE) -> None:
        """Add an event for everyone, or for its audience."""
        self.told.append(Told(event, audience))
        self.truth = self._fold(self.truth, event)

    def keep(self, event: Event) -> None:
        """Add an event that only the referee receives."""
        self.tell(event, only())
