"""Movement: an option consists of successive legs, each with its own landing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Final

from msgspec import Struct

from games.snipers_and_assassins.rules import events, places
from games.snipers_and_assassins.rules.hits import JUMP, STEALTH, WALK, land
from games.snipers_and_assassins.rules.picture import Telling
from games.snipers_and_assassins.rules.words import STEPS, Direction

SHOOT: Final = "shoot"


class Leg(Struct, frozen=True):
    """One part of an option: a walk, jump or stealth step to `place`, or a shot from `place`."""

    how: str
    place: str


Way = tuple[Leg, ...]
Ways = Mapping[str, Way]  # Destination of an option -> the legs that lead there
walk: Final = partial(Leg, WALK)  # A walk along the pathway. Only its end is a landing (SA-R-09).
jump: Final = partial(Leg, JUMP)  # A jump to the next pathway (SA-R-04)
sneak: Final = partial(Leg, STEALTH)  # A stealth step (SA-R-15)
shot: Final = partial(Leg, SHOOT)  # A shot, if the command has a target


@cache
def places_along(start: str, most: int) -> tuple[str, ...]:
    """Return the places 1 to `most` steps away along the pathway, including Hideouts (SA-R-02, SA-R-03)."""
    place = places.place_of(start)
    # Both directions, nearest first: the menu has the same order in every game.
    reached = (place.along(side * steps) for side in places.BOTH_WAYS for steps in range(1, most + 1))
    return tuple(places.name_of(here) for here in reached if places.LEFT <= here.column <= places.RIGHT)


@cache
def jump_places(pathways: int, start: str) -> Mapping[Direction, str]:
    """Return direction -> place in the same column on the next pathway, if there is one (SA-R-04).

    Between Hideouts only some Snipers may jump (SA-R-47); the rules of both markers check that.
    """
    place = places.place_of(start)
    reached = {direction: place.across(step) for direction, step in STEPS.items()}
    return {direction: places.name_of(to) for direction, to in reached.items() if 1 <= to.pathway <= pathways}


def step(telling: Telling, marker: str, leg: Leg) -> bool:
    """Carry out a leg other than a shot. Return whether the marker can continue from there (SA-R-52)."""
    event = events.Jumped if leg.how == JUMP else events.Moved
    telling.tell(event(marker, telling.truth.at(marker), leg.place))
    return land(telling, marker, leg.how)


def shooting_place(way: Sequence[Leg]) -> str | None:
    """Return the place from which a way shoots, or None."""
    return next((leg.place for leg in way if leg.how == SHOOT), None)
