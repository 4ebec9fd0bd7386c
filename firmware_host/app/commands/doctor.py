"""`sniperboard doctor`: print problems with their remedies. Exit codes: 0 no problems · 1 problems found · 2 wrong
settings or wiring.
"""

from __future__ import annotations

import argparse
import grp
import os
from datetime import datetime
from pathlib import Path
from typing import Any

from firmware_host.app.terminal import attempt
from firmware_host.core.errors import JournalError
from firmware_host.core.settings import ConfigError, Settings
from firmware_host.core.settings_options import add_settings_options, settings_of
from firmware_host.mqtt.options import mqtt_options
from firmware_host.records.state_folder import resolved
from firmware_host.workshop import wired
from firmware_host.workshop.doctor import examine
from firmware_host.workshop.findings import BAD, GOOD, ODD, Machine

SIGNS = {GOOD: "ok ", ODD: " ? ", BAD: "BAD"}


def add_command(commands: Any) -> None:
    """Add `doctor`."""
    parser = commands.add_parser("doctor", help="check this machine and the settings for problems")
    add_settings_options(parser, ("board", "lamps", "controls", "state"))
    parser.set_defaults(run=lambda chosen: attempt(lambda: _run(chosen), {ConfigError: 2, JournalError: 2}))


def _run(chosen: argparse.Namespace) -> int:
    """Print every finding. Return the exit code."""
    settings = settings_of(chosen)
    resolved(settings.state)
    findings = examine(this_machine(), settings)
    for finding in findings:
        print(f"{SIGNS[finding.state]}  {finding.what}: {finding.found}")
        if finding.remedy:
            print(f"     → {finding.remedy}")
    return int(any(finding.state == BAD for finding in findings))


def this_machine() -> Machine:
    """Return this machine and its user."""
    names = frozenset(group.gr_name for group in grp.getgrall() if group.gr_gid in os.getgroups())
    return Machine(Path("/"), datetime.now(), names, os.geteuid() == 0, ask=wired.ask, broker=why_no_broker)


def why_no_broker(settings: Settings) -> str:
    """Return why the MQTT broker cannot be used; empty if it can, or none is set."""
    from firmware_host.mqtt.connection import connection_fault  # imported here: the library is optional

    try:
        options = mqtt_options(settings)
    except ConfigError as error:
        return str(error)
    return "" if options is None else str(connection_fault(options) or "")
