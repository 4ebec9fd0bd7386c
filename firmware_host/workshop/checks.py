"""The machine that the doctor examines, its findings, and its larger checks: libraries of drivers, the board, the Pi's
overlays, the state folder; then those for a portable table: disks, network, MQTT, power button.
"""

from __future__ import annotations

import importlib.util
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from firmware_host.core.settings import Settings
from hardware import drivers
from hardware.drivers import find
from hardware.link import port
from hardware.ports import HardwareFault

GOOD, ODD, BAD = "good", "odd", "bad"
"""The states of a finding: good, works but needs attention, and the table cannot work like this."""


ROOT_USER = 0


class Finding(Struct, frozen=True):
    """What was checked, its state (`good`, `odd`, `bad`), what was found, and what to do (empty if good)."""

    what: str
    state: str
    found: str
    remedy: str = ""


def has_module(name: str) -> bool:
    """Return whether a library can be imported."""
    return importlib.util.find_spec(name) is not None


class Machine(Struct, frozen=True):
    """The machine as seen by the table's user: its files, its clock and the user's groups.

    - `has`: whether a library can be imported.
    - `ask`: opens the board's port and returns (state, sentence). State is empty if no port was opened.
    - `broker`: tries the MQTT broker and returns why it cannot be used, or "".
    - `options`: with which `sniperboard hw` uses the same board, with a space before each.
    """

    root: Path
    now: datetime
    groups: frozenset[str]
    superuser: bool = False
    has: Callable[[str], bool] = has_module
    ask: Callable[[str], tuple[str, str]] = lambda _: ("", "")
    broker: Callable[[Settings], str] = lambda _: ""
    options: str = ""

    def read(self, path: str) -> str:
        """Return a file's text, or "" if it is missing or not readable."""
        try:
            return (self.root / path).read_text("utf-8", "replace")
        except OSError:
            return ""

    def any(self, *patterns: str) -> list[str]:
        """Return the existing paths that match these patterns."""
        return sorted(f"/{path.relative_to(self.root)}" for pattern in patterns for path in self.root.glob(pattern))

    def may_use(self, path: str) -> bool:
        """Return whether this process may read and write a device."""
        return os.access(self.root / path.lstrip("/"), os.R_OK | os.W_OK)


def foreign_paths(state: Path) -> Iterator[Path]:
    """Yield all paths in the folder whose owner is not the owner of the folder. Raises `OSError`."""
    owner = state.stat().st_uid
    # Without `onerror`, a folder that cannot be read would count as empty.
    for folder, folders, files in os.walk(state, onerror=_raise):
        for name in (*folders, *files):
            path = Path(folder, name)
            if path.lstat().st_uid != owner:
                yield path


def _raise(error: OSError) -> None:
    raise error


def give_to_owner(state: Path) -> None:
    """As root, give root's files in the folder to the folder's owner, because the service does not run as root.

    Links are not followed. A file with a second hard link is skipped: it may be a system file.
    """
    if os.geteuid() != ROOT_USER or not state.is_dir():
        return
    heir = state.stat()
    for path in list(foreign_paths(state)):
        status = path.lstat()
        if status.st_uid == ROOT_USER and (stat.S_ISDIR(status.st_mode) or status.st_nlink == 1):
            os.chown(path, heir.st_uid, heir.st_gid, follow_symlinks=False)


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
    for name in settings.drivers:
        needs = find(name).needs
        modules = (*needs.modules, *(_strip_modules(machine) if name == "neopixel_strip" else ()))
        missing = [PACKAGES.get(module, module) for module in modules if not machine.has(module)]
        if missing:
            remedy = f"pip install {' '.join(missing)}."
            if needs.extra:
                remedy += f' On a machine of the service: sudo make install ARGS="--with {needs.extra}"'
            yield Finding(f"libraries of {name}", BAD, f"{', '.join(missing)} cannot be imported", remedy)
        elif modules:
            yield Finding(
                f"libraries of {name}", GOOD, ", ".join(PACKAGES.get(library, library) for library in modules)
            )


def _strip_modules(machine: Machine) -> tuple[str, ...]:
    """Return the additional modules that Blinka needs for NeoPixels on this model."""
    model = machine.read("proc/device-tree/model")
    if "Raspberry Pi" not in model:
        return ()
    return "gpiod", "adafruit_raspberry_pi5_neopixel_write" if PI_5.search(model) else "_rpi_ws281x"


