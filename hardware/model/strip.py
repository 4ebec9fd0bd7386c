"""A model of a NeoPixel strip: it takes the real library's bytes and returns the colours shown."""

from __future__ import annotations

from typing import Any

from hardware.ports import Frame


class NeopixelWire:
    """Replaces `neopixel.neopixel_write`.

    `sent` holds the bytes of the last picture. Set `fault` to simulate a broken wire.
    """

    def __init__(self) -> None:
        self.sent = b""
        self.pictures = 0
        self.fault: Exception | None = None

    def write(self, _: Any, buffer: bytes) -> None:
        """Record the bytes (`neopixel_write.neopixel_write`). Raises `fault` if it is set."""
        if self.fault is not None:
            raise self.fault
        self.sent = bytes(buffer)
        self.pictures += 1

    def colours(self, order: str) -> Frame:
        """Return what a strip of this colour order shows. Its white is added to all three colours."""
        lamps = [self.sent[start : start + len(order)] for start in range(0, len(self.sent), len(order))]
        white = order.find("W")
        red, green, blue = (order.index(letter) for letter in "RGB")
        shown = [(lamp, lamp[white] if white >= 0 else 0) for lamp in lamps]
        return tuple((lamp[red] + more, lamp[green] + more, lamp[blue] + more) for lamp, more in shown)
