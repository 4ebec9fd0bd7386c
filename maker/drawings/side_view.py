"""Drawings of what lies above what, from the side, with the heights of `maker/kit/heights.py`."""

from __future__ import annotations

from typing import NamedTuple

from maker.drawings.canvas import INK, SOFT, Canvas
from maker.kit import heights
from maker.kit.choices import LAMP_HOLE, RING, SENSOR_HOLE, Choices, Sensor
from maker.kit.holes import LAMP_OFF

SCALE = 9.0
"""Units of a drawing for a millimetre."""
SHEET, WOOD, GREEN, STEEL, DARK, GLASS = "#f5d9a8", "#d9b98a", "#cfe3cf", "#b7bec2", "#4a5560", "#dff1f7"
REED_WIDE, TO_92 = 2.5, (4.0, 1.52)
MAGNET, BASE, BASE_HIGH = (10.0, 3.0), 25.0, 3.5
RING_HIGH = 3.0


class Levels(NamedTuple):
    """Heights above the table in millimetres, from below."""

    floor: float
    plate: float
    board: float
    spacer: float
    carrier: float
    map: float

    @classmethod
    def of(cls, choices: Choices) -> Levels:
        """Return the heights at which each layer ends."""
        plate = heights.FLOOR + heights.PLATE
        board = plate + heights.spacer_base(choices)
        spacer = board + heights.spacer_length(choices)
        carrier = spacer + heights.CARRIER
        return cls(heights.FLOOR, plate, board, spacer, carrier, carrier + heights.PRINT)


class Side:
    """A canvas with millimetres: x to the right from the sensor, y upwards from the table."""

    def __init__(self, sheet: Canvas, middle: float, bottom: float) -> None:
        self.sheet, self.middle, self.bottom = sheet, middle, bottom

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the place on the canvas."""
        return (self.middle + SCALE * x, self.bottom - SCALE * y)

    def block(self, left: float, right: float, low: float, high: float, fill: str, edge: str = SOFT) -> None:
        """Draw a part between two heights."""
        x, y = self.at(left, high)
        self.sheet.box(x, y, SCALE * (right - left), SCALE * (high - low), fill, edge, 1)

    def word(self, x: float, y: float, text: str, anchor: str = "middle", fill: str = INK) -> None:
        """Write a word, centred on a place."""
        self.sheet.say(*self.at(x, y), text, anchor, 13, fill)

    def leg(self, *places: tuple[float, float]) -> None:
        """Draw a leg or wire through places."""
        self.sheet.stroke("M " + " L ".join("{:g} {:g}".format(*self.at(*place)) for place in places), INK, 2)

    def measure(self, x: float, low: float, high: float, text: str, right: bool = False) -> None:
        """Draw a vertical dimension with its text to the left or right."""
        (x1, y1), (_, y2) = self.at(x, low), self.at(x, high)
        self.sheet.stroke(f"M {x1:g} {y1:g} V {y2:g} M {x1 - 5:g} {y1:g} h 10 M {x1 - 5:g} {y2:g} h 10", SOFT, 1.3)
        self.sheet.say(x1 + (8 if right else -8), (y1 + y2) / 2, text, "start" if right else "end", 13, bold=True)


def draw_stack() -> Canvas:
    """Draw a cut through one space with a reed above a chip board, to scale."""
    choices = Choices()
    levels = Levels.of(choices)
    sheet = Canvas("A cut through one space, to scale", SCALE * (levels.map + 16) + 130)
    side = Side(sheet, 400, SCALE * (levels.map + 16) + 50)
    _draw_layers(side, levels, -33, 34)
    _draw_board(side, levels, choices)
    _draw_above(side, levels)
    _draw_sensor(side, levels, choices.sensor)
    _draw_strip(side, levels)
    side.measure(-34, levels.floor, levels.spacer, f"air {heights.floor_gap(choices):g} mm")
    side.measure(-23.5, levels.board, levels.spacer, f"spacer {heights.spacer_length(choices)} mm", right=True)
    low = levels.spacer - heights.HANGS[choices.sensor]
    side.measure(-4, low, levels.spacer, f"reed {heights.HANGS[choices.sensor]:g} mm")
    for text, high in (
        (f"floor, {heights.FLOOR:g} mm", levels.floor / 2),
        (f"plate, {heights.PLATE:g} mm", (levels.floor + levels.plate) / 2),
        (f"nut {heights.NUT:g} mm, board {heights.BOARD:g} mm", levels.board - 1),
        (f"lamp on its strip, {heights.LAMP:g} mm", levels.spacer - 2.5),
        (f"carrier, {heights.CARRIER:g} mm", levels.carrier - 1.5),
        (f"printed map, {heights.PRINT:g} mm", levels.map + 0.6),
        (f"ring, {RING_HIGH:g} mm", levels.map + 2.6),
    ):
        side.word(35.5, high, text, "start")
    side.word(0, -2, f"base {BASE:g} mm, ring {RING[0]:g} mm inside")
    side.word(0, -4, f"lamp {LAMP_OFF:g} mm off the middle, under the ring")
    return sheet


def draw_sensors() -> Canvas:
    """Draw how a reed and a Hall switch sit under the carrier."""
    reed = Levels.of(Choices())
    sheet = Canvas("How a sensor sits", 460)
    for sensor, middle, title in (("reed", 250, "Reed: upright in its hole"), ("hall", 750, "Hall switch: flat")):
        side = Side(sheet, middle, SCALE * reed.map + 150)
        sheet.say(middle, 64, title, "middle", 15, bold=True)
        side.block(-22, 22, reed.spacer, reed.carrier, WOOD)
        side.block(-22, 22, reed.carrier, reed.map, SHEET)
        _draw_sensor(side, reed, "reed" if sensor == "reed" else "hall")
    sheet.lines(
        60,
        400,
        [
            f"Hole {SENSOR_HOLE['reed']:g} mm. The upper leg is bent back inside the hole.",
            f"Bend {heights.BEND:g} mm or more from the glass. Its lower end is {heights.HANGS['reed']:g} mm deep.",
        ],
    )
    sheet.lines(
        560,
        400,
        [
            f"Glued over a mark of {SENSOR_HOLE['hall']:g} mm, a broad face up to the magnet.",
            f"Legs straight, wires away to the side: {heights.HANGS['hall']:g} mm deep.",
        ],
    )
    return sheet


def _draw_layers(side: Side, levels: Levels, left: float, right: float) -> None:
    side.block(left, right, 0, levels.floor, WOOD)
    side.block(left + 3, right - 3, levels.floor, levels.plate, GLASS)
    side.block(left, right, levels.spacer, levels.carrier, WOOD)
    side.block(left, right, levels.carrier, levels.map, SHEET)


def _draw_board(side: Side, levels: Levels, choices: Choices) -> None:
    """Draw a chip board on its nuts, with one spacer and its screws."""
    for x in (-28, 28):
        side.block(x - 2.75, x + 2.75, levels.plate, levels.plate + heights.NUT, STEEL)
    side.block(-31, 31, levels.board - heights.BOARD, levels.board, GREEN)
    side.block(-30.75, -25.25, levels.board, levels.spacer, STEEL)
    reach = heights.screw_length(choices)
    for x, low, high in ((-28, 0, reach), (-28, levels.carrier - 6, levels.carrier), (28, 0, reach)):
        side.block(x - 1.5, x + 1.5, low, high, DARK, DARK)
    side.block(25.25, 30.75, levels.board, levels.board + heights.NUT, STEEL)
    side.block(-12, 8, levels.board, levels.board + heights.DIP, DARK, INK)
    side.block(13, 22, levels.board, levels.board + heights.PLUG, STEEL, INK)
    side.word(-2, levels.board + heights.DIP / 2, f"chip in its socket {heights.DIP:g} mm", fill="#ffffff")
    for line, text in enumerate(("plug and", "ribbon", f"{heights.PLUG:g} mm")):
        side.word(17.5, levels.board + heights.PLUG / 2 + 2 - 2 * line, text)


def _draw_above(side: Side, levels: Levels) -> None:
    """Draw the ring, and a miniature's base with its magnet."""
    inside, outside = RING[0] / 2, RING[1] / 2
    for x in (-outside, inside):
        side.block(x, x + outside - inside, levels.map, levels.map + RING_HIGH, GLASS)
    side.block(-BASE / 2, BASE / 2, levels.map, levels.map + BASE_HIGH, "#9aa3a8", INK)
    side.block(-MAGNET[0] / 2, MAGNET[0] / 2, levels.map, levels.map + MAGNET[1], "#dfe3e6", INK)
    side.word(0, levels.map + MAGNET[1] / 2, "magnet")


