"""Route the tracks of the chip board on two layers, for all nets except ground, which is poured.

Tracks follow the grid. Its step leaves enough room between a track and any pad or other track next to it, so the only
rules are: no two nets share a node, and no via is next to a pad. Nets are routed one after the other, in an order
that depends on a seed, until all of them find a path.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count, pairwise
from math import dist
from random import Random

from msgspec import Struct

from maker.drawings.chipboard import place
from maker.drawings.chipboard.place import COLUMNS, ROWS, Node
from maker.kit import chipboard

FRONT, BACK = 0, 1
Spot = tuple[int, int, int]
"""Column, row, layer."""
POURED = "GND"
RIM = 1
"""Nodes at the board's edge without tracks."""
VIA_COST, AGAINST, STEP_COST, SHY = 8.0, 0.5, 1.0, 2.5
"""A via costs as much as VIA_COST steps. A vertical step on the front, a horizontal one on the back, and a step next to
a ground pad cost extra."""
APART = 4.5
"""Minimum distance between two ground vias, in steps."""
TRIES, SEED = 60, 54
"""Number of orders that `best_seed` tries, and the best one."""


Track = tuple[str, int, Node, Node]
"""Net, layer, and the nodes of both ends of a straight piece."""


class Routes(Struct, frozen=True):
    """All tracks, and the vias as net and node."""

    tracks: tuple[Track, ...]
    vias: tuple[tuple[str, Node], ...]


class NoWay(Exception):
    """A net finds no path."""


def routes() -> Routes:
    """Return all tracks, the same each time. Raises `NoWay`."""
    return _attempt(SEED)[0]


def best_seed() -> int:
    """Return the seed with the shortest tracks; use it for `SEED` when parts have moved.

    Raises `NoWay` if no seed routes all nets.
    """
    best: list[tuple[float, int]] = []
    for seed in range(TRIES):
        try:
            found, taken = _attempt(seed)
        except NoWay:
            continue
        if not _starved(taken):
            vias = sum(net != POURED for net, _ in found.vias)
            length = sum(dist(start, end) for _, _, start, end in found.tracks) + VIA_COST * vias
            best.append((length, seed))
    if not best:
        raise NoWay(f"none of {TRIES} orders of nets leads them all: move parts apart in place.py")
    return min(best)[1]


def _attempt(seed: int) -> tuple[Routes, dict[Spot, str]]:
    chance = Random(seed)
    pads = place.pads()
    ends = {net: [pads[pin] for pin in sorted(pins)] for net, pins in sorted(chipboard.nets().items())}
    taken: dict[Spot, str] = dict.fromkeys(_barred(), "")
    for pin, node in pads.items():
        net = next((net for net, pins in chipboard.nets().items() if pin in pins), "free")
        taken |= {(*node, layer): net for layer in (FRONT, BACK)}
    order = sorted((net for net in ends if net != POURED), key=lambda net: _span(ends[net]) * chance.uniform(0.5, 1.5))
    tracks: list[Track] = []
    vias: list[tuple[str, Node]] = []
    for net in order:
        for path in _tree(net, ends[net], taken):
            tracks += [(net, layer, start, end) for layer, start, end in _straights(path)]
            vias += [(net, a[:2]) for a, b in pairwise(path) if a[2] != b[2] and a[:2] not in ends[net]]
    stitches = [(POURED, node) for node in _stitches(taken)]
    return Routes(tuple(tracks), tuple(sorted({*vias, *stitches}))), taken


def _starved(taken: dict[Spot, str]) -> bool:
    """Return whether fewer than two spokes connect a pad to ground, on either side. Spokes are diagonal."""
    nets, pads = chipboard.nets(), place.pads()
    for x, y in (pads[pin] for pin in nets[POURED]):
        for side in (FRONT, BACK):
            spokes = [((x + a, y, side), (x, y + b, side), (x + a, y + b, side)) for a in (-1, 1) for b in (-1, 1)]
            if sum(not any(spot in taken for spot in spoke) for spoke in spokes) < 2:
                return True
    return False


def _stitches(taken: dict[Spot, str]) -> list[Node]:
    """Return vias that join the ground of both sides, so that return currents stay near their tracks."""
    found: list[Node] = []
    for x in range(COLUMNS):
        for y in range(ROWS):
            around = ((x + dx, y + dy, side) for dx in (-1, 0, 1) for dy in (-1, 0, 1) for side in (FRONT, BACK))
            if all(spot not in taken for spot in around) and all(dist((x, y), other) >= APART for other in found):
                found.append((x, y))
    return found


