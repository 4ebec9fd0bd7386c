"""What only the machine's owner may change, the table's name and the country of its radio, asked of systemd.

`sniperboard-machine@.service` does it as root; a rule of Polkit lets the table's user start it and nothing else.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from engine.text import Text
from firmware_host.core.errors import UserError

UNIT = "sniperboard-machine@{wish}.service"
COUNTRY = Path("/sys/module/cfg80211/parameters/ieee80211_regdom")
"""Where the kernel keeps the country of its radios; 00 for none."""
SECONDS = 30.0
DENIED = Text("The machine did not take that. What it says is in its log: journalctl -u 'sniperboard-machine@*'.")


class MachineOwner:
    """Asks systemd, by its program `systemctl`."""

    def __init__(self, program: str = "systemctl", country: Path = COUNTRY) -> None:
        self._program, self._country = program, country

    def name(self, name: str) -> None:
        """Call the machine so from now on; `name` is checked. Raises `UserError`."""
        self._start(f"name-{name}")

    def country(self, code: str) -> None:
        """Keep to the radio rules of this country; `code` is checked. Raises `UserError`."""
        self._start(f"country-{code}")

    def known_country(self) -> str:
        """The country that the radio keeps to; empty where it knows none."""
        try:
            found = self._country.read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ""
        return found if found.isalpha() and len(found) == 2 else ""

    def _start(self, wish: str) -> None:
        command = [self._program, "--no-ask-password", "start", UNIT.format(wish=wish)]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UserError("not-now", DENIED) from error
        if done.returncode != 0:
            raise UserError("not-now", DENIED)
