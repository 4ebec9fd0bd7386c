"""Checks of the doctor: libraries of drivers, the board, the Pi's overlays, the state folder."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from firmware_host.core.settings import Settings
from firmware_host.workshop.findings import BAD, GOOD, ODD, Finding, Machine, drivers_used, foreign_paths
from hardware.drivers import find
from hardware.link import port
from hardware.ports import HardwareFault

PACKAGES = {"serial": "pyserial", "board": "adafruit-blinka", "neopixel": "adafruit-circuitpython-neopixel"}
PACKAGES |= {"adafruit_mcp230xx": "adafruit-circuitpython-mcp230xx"}
PACKAGES |= {"_rpi_ws281x": "rpi_ws281x", "lgpio": "lgpio" if sys.version_info < (3, 13) else "adafruit-lgpio"}
PACKAGES |= {"adafruit_raspberry_pi5_neopixel_write": "Adafruit-Blinka-Raspberry-Pi5-Neopixel"}
"""Module -> package, where the names differ."""
WANTS_SPI = re.compile(
    r"^\s*dtoverlay=((?:enc28j60|mcp2515|mcp251xfd|ads7846|piscreen|pitft|tinylcd|spi0-0cs|fbtft|w5500|waveshare)[^\s]*)",
    re.MULTILINE,
)
"""Overlays that use or disable SPI port 0 (raspberrypi/firmware, boot/overlays/README)."""
CONFIGS = ("boot/firmware/config.txt", "boot/config.txt")
SPI_ON = re.compile(r"^\s*dtparam=(?:\S+,)*spi=on", re.MULTILINE)
PI_5 = re.compile(r"Pi (?:5|500)\b|Compute Module 5")
"""Model names of computers with that chip in the device tree."""
MOST_NAMES = 3
"""Most names in a sentence."""


def check_libraries(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check that the modules of the drivers can be imported."""
    for name in drivers_used(settings):
        needs = find(name).needs
        wanted = (*needs.modules, *(_strip_modules(machine) if name == "neopixel_strip" else ()))
        missing = [PACKAGES.get(module, module) for module in wanted if not machine.has(module)]
        if missing:
            remedy = f"pip install {' '.join(missing)}."
            if needs.extra:
                remedy += f' On a machine of the service: sudo make install ARGS="--with {needs.extra}"'
            yield Finding(f"libraries of {name}", BAD, f"{', '.join(missing)} cannot be imported", remedy)
        elif wanted:
            yield Finding(f"libraries of {name}", GOOD, ", ".join(PACKAGES.get(one, one) for one in wanted))


def _strip_modules(machine: Machine) -> tuple[str, ...]:
    """Return the additional modules that Blinka needs for NeoPixels on this model."""
    model = machine.read("proc/device-tree/model")
    if "Raspberry Pi" not in model:
        return ()
    return "gpiod", "adafruit_raspberry_pi5_neopixel_write" if PI_5.search(model) else "_rpi_ws281x"


def strip_device(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check access to the strip's device: the PIO of a Pi 5, SPI port 0 of other models without root."""
    model = machine.read("proc/device-tree/model")
    if "neopixel_strip" not in drivers_used(settings) or "Raspberry Pi" not in model:
        return
    if PI_5.search(model):
        wanted, missing = "dev/pio0", "sudo apt full-upgrade brings a kernel and firmware that have it; then restart."
        locked = (
            'Put SUBSYSTEM=="*-pio", GROUP="gpio", MODE="0660" into a file of /etc/udev/rules.d, and start the machine '
            "again; or light the lamps by a Pico."
        )
    # GPIO 10 is the data line of SPI port 0, over which a strip works without root.
    elif settings.drivers["neopixel_strip"]["pin"] == 10:
        wanted, missing = "dev/spidev0.0", "sudo raspi-config nonint do_spi 0, then start the machine again."
        locked = 'sudo adduser "$USER" spi, then log out and in again.'
    else:
        if not machine.superuser:
            remedy = (
                "Choose GPIO 10 (`pin` in [neopixel_strip]), or drive the lamps with a Pico. The service is not root."
            )
            yield Finding("devices of neopixel_strip", BAD, "lamps on this pin need root on this model", remedy)
        return
    if not machine.any(wanted):
        yield Finding("devices of neopixel_strip", BAD, f"there is no /{wanted}", missing)
    elif not machine.may_use(wanted):
        yield Finding("devices of neopixel_strip", BAD, f"/{wanted} may not be used by this user", locked)
    else:
        yield Finding("devices of neopixel_strip", GOOD, f"/{wanted}")


def answer(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check that the board identifies itself."""
    if "board_link" not in drivers_used(settings) or not machine.has("serial"):
        return
    state, said = machine.ask(settings.drivers["board_link"]["port"])
    if state:
        scan = f"`sniperboard hw scan{machine.options}`"
        remedy = "" if state == GOOD else f"See the message; {scan} shows what the sensors report."
        yield Finding("board", state, said, remedy)


def ask(pattern: str) -> tuple[str, str]:
    """Open the board's port and wait for its greeting (`Machine.ask`)."""
    try:
        name = port.find_port(pattern, None)
        with port.open_port(name) as opened:
            hello = port.wait_for_hello(opened, time.monotonic() + port.TIMEOUT)
    except HardwareFault as fault:
        # A running table has the port: that is not a fault of the machine.
        busy = "another program has this port" in fault.sentence
        return (ODD, f"{fault.sentence} If that is the table, all is well.") if busy else (BAD, fault.sentence)
    except port.FAILURES as error:
        return BAD, f"the connection broke ({error})"
    if hello is None:
        return BAD, f"{name} does not answer: install the firmware with `sniperboard board flash`"
    facts = f"firmware {hello.version}, {hello.sensors} sensors, {hello.lamps} lamps"
    return GOOD, f"board {hello.identity} answers at {name}: {facts}"


def check_overlays(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check SPI port 0 in config.txt for drivers that use it."""
    text = next((found for path in CONFIGS if (found := machine.read(path))), "")
    strip = settings.drivers.get("neopixel_strip", {})
    # No config.txt means no Raspberry Pi.
    if not text or ("shift_register" not in drivers_used(settings) and strip.get("pin") != 10):
        return
    if not SPI_ON.search(text):
        remedy = "sudo raspi-config nonint do_spi 0, then start the machine again."
        yield Finding("overlays", BAD, "SPI is not switched on in config.txt", remedy)
    elif others := WANTS_SPI.findall(text):
        remedy = "Take these lines out of config.txt, and start the machine again."
        yield Finding("overlays", BAD, f"other overlays use SPI port 0: {', '.join(others)}", remedy)
    else:
        yield Finding("overlays", GOOD, "SPI port 0 is on, and nothing else uses it")


def state_folder(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check that all files in the state folder belong to its owner."""
    folder = Path(settings.state).resolve()
    try:
        if not folder.is_dir():
            return
        foreign = list(foreign_paths(folder))
    except OSError as error:
        remedy = f"Run as root: sudo sniperboard doctor --state {folder}"
        yield Finding("state folder", ODD, f"{folder} cannot be read ({error.strerror})", remedy)
        return
    if foreign:
        names = ", ".join(str(path.relative_to(folder)) for path in foreign[:MOST_NAMES])
        more = f" and {len(foreign) - MOST_NAMES} more" if len(foreign) > MOST_NAMES else ""
        remedy = f"sudo chown -R --reference={folder} {folder}"
        yield Finding("state folder", BAD, f"{names}{more} belong to another user than {folder}", remedy)
    else:
        yield Finding("state folder", GOOD, f"all in {folder} belongs to its owner")
