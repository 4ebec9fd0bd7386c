"""The host's side: the project's own session at an emulated Pico, in emulated time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hardware.link import messages
from hardware.link.frames import FrameReader
from hardware.link.messages import Tuning
from hardware.link.session import Session
from hardware.ports import Edge, Frame
from tests.hardware.pico import FIRMWARE

if TYPE_CHECKING:
    from tests.emulator.pico import EmulatedPico

TURN = 0.001
"""How often the host looks whether it has something to send, in seconds."""


def firmware(sensors: int, lamps: int, **config: object) -> dict[str, bytes]:
    """Return the firmware's files, with these values in config.py."""
    files = {file.name: file.read_bytes() for file in FIRMWARE.glob("*.py")}
    text = files["config.py"].decode()
    for name, value in {"SENSORS": sensors, "LAMPS": lamps, **config}.items():
        text = re.sub(rf"^{name} = .*", f"{name} = {value!r}", text, flags=re.MULTILINE)
    return files | {"config.py": text.encode()}


class Host:
    """A host that has the board's port open. Times are emulated seconds."""

    def __init__(self, pico: EmulatedPico, sensors: int, lamps: int, order: str = "GRB") -> None:
        self.pico, self.sensors, self.lamps = pico, sensors, lamps
        self.edges: list[tuple[float, int, bool]] = []
        """When each edge arrived, its sensor, and whether it is down."""
        self.senses: list[float] = []
        self.sent: list[bytes] = []
        self.text = b""
        """What the board said, whatever it is."""
        self._reader = FrameReader()
        self._talks = True
        self._alarm = pico.clock.create_alarm(self._turn)
        self.session = Session(sensors, lamps, Tuning(order=order), lambda _: None, pico.now)
        pico.cable.heard = self._hear
        self.attend()

    def attend(self) -> None:
        """Open the port, and converse from now on."""
        self._talks = True
        self.session.open(self.pico.now)
        self.pico.cable.open(True)
        self._turn()

    def leave(self) -> None:
        """Say nothing more, but keep the port open."""
        self._talks = False

    def meet(self, seconds: float = 5.0) -> None:
        """Wait until the board has identified itself, and everything is in force."""
        assert self.pico.until(lambda: self.session.agreed and self.session.known, seconds), self.text[-500:]

    def feels(self, sensor: int, down: bool) -> float:
        """Put something on a sensor, or take it away. Return the seconds until the host knows."""
        since, count = self.pico.now, len(self.edges)
        self.pico.chain.touch(sensor, down)
        assert self.pico.until(lambda: len(self.edges) > count, 1)
        at, *edge = self.edges[-1]
        assert edge == [sensor, down]
        return at - since

    def shows(self, picture: Frame) -> None:
        """Show a picture and wait until it is in force."""
        self.session.show(picture, self.pico.now)
        self._turn()
        assert self.pico.until(lambda: self.session.agreed, 2)

    def fault(self, seconds: float = 0.5) -> str:
        """Return the fault that the board reports within these seconds, once it stays the same."""
        self.pico.until(lambda: self.session.fault is not None, seconds)
        self.pico.run(0.11)
        return str(self.session.fault)

    def _hear(self, data: bytes) -> None:
        now = self.pico.now
        self.text = (self.text + data)[-20_000:]
        for body in self._reader.feed(data):
            if isinstance(messages.parse_message(body, self.sensors), messages.Sense):
                self.senses.append(now)
        notes = self.session.receive(data, now)
        self.edges += ((now, note.sensor, note.down) for note in notes if isinstance(note, Edge))
        self._turn()

    def _turn(self) -> None:
        if not self._talks:
            return
        if out := self.session.due(self.pico.now):
            self.sent.append(out)
            self.pico.cable.send(out)
        self._alarm.schedule(TURN * 1e9)
