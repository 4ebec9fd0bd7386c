"""The networks around the table, with a replacement for nmcli that behaves as the real one."""

from __future__ import annotations

import sys
from ast import literal_eval
from pathlib import Path
from typing import Any

from firmware_host.network.keeper import NetworkKeeper
from firmware_host.network.manager import HOTSPOT, NetworkManager

STAND_IN = Path(__file__).with_name("nmcli.py")
PASSWORD = "correct horse: \\ battery"


def network(name: str, password: str = "", security: str = "", signal: int = 60, **more: bool) -> dict[str, Any]:
    """Return a Wi-Fi in range."""
    security = security or ("WPA2" if password else "")
    return {"ssid": name, "password": password, "security": security, "signal": signal, **more}


class World:
    """The networks in range, and a clock that only the test moves."""

    def __init__(self, folder: Path) -> None:
        self.now = 1000.0
        folder.mkdir(parents=True, exist_ok=True)
        self.program = folder / "nmcli"
        self.program.write_text(f"#!{sys.executable} -IS\n{STAND_IN.read_text('utf-8')}", "utf-8")
        self.program.chmod(0o755)
        self._file = folder / "world.py"
        hotspot = {"name": "sniperboard-1a2b", "ssid": "sniperboard-1a2b"}
        self.change(
            running=True, forbidden=False, radio="disconnected", cable=False, active="", calls=[],
            air=[network("My: Attic", PASSWORD)], profiles={HOTSPOT: hotspot},
        )  # fmt: skip

    def change(self, **facts: Any) -> None:
        """Change facts of the world."""
        before = literal_eval(self._file.read_text("utf-8")) if self._file.exists() else {}
        self._file.write_text(repr({**before, **facts}), "utf-8")

    def __getitem__(self, fact: str) -> Any:
        return literal_eval(self._file.read_text("utf-8"))[fact]

    def clock(self) -> float:
        """Return monotonic seconds."""
        return self.now

    def keeper(self) -> NetworkKeeper:
        """Return a keeper that has just started."""
        return NetworkKeeper(NetworkManager(str(self.program)), self.clock)

    def passes(self, keeper: NetworkKeeper, seconds: float) -> None:
        """Move the clock; the keeper looks before and after."""
        keeper.check_network()
        self.now += seconds
        keeper.check_network()

    @property
    def joined(self) -> str:
        """Return the name of the Wi-Fi that the radio is in."""
        return self["profiles"][self["active"]]["name"] if self["active"] else ""
