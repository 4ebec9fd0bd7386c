"""Draw shares with their intervals as SVG columns."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from lab.arena import Share

LEFT, TOP, HEIGHT, STEP = 56, 40, 260, 110


def draw_columns(title: str, columns: Sequence[tuple[str, Share]], band: tuple[float, float]) -> str:
    """Draw a column for each share, with its name below it, one line for each line of the name.

    `band` is a range of shares that is shaded behind the columns.
    """
    width, (low, high) = LEFT + STEP * max(1, len(columns)) + 20, map(_y, band)
    drawn = [f'<rect x="{LEFT}" y="{high:g}" width="{width - LEFT - 8}" height="{low - high:g}" fill="#cfe6d4"/>']
    for place, (name, share) in enumerate(columns):
        middle = LEFT + STEP * place + STEP // 2
        y, whisker = _y(share.share), f"M{middle:g} {_y(share.low):.1f}V{_y(share.high):.1f}"
        drawn.append(f'<rect x="{middle - 11}" y="{y:.1f}" width="22" height="{_y(0) - y:.1f}" fill="#2d6cb5"/>')
        drawn.append(f'<path d="{whisker}" stroke="#14171a" stroke-width="2"/>')
        drawn += [_text(middle, TOP + HEIGHT + 18 + 16 * line, text) for line, text in enumerate(name.split("\n"))]
    lines = max((name.count("\n") + 1 for name, _ in columns), default=1)
    levels = [
        f'<path d="M{LEFT} {_y(share):g}H{width - 8}" stroke="#b9c0c6"/>'
        + _text(LEFT - 8, _y(share) + 4, f"{share:.0%}", "end")
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    height = TOP + HEIGHT + 24 + 16 * lines
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="12">\n<title>{escape(title)}</title>\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n'
        + _text(LEFT, 20, title, "start")
        + "\n"
        + "\n".join([*levels, *drawn])
        + "\n</svg>\n"
    )


def _y(share: float) -> float:
    return TOP + HEIGHT * (1 - share)


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'
