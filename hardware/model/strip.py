"""The wire of a NeoPixel strip: the bytes that the real library sends, and the colours that a strip makes of them."""

from __future__ import annotations

from typing import Any

from hardware.ports import Frame


class NeopixelWire:
    """Takes the place of `neopixel.neopixel_write`. `sent`: the bytes of the last picture; `fault` breaks the wire."""

    def __init__(self) -> None:
        self.sent = b""
        self.pictures = 0
        self.fault: Exception | None = None

    def write(self, _: Any, buffer: bytes) -> None:
        """See `neopixel_write.neopixel_write`."""
        if self.fault is not None:
            raise self.fault
        self.sent = bytes(buffer)
        self.pictures += 1

    def colours(self, order: str) -> Frame:
        """What a strip of this colour order shows; its white shines in all three colours."""
        lamps = [self.sent[start : start + len(order)] for start in range(0, len(self.sent), len(order))]
        white = order.find("W")
        red, green, blue = (order.index(letter) for letter in "RGB")
        shown = [(lamp, lamp[white] if white >= 0 else 0) for lamp in lamps]
        return tuple((lamp[red] + more, lamp[green] + more, lamp[blue] + more) for lamp, more in shown)
