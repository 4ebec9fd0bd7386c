"""The chip board on stripboard, if you don't order one: a board for each chip, and one for each pair of gates.

Seen from the component side. The strips are horizontal, 24 holes by 18 strips of 2.54 mm. A test follows strips, cuts
and wires, and compares what they join with `maker/kit/chipboard.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from maker.drawings.canvas import BODY, INK, NETS, Canvas
from maker.kit.chipboard import INPUTS, RIBBON

COLUMNS, STRIPS = 24, 18
FIRST = 4
"""The strip of the ribbon's first row."""
LEFT_PLUG, RIGHT_PLUG = 1, 21
"""The columns of the two plugs' left pins."""

Hole = tuple[int, int]
"""Strip and column, both from 0."""


class Part(Struct, frozen=True):
    """A part by its name in the description, with pin -> hole. `shape` is case, plug, row, two or wire (a sensor's)."""

    name: str
    shape: str
    value: str
    pins: dict[str, Hole]
    mark: float = 0.5
    """How far from the first to the second leg its name is written."""


class Strips(Struct, frozen=True):
    """One stripboard. `wires` are net, start and end. `links` are soldered in on some boards only."""

    title: str
    parts: tuple[Part, ...]
    cuts: tuple[Hole, ...]
    wires: tuple[tuple[str, Hole, Hole], ...]
    links: tuple[Part, ...] = ()


def _plug_parts() -> Iterator[Part]:
    for name, column in (("J1", LEFT_PLUG), ("J2", RIGHT_PLUG)):
        pins = {str(2 * row + pin + 1): (FIRST + row, column + pin) for row in range(len(RIBBON)) for pin in (0, 1)}
        yield Part(name, "plug", "14-way", pins)


def _chip_part(name: str, value: str, pins: int, top: int, left: int, turned: bool) -> Part:
    """Return a chip across the cut. If `turned`, its last pin is at the lower left."""
    half = pins // 2
    down = {pin: (top + pin - 1, left) for pin in range(1, half + 1)}
    up = {pin: (top + pins - pin, left + 3) for pin in range(half + 1, pins + 1)}
    # Half a turn puts each pin where the one opposite in the count was.
    at = {(pin + half - 1) % pins + 1 if turned else pin: hole for pin, hole in (down | up).items()}
    return Part(name, "case", value, {str(pin): at[pin] for pin in sorted(at)})


def _two_pin_part(name: str, value: str, one: Hole, other: Hole, mark: float = 0.5) -> Part:
    return Part(name, "two", value, {"1": one, "2": other}, mark)


def _input_parts() -> Iterator[Part]:
    grounds = dict(zip(INPUTS, range(5, 13), strict=True))
    supplies = dict(zip(INPUTS, (4, 7, 9, 10, 11, 12, 13, 18), strict=True))
    for number, letter in enumerate(INPUTS):
        signal = (12 + number, 5) if number < 4 else (19 - number, 19)
        pins = {"1": signal, "2": (2, grounds[letter]), "3": (7, supplies[letter])}
        yield Part(f"S{number}", "wire", letter, pins)


CHIP = Strips(
    "A chip's strip board, seen from the parts' side",
    (
        *_plug_parts(),
        _chip_part("U1", "74HC165", 16, 10, 9, True),
        Part("RNa", "row", "4 × 10 kΩ", {str(pin): (10 + pin, 4) for pin in range(1, 6)}),
        Part("RNb", "row", "4 × 10 kΩ", {str(pin): (10 + pin, 18) for pin in range(1, 6)}),
        _two_pin_part("C1", "100 nF", (17, 8), (16, 8)),
        _two_pin_part("R5", "100 kΩ", (3, 10), (5, 12)),
        *_input_parts(),
    ),
    (
        *((strip, 10) for strip in range(10, 18)),
        *((10, 14), (11, 7), (11, 14), (3, 16), (16, 5), (16, 17), (17, 3), (17, 18)),
    ),
    (
        ("ground", (2, 4), (5, 4)), ("ground", (5, 14), (9, 14)), ("ground", (9, 13), (10, 13)),
        ("ground", (9, 7), (16, 7)), ("3V3", (7, 6), (17, 6)), ("3V3", (7, 5), (11, 5)), ("3V3", (7, 19), (11, 19)),
        ("data", (3, 8), (11, 8)), ("data", (3, 15), (10, 15)), ("clock", (6, 16), (16, 16)),
        ("load", (8, 17), (17, 17)),
    ),
    (
        _two_pin_part("W3", "W3", (4, 5), (3, 5)),
        _two_pin_part("R3", "100 Ω", (6, 18), (3, 18), 0.2),
        _two_pin_part("C3", "47 pF", (3, 19), (5, 19), 0.3),
    ),
)  # fmt: skip
GATE = Strips(
    "The gates' strip board, seen from the parts' side",
    (
        *_plug_parts(),
        _chip_part("U2", "74HC125", 14, 11, 11, False),
        _two_pin_part("R1", "47 Ω", (3, 13), (6, 13), 0.3),
        _two_pin_part("R2", "47 Ω", (2, 14), (8, 14), 0.65),
        _two_pin_part("C2", "100 nF", (11, 17), (9, 17)),
    ),
    (
        *((strip, 12) for strip in range(11, 18)),
        *((6, 12), (8, 12), (16, 5), (17, 5), (16, 18), (17, 16)),
    ),
    (
        ("clock", (6, 10), (12, 10)), ("clock", (3, 9), (13, 9)), ("load", (8, 8), (15, 8)), ("load", (2, 7), (16, 7)),
        ("ground", (9, 6), (17, 6)), ("ground", (9, 5), (14, 5)), ("ground", (9, 4), (11, 4)),
        ("3V3", (7, 15), (11, 15)),
        ("ground", (9, 16), (12, 16)), ("ground", (12, 17), (13, 17)), ("ground", (13, 18), (15, 18)),
        ("ground", (15, 16), (16, 16)), ("ground", (5, 18), (9, 18)),
    ),
)  # fmt: skip


