"""Write the chip board's schematic in the format of KiCad 6: every part with the names of its nets at its pins."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from msgspec import Struct

from maker.drawings.chipboard.expressions import Node, Quoted
from maker.drawings.chipboard.pcb import DATE, REVISION, SPACE, TITLE, symbol_identity
from maker.kit import chipboard
from maker.kit.chipboard import CHIP_PINS, GATE_PINS, INPUTS, RIBBON, SENSOR, Element

GRID = 2.54
SHEET = str(uuid.uuid5(SPACE, "sheet"))

Side = tuple[tuple[str, str, str], ...]
"""Pins from top to bottom: number, name, and KiCad's electrical type."""


class Symbol(Struct, frozen=True):
    """How a part is drawn: a box with pins on both sides. `half` is half its width, in millimetres."""

    letter: str
    left: Side
    right: Side
    half: float = 7.62

    @property
    def rows(self) -> int:
        """Return the number of pins of the longer side."""
        return max(len(self.left), len(self.right))


def _typed(pins: dict[str, int], names: tuple[str, ...], kind: str) -> Side:
    return tuple((str(pins[name]), name, kind) for name in names)


def _passive(pins: range, names: tuple[str, ...] = ()) -> Side:
    return tuple((str(pin), names[at] if names else str(pin), "passive") for at, pin in enumerate(pins))


_ROWS = tuple(RIBBON)
_GATES = tuple(f"{gate}{what}" for gate in "1234" for what in ("A", "OE"))
SYMBOLS = {
    "DIP16": Symbol(
        "U",
        _typed(CHIP_PINS, (*INPUTS, "SER", "CLK", "SH/LD", "CLK INH"), "input"),
        (
            *_typed(CHIP_PINS, ("VCC",), "power_in"),
            *_typed(CHIP_PINS, ("QH",), "output"),
            ("7", "~", "output"),
            *_typed(CHIP_PINS, ("GND",), "power_in"),
        ),
    ),
    "DIP14": Symbol(
        "U",
        _typed(GATE_PINS, _GATES, "input"),
        (
            *_typed(GATE_PINS, ("VCC",), "power_in"),
            *_typed(GATE_PINS, ("1Y", "2Y"), "tri_state"),
            *((str(GATE_PINS[free]), "~", "tri_state") for free in ("3Y", "4Y")),
            *_typed(GATE_PINS, ("GND",), "power_in"),
        ),
    ),
    "SIP9": Symbol("RN", _passive(range(1, 2), ("common",)), _passive(range(2, 10))),
    "IDC14": Symbol("J", _passive(range(1, 15, 2), _ROWS), _passive(range(2, 15, 2), _ROWS)),
    "WIRES3": Symbol("S", _passive(range(1, 4), SENSOR), (), 5.08),
    "RES": Symbol("R", _passive(range(1, 2), ("~",)), _passive(range(2, 3), ("~",)), 2.54),
    "CAP5": Symbol("C", _passive(range(1, 2), ("~",)), _passive(range(2, 3), ("~",)), 1.27),
    "LINK": Symbol("W", _passive(range(1, 2), ("~",)), _passive(range(2, 3), ("~",)), 2.54),
    "FLAG": Symbol("#FLG", (("1", "~", "power_out"),), (), 1.27),
}
"""Kind -> how it is drawn. Free pins have no name, so that every version of KiCad gives their nets the same names. FLAG
marks the nets of the supply."""

