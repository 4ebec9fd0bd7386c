"""Build a board from data, for games that generate their boards.

A document is a drawing in the map format, as Python data; `space`, `rooms`, `sheet` and `grid` create its parts.
`build` checks it like a drawn map and derives the same tables, except sight. A game whose board needs sight computes it
with `maker.mapping.sight.with_sights`. Measures are tenths of a millimetre.

For example::

    board = build(grid("demo", "Demo", columns=5, rows=4))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from string import ascii_lowercase
from typing import Any

import msgspec
from msgspec import structs

from engine.graph.check import Measure, check
from engine.graph.compiled import digest
from engine.graph.derive import derive
from engine.graph.fault import MapError
from engine.graph.geojson import FORMAT, read_drawing
from engine.graph.model import Map, Point
from engine.refusal import NotUnderstood, no_such

Feature = dict[str, Any]
SECTOR = "board"  # The only sector of a board without sectors
SIDE = 400  # A square of 40 mm has room for a base and its sensor


def rectangle(left: int, top: int, right: int, bottom: int) -> list[Point]:
    """Return the outline of a rectangle."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def rooms(places: Mapping[str, tuple[int, int, int, int]]) -> dict[str, list[Point]]:
    """Return the outlines of rectangles of any sizes, by name: `{"hall": (left, top, right, bottom)}`.

    Where rooms touch, each outline also gets the corners of the other, as a map requires.
    """
    corners = sorted({corner for place in places.values() for corner in rectangle(*place)})

    def outline(left: int, top: int, right: int, bottom: int) -> list[Point]:
        above, below = ([(x, y) for x, y in corners if y == edge and left <= x <= right] for edge in (top, bottom))
        before, after = ([(x, y) for x, y in corners if x == edge and top < y < bottom] for edge in (left, right))
        return [*above, *after, *reversed(below), *reversed(before)]

    return {name: outline(*place) for name, place in places.items()}


def space(name: str, outline: Sequence[Point], kind: str = "open", /, **properties: Any) -> Feature:
    """Return a space with its outline, not closed, and with more properties of the map format or for the game."""
    return {
        "type": "Feature",
        "geometry": {"type": "Polygon", "coordinates": [[*outline, outline[0]]]},
        "properties": {"id": name, "kind": kind, **properties},
    }


def sheet(
    slug: str,
    name: str,
    size: Point,
    features: Iterable[Feature],
    sectors: Sequence[str] = (SECTOR,),
    **members: Any,
) -> dict[str, Any]:
    """Return a complete drawing. `members` are additional members of the collection, such as `code` or `licence`."""
    own = {"format": FORMAT, "slug": slug, "name": name, "code": slug, "size": size, "sectors": sectors}
    return {"type": "FeatureCollection", **own, **members, "features": list(features)}


def grid(slug: str, name: str, columns: int, rows: int, side: int = SIDE) -> dict[str, Any]:
    """Return a drawing of adjacent squares: `a1` at the top left, `b1` to its right, `a2` below. At most 26 columns."""
    features = [
        space(
            f"{letter}{row + 1}",
            rectangle(column * side, row * side, (column + 1) * side, (row + 1) * side),
            sector=SECTOR,
        )
        for column, letter in enumerate(ascii_lowercase[:columns])
        for row in range(rows)
    ]
    return sheet(slug, name, (columns * side, rows * side), features)


def build(
    document: Mapping[str, Any], adjacent: Iterable[tuple[str, str]] | None = None, measure: Measure = "loose"
) -> Map:
    """Return the map of a document, without sights. Raises `MapError` with every error of the document.

    With `adjacent`, the neighbours are those pairs of spaces. A piece can then walk between any two enterable
    neighbours; the spaces need not tile the ground or be connected. Without it, spaces that share an edge are
    neighbours, as on a drawn map. `source` depends only on the document and on `adjacent`.
    """
    # Sort pairs and members, so that equal documents have the same digest.
    joined = None if adjacent is None else sorted({(min(pair), max(pair)) for pair in adjacent})
    canonical = msgspec.json.encode({"drawing": document, "adjacent": joined}, order="sorted")
    # Decode the document again, so that it has the types of a map file.
    drawing = read_drawing(msgspec.json.decode(canonical)["drawing"], str(document.get("slug", "")))
    drawing = structs.replace(drawing, adjacent=None if joined is None else tuple(joined))
    faults = check(drawing, measure).faults
    if faults:
        raise MapError(drawing.slug, faults)
    return structs.replace(derive(drawing), source=digest(canonical))


class BoardsByPlayers:
    """Boards that differ by the number of players, such as `tracks-1` to `tracks-6`: the methods of `MakesMaps`.

    `draw` returns the board with a name, for a number of players::

        BOARDS = BoardsByPlayers("tracks", range(1, 7), lambda name, players: build(grid(name, name, players, 9)))
    """

    def __init__(self, prefix: str, players: Iterable[int], draw: Callable[[str, int], Map]) -> None:
        self._names = {number: f"{prefix}-{number}" for number in players}
        self._draw = cache(draw)

    def map_names(self) -> tuple[str, ...]:
        """Return the names of the boards."""
        return tuple(self._names.values())

    def name_for(self, players: int) -> str:
        """Return the name of the board for a number of players."""
        return self._names[players]

    def players_on(self, name: str) -> int:
        """Return the number of players that a board is made for. Raises `NotUnderstood` for another game's board."""
        if name not in self.map_names():
            raise NotUnderstood(no_such("board of this game", name, self.map_names()))
        return int(name.rpartition("-")[2])

    def map_options(self, name: str) -> dict[str, Any]:
        """Return the number of players, which the board fixes."""
        return {"players": self.players_on(name)}

    def make_map(self, name: str) -> Map:
        """Return a board. Raises `NotUnderstood` for another game's board."""
        return self._draw(name, self.players_on(name))
