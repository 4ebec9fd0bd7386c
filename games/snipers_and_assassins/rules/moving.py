"""How a marker gets along: its option as legs, one after the other, each with its landing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from games.snipers_and_assassins.rules import events, places
from games.snipers_and_assassins.rules.landing import JUMP, STEALTH, WALK, land
from games.snipers_and_assassins.rules.places import Place
from games.snipers_and_assassins.rules.telling import Telling
from games.snipers_and_assassins.rules.words import STEPS, Direction

SHOOT: Final = "shoot"


class Leg(Struct, frozen=True):
    """One part of an option: a walk, jump or stealthy step to `place`, or a shot from there."""

    how: str
    place: str


Way = tuple[Leg, ...]
Ways = Mapping[str, Way]
"""Where an option can lead -> how."""


def walk(name: str) -> Leg:
    """A walk along the pathway; only its end is a landing (SA-R-09)."""
    return Leg(WALK, name)


def jump(name: str) -> Leg:
    """A jump to the next pathway (SA-R-04)."""
    return Leg(JUMP, name)


def sneak(name: str) -> Leg:
    """A stealthy step (SA-R-15)."""
    return Leg(STEALTH, name)


def shot(name: str) -> Leg:
    """A shot, if there is a target."""
    return Leg(SHOOT, name)


@cache
def strides(start: str, most: int) -> tuple[str, ...]:
    """The places 1 to `most` steps away along the pathway, Hideouts included (SA-R-02, SA-R-03)."""
    place = places.place_of(start)
    reached = (place.along(side * steps) for side in places.ALONG for steps in range(1, most + 1))
    return tuple(places.name_of(here) for here in reached if places.LEFT <= here.column <= places.RIGHT)


@cache
def leaps(pathways: int, start: str) -> Mapping[Direction, str]:
    """Direction -> the space of the same column on the next pathway, where there is one (SA-R-04)."""
    place = places.place_of(start)
    return {
        direction: places.name_of(place.across(step))
        for direction, step in STEPS.items()
        if place.is_space and _on_board(pathways, place.across(step))
    }


def _on_board(pathways: int, place: Place) -> bool:
    return 1 <= place.pathway <= pathways


def step(telling: Telling, marker: str, leg: Leg) -> bool:
    """One leg that is no shot; whether the marker goes on from there (SA-R-52)."""
    event = events.Jumped if leg.how == JUMP else events.Moved
    telling.tell(event(marker, telling.truth.at(marker), leg.place))
    return land(telling, marker, leg.how)


def shooting_place(way: Sequence[Leg]) -> str | None:
    """Where a way has its shot, if it has one."""
    return next((leg.place for leg in way if leg.how == SHOOT), None)
