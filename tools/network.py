"""What `make install` puts on a machine so that the table can look after its network (docs/travelling.md).

The table's user gets a few rights by a rule of Polkit, a profile of NetworkManager holds name and password of the
table's own Wi-Fi, and a script does what only root may: the machine's name, and the country of its radio.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools import steps, system
from tools.errors import ToolError
from tools.steps import InstallStep

USER = "sniperboard"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""For passwords that are typed from paper: none of them is taken for another."""
PASSWORD = re.compile(r"[!-~]{8,63}")
"""A password of WPA, here without blanks."""


@dataclass(frozen=True)
class Places:
    """Where the parts go, below `root`."""

    root: Path

    @property
    def rule(self) -> Path:
        """What Polkit lets the table's user do."""
        return self.root / "etc/polkit-1/rules.d/50-sniperboard.rules"

    @property
    def profile(self) -> Path:
        """The table's own Wi-Fi; root's alone, for it has the password."""
        return self.root / "etc/NetworkManager/system-connections/sniperboard-hotspot.nmconnection"

    @property
    def names(self) -> Path:
        """Where names lead there."""
        return self.root / "etc/NetworkManager/dnsmasq-shared.d/sniperboard.conf"

    @property
    def script(self) -> Path:
        """What root does for the table."""
        return self.root / "usr/local/lib/sniperboard/machine-wish"

    @property
    def unit(self) -> Path:
        """The service that runs it."""
        return self.root / "etc/systemd/system/sniperboard-machine@.service"

    @property
    def can(self) -> bool:
        """Whether the machine has NetworkManager's program."""
        return (self.root / "usr/bin/nmcli").exists()


def installing(source: Path, root: Path, password: str | None) -> Iterator[InstallStep]:
    """The steps below `root`. `password` is that of the table's own Wi-Fi where it has none yet; None makes one up.

    Raises `ToolError` for a password that is none.
    """
    if password is not None and not PASSWORD.fullmatch(password):
        raise ToolError("The hotspot's password has 8 to 63 letters, digits or signs, and no blanks.")
    places, systemd = Places(root), source / "systemd"
    if root == Path("/"):
        yield _user()
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
        lambda: steps.write(places.profile, _filled(profile, ssid(root), password or made_up()), 0o600),
    )


def uninstalling(root: Path) -> list[Path]:
    """What is taken away again: all of it, the password included."""
    places = Places(root)
    return [places.rule, places.unit, places.script, places.script.parent, places.names, places.profile]


def made_up() -> str:
    """A password that nobody has thought of: three groups of four letters, 59 bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(3))


def ssid(root: Path) -> str:
    """The name of the table's own Wi-Fi: of two tables in one room each has another."""
    identity = steps.read(root / "etc/machine-id").strip()
    return f"sniperboard-{hashlib.sha256(identity.encode()).hexdigest()[:4]}"


def told(root: Path) -> str:
    """What to write on the label below the table; empty where this user may not read it, or there is none."""
    text = steps.read(Places(root).profile)
    name, password = (re.search(rf"^{key}=(.*)$", text, re.MULTILINE) for key in ("ssid", "psk"))
    if name is None or password is None:
        return ""
    return f"Where there is no network, the table opens the Wi-Fi {name[1]} with the password {password[1]}."


def _filled(profile: str, name: str, password: str) -> str:
    """The profile with name and password; a backslash is NetworkManager's own sign."""
    return profile.replace("SSID", name).replace("PASSWORD", password.replace("\\", "\\\\"))


def _user() -> InstallStep:
    """Polkit knows the service's user by its name; one that exists only while the service runs it may not see."""

    def is_so() -> bool:
        return any(line.startswith(f"{USER}:") for line in steps.read(Path("/etc/passwd")).splitlines())

    command = ["useradd", "--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", USER]
    return InstallStep(f"the user {USER}", is_so, lambda: steps.run(command))


def _dnsmasq() -> InstallStep:
    """NetworkManager gives addresses and names in a Wi-Fi of its own by this program."""
    program = Path("/usr/sbin/dnsmasq")
    wrong = "The table's own Wi-Fi needs dnsmasq, which is not here"
    return InstallStep("Debian's package dnsmasq-base", program.exists, lambda: system.need("dnsmasq-base", wrong))
