"""The few words of SVG that every part of a drawing is written in: numbers, paths, texts, and style rules.

What is drawn is decided elsewhere; text of a file becomes text of a drawing only through `escaped`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Place = tuple[float, float]


def escaped(text: str) -> str:
    """Text of a file as text of an SVG."""
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(sign, name)
    return text


def number(value: float) -> str:
    """A coordinate, to a hundredth of a millimetre at most."""
    return f"{value:.0f}" if abs(value - round(value)) < 0.05 else f"{value:.1f}"


def points(places: Iterable[Place]) -> str:
    """Places joined by lines, for a path that has begun with `M`."""
    return "L".join(f"{number(x)} {number(y)}" for x, y in places)


def ring(outline: Iterable[Place]) -> str:
    """A closed path."""
    return f"M{points(outline)}Z"


def word(kind: str, text: str, at: Place, size: float) -> str:
    """A text of a class, at its own size."""
    x, y = (number(part) for part in at)
    return f'<text class="{kind}" x="{x}" y="{y}" font-size="{number(size)}">{escaped(text)}</text>'


def disc(kind: str, at: Place, reach: float) -> str:
    """A circle of a class."""
    return f'<circle class="{kind}" cx="{number(at[0])}" cy="{number(at[1])}" r="{number(reach)}"/>'


def scoped(rules: Sequence[str], below: str = ".board-map") -> str:
    """Style rules that hold below one class only; `*` in a rule stands for that class again."""
    return "\n".join(f"{below}{rule}".replace("*", below) for rule in rules)
