"""Install the firmware on a Pico that runs MicroPython, file by file through its REPL.

Each step is printed. A file is written under another name, checked, and then renamed. `main.py`, which starts by
itself, is written last. The board's own `config.py`, which describes the wiring, is kept unless another one is given.
In both cases it is checked before anything is written. At the end the board must send its hello; if it doesn't, its
output is shown.
"""

from __future__ import annotations

import ast
import contextlib
import time
from base64 import b64decode
from binascii import crc32
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardware.link.messages import Hello
from hardware.link.port import FAILURES, BoardFailed, open_port, wait_for_hello
from hardware.ports import HardwareFault

SPI = {0: {"DATA": (0, 4, 16, 20), "CLOCK": (2, 6, 18, 22), "UNUSED": (3, 7, 19)}}
SPI[1] = {"DATA": (8, 12, 28), "CLOCK": (10, 14, 26), "UNUSED": (11, 15, 27)}
"""Port -> the pins that `CHAIN_…` may use (RP2040 data sheet, table "GPIO functions")."""
HEADER = frozenset({*range(23), 26, 27, 28})
ADC = frozenset({26, 27, 28, 29})  # GP29 measures VSYS on the Pico
PINS = ("CHAIN_CLOCK", "CHAIN_DATA", "CHAIN_LOAD", "CHAIN_UNUSED", "STRIP_PIN")
BOUNDS = {"SENSORS": (1, 1024), "LAMPS": (1, 668), "CHAIN_SPI": (0, 1), "CHAIN_HZ": (10_000, 10_000_000)}
BOUNDS |= {"LIMIT_MA": (1, 65535), "SUPPLY_LOW_MV": (0, 6000)}
FLAGS = ("DOWN_IS_LOW",)
MEASURED = ("SUPPLY_PIN",)
"""May be None if nothing is measured."""
NEWER = ("LAMP_SUPPLY_PIN",)
"""May be None too; the config.py of an older board doesn't set it."""
CHIPS = ("WS2812", "WS2811")
"""Values of `STRIP_CHIP`, which the config.py of an older board doesn't set: `hardware/pico/strip.py` knows both."""


def config_values(text: str) -> dict[str, Any]:
    """Return the names that a config.py sets to a plain value.

    Raises `SyntaxError` and `ValueError` if the text is not Python.
    """
    values: dict[str, Any] = {}
    for line in ast.parse(text).body:
        if isinstance(line, ast.Assign) and len(line.targets) == 1 and isinstance(line.targets[0], ast.Name):
            try:
                values[line.targets[0].id] = ast.literal_eval(line.value)
            except (ValueError, TypeError):
                # Not a plain value: `faults` reports it.
                values[line.targets[0].id] = ...
    return values


def config_faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield a message for each error in these values."""
    for name in (*PINS, *BOUNDS, *FLAGS, *MEASURED):
        if name not in config:
            yield f"{name} is missing: write it as in the shipped config.py."
        elif config[name] is ...:
            yield f"{name} has to be a plain value."
        else:
            yield from _value_faults(name, config[name])
    for name in NEWER:
        yield from _value_faults(name, config.get(name))
    if config.get("STRIP_CHIP", CHIPS[0]) not in CHIPS:
        yield f"STRIP_CHIP is one of {', '.join(CHIPS)}, not {config['STRIP_CHIP']!r}."
    yield from _port_faults(config)
    yield from _doubled_pins(config)


def _value_faults(name: str, value: Any) -> Iterator[str]:
    if name in FLAGS:
        if not isinstance(value, bool):
            yield f"{name} is True or False, not {value!r}."
    elif name in (*MEASURED, *NEWER):
        if value is not None and value not in ADC:
            yield f"{name}: {value!r} cannot measure; GP26 to GP29 can. None measures nothing."
    elif type(value) is not int:
        yield f"{name} is a whole number, not {value!r}."
    elif name in BOUNDS:
        low, high = BOUNDS[name]
        if not low <= value <= high:
            yield f"{name}: {value} is not between {low} and {high}."
    elif value not in HEADER:
        yield f"{name}: a Pico has no pin GP{value}."


def _port_faults(config: Mapping[str, Any]) -> Iterator[str]:
    port = config.get("CHAIN_SPI")
    for part, possible in SPI.get(port if type(port) is int else -1, {}).items():
        pin = config.get(f"CHAIN_{part}")
        if type(pin) is int and pin in HEADER and pin not in possible:
            names = ", ".join(f"GP{pin}" for pin in possible)
            yield f"CHAIN_{part}: GP{pin} is no such pin of SPI{port}; there are {names}."


def _doubled_pins(config: Mapping[str, Any]) -> Iterator[str]:
    owners: dict[int, str] = {}
    for name in (*PINS, *MEASURED, *NEWER):
        pin = config.get(name)
        if type(pin) is int and pin in owners:
            yield f"{name}: GP{pin} is already that of {owners[pin]}."
        elif type(pin) is int:
            owners[pin] = name


if TYPE_CHECKING:
    from serial import Serial

FIRMWARE = Path(__file__).resolve().parent.parent / "pico"
CONFIG, MAIN = "config.py", "main.py"
KNOCK = b"\0\x03\x03 sniperboard: open the REPL \x03\x03\0"
"""Ends the running firmware and opens the REPL."""
ANSWER_WITHIN = 5.0
"""Seconds within which the Pico must answer."""
WAKE_WITHIN = 15.0
"""Seconds within which a board must send its hello after a restart."""
REST = 0.1
TRIES = 10
PIECE = 192
"""Bytes of a file sent at once: few enough for a Pico's input buffer."""

