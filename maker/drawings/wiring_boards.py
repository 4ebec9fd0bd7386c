"""Drawings of the layers of a board, and of boards wired directly to a Raspberry Pi."""

from __future__ import annotations

from maker.drawings import soldered
from maker.drawings.canvas import Canvas
from maker.drawings.soldered import PI_HEADER, PI_PINS, option
from maker.kit.holes import LAMP_OFF

LAYERS = (
    ("Ring, 2 mm clear acrylic: centres and glows", 2.0, "#dff1f7"),
    ("Printed map, 0.5 mm, under a matt film", 0.6, "#f5d9a8"),
    ("Carrier, 3 mm plywood or acrylic, drilled", 3.0, "#d9b98a"),
    ("Sensors and lamps, glued from below", 2.8, "#e4efe4"),
    ("Air, 20 mm, for wires and chips", 2.6, "#fbfaf6"),
    ("Floor, 4 mm plywood, screwed on", 1.8, "#d9b98a"),
)
"""The layers from top to bottom: text, height as drawn (air and floor are really higher), colour."""
MM = 17.0
"""Units per millimetre."""
MIDDLE = 318.0
BASE, MAGNET, RING = 25.0, (10.0, 3.0), 4.0
"""Millimetres: the miniature's base, its magnet, the ring's breadth."""


def stack() -> Canvas:
    """Draw a cross-section of one space, from the miniature to the floor."""
    sheet = Canvas("A cut through one space", 700)
    sheet.heading()
    top = 364.0
    edges = [top]
    for _, high, _ in LAYERS:
        edges.append(edges[-1] + high * MM)
    for (_, high, fill), y in zip(LAYERS[1:], edges[1:], strict=False):
        sheet.box(24, y, 620, high * MM, fill, "#8a8f94", 0)
    inner = BASE / 2 + 0.5
    for side in (-1, 1):
        left = min(side * inner, side * (inner + RING))
        sheet.box(MIDDLE + left * MM, top, RING * MM, LAYERS[0][1] * MM, LAYERS[0][2], "#3a7f9a", 2)
    _below(sheet, edges[2], edges[3])
    _miniature(sheet, edges[1])
    _layer_words(sheet, edges)
    _measures(sheet, edges)
    return sheet


def _below(sheet: Canvas, carrier: float, below: float) -> None:
    """Draw the lamp's hole through the carrier, lamp and sensor."""
    lamp = MIDDLE + LAMP_OFF * MM
    hole = [(lamp - 36, carrier), (lamp + 36, carrier), (lamp + 50, below), (lamp - 50, below)]
    sheet.shape(hole, "#fff3c4", "#c9a94a")
    sheet.box(lamp - 44, below + 3, 88, 24, "#ffffff", "#444")
    sheet.disc(lamp, below + 14, 9, "#f4c95d")
    sheet.say(lamp, below + 40, "lamp", "middle", 13)
    sheet.box(MIDDLE - 34, below + 3, 68, 20, "#4a5560", "#1d2329", 3)
    sheet.say(MIDDLE, below + 38, "sensor", "middle", 13)


def _miniature(sheet: Canvas, floor: float) -> None:
    half = BASE / 2 * MM
    base = [(-half, 0), (12 - half, -58), (half - 12, -58), (half, 0)]
    body = [(-66, -58), (-50, -140), (-78, -176), (-46, -220), (0, -234), (46, -220), (78, -176), (50, -140), (66, -58)]
    for outline, fill in ((base, "#9aa3a8"), (body, "#b7bec2")):
        sheet.shape([(MIDDLE + x, floor + y) for x, y in outline], fill)
    sheet.disc(MIDDLE, floor - 252, 27, "#b7bec2")
    sheet.box(MIDDLE - MAGNET[0] / 2 * MM, floor - MAGNET[1] * MM - 2, MAGNET[0] * MM, MAGNET[1] * MM, "#dfe3e6", rx=2)
    sheet.say(MIDDLE, floor - 30, f"magnet {MAGNET[0]:g} × {MAGNET[1]:g}", "middle", 14, bold=True)


def _layer_words(sheet: Canvas, edges: list[float]) -> None:
    ring = MIDDLE + (BASE / 2 + 0.5 + RING) * MM - 4
    rows = (372, 416, 460, 512, 560, 606)
    for number, ((words, high, _), row) in enumerate(zip(LAYERS, rows, strict=True)):
        start = ring if number == 0 else 640
        sheet.pointer((694, row), (674, row), (start, edges[number] + high * MM / 2))
        name, _, more = words.partition(", ")
        sheet.say(700, row - 8, name, bold=True)
        sheet.say(700, row + 9, more, size=13, fill="#5c6670")


def _measures(sheet: Canvas, edges: list[float]) -> None:
    """Draw the distance from the magnet to the sensor, and the widths."""
    x, sensor = MIDDLE - 62, edges[3] + 4
    sheet.arrow((x, edges[1]), (x, sensor))
    sheet.say(x - 8, (edges[2] + edges[3]) / 2, "4 to 6 mm", "end", 14, bold=True)
    half, y = BASE / 2 * MM, edges[-1] + 26
    for from_x, to_x, words in (
        (MIDDLE - half, MIDDLE + half, f"base {BASE:g} mm, ring {BASE + 1:g} mm inside"),
        (MIDDLE, MIDDLE + LAMP_OFF * MM, f"lamp {LAMP_OFF:g} mm off the middle, under the ring"),
    ):
        sheet.arrow((from_x, y), (to_x, y))
        sheet.say((from_x + to_x) / 2, y + 16, words, "middle", 13)
        y += 44


