"""`sniperboard config`: print a settings file with explanations and defaults."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from firmware_host.app.terminal import fail
from firmware_host.core.settings import SETTINGS, ConfigError, settle
from firmware_host.core.settings_options import add_settings, given_settings
from hardware import drivers
from hardware.drivers import DriverOption

WIDTH = 100
HEAD = """\
The settings of the table. Lines that begin with # explain a setting or show its default. To change a setting, remove
the # and edit the value. The command line overrides this file. `sniperboard run --config FILE` reports all errors in
it at once."""


def add_command(commands: Any) -> None:
    """Add the command `config`."""
    parser = commands.add_parser("config", help="print a settings file with explanations and defaults")
    add_settings(parser)
    parser.set_defaults(run=run)


def settings_toml(chosen: Mapping[str, Any] | None = None) -> str:
    """Return the file as TOML text. `chosen` settings are set; all others are commented-out defaults."""
    tables = [_table("sniperboard", SETTINGS, chosen or {})]
    for name in drivers.names():
        if options := drivers.find(name).options:
            tables.append(_table(name, options, {}))
    return "\n\n".join([_comment(HEAD), *tables]) + "\n"


def _table(name: str, options: Iterable[DriverOption], chosen: Mapping[str, Any]) -> str:
    return "\n\n".join([f"[{name}]", *(_option_lines(option, chosen) for option in options)])


def _option_lines(option: DriverOption, chosen: Mapping[str, Any]) -> str:
    bounds = "" if option.low is None else f" From {option.low} to {option.high}."
    choices = f" One of: {', '.join(option.choices)}." if option.choices else ""
    off = "" if option.name in chosen else "#"
    # For values of all types of settings, TOML has the same notation as JSON.
    value = json.dumps(chosen.get(option.name, option.default), ensure_ascii=False)
    return f"{_comment(option.help + bounds + choices)}\n{off}{option.name} = {value}"


def _comment(text: str) -> str:
    return "\n".join(f"# {line}" for line in textwrap.wrap(text, WIDTH))


def run(arguments: argparse.Namespace) -> int:
    """Print the file with the values from the command line, or print their errors. Return the exit code."""
    values = given_settings(arguments)
    try:
        settle(values)
    except ConfigError as error:
        return fail(2, str(error))
    print(settings_toml(values), end="")
    return 0
