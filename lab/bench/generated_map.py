"""Generate maps of any size for the default game: open squares in four sectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, sqrt
from string import ascii_lowercase
from typing import Final

from engine.graph.builder import SIDE, Feature, build, rectangle, sheet, space
from engine.graph.model import Map

HOLDS: Final[Mapping[str, tuple[Mapping[str, str | int], ...]]] = {
    "yellow": ({"start": "officer"}, {"objective": 1}, {"start": "soldier"}, {"objective": 2}, {"start": "soldier"}),
    "red": ({"start": "officer"}, {"objective": 3}, {"start": "soldier"}, {"objective": 4}, {"start": "soldier"}),
    "black": ({"start": "officer"}, {"objective": 5}, {"start": "soldier"}, {"objective": 6}, {"start": "soldier"}),
    "white": ({"objective": 7}, {"objective": 8}, {"objective": 9}),
}
"""Starts and objectives of each sector."""
SUITS: Final = {"yellow": "diamonds", "red": "hearts", "black": "spades", "white": "clubs"}
FEWEST: Final = 30
"""Minimum number of spaces with room for all of them."""

Square = tuple[int, int]
"""Column and row, from 0."""


def generate_map(spaces: int) -> Map:
    """Return a map of about `spaces` spaces, at least `FEWEST`, without sight lines and with at most 26 columns."""
    columns = min(len(ascii_lowercase), ceil(sqrt(max(spaces, FEWEST))))
    rows = ceil(max(spaces, FEWEST) / columns)
    features = list(_features(columns, rows))
    drawing = sheet("made", "Made", (columns * SIDE, rows * SIDE), features, tuple(HOLDS), suits=SUITS)
    return build(drawing)


def _features(columns: int, rows: int) -> Iterator[Feature]:
    """Yield four sectors, each around a corner of the board with its entry arrow."""
    for number, (sector, things) in enumerate(HOLDS.items()):
        right, low = number % 2, number // 2
        across = range(columns // 2, columns) if right else range(columns // 2)
        down = range(rows // 2, rows) if low else range(rows // 2)
        corner = (across[-1] if right else across[0], down[-1] if low else down[0])
        squares = [(column, row) for row in down for column in across]
        squares_with_things = _spread([square for square in squares if square != corner], things)
        for column, row in squares:
            outline = rectangle(column * SIDE, row * SIDE, (column + 1) * SIDE, (row + 1) * SIDE)
            yield space(
                _square_name((column, row)), outline, sector=sector, **squares_with_things.get((column, row), {})
            )
        yield {
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": [right * columns * SIDE, round((corner[1] + 0.5) * SIDE)]},
            "properties": {"entry": _square_name(corner)},
        }


def _square_name(square: Square) -> str:
    return f"{ascii_lowercase[square[0]]}{square[1] + 1}"


def _spread(
    squares: Sequence[Square], things: Sequence[Mapping[str, str | int]]
) -> dict[Square, Mapping[str, str | int]]:
    """Return square -> thing, evenly distributed."""
    return {squares[number * len(squares) // len(things)]: thing for number, thing in enumerate(things)}
