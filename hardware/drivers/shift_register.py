"""A chain of 74HC165 shift registers on a Raspberry Pi's SPI port, eight sensors per chip.

It uses gpiozero.

Wiring: SPI clock to CLK of all chips; GPIO `load_pin` to SH/LD of all; QH of the chip nearest to the Pi to MISO; QH of
each next chip to SER of the one before; CLK INH to ground. Sensor 8k + j is input "ABCDEFGH"[j] of chip k; chip 0 is
the nearest. With MOSI on SER of the last chip, each reading checks the whole chain (`loop`).

The port is SPI0, the only one that gpiozero knows (its `SPI_HARDWARE_PINS`). Anything else that needs GPIO 8 to 11,
such as lamps on GPIO 10 or a display, must use other pins.

SPI mode 2: a 74HC165 shifts at the rising edge of its clock and shows its first bit before any edge (TI SCLS116,
"Parameter measurement"). The bits are therefore read at the falling edges, the first one before any shift.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from engine.text import Text
from hardware.drivers import DriverContext, DriverKind, DriverOption, Needs, OpenedParts, _gpio
from hardware.drivers._scanning import RATE, ScannedSensors
from hardware.link.messages import fault_sentence
from hardware.pico import marker
from hardware.ports import HardwareFault

SPI_MODE = 2
TRIES = 8
NAMED, NAMED_BEFORE_LAST = ("slips", "between", "right", "none"), ("ends", "inverted")
"""The faults with the same names as on a Pico; all others indicate power or cables."""
BROKEN = Text(
    "The chain of {chips} shift registers is broken: what is sent in at its far end does not come out. Check power and "
    "cables, and that MOSI goes to SER of the last chip (or set loop = false)."
)


class ShiftRegisterChain:
    """The opened chain (`_scanning.Scanner`), with as many chips as `count` sensors need."""

    def __init__(self, options: Mapping[str, Any], count: int) -> None:
        """Raises `HardwareFault`."""
        from gpiozero import OutputDevice

        pins = _gpio.pin_factory()
        self._count = count
        self._chips = (count + 7) // 8
        # Reeds and Hall switches pull an input to ground, so a low bit is a covered sensor.
        self._flip = (1 << count) - 1 if options["active_low"] else 0
        self._loop: bool = options["loop"]
        self._idle = 255 if options["active_low"] else 0
        self._key = marker.Key(self._chips)
        # For how many scans in a row a chip has shown the previous scan's filler: a sign that it doesn't load its
        # inputs.
        self._echoes = [0] * self._chips
        self.doubt: str | None = None
        self._load: Any = None
        self._spi: Any = None
        try:
            with _gpio.library_errors(Text("The shift registers")):
                self._load = OutputDevice(options["load_pin"], initial_value=True, pin_factory=pins)
                self._spi = pins.spi(port=options["port"], device=options["device"])
                self._set_up(options["speed"])
                self._spi.transfer([0])  # the clock gets the mode's idle level only by a first transfer
        except HardwareFault:
            self.close()
            raise

    def _set_up(self, speed: int) -> None:
        from gpiozero import SPIFixedRate

        self._spi.clock_mode = SPI_MODE
        with suppress(SPIFixedRate):  # a software SPI port has no clock setting
            self._spi.rate = speed

    def read(self) -> int:
        self._load.off()
        self._load.on()
        if not self._loop:
            return self._sensor_mask(self._spi.transfer([0] * self._chips))
        # There is nothing to compare the first scan with, and a piece may move between two scans.
        scan: list[int] = []
        for _ in range(TRIES):
            filler = 255 * (self._key.turn ^ 1)
            scan = self._spi.transfer(list(self._key.out))
            self._echoes = [1 + count if byte == filler else 0 for count, byte in zip(self._echoes, scan, strict=False)]
            # A complete key in two consecutive scans proves that every bit in between is in its place.
            intact = self._key.returns(int.from_bytes(bytes(scan[self._chips :]), "big"), scan[self._chips - 1])
            # The filler alternates, so a chip that isn't touched shows it in every second scan, at its idle level.
            if intact and max(self._echoes) <= (filler == self._idle):
                return self._sensor_mask(scan[: self._chips])
            self._load.off()
            self._load.on()
        raise HardwareFault(self._diagnosis(bytes(scan[: self._chips])))

    def _diagnosis(self, scan: bytes) -> Text:
        """Return the fault that follows from the last scan and the answers to longer markers."""
        if max(self._echoes) >= TRIES:
            chip = next(chip for chip, count in enumerate(self._echoes) if count >= TRIES)
            return fault_sentence(f"silent {chip}", self._count)
        answers = []
        for question in self._key.questions:
            self._load.off()
            self._load.on()
            answers.append(bytes(self._spi.transfer(list(question))))
        word = self._key.explain(answers) or self._end(scan, answers[0])
        if word == "inverted":
            word = f"inverted {marker.first_inverted(scan, self._idle)}"
        kind, _, number = word.partition(" ")
        # A fault of the last chip looks like a fault of its wire, which has another name here than on a Pico.
        named = kind in NAMED or (kind in NAMED_BEFORE_LAST and int(number) < self._chips - 1)
        return fault_sentence(word, self._count) if named else BROKEN.with_(chips=self._chips)

    def _end(self, scan: bytes, answer: bytes) -> str:
        """Return where the chain ends, if everything behind that place has the opposite of the idle level."""
        level = marker.broken_level(answer, self._chips)
        if level != 255 - self._idle:
            return ""
        last = marker.last_before(scan, level)
        return f"ends {last}" if last >= 0 else "none"

    def _sensor_mask(self, scan: list[int]) -> int:
        # The first byte is from the chip nearest to the Pi, which has the lowest sensor numbers.
        return (int.from_bytes(bytes(scan), "little") ^ self._flip) & ((1 << self._count) - 1)

    def close(self) -> None:
        for device in (self._spi, self._load):
            if device is not None:
                device.close()
        self._spi = self._load = None


def open_chain(options: Mapping[str, Any], context: DriverContext) -> OpenedParts:
    """Open the chain (`drivers.DriverKind`). Raises `HardwareFault`."""
    chips = (context.count + 7) // 8
    words = Text(
        "{chips} shift registers on SPI port {port}, load on GPIO {pin}",
        chips=chips,
        port=options["port"],
        pin=options["load_pin"],
    )
    return OpenedParts(
        sensors=ScannedSensors(lambda: ShiftRegisterChain(options, context.count), context, options["rate"]),
        about=lambda: words,
    )


KIND = DriverKind(
    parts=("sensors",),
    options=(
        _gpio.pin_option("load_pin", 25, "The GPIO that is wired to SH/LD of all chips."),
        DriverOption("port", 0, "The SPI port: 0 has clock 11, MISO 9, MOSI 10. gpiozero knows no other.", 0, 0),
        DriverOption("device", 0, "The SPI device, whose select pin (GPIO 8 or 7) is not wired but in use.", 0, 1),
        DriverOption(
            "speed",
            1_000_000,
            "The SPI clock in Hz. A slower clock helps slow gates, but does not stop ringing.",
            10_000,
            5_000_000,
        ),
        DriverOption("active_low", True, "Whether an input is low while something is on its sensor (reeds to ground)."),
        DriverOption(
            "loop", True, "Whether MOSI is wired to SER of the last chip, so that each reading checks the chain."
        ),
        RATE,
    ),
    open=open_chain,
    pins=lambda options: frozenset({*_gpio.SPI_PINS, 8 - options["device"], options["load_pin"]}),
    needs=Needs(
        _gpio.MODULES,
        "gpio",
        ("dev/spidev*",),
        ("spi", "gpio"),
        "Switch SPI on: sudo raspi-config nonint do_spi 0, then start the machine again.",
    ),
)
