"""A desk with Picos and hosts: the driver of the board as the daemon uses it, and everything closed at the end."""

from __future__ import annotations

import queue
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from hardware.drivers.board_link import LinkLamps, LinkSensors
from hardware.link.line import SerialLine
from hardware.ports import Edge, Frame
from tests.hardware.benches import make_context, opened
from tests.hardware.pico import Pico
from tests.patience import PATIENCE


class Host:
    """The driver as the daemon uses it, and its reports; every wait is for an event."""

    def __init__(self, folder: Path, name: str, **settings: Any) -> None:
        folder.mkdir(exist_ok=True)
        self.said: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.felt: queue.SimpleQueue[Edge] = queue.SimpleQueue()
        site = make_context(folder, [], settings.pop("count", 6), time.monotonic)
        site = replace(site, report_state=self.said.put, miniatures=(), has_sensors=settings.pop("has_sensors", True))
        parts = opened("board_link", site, port=name, **settings)
        assert isinstance(parts.sensors, LinkSensors)
        assert isinstance(parts.lamps, LinkLamps)
        self.sensors, self.lamps = parts.sensors, parts.lamps

    def start(self) -> None:
        self.sensors.start(lambda note: self.felt.put(note) if isinstance(note, Edge) else None)

    def edge(self) -> tuple[int, bool]:
        """Return the next edge."""
        edge = self.felt.get(timeout=PATIENCE)
        return edge.sensor, edge.down

    def state(self) -> str | None:
        """Return the next state."""
        return self.said.get(timeout=PATIENCE)

    def show(self, frame: Frame) -> None:
        """Show a picture and wait until the board has it."""
        self.lamps.show(frame)
        assert self.line.wait(lambda session: session.agreed, PATIENCE)

    @property
    def line(self) -> SerialLine:
        line = self.sensors.link.line
        assert line is not None
        return line

    def stop(self) -> None:
        self.sensors.stop()
        self.lamps.stop()


class Desk:
    """Picos and hosts, each with its files in a folder of its own."""

    def __init__(self, folder: Path, ends: ExitStack) -> None:
        self.folder, self._ends = folder, ends

    def pico(self, name: str = "pico", **given: Any) -> Pico:
        found = Pico(self.folder / name, **given)
        self._ends.callback(found.unplug)
        return found

    def host(self, port: str, state: str = "state", **settings: Any) -> Host:
        host = Host(self.folder / state, port, **settings)
        self._ends.callback(host.stop)
        return host
