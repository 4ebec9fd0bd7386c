"""SVG plots of shares with their intervals: curves over a budget, and columns."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from msgspec import Struct

from lab.arena import Share

LEFT, TOP, HEIGHT, STEP = 56, 40, 260, 110
COLOURS = ("#2d6cb5", "#b5442d", "#2d8a4e", "#8a5a2d")


class Curve(Struct, frozen=True):
    """A named series of points: a budget in words, and a share."""

    name: str
    points: Sequence[tuple[str, Share]]


def draw_curves(title: str, budgets: Sequence[str], found: Sequence[Curve]) -> str:
    """Draw a curve for each series. Budgets have equal distances."""
    width = LEFT + STEP * max(1, len(budgets)) + 200
    drawn = [_text(LEFT + STEP * place + 40, TOP + HEIGHT + 18, budget) for place, budget in enumerate(budgets)]
    for row, curve in enumerate(found):
        colour = COLOURS[row % len(COLOURS)]
        # Each curve is shifted a little, so that the intervals do not cover each other.
        at = [(LEFT + STEP * budgets.index(budget) + 31 + 6 * row, share) for budget, share in curve.points]
        way = " ".join(f"{x:g},{_y(share.share):.1f}" for x, share in at)
        drawn.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>')
        drawn += [_whisker(x, share, colour) for x, share in at]
        drawn.append(f'<rect x="{width - 196}" y="{TOP + 20 * row}" width="12" height="12" fill="{colour}"/>')
        drawn.append(_text(width - 178, TOP + 20 * row + 11, curve.name, "start"))
    return _whole(title, width, drawn, right=204, below=40)


def draw_columns(
    title: str, columns: Sequence[tuple[str, Share]], step: int = 34, band: tuple[float, float] | None = None
) -> str:
    """Draw a column for each share, with its name below it, one line for each line of the name.

    `step` is the width of a column with its gap. `band` is a range of shares that is shaded behind the columns.
    """
    width, drawn = LEFT + step * max(1, len(columns)) + 20, []
    if band is not None:
        low, high = map(_y, band)
        drawn.append(
            f'<rect x="{LEFT}" y="{high:g}" width="{width - LEFT - 8}" height="{low - high:g}" fill="#cfe6d4"/>'
        )
    for place, (name, share) in enumerate(columns):
        middle = LEFT + step * place + step // 2
        y = _y(share.share)
        drawn.append(f'<rect x="{middle - 11}" y="{y:.1f}" width="22" height="{_y(0) - y:.1f}" fill="{COLOURS[0]}"/>')
        drawn.append(_whisker(middle, share, "#14171a"))
        drawn += [_text(middle, TOP + HEIGHT + 18 + 16 * line, text) for line, text in enumerate(name.split("\n"))]
    lines = max((name.count("\n") + 1 for name, _ in columns), default=1)
    return _whole(title, width, drawn, right=8, below=24 + 16 * lines)


def _y(share: float) -> float:
    return TOP + HEIGHT * (1 - share)


def _whisker(x: float, share: Share, colour: str) -> str:
    return f'<path d="M{x:g} {_y(share.low):.1f}V{_y(share.high):.1f}" stroke="{colour}" stroke-width="2"/>'


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'


def _whole(title: str, width: int, drawn: Sequence[str], right: int, below: int) -> str:
    levels = [
        f'<path d="M{LEFT} {_y(share):g}H{width - right}" stroke="#b9c0c6"/>'
        + _text(LEFT - 8, _y(share) + 4, f"{share:.0%}", "end")
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    height = TOP + HEIGHT + below
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="12">\n<title>{escape(title)}</title>\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n'
        + _text(LEFT, 20, title, "start")
        + "\n"
        + "\n".join([*levels, *drawn])
        + "\n</svg>\n"
    )
