"""Place text on a map: near a space's ring, inside its outline, without overlap."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import cos, hypot, radians, sin

from engine.graph.model import Point
from engine.graph.plane import Ring, edges, point_in_ring

Place = tuple[float, float]
Box = tuple[float, float, float, float]  # Left, top, right, bottom

# Minimum distances in map units: from a text to the outline (less in a small space), to another text, and to the ring.
MARGIN = 30.0
TIGHT = 14.0
BETWEEN = 16.0
GAP = 16.0
NARROW = re.compile("[iljtfr .,'!]")
# Directions in degrees, the preferred ones first. The y axis points down, so -90 is above.
ABOVE_FIRST = (-90, -60, -120, 90, -45, -135, -30, -150, 60, 120, 0, 180, 45, 135, 30, 150)
BESIDE_FIRST = (0, 180, -35, 145, 35, -145, -90, 90, -60, -120, 60, 120)


class FreeArea:
    """The free area of one space around its ring."""

    def __init__(self, ring: Ring, spot: Point, reach: float, taken: Sequence[Box] = ()) -> None:
        self.edges = edges(ring)
        self.ring = ring
        self.spot = spot
        self.reach = reach
        xs, ys = zip(*ring, strict=True)
        around_all = (min(xs), min(ys), max(xs), max(ys))
        # A free box lies within the outline, so only lines and texts that reach into it matter.
        self.taken = [box for box in taken if _meet(box, around_all)]

    def place(self, width: float, height: float, directions: Sequence[int], furthest: int = 4) -> Place | None:
        """Return the centre of the nearest free box of that size, and reserve it. None if none fits."""
        gaps = [GAP + 45 * steps for steps in range(furthest)]
        return self._fit(width, height, directions, gaps, MARGIN, BETWEEN)

    def place_tightly(self, width: float, height: float, directions: Sequence[int]) -> Place | None:
        """Do the same as `place` in a small space: the box may overlap the ring's edge and come near the outline."""
        return self._fit(width, height, directions, (-30, -60, -90), TIGHT, 0)

    def _fit(
        self,
        width: float,
        height: float,
        directions: Sequence[int],
        gaps: Sequence[float],
        margin: float,
        between: float,
    ) -> Place | None:
        for gap in gaps:
            for direction in directions:
                across, down = _beside(width / 2, height / 2, direction, self.reach + gap)
                middle = (self.spot[0] + across, self.spot[1] + down)
                box = _box(middle, width, height)
                if self._free(box, margin):
                    # With a margin, so that no other text comes too close.
                    self.taken.append(_wider(box, between))
                    return middle
        return None

    def _free(self, box: Box, margin: float) -> bool:
        if any(_meet(box, other) for other in self.taken):
            return False
        # A box whose edges cross nothing lies wholly inside or outside, so one point of it is enough to know which.
        middle = (round(box[0] + box[2]) // 2, round(box[1] + box[3]) // 2)
        wide = _wider(box, margin)
        return point_in_ring(self.ring, middle) and not any(_cuts(a, b, wide) for a, b in self.edges)


@lru_cache(maxsize=4096)  # Most labels have one of a few sizes, so the result is cached.
def _beside(half_width: float, half_height: float, direction: float, clear: float) -> Place:
    """Return the centre of a box in the given direction in degrees, `clear` away from the origin."""
    along, down = cos(radians(direction)), sin(radians(direction))
    far = clear
    # Move outwards until the box's nearest point clears the ring.
    while hypot(max(abs(far * along) - half_width, 0), max(abs(far * down) - half_height, 0)) < clear:
        far += 6
    return (far * along, far * down)


def _box(middle: Place, width: float, height: float) -> Box:
    return (middle[0] - width / 2, middle[1] - height / 2, middle[0] + width / 2, middle[1] + height / 2)


def _wider(box: Box, by: float) -> Box:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def box_around(place: Place, reach: float) -> Box:
    return _box(place, 2 * reach, 2 * reach)


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _cuts(a: Point, b: Point, box: Box) -> bool:
    # Clip the segment to the box, axis by axis (Liang-Barsky). `start` and `end` bound the part that is left.
    start, end = 0.0, 1.0
    for axis in (0, 1):
        step = b[axis] - a[axis]
        low, high = box[axis] - a[axis], box[axis + 2] - a[axis]
        if step == 0:
            if low > 0 or high < 0:
                return False
            continue
        first, last = sorted((low / step, high / step))
        start, end = max(start, first), min(end, last)
        if start > end:
            return False
    return True


def text_width(text: str, size: float) -> float:
    """Return the approximate width of a text."""
    # The viewer's font is unknown, so letters count as narrow, wide or average.
    return size * sum(0.38 if NARROW.match(letter) else 0.94 if letter in "mwMW@" else 0.66 for letter in text)


def line_breaks(text: str) -> Iterator[list[str]]:
    """Yield a text in one line, then in two of about equal length."""
    yield [text]
    blanks = [i for i, letter in enumerate(text) if letter == " "]
    if blanks:
        middle = min(blanks, key=lambda i: abs(2 * i - len(text)))
        yield [text[:middle], text[middle + 1 :]]
