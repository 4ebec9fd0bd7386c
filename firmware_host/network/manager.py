"""Controls NetworkManager with its program `nmcli`: connections, scanning, and joining a Wi-Fi.

A Polkit rule allows this to the service's user (`systemd/50-sniperboard.rules`). Passwords go to nmcli over standard
input, because every user of the machine can read command lines. Its output is never logged, because its editor repeats
the password.
"""

from __future__ import annotations

import csv
import hashlib
import os
import re
from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.core.programs import ProgramError, ProgramRunner

HOTSPOT = "5b1de5ca-7ab1-4e0d-9a1f-70a5e0b0a2d1"
"""UUID of the profile of the table's own Wi-Fi, which `make install` creates."""
CARRIERS = ("ethernet", "wifi", "gsm", "bluetooth")
"""Kinds of devices through which people reach the table. Bridges of containers are not among them."""
TIMEOUT = 20.0
"""Seconds for an answer of nmcli that does not wait for a network."""
SCAN_SECONDS = 30.0
"""Seconds for a scan."""
JOIN_SECONDS = 45
"""Seconds to join a network."""
TIMED_OUT, NOT_RUNNING, NO_SUCH = 3, 8, 10
"""Exit codes of nmcli (nmcli(1))."""

LONGEST_NAME = 32
"""Bytes of a Wi-Fi name (IEEE 802.11)."""
PASSPHRASE = re.compile(r"[ -~]{8,63}")
"""A password of WPA: printable ASCII (IEEE 802.11, annex J)."""
RAW_KEY = re.compile(r"[0-9A-Fa-f]{64}")
"""The key itself, as hexadecimal digits."""

PASSWORD = Text("A Wi-Fi password has 8 to 63 plain letters, digits or symbols. Leave it empty for none.")
MISSING = Text("This machine has no NetworkManager, so the table cannot manage its network.")
SLEEPING = Text("NetworkManager is not running on this machine. Run: sudo systemctl start NetworkManager.")
FAILED = Text("NetworkManager does not work on this machine. Run there: sudo systemctl restart NetworkManager.")
FORBIDDEN = Text("The table is not allowed to change the network of this machine. Run there: sudo make install.")
NO_HOTSPOT = Text("The table's own Wi-Fi is not set up on this machine. Run there: sudo make install.")
WRONG_PASSWORD = Text("The password of the Wi-Fi {name} is wrong.")
NOT_FOUND = Text("The Wi-Fi {name} is out of range.")
NO_ADDRESS = Text("The Wi-Fi {name} gives the table no address. Restart its router, and try again.")
TOO_SLOW = Text("The Wi-Fi {name} does not answer. Move the table closer to its router, and try again.")
REFUSED = Text("The Wi-Fi {name} could not be joined.")
UNSUITED = Text(
    "The Wi-Fi {name} needs a user name or an old kind of key. The table can only join networks with a password."
)

FAILURES = (
    (re.compile(r"[Ss]ecrets were required|passwd-file|supplicant|802\.1X"), WRONG_PASSWORD),
    (re.compile(r"could not be found|[Nn]o network with SSID"), NOT_FOUND),
    (re.compile(r"IP configuration"), NO_ADDRESS),
    (re.compile(r"[Tt]imeout"), TOO_SLOW),
)
"""Error messages of nmcli -> the sentence for people."""


class JoinRequest(Struct, frozen=True):
    """A Wi-Fi to join. An empty `password` means none. A `hidden` network does not send its name."""

    name: str
    password: str = ""
    hidden: bool = False

    def __repr__(self) -> str:
        """Leave out the password."""
        return f"JoinRequest({self.name!r}, hidden={self.hidden})"


def checked_join(name: str, password: str, hidden: bool) -> JoinRequest:
    """Return a request to join a Wi-Fi. Raises `UserError` if no network can have this name or password."""
    if not 1 <= len(name.encode("utf-8", "surrogatepass")) <= LONGEST_NAME or not name.isprintable():
        raise UserError("not-understood", Text("The name of a Wi-Fi has 1 to 32 characters. Choose one, or type it."))
    if password and not (PASSPHRASE.fullmatch(password) or RAW_KEY.fullmatch(password)):
        raise UserError("not-understood", PASSWORD)
    return JoinRequest(name, password, hidden)


def key_for(request: JoinRequest) -> str:
    """Return the password for NetworkManager. It drops spaces at the ends, so such a password is converted into its key
    (IEEE 802.11, annex J.4).
    """
    if request.password == request.password.strip():
        return request.password
    return hashlib.pbkdf2_hmac("sha1", request.password.encode(), request.name.encode(), 4096, 32).hex()


