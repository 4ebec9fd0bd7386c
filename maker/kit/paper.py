"""Full-size PDF pages: whole sheets, tiles to glue together, and lists.

Typst sets the pages. It embeds the map's SVG as vectors, not as pixels. It comes with the extra `print` and is imported
only when a kit is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.graph.fault import MapError
from maker.kit.holes import Place

if TYPE_CHECKING:
    from types import ModuleType

A4, A3 = (210.0, 297.0), (297.0, 420.0)
"""Millimetres, upright."""
MARGIN = 14.0
"""Margin of a tile in millimetres: most printers can't print the outer 5 mm, and the marks need the rest."""
BLEED = 2.0
"""Millimetres of picture beyond the cut, so that a slightly misplaced cut shows no white."""
MARK = 5.0
"""Millimetres: the length of a crop mark."""
AWAY, RADIUS = 6.5, 1.5
"""Millimetres from the picture to the middle of a register mark, and its radius."""
RULER = 100.0
"""Millimetres: a line on each page to measure after printing."""
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
"""The creation date of the files, so that the same kit gives the same bytes."""

BETWEEN = "<!-- next -->"
"""Between two drawings."""
LIST_HEAD = """\
#set page(paper: "a4", margin: 15mm, numbering: "1")
#set text(size: 9pt, font: ("DejaVu Sans", "Noto Sans", "Libertinus Serif"))
"""


class Tiling(Struct, frozen=True):
    """How a picture is cut into pages. `step` is the width and height of one tile, in millimetres."""

    paper: Place
    columns: int
    rows: int
    step: Place


def choose_tiling(size: Place, paper: Place) -> Tiling:
    """Return the tiling with the fewest pages of that paper, portrait or landscape."""
    tilings = []
    for wide, high in (paper, (paper[1], paper[0])):
        columns, rows = ceil(size[0] / (wide - 2 * MARGIN)), ceil(size[1] / (high - 2 * MARGIN))
        # All tiles have the same size, so that none is a narrow strip.
        tilings.append(Tiling((wide, high), columns, rows, (size[0] / columns, size[1] / rows)))
    return min(tilings, key=lambda tiling: tiling.columns * tiling.rows)


def single_page(drawing: str, size: Place) -> bytes:
    return compile_pdf(f"{_page(size)}\n#place({_image(size)})", drawing)


def tiled_pages(drawing: str, size: Place, paper: Place, title: str) -> bytes:
    """Return a PDF with the picture on several pages, with crop marks at the corners and register marks on them."""
    cut = choose_tiling(size, paper)
    pages = [
        "\n".join(_tile(cut, size, column, row, title)) for row in range(cut.rows) for column in range(cut.columns)
    ]
    return compile_pdf(f"{_page(cut.paper)}\n#set text(size: 7pt)\n" + "\n#pagebreak()\n".join(pages), drawing)


def drawing_pages(drawings: Sequence[str]) -> bytes:
    """Return a PDF with each drawing on an A4 page of its own, as large as it fits there."""
    image = 'image(bytes(one), format: "svg", width: 100%, height: 100%, fit: "contain")'
    pages = f'#for one in sys.inputs.drawing.split("{BETWEEN}") {{ {image}; pagebreak(weak: true) }}'
    return compile_pdf(f'#set page(paper: "a4", flipped: true, margin: 15mm)\n{pages}', BETWEEN.join(drawings))


def table_pages(title: str, tables: Sequence[tuple[str, Sequence[str], Sequence[Sequence[str]]]]) -> bytes:
    """Return a PDF with tables on A4, each with a heading, its column heads and its rows."""
    parts = [LIST_HEAD, f"= #{_text(title)}"]
    for number, (heading, heads, rows) in enumerate(tables):
        parts += ["#pagebreak()"] if number else []
        cells = ", ".join(_text(cell) for row in [heads, *rows] for cell in row)
        style = "columns: {}, stroke: 0.3pt + gray, inset: 3pt, fill: (_, y) => if y == 0 {{ luma(225) }}"
        parts += [f"== #{_text(heading)}", f"#table({style.format(len(heads))}, {cells})"]
    return compile_pdf("\n".join(parts))