PREPARE, OPEN_RAW, RUN = b"\r\x03\x03", b"\r\x01", b"\x04"
GREETING = b"raw REPL; CTRL-B to exit\r\n>"

ASK_VERSION = """import sys
try:
 import micropython, rp2
 print('.'.join(map(str, sys.implementation[1][:3])), hasattr(rp2, 'DMA') and hasattr(micropython, 'RingIO'))
except ImportError: print()"""
SUM = "sum = 0\nwhile True:\n b = f.read(512)\n if not b: break\n sum = binascii.crc32(b, sum)\nf.close()\nprint(sum)"

ERASE = (
    "Pull the cable, hold the Pico's BOOTSEL button while you plug it in again, and copy flash_nuke.uf2 "
    "(raspberrypi.com, “Resetting flash memory”) onto the drive that appears: it erases everything. Then copy "
    "MicroPython there in the same way, and run the command again with --config and your config.py."
)
"""How to recover a board that doesn't answer."""

Say = Callable[[str], None]


def firmware_files(config: Path | None = None) -> dict[str, bytes]:
    """Return the firmware files by name. `config` replaces the shipped `config.py`. Raises `HardwareFault`."""
    files = {file.name: file.read_bytes() for file in sorted(FIRMWARE.glob("*.py"))}
    if config is not None:
        try:
            files[CONFIG] = config.read_bytes()
        except OSError as error:
            raise HardwareFault(f"{config}: cannot be read ({error.strerror}).") from error
    check_config(files[CONFIG], str(config or CONFIG))
    return files


def check_config(config: bytes, name: str) -> None:
    """Check that a board can run with this config.py. Raises `HardwareFault`.

    `name` is the file's location, for the error message.
    """
    try:
        faults = list(config_faults(config_values(config.decode())))
    except (SyntaxError, ValueError) as error:
        raise HardwareFault(f"{name}: this is not valid Python ({error}). Fix it first.") from error
    if faults:
        raise HardwareFault("\n".join(f"{name}: {fault}" for fault in faults) + "\nNothing was written.")


def flash(
    name: str, files: Mapping[str, bytes], keep_config: bool, say: Say, find: Callable[[], str] | None = None
) -> None:
    """Write these files to the Pico at port `name`. `find` finds the port again after the restart.

    Raises `HardwareFault`.
    """
    say(f"Opening {name}.")
    with open_port(name) as port:
        try:
            repl = Repl(port)
            say("Asking the Pico for its REPL.")
            repl.enter()
            say(f"It runs MicroPython {repl.version()}.")
            _copy(repl, files, keep_config, say)
            say("Restarting the board.")
            repl.restart()
        except FAILURES as error:
            raise HardwareFault(
                f"{name}: the connection broke ({error}). Plug the Pico in again and run the command again: "
                "a file that was half written is not in use."
            ) from error
    say("Waiting for the board to answer.")
    hello = _first_words(find or (lambda: name))
    say(f"Board {hello.identity} runs firmware {hello.version}, {hello.sensors} sensors and {hello.lamps} lamps.")
    say("Done. After five seconds without a table, its lamps slowly pulse white.")


def _first_words(find: Callable[[], str]) -> Hello:
    """Return the board's hello after its restart. If it sends something else, raises `HardwareFault` with that
    output."""
    until, name = time.monotonic() + WAKE_WITHIN, ""
    while time.monotonic() < until:
        try:
            name = find()
            with open_port(name) as port:
                if (hello := wait_for_hello(port, until)) is not None:
                    return hello
        except BoardFailed as failure:
            raise HardwareFault(
                f"{failure}\nThe files are written. If that names config.py or a pin, fix your config.py and "
                f"run the command again. Otherwise: {ERASE}"
            ) from failure
        except (HardwareFault, *FAILURES):  # the port disappears and reappears with the Pico
            time.sleep(REST)
    raise HardwareFault(f"{name}: the files are written, but the board does not answer. {ERASE}")


