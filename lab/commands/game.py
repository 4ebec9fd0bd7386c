"""`sniperboard game`: write the folder of a new game.

This module only handles the terminal; `lab/authoring` does the work. Exit codes: 0 done · 1 a name is invalid, or a
file cannot be written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine.refusal import NotUnderstood

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

NOT_SO = 1


def add_command(subparsers: Subparsers) -> None:
    """Add `game new`. It sets `run`, a function from parsed arguments to exit status."""
    parser = subparsers.add_parser("game", help="write and check a game of your own")
    jobs = parser.add_subparsers(title="what", required=True, metavar="WHAT")
    new = jobs.add_parser("new", help="write a working folder for a new game, which can be played at once")
    new.add_argument("name", metavar="NAME", help="name of the game, for example lost-city")
    new.add_argument(
        "--into", type=Path, default=Path(), metavar="DIR", help="where to put the folder (default: the current folder)"
    )
    new.set_defaults(run=run_new)


def run_new(arguments: argparse.Namespace) -> int:
    """Write the folder, and print what to do next."""
    from lab.authoring.create import create, read_name

    try:
        name = read_name(arguments.name)
        target = arguments.into / name.name
        written = create(name, target)
    except NotUnderstood as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{error.filename}: cannot be written ({error.strerror}). Choose another --into.")
    print(f"The folder {target} has a game that can be played: {len(written)} files. Next:\n")
    print(f"    cd {target}")
    print("    PYTHONPATH=. sniperboard run --simulate    # play it")
    print(f"    sniperboard game check {name.name}    # after each change")
    return 0


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return NOT_SO
