"""Where defenders believe the sniper to be: among the spaces that are possible, how likely each of them is.

Possible is what `whereabouts.py` says; likely is guessed from how a sniper would go for an objective.
"""

from __future__ import annotations

from engine.events import Event
from games.sniper_elite.bots._fields import Field, around, distances, masked, noisy, ranking, total, warmth
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.gaits import noticed_by, reached, special
from games.sniper_elite.rules.ground import Ground, ones
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import SNIPER

UNLIKELY = 0.02
"""The least weight of a space that is possible, however odd a sniper would be that went there, beside the likeliest."""
STAYS, SNEAKS, RUNS, PULL = 0.08, 0.35, 0.6, 0.6
"""How a sniper's turn is guessed: stays, goes one space or more, and rather towards an objective."""
COOLING, NEARING = 0.6, 0.75
"""How what is thought of a space counts for those around it, with every step: for hunters, and for objectives."""


class Belief:
    """One moment: `likely` is the field. Everything made of it is reckoned once, however many acts are weighed."""

    def __init__(self, ground: Ground, likely: Field) -> None:
        self.likely = likely
        self.ranked = ranking(likely)
        self.possible = sum(space for _, space in self.ranked)
        self.hunted = warmth(ground, likely, COOLING)
        self.near = warmth(ground, likely, NEARING)

    def at(self, spaces: int) -> float:
        """How likely the sniper is on one of `spaces`."""
        return total(self.likely, spaces & self.possible)


class Guess:
    """What is guessed in the course of a game, from what the table hears. It follows a `Whereabouts`, event by event.

    A value: `after` makes a new one. `open_minded` guesses nothing and holds all that is possible for alike.
    """

    __slots__ = ("_belief", "_field", "open_minded")

    def __init__(self, field: Field, *, open_minded: bool = False) -> None:
        self._field, self.open_minded = field, open_minded
        self._belief: tuple[object, Belief] | None = None

    def after(self, before: Picture, event: Event, known: Whereabouts, view: Picture) -> Guess:
        """Once everybody has heard `event`: `known` and `view` are after it, `before` is the picture before it."""
        if isinstance(event, e.TurnEnded):
            if self.open_minded:
                return self
            if event.seat == SNIPER:
                return Guess(_after_turn(self._field, known, view))
            return Guess(self.belief(known, before).likely)
        if isinstance(event, e.Revealed):
            return Guess(masked(self._field, known.ground.bit[event.space]), open_minded=self.open_minded)
        return self

    def belief(self, known: Whereabouts, view: Picture) -> Belief:
        """What is believed now; the same as before where nothing new is known of the sniper."""
        if self._belief is None or self._belief[0] is not known.stands:
            self._belief = known.stands, Belief(known.ground, self._likely(known, view))
        return self._belief[1]

    def _likely(self, known: Whereabouts, view: Picture) -> list[float]:
        possible = known.ground.bits(known.spaces(view))
        if self.open_minded:
            return masked([1.0] * known.ground.size, possible)
        least = UNLIKELY * max((self._field[index] for index in ones(possible)), default=0.0)
        return masked([max(least, weight) for weight in self._field], possible)


def open_objectives(view: Picture, known: Whereabouts) -> list[int]:
    """The objectives that can still be completed."""
    return [number for number in known.objectives() if number not in view.completed]


def _after_turn(field: Field, known: Whereabouts, view: Picture) -> list[float]:
    """The guess a turn later: snipers go on, quietly or not, and rather towards an objective."""
    ground = known.ground
    found = [STAYS * weight for weight in field]
    free = ~ground.bits(view.units.values())
    for index, weight in enumerate(field):
        if weight:
            for share, ends in _ways(ground, view, index, free):
                part = share * weight / (ends.bit_count() or 1)
                for end in ones(ends):
                    found[end] += part
    goals = ground.bits(view.sites.objectives[number] for number in open_objectives(view, known))
    return [weight * (1 + PULL**count) for weight, count in zip(found, distances(ground, goals), strict=True)]


def _ways(ground: Ground, view: Picture, index: int, free: int) -> tuple[tuple[float, int], ...]:
    """Where a turn of the sniper leads from a space: how likely a way is, and the spaces where it ends."""
    start = 1 << index
    quiet = ground.quiet(start, free)
    if special(view):
        ends = reached(view, ground, start, noticed_by(view, (), ()), masked=False)
        loud = quiet | sum(ends.values())
    else:
        loud = noisy(ground, index, free & around(ground)[index])
    return (SNEAKS, quiet), (RUNS, loud & ~start)
