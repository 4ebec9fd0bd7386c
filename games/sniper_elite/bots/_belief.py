"""The defenders' belief: a probability for each space where the sniper can be.

`whereabouts.py` determines the possible spaces. Their probabilities follow from how a sniper would move towards an
objective. The constants were chosen one after the other, by the bits gained over a uniform estimate and by games won.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from functools import lru_cache
from itertools import chain
from operator import mul
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from engine.events import Event
from engine.game import Game
from games.sniper_elite.bots._fields import (
    Field,
    around,
    distances,
    masked,
    members,
    noisy,
    ranking,
    strikes,
    total,
    warmth,
)
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules import ghost
from games.sniper_elite.rules.ground import Ground, is_special, noticed, reached
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import SNIPER

T = TypeVar("T")

LEAST_WEIGHT: Final = 0.15
"""Minimum weight of a possible space, as a fraction of the most likely space's weight."""
STAY_WEIGHT: Final = 1.5  # Weight of staying on a space, relative to moving to any other space
OBJECTIVE_PULL: Final = 0.5  # Factor per step to the nearest open objective
THREAT_FACTOR: Final = 0.6  # Factor per squad that can attack the space
COOLING, NEARING = 0.7, 0.65
"""Factor per step by which a space's probability affects its surroundings.

The first is for units that hunt, the second for objectives.
"""


class Belief:
    """The belief at one moment. `likely` is the field; values derived from it are computed only once."""

    def __init__(self, ground: Ground, likely: Field) -> None:
        self.likely = likely
        self.ranked = ranking(likely)
        self.possible = sum(space for _, space in self.ranked)
        self.hunted = warmth(ground, likely, COOLING)
        self.near = warmth(ground, likely, NEARING)
        self._cache: dict[Hashable, Any] = {}

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return `make()`, a value that depends on this belief and on `key` only. It is computed once."""
        value: T | None = self._cache.get(key)
        if value is None:
            value = self._cache[key] = make()
        return value

    def at(self, spaces: int) -> float:
        """Return the probability that the sniper is on one of `spaces`."""
        return total(self.likely, spaces & self.possible)


class Guess:
    """An estimate that follows the game through public events, alongside a `Whereabouts`.

    It is immutable: `after` returns a new one. With `open_minded`, it treats all possible spaces as equally likely.
    """

    __slots__ = ("_belief", "_field", "_forecast", "open_minded")

    def __init__(self, field: Field, *, open_minded: bool = False) -> None:
        self._field, self.open_minded = field, open_minded
        self._belief: tuple[object, Belief] | None = None
        self._forecast: tuple[object, Field] | None = None

    def after(self, before: Picture, event: Event, whereabouts: Whereabouts, view: Picture) -> Guess:
        """Return the estimate after everyone has received `event`.

        `whereabouts` and `view` are the state after the event. `before` is the picture before it.
        """
        if isinstance(event, e.TurnEnded):
            if self.open_minded:
                return self
            if event.seat == SNIPER:
                # The sniper's turn is secret, so the weight spreads to wherever it can have led.
                return Guess(self._spread(whereabouts, view))
            # The defenders' questions have narrowed the belief. It is the starting point of the sniper's next turn.
            return Guess(self.belief(whereabouts, before).likely)
        if isinstance(event, e.Revealed):
            # Everyone saw the space, so it has all the weight now.
            return Guess(masked(self._field, whereabouts.ground.bit[event.space]), open_minded=self.open_minded)
        return self

    def belief(self, whereabouts: Whereabouts, view: Picture) -> Belief:
        """Return the current belief. It is cached until something new is known about the sniper."""
        # `stands` is replaced whenever something is learned, never changed, so identity is enough.
        if self._belief is None or self._belief[0] is not whereabouts.stands:
            self._belief = whereabouts.stands, Belief(whereabouts.ground, self._likely(self._field, whereabouts, view))
        return self._belief[1]

    def forecast(self, whereabouts: Whereabouts, view: Picture) -> Field:
        """Return the field that the defenders will believe if the sniper's turn ends now."""
        if self.open_minded:
            return self._likely(self._field, whereabouts, view)
        return self._likely(self._spread(whereabouts, view), whereabouts, view)

    def _spread(self, whereabouts: Whereabouts, view: Picture) -> Field:
        """Return the field at the end of the sniper's turn. It is cached until a unit or an objective changes."""
        # Only these four affect the estimate, so other events keep the cached one.
        key = view.units, view.completed, whereabouts.objectives(), view.ally
        if self._forecast is None or self._forecast[0] != key:
            # Cards and shots of this turn no longer apply in the next one.
            self._forecast = key, _after_turn(self._field, whereabouts, replace(view, active=None, shot=False))
        return self._forecast[1]

    def _likely(self, field: Field, whereabouts: Whereabouts, view: Picture) -> list[float]:
        """Return the field restricted to the possible spaces, with a minimum weight for each of them."""
        # No possible space is ruled out, because players sometimes make unexpected moves.
        return masked(
            [1.0] * whereabouts.ground.size if self.open_minded else field, whereabouts.places(view), LEAST_WEIGHT
        )


