"""Changes the machine's name and the country of its radio by starting a systemd unit.

`sniperboard-machine@.service` does it as root. A Polkit rule lets the table's user start that unit and nothing else.
"""

from __future__ import annotations

import re
from pathlib import Path

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.core.programs import ProgramError, ProgramRunner

UNIT = "sniperboard-machine@{change}.service"
COUNTRY = Path("/sys/module/cfg80211/parameters/ieee80211_regdom")
"""The kernel's file with the country of its radios; 00 for none."""
TIMEOUT = 30.0
HOST_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
"""One label of a host name (RFC 1123)."""
COUNTRY_CODE = re.compile(r"[A-Z]{2}")
"""The code of a country (ISO 3166-1)."""
DENIED = Text("That could not be changed. See the machine's log: journalctl -u 'sniperboard-machine@*'.")


class MachineOwner:
    """Starts the unit with `systemctl`."""

    def __init__(self, program: str = "systemctl", country: Path = COUNTRY) -> None:
        self._program, self._country = program, country
        self.new_name = ""
        """The name of the machine, if it has changed since the start."""

    def rename(self, name: str) -> None:
        """Set the machine's name, in lower case. Raises `UserError`."""
        small = name.strip().lower().removesuffix(".local")
        if not HOST_NAME.fullmatch(small) or small == "localhost":
            words = Text("A table's name has up to 63 letters from a to z, digits, and hyphens inside.")
            raise UserError("not-understood", words)
        self._start(f"name-{small}")
        self.new_name = small

    def set_country(self, code: str) -> None:
        """Set the radio's country. Raises `UserError`."""
        if not COUNTRY_CODE.fullmatch(code):
            raise UserError("not-understood", Text("A country is a code of two letters, for example PL."))
        self._start(f"country-{code}")

    def known_country(self) -> str:
        """Return the radio's country; empty if it is not set."""
        try:
            country = self._country.read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ""
        return country if country.isalpha() and len(country) == 2 else ""

    def _start(self, change: str) -> None:
        # Without the Polkit rule, `systemctl` would wait for a password that no one can enter.
        command = [self._program, "--no-ask-password", "start", UNIT.format(change=change)]
        try:
            done = ProgramRunner().run(command, TIMEOUT)
        except (OSError, ProgramError) as error:
            raise UserError("not-now", DENIED) from error
        if done.returncode != 0:
            raise UserError("not-now", DENIED)
