"""The files that `make install` adds so that the table can manage its network (docs/travelling.md).

A Polkit rule gives the table's user a few rights. A NetworkManager profile contains name and password of the table's
own Wi-Fi. A script, which runs as root, sets the machine's name and the country of its radio.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

from tools import steps, system
from tools.errors import ToolError
from tools.steps import InstallStep

USER = "sniperboard"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Characters for passwords that are typed from paper: no two of them look alike."""
PASSWORD = re.compile(r"[!-~]{8,63}")
"""A WPA password, here without spaces."""


class Places:
    """Paths of the files, below `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.rule = root / "etc/polkit-1/rules.d/50-sniperboard.rules"
        """The Polkit rule for the table's user."""
        self.profile = root / "etc/NetworkManager/system-connections/sniperboard-hotspot.nmconnection"
        """The profile of the table's own Wi-Fi. Only root can read it, because of the password."""
        self.names = root / "etc/NetworkManager/dnsmasq-shared.d/sniperboard.conf"
        """The name server's configuration in that Wi-Fi."""
        self.script = root / "usr/local/lib/sniperboard/machine-wish"
        """The script that runs as root."""
        self.unit = root / "etc/systemd/system/sniperboard-machine@.service"
        """The unit that runs the script."""

    @property
    def can(self) -> bool:
        """Return whether the machine has NetworkManager."""
        return (self.root / "usr/bin/nmcli").exists()


def install_steps(source: Path, root: Path, password: str | None) -> Iterator[InstallStep]:
    """Yield the steps below `root`.

    `password` is for the table's own Wi-Fi if it has none yet; None generates one. Raises `ToolError` for an invalid
    password.
    """
    if password is not None and not PASSWORD.fullmatch(password):
        raise ToolError("The hotspot's password needs 8 to 63 letters, digits or signs, without spaces.")
    places, systemd = Places(root), source / "systemd"
    if root == Path("/"):
        # Polkit cannot name a user that exists only while the service runs.
        command = ["useradd", "--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin"]
        yield steps.account("passwd", USER, command)
        yield _dnsmasq()
    yield steps.file(places.rule, (systemd / "50-sniperboard.rules").read_text("utf-8"))
    yield steps.file(places.script, (systemd / "machine-wish").read_text("utf-8"), 0o755)
    unit = (systemd / "sniperboard-machine@.service").read_text("utf-8")
    yield steps.file(places.unit, unit.replace("/usr/local/lib/sniperboard/machine-wish", str(places.script)))
    yield steps.file(places.names, (systemd / "sniperboard-dnsmasq.conf").read_text("utf-8"))
    profile = (systemd / "sniperboard-hotspot.nmconnection").read_text("utf-8")
    yield InstallStep(
        f"the table's own Wi-Fi {ssid(root)} in {places.profile}, with a password of its own",
        places.profile.exists,
        lambda: steps.write_text(places.profile, _filled(profile, ssid(root), password or random_password()), 0o600),
    )


def installed_files(root: Path) -> list[Path]:
    """Return the files to remove, including the password."""
    places = Places(root)
    return [places.rule, places.unit, places.script, places.script.parent, places.names, places.profile]


def random_password() -> str:
    """Return a random password: three groups of four letters, 59 bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(3))


def ssid(root: Path) -> str:
    """Return the name of the table's own Wi-Fi. It is different on each machine."""
    # Hash the machine ID, because it should not be published (machine-id(5)).
    identity = steps.read_text(root / "etc/machine-id").strip()
    return f"sniperboard-{hashlib.sha256(identity.encode()).hexdigest()[:4]}"


def label_text(root: Path) -> str:
    """Return the text for the table's label.

    It is empty if this user may not read the profile, or if there is none.
    """
    text = steps.read_text(Places(root).profile)
    name, password = (re.search(rf"^{key}=(.*)$", text, re.MULTILINE) for key in ("ssid", "psk"))
    if name is None or password is None:
        return ""
    return f"Without a network, the table opens the Wi-Fi {name[1]} with the password {password[1]}."


def _filled(profile: str, name: str, password: str) -> str:
    """Return the profile with name and password. NetworkManager's escape character is the backslash."""
    return profile.replace("SSID", name).replace("PASSWORD", password.replace("\\", "\\\\"))


def _dnsmasq() -> InstallStep:
    """Install dnsmasq, which NetworkManager needs for DHCP and DNS in the table's own Wi-Fi."""
    program = Path("/usr/sbin/dnsmasq")
    wrong = "The table's own Wi-Fi needs dnsmasq, which is not installed"
    return InstallStep("Debian's package dnsmasq-base", program.exists, lambda: system.need("dnsmasq-base", wrong))
