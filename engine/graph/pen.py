"""SVG building blocks for all drawings: numbers, paths, text and style rules.

Text from a file enters a drawing only through `escaped`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Place = tuple[float, float]


def escaped(text: str) -> str:
    """Escape text from a file for SVG."""
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(sign, name)
    return text


def coord(value: float) -> str:
    """Return a coordinate as text, with a precision of at most a hundredth of a millimetre."""
    return f"{value:.0f}" if abs(value - round(value)) < 0.05 else f"{value:.1f}"


def joined_points(places: Iterable[Place]) -> str:
    """Return places joined by lines, for a path that starts with `M`."""
    return "L".join(f"{coord(x)} {coord(y)}" for x, y in places)


def closed_path(outline: Iterable[Place]) -> str:
    return f"M{joined_points(outline)}Z"


def text_element(kind: str, text: str, at: Place, size: float) -> str:
    """Return a text element with a class and its own font size."""
    x, y = (coord(part) for part in at)
    return f'<text class="{kind}" x="{x}" y="{y}" font-size="{coord(size)}">{escaped(text)}</text>'


def circle_element(kind: str, at: Place, reach: float) -> str:
    """Return a circle element with a class."""
    return f'<circle class="{kind}" cx="{coord(at[0])}" cy="{coord(at[1])}" r="{coord(reach)}"/>'


def scoped(rules: Sequence[str], below: str = ".board-map") -> str:
    """Return style rules that apply only below one class. `*` in a rule stands for that class again."""
    return "\n".join(f"{below}{rule}".replace("*", below) for rule in rules)
