"""Draws a map as one SVG, from the map alone."""

from __future__ import annotations

from engine.map.model import Map, Space

TINTS = {"yellow": "#5b4a12", "red": "#5a1f1f", "black": "#26282c", "white": "#5a5d60"}


def draw(drawn: Map, sight: tuple[str, str] | None = None) -> str:
    """The map as SVG, in tenths of a millimetre; with `sight`, the line between two spaces too."""
    width, height = drawn.size
    shapes = "\n".join(_space(space) for space in drawn.spaces.values())
    line = ""
    seen = drawn.sight(*sight) if sight else None
    if seen and seen.line:
        (ax, ay), (bx, by) = seen.line
        line = f'<line x1="{ax}" y1="{ay}" x2="{bx}" y2="{by}" stroke="#f44" stroke-width="12"/>'
    doors = "".join(f'<circle cx="{a.at[0]}" cy="{a.at[1]}" r="30" fill="#fa0"/>' for a in drawn.accesses)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width / 10}mm">'
        f"{shapes}{doors}{line}</svg>\n"
    )


def _space(space: Space) -> str:
    path = "M" + "L".join(f"{x} {y}" for x, y in space.outline) + "Z"
    tint = {"water": "#1d3c55", "obstruction": "#111"}.get(space.kind, TINTS.get(space.sector or "", "#444"))
    edge = {"enclosed": "#000", "elevated": "#aaa"}.get(space.kind, "#888")
    wide = 24 if space.kind == "enclosed" else 8
    x, y = space.spot
    marks = f"{space.id} {space.objective or ''} {space.start or ''} {'!' if space.difficult else ''}"
    return (
        f'<path class="space {space.kind}" d="{path}" fill="{tint}" stroke="{edge}" stroke-width="{wide}"/>'
        f'<circle cx="{x}" cy="{y}" r="140" fill="none" stroke="#fff4" stroke-width="5"/>'
        f'<text x="{x}" y="{y}" font-size="90" fill="#eee" text-anchor="middle">{_escaped(marks)}</text>'
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
