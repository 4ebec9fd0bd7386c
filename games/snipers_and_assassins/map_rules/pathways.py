"""The boards: pathways of twelve spaces with a Hideout at each end, drawn at 1:1 (SA-BRD-01..04).

Columns are one pitch apart and pathways two, so that the distance of a shot can be seen on the board (SA-R-05). All
boards are as wide as a sheet of A2 is long, or A1 is short; up to five pathways they fit on A2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from math import cos, radians, sin
from typing import Final

from engine.graph import Map, Point
from engine.graph.builder import Feature, build, sheet, space
from engine.graph.overlay import Overlay
from engine.refusal import NotUnderstood, no_such
from engine.text import Text
from games.snipers_and_assassins.map_rules.art import art
from games.snipers_and_assassins.rules import places
from games.snipers_and_assassins.rules.places import Place
from games.snipers_and_assassins.rules.words import FEWEST, MOST

PREFIX: Final = "pathways-"
TITLES: Final = {
    2: Text("Pathways for 2"),
    3: Text("Pathways for 3"),
    4: Text("Pathways for 4"),
    5: Text("Pathways for 5"),
    6: Text("Pathways for 6"),
}
"""Players -> what their board is called."""
PITCH: Final = 400
"""From column to column, in tenths of a millimetre, and the size of a space."""
MARGIN: Final = 170
CHAMFER: Final = 110
"""How much of its corners a space lacks."""
ARC: Final = 15
"""Degrees between two corners of a Hideout's round end."""
WIDTH: Final = 2 * MARGIN + (places.LENGTH + 2) * PITCH


def names() -> tuple[str, ...]:
    """The names of the boards."""
    return tuple(f"{PREFIX}{players}" for players in range(FEWEST, MOST + 1))


def players_on(slug: str) -> int:
    """For how many players a board is. Raises `NotUnderstood` for a board of another game."""
    if slug not in names():
        raise NotUnderstood(no_such("board of this game", slug, names()))
    return int(slug.removeprefix(PREFIX))


@cache
def make(slug: str) -> Map:
    """A board by its name. Raises `NotUnderstood`."""
    pathways = players_on(slug) + places.EXTRA_PATHWAYS
    document = sheet(
        slug,
        str(TITLES[players_on(slug)]),
        (WIDTH, 2 * MARGIN + (places.ROW_PITCH * pathways - 1) * PITCH),
        map(_feature, places.spaces(pathways)),
        tuple(map(places.letter, range(1, pathways + 1))),
        code=f"P{players_on(slug)}",
    )
    return build(document, _steps(pathways), "board")


def map_art(board: Map, say: Callable[[Text], str] = str) -> Overlay:
    """How a board looks beyond its spaces; see `art`. Raises `NotUnderstood` for a board of another game."""
    return art(board, players_on(board.slug), MARGIN, PITCH, say)


def _steps(pathways: int) -> Iterator[tuple[str, str]]:
    """The single steps along the pathways (SA-R-03)."""
    for one, other in pairwise(places.spaces(pathways)):
        if places.place_of(one).pathway == places.place_of(other).pathway:
            yield one, other


def _feature(name: str) -> Feature:
    place = places.place_of(name)
    left, top = _corner(place)
    shape = BEAD if place.is_space else DEN if place.column == places.LEFT else MIRRORED
    outline = [(left + x, top + y) for x, y in shape]
    facts = {"sector": places.letter(place.pathway), "spot": [left + PITCH // 2, top + PITCH // 2]}
    if place.is_space:
        return space(name, outline, "open", **facts)
    return space(name, outline, "enclosed", area=name, **facts)


def _corner(place: Place) -> Point:
    """The top left corner of a place's square."""
    return MARGIN + place.column * PITCH, MARGIN + places.ROW_PITCH * (place.pathway - 1) * PITCH


def _den() -> tuple[Point, ...]:
    """A Hideout on the left: a space whose outer half is round."""
    radius = PITCH // 2
    turns = (radians(degrees) for degrees in range(90, 271, ARC))
    arc = tuple((round(radius + radius * cos(turn)), round(radius + radius * sin(turn))) for turn in turns)
    return (*BEAD[1:5], *arc)


BEAD: Final[tuple[Point, ...]] = (
    (CHAMFER, 0),
    (PITCH - CHAMFER, 0),
    (PITCH, CHAMFER),
    (PITCH, PITCH - CHAMFER),
    (PITCH - CHAMFER, PITCH),
    (CHAMFER, PITCH),
    (0, PITCH - CHAMFER),
    (0, CHAMFER),
)
"""A space: a square without its corners."""
DEN: Final = _den()
MIRRORED: Final[tuple[Point, ...]] = tuple((PITCH - x, y) for x, y in reversed(DEN))
