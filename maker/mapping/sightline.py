"""The overlay of one line of sight: what it crosses and how far it reaches, or what blocks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import dist

from engine.graph.labels import text_width
from engine.graph.model import Map, Sight
from engine.graph.overlay import Overlay
from engine.graph.palette import NIGHT
from engine.graph.pen import Place, circle_element, closed_path, coord, escaped, joined_points
from maker.mapping.blockers import Blame, find_blame
from maker.mapping.witness import Line

SHORT = 260.0
"""A line shorter than this has its tag next to it, because the tag would cover it."""
SEEN, BLIND = "#7fe0ff", "#ff8a7a"
RULES = (
    " .watched{fill:none;stroke:#fff;stroke-width:22;stroke-linejoin:round;opacity:.9}",
    f" .crossed{{fill:{SEEN};fill-opacity:.2;stroke:{SEEN};stroke-width:8;stroke-opacity:.6}}",
    f" .blocker{{fill:{BLIND};fill-opacity:.34;stroke:{BLIND};stroke-width:16;stroke-linejoin:round}}",
    f" .sight{{stroke:{NIGHT};stroke-width:34}}* .ray{{stroke:{SEEN};stroke-width:16}}",
    f" .blind{{stroke:{NIGHT};stroke-width:34}}* .blind.dash{{stroke:{BLIND};stroke-width:16;stroke-dasharray:50 36}}",
    f" .tag{{fill:{NIGHT};stroke:{SEEN};stroke-width:8}}* .tag.none{{stroke:{BLIND}}}",
    " .distance{font-weight:700;font-size:110px}",
)


def sight_overlay(board: Map, a: str, b: str) -> Overlay:
    """Return the line between two spaces as an overlay. Raises `KeyError` for an unknown space."""
    seen = board.sight(a, b)
    outlines = closed_path(board.spaces[a].outline) + ("" if a == b else closed_path(board.spaces[b].outline))
    line = _seen_spaces(board, a, seen) if seen else _blocked_line(board, (a, b), find_blame(board, a, b))
    return Overlay("sight-line", RULES, above=(f'<path class="line watched" d="{outlines}"/>', *line))


def _seen_spaces(board: Map, a: str, seen: Sight) -> Iterator[str]:
    spot = board.spaces[a].spot
    line = seen.line or (spot, spot)
    yield from _areas(board, seen.through, "crossed")
    yield from _line_svg(line, ("sight", "sight ray"), "tag")
    yield _tag(board, line, str(seen.distance), "tag")


def _blocked_line(board: Map, pair: tuple[str, str], blame: Blame) -> Iterator[str]:
    line = blame.line or (board.spaces[pair[0]].spot, board.spaces[pair[1]].spot)
    yield from _areas(board, [name for name in blame.through if name not in blame.blockers], "crossed")
    yield from _areas(board, blame.blockers, "blocker")
    yield from _line_svg(line, ("blind", "blind dash"), "tag none")
    yield _tag(board, line, "no sight", "tag none")


def _areas(board: Map, names: Sequence[str], kind: str) -> Iterator[str]:
    for name in names:
        yield f'<path class="mark {kind}" d="{closed_path(board.spaces[name].outline)}"/>'


def _line_svg(line: Line, kinds: Sequence[str], ends: str) -> Iterator[str]:
    yield from (f'<path class="line {kind}" d="M{joined_points(line)}"/>' for kind in kinds)
    yield from (circle_element(f"mark {ends}", end, 18) for end in dict.fromkeys(line))


def _tag(board: Map, line: Line, text: str, kind: str) -> str:
    """Return the label of a line: in its middle, or next to a short line; always on the board."""
    wide = max(text_width(text, 110) + 70, 150.0)
    x, y = _beside(line, wide)
    x = min(max(x, wide / 2 + 20), board.size[0] - wide / 2 - 20)
    y = min(max(y, 95), board.size[1] - 95)
    corner = f'x="{coord(x - wide / 2)}" y="{coord(y - 75)}"'
    return (
        f'<rect class="mark {kind}" {corner} width="{coord(wide)}" height="150" rx="75"/>'
        f'<text class="distance" x="{coord(x)}" y="{coord(y + 39)}">{escaped(text)}</text>'
    )


def _beside(line: Line, wide: float) -> Place:
    (ax, ay), (bx, by) = line
    middle = ((ax + bx) / 2, (ay + by) / 2)
    length = dist(*line)
    if length >= wide + SHORT:
        return middle
    aside = (0.0, -1.0) if length == 0 else (-(by - ay) / length, (bx - ax) / length)
    # A tag is wide, so it needs more distance to the side than above.
    far = 130 + (wide / 2 - 75) * abs(aside[0])
    return (middle[0] + far * aside[0], middle[1] + far * aside[1])
