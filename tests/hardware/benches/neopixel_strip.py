"""The bench of the strip: the real NeoPixel class, and what it sends on the wire."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hardware.ports import Frame
from tests.hardware.benches import Blank, make_context, opened
from tests.hardware.states import Told


def libraries() -> tuple[Any, Any]:
    """Return the vendor's `board` and `neopixel`, on a computer without pins."""
    os.environ["BLINKA_OS_AGNOSTIC"] = "1"
    import board
    import neopixel

    return board, neopixel


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


class Bench(Blank):
    """Six lamps in the order green, red, blue, like most strips."""

    def __init__(self, folder: Path, count: int = 6, **options: Any) -> None:
        self.states = Told()
        self.wire = NeopixelWire()
        self._board, self._neopixel = libraries()
        self._write = self._neopixel.neopixel_write
        self._order = options.get("order", "GRB")
        self._board.D10, self._neopixel.neopixel_write = self._board.NEOPIXEL, self.wire.write
        try:
            self.parts = opened("neopixel_strip", make_context(folder, self.states, count), **options)
        except BaseException:
            self._unplug()
            raise

    def seen(self) -> Frame:
        """Return what a strip would show."""
        return self.wire.colours(self._order)

    def close(self) -> None:
        """Stop the parts and restore the libraries."""
        super().close()
        self._unplug()

    def _unplug(self) -> None:
        self._neopixel.neopixel_write = self._write
        del self._board.D10
