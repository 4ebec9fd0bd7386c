"""A decision in the making: events are told one at a time and folded at once, so that the next sees their result."""

from __future__ import annotations

from engine.chance import Chance
from engine.events import EVERYONE, Event, Told, only
from games.stalingrad.rules.fold import fold
from games.stalingrad.rules.picture import Picture


class Telling:
    """What was told so far, and the truth after it."""

    def __init__(self, truth: Picture, chance: Chance) -> None:
        self.truth = truth
        self.chance = chance
        self.told: list[Told] = []

    def tell(self, event: Event) -> None:
        """Everybody hears of `event`."""
        self._add(Told(event, EVERYONE))

    def keep(self, event: Event) -> None:
        """The referee alone hears of `event`."""
        self._add(Told(event, only()))

    def _add(self, told: Told) -> None:
        self.told.append(told)
        self.truth = fold(self.truth, told.event)
