"""`sniperboard completion bash|zsh`: print a script for shell completion.

shtab (MPL-2.0) writes the scripts from the parsers; they contain the maps, games and drivers that are installed now.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from typing import Any

SHELLS = ("bash", "zsh")
MAPS, DRIVERS, FILES = "_sniperboard_maps", "_sniperboard_drivers", "_sniperboard_files"

FILE_NAMES = frozenset({"config", "file", "out", "wiring", "certificate", "fault_script", "state", "record"})
"""Arguments of these names are files or folders."""


def add_command(commands: Any) -> None:
    """Add `completion`."""
    parser = commands.add_parser(
        "completion",
        help="print a script for shell completion",
        epilog='In bash: eval "$(sniperboard completion bash)". In zsh, after compinit: eval "$(sniperboard completion '
        'zsh)". `make install` sets up both.',
    )
    parser.add_argument("shell", choices=SHELLS, help="shell")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from firmware_host.app.cli import parser  # imported here, because the command line imports this file

    print(script(parser(), arguments.shell))
    return 0


def script(main_parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script for a shell. Marks the actions of `main_parser` with their completions."""
    import shtab

    from firmware_host.core import maps
    from hardware import drivers

    for action in actions(main_parser):
        if (function := _completion_of(action)) is not None:
            action.complete = dict.fromkeys(SHELLS, function)  # type: ignore[attr-defined]
    names = {MAPS: maps.drawn(), DRIVERS: drivers.names()}
    functions = [_function(shell, name, words) for name, words in names.items()]
    functions.append(_files(shell))
    completion: str = shtab.complete(main_parser, shell, preamble={shell: "\n".join(functions)})  # type: ignore[arg-type]  # a word for each shell
    return completion


def actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield every option and argument of a parser and its commands."""
    # A parser has no public list of its options.
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from actions(inner)
        else:
            yield action


def _completion_of(action: argparse.Action) -> str | None:
    # Flags have no value, and shtab completes choices itself.
    if action.nargs == 0 or action.choices is not None:
        return None
    if action.dest == "map":
        return MAPS
    if action.dest in ("board", "lamps", "controls"):
        return DRIVERS
    return FILES if action.dest in FILE_NAMES else None


def _function(shell: str, name: str, words: list[str] | tuple[str, ...]) -> str:
    if shell == "zsh":
        return f"{name}() {{ compadd -- {shlex.join(words)}; _files }}"
    return f'{name}() {{ compgen -W "{" ".join(words)}" -- "$1"; compgen -f -- "$1"; }}'


def _files(shell: str) -> str:
    return f"{FILES}() {{ _files }}" if shell == "zsh" else f'{FILES}() {{ compgen -f -- "$1"; }}'
