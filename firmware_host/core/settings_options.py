"""Settings on the command line: the options that `run`, `doctor` and `hw` share."""

from __future__ import annotations

import argparse
from collections.abc import Container
from pathlib import Path
from typing import Any

from firmware_host.core.settings import FORMER_NAMES, SETTINGS, Settings, read_file, settle, with_current_names


def add_settings_options(parser: argparse.ArgumentParser, only: Container[str] | None = None) -> None:
    """Add `--config`, `--simulate`, and an option for every setting (or those named in `only`)."""
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="TOML file: settings in [sniperboard], driver options in a table per driver",
    )
    parser.add_argument(
        "--simulate", action="store_true", help="use the simulated board, even if the settings name another one"
    )
    add_settings(parser, only)


def add_settings(parser: argparse.ArgumentParser, only: Container[str] | None = None) -> None:
    """Add an option for every setting (or those named in `only`), and hidden ones for former names."""
    for setting in SETTINGS:
        if only is None or setting.name in only:
            # Don't show the default of a switch, whose name shows it, or of an empty text.
            has_text = not isinstance(setting.default, bool) and setting.default != ""
            default = f" (default: {setting.default})" if has_text else ""
            _add(parser, setting.name, setting.default, setting.help + default)
            for former in (old for old, new in FORMER_NAMES.items() if new == setting.name):
                _add(parser, former, setting.default, argparse.SUPPRESS)


def _add(parser: argparse.ArgumentParser, name: str, default: Any, help: str) -> None:
    """Add an option with the type of `default`. A boolean one also gets a `--no-` option."""
    form: dict[str, Any] = {"type": type(default)}
    if isinstance(default, bool):
        # None means that a switch was not given, so that the value from the file stays.
        form = {"action": argparse.BooleanOptionalAction, "default": None}
    parser.add_argument("--" + name.replace("_", "-"), dest=name, help=help, **form)


def given_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the settings on the command line under their current names."""
    names = [*FORMER_NAMES, *(setting.name for setting in SETTINGS)]
    return with_current_names({name: getattr(arguments, name, None) for name in names})


def settings_of(arguments: argparse.Namespace) -> Settings:
    """Return the file's settings, overridden by the command line. Raises `ConfigError`."""
    forced = {"board": "simulated", "lamps": "", "controls": ""} if arguments.simulate else {}
    return settle(read_file(arguments.config) if arguments.config else {}, given_settings(arguments), forced)
