"""Check with shapely and by nudging that witness lines match the sight table.

None of the product's geometry is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import shapely

from engine.graph.model import Map, Sight
from tests.maker.oracle import NUDGE, Piece, pieces

ON = 1e-5
"""Maximum distance of a line's end from an outline. The table keeps six decimals."""
STILL = (0.0, 0.0)
AROUND = [(NUDGE, 0.0), (-NUDGE, 0.0), (0.0, NUDGE), (0.0, -NUDGE)]
NUDGES = [(STILL, STILL), *((STILL, away) for away in AROUND), *((away, STILL) for away in AROUND)]


def faults(board: Map) -> Iterator[str]:
    """Yield every witness that does not end on both outlines, crosses something else, or changes when nudged."""
    numbers = {name: number for number, name in enumerate(board.spaces)}
    spaces = list(board.spaces.values())
    pairs = [(a, b, sight) for a, seen in board.sights.items() for b, sight in seen.items()]
    if not pairs:
        return
    ends = np.array([sight.line for _, _, sight in pairs])
    for (a, b, sight), line in zip(pairs, ends, strict=True):
        for name, end in ((a, line[0]), (b, line[1])):
            if shapely.distance(shapely.Polygon(board.spaces[name].outline).exterior, shapely.Point(end)) > ON:
                yield f"{a}-{b}: {end} is not on the outline of {name}"
        if sight.distance != len(sight.through) + 1:
            yield f"{a}-{b}: distance {sight.distance} through {sight.through}"
    for nudge in NUDGES:
        for (a, b, sight), crossed in zip(pairs, pieces(spaces, ends + np.array(nudge)), strict=True):
            between = [piece for piece in crossed if not piece & {numbers[a], numbers[b]}]
            if not any(_names(board, between, layer) == list(sight.through) for layer in (0, -1)):
                yield f"{a}-{b}: nudged by {nudge} it crosses {_names(board, between, 0)}, not {sight}"


def _names(board: Map, between: list[Piece], layer: int) -> list[str]:
    """Return the crossed spaces in order, each once. Where two overlap, take the upper (0) or lower (-1) one."""
    spaces = list(board.spaces.values())
    picked = [sorted(piece, key=lambda n: spaces[n].under)[layer] for piece in between if piece]
    return list(dict.fromkeys(spaces[n].id for n in picked))


def symmetric(board: Map) -> bool:
    """Return whether both directions have the same sight, one the mirror image of the other."""
    for a, b in product(board.spaces, repeat=2):
        there, back = board.sight(a, b), board.sight(b, a)
        if there is None or there.line is None:
            if there != back:
                return False
        elif back != Sight(there.distance, (there.line[1], there.line[0]), there.through[::-1]):
            return False
    return True
