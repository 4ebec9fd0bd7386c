"""The command `sniperboard`: reads the command line and hands over to the file of that command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version

from firmware_host import (
    cli_arena,
    cli_board,
    cli_config,
    cli_doctor,
    cli_games,
    cli_hw,
    cli_map,
    cli_rules,
    cli_run,
    cli_simulate,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    code: int = chosen.run(chosen)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sniperboard", description="A smart board that referees a hidden-movement game and keeps its secrets."
    )
    parser.add_argument("--version", action="version", version=f"sniperboard {version('sniperboard')}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    cli_run.add_run_command(commands)
    engine = commands.add_parser("engine", help="the rules on stdin and stdout (board-engine/1)")
    engine.set_defaults(run=_engine)
    hands = commands.add_parser(
        "hands", help="what sensors felt on stdin, what the table understood on stdout (board-hands/1)"
    )
    hands.set_defaults(run=_hands)
    cli_map.add_map_commands(commands)
    cli_board.add_board_commands(commands)
    cli_arena.add_arena_command(commands)
    cli_simulate.add_simulate_command(commands)
    cli_rules.add_rules_command(commands)
    cli_config.add_config_command(commands)
    cli_doctor.add_doctor_command(commands)
    cli_hw.add_hw_commands(commands)
    cli_games.add_games_commands(commands)
    return parser


def _engine(_: argparse.Namespace) -> int:
    from firmware_host import engine_mouth

    return engine_mouth.main()


def _hands(_: argparse.Namespace) -> int:
    from firmware_host import hands_mouth

    return hands_mouth.main()


if __name__ == "__main__":
    sys.exit(main())
