"""`sniperboard doctor`: print problems with their remedies. Without `--config` and `--simulate`, it reads the settings
of the installed service, if there is one. Exit codes: 0 no problems · 1 problems found · 2 wrong settings or wiring.
"""

from __future__ import annotations

import argparse
import grp
import os
import shlex
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from firmware_host.app.terminal import exit_code_of
from firmware_host.core.errors import JournalError
from firmware_host.core.settings import ConfigError, Settings
from firmware_host.core.settings_options import add_settings_options, settings_of
from firmware_host.mqtt.options import mqtt_options
from firmware_host.records.state_folder import resolve_folder
from firmware_host.workshop import checks
from firmware_host.workshop.checks import BAD, GOOD, ODD, Finding, Machine
from firmware_host.workshop.doctor import examine

SIGNS = {GOOD: "ok ", ODD: " ? ", BAD: "BAD"}
INSTALLED = Path("/etc/sniperboard/sniperboard.toml")
STATE = "/var/lib/sniperboard"
"""The service's settings and state folder (`sniperboard.service`)."""
PARTS = ("board", "lamps", "controls", "state")


def add_command(commands: Any) -> None:
    """Add `doctor`."""
    parser = commands.add_parser("doctor", help="check this machine and the settings for problems")
    add_settings_options(parser, PARTS)
    parser.set_defaults(run=lambda chosen: exit_code_of(lambda: _run(chosen), {ConfigError: 2, JournalError: 2}))


def _run(arguments: argparse.Namespace) -> int:
    """Print all findings. Return the exit code."""
    if arguments.config is None and not arguments.simulate and INSTALLED.exists():
        arguments.config, arguments.state = INSTALLED, arguments.state or STATE
    settings = settings_of(arguments)
    resolve_folder(settings.state)
    findings = [_looked_at(arguments, settings), *examine(this_machine(_options(arguments)), settings)]
    for finding in findings:
        print(f"{SIGNS[finding.state]}  {finding.what}: {finding.found}")
        if finding.remedy:
            print(f"     → {finding.remedy}")
    return int(any(finding.state == BAD for finding in findings))


def _looked_at(arguments: argparse.Namespace, settings: Settings) -> Finding:
    """Return the settings and the board to examine."""
    source = str(arguments.config or "no file")
    lamps = f", lamps {settings.lamps}" if settings.lamps else ""
    remedy = (
        "" if arguments.config or arguments.simulate or arguments.board else "Name a file with --config, or a --board."
    )
    state = ODD if remedy else GOOD
    return Finding("settings", state, f"{source}; board {settings.board}{lamps}, games in {settings.state}", remedy)


def _options(arguments: argparse.Namespace) -> list[str]:
    """Return the command-line options that make other commands use the same board."""
    values = {name: getattr(arguments, name) for name in ("config", *PARTS) if getattr(arguments, name)}
    options = [word for name, value in values.items() for word in (f"--{name}", str(value))]
    return ["--simulate", *options] if arguments.simulate else options


def this_machine(options: Sequence[str]) -> Machine:
    """Return this machine and its user. `options` makes other commands use the same board."""
    names = frozenset(group.gr_name for group in grp.getgrall() if group.gr_gid in os.getgroups())
    return Machine(
        Path("/"),
        datetime.now(),
        names,
        os.geteuid() == 0,
        ask=checks.read_greeting,
        broker=why_no_broker,
        options="".join(f" {shlex.quote(word)}" for word in options),
    )


def why_no_broker(settings: Settings) -> str:
    """Return why the MQTT broker cannot be used; empty if it can, or none is set."""
    from firmware_host.mqtt.connection import connection_fault  # imported here: the library is optional

    try:
        options = mqtt_options(settings)
    except ConfigError as error:
        return str(error)
    return "" if options is None else str(connection_fault(options) or "")
