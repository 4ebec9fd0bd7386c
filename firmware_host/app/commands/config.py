"""`sniperboard config`: a file of settings to begin with, made from what can be set, each with its explanation."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from firmware_host.app.commands.settings import form
from firmware_host.app.settings import SETTINGS, ConfigError, settle
from hardware import drivers
from hardware.drivers import DriverOption

WIDTH = 100
HEAD = """\
The settings of the table. Every line that begins with a # is an explanation, or shows a default: take the # away and
change the value to set it. The command line wins over this file. `sniperboard run --config FILE` says all that is
wrong with it at once."""


def add_config_command(commands: Any) -> None:
    """`config`, which prints the file."""
    parser = commands.add_parser("config", help="print a file of settings to begin with, every one explained")
    for setting in SETTINGS:
        parser.add_argument("--" + setting.name.replace("_", "-"), dest=setting.name, **form(setting))
    parser.set_defaults(run=run)


def document(chosen: Mapping[str, Any] | None = None) -> str:
    """The file as TOML text. What is `chosen` of the table's own settings stands there as set, the rest as defaults."""
    tables = [_table("sniperboard", SETTINGS, chosen or {})]
    for name in drivers.names():
        if options := drivers.find(name).options:
            tables.append(_table(name, options, {}))
    return "\n\n".join([_comment(HEAD), *tables]) + "\n"


def _table(name: str, options: Iterable[DriverOption], chosen: Mapping[str, Any]) -> str:
    return "\n\n".join([f"[{name}]", *(_lines(option, chosen) for option in options)])


def _lines(option: DriverOption, chosen: Mapping[str, Any]) -> str:
    bounds = "" if option.low is None else f" From {option.low} to {option.high}."
    choices = f" One of: {', '.join(option.choices)}." if option.choices else ""
    off = "" if option.name in chosen else "#"
    value = chosen.get(option.name, option.default)
    return f"{_comment(option.help + bounds + choices)}\n{off}{option.name} = {_toml(value)}"


def _comment(text: str) -> str:
    return "\n".join(f"# {line}" for line in textwrap.wrap(text, WIDTH))


def _toml(value: Any) -> str:
    """A value as TOML writes it: as JSON does, for all that can be set here."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)


def run(chosen: argparse.Namespace) -> int:
    """Print it, with what was chosen on the command line. Wrong values are told instead; the exit code."""
    given = {setting.name: getattr(chosen, setting.name) for setting in SETTINGS}
    try:
        settle(given)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 2
    print(document({name: value for name, value in given.items() if value is not None}), end="")
    return 0
