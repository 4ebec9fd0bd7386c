"""Positions of the carrier's holes: each space's sensor at its spot, and its lamp next to it.

A lamp lies under the ring that holds the miniature, so that the ring glows and the miniature does not cover the light.
Its direction is the one with the most room to the space's outline, to other spaces' holes and to the words of the map.
A drawing can set its place with `lamp`, a property of a space like `spot`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import cos, dist, pi, sin, sqrt

from msgspec import Struct

from engine.graph.fault import MapError
from engine.graph.labels import text_width
from engine.graph.model import Map, Point, Space
from engine.graph.plane import clearance_squared, point_in_ring
from engine.graph.svg import NUMBER, draw
from firmware_host.board.wiring import Wiring
from maker.kit.choices import LAMP_HOLE, SENSOR_HOLE, Choices

LAMP_OFF = 15.0
"""Millimetres from a sensor to its lamp: the mean radius of a ring with 26 mm inner and 34 mm outer diameter."""
OFFS = (15.0, 14.0, 16.0, 13.0, 17.0, 12.0, 18.0, 11.0, 19.0, 20.0)
"""Distances to try, in this order."""
TURNS = 24
"""Directions to try."""
WEB = 2.0
"""Minimum millimetres of carrier between two holes, or between a hole and the space's outline."""
OFF_WORDS = 1.5
"""Sufficient millimetres between a lamp and a word; more room is not preferred."""
TEXT = re.compile(r'<text class="([^"]*)" x="([-\d.]+)" y="([-\d.]+)" font-size="([\d.]+)">([^<]*)</text>')

Place = tuple[float, float]
"""Millimetres, x to the right, y down, from the board's top left corner, seen from above."""
Box = tuple[float, float, float, float]


class Holes(Struct, frozen=True):
    """The two holes of a space with the numbers of its sensor and lamp; None if it has no such part."""

    space: str
    sensor: int | None
    lamp: int | None
    spot: Place
    window: Place | None


def drill_holes(board: Map, wiring: Wiring, choices: Choices) -> list[Holes]:
    """Return the holes of all spaces with a sensor or lamp. Raises `MapError` naming the spaces without room."""
    sensors = {space: number for number, space in enumerate(wiring.sensors) if space and space not in wiring.manual}
    lamps = {space: number for number, space in enumerate(wiring.lamps) if space} if choices.lamps != "none" else {}
    # Sensors are fixed at the spots; each lamp must keep its distance from them and from the lamps placed before.
    words = board.derived(_words) if lamps else []
    taken = [(_mm(board.spaces[name].spot), SENSOR_HOLE[choices.sensor] / 2) for name in sensors]
    faults: list[str] = []
    holes: list[Holes] = []
    for name in board.enterable:
        space = board.spaces[name]
        window = None
        if name in lamps:
            try:
                window = _lamp(space, taken, words, SENSOR_HOLE[choices.sensor] / 2)
                taken.append((window, LAMP_HOLE / 2))
            except MapError as error:
                faults += error.faults
        if name in sensors or name in lamps:
            holes.append(Holes(name, sensors.get(name), lamps.get(name), _mm(space.spot), window))
    if faults:
        raise MapError(board.slug, faults)
    return holes


def _lamp(space: Space, taken: Sequence[tuple[Place, float]], words: Sequence[Box], sensor: float) -> Place:
    """Return the place of a space's lamp. Raises `MapError`."""
    if "lamp" in space.properties:
        return _drawn_place(space, taken)
    spot = _mm(space.spot)
    # Try the next distance only if no direction has room at the previous one.
    for off in OFFS:
        places = [
            (round(spot[0] + off * cos(2 * pi * turn / TURNS), 1), round(spot[1] + off * sin(2 * pi * turn / TURNS), 1))
            for turn in range(TURNS)
        ]
        rooms = [(_clearance(space, place, taken), place) for place in places]
        # Until the distance to the nearest word is sufficient, a millimetre of it counts like ten to the outline.
        roomy = [
            (room + min(_word_distance(words, place), OFF_WORDS) * 10, place) for room, place in rooms if room >= WEB
        ]
        if roomy:
            return max(roomy)[1]
    raise MapError(
        space.id,
        [
            f"{space.id}: there is no room for two holes: the lamp's, {LAMP_HOLE:g} mm wide, must keep {WEB:g} mm from "
            "the space's outline and from other holes. Make the space larger, draw the map in its real size in tenths "
            "of a millimetre, or build without lamps (--lamps none)."
        ],
    )


def _drawn_place(space: Space, taken: Sequence[tuple[Place, float]]) -> Place:
    """Return the position of a lamp that is set in the drawing. Raises `MapError`."""
    drawn = space.properties["lamp"]
    if not isinstance(drawn, list | tuple) or len(drawn) != 2 or not all(type(part) is int for part in drawn):
        raise MapError(
            space.id, [f"{space.id}: lamp {drawn!r} is not a place. Write [x, y] in tenths of a millimetre, like spot."]
        )
    place = _mm((drawn[0], drawn[1]))
    if _clearance(space, place, taken) < 0:
        remedy = f"Move it, or leave out lamp: a place {LAMP_OFF:g} mm from the spot is then found."
        raise MapError(
            space.id, [f"{space.id}: its lamp's hole at {list(drawn)} touches the outline or another hole. {remedy}"]
        )
    return place


def _clearance(space: Space, place: Place, taken: Sequence[tuple[Place, float]]) -> float:
    """Return the millimetres between a lamp's hole and its nearest neighbour; negative if they overlap."""
    point = (round(place[0] * 10), round(place[1] * 10))
    if not point_in_ring(space.outline, point):
        return -1.0
    edge = sqrt(clearance_squared(space.outline, point)) / 10
    return min([edge, *(dist(place, other) - radius for other, radius in taken)]) - LAMP_HOLE / 2


def _word_distance(words: Sequence[Box], place: Place) -> float:
    x, y = place
    away = (
        dist((x, y), (min(max(x, left), right), min(max(y, top), low)))
        for left, top, right, low in words
        if left - 20 < x < right + 20 and top - 20 < y < low + 20
    )
    return min(away, default=99.0) - LAMP_HOLE / 2


def _words(board: Map) -> list[Box]:
    """Return the boxes of all words on the printed map. A number's box includes its plate."""
    boxes: list[Box] = []
    for kind, x, y, size, text in TEXT.findall(draw(board)):
        # Half the width, in millimetres.
        half, high = text_width(text, float(size)) / 20, float(size) / 10
        if kind == NUMBER:
            half, high = max(half, high), 1.6 * high
        # A text's position is its baseline; most of a letter is above it.
        across, down = float(x) / 10, float(y) / 10
        boxes.append((across - half, down - 0.8 * high, across + half, down + 0.2 * high))
    return boxes


def _mm(point: Point) -> Place:
    return (point[0] / 10, point[1] / 10)
