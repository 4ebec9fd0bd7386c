"""Reloads settings while the table runs: finds those that apply at once and those that need a restart. Pure."""

from __future__ import annotations

from dataclasses import replace

from msgspec import Struct

from firmware_host.core.settings import SETTINGS, Change, Settings

LIVE = frozenset(setting.name for setting in SETTINGS if setting.change is not Change.AT_START)
"""The settings that a running table can change."""


class ReloadedSettings(Struct, frozen=True):
    """The new `settings`, the names of those that have changed, and of those that need a restart."""

    settings: Settings
    changed: tuple[str, ...]
    waiting: tuple[str, ...]

    def __str__(self) -> str:
        """Return a line for the log."""
        said = [f"The settings were reloaded. Changed: {', '.join(self.changed) or 'nothing'}."]
        if self.waiting:
            said.append(f"These need a restart: {', '.join(self.waiting)}.")
        return " ".join(said)


def reload_settings(running: Settings, found: Settings) -> ReloadedSettings:
    """Return what the `found` settings change in those that the table is `running` with."""
    other = [it.name for it in SETTINGS if getattr(running, it.name) != getattr(found, it.name)]
    waiting = [name for name in other if name not in LIVE]
    if running.drivers != found.drivers and not {"board", "lamps", "controls"} & set(waiting):
        waiting.append("drivers")
    changed = tuple(name for name in other if name in LIVE)
    new = {name: getattr(found, name) for name in LIVE}
    return ReloadedSettings(replace(running, **new, given=found.given), changed, tuple(waiting))