# --- straight on a Raspberry Pi -----------------------------------------------------------------------------------

LAMPS_WITH_CHAIN = 18
"""The GPIO of the lamps with shift registers, which use SPI port 0 and with it the strip's usual pin."""


def pi_wires() -> dict[int, tuple[str, str]]:
    """Return the wires at the header for shift registers and strip: pin -> net and where the wire leads."""
    port = soldered.spi_port(option("shift_register", "port"))
    wires = {
        PI_PINS[port["clock"]]: ("clock", "CLOCK of the chain"),
        PI_PINS[port["miso"]]: ("data", "DATA from the chain (QH of chip 0)"),
        PI_PINS[port["mosi"]]: ("data", "SER of the last chip: the proof"),
        PI_PINS[option("shift_register", "load_pin")]: ("load", "LOAD of the chain"),
        PI_PINS[LAMPS_WITH_CHAIN]: ("data", "DATA to the lamps, 74AHCT125 (Pi 5)"),
        1: ("3V3", "3.3 V of the chain"),
        6: ("ground", "GND of the lamps' supply"),
        39: ("ground", "GND of the chain"),
    }
    for name in ("confirm", "undo", "next"):
        wires[PI_PINS[option("buttons", name)]] = ("sensor", f"button “{name}”, to ground")
    wires[PI_PINS[option("buzzer", "pin")]] = ("sensor", "buzzer, to ground")
    return wires


def pi() -> Canvas:
    """Draw shift registers, strip, buttons and buzzer on the header of a Raspberry Pi."""
    sheet = Canvas("Straight on a Raspberry Pi: shift registers and strip", 780)
    _header(sheet, pi_wires())
    sheet.legend(24, 62, ("3V3", "ground", "data", "clock", "load", "sensor"))
    return sheet


def matrix_wires() -> dict[int, tuple[str, str]]:
    """Return the wires at the header for the matrix: pin -> net and its row or column."""
    rows = {PI_PINS[gpio]: ("load", f"row {n}") for n, gpio in enumerate(option("reed_matrix", "rows"))}
    columns = {PI_PINS[gpio]: ("clock", f"column {n}") for n, gpio in enumerate(option("reed_matrix", "columns"))}
    return {**rows, **columns}


def matrix() -> Canvas:
    """Draw the reed matrix on the header of a Raspberry Pi, with one corner of it enlarged."""
    sheet = Canvas("A reed matrix on a Raspberry Pi", 780)
    _header(sheet, matrix_wires(), middle=300, reach=30)
    for net, x, words in (("load", 24, "rows"), ("clock", 110, "columns")):
        sheet.wire(net, (x, 62), (x + 26, 62))
        sheet.say(x + 33, 62, words, size=13)
    _corner(sheet, 620, 170)
    return sheet


def _header(sheet: Canvas, wires: dict[int, tuple[str, str]], middle: float = 500, reach: float = 60) -> None:
    """Draw the 40 pins, seen from above with the board's edge on the right, and their wires."""
    sheet.heading()
    top, pitch = 118, 32
    sheet.box(middle - 98, top - 26, 196, 20 * pitch + 20, "#e4efe4")
    for pin, word in enumerate(PI_HEADER, 1):
        left = pin % 2 == 1
        side = -1 if left else 1
        x, y = middle + 18 * side, top + pitch * ((pin - 1) // 2)
        net, text = wires.get(pin, (None, ""))
        name = f"GPIO{word}" if word.isdigit() else {"3V3": "3.3 V", "5V": "5 V"}.get(word, word)
        if net is not None:
            end = middle + (98 + reach) * side
            sheet.wire(net, (middle + 98 * side, y), (end, y))
            sheet.tag(end, y, net, text, "left" if left else "right")
        sheet.pad(x, y, str(pin), net)
        anchor = "end" if left else "start"
        sheet.say(x + 17 * side, y, name, anchor, 13, "#1d2329" if net else "#8b949c", net is not None)


def _corner(sheet: Canvas, left: float, top: float) -> None:
    """Draw two rows and two columns with their contacts and diodes."""
    sheet.say(left, top - 40, "One corner of it", size=16, bold=True)
    columns, rows = (left + 110, left + 260), (top + 190, top + 390)
    for number, x in enumerate(columns):
        sheet.wire("clock", (x, top + 14), (x, top + 430))
        sheet.say(x, top - 4, f"column {number}", "middle", 13, bold=True)
    for number, y in enumerate(rows):
        sheet.wire("load", (left + 52, y), (left + 350, y))
        sheet.say(left + 44, y, f"row {number}", "end", 13, bold=True)
    for row, y in enumerate(rows):
        for column, x in enumerate(columns):
            _crossing(sheet, x, y, row * len(option("reed_matrix", "columns")) + column)
    sheet.lines(
        left,
        top + 470,
        [
            "At each crossing a reed in series with a 1N4148,",
            "its ring (the cathode) to the row. Without the diode",
            "three closed corners of a rectangle close the fourth.",
        ],
    )


def _crossing(sheet: Canvas, x: float, y: float, sensor: int) -> None:
    far = x + 46
    sheet.wire("sensor", (x, y - 128), (far, y - 128), (far, y))
    sheet.joint("clock", (x, y - 128))
    sheet.joint("load", (far, y))
    sheet.reed(far, y - 92)
    sheet.diode(far, y - 34)
    sheet.say(far + 16, y - 92, str(sensor), size=14, bold=True)