class NetworkFault(Exception):
    """NetworkManager failed. `sentence` says why, for people."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Device(Struct, frozen=True):
    """A network device. `kind` is wifi, ethernet, …; `profile` is the UUID of its connection, `connection` the name."""

    name: str
    kind: str
    state: str
    profile: str
    connection: str

    @property
    def connected(self) -> bool:
        """Whether people can reach the table through it."""
        return self.kind in CARRIERS and self.state.startswith("connected")


class Wifi(Struct, frozen=True):
    """A Wi-Fi in range. `strength` is 0 to 100; `lock` is open, password, wpa3, or unsuited if it cannot be joined."""

    name: str
    strength: int
    lock: str


class NetworkManager:
    """The machine's NetworkManager. `program` is nmcli. Every method may raise `NetworkFault`."""

    def __init__(self, program: str = "nmcli") -> None:
        self._program = program
        self._programs = ProgramRunner()

    def devices(self) -> list[Device]:
        """Return every network device."""
        fields = "DEVICE,TYPE,STATE,CON-UUID,CONNECTION"
        return [Device(*row) for row in self._rows(5, ["-t", "-f", fields, "device", "status"])]

    def scan(self) -> list[Wifi]:
        """Return the Wi-Fi in range, each name once, the strongest first, without hidden ones."""
        words = ["-t", "-f", "SSID,SIGNAL,SECURITY", "device", "wifi", "list", "--rescan", "yes"]
        by_name: dict[str, Wifi] = {}
        for name, strength, security in self._rows(3, words, SCAN_SECONDS):
            network = Wifi(name, int(strength) if strength.isdecimal() else 0, _lock(security))
            if name and name.isprintable() and (name not in by_name or by_name[name].strength < network.strength):
                by_name[name] = network
        return sorted(by_name.values(), key=lambda wifi: -wifi.strength)

    def profiles(self) -> dict[str, str]:
        """Return the Wi-Fi that NetworkManager joins by itself, UUID -> name, without the table's own."""
        rows = self._rows(3, ["-t", "-f", "NAME,UUID,TYPE", "connection", "show"])
        return {uuid: name for name, uuid, kind in rows if kind == "802-11-wireless" and uuid != HOTSPOT}

    def add_profile(self, request: JoinRequest, lock: str) -> str:
        """Create a profile for a Wi-Fi with this lock (see `Wifi`). Return its UUID."""
        # `*`: the profile is not for one device only.
        words = ["connection", "add", "type", "wifi", "con-name", request.name, "ifname", "*", "ssid", request.name]
        words += ["802-11-wireless.hidden", "yes"] if request.hidden else []
        match = re.search(r"\(([0-9a-f-]{36})\)", self._run(words))
        if match is None:
            raise NetworkFault(REFUSED.with_(name=request.name))
        if request.password:
            self._enter(match[1], request, lock)
        return match[1]

    def _enter(self, uuid: str, request: JoinRequest, lock: str) -> None:
        """Set the password of a profile, over nmcli's standard input."""
        # SAE is how WPA3 checks a password.
        management = "sae" if lock == "wpa3" else "wpa-psk"
        lines = [f"set 802-11-wireless-security.key-mgmt {management}"]
        lines += [f"set 802-11-wireless-security.psk {key_for(request)}", "save persistent", "quit", ""]
        try:
            output = self._run(["connection", "edit", "uuid", uuid], entered="\n".join(lines))
        except NetworkFault:
            output = ""
        if "successfully updated" not in output:  # the editor exits with 0 even if it could not save
            with suppress(NetworkFault):
                self.delete(uuid)
            raise NetworkFault(REFUSED.with_(name=request.name))

    def connect(self, uuid: str, name: str) -> None:
        """Connect with a profile, and wait. `name` is the name of its network."""
        words = ["--wait", str(JOIN_SECONDS), "connection", "up", "uuid", uuid]
        self._run(words, JOIN_SECONDS + TIMEOUT, name)

    def disconnect(self, uuid: str) -> None:
        """Leave the network of a profile, if the machine is in it."""
        self._run(["connection", "down", "uuid", uuid], fine=(NO_SUCH,))

    def delete(self, uuid: str) -> None:
        """Delete a profile, if it exists."""
        self._run(["connection", "delete", "uuid", uuid], fine=(NO_SUCH,))

    def close(self) -> None:
        """Stop the running call. Every later call fails."""
        self._programs.close()

    # --- nmcli ----------------------------------------------------------------------------------------------------

    def _rows(self, columns: int, words: Sequence[str], seconds: float = TIMEOUT) -> list[list[str]]:
        # Terse lines: colons separate the fields; within one, a backslash escapes a colon.
        lines = self._run(words, seconds).splitlines()
        rows = csv.reader(lines, delimiter=":", quoting=csv.QUOTE_NONE, escapechar="\\")
        return [row for row in rows if len(row) == columns]

    def _run(
        self,
        words: Sequence[str],
        seconds: float = TIMEOUT,
        name: str = "",
        entered: str = "",
        fine: tuple[int, ...] = (),
    ) -> str:
        """Return what nmcli prints. Raises `NetworkFault`."""
        # Without a home folder, nmcli's editor stores no history of its input, which includes passwords.
        # In English, because `FAILURES` looks for words in the messages.
        environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
        try:
            done = self._programs.run([self._program, *words], seconds, entered, variables=environment)
        except OSError as error:
            raise NetworkFault(MISSING) from error
        except ProgramError as error:
            raise NetworkFault(TOO_SLOW.with_(name=name) if name else FAILED) from error
        if done.returncode not in (0, *fine):
            raise NetworkFault(_failure(done.returncode, done.stderr, name))
        return done.stdout


def _lock(security: str) -> str:
    """Return the lock for nmcli's column SECURITY (see `Wifi`)."""
    kinds = set(security.split()) - {"--"}
    if not kinds:
        return "open"
    if kinds & {"802.1X", "WEP"} or not kinds & {"WPA1", "WPA2", "WPA3"}:
        return "unsuited"
    return "wpa3" if "WPA3" in kinds and "WPA2" not in kinds else "password"


def _failure(code: int, wrong: str, name: str) -> Text:
    if code == NOT_RUNNING:
        return SLEEPING
    if re.search(r"[Nn]ot authorized|[Ii]nsufficient privileges", wrong):
        return FORBIDDEN
    if code == NO_SUCH and name:
        return NO_HOTSPOT
    if not name:
        return FAILED
    explanation = next((sentence for pattern, sentence in FAILURES if pattern.search(wrong)), REFUSED)
    return (TOO_SLOW if code == TIMED_OUT else explanation).with_(name=name)
