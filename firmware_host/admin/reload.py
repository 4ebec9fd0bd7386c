"""Settings that are read again while the table runs: what counts at once, and what waits for a start. Pure."""

from __future__ import annotations

from dataclasses import replace

from msgspec import Struct

from firmware_host.core.settings import SETTINGS, Change, Settings

LIVE = frozenset(setting.name for setting in SETTINGS if setting.change is not Change.AT_START)
"""The settings that a running table can take over."""


class ReloadedSettings(Struct, frozen=True):
    """`settings` as they are from now on; the names of those that have changed, and of those that wait for a start."""

    settings: Settings
    changed: tuple[str, ...]
    waiting: tuple[str, ...]

    def __str__(self) -> str:
        """A line for the log."""
        said = [f"The settings were read again; {', '.join(self.changed) or 'nothing'} changed."]
        if self.waiting:
            said.append(f"These count from the next start on: {', '.join(self.waiting)}.")
        return " ".join(said)


def reload_settings(running: Settings, found: Settings) -> ReloadedSettings:
    """What follows from the settings that were found for those that the table runs with."""
    other = [it.name for it in SETTINGS if getattr(running, it.name) != getattr(found, it.name)]
    waiting = [name for name in other if name not in LIVE]
    if running.drivers != found.drivers and not {"board", "lamps", "controls"} & set(waiting):
        waiting.append("drivers")
    changed = tuple(name for name in other if name in LIVE)
    new = {name: getattr(found, name) for name in LIVE}
    return ReloadedSettings(replace(running, **new, given=found.given), changed, tuple(waiting))