# --- drawing ----------------------------------------------------------------------------------------------------

PITCH, LEFT, TOP = 34.0, 112.0, 92.0


def _at(hole: Hole) -> tuple[float, float]:
    return (LEFT + PITCH * hole[1], TOP + PITCH * hole[0])


def draw_stripboard(board: Strips) -> Canvas:
    sheet = Canvas(board.title, TOP + PITCH * STRIPS + 60)
    sheet.legend(24, 60, ("3V3", "ground", "data", "clock", "load"))
    for strip in range(STRIPS):
        x, y = _at((strip, 0))
        sheet.box(x - 14, y - 11, PITCH * (COLUMNS - 1) + 28, 22, "#f2dcc4", "#f2dcc4", 3)
        for column in range(COLUMNS):
            sheet.disc(*_at((strip, column)), 3, "#ffffff", "#c9ab8b")
    for at, row in enumerate(RIBBON):
        _, y = _at((FIRST + at, 0))
        sheet.say(88, y, row, "end", 12, bold=True)
        sheet.say(910, y, row, size=12, bold=True)
    for hole in board.cuts:
        x, y = _at(hole)
        sheet.box(x - 9, y - 12, 18, 24, "#ffffff", "#ffffff", 0)
    for net, start, end in board.wires:
        sheet.wire(net, _at(start), _at(end), thick=4)
        sheet.joint(net, _at(start), _at(end))
    for part in (*board.parts, *board.links):
        _draw_part(sheet, part, part in board.links)
    for hole in board.cuts:
        sheet.say(*_at(hole), "×", "middle", 20, "#b3261e", bold=True)
    words = [
        "× cut the strip at this hole, on the copper's side, where left and right are exchanged.",
        "The board is 70 × 50 mm, with holes for M3 5 mm from both edges of each corner.",
    ]
    if board.links:
        words.append(
            "A to H, − and +: the sensors' wires. Dashed: W3 on the last board only, R3 and C3 on the last of eight."
        )
    sheet.lines(24, TOP + PITCH * STRIPS + 10, words)
    return sheet


def _draw_part(sheet: Canvas, part: Part, sometimes: bool) -> None:
    spots = [_at(hole) for hole in part.pins.values()]
    left, right = min(x for x, _ in spots), max(x for x, _ in spots)
    top, low = min(y for _, y in spots), max(y for _, y in spots)
    middle = ((left + right) / 2, (top + low) / 2)
    if part.shape == "case":
        sheet.box(left + 10, top - 14, right - left - 20, low - top + 28)
        notch = low + 14 if part.name == "U1" else top - 14
        sheet.disc(middle[0], notch, 8, "#ffffff")
        sheet.say(left + 2 * PITCH, middle[1] - 8, part.name, "middle", 13, bold=True)
        sheet.say(left + 2 * PITCH, middle[1] + 9, part.value, "middle", 10)
        for pin, hole in part.pins.items():
            sheet.disc(*_at(hole), 8, BODY)
            sheet.say(*_at(hole), pin, "middle", 10)
    elif part.shape == "plug":
        sheet.box(left - 26, top - 68, right - left + 52, low - top + 136, "none")
        _draw_pins(sheet, spots)
        sheet.say(middle[0], top - 52, part.name, "middle", 13, bold=True)
    elif part.shape == "row":
        sheet.box(left - 9, top - 13, 18, low - top + 26)
        _draw_pins(sheet, spots)
        sheet.say(left, low + 26, "RN", "middle", 12, bold=True)
    elif part.shape == "wire":
        for (x, y), letter in zip(spots, (part.value, "−", "+"), strict=True):
            sheet.disc(x, y, 9, "#ffffff", NETS["sensor"])
            sheet.say(x, y, letter, "middle", 11, NETS["sensor"], bold=True)
    else:
        _two_legs(sheet, part, spots, sometimes)


def _draw_pins(sheet: Canvas, spots: Iterable[tuple[float, float]]) -> None:
    for number, (x, y) in enumerate(spots):
        sheet.disc(x, y, 6, INK if number else "#ffffff")


def _two_legs(sheet: Canvas, part: Part, spots: list[tuple[float, float]], sometimes: bool) -> None:
    (ax, ay), (bx, by) = spots
    dash = ' stroke-dasharray="4 3"' if sometimes else ""
    sheet.stroke(f"M {ax:g} {ay:g} L {bx:g} {by:g}", INK, 2.5, dash)
    _draw_pins(sheet, [(ax, ay), (bx, by)])
    x, y = ax + (bx - ax) * part.mark, ay + (by - ay) * part.mark
    text = part.name if part.value == part.name else f"{part.name} {part.value}"
    sheet.label(x, y, text, 11, 18)
