"""Settings on the command line: the options that `run`, `doctor` and `hw` share."""

from __future__ import annotations

import argparse
from collections.abc import Container
from pathlib import Path
from typing import Any

from firmware_host.core.settings import SETTINGS, Setting, Settings, read_file, settle


def add_settings_options(parser: argparse.ArgumentParser, only: Container[str] | None = None) -> None:
    """Add `--config`, `--simulate`, and an option for every setting (or those named in `only`)."""
    parser.add_argument(
        "--config", type=Path, help="TOML file: settings in [sniperboard], driver options in a table per driver"
    )
    parser.add_argument("--simulate", action="store_true", help="use the simulated board, regardless of the file")
    for setting in SETTINGS:
        if only is None or setting.name in only:
            parser.add_argument("--" + setting.name.replace("_", "-"), dest=setting.name, **form(setting))


def form(setting: Setting) -> dict[str, Any]:
    """Return the argparse arguments for a setting. A boolean setting also gets a `--no-` option."""
    kind = type(setting.default)
    if kind is bool:
        return {"action": argparse.BooleanOptionalAction, "default": None, "help": setting.help}
    return {"type": kind, "help": f"{setting.help} (default: {setting.default})"}


def settings_of(chosen: argparse.Namespace) -> Settings:
    """Return the file's settings, overridden by the command line. Raises `ConfigError`."""
    given = {setting.name: getattr(chosen, setting.name, None) for setting in SETTINGS}
    forced = {"board": "simulated", "lamps": "", "controls": ""} if chosen.simulate else {}
    return settle(read_file(chosen.config) if chosen.config else {}, given, forced)
