"""Ready-made modules with an MCP23017 on a Raspberry Pi's I²C bus, sixteen sensors each.

It uses Adafruit's library adafruit-circuitpython-mcp230xx.

Wiring: SDA and SCL of all modules to GPIO 2 and 3, 3.3 V, ground; each module has another address (jumpers A0 to A2, so
at most eight on a bus). A contact connects its input to ground; the chip has pull-ups. Sensor 16k + j is input j of
module k: GPA0 to GPA7, then GPB0 to GPB7. Optionally the modules' INTA, joined, go to `interrupt_pin`: then they are
read when something has changed, and every half second.

Microchip's data sheet of 2022 (DS20001952, revision D) names GPA7 and GPB7 as outputs only: an input that changes while
its bit is on the bus may spoil that one transfer. So a reading that differs from the previous one is used only if a
second reading agrees.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence
from typing import Any

from engine.text import Text
from hardware.drivers import DriverContext, DriverKind, DriverOption, Needs, OpenedParts, _gpio
from hardware.drivers._scanning import RATE, ScannedSensors
from hardware.ports import HardwareFault

MODULE_INPUTS = 16
FIRST_ADDRESS = 0x20
MOST_ON_A_BUS = 8
ALL_INPUTS = 0xFFFF
MIRRORED_OPEN_DRAIN = 0x44
"""IOCON: INTA signals both halves, and is an open-drain output that can be joined with other chips'."""
BUS_PINS = {0: (0, 1), 1: (2, 3)}
"""The GPIOs of the buses with fixed pins."""
RECHECK_AFTER = 0.5
"""Seconds without an interrupt after which all modules are read nevertheless."""

MISSING = Text(
    "The library of the sensor modules is missing ({error}). Install it: sudo make install "
    'ARGS="--with gpio mcp23017" in the project\'s folder (without the service: pip install '
    "adafruit-circuitpython-mcp230xx)."
)
NO_BUS = Text(
    "The I²C bus {bus} cannot be opened ({error}). Switch I²C on (sudo raspi-config nonint do_i2c 0, then restart), "
    "and add the user to the group that owns it (sudo adduser USER i2c; log in again)."
)
TOO_FEW = Text(
    "{modules} sensor modules fit on the buses {buses}, and this map needs {count}. Name another bus in `buses`."
)
SILENT = Text(
    "No sensor module answers on I²C bus {bus}. Check 3.3 V, ground, SDA (GPIO 2) and SCL (GPIO 3), and that no two "
    "wires are exchanged."
)
LOST = Text(
    "Sensor module {number} (address {address} on I²C bus {bus}) does not answer. Check its cable and its jumpers A0 "
    "to A2; each module on a bus has another address."
)
RESET = Text(
    "Sensor module {number} (address {address} on I²C bus {bus}) has lost its settings, so its power was cut for a "
    "moment. Check its power wires. It is set up again."
)


