"""Place the plates on the floor: plates don't overlap, and spacers don't collide with sensors or lamps. Lengths are
millimetres.

Spacers on two opposite corners of each plate support the carrier. The screws of the other two corners hold plate and
board to the floor, so that the floor comes off with everything on it. A post is one more spacer, at a corner of the
board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, dist, hypot, pi, sin

from msgspec import Struct

from engine.graph.fault import MapError
from maker.kit import heights
from maker.kit.choices import Choices, Sensor
from maker.kit.holes import Holes, Place

CHIP_PLATE = (70.0, 50.0)
"""The chip board, or a stripboard of 24 by 18 holes with room at its edges."""
MAIN_PLATE = (100.0, 80.0)
"""A stripboard of 100 by 80 mm for Pico and level shifter."""
POST = (12.0, 12.0)
"""The space that a post needs on the floor."""
SCREW = 3.2
"""A hole for M3, 5 mm from both edges of a plate's corner."""
SCREW_IN = 5.0
SPACER = 6.4
"""Width across the corners of a hexagonal spacer with 5.5 mm across flats."""
SENSOR: dict[Sensor, float] = {"reed": 6.0, "hall": 8.0}
"""Width of a sensor with its legs, seen from above."""
STRIP_WIDE = 10.0
"""Width of a usual lamp strip without its sleeve."""
GAP = 5.0
"""Gap between plates on a sheet."""
SHEET_WIDE = 600.0
"""Maximum width of the plates' sheet: the bed of a usual laser."""
STEP, REACH = 3.0, 150.0
"""Step and range of the search for another position around the wanted one."""


class Plate(Struct, frozen=True):
    """A plate by its middle, as it lies on the floor."""

    name: str
    at: Place
    size: Place = CHIP_PLATE

    @property
    def screws(self) -> tuple[Place, ...]:
        if self.size == POST:
            return (self.at,)
        wide, high = self.size[0] / 2 - SCREW_IN, self.size[1] / 2 - SCREW_IN
        return tuple((self.at[0] + x, self.at[1] + y) for y in (-high, high) for x in (-wide, wide))

    @property
    def spacers(self) -> tuple[Place, ...]:
        """Return the corners on which spacers stand: upper left and lower right."""
        return self.screws[::3]


def free_place(target: Plate, board: Place, taken: Sequence[Plate], holes: Sequence[Holes], choices: Choices) -> Plate:
    """Return the plate at the free place nearest to the wanted one, or at the wanted one if there is none."""
    for at in _around(target, board):
        plate = Plate(target.name, at, target.size)
        if next(_collisions(plate, taken, holes, choices), None) is None:
            return plate
    return target


def free_places(
    targets: Sequence[Plate], board: Place, taken: Sequence[Plate], holes: Sequence[Holes], choices: Choices
) -> list[Plate]:
    """Return all plates at free places, or the last ones at their wanted places if there is no room.

    On a small board, a plate can be left without room by those placed before it. Then it is placed first.
    """
    order, tried = [*targets], list[str]()
    while True:
        placed = list[Plate]()
        for target in order:
            placed.append(free_place(target, board, [*taken, *placed], holes, choices))
            if any(_collisions(placed[-1], [*taken, *placed[:-1]], holes, choices)) and target.name not in tried:
                order = [target, *(it for it in order if it is not target)]
                tried.append(target.name)
                break
        else:
            return sorted(placed, key=lambda plate: [it.name for it in targets].index(plate.name))


def _around(plate: Plate, board: Place) -> Iterator[Place]:
    (x, y), (wide, high) = plate.at, plate.size
    yield plate.at
    for ring in range(1, int(REACH / STEP) + 1):
        for turn in range(6 * ring):
            angle = 2 * pi * turn / (6 * ring)
            at = (round(x + STEP * ring * cos(angle), 1), round(y + STEP * ring * sin(angle), 1))
            if wide / 2 <= at[0] <= board[0] - wide / 2 and high / 2 <= at[1] <= board[1] - high / 2:
                yield at


