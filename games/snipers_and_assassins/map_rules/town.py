"""The town between the pathways: roofs and gardens seen from above, in the gaps that no space covers.

It carries no meaning, so it is dim, and the same on every copy of a board.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from engine.graph.pen import Place, closed_path, coord, joined_points

STREET: Final = 62  # Distance of a house from the lane or pathway next to it, in tenths of a millimetre
SHADOW: Final = 16  # How far a roof's shadow reaches
RULES: Final = (
    " .table{fill:#14181a}",
    " .roof.tiles{fill:#382924}* .roof.slate{fill:#2a343b}* .roof.tin{fill:#33342b}",
    " .garden{fill:#1b271f}* .tree{fill:#2b4232}* .glim{fill:#ffcf7a;opacity:.4}",
    " .ridge{stroke:#0c0f12;stroke-width:7;opacity:.55}* .eave{stroke:#efebe0;stroke-width:4;opacity:.12}",
)
"""Rules of the overlay that shows the town."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def town(gaps: Iterator[Box]) -> Iterator[str]:
    """Yield the elements of the town: a house or a garden in each gap, one element per kind."""
    shapes: dict[str, list[str]] = defaultdict(list)
    for number, gap in enumerate(gaps):
        # 5 and 7 have no common factor with the usual number of gaps in a row, so no columns of equal houses appear.
        for kind, shape in _garden(gap) if number % 7 == 4 else _house(gap, number * 5 % 9):
            shapes[kind].append(shape)
    for kind in ("garden", "tree", "shadow", "roof tiles", "roof slate", "roof tin", "line ridge", "line eave", "glim"):
        if shapes[kind]:
            yield f'<path class="{kind}" d="{"".join(shapes[kind])}"/>'


def _house(gap: Box, look: int) -> Iterator[tuple[str, str]]:
    """Yield the parts of a house: look 0 to 2 has a flat roof, 3 to 8 a ridge across or along the pathway."""
    left, top, right, bottom = gap
    # Houses have different depths, so that the fronts form no single line.
    inset = 18 * (look % 4)
    top, bottom = (top + inset, bottom) if look % 2 else (top, bottom - inset)
    roof = _rectangle((left, top, right, bottom))
    yield "shadow", closed_path((x + SHADOW, y + SHADOW) for x, y in roof)
    yield ("roof tiles", "roof slate", "roof tin")[look % 3], closed_path(roof)
    yield "line eave", closed_path(roof)
    if look < 3:
        yield "line ridge", closed_path(_rectangle((left + 22, top + 22, right - 22, bottom - 22)))
        yield "glim", closed_path(_rectangle((left + 50, top + 50, left + 86, top + 78)))
        return
    middle, centre, hip = (left + right) / 2, (top + bottom) / 2, 90
    along = look % 2 == 0
    ends = ((left + hip, centre), (right - hip, centre)) if along else ((middle, top + hip), (middle, bottom - hip))
    yield "line ridge", f"M{joined_points(ends)}"
    for corner, (x, y) in enumerate(roof):
        nearest = ends[corner in (1, 2)] if along else ends[corner in (2, 3)]
        yield "line ridge", f"M{joined_points(((x, y), nearest))}"


def _garden(gap: Box) -> Iterator[tuple[str, str]]:
    left, top, right, bottom = gap
    yield "garden", closed_path(_rectangle(gap))
    for across, down, reach in ((0.24, 0.3, 44), (0.7, 0.26, 34), (0.46, 0.66, 52), (0.82, 0.72, 30)):
        x, y = left + across * (right - left), top + down * (bottom - top)
        yield (
            "tree",
            f"M{coord(x - reach)} {coord(y)}a{reach} {reach} 0 1 0 {2 * reach} 0a{reach} {reach} 0 1 0 {-2 * reach} 0Z",
        )


def _rectangle(box: Box) -> tuple[Place, ...]:
    left, top, right, bottom = box
    return (left, top), (right, top), (right, bottom), (left, bottom)
