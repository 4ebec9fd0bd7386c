"""`python -m maker.mapping.chain_lamps NAME`: write maps/NAME/wiring.toml with a short chain from lamp to lamp.

The strip is cut between the lamps, so every centimetre of the chain is wire. The chain starts at the space nearest to
the corner with the electronics. It is shortened by reversing sections (2-opt) until no reversal helps. Sensor and lamp
of a space have the same number.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import dist

from engine.graph import Map
from firmware_host.board.wiring import FILE, Wiring, wiring_text
from firmware_host.core import maps

Place = tuple[float, float]


def order_lamps(board: Map) -> tuple[str, ...]:
    """Return the spaces that can be entered, in an order of short hops from the lower left corner."""
    spots = {space: board.spaces[space].spot for space in board.enterable}
    corner = (0.0, float(board.size[1]))
    order = _nearest_next(spots, corner)
    return tuple(_untangle(order, spots))


def chain_length(order: Sequence[str], board: Map) -> float:
    """Return the length of the chain from spot to spot, in tenths of a millimetre."""
    spots = [board.spaces[space].spot for space in order]
    return sum(dist(one, other) for one, other in pairwise(spots))


def _nearest_next(spots: Mapping[str, Place], start: Place) -> list[str]:
    left, order, here = dict(spots), [], start
    while left:
        space = min(left, key=lambda name: dist(here, left[name]))
        here = left.pop(space)
        order.append(space)
    return order


def _untangle(order: list[str], spots: Mapping[str, Place]) -> list[str]:
    """Return the order after reversing sections as long as that makes the chain shorter. The first space stays
    first."""
    better = True
    while better:
        better = False
        for first in range(1, len(order) - 1):
            for last in range(first + 1, len(order)):
                # Rounding must not make both a reversal and its opposite look like a gain.
                if _gain(order, first, last, spots) > 1e-6:
                    order[first : last + 1] = reversed(order[first : last + 1])
                    better = True
    return order


def _gain(order: Sequence[str], first: int, last: int, spots: Mapping[str, Place]) -> float:
    """Return how much shorter the chain gets if the piece from `first` to `last` is reversed."""
    before, a, b = spots[order[first - 1]], spots[order[first]], spots[order[last]]
    saved = dist(before, a) - dist(before, b)
    if last + 1 < len(order):
        after = spots[order[last + 1]]
        saved += dist(b, after) - dist(a, after)
    return saved


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m maker.mapping.chain_lamps", description=__doc__)
    parser.add_argument("name", nargs="+", help="a map of the maps folder")
    for name in parser.parse_args().name:
        board = maps.load(name)
        order = order_lamps(board)
        path = maps.FOLDER / name / FILE
        path.write_text(wiring_text(Wiring(order, order)), "utf-8")
        was, now = chain_length(board.enterable, board) / 10_000, chain_length(order, board) / 10_000
        print(f"{path.relative_to(maps.FOLDER.parent)}: {now:.2f} m from spot to spot; in the map's order {was:.2f} m")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
