"""The borders of a map as a planar graph of corners and edges, for following a straight line.

There are two layers: the *ground* (every space that is not `under`) and the *under* spaces. Each edge stores the space
of each layer on its left and on its right. Where borders of the two layers touch or cross, the edges are split, so that
two edges meet only at corners.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from msgspec import Struct

from engine.graph.coverage import near_pairs
from engine.graph.model import Point, Space
from engine.graph.plane import crossing_point, edges, on_segment, oriented, segments_cross, strictly_on_segment

NOBODY = -1  # The number that stands for no space: off the board, or nothing under this place

Exact = tuple[int | Fraction, int | Fraction]
Side = tuple[int, int]  # The spaces on the left and on the right


class BorderLine(Struct, frozen=True, array_like=True):
    """A straight border from corner `a` to corner `b`. Spaces are numbered in the file's order."""

    a: int
    b: int
    ground: Side
    under: Side


class Arrangement(Struct, frozen=True):
    """All corners and edges. A point that only divides a straight border is not a corner."""

    corners: tuple[tuple[float, float], ...]
    edges: tuple[BorderLine, ...]


def arrange(spaces: Sequence[Space]) -> Arrangement:
    """Return the arrangement of spaces without errors."""
    rings = _simplified([oriented(space.outline) for space in spaces])
    pieces = [
        (number, a, b)
        for number, parts in enumerate(_split_edges(rings, [space.under for space in spaces]))
        for a, b in parts
    ]
    corners = {corner: i for i, corner in enumerate(sorted({corner for _, *ends in pieces for corner in ends}))}
    sides: dict[tuple[int, int], dict[bool, list[int]]] = {}
    for number, a, b in pieces:
        # Store each edge once, from its lower to its higher corner. The rings are oriented, so a space that runs along
        # it in this direction is on side 0.
        first, last = sorted((corners[a], corners[b]))
        layers = sides.setdefault((first, last), {False: [NOBODY, NOBODY], True: [NOBODY, NOBODY]})
        layers[spaces[number].under][0 if corners[a] == first else 1] = number
    border_lines = [
        BorderLine(a, b, (layers[False][0], layers[False][1]), (layers[True][0], layers[True][1]))
        for (a, b), layers in sorted(sides.items())
    ]
    return Arrangement(tuple((float(x), float(y)) for x, y in corners), tuple(border_lines))


def _simplified(rings: Sequence[Sequence[Point]]) -> list[list[Point]]:
    """Return the rings without the corners at which no border bends, ends or branches."""
    around: dict[Point, set[Point]] = defaultdict(set)
    for ring in rings:
        for a, b in edges(ring):
            around[a].add(b)
            around[b].add(a)
    # Only two borders meet here, and they continue in a straight line.
    idle = {point for point, (one, *more) in around.items() if len(more) == 1 and on_segment(one, more[0], point)}
    return [[point for point in ring if point not in idle] for ring in rings]


def _split_edges(rings: Sequence[Sequence[Point]], under: Sequence[bool]) -> list[list[tuple[Exact, Exact]]]:
    """Return each ring's edges, split wherever the other layer's corners and edges meet them."""
    owned = [(number, edge) for number, ring in enumerate(rings) for edge in edges(ring)]
    cuts: dict[int, set[Exact]] = defaultdict(set)
    for here, there in near_pairs([edge for _, edge in owned]):
        (one, first), (other, second) = owned[here], owned[there]
        if under[one] == under[other]:
            continue
        cuts[here].update(end for end in second if strictly_on_segment(*first, end))
        cuts[there].update(end for end in first if strictly_on_segment(*second, end))
        if segments_cross(*first, *second):
            place = crossing_point(*first, *second)
            cuts[here].add(place)
            cuts[there].add(place)
    parts: list[list[tuple[Exact, Exact]]] = [[] for _ in rings]
    for i, (number, (a, b)) in enumerate(owned):
        # Points on one line sort along it, forwards or backwards.
        way: list[Exact] = sorted({a, b, *cuts[i]}, reverse=a > b)
        parts[number] += pairwise(way)
    return parts
