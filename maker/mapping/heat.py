"""The heat map: how many spaces each space sees, as colours and numbers, with a scale.

The colours get steadily lighter from dark blue to light yellow, so that they can be distinguished by colour-blind
people and in a grey print. `sight.py` computes which spaces see each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from statistics import median

from engine.graph.model import Map
from engine.graph.overlay import Overlay
from engine.graph.palette import INK, NIGHT
from engine.graph.pen import Place, coord, text_element
from maker.mapping.strip import HEIGHT, LINES, SIZE, STRIP_RULES, notes, titled

SCALE = ((22, 32, 78), (38, 84, 128), (74, 128, 134), (146, 164, 108), (226, 196, 84), (255, 240, 168))
"""The colours from the least to the most, red, green and blue."""
BANDS = 48
NAMED_SPACES = 4
"""Number of spaces named at each end of the scale."""
BAR = (1900.0, 4000.0, 66.0, 78.0)
"""Left, right, top and height of the scale in the strip."""

RULES = (
    " .space{fill-opacity:1}",
    " .spot,* .start,* .cross,* .name,* .alarm,* .texture,* .entry{display:none}",
    f" .path{{stroke:{NIGHT};opacity:.55}}* .trench{{opacity:.8}}",
    f" .id{{opacity:1;paint-order:stroke;stroke:{NIGHT};stroke-opacity:.8;stroke-width:16px;stroke-linejoin:round}}",
    " .count{font-weight:700}",
    f" .count.dark{{fill:{NIGHT}}}* .count.light{{fill:{INK}}}",
    *STRIP_RULES,
)


def count_visible(board: Map) -> dict[str, int]:
    """Return for each space that can be entered how many other such spaces it sees (MP-LOS-17)."""
    counts = dict.fromkeys(board.enterable, 0)
    for one, others in board.sights.items():
        for other in others:
            if one in counts and other in counts:
                counts[one] += 1
                counts[other] += 1
    return counts


def heat_overlay(board: Map) -> Overlay:
    """Return the heat map, an overlay for a map with sights."""
    counts = count_visible(board)
    paint = {name: _hex(scale_colour(share)) for name, share in _shares(counts).items()}
    return Overlay("heat", RULES, paint, (), tuple(_numbers(board, counts)), tuple(_legend(counts)), HEIGHT)


def scale_colour(share: float) -> tuple[int, int, int]:
    """Return the colour at a share of the scale, from 0 to 1."""
    place = share * (len(SCALE) - 1)
    step = min(int(place), len(SCALE) - 2)
    low, high = SCALE[step], SCALE[step + 1]
    red, green, blue = (round(a + (b - a) * (place - step)) for a, b in zip(low, high, strict=True))
    return (red, green, blue)


def lightness(colour: tuple[int, int, int]) -> float:
    """Return a colour's relative luminance, from 0 to 1."""
    # Convert sRGB to linear light (WCAG 2.1, relative luminance).
    linear = [(part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4) for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _shares(counts: Mapping[str, int]) -> dict[str, float]:
    least, most = min(counts.values(), default=0), max(counts.values(), default=0)
    return {name: (count - least) / max(most - least, 1) for name, count in counts.items()}


def _hex(colour: tuple[int, int, int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)


def _numbers(board: Map, counts: Mapping[str, int]) -> Iterator[str]:
    """Yield each number where the miniature stands, dark on light ground and light on dark."""
    for name, share in _shares(counts).items():
        x, y = board.spaces[name].spot
        yield text_element(f"count {_ink(share)}", str(counts[name]), (x, y + 41), 114)


def _ink(share: float) -> str:
    return "dark" if lightness(scale_colour(share)) > 0.2 else "light"


def _legend(counts: Mapping[str, int]) -> Iterator[str]:
    if not counts:
        return
    ranked = sorted(counts, key=lambda name: counts[name])
    yield from titled("Spaces in sight", f"how many of the {len(counts) - 1} others each space sees")
    yield from _bar(counts)
    ends = (("fewest", ranked[:NAMED_SPACES]), ("most", ranked[: -NAMED_SPACES - 1 : -1]))
    lines = [f"{which}: {', '.join(f'{name} {counts[name]}' for name in names)}" for which, names in ends]
    yield from notes(BAR[1] + 230, lines)


def _bar(counts: Mapping[str, int]) -> Iterator[str]:
    left, right, top, height = BAR
    places = [left + (right - left) * band / BANDS for band in range(BANDS + 1)]
    for band, (start, end) in enumerate(pairwise(places)):
        # Slightly wider than its share, so that no gap is visible between two of them.
        size = f'width="{coord(end - start + 2)}" height="{coord(height)}"'
        colour = _hex(scale_colour(band / (BANDS - 1)))
        yield f'<rect x="{coord(start)}" y="{coord(top)}" {size} fill="{colour}"/>'
    least, most, middle = min(counts.values()), max(counts.values()), median(counts.values())
    for value, label in ((least, f"{least}"), (most, f"{most}"), (middle, f"median {middle:g}")):
        at: Place = (left + (right - left) * (value - least) / max(most - least, 1), top + height)
        yield f'<path class="tick line" stroke="{INK}" stroke-width="6" d="M{coord(at[0])} {coord(at[1])}v22"/>'
        yield text_element("tick", label, (at[0], LINES[1]), SIZE)
