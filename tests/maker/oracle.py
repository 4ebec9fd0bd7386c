"""A slow second computation of sight, for tests: the definition taken literally.

Every line through two corners is moved by a nudge in all four ways and extended across the whole board. Degenerate
lines (a corner closer than a nudge) are left out. Shapely cuts each line with every space. Any pieces in A and in B
make a line from A to B, and the law is applied to what lies between. None of the product's geometry is used here.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, pairwise

import numpy as np
import shapely

from engine.graph.model import Map, Space

NUDGE = 0.001
BEYOND = 300
"""More than the width of any small map."""
Piece = frozenset[int]


def distances(board: Map) -> dict[tuple[str, str], int]:
    """Return D for each pair of spaces that see each other, in the file's order."""
    law = _Law(board)
    fewest: dict[tuple[int, int], int] = {}
    round_corners: dict[tuple[int, int], int] = {}
    for pieces in _crossed(board):
        for i, j in combinations(range(len(pieces)), 2):
            for a in pieces[i]:
                for b in pieces[j]:
                    pair = (min(a, b), max(a, b))
                    between = [piece for piece in pieces[i + 1 : j] if not piece & {a, b}]
                    for count in law.permitted(a, b, between):
                        fewest[pair] = min(count, fewest.get(pair, count))
                    for count in law.in_one_area(a, b, between):
                        round_corners[pair] = min(count, round_corners.get(pair, count))
    names = list(board.spaces)
    return {(names[a], names[b]): count + 1 for (a, b), count in (round_corners | fewest).items()}


def fewest_in_the_way(board: Map) -> dict[tuple[str, str], int]:
    """Return, for each pair of spaces joined by a line, how many spaces the law forbids on its best line."""
    law = _Law(board)
    fewest: dict[tuple[int, int], int] = {}
    for pieces in _crossed(board):
        for i, j in combinations(range(len(pieces)), 2):
            for a in pieces[i]:
                for b in pieces[j]:
                    between = [piece for piece in pieces[i + 1 : j] if not piece & {a, b}]
                    for count in law.forbidden(min(a, b), max(a, b), between):
                        pair = (min(a, b), max(a, b))
                        fewest[pair] = min(count, fewest.get(pair, count))
    names = list(board.spaces)
    return {(names[a], names[b]): count for (a, b), count in fewest.items()}


class _Law:
    """The table 'Sight, exactly', clause by clause."""

    def __init__(self, board: Map) -> None:
        self.spaces = list(board.spaces.values())
        self.ladders = {frozenset(access.between) for access in board.accesses if access.kind == "ladder"}
        polygons = [shapely.Polygon(space.outline) for space in self.spaces]
        self.over = {
            frozenset((low, high))
            for low, high in combinations(range(len(polygons)), 2)
            if self.spaces[low].under != self.spaces[high].under
            and shapely.area(shapely.intersection(polygons[low], polygons[high])) > 0.01
        }

    def permitted(self, a: int, b: int, between: list[Piece]) -> list[int]:
        one, other = self.spaces[a], self.spaces[b]
        if a == b or frozenset((a, b)) in self.over:
            return []
        kinds = {one.kind, other.kind}
        upper = {self._pick(piece, "upper") for piece in between if piece}
        lower = {self._pick(piece, "lower") for piece in between if piece}
        found = []
        if kinds == {"elevated"}:
            if "obstruction" not in self._kinds(upper):
                found.append(len(upper))
            return found
        if kinds == {"enclosed"} and self._kinds(lower) <= {"enclosed"}:
            found.append(len(lower))
        if self._kinds(upper) <= {"open", "water"}:
            ladder = frozenset((one.id, other.id)) in self.ladders
            if kinds != {"elevated", "enclosed"} or upper or ladder:
                found.append(len(upper))
        return found

    def in_one_area(self, a: int, b: int, between: list[Piece]) -> list[int]:
        one, other = self.spaces[a], self.spaces[b]
        if a == b or one.kind != "enclosed" or other.kind != "enclosed" or one.area != other.area:
            return []
        upper = {self._pick(piece, "upper") for piece in between if piece}
        return [] if "obstruction" in self._kinds(upper) else [len(upper)]

    def forbidden(self, a: int, b: int, between: list[Piece]) -> list[int]:
        """Return how many of the spaces between no line may cross, for each way of looking that the two can use."""
        one, other = self.spaces[a], self.spaces[b]
        if a == b or frozenset((a, b)) in self.over:
            return []
        upper = [self.spaces[n].kind for n in {self._pick(piece, "upper") for piece in between if piece}]
        lower = [self.spaces[n].kind for n in {self._pick(piece, "lower") for piece in between if piece}]
        if one.kind == other.kind == "elevated":
            return [upper.count("obstruction")]
        found = [sum(kind not in ("open", "water") for kind in upper)]
        if one.kind == other.kind == "enclosed":
            found.append(sum(kind != "enclosed" for kind in lower))
            found += [upper.count("obstruction")] * (one.area == other.area)
        return found

    def _pick(self, piece: Piece, layer: str) -> int:
        ordered = sorted(piece, key=lambda number: self.spaces[number].under)
        return ordered[0] if layer == "upper" else ordered[-1]

    def _kinds(self, numbers: set[int]) -> set[str]:
        return {self.spaces[number].kind for number in numbers}