def _draw_sensor(side: Side, levels: Levels, sensor: Sensor) -> None:
    hole = SENSOR_HOLE[sensor] / 2
    side.block(-hole, hole, levels.spacer, levels.carrier, "#ffffff")
    if sensor == "reed":
        high = levels.spacer - heights.GLASS_IN
        low, bend = high - heights.GLASS, high + heights.BEND
        end = low - heights.BEND
        side.block(-REED_WIDE / 2, REED_WIDE / 2, low, high, GLASS, INK)
        side.leg((0, high - 5.5), (0, bend), (1.4, bend), (1.6, high), (1.6, end), (8, end))
        side.leg((-0.4, low + 5.5), (0, low), (0, end), (-8, end))
    else:
        low = levels.spacer - TO_92[1]
        side.block(-TO_92[0] / 2, TO_92[0] / 2, low, levels.spacer, DARK, INK)
        middle = low + TO_92[1] / 2
        side.leg((TO_92[0] / 2, middle), (12, middle))
        side.leg((12, middle), (14, levels.spacer - heights.HANGS["hall"]), (20, levels.spacer - heights.HANGS["hall"]))


def _draw_strip(side: Side, levels: Levels) -> None:
    """Draw a lamp under its hole, with its piece of strip seen from its end."""
    side.block(LAMP_OFF - LAMP_HOLE / 2, LAMP_OFF + LAMP_HOLE / 2, levels.spacer, levels.carrier, "#fff3c4")
    side.block(LAMP_OFF - 2.5, LAMP_OFF + 2.5, levels.spacer - 1.6, levels.spacer, "#f4c95d", INK)
    side.block(LAMP_OFF - 5, LAMP_OFF + 5, levels.spacer - 2.1, levels.spacer - 1.6, "#ffffff", INK)
    for x in (-4, 4):
        side.leg((LAMP_OFF + x, levels.spacer - 2.1), (LAMP_OFF + 1.4 * x, levels.spacer - heights.LAMP))
