"""The command `sniperboard`: reads the command line and hands over to the file of that command."""

from __future__ import annotations

import argparse
import errno
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, Final

from firmware_host.core import ctrl_c

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

COMMANDS: Final = {
    "run": "add_run_command",
    "engine": "",
    "hands": "",
    "map": "add_map_commands",
    "board": "add_board_commands",
    "arena": "add_arena_command",
    "ratings": "add_ratings_command",
    "bench": "add_bench_command",
    "simulate": "add_simulate_command",
    "rules": "add_rules_command",
    "config": "add_config_command",
    "doctor": "add_doctor_command",
    "hw": "add_hw_commands",
    "house": "add_house_command",
    "games": "add_games_commands",
    "completion": "add_completion_command",
}
"""Command -> the function in `commands/<command>.py` that adds it; empty for the protocols, which are added here."""

NOT_WRITTEN: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""Error numbers of a full disk. For standard output, the error has no file name."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    _spell_what_cannot_be_shown()
    if threading.current_thread() is threading.main_thread():
        ctrl_c.listen()
    try:
        try:
            return _run(arguments)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe (`| head`): exit silently with the code of SIGPIPE.
        _write_no_more()
        return 128 + signal.SIGPIPE
    except OSError as error:
        if error.errno not in NOT_WRITTEN or error.filename is not None:
            raise
        _write_no_more()
        print(f"The output cannot be written: {error.strerror}. Send it to a disk with room.", file=sys.stderr)
        return os.EX_IOERR


def _run(arguments: Sequence[str] | None) -> int:
    """Parse the arguments and run the command. Arguments that a command parses itself are in `rest`."""
    words = sys.argv[1:] if arguments is None else arguments
    line = parser(words[0] if words else None)
    chosen, rest = line.parse_known_args(arguments)
    if rest and not hasattr(chosen, "rest"):
        line.error(f"unrecognized arguments: {' '.join(rest)}")
    chosen.rest = rest
    code: int = chosen.run(chosen)
    return code


def _spell_what_cannot_be_shown() -> None:
    """Escape characters that the terminal cannot encode, so that printing never fails."""
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _write_no_more() -> None:
    """Discard the remaining output, so that the interpreter reports no error at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser(command: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of one command, importing only its file; of all commands if the name is unknown.

    Commands set `run`, a function from parsed arguments to exit code.
    """
    whole = argparse.ArgumentParser(
        prog="sniperboard", description="A smart board that referees hidden-movement games."
    )
    whole.add_argument("--version", action="version", version=f"sniperboard {version('sniperboard')}")
    commands = whole.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name in [command] if command in COMMANDS else COMMANDS:
        _add(str(name), commands)
    return whole


def _add(name: str, commands: Subparsers) -> None:
    """Add a command to the parser."""
    if name == "engine":
        commands.add_parser(name, help="run the rules engine on stdin and stdout (board-engine/1)").set_defaults(
            run=_engine
        )
    elif name == "hands":
        what = "read sensor events from stdin, write recognised moves to stdout (board-hands/1)"
        commands.add_parser(name, help=what).set_defaults(run=_hands)
    else:
        add: Any = getattr(import_module(f"firmware_host.app.commands.{name}"), COMMANDS[name])
        add(*((commands, parser) if name == "completion" else (commands,)))


def _engine(_: argparse.Namespace) -> int:
    from firmware_host.protocols.engine import converse
    from firmware_host.protocols.lines import spoken

    return spoken(converse)


def _hands(_: argparse.Namespace) -> int:
    from firmware_host.protocols.lines import spoken
    from firmware_host.protocols.tracking import converse

    return spoken(converse)


if __name__ == "__main__":
    sys.exit(main())
