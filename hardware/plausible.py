"""How much people can do at once: where more sensors are down together, it is a fault of the wiring."""

from __future__ import annotations

from hardware.ports import Sentence

FEW, SHARE = 24, 4
"""So many sensors may be down together, or that part of all. A game has a dozen miniatures."""


def disbelief(bitmap: int, sensors: int) -> Sentence | None:
    """Why this cannot be, where more sensors are down than people can have covered."""
    count = bitmap.bit_count()
    if count <= max(FEW, sensors // SHARE):
        return None
    return Sentence(
        "{count} sensors say at once that something stands on them. That is no miniature's doing: check the chain's "
        "power, its CLOCK and its LOAD. The sensors are not believed meanwhile.",
        count=count,
    )