SPOTS: dict[str, tuple[float, float]] = {
    "J1": (24, 30), "U2": (52, 30), "U1": (84, 33), "J2": (132, 30), "RN1": (108, 30),
    "W1": (52, 50), "W2": (52, 56), "R1": (52, 62), "R2": (52, 68), "C1": (84, 50), "C2": (84, 56),
    "R5": (84, 62), "W3": (84, 68), "R3": (108, 50), "C3": (108, 56), "R4": (108, 62), "C4": (108, 68),
    "#FLG1": (24, 50), "#FLG2": (24, 56),
    **{f"S{number}": (24 + 36 * (number % 4), 78 + 12 * (number // 4)) for number in range(len(INPUTS))},
}  # fmt: skip
"""The middle of each part, in steps of 2.54 mm from the sheet's corner."""
FLAGS = tuple(Element(f"#FLG{number}", "FLAG", "PWR_FLAG", {"1": net}) for number, net in enumerate(("3V3", "GND"), 1))


def schematic() -> Node:
    """Return the whole file."""
    found: Node = [
        "kicad_sch",
        ["version", "20211123"],
        ["generator", "eeschema"],
        ["uuid", SHEET],
        ["paper", Quoted("A3")],
        ["title_block", ["title", Quoted(TITLE)], ["date", Quoted(DATE)], ["rev", Quoted(REVISION)]],
        ["lib_symbols", *(symbol(kind, f"chipboard:{kind}") for kind in SYMBOLS)],
    ]
    elements = (*chipboard.ELEMENTS, *FLAGS)
    for element in elements:
        found += [*_ends(element), _placed(element)]
    found.append(["sheet_instances", ["path", Quoted("/"), ["page", Quoted("1")]]])
    found.append(
        [
            "symbol_instances",
            *(
                [
                    "path", Quoted(f"/{symbol_identity(element.name)}"), ["reference", Quoted(element.name)],
                    ["unit", "1"], ["value", Quoted(element.value)], ["footprint", Quoted(_footprint(element))],
                ]
                for element in elements
            ),
        ]
    )  # fmt: skip
    return found


def _footprint(element: Element) -> str:
    return "" if element.kind == "FLAG" else f"chipboard:{element.kind}"


def library() -> Node:
    """Return the symbols alone."""
    return [
        "kicad_symbol_lib",
        ["version", "20211014"],
        ["generator", "kicad_symbol_editor"],
        *(symbol(kind, kind) for kind in SYMBOLS),
    ]


def symbol(kind: str, name: str) -> Node:
    """Return the symbol of a kind of part. In a symbol, y points up."""
    drawn = SYMBOLS[kind]
    top = (drawn.rows + 1) / 2 * GRID
    shown = "no" if kind == "FLAG" else "yes"
    body: Node = [
        "rectangle", ["start", f"{-drawn.half:g}", f"{top:g}"], ["end", f"{drawn.half:g}", f"{-top:g}"],
        ["stroke", ["width", "0.254"], ["type", "default"], ["color", "0", "0", "0", "0"]],
        ["fill", ["type", "background"]],
    ]  # fmt: skip
    pins = [_pin(pin, _end(drawn, side, row), 0 if side < 0 else 180) for pin, side, row in _rows(drawn)]
    return [
        "symbol", Quoted(name), *([["power"]] if kind == "FLAG" else []),
        ["pin_names", ["offset", "1.016"]], ["in_bom", shown], ["on_board", shown],
        *_properties(drawn.letter, kind, "" if kind == "FLAG" else f"chipboard:{kind}", (0.0, 0.0), top),
        ["symbol", Quoted(f"{kind}_0_1"), body],
        ["symbol", Quoted(f"{kind}_1_1"), *pins],
    ]  # fmt: skip


def _rows(drawn: Symbol) -> Iterator[tuple[tuple[str, str, str], int, int]]:
    for side, pins in ((-1, drawn.left), (1, drawn.right)):
        yield from ((pin, side, row) for row, pin in enumerate(pins))


def _end(drawn: Symbol, side: int, row: int) -> tuple[float, float]:
    """Return the connection point of a pin, from the symbol's middle, y up. It is always on the grid of the sheet."""
    return (side * (drawn.half + 2.54), (drawn.rows // 2 - row) * GRID)


def _pin(pin: tuple[str, str, str], at: tuple[float, float], angle: int) -> Node:
    number, name, kind = pin
    return [
        "pin", kind, "line", ["at", f"{at[0]:g}", f"{at[1]:g}", str(angle)], ["length", "2.54"],
        ["name", Quoted(name), _letters()], ["number", Quoted(number), _letters()],
    ]  # fmt: skip


def _letters(*more: Node | str) -> Node:
    return ["effects", ["font", ["size", "1.27", "1.27"]], *more]


def _properties(reference: str, value: str, footprint: str, at: tuple[float, float], high: float) -> Iterator[Node]:
    x, y = at
    texts = (("Reference", reference), ("Value", value), ("Footprint", footprint), ("Datasheet", ""))
    for number, (name, text) in enumerate(texts):
        spot = ["at", f"{x:g}", f"{y - high - 1.5 if number == 0 else y + high + 1.5:g}", "0"]
        yield [
            "property", Quoted(name), Quoted(text), ["id", str(number)], list(spot),
            _letters(*(["hide"] if number > 1 else [])),
        ]  # fmt: skip


def _middle(element: Element) -> tuple[float, float]:
    x, y = SPOTS[element.name]
    return (x * GRID, y * GRID)


def _placed(element: Element) -> Node:
    x, y = _middle(element)
    drawn = SYMBOLS[element.kind]
    shown = "no" if element.kind == "FLAG" else "yes"
    high = (drawn.rows + 1) / 2 * GRID
    return [
        "symbol", ["lib_id", Quoted(f"chipboard:{element.kind}")], ["at", f"{x:g}", f"{y:g}", "0"], ["unit", "1"],
        ["in_bom", shown], ["on_board", shown], ["uuid", symbol_identity(element.name)],
        *_properties(element.name, element.value, _footprint(element), (x, y), high),
        *(["pin", Quoted(pin[0]), ["uuid", _unique(element, pin[0])]] for pin, _, _ in _rows(drawn)),
    ]  # fmt: skip


def _unique(element: Element, what: str) -> str:
    return str(uuid.uuid5(SPACE, f"sheet {element.name} {what}"))


def _ends(element: Element) -> Iterator[Node]:
    """Yield the name of the net at each pin, or the cross of an unconnected pin."""
    x, y = _middle(element)
    drawn = SYMBOLS[element.kind]
    for (number, _, _), side, row in _rows(drawn):
        right, up = _end(drawn, side, row)
        spot = [f"{x + right:g}", f"{y - up:g}"]
        net = element.pins.get(number)
        if net is None:
            yield ["no_connect", ["at", *spot], ["uuid", _unique(element, f"end {number}")]]
        else:
            yield [
                "global_label", Quoted(net), ["shape", "passive"], ["at", *spot, "180" if side < 0 else "0"],
                _letters(["justify", "right" if side < 0 else "left"]), ["uuid", _unique(element, f"end {number}")],
            ]  # fmt: skip
