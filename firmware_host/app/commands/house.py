"""`sniperboard house pin`: set the admin PIN, also while the table runs."""

from __future__ import annotations

import argparse
import getpass
import sys
from pathlib import Path
from typing import Any

from firmware_host.admin import pin as pins
from firmware_host.core.errors import UserError
from firmware_host.core.settings import ConfigError
from firmware_host.core.settings_options import add_settings_options, settings_of


def add_command(commands: Any) -> None:
    """Add `house` with `pin`."""
    parser = commands.add_parser("house", help="manage the admin PIN")
    parts = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    pin = parts.add_parser(
        "pin", help="set the admin PIN; it takes effect at once, and all devices must enter it again"
    )
    add_settings_options(pin, only=("state",))
    pin.add_argument("--make-up", action="store_true", help="generate a random PIN and print it")
    pin.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Ask for a PIN twice or generate one, and store it. Return the exit code."""
    try:
        state = Path(settings_of(chosen).state)
        pin = pins.made_up() if chosen.make_up else _asked()
        pins.fits(pin)
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        pins.write(state, pin)
    except (ConfigError, UserError) as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{state}: the PIN cannot be kept there ({error.strerror}). Name the table's folder by --state.")
    print(f"The house PIN is {pin} now." if chosen.make_up else "The house PIN is kept.")
    return 0


def _asked() -> str:
    """Read a PIN twice without echo. Raises `UserError`."""
    try:
        pin = getpass.getpass(f"House PIN, at least {pins.SHORTEST} characters: ")
        again = getpass.getpass("The same again: ")
    except EOFError:
        raise UserError("not-understood", "No PIN was entered. The old one stays.") from None
    if again != pin:
        raise UserError("not-understood", "These were two different PINs. The old one stays.")
    return pin


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 2