def check_strip_device(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check access to the strip's device: the PIO of a Pi 5, SPI port 0 of other models without root."""
    model = machine.read("proc/device-tree/model")
    if "neopixel_strip" not in settings.drivers or "Raspberry Pi" not in model:
        return
    if PI_5.search(model):
        device, missing = "dev/pio0", "sudo apt full-upgrade brings a kernel and firmware that have it; then restart."
        locked = (
            'Put SUBSYSTEM=="*-pio", GROUP="gpio", MODE="0660" into a file of /etc/udev/rules.d, and start the machine '
            "again; or light the lamps by a Pico."
        )
    # GPIO 10 is the data line of SPI port 0, over which a strip works without root.
    elif settings.drivers["neopixel_strip"]["pin"] == 10:
        device, missing = "dev/spidev0.0", "sudo raspi-config nonint do_spi 0, then start the machine again."
        locked = 'sudo adduser "$USER" spi, then log out and in again.'
    else:
        if not machine.superuser:
            remedy = (
                "Choose GPIO 10 (`pin` in [neopixel_strip]), or drive the lamps with a Pico. The service is not root."
            )
            yield Finding("devices of neopixel_strip", BAD, "lamps on this pin need root on this model", remedy)
        return
    if not machine.any(device):
        yield Finding("devices of neopixel_strip", BAD, f"there is no /{device}", missing)
    elif not machine.may_use(device):
        yield Finding("devices of neopixel_strip", BAD, f"/{device} may not be used by this user", locked)
    else:
        yield Finding("devices of neopixel_strip", GOOD, f"/{device}")


def check_identity(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check that the board identifies itself."""
    if "board_link" not in settings.drivers or not machine.has("serial"):
        return
    state, sentence = machine.ask(settings.drivers["board_link"]["port"])
    if state:
        scan = f"`sniperboard hw scan{machine.options}`"
        remedy = "" if state == GOOD else f"See the message; {scan} shows what the sensors report."
        yield Finding("board", state, sentence, remedy)


def read_greeting(pattern: str) -> tuple[str, str]:
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
    text = next((content for path in CONFIGS if (content := machine.read(path))), "")
    strip = settings.drivers.get("neopixel_strip", {})
    # No config.txt means no Raspberry Pi.
    if not text or ("shift_register" not in settings.drivers and strip.get("pin") != 10):
        return
    if not SPI_ON.search(text):
        remedy = "sudo raspi-config nonint do_spi 0, then start the machine again."
        yield Finding("overlays", BAD, "SPI is not switched on in config.txt", remedy)
    elif others := WANTS_SPI.findall(text):
        remedy = "Take these lines out of config.txt, and start the machine again."
        yield Finding("overlays", BAD, f"other overlays use SPI port 0: {', '.join(others)}", remedy)
    else:
        yield Finding("overlays", GOOD, "SPI port 0 is on, and nothing else uses it")


def check_state_folder(machine: Machine, settings: Settings) -> Iterator[Finding]:
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


IN_MEMORY = ("overlay", "overlayfs", "tmpfs", "ramfs")
"""File systems that lose their content at power-off, or may."""
UNSAFE_OPTIONS = ("nobarrier", "barrier=0", "data=writeback")
"""Options of ext4 with which synced data may be lost."""
BUTTON_LINE = re.compile(r"^\s*dtoverlay=gpio-shutdown((?:,\S+)*)\s*$", re.MULTILINE)
LIGHT_LINE = re.compile(r"^\s*dtoverlay=gpio-led((?:,\S+)*)\s*$", re.MULTILINE)
DEFAULT_PINS = {"gpio_pin": 3, "gpio": 19}
"""Default pins of the two overlays (raspberrypi/firmware, boot/overlays/README)."""
NETWORKS = Path("/etc/NetworkManager/system-connections")
"""Folder in which NetworkManager stores joined Wi-Fi networks."""
RIGHTS_FILE = "etc/polkit-1/rules.d/50-sniperboard.rules"
READ_ONLY = 'Give the games a partition of their own (docs/travelling.md, "A root that is read-only").'


class Mount(Struct, frozen=True):
    """A line of fstab(5)."""

    source: str
    place: Path
    kind: str
    options: tuple[str, ...]


def read_mounts(text: str) -> list[Mount]:
    """Read the text of /proc/self/mounts."""
    rows = [line.split() for line in text.splitlines()]
    return [
        Mount(_unescaped(row[0]), Path(_unescaped(row[1])), row[2], tuple(row[3].split(",")))
        for row in rows
        if len(row) > 3
    ]


def _unescaped(word: str) -> str:
    """Decode the octal escapes of a word of fstab(5)."""
    return re.sub(r"\\([0-7]{3})", lambda sign: chr(int(sign[1], 8)), word)


def _mount_of(mounted: list[Mount], folder: Path) -> Mount | None:
    """Return the mount that contains a folder: the one with the longest mount point, and of several the last."""
    holding = [mount for mount in mounted if folder.is_relative_to(mount.place)]
    # A later mount at the same place hides the earlier one.
    return max(enumerate(holding), key=lambda it: (len(it[1].place.parts), it[0]))[1] if holding else None


def check_games_place(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check that games survive a power cut, also with a read-only root."""
    mounted, folder = read_mounts(machine.read("proc/self/mounts")), Path(settings.state).resolve()
    root, games = _mount_of(mounted, Path("/")), _mount_of(mounted, folder)
    if root is None or games is None:
        return
    container, still = _in_container(machine, root), _is_read_only(machine, root)
    where = f"{games.source} ({games.kind}) at {games.place}"
    # The overlay of a container may be on a disk of the machine, but that is not visible here.
    if games.kind in IN_MEMORY and not (container and games == root):
        yield Finding("games", BAD, f"{folder} is in memory: every game is lost when the power goes", READ_ONLY)
    elif "ro" in games.options:
        yield Finding("games", BAD, f"{folder} is on {where}, which is read-only: no game can be saved", READ_ONLY)
    elif loose := [option for option in games.options if option in UNSAFE_OPTIONS]:
        remedy = f"Take {', '.join(loose)} out of its line in /etc/fstab, and start the machine again."
        yield Finding("games", ODD, f"{where} may lose what was just written ({', '.join(loose)})", remedy)
    elif still:
        yield Finding("games", GOOD, f"the root is read-only, and the games are stored on {where}")


def _in_container(machine: Machine, root: Mount) -> bool:
    """Return whether the root is the overlay of a container, not an overlayroot."""
    return root.kind in IN_MEMORY and not machine.any("etc/overlayroot.conf")


def _is_read_only(machine: Machine, root: Mount) -> bool:
    """Return whether writes to the root are lost or refused."""
    return not _in_container(machine, root) and (root.kind in IN_MEMORY or "ro" in root.options)


def check_networks_place(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check that a joined Wi-Fi is remembered on a read-only root."""
    mounted = read_mounts(machine.read("proc/self/mounts"))
    root, networks = _mount_of(mounted, Path("/")), _mount_of(mounted, NETWORKS)
    if not settings.hotspot or root is None or networks is None or not _is_read_only(machine, root):
        return
    if networks.kind in IN_MEMORY or "ro" in networks.options:
        remedy = 'Store them next to the games (docs/travelling.md, "A root that is read-only").'
        yield Finding(
            "Wi-Fi", ODD, "the root is read-only: a Wi-Fi network joined now is forgotten at the next start", remedy
        )
    else:
        yield Finding(
            "Wi-Fi", GOOD, f"the root is read-only, and joined Wi-Fi networks are stored on {networks.source}"
        )


def check_network(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check that the table can manage its network, if the settings want it."""
    if not settings.hotspot:
        return
    parts = {"usr/bin/nmcli": "NetworkManager", RIGHTS_FILE: "the table's rights", "usr/sbin/dnsmasq": "dnsmasq-base"}
    if not machine.superuser:  # only root may read that folder
        del parts[RIGHTS_FILE]
    missing = [what for path, what in parts.items() if not machine.any(path)]
    if missing:
        remedy = "sudo apt-get install -y network-manager dnsmasq-base, then in the project's folder: sudo make install"
        yield Finding("network", BAD, f"the table cannot manage its network without {', '.join(missing)}", remedy)
    # A phone requests a page on port 80 to find out whether a Wi-Fi has a page of its own.
    elif settings.second_port != 80:
        remedy = "Set second_port = 80 below [sniperboard] in the settings."
        yield Finding("network", ODD, "phones that join the hotspot are not redirected to the table's page", remedy)
    else:
        yield Finding("network", GOOD, "the table opens a Wi-Fi of its own where there is none")


def check_broker(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check that the MQTT broker of the settings accepts the table."""
    if not settings.mqtt_broker:
        return
    if not machine.has("paho"):
        remedy = 'Install the extra mqtt: sudo make install ARGS="--with mqtt" (docs/mqtt.md).'
        yield Finding("MQTT", BAD, "the package paho-mqtt is not installed", remedy)
    elif why := machine.broker(settings):
        yield Finding("MQTT", BAD, why, "Fix this, or remove mqtt_broker from the settings (docs/mqtt.md).")
    else:
        yield Finding("MQTT", GOOD, f"the broker at {settings.mqtt_broker} accepts the table")


def check_power_button(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check that the pins of power button and light are free."""
    # Newer systems have the first of these files, older ones the second.
    text = next((content for path in CONFIGS if (content := machine.read(path))), "")
    pins = [*_pins(BUTTON_LINE, "gpio_pin", text), *_pins(LIGHT_LINE, "gpio", text)]
    driver_of = {pin: name for name, options in settings.drivers.items() for pin in drivers.find(name).pins(options)}
    both = [f"GPIO {pin} ({driver_of[pin]})" for pin in pins if pin in driver_of]
    if both:
        remedy = "Give the power button other pins in config.txt, or the driver others in its table of the settings."
        yield Finding("power button", BAD, f"button or light and a driver use the same pin: {', '.join(both)}", remedy)
    elif pins:
        yield Finding("power button", GOOD, f"button and light have GPIO {', '.join(map(str, pins))} for themselves")


def _pins(overlay: re.Pattern[str], option: str, text: str) -> list[int]:
    """Return the pins of an overlay, for each line that names it."""
    named = (re.search(rf",{option}=(\d+)", words) for words in overlay.findall(text))
    return [int(pin[1]) if pin else DEFAULT_PINS[option] for pin in named]
