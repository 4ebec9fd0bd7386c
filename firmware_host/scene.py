"""What the lamps show: the public cues, the hint and the time become one frame. Pure; it holds no rules, no truth.

It lights only spaces that a cue, a hint or the reach of a lifted piece names. Colours are in `PALETTES`, what each
cue looks like in `LIGHTS`: a role (colour) and a rhythm, so that no meaning hangs on the colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.game import Cue
from firmware_host.hints import Hint
from hardware.ports import DARK, Frame


class Look(Struct, frozen=True):
    """How the lamps are to look: a palette's name, brightness 0 to 1, and what the strip may draw in mA."""

    palette: str = "night"
    brightness: float = 1.0
    limit_ma: float = 2000.0


def paint(
    cues: Sequence[Cue],
    hint: Hint | None,
    left: Sequence[str],
    reach: Sequence[str],
    lamps_of: Sequence[str | None],
    now: float,
    look: Look,
) -> Frame:
    """The frame at `now` (seconds).

    `left` are the spaces that the miniatures in the air have left, `reach` those where they may be set down, and
    `lamps_of` says for each lamp, in lamp order, over which space it shines (None: over none).
    """
    return (DARK,) * len(lamps_of)


def next_change(
    cues: Sequence[Cue], hint: Hint | None, left: Sequence[str], reach: Sequence[str], now: float
) -> float | None:
    """When the picture can next differ from the one at `now`, at most 60 times a second; None while all is steady."""
    return None
