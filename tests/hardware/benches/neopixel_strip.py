"""The bench of the strip: the real NeoPixel class, and what it sends on the wire."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hardware.model.strip import NeopixelWire
from hardware.ports import Frame
from tests.hardware.benches import Blank, make_context, opened
from tests.hardware.states import Told


def libraries() -> tuple[Any, Any]:
    """The vendor's `board` and `neopixel`, on a computer without pins."""
    os.environ["BLINKA_OS_AGNOSTIC"] = "1"
    import board
    import neopixel

    return board, neopixel


class Bench(Blank):
    """Six lamps, green first, as most strips have it."""

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
        """What a strip would show."""
        return self.wire.colours(self._order)

    def close(self) -> None:
        """Unplug."""
        super().close()
        self._unplug()

    def _unplug(self) -> None:
        self._neopixel.neopixel_write = self._write
        del self._board.D10