def label_pages(texts: Sequence[str]) -> bytes:
    """Return a PDF with wire labels to cut out and fold around the wires: each text twice, on A4."""
    cells = ", ".join(
        f"box(width: 28mm, height: 7mm, align(center + horizon, {_text(text)}))" for text in texts for _ in range(2)
    )
    style = "columns: 6, inset: 0mm, stroke: 0.2pt + gray"
    return compile_pdf(f"{LIST_HEAD}#set text(size: 7pt)\n#table({style}, {cells})")


def _page(size: Place) -> str:
    return f"#set page(width: {size[0]:g}mm, height: {size[1]:g}mm, margin: 0mm)"


def _image(size: Place) -> str:
    return f'image(bytes(sys.inputs.drawing), format: "svg", width: {size[0]:g}mm, height: {size[1]:g}mm)'


def _tile(cut: Tiling, size: Place, column: int, row: int, title: str) -> Iterator[str]:
    wide, high = cut.step
    left, top = (cut.paper[0] - wide) / 2, (cut.paper[1] - high) / 2
    clip = f"width: {wide + 2 * BLEED:.3f}mm, height: {high + 2 * BLEED:.3f}mm, clip: true"
    # The box is a window; the whole picture is moved behind it.
    aside, down = BLEED - column * wide, BLEED - row * high
    inner = f"place(dx: {aside:.3f}mm, dy: {down:.3f}mm, {_image(size)})"
    yield f"#place(dx: {left - BLEED:.3f}mm, dy: {top - BLEED:.3f}mm, box({clip}, {inner}))"
    for x, outwards in ((left, -1), (left + wide, 1)):
        for y, up in ((top, -1), (top + high, 1)):
            yield _line((x + outwards * (BLEED + 1), y), (outwards * MARK, 0))
            yield _line((x, y + up * (BLEED + 1)), (0, up * MARK))
            yield from _register((x + outwards * AWAY, y), (0, RADIUS + 1))
            yield from _register((x, y + up * AWAY), (RADIUS + 1, 0))
    yield _line((left + 5, top + high + 9.5), (RULER, 0))
    words = (
        f"{title} · row {row + 1} of {cut.rows}, column {column + 1} of {cut.columns} · print at 100 %: "
        f"this line is {RULER:g} mm long"
    )
    yield f"#place(dx: {left + 5:.3f}mm, dy: {top + high + 10.5:.3f}mm, {_text(words)})"


def _register(middle: Place, arm: Place) -> Iterator[str]:
    """Yield a circle on a crop mark, with a line across. It lies on the cut, so neighbouring tiles share it."""
    place = f"dx: {middle[0] - RADIUS:.3f}mm, dy: {middle[1] - RADIUS:.3f}mm"
    yield f"#place({place}, circle(radius: {RADIUS}mm, stroke: 0.1mm))"
    yield _line((middle[0] - arm[0], middle[1] - arm[1]), (2 * arm[0], 2 * arm[1]))


def _line(start: Place, way: Place) -> str:
    place = f"dx: {start[0]:.3f}mm, dy: {start[1]:.3f}mm"
    return f"#place({place}, line(start: (0mm, 0mm), end: ({way[0]:.3f}mm, {way[1]:.3f}mm), stroke: 0.1mm))"


def _text(words: str) -> str:
    """Return words as a Typst string, escaped so that nothing in it is code."""
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'


def compile_pdf(source: str, drawing: str = "") -> bytes:
    """Return the pages that a Typst source describes. Raises `MapError` if Typst is missing."""
    pdf: bytes = _typst().compile(source.encode(), sys_inputs={"drawing": drawing}, timestamp=EPOCH, pdf_tags=False)
    return pdf


def _typst() -> ModuleType:
    try:
        import typst
    except ImportError as error:
        remedy = "Install it with: pip install -e '.[maps,print]' in the project's folder."
        raise MapError("", [f"the pages are set by Typst, which is not installed. {remedy}"]) from error
    return typst
