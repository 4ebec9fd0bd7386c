"""Facts about the program and the machine for the admin page, and the bug report. All of it is public.

The admin may also be a player: nothing here depends on the secrets of a seat.
"""

from __future__ import annotations

import logging
import platform
import socket
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from typing import Any

from engine.text import Text
from firmware_host.admin.upkeep import network_name
from firmware_host.core.errors import UserError
from firmware_host.core.logbook import Logbook
from firmware_host.core.settings import SETTINGS, Settings

SHOWN_LINES = 60
"""Number of log lines on the page: the newest. The report has all lines."""
log = logging.getLogger("firmware_host")


class AdminPage:
    """The parts of the admin page that do not depend on the table.

    `end` shuts the table down; its argument is whether to switch the machine off too. `broker` returns the state of the
    connection to an MQTT broker (`where`, `connected`, `fault`), None if none is set.
    """

    def __init__(
        self,
        settings: Settings,
        logbook: Logbook,
        end: Callable[[bool], None] = lambda power_off: None,
        network: Callable[[], str | None] = network_name,
        machine: Callable[[], str] = socket.gethostname,
        broker: Callable[[], Mapping[str, Any] | None] = lambda: None,
    ) -> None:
        self._settings, self._logbook, self._end = settings, logbook, end
        self._network, self._machine, self._broker = network, machine, broker

    def facts(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """Return the page's facts. `table` has the facts of the table, which are included."""
        return {
            **table,
            "version": version("sniperboard"),
            "machine": self._machine(),
            "network": self._network(),
            "broker": self._broker(),
            "poweroff": self._settings.poweroff,
            "log": self._logbook.lines[-SHOWN_LINES:],
        }

    def report(self, table: Mapping[str, Any], board: Mapping[str, Any]) -> str:
        """Return a bug report as text. `board` has the facts about the board and its wiring."""
        return "\n".join(self._report(table, board)) + "\n"

    def _report(self, table: Mapping[str, Any], board: Mapping[str, Any]) -> Iterator[str]:
        live = table["board"]
        yield "Report of a sniperboard table. It contains only public facts, and no names of people."
        yield f"version {version('sniperboard')}, Python {platform.python_version()}, {platform.platform()}"
        yield f"map {table['map']}, {table['stage']}, board state {board['state']}"
        for part in ("sensors", "lamps"):
            yield f"{part}: {live[part]['driver']}, {live[part]['count']}"
        yield from _section_lines("Faults", live["ills"])
        yield from _section_lines("Settings from the file or the command line", self._set())
        yield from _section_lines(
            "Settings of the page", (f"{it['name']} = {it['value']!r}" for it in table["choices"])
        )
        yield from _section_lines("Wiring: sensors, lamps", (" ".join(map(str, names)) for names in board["wiring"]))
        yield from _section_lines("Sensors with problems, or without any change yet", board["health"])
        yield from _section_lines("Raw edges: seconds before now, sensor, down", board["edges"])
        yield from _section_lines("Log", self._logbook.lines)

    def _set(self) -> Iterator[str]:
        for setting in SETTINGS:
            if setting.name in self._settings.given:
                # The report is public: folders and secrets are only mentioned.
                value = repr(getattr(self._settings, setting.name))
                yield f"{setting.name} = {'(a path)' if setting.path else '(set)' if setting.private else value}"
        for driver, options in self._settings.drivers.items():
            for name, value in options.items():
                yield f"[{driver}] {name} = {value!r}"

    def shut_down(self, power_off: bool) -> None:
        """Shut the table down, and the machine if `power_off`. Raises `UserError` if the settings forbid that."""
        if power_off and not self._settings.poweroff:
            raise UserError(
                "not-now", Text("This table may not switch its machine off. Allow it with the setting poweroff.")
            )
        log.info("The admin page shuts the table down%s.", " and the machine off" if power_off else "")
        self._end(power_off)


def _section_lines(title: str, lines: Any) -> Iterator[str]:
    yield f"\n{title}"
    yield from [f"  {line}" for line in lines] or ["  none"]
