"""Board coordinates: a place is a pair (pathway, column) (SA-BRD-01).

Pathways count from 1 at the top. Columns 1 to 12 are spaces. Columns 0 and 13 are the Hideouts (SA-BRD-02). The spaces
of pathway A are `A1` to `A12`, its Hideouts `AL` and `AR`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from string import ascii_uppercase
from typing import Final, NamedTuple

from games.snipers_and_assassins.rules.words import MOST

LENGTH: Final = 12  # Number of spaces on a pathway
LEFT, RIGHT = 0, LENGTH + 1  # Columns of the left and right Hideouts
EXTRA_PATHWAYS: Final = 2  # Number of pathways minus number of players (SA-BRD-04)
MOST_PATHWAYS: Final = MOST + EXTRA_PATHWAYS
ROW_PITCH: Final = 2  # Rows between neighbouring pathways. One empty row lies between them (SA-BRD-03).
BOTH_WAYS: Final = (-1, 1)


class Place(NamedTuple):
    """Coordinates of a space or Hideout. Places sort in board order."""

    pathway: int
    column: int

    @property
    def is_space(self) -> bool:
        """Whether this is a space, not a Hideout."""
        return LEFT < self.column < RIGHT

    def along(self, steps: int) -> Place:
        """Return the place `steps` to the right, or to the left if negative."""
        return Place(self.pathway, self.column + steps)

    def across(self, pathways: int) -> Place:
        """Return the place in the same column, `pathways` down, or up if negative."""
        return Place(self.pathway + pathways, self.column)


def letter(pathway: int) -> str:
    """Return a pathway's letter, as used in the protocol."""
    return ascii_uppercase[pathway - 1]


def _all_places() -> Iterator[tuple[str, Place]]:
    for pathway in range(1, MOST_PATHWAYS + 1):
        for column in range(LEFT, RIGHT + 1):
            end = {LEFT: "L", RIGHT: "R"}.get(column, str(column))
            yield f"{letter(pathway)}{end}", Place(pathway, column)


_PLACES: Final[dict[str, Place]] = dict(_all_places())
_NAMES: Final[dict[Place, str]] = {place: name for name, place in _PLACES.items()}
_SPACES: Final = frozenset(name for name, place in _PLACES.items() if place.is_space)
place_of: Final = _PLACES.__getitem__  # Return the place with a name
name_of: Final = _NAMES.__getitem__  # Return the name of a place
is_space: Final = _SPACES.__contains__  # Return whether a name belongs to a space, not a Hideout


@cache
def spaces(pathways: int) -> tuple[str, ...]:
    """Return all place names of a board, including Hideouts, in board order."""
    return tuple(name for name, place in _PLACES.items() if place.pathway <= pathways)


@cache
def hideouts(pathways: int) -> tuple[str, ...]:
    """Return the names of a board's Hideouts, in board order."""
    return tuple(name for name in spaces(pathways) if not is_space(name))


def distance(one: str, other: str) -> int:
    """Return the distance of a shot, in moves of a chess king, including empty rows (SA-R-05)."""
    a, b = _PLACES[one], _PLACES[other]
    # Neighbouring pathways are two rows apart.
    return max(abs(a.column - b.column), ROW_PITCH * abs(a.pathway - b.pathway))


@cache
def within(one: str, reach: int, hideouts: bool) -> frozenset[str]:
    """Return the spaces within shooting range `reach` of a place, and the Hideouts if shots reach them (SA-R-07).

    From a Hideout that shots don't reach, none goes out either.
    """
    if not hideouts and not is_space(one):
        return frozenset()
    return frozenset(other for other in (_PLACES if hideouts else _SPACES) if distance(one, other) <= reach)


def home_side(start: str) -> int:
    """Return the direction of a start along its pathway: -1 for left, 1 for right."""
    return -1 if _PLACES[start].column == LEFT else 1


def space_before_hideout(start: str) -> str:
    """Return the space next to a starting Hideout (SA-R-03)."""
    return _NAMES[_PLACES[start].along(-home_side(start))]


def pushed_to(start: str, name: str, steps: int) -> str:
    """Return where a retreat of `steps` ends: on the side of its start, in no other Hideout (SA-R-18)."""
    place, home, side = _PLACES[name], _PLACES[start], home_side(start)
    # Only the own pathway ends in a Hideout that the Assassin may enter. On others, it stops one space before it.
    last = home.column if place.pathway == home.pathway else home.column - side
    column = place.column + side * steps
    return _NAMES[place._replace(column=max(column, last) if side < 0 else min(column, last))]


@cache
def next_to(name: str) -> tuple[str, ...]:
    """Return the spaces next to a place on its own pathway (SA-R-27)."""
    place = _PLACES[name]
    return tuple(_NAMES[near] for near in map(place.along, BOTH_WAYS) if near.is_space)