def open_objectives(view: Picture, whereabouts: Whereabouts) -> list[int]:
    """Return the objectives that can still be completed."""
    return [number for number in whereabouts.objectives() if number not in view.completed]


def _after_turn(field: Field, whereabouts: Whereabouts, view: Picture) -> list[float]:
    """Return the estimate one turn later: snipers move towards an objective, and avoid spaces under attack."""
    ground = whereabouts.ground
    # Spread each space's weight over all ends of a turn. Then favour ends that are near objectives and safe.
    weights = [STAY_WEIGHT * weight for weight in field]
    free = ~ground.bits(view.units.values())
    for index, weight in enumerate(field):
        if weight:
            for end in members(_ends(ground, view, index, free)):
                weights[end] += weight
    goals = ground.bits(view.sites.objectives[number] for number in open_objectives(view, whereabouts))
    weights = list(map(mul, weights, _pull(ground, goals)))
    for index, squads in Counter(chain.from_iterable(map(members, strikes(ground, view.units).values()))).items():
        weights[index] *= THREAT_FACTOR**squads
    return weights


@lru_cache(maxsize=256)
def _pull(ground: Ground, goals: int) -> list[float]:
    """Return for each space how strongly the nearest of `goals` attracts the sniper."""
    return [OBJECTIVE_PULL**way for way in distances(ground, goals)]


def _ends(ground: Ground, view: Picture, index: int, free: int) -> int:
    """Return where a turn of the sniper can lead from a space, except for staying there."""
    start = 1 << index
    quiet = ground.near(start) & free
    if is_special(view):
        ends = reached(view, ground, start, noticed(view, ground), masked=False)
        # There is a single start, so the sum is its only set of ends.
        loud = sum(ends.values())
    else:
        loud = noisy(ground, index, free & around(ground)[index])
    return (quiet | loud) & ~start


class Follower:
    """A seat. `_view` is its own picture. `_whereabouts` and `_guess` use public events only."""

    def __init__(self, game: Game, view: Picture, *, open_minded: bool = False) -> None:
        self._game, self._view = game, view
        self._whereabouts = Whereabouts.begin(in_public(view))
        self._guess = Guess([1.0] * self._whereabouts.ground.size, open_minded=open_minded)

    def told(self, event: Event) -> None:
        """Update the picture, the possible spaces and the estimate."""
        before, self._view = in_public(self._view), self._game.fold(self._view, event)
        self._whereabouts = self._whereabouts.after(before, event)
        self._guess = self._guess.after(before, event, self._whereabouts, in_public(self._view))


def in_public(view: Picture) -> Picture:
    """Return the public part of the sniper's picture. Any other picture is already public."""
    return view if view.dossier is None else ghost.as_unknown(replace(view, dossier=None))
