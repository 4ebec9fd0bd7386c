"""Draw a curve as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import floor, log10
from typing import Final

from lab.bench.figures import Curve

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 40, 48
INK, SOFT, HIGH, PAPER, RULE = "#1d2329", "#1f5fc4", "#c8261d", "#ffffff", "#d9dde1"
STEPS: Final = (1.0, 2.0, 5.0, 10.0)
TICKS = 5


def file_name(curve: Curve) -> str:
    return f"{curve.id.replace('.', '-')}.svg"


def draw_curve(curve: Curve) -> str:
    xs = [x for x, _, _ in curve.points]
    highs = [(x, high) for x, _, high in curve.points if high is not None]
    most = max([value for _, value, _ in curve.points] + [high for _, high in highs])
    across, up = round_ticks(max(xs)), round_ticks(most)

    def at(x: float, y: float) -> tuple[float, float]:
        return (
            LEFT + (WIDTH - LEFT - RIGHT) * x / across[-1],
            HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * y / up[-1],
        )

    drawn = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>', _word(LEFT, 22, curve.what, "start", 15)]
    for y in up:
        left, level = at(0, y)
        drawn.append(f'<path d="M{left:.1f} {level:.1f}H{WIDTH - RIGHT}" stroke="{RULE}"/>')
        drawn.append(_word(left - 6, level + 4, f"{y:g}", "end"))
    for x in across:
        place, level = at(x, 0)
        drawn.append(_word(place, level + 18, f"{x:g}", "middle"))
    drawn.append(_word(WIDTH - RIGHT, HEIGHT - 8, curve.x, "end"))
    drawn.append(_word(LEFT, TOP - 6, curve.unit, "end"))
    if highs:
        drawn += _line([at(x, y) for x, y in highs], HIGH)
        drawn.append(_word(WIDTH - RIGHT, TOP - 6, "99th percentile", "end", 12, HIGH))
    drawn += _line([at(x, y) for x, y, _ in curve.points], SOFT)
    body = "\n".join(drawn)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">\n{body}\n</svg>\n'


def round_ticks(most: float) -> list[float]:
    """Return about five round numbers from 0 to `most` or a little more."""
    raw = max(most, 1e-9) / TICKS
    # A round step is 1, 2 or 5 times a power of ten.
    power = 10.0 ** floor(log10(raw))
    # A step that fits exactly may miss by a rounding error.
    step = next(factor * power for factor in STEPS if factor * power >= raw * 0.999)
    ticks = [0.0]
    while ticks[-1] < most * 0.999:
        ticks.append(round(len(ticks) * step, 12))
    return ticks


def _line(points: Sequence[tuple[float, float]], colour: str) -> Iterable[str]:
    way = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    yield f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="2"/>'
    yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points)


def _word(x: float, y: float, word: str, anchor: str, size: int = 12, colour: str = INK) -> str:
    style = f'font-family="sans-serif" font-size="{size}" fill="{colour}" text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(word)}</text>'
