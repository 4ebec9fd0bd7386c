"""The wiring overlay: the sensor and lamp under each space, and the chain from lamp to lamp.

Makers solder the board from this picture. Each space's number is its position in the given order of the chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import dist, hypot

from engine.graph.model import Map
from engine.graph.overlay import Overlay
from engine.graph.palette import INK, NIGHT
from engine.graph.pen import Place, circle_element, closed_path, joined_points, text_element
from maker.mapping.strip import HEIGHT, LINES, SIZE, STRIP_RULES, notes, titled

DISC_WIDTH = 88
WIRE = "#ffb454"
FIRST, LAST = "#7fe0ff", "#ff8a7a"
ARROW = 34
ROOM_FOR_ARROW = 2 * DISC_WIDTH + 110
"""Minimum distance of two spots for an arrow between them."""

RULES = (
    " .space{fill-opacity:.42}",
    " .spot,* .start,* .cross,* .name,* .alarm,* .texture,* .shadow,* .objective,* .plate,* .entry{display:none}",
    f" .id{{opacity:1;paint-order:stroke;stroke:{NIGHT};stroke-width:18px;stroke-linejoin:round}}",
    f" .wire{{stroke:{WIRE};stroke-width:14}}* .wire.casing{{stroke:{NIGHT};stroke-width:38;opacity:.8}}",
    f" .arrow{{fill:{WIRE}}}",
    f" .lamp{{fill:{NIGHT};stroke:{WIRE};stroke-width:12}}",
    f" .lamp.first{{stroke:{FIRST};stroke-width:26}}* .lamp.last{{stroke:{LAST};stroke-width:26}}",
    " .lamp.small{stroke-width:10}",
    f" .lamp-number{{fill:{INK};font-weight:700}}",
    *STRIP_RULES,
)


def wiring_overlay(board: Map, order: Sequence[str]) -> Overlay:
    """Return the wiring of a map as an overlay. `order` names the spaces along the chain, that of lamp 0 first.

    Raises `KeyError` for a space that is not on the map.
    """
    spots = [board.spaces[name].spot for name in order]
    return Overlay(
        "wiring", RULES, {}, tuple(_wires(spots)), tuple(_lamps(spots)), tuple(_legend(board, order, spots)), HEIGHT
    )


def _scale(spots: Sequence[Place]) -> float:
    """Return the largest scale of the marks, at most 1, at which the marks of the two nearest spots do not touch."""
    nearest = min((dist(one, other) for one, other in combinations(spots, 2)), default=ROOM_FOR_ARROW)
    return min(1.0, nearest / (2 * DISC_WIDTH + 20))


def _wires(spots: Sequence[Place]) -> Iterator[str]:
    if len(spots) < 2:
        return
    for kind in ("wire casing", "wire"):
        yield f'<path class="line {kind}" d="M{joined_points(spots)}"/>'
    arrows = "".join(closed_path(_arrow(a, b)) for a, b in pairwise(spots) if dist(a, b) > ROOM_FOR_ARROW)
    yield f'<path class="mark arrow" d="{arrows}"/>'


def _arrow(a: Place, b: Place) -> list[Place]:
    length = hypot(b[0] - a[0], b[1] - a[1])
    along = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    corners = ((ARROW, 0), (-ARROW, ARROW), (-ARROW, -ARROW))
    return [
        (middle[0] + on * along[0] - aside * along[1], middle[1] + on * along[1] + aside * along[0])
        for on, aside in corners
    ]


def _lamps(spots: Sequence[Place]) -> Iterator[str]:
    scale = _scale(spots)
    for count, spot in enumerate(spots):
        end = " first" if count == 0 else " last" if count == len(spots) - 1 else ""
        yield circle_element(f"mark lamp{end}", spot, DISC_WIDTH * scale)
        yield text_element("lamp-number", str(count), (spot[0], spot[1] + 33 * scale), 92 * scale)


def _legend(board: Map, order: Sequence[str], spots: Sequence[Place]) -> Iterator[str]:
    if not order:
        return
    example = str(min(7, len(order) - 1))
    here = f"sensor {example} and lamp {example} are here" if board.has_sensors else f"lamp {example} is here"
    each = "a sensor and a lamp" if board.has_sensors else "a lamp"
    yield from titled("Wiring", f"{len(order)} spaces, each with {each}")
    for across, down, kind, figure, note in (
        (1920, 0, "", example, here),
        (1920, 1, " first", "0", f"the chain begins at {order[0]}"),
        (3140, 1, " last", str(len(order) - 1), f"and ends at {order[-1]}"),
    ):
        yield circle_element(f"mark lamp{kind} small", (across, LINES[down] - 22), 40)
        yield text_element("lamp-number", figure, (across, LINES[down] - 6), 44 if len(figure) < 3 else 36)
        yield text_element("note", note, (across + 90, LINES[down]), SIZE)
    hops = [dist(a, b) for a, b in pairwise(spots)]
    if hops:
        longest = hops.index(max(hops))
        ends = f"{order[longest]} ({longest}) to {order[longest + 1]} ({longest + 1})"
        lines = [f"spot to spot: {sum(hops) / 10_000:.2f} m in all", f"longest hop: {max(hops) / 100:.0f} cm, {ends}"]
        yield from notes(4200, lines)
