"""`sniperboard admin pin` (also `house pin`): set the admin PIN, also while the table runs."""

from __future__ import annotations

import argparse
import getpass
from pathlib import Path
from typing import Any

from firmware_host.admin import pin as pins
from firmware_host.app.terminal import fail
from firmware_host.core.errors import UserError
from firmware_host.core.settings import ConfigError
from firmware_host.core.settings_options import add_settings_options, settings_of


def add_command(commands: Any) -> None:
    """Add `admin` with `pin`."""
    parser = commands.add_parser("admin", help="manage the admin PIN")
    parts = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    pin = parts.add_parser(
        "pin", help="set the admin PIN; it takes effect at once, and all devices must enter it again"
    )
    add_settings_options(pin, only=("state",))
    pin.add_argument("--make-up", action="store_true", help="generate a random PIN and print it")
    pin.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask for a PIN twice or generate one, and store it. Return the exit code."""
    try:
        state = Path(settings_of(arguments).state)
        pin = pins.random_pin() if arguments.make_up else _ask_pin()
        pins.check_length(pin)
        # The PIN can be set before the table has run for the first time.
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        pins.write_pin(state, pin)
    except (ConfigError, UserError) as error:
        return fail(2, str(error))
    except OSError as error:
        return fail(2, f"{state}: the PIN cannot be stored ({error.strerror}). Name the table's folder with --state.")
    print(f"The admin PIN is now {pin}." if arguments.make_up else "The admin PIN is set.")
    return 0


def _ask_pin() -> str:
    """Read a PIN twice without echo. Raises `UserError`."""
    try:
        pin = getpass.getpass(f"Admin PIN, at least {pins.SHORTEST} characters: ")
        again = getpass.getpass("Repeat it: ")
    except EOFError:
        raise UserError("not-understood", "No PIN was entered. The old one is unchanged.") from None
    if again != pin:
        raise UserError("not-understood", "The two PINs differ. The old one is unchanged.")
    return pin
