"""Settings that are changed on the admin page while the table runs: they take effect at once and outlive a start.

Each is a setting like any other. What the settings' file or the command line sets is fixed, and the page says so: one
place for each value, and whoever wrote the file finds it obeyed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.core.quiet_hours import quiet_hours
from firmware_host.core.settings import SETTINGS, Change, Setting, Settings, faults_of
from firmware_host.records.journal import Journal

OFFERED = {setting.name: setting for setting in SETTINGS if setting.change is Change.ON_ADMIN_PAGE}
"""What can be chosen, by name, in the order of the page."""
Kind = Literal["switch", "choice", "time", "share", "number", "text"]
"""What a value is chosen with; a share is a part of 1."""
KEPT = "house"
"""What the journal keeps the choices under."""


class Choices:
    """What the admin page has chosen, over the settings of a start. Only the table's loop comes here."""

    def __init__(self, settings: Settings, journal: Journal) -> None:
        self._settings, self._journal = settings, journal
        kept = journal.kept(KEPT)
        self._chosen = self._still_good(kept if isinstance(kept, dict) else {})
        self.settings = self._with(self._chosen)
        """The settings as they are now."""

    def _still_good(self, kept: Mapping[str, Any]) -> dict[str, Any]:
        """What was chosen once and may be still: a setting can have become another one since, or a fixed one."""
        good = {
            name: value
            for name, value in kept.items()
            if name in OFFERED and name not in self._settings.given and not faults_of(OFFERED[name], value)
        }
        try:
            _check(self._with(good))
        except ValueError:
            good = {name: value for name, value in good.items() if name not in ("quiet_from", "quiet_to")}
        return good

    def _with(self, chosen: Mapping[str, Any]) -> Settings:
        return replace(self._settings, **chosen)

    def choose(self, wanted: Mapping[str, Any]) -> None:
        """Choose values by name; None goes back to the default. Raises `UserError`, and then nothing has changed."""
        for name, value in wanted.items():
            if name not in OFFERED:
                raise UserError(
                    "not-understood",
                    Text("There is no choice {name}; there are {known}.", name=repr(name), known=", ".join(OFFERED)),
                )
            if name in self._settings.given:
                raise UserError(
                    "not-now",
                    Text("{name} is fixed by the settings of this start; take it out there first.", name=name),
                )
            faults = [] if value is None else faults_of(OFFERED[name], value)
            if faults:
                raise UserError("not-understood", Text("{fault}", fault=faults[0]))
        chosen = {name: value for name, value in {**self._chosen, **wanted}.items() if value is not None}
        settings = self._with(chosen)
        try:
            _check(settings)
        except ValueError as error:
            raise UserError("not-understood", Text("{fault}", fault=f"{error}.")) from error
        self._journal.keep(KEPT, chosen)
        self._chosen, self.settings = chosen, settings

    def shown(self) -> list[dict[str, Any]]:
        """Each choice for the page: what it is now, what it may be, and whether it is fixed; public."""
        now = self.settings
        return [
            {
                "name": name,
                "value": getattr(now, name),
                "default": getattr(self._settings, name),
                "fixed": name in self._settings.given,
                "kind": _kind(setting),
                "low": setting.low,
                "high": setting.high,
                "choices": setting.choices,
            }
            for name, setting in OFFERED.items()
        ]


def _kind(setting: Setting) -> Kind:
    """What the page lets people choose a setting with."""
    if setting.choices:
        return "choice"
    if setting.time:
        return "time"
    kinds: dict[type, Kind] = {bool: "switch", float: "share", int: "number"}
    return kinds.get(type(setting.default), "text")


def _check(settings: Settings) -> None:
    """Raises `ValueError` for quiet hours that are none."""
    quiet_hours(settings.quiet_from, settings.quiet_to)