def _barred() -> Iterator[Spot]:
    """Yield the nodes that no track may use: the rim and the screws."""
    for x in range(COLUMNS):
        for y in range(ROWS):
            rim = not (RIM <= x < COLUMNS - RIM and RIM <= y < ROWS - RIM)
            if rim or min(dist(place.millimetres((x, y)), screw) for screw in place.SCREWS) < place.SCREW_ROOM + 0.5:
                yield from ((x, y, FRONT), (x, y, BACK))


def _span(nodes: list[Node]) -> int:
    xs, ys = zip(*nodes, strict=True)
    return int(max(xs) - min(xs) + max(ys) - min(ys)) + len(nodes)


def _tree(net: str, nodes: list[Node], taken: dict[Spot, str]) -> Iterator[list[Spot]]:
    """Yield paths that join all pads of a net, each from the joined part to the nearest other pad."""
    joined = {(*nodes[0], layer) for layer in (FRONT, BACK)}
    left = set(nodes[1:]) - {nodes[0]}
    while left:
        path = _way(net, joined, left, taken)
        taken |= dict.fromkeys(path, net)
        joined |= set(path) | {(*path[-1][:2], layer) for layer in (FRONT, BACK)}
        left.discard(path[-1][:2])
        yield path


def _way(net: str, starts: Iterable[Spot], goals: set[Node], taken: dict[Spot, str]) -> list[Spot]:
    """Return the cheapest path from any start to any goal, by Dijkstra. Raises `NoWay`."""
    ticket = count()
    came: dict[Spot, Spot | None] = {}
    waiting: list[tuple[float, int, Spot, Spot | None]] = [(0.0, next(ticket), spot, None) for spot in sorted(starts)]
    while waiting:
        cost, _, spot, before = heapq.heappop(waiting)
        if spot in came:
            continue
        came[spot] = before
        if spot[:2] in goals:
            path = [spot]
            while (previous := came[path[-1]]) is not None:
                path.append(previous)
            return path[::-1]
        for price, other in _neighbours(spot, taken, net):
            if other not in came and taken.get(other, net) == net:
                turn = 0.3 if before is not None and before[2] == other[2] and _bent(before, spot, other) else 0.0
                shy = SHY if other[:2] in _near_ground() else 0.0
                heapq.heappush(waiting, (cost + price + turn + shy, next(ticket), other, spot))
    raise NoWay(net)


def _bent(a: Spot, b: Spot, c: Spot) -> bool:
    return (b[0] - a[0], b[1] - a[1]) != (c[0] - b[0], c[1] - b[1])


def _neighbours(spot: Spot, taken: dict[Spot, str], net: str) -> Iterator[tuple[float, Spot]]:
    x, y, layer = spot
    level, upright = (0.0, AGAINST) if layer == FRONT else (AGAINST, 0.0)
    for step in (-1, 1):
        yield STEP_COST + level, (x + step, y, layer)
        yield STEP_COST + upright, (x, y + step, layer)
    around = ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
    if (x, y) in _pad_nodes():
        yield 0.0, (x, y, 1 - layer)
    elif taken.get((x, y, 1 - layer), net) == net and not any(node in _pad_nodes() for node in around):
        yield VIA_COST, (x, y, 1 - layer)


@cache
def _near_ground() -> frozenset[Node]:
    """Return the nodes through which the ground pads are joined to the poured ground."""
    pads = [place.pads()[pin] for pin in chipboard.nets()[POURED]]
    return frozenset((x + a, y + b) for x, y in pads for a in (-1, 0, 1) for b in (-1, 0, 1))


@cache
def _pad_nodes() -> frozenset[Node]:
    return frozenset(place.pads().values())


def _straights(path: list[Spot]) -> Iterator[tuple[int, Node, Node]]:
    """Yield the straight pieces of a path."""
    start = path[0]
    for before, here, after in zip(path, path[1:], [*path[2:], None], strict=False):
        if before[2] != here[2]:
            start = here
        elif after is None or after[2] != here[2] or _bent(before, here, after):
            yield here[2], start[:2], here[:2]
            start = here
