"""The command `sniperboard`: reads the command line and hands over to the file of that command."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from io import TextIOWrapper

from firmware_host.app.commands.arena import add_arena_command
from firmware_host.app.commands.bench import add_bench_command
from firmware_host.app.commands.board import add_board_commands
from firmware_host.app.commands.completion import add_completion_command
from firmware_host.app.commands.config import add_config_command
from firmware_host.app.commands.doctor import add_doctor_command
from firmware_host.app.commands.games import add_games_commands
from firmware_host.app.commands.house import add_house_command
from firmware_host.app.commands.hw import add_hw_commands
from firmware_host.app.commands.map import add_map_commands
from firmware_host.app.commands.rules import add_rules_command
from firmware_host.app.commands.run import add_run_command
from firmware_host.app.commands.simulate import add_simulate_command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    _spell_what_cannot_be_shown()
    try:
        try:
            return _run(arguments)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        return _unheard()


def _run(arguments: Sequence[str] | None) -> int:
    """Read the arguments and run their command. Those that a command reads by itself are in its `rest`."""
    line = parser()
    chosen, rest = line.parse_known_args(arguments)
    if rest and not hasattr(chosen, "rest"):
        line.error(f"unrecognized arguments: {' '.join(rest)}")
    chosen.rest = rest
    code: int = chosen.run(chosen)
    return code


def _spell_what_cannot_be_shown() -> None:
    """Letters that the terminal has not are spelled out: the command must not die of them."""
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _unheard() -> int:
    """Whoever read the output has heard enough (`| head`): end quietly, as the shell expects it of a signal."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 128 + signal.SIGPIPE


def parser() -> argparse.ArgumentParser:
    """The whole command line; commands set `run`, a function of the parsed arguments to the exit code."""
    whole = argparse.ArgumentParser(
        prog="sniperboard", description="A smart board that referees a hidden-movement game and keeps its secrets."
    )
    whole.add_argument("--version", action="version", version=f"sniperboard {version('sniperboard')}")
    commands = whole.add_subparsers(title="commands", required=True, metavar="COMMAND")
    add_run_command(commands)
    engine = commands.add_parser("engine", help="the rules on stdin and stdout (board-engine/1)")
    engine.set_defaults(run=_engine)
    hands = commands.add_parser(
        "hands", help="what sensors felt on stdin, what the table understood on stdout (board-hands/1)"
    )
    hands.set_defaults(run=_hands)
    add_map_commands(commands)
    add_board_commands(commands)
    add_arena_command(commands)
    add_bench_command(commands)
    add_simulate_command(commands)
    add_rules_command(commands)
    add_config_command(commands)
    add_doctor_command(commands)
    add_hw_commands(commands)
    add_house_command(commands)
    add_games_commands(commands)
    add_completion_command(commands, whole)
    return whole


def _engine(_: argparse.Namespace) -> int:
    from firmware_host.lab.protocols.engine import converse
    from firmware_host.lab.protocols.lines import spoken

    return spoken(converse)


def _hands(_: argparse.Namespace) -> int:
    from firmware_host.lab.protocols.hands import converse
    from firmware_host.lab.protocols.lines import spoken

    return spoken(converse)


if __name__ == "__main__":
    sys.exit(main())