class ExpanderModules:
    """The opened modules (`_scanning.Scanner`), as many as `count` sensors need."""

    def __init__(self, options: Mapping[str, Any], count: int) -> None:
        """Raises `HardwareFault`."""
        self._count = count
        self._modules = (count + MODULE_INPUTS - 1) // MODULE_INPUTS
        self._flip = ALL_INPUTS if options["active_low"] else 0
        self._buses: dict[int, Any] = {}
        self._chips: list[Any] = []
        self._seen: list[int] = []
        # The module whose settings are checked at the next reading.
        self._turn = 0
        self._rest = self._idle = int(RECHECK_AFTER * options["rate"])
        self._interrupt: Any = None
        self.doubt: str | None = None
        numbers = [*dict.fromkeys(options["buses"])]  # a bus may be named twice
        room = MOST_ON_A_BUS * len(numbers)
        if self._modules > room:
            names = ", ".join(map(str, numbers))
            raise HardwareFault(TOO_FEW.with_(modules=room, buses=names, count=self._modules))
        try:
            self._open(numbers, options["interrupt_pin"])
        except HardwareFault:
            self.close()
            raise

    def _open(self, numbers: Sequence[int], interrupt_pin: int) -> None:
        # Open only the buses that are needed: the others may not exist on this machine.
        for number in numbers[: (self._modules - 1) // MOST_ON_A_BUS + 1]:
            self._buses[number] = _open_bus(number)
        for number in range(self._modules):
            self._chips.append(self._open_chip(number))
        if interrupt_pin >= 0:
            with _gpio.library_errors(Text("The interrupt line of the sensor modules")):
                from gpiozero import InputDevice

                # INTA is an open drain output: it pulls the line low, and the pull-up raises it again.
                self._interrupt = InputDevice(interrupt_pin, pull_up=True, pin_factory=_gpio.pin_factory())

    def _place(self, number: int) -> tuple[int, int]:
        """Return a module's bus and address."""
        return [*self._buses][number // MOST_ON_A_BUS], FIRST_ADDRESS + number % MOST_ON_A_BUS

    def _open_chip(self, number: int) -> Any:
        from adafruit_mcp230xx.mcp23017 import MCP23017

        bus, address = self._place(number)
        try:
            chip = MCP23017(self._buses[bus], address)
            self._set_up(chip)
        except (OSError, ValueError) as error:  # the library's probe raises ValueError
            raise HardwareFault(self._diagnosis(number)) from error
        return chip

    def _set_up(self, chip: Any) -> None:
        chip.iodir = chip.gppu = ALL_INPUTS
        chip.io_control = MIRRORED_OPEN_DRAIN
        chip.interrupt_configuration = 0  # compared with the reading before
        chip.interrupt_enable = ALL_INPUTS

    def _is_set_up(self, chip: Any) -> bool:
        return bool(chip.gppu == ALL_INPUTS == chip.iodir)

    def read(self) -> int:
        if not self._seen or self._must_look():
            # Before the first reading, use the idle state, which is an empty board.
            before = self._seen or [self._flip] * self._modules
            self._turn = (self._turn + 1) % self._modules
            self._rest = 0  # after a fault, read again although no module has signalled a change
            self._seen = [self._look(number, before[number]) for number in range(self._modules)]
            self._rest = self._idle
        # The last module has more inputs than the map has sensors; the mask removes the rest.
        down = sum((word ^ self._flip) << MODULE_INPUTS * number for number, word in enumerate(self._seen))
        return down & ((1 << self._count) - 1)

    def _must_look(self) -> bool:
        """Return whether to read the modules now: always without an interrupt line."""
        self._rest -= 1
        return self._interrupt is None or self._interrupt.is_active or self._rest <= 0

    def _look(self, number: int, before: int) -> int:
        """Return one module's inputs. Each reading checks the settings of one module. Raises `HardwareFault`."""
        chip = self._chips[number]
        try:
            word: int = chip.gpio
            # A module that lost power has no pull-ups, so its floating inputs look like random pieces. So a change is
            # accepted only if the module still has its configuration.
            if (number == self._turn or word != before) and not self._is_set_up(chip):
                self._set_up(chip)
                raise HardwareFault(RESET.with_(**self._name(number)))
            # A changed input may be a disturbed transfer, so two readings must agree.
            return word if word == before or word == chip.gpio else before
        except OSError as error:
            raise HardwareFault(self._diagnosis(number)) from error

    def _name(self, number: int) -> dict[str, str | int]:
        bus, address = self._place(number)
        return {"number": number + 1, "address": f"0x{address:02x}", "bus": bus}

    def _diagnosis(self, number: int) -> Text:
        """Return the message if a module does not answer: about the module, or about its whole bus."""
        bus, address = self._place(number)
        # If any other module answers, the bus is fine and the fault is this module's.
        for other in range(FIRST_ADDRESS, FIRST_ADDRESS + MOST_ON_A_BUS):
            try:
                self._buses[bus].readfrom_into(other, bytearray(1))
            except OSError as error:
                # SDA or SCL is held low. Each attempt takes a second, and the table may wait for this.
                if error.errno == errno.ETIMEDOUT:
                    break
                continue
            if other != address:
                return LOST.with_(**self._name(number))
        return SILENT.with_(bus=bus)

    def close(self) -> None:
        for bus in self._buses.values():
            bus._i2c_bus.close()
        if self._interrupt is not None:
            self._interrupt.close()
        self._buses, self._chips, self._interrupt = {}, [], None


def _open_bus(number: int) -> Any:
    """Return a bus for the library. Only the sensors' thread uses it, so that it can always be locked.

    Raises `HardwareFault`.
    """
    try:
        from adafruit_blinka.microcontroller.generic_linux.i2c import I2C
        from adafruit_mcp230xx import mcp23017  # noqa: F401  # its absence is reported here
    except (ImportError, NotImplementedError) as error:
        raise HardwareFault(MISSING.with_(error=str(error))) from error
    try:
        bus = I2C(number)
    except (RuntimeError, OSError) as error:
        raise HardwareFault(NO_BUS.with_(bus=number, error=str(error))) from error
    # The library takes the lock for each transfer; one thread needs none, and this saves time.
    bus.try_lock, bus.unlock = lambda: True, lambda: None
    return bus


def open_modules(options: Mapping[str, Any], context: DriverContext) -> OpenedParts:
    """Open the modules (`drivers.DriverKind`). Raises `HardwareFault`."""
    words = Text(
        "{modules} sensor modules on I²C bus {buses}",
        modules=(context.count + MODULE_INPUTS - 1) // MODULE_INPUTS,
        buses=", ".join(map(str, options["buses"])),
    )
    return OpenedParts(
        sensors=ScannedSensors(lambda: ExpanderModules(options, context.count), context, options["rate"]),
        about=lambda: words,
    )


def _pins(options: Mapping[str, Any]) -> frozenset[int]:
    used = {pin for bus in options["buses"] for pin in BUS_PINS.get(bus, ())}
    return frozenset(used | ({options["interrupt_pin"]} - {-1}))


KIND = DriverKind(
    parts=("sensors",),
    options=(
        DriverOption("buses", (1,), "The I²C buses; each has up to eight modules, at 0x20 to 0x27.", 0, 31),
        _gpio.pin_option("interrupt_pin", -1, "The GPIO that is wired to INTA of all modules; -1 if it is not.", -1),
        DriverOption("active_low", True, "Whether an input is low while something is on its sensor (reeds to ground)."),
        RATE,
    ),
    open=open_modules,
    pins=_pins,
    needs=Needs(
        ("board", "adafruit_mcp230xx", *_gpio.MODULES),
        "gpio mcp23017",
        ("dev/i2c-*",),
        ("i2c", "gpio"),
        "Switch I²C on: sudo raspi-config nonint do_i2c 0, then start the machine again.",
    ),
)
