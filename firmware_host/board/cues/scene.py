"""Turn public cues, the hint and the time into one frame for the lamps. Pure; it knows no rules and no secrets.

It lights only spaces that a cue, a hint or the reach of a lifted piece names. `core/lamp_colours.py` defines what the
table's lights look like, and each game defines its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from math import floor

from msgspec import Struct

from engine.cues import NO_SHOW, Palette, Rhythm, Show
from engine.game import Cue
from firmware_host.board.tracking.hints import (
    Correction,
    Hint,
    Order,
    Orders,
    Question,
    Remove,
    SensorHint,
    SetUp,
    UnknownPiece,
    WrongPlace,
)
from firmware_host.core import lamp_colours as lights
from hardware.ports import CHANNEL_MA, DARK, IDLE_MA, Colour, Frame

FRAME_SECONDS = 1 / 60


class LampStyle(Struct, frozen=True):
    """The style of the lamps: palette, brightness 0 to 1, current limit in mA, the game's show."""

    palette: str = "night"
    brightness: float = 1.0
    limit_ma: float = 2000.0
    show: Show = NO_SHOW


class Glow(Struct, frozen=True):
    """A named light on some spaces. `role` replaces the light's own colour."""

    name: str
    spaces: tuple[str, ...]
    role: str | None = None


def paint(glows: Iterable[Glow], lamps_of: Sequence[str | None], now: float, look: LampStyle) -> Frame:
    """Return the frame at `now` (seconds).

    If two lights have equal weight, the later one covers the earlier. `lamps_of` is the space of each lamp, in lamp
    order (None: no space). Raises `ValueError` for a palette that does not exist.
    """
    palette = lights.palette(look.palette, look.show)
    lit: dict[str | None, Colour] = {}
    # `sorted` is stable, so of two lights with equal weight the later one is painted last.
    for glow in sorted(glows, key=lambda glow: lights.light(glow.name, look.show).weight):
        travels = lights.light(glow.name, look.show).rhythm.travel
        for place, space in enumerate(glow.spaces):
            # Only a travelling light differs from space to space.
            if travels or not place:
                colour = _colour(glow, place, palette, now, look)
            lit[space] = colour
    return limited(tuple(map(lit.get, lamps_of, repeat(DARK))), look.limit_ma)


def next_change(glows: Iterable[Glow], now: float, show: Show = NO_SHOW) -> float | None:
    """Return when the frame changes next, at most 60 times a second; None while all lights are steady."""
    turns = (_next_change(lights.light(glow.name, show).rhythm, now) for glow in glows)
    return min((turn for turn in turns if turn is not None), default=None)


def current_ma(frame: Frame) -> float:
    """Return the estimated current of a frame in mA."""
    return len(frame) * IDLE_MA + sum(chain.from_iterable(frame)) / 255 * CHANNEL_MA


def limited(frame: Frame, limit_ma: float) -> Frame:
    """Return the frame, dimmed as a whole if it would exceed the current limit."""
    idle = len(frame) * IDLE_MA
    drawn = current_ma(frame) - idle
    if drawn + idle <= limit_ma:
        return frame
    # One factor for all lamps keeps the colours. Rounding down can't exceed the limit again.
    share = max(0.0, limit_ma - idle) / drawn if drawn else 0.0
    return tuple((floor(red * share), floor(green * share), floor(blue * share)) for red, green, blue in frame)


def glows(cues: Iterable[Cue], hint: Hint | None, left: Sequence[str], reach: Sequence[str]) -> list[Glow]:
    """Return everything to show.

    `left` are the spaces that the miniatures in the air have left, `reach` those where they may be set down.
    """
    all_glows = [Glow(cue.name, cue.spaces, cue.colour) for cue in cues]
    # With these two hints, the possible answers are lit already.
    if not isinstance(hint, WrongPlace | Question):
        all_glows += [Glow("reach", tuple(reach)), Glow("home", tuple(left))]
    if hint is not None:
        all_glows += hint_glows(hint)
    return [glow for glow in all_glows if glow.spaces]


def hint_glows(hint: Hint) -> list[Glow]:
    """Return the lights of a hint."""
    match hint:
        case WrongPlace():
            return [Glow("legal", hint.legal), Glow("wrong-place", hint.spaces)]
        case Question():
            taps = tuple(choice.tap for choice in hint.between)
            return [Glow("first-answer", taps[:1]), Glow("second-answer", taps[1:])]
        case Correction():
            return [Glow("from", () if hint.start is None else (hint.start,)), Glow("to", (hint.to,))]
        case Orders():
            return [glow for order in hint.orders for glow in _carry_glows(order)]
        case SetUp():
            return [Glow("setup", hint.spaces, hint.squad)]
        case Remove():
            return [Glow("remove", hint.spaces)]
        case UnknownPiece():
            return [Glow("unknown-piece", hint.spaces)]
        case SensorHint():
            return [Glow("sensor", hint.spaces)]


def _carry_glows(order: Order) -> Iterator[Glow]:
    # Pieces of one colour with different looks need different rhythms, so that each goal shows which piece belongs
    # there.
    rhythm = "" if order.look == 0 else "-other"
    # The goal of a carry that has to wait is still occupied, so it isn't lit.
    if not order.waits:
        yield Glow(f"carry-to{rhythm}", (order.to,), order.squad)
    if order.start is not None:
        yield Glow(f"carry-from{rhythm}", (order.start,), order.squad)


def _colour(glow: Glow, place: int, palette: Palette, now: float, look: LampStyle) -> Colour:
    light = lights.light(glow.name, look.show)
    own = palette.get(light.role, palette[lights.UNKNOWN_LIGHT.role])
    red, green, blue = own if glow.role is None else palette.get(glow.role, own)
    share = min(1.0, max(0.0, look.brightness)) * level(light.rhythm, place, now, len(glow.spaces))
    return round(red * share), round(green * share), round(blue * share)


def level(rhythm: Rhythm, place: int, now: float, spaces: int = 1) -> float:
    """Return the brightness (0 to 1) of a rhythm at `now` on space number `place` of a cue's `spaces`."""
    # A travelling light reaches each space one step later.
    step = now * 1000 / rhythm.step_ms - (place if rhythm.travel else 0)
    # A lap ends when the light has left the last space.
    lap = len(rhythm.levels) + (spaces - 1 if rhythm.laps else 0)
    full_steps = floor(step)
    here = _step(rhythm, full_steps % lap)
    # Levels are digits, so 9 is full brightness.
    if not rhythm.smooth:
        return here / 9
    there = _step(rhythm, (full_steps + 1) % lap)
    return (here + (there - here) * (step - full_steps)) / 9


def _step(rhythm: Rhythm, step: int) -> int:
    """Return a level of a rhythm. A rhythm with `laps` stays at its last level until the lap is over."""
    return int(rhythm.levels[min(step, len(rhythm.levels) - 1)])


def _next_change(rhythm: Rhythm, now: float) -> float | None:
    """Return when a rhythm changes next, or None."""
    if rhythm.steady:
        return None
    if rhythm.smooth:
        return now + FRAME_SECONDS
    # At most 60 times a second: faster steps cannot be seen, and cost a small computer time.
    length = rhythm.step_ms / 1000
    return max((floor(now / length) + 1) * length, now + FRAME_SECONDS)
