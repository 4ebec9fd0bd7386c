"""A stand-in for missing hardware: it accepts every call and does nothing.

The code that uses it reports the reason.
"""

from __future__ import annotations

from typing import Any

from hardware.ports import Frame


class AbsentBoard:
    """`count` sensors and lamps that don't exist (`ports.Sensors` and `ports.Lamps`)."""

    def __init__(self, count: int) -> None:
        self.count = count

    def start(self, report: Any) -> None:
        """Report nothing."""

    def show(self, frame: Frame) -> None:
        """Ignore the frame. Raises `ValueError` if its length is not `count`."""
        if len(frame) != self.count:
            raise ValueError(f"A frame of {len(frame)} colours was given to {self.count} lamps.")

    def stop(self) -> None:
        """Do nothing."""
