"""Checks of the doctor for a portable table: disks, network, MQTT, power button."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from firmware_host.core.settings import Settings
from firmware_host.workshop.findings import BAD, GOOD, ODD, Finding, Machine
from firmware_host.workshop.wired import CONFIGS
from hardware import drivers

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


def mounts(text: str) -> list[Mount]:
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


def _mount_of(found: list[Mount], folder: Path) -> Mount | None:
    """Return the mount of a folder: the longest place that contains it, and of those the last."""
    holding = [mount for mount in found if folder.is_relative_to(mount.place)]
    # A later mount at the same place hides the earlier one.
    return max(enumerate(holding), key=lambda it: (len(it[1].place.parts), it[0]))[1] if holding else None


def games_place(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check that games survive a power cut, also with a read-only root."""
    found, folder = mounts(machine.read("proc/self/mounts")), Path(settings.state).resolve()
    root, games = _mount_of(found, Path("/")), _mount_of(found, folder)
    if root is None or games is None:
        return
    container, still = _in_container(machine, root), _is_read_only(machine, root)
    where = f"{games.source} ({games.kind}) at {games.place}"
    # The overlay of a container may lie on a disk of the machine, which is not visible here.
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


def networks_place(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check that a joined Wi-Fi is remembered on a read-only root."""
    found = mounts(machine.read("proc/self/mounts"))
    root, kept = _mount_of(found, Path("/")), _mount_of(found, NETWORKS)
    if not settings.hotspot or root is None or kept is None or not _is_read_only(machine, root):
        return
    if kept.kind in IN_MEMORY or "ro" in kept.options:
        remedy = 'Store them next to the games (docs/travelling.md, "A root that is read-only").'
        yield Finding(
            "Wi-Fi", ODD, "the root is read-only: a Wi-Fi network joined now is forgotten at the next start", remedy
        )
    else:
        yield Finding("Wi-Fi", GOOD, f"the root is read-only, and joined Wi-Fi networks are stored on {kept.source}")


def check_network(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check that the table can manage its network, if the settings want it."""
    if not settings.hotspot:
        return
    parts = {"usr/bin/nmcli": "NetworkManager", RIGHTS_FILE: "the table's rights", "usr/sbin/dnsmasq": "dnsmasq-base"}
    if not machine.superuser:  # only root may see into that folder
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


def power_button(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Check that the pins of power button and light are free."""
    # Newer systems have the first of these files, older ones the second.
    text = next((found for path in CONFIGS if (found := machine.read(path))), "")
    pins = [*_pins(BUTTON_LINE, "gpio_pin", text), *_pins(LIGHT_LINE, "gpio", text)]
    taken = {pin: name for name, options in settings.drivers.items() for pin in drivers.find(name).pins(options)}
    both = [f"GPIO {pin} ({taken[pin]})" for pin in pins if pin in taken]
    if both:
        remedy = "Give the power button other pins in config.txt, or the driver others in its table of the settings."
        yield Finding("power button", BAD, f"button or light and a driver use the same pin: {', '.join(both)}", remedy)
    elif pins:
        yield Finding("power button", GOOD, f"button and light have GPIO {', '.join(map(str, pins))} for themselves")


def _pins(overlay: re.Pattern[str], option: str, text: str) -> list[int]:
    """Return the pins of an overlay, for each line that names it."""
    named = (re.search(rf",{option}=(\d+)", words) for words in overlay.findall(text))
    return [int(pin[1]) if pin else DEFAULT_PINS[option] for pin in named]
