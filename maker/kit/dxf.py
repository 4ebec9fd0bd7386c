"""Shapes as DXF (AutoCAD R12 in ASCII, which every laser, router and CAD program reads), in millimetres.

In DXF y points up, so y is flipped: the drawing looks as it does on paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from maker.kit.sheets import Circle, Rectangle, Shape, sheet_size

Pair = tuple[int, object]
"""A group code and its value."""
COLOURS = {"OUTLINE": 1, "SENSOR": 1, "LAMP": 1, "SCREW": 1, "CABLES": 1, "ENGRAVE": 5}
"""Layer -> colour number: 1 is red, cut; 5 is blue, engraved."""


def dxf(shapes: Sequence[Shape]) -> str:
    # AC1009 is the version R12, and unit 4 is the millimetre.
    pairs: list[Pair] = [(0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"), (9, "$INSUNITS"), (70, 4)]
    pairs += [(0, "ENDSEC"), (0, "SECTION"), (2, "TABLES"), (0, "TABLE"), (2, "LAYER"), (70, len(COLOURS))]
    for name, colour in COLOURS.items():
        pairs += [(0, "LAYER"), (2, name), (70, 0), (62, colour), (6, "CONTINUOUS")]
    pairs += [(0, "ENDTAB"), (0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES")]
    high = sheet_size(shapes)[1]
    for shape in shapes:
        pairs += _entity(shape, high)
    pairs += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code}\n{value}\n" for code, value in pairs)


def _escaped(text: str) -> str:
    """Return a text in ASCII: AutoCAD and its followers read `\\U+0141` as the character with this number."""
    return "".join(sign if sign.isascii() else f"\\U+{ord(sign):04X}" for sign in text)


def _entity(shape: Shape, high: float) -> Iterator[Pair]:
    # Group code 0 begins an entity, 8 is its layer, 10 and 20 are x and y, 40 is a size.
    x, y = shape.at[0], high - shape.at[1]
    if isinstance(shape, Circle):
        yield from ((0, "CIRCLE"), (8, shape.layer), (10, f"{x:.3f}"), (20, f"{y:.3f}"))
        yield (40, f"{shape.across / 2:.3f}")
    elif isinstance(shape, Rectangle):
        right, low = x + shape.size[0], y - shape.size[1]
        # 66: vertices follow; 70: the line is closed.
        yield from ((0, "POLYLINE"), (8, shape.layer), (66, 1), (70, 1))
        for px, py in ((x, y), (right, y), (right, low), (x, low)):
            yield from ((0, "VERTEX"), (8, shape.layer), (10, f"{px:.3f}"), (20, f"{py:.3f}"))
        yield from ((0, "SEQEND"), (8, shape.layer))
    else:
        yield from ((0, "TEXT"), (8, shape.layer), (10, f"{x:.3f}"), (20, f"{y:.3f}"), (40, f"{shape.high:.2f}"))
        # 72: the text is centred on the point of 11 and 21.
        yield from ((1, _escaped(shape.text)), (72, 1), (11, f"{x:.3f}"), (21, f"{y:.3f}"))
