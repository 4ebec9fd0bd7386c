"""Settings that change while the table runs: on the admin page, where they are stored, or when the file is reloaded.

A setting from the settings file or the command line is fixed and cannot be changed on the page, so that each value has
only one source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from msgspec import Struct

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.core.settings import FORMER_NAMES, SETTINGS, Change, Setting, Settings, faults_of, quiet_hours
from firmware_host.records.journal import Journal

PAGE_SETTINGS = {setting.name: setting for setting in SETTINGS if setting.change is Change.ON_ADMIN_PAGE}
"""The settings of the page by name, in its order."""
Kind = Literal["switch", "choice", "time", "share", "number", "text"]
"""The kind of input field. A share is a number from 0 to 1."""
CHOICES_KEY = "house"
"""The journal's key for the choices."""


class Choices:
    """The choices made on the admin page, which override the settings from the start of the table.

    For the table's loop only.
    """

    def __init__(self, settings: Settings, journal: Journal) -> None:
        self._settings, self._journal = settings, journal
        stored = journal.stored_value(CHOICES_KEY)
        choices = stored if isinstance(stored, dict) else {}
        self._chosen = self._still_valid({FORMER_NAMES.get(name, name): value for name, value in choices.items()})
        self.settings = replace(settings, **self._chosen)
        """The current settings."""

    def _still_valid(self, stored: Mapping[str, Any]) -> dict[str, Any]:
        """Return the stored choices that are still valid: since then, a setting may have changed or become fixed."""
        good = {
            name: value
            for name, value in stored.items()
            if name in PAGE_SETTINGS and name not in self._settings.given and not faults_of(PAGE_SETTINGS[name], value)
        }
        try:
            fitting = replace(self._settings, **good)
            quiet_hours(fitting.quiet_from, fitting.quiet_to)
        except ValueError:
            good = {name: value for name, value in good.items() if name not in ("quiet_from", "quiet_to")}
        return good

    def choose(self, requested: Mapping[str, Any]) -> None:
        """Set values by name; None resets to the default. Raises `UserError`, and then nothing has changed."""
        requested = {FORMER_NAMES.get(name, name): value for name, value in requested.items()}
        for name, value in requested.items():
            if name not in PAGE_SETTINGS:
                unknown = Text("There is no setting {name} here. The settings are {known}.")
                raise UserError("not-understood", unknown.with_(name=repr(name), known=", ".join(PAGE_SETTINGS)))
            if name in self._settings.given:
                fixed = Text("{name} is set in the settings file or on the command line. Remove it there first.")
                raise UserError("not-now", fixed.with_(name=name))
            faults = [] if value is None else faults_of(PAGE_SETTINGS[name], value)
            if faults:
                raise UserError("not-understood", Text("{fault}", fault=faults[0]))
        chosen = {name: value for name, value in {**self._chosen, **requested}.items() if value is not None}
        settings = replace(self._settings, **chosen)
        try:
            quiet_hours(settings.quiet_from, settings.quiet_to)
        except ValueError as error:
            raise UserError("not-understood", Text("{fault}", fault=f"{error}.")) from error
        self._journal.store_value(CHOICES_KEY, chosen)
        self._chosen, self.settings = chosen, settings

    def page_facts(self) -> list[dict[str, Any]]:
        """Return the public facts about each setting for the page: its value, its limits, and whether it is fixed."""
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
            for name, setting in PAGE_SETTINGS.items()
        ]


def _kind(setting: Setting) -> Kind:
    if setting.choices:
        return "choice"
    if setting.time:
        return "time"
    kinds: dict[type, Kind] = {bool: "switch", float: "share", int: "number"}
    return kinds.get(type(setting.default), "text")


# --- reloading the file -----------------------------------------------------------------------------------------

LIVE_SETTINGS = frozenset(setting.name for setting in SETTINGS if setting.change is not Change.AT_START)
"""The settings that a running table can change."""


class ReloadedSettings(Struct, frozen=True):
    """The new `settings`, and the names of the settings that have changed and of those that need a restart."""

    settings: Settings
    changed: tuple[str, ...]
    waiting: tuple[str, ...]

    def __str__(self) -> str:
        """Return the line that the log gets."""
        sentences = [f"The settings were reloaded. Changed: {', '.join(self.changed) or 'nothing'}."]
        if self.waiting:
            sentences.append(f"These need a restart: {', '.join(self.waiting)}.")
        return " ".join(sentences)


def reload_settings(running: Settings, reloaded: Settings) -> ReloadedSettings:
    """Return the differences between the `reloaded` settings and those that the table is `running` with."""
    other = [it.name for it in SETTINGS if getattr(running, it.name) != getattr(reloaded, it.name)]
    waiting = [name for name in other if name not in LIVE_SETTINGS]
    # The drivers are the same, but their options differ.
    if running.drivers != reloaded.drivers and not {"board", "lamps", "controls"} & set(waiting):
        waiting.append("drivers")
    changed = tuple(name for name in other if name in LIVE_SETTINGS)
    new = {name: getattr(reloaded, name) for name in LIVE_SETTINGS}
    return ReloadedSettings(replace(running, **new, given=reloaded.given), changed, tuple(waiting))