def _copy(repl: Repl, files: Mapping[str, bytes], keep_config: bool, say: Say) -> None:
    # A Pico that was flashed before has a config.py that describes its own soldering.
    there = repl.names()
    # Check the config.py before anything is written.
    if CONFIG in there and keep_config:
        check_config(repl.get(CONFIG), f"the Pico's own {CONFIG}")
    # `main.py` starts by itself, so it is written last.
    for name in sorted(files, key=lambda name: (name == MAIN, name)):
        if name == CONFIG and keep_config and name in there:
            say(f"Keeping the Pico's own {name}, which says what is soldered.")
            continue
        say(f"Writing {name} ({len(files[name])} bytes).")
        repl.put(name, files[name])


class Repl:
    """MicroPython's raw REPL on a serial port."""

    def __init__(self, port: Serial) -> None:
        self._port = port
        self._begun = b""

    def enter(self) -> None:
        """Interrupt the running program, including the firmware. Raises `HardwareFault`."""
        for _ in range(TRIES):
            # KNOCK ends the firmware; Ctrl-C ends any other program.
            self._write(KNOCK)
            self._write(PREPARE + OPEN_RAW)
            if self._read_until(GREETING, ANSWER_WITHIN / TRIES) is not None:
                return
        raise HardwareFault(
            f"{self._port.name}: no MicroPython answers. If the Pico is new, hold its BOOTSEL button while you plug it "
            "in, and copy MicroPython for the Pico (a file ending in .uf2, from micropython.org) onto the drive that "
            f"appears. If a table is running, stop it first. If it is not new and never answers: {ERASE}"
        )

    def version(self) -> str:
        """Return the MicroPython version. Raises `HardwareFault` if it is too old, or if the device is not a Pico."""
        # RingIO and rp2.DMA exist since MicroPython 1.24, so test for them, not for a number.
        version, _, new_enough = self.run(ASK_VERSION).partition(" ")
        if version and new_enough != "True":
            raise HardwareFault(
                f"{self._port.name}: MicroPython {version} is too old: it has no rp2.DMA or no RingIO. Copy version "
                "1.24 or newer onto the Pico (hold BOOTSEL while you plug it in). Nothing was written."
            )
        if not version:
            raise HardwareFault(
                f"{self._port.name}: MicroPython runs there, but not on a Pico. Choose another port with --port."
            )
        return version

    def names(self) -> set[str]:
        return set(self.run("import os\nprint('\\n'.join(os.listdir()))").split())

    def get(self, name: str) -> bytes:
        output = self.run(f"import binascii\nprint(binascii.b2a_base64(open({name!r}, 'rb').read()).decode())")
        return b64decode(output)

    def put(self, name: str, data: bytes) -> None:
        """Write a file under a temporary name, check it, then rename it. Raises `HardwareFault`."""
        draft = name + ".new"
        self.run(f"import os, binascii\nf = open({draft!r}, 'wb')")
        for at in range(0, len(data), PIECE):
            self.run(f"f.write({data[at : at + PIECE]!r})")
        # Compare the checksum of the stored file, not of the data that was sent.
        if self.run(f"f.close()\nf = open({draft!r}, 'rb')\n{SUM}") != str(crc32(data)):
            raise HardwareFault(
                f"{name} was not written completely. Run the command again; the old file is still in use."
            )
        self.run(f"os.rename({draft!r}, {name!r})")

    def restart(self) -> None:
        """Restart the Pico as after power-on. It sends no answer."""
        # After the reset nothing answers; `_first_words` opens the port again.
        with contextlib.suppress(*FAILURES):  # the port disappears with the Pico
            self._write(b"import machine\nmachine.reset()" + RUN)

    def run(self, program: str) -> str:
        """Run a few lines of Python and return what they print. Raises `HardwareFault`."""
        self._write(program.encode() + RUN)
        # The raw REPL answers OK, the output, 04, the error message, 04 and >.
        accepted = self._read_until(b"OK", ANSWER_WITHIN)
        output = None if accepted is None else self._read_until(b"\x04", ANSWER_WITHIN)
        wrong = None if output is None else self._read_until(b"\x04>", ANSWER_WITHIN)
        if output is None or wrong is None:
            raise HardwareFault(
                f"{self._port.name}: the Pico stopped answering. Plug it in again and run the command again."
            )
        if wrong:
            last = wrong.decode("utf-8", "replace").strip().splitlines()[-1]
            raise HardwareFault(
                f"{self._port.name}: the Pico refused ({last}). If its memory is full, delete what you do not need."
            )
        return output.decode("utf-8", "replace").strip()

    def _write(self, data: bytes) -> None:
        self._port.write(data)
        self._port.flush()

    def _read_until(self, end: bytes, seconds: float) -> bytes | None:
        """Return the data before `end`, or None if `end` doesn't arrive within `seconds`."""
        until = time.monotonic() + seconds
        self._port.timeout = 0.02
        while end not in self._begun:
            if time.monotonic() > until:
                return None
            # What follows `end` stays in `_begun` for the next call.
            self._begun += self._port.read(max(1, self._port.in_waiting))
        before, _, self._begun = self._begun.partition(end)
        return before
