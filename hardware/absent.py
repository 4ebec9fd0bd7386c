"""Hardware that is not there: it takes everything and does nothing. Whoever puts it in says why."""

from __future__ import annotations

from typing import Any

from hardware.ports import Frame


class AbsentBoard:
    """No sensors and no lamps, `count` of each (`ports.Sensors` and `ports.Lamps`)."""

    def __init__(self, count: int) -> None:
        self.count = count

    def start(self, report: Any) -> None:
        """See `ports.Sensors`."""

    def show(self, frame: Frame) -> None:
        """See `ports.Lamps`."""
        if len(frame) != self.count:
            raise ValueError(f"A frame of {len(frame)} colours was given to {self.count} lamps.")

    def stop(self) -> None:
        """See `ports.Sensors` and `ports.Lamps`."""