def _crossed(board: Map) -> list[list[Piece]]:
    """Return, for each nudged line, the spaces it crosses, piece by piece. Degenerate lines are left out."""
    spaces = list(board.spaces.values())
    corners = sorted({(float(x), float(y)) for space in spaces for x, y in space.outline} | _cuts(spaces))
    ends = np.array([line for u, v in combinations(np.array(corners), 2) for line in _nudged(u, v)])
    nearest = shapely.distance(shapely.linestrings(ends), shapely.MultiPoint(corners))
    return pieces(spaces, ends[nearest > 0.9 * NUDGE])


def pieces(spaces: list[Space], ends: np.ndarray) -> list[list[Piece]]:
    """Return, for each segment (a pair of points), the numbers of the spaces it crosses, piece by piece."""
    polygons = np.array([shapely.Polygon(space.outline) for space in spaces])
    lines = shapely.linestrings(ends)
    which, met = shapely.STRtree(polygons).query(lines, predicate="intersects")
    parts, owner = shapely.get_parts(shapely.intersection(lines[which], polygons[met]), return_index=True)
    along: list[dict[int, list[tuple[float, float]]]] = [defaultdict(list) for _ in lines]
    for part, index in zip(parts, owner, strict=True):
        if part.geom_type == "LineString" and not part.is_empty:
            start = ends[which[index]][0]
            reach = sorted(float(np.hypot(*(np.array(place) - start))) for place in (part.coords[0], part.coords[-1]))
            along[which[index]][int(met[index])].append((reach[0], reach[1]))
    return [_pieces(stretches) for stretches in along]


def _cuts(spaces: list[Space]) -> set[tuple[float, float]]:
    """Return where borders of tunnels and walkways cross."""
    low = [shapely.Polygon(space.outline).exterior for space in spaces if space.under]
    high = [shapely.Polygon(space.outline).exterior for space in spaces if not space.under]
    found = set()
    for one in low:
        for other in high:
            for part in shapely.get_parts(shapely.intersection(one, other)):
                found |= {(x, y) for x, y in part.coords}
    return {(x, y) for x, y in found if abs(x - round(x)) > 1e-9 or abs(y - round(y)) > 1e-9}


def _nudged(u: np.ndarray, v: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the four lines through two corners, each moved sideways by a nudge and extended far beyond both."""
    ahead = (v - u) / np.hypot(*(v - u))
    left = np.array([-ahead[1], ahead[0]]) * NUDGE
    found = []
    for one in (1, -1):
        for other in (1, -1):
            start, end = u + one * left, v + other * left
            reach = BEYOND * (end - start) / np.hypot(*(end - start))
            found.append((start - reach, end + reach))
    return found


def _pieces(stretches: dict[int, list[tuple[float, float]]]) -> list[Piece]:
    """Return the intervals of a line in each space, as (from, to) along it, in order."""
    stops = sorted({stop for parts in stretches.values() for part in parts for stop in part})
    found: list[Piece] = []
    for start, end in pairwise(stops):
        if end - start < 1e-7:
            continue
        middle = (start + end) / 2
        here = frozenset(n for n, parts in stretches.items() for low, high in parts if low < middle < high)
        if not found or found[-1] != here:
            found.append(here)
    return found
