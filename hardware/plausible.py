"""Plausibility of sensor readings: too many sensors down together mean a wiring error."""

from __future__ import annotations

from hardware.ports import Sentence

FEW, SHARE = 24, 4
"""Up to this many sensors, or this fraction of all (1/SHARE), may be down together.

A game has a dozen miniatures.
"""


def disbelief(bitmap: int, sensors: int) -> Sentence | None:
    """Return a message if more sensors are down than people can have covered, else None."""
    count = bitmap.bit_count()
    if count <= max(FEW, sensors // SHARE):
        return None
    return Sentence(
        "{count} sensors say at once that something stands on them. That is no miniature's doing: check the chain's "
        "power, its CLOCK and its LOAD. The sensors are not believed meanwhile.",
        count=count,
    )