def require_fit(slug: str, plates: Sequence[Plate], holes: Sequence[Holes], choices: Choices) -> None:
    """Raise `MapError` naming all parts that collide."""
    faults = [
        fault for number, plate in enumerate(plates) for fault in _collisions(plate, plates[:number], holes, choices)
    ]
    if faults:
        remedy = (
            "Draw the spaces there farther apart (in a grid of the builder: a larger side), list one as manual in "
            "wiring.toml, or leave out the lamps with --lamps none."
        )
        raise MapError(slug, [f"{fault} {remedy}" for fault in faults])


def _collisions(plate: Plate, others: Sequence[Plate], holes: Sequence[Holes], choices: Choices) -> Iterator[str]:
    for other in others:
        if all(abs(plate.at[i] - other.at[i]) < (plate.size[i] + other.size[i]) / 2 for i in (0, 1)):
            yield f"The plates of {plate.name} and {other.name} overlap."
    for hole in holes:
        # Skip holes that are far away, which nearly all are.
        if max(abs(hole.spot[i] - plate.at[i]) - plate.size[i] / 2 for i in (0, 1)) < 60:
            yield from _space_collisions(plate, hole, choices)


def _space_collisions(plate: Plate, hole: Holes, choices: Choices) -> Iterator[str]:
    """Yield a sentence for each collision of a plate's parts and spacers with a space's sensor and lamp."""
    room = heights.clearance_above(choices)
    sensor = hole.spot if hole.sensor is not None else None
    for what, place, need in (("sensor", sensor, heights.HANGS[choices.sensor]), ("lamp", hole.window, heights.LAMP)):
        if place and room < need and all(abs(place[i] - plate.at[i]) < plate.size[i] / 2 for i in (0, 1)):
            fits = f"reaches {need:g} mm below the carrier, and the parts of {plate.name} leave {room:.1f} mm"
            yield f"{hole.space}: its {what} {fits}."
    for spacer in plate.spacers:
        if sensor is not None and dist(spacer, sensor) < (SPACER + SENSOR[choices.sensor]) / 2:
            yield f"{hole.space}: a spacer of {plate.name} goes through its sensor."
        if hole.window is not None and _off_strip(spacer, hole, choices) < (SPACER + STRIP_WIDE) / 2:
            yield f"{hole.space}: a spacer of {plate.name} goes through its lamp."


def _off_strip(place: Place, hole: Holes, choices: Choices) -> float:
    """Return the distance to the middle line of a lamp's piece of strip, which lies across the line to its sensor."""
    assert hole.window is not None
    (x, y), (to_x, to_y) = hole.window, (hole.window[0] - hole.spot[0], hole.window[1] - hole.spot[1])
    far = hypot(to_x, to_y) or 1.0
    across, along = (-to_y / far, to_x / far), choices.pitch / 2
    step = (place[0] - x) * across[0] + (place[1] - y) * across[1]
    step = max(-along, min(along, step))
    return dist(place, (x + step * across[0], y + step * across[1]))


def nested_corners(count: int) -> list[Place]:
    """Return the corners of this many chip plates on their sheet, below the main plate."""
    columns = int((SHEET_WIDE + GAP) // (CHIP_PLATE[0] + GAP))
    return [
        (number % columns * (CHIP_PLATE[0] + GAP), MAIN_PLATE[1] + GAP + number // columns * (CHIP_PLATE[1] + GAP))
        for number in range(count)
    ]


def plates_sheet(count: int) -> Place:
    """Return the width and height of the sheet for the main plate and this many chip plates."""
    corners = nested_corners(count)
    wide = max([MAIN_PLATE[0], *(x + CHIP_PLATE[0] for x, _ in corners)])
    return (wide, max([MAIN_PLATE[1], *(y + CHIP_PLATE[1] for _, y in corners)]))
