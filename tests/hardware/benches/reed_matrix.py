"""The bench of the matrix: two rows of three contacts with diodes."""

from __future__ import annotations

from pathlib import Path

from gpiozero import Device

from tests.hardware.benches import Blank, is_scanned, make_context, opened
from tests.hardware.model.pins import PinHeader
from tests.hardware.model.reeds import Reeds
from tests.hardware.states import Told

ROWS, COLUMNS = (4, 5), (16, 17, 18)


class Bench(Blank):
    """Six contacts."""

    def __init__(self, folder: Path) -> None:
        self.states = Told()
        self.reeds = Reeds(ROWS, COLUMNS)
        Device.pin_factory = self._header = PinHeader(self.reeds)
        context = make_context(folder, self.states)
        self.parts = opened("reed_matrix", context, rows=ROWS, columns=COLUMNS, rate=2000)

    def touch(self, sensor: int, down: bool) -> None:
        """Move a contact and wait for four readings: one may be in progress, and each is reported during the next."""
        self.reeds.touch(sensor, down)
        if is_scanned():
            assert self.reeds.wait_for_sweeps(4), "the matrix is not read any more"

    def close(self) -> None:
        """Close the header."""
        super().close()
        self._header.reset()
        Device.pin_factory = None
