"""`sniperboard game`: write the folder of a new game, check a game, and complete its catalogues.

This module only handles the terminal; `lab/authoring` does the work. Exit codes: 0 done · 1 a name is invalid, or a
file cannot be written · 3 the check has found something.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from engine.refusal import NotUnderstood

NOT_SO, FOUND = 1, 3


def add_command(subparsers: Any) -> None:
    """Add `game new`. It sets `run`, a function from parsed arguments to exit status."""
    parser = subparsers.add_parser("game", help="write and check a game of your own")
    jobs = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    new = jobs.add_parser("new", help="write a working folder for a new game, which can be played at once")
    new.add_argument("name", metavar="NAME", help="name of the game, for example lost-city")
    new.add_argument(
        "--into", type=Path, default=Path(), metavar="DIR", help="where to put the folder (default: the current folder)"
    )
    new.add_argument(
        "--like",
        default="treasure",
        metavar="GAME",
        help="begin with an example: treasure, customs, high-card or mushrooms (default: treasure)",
    )
    new.set_defaults(run=run_new)
    check = jobs.add_parser("check", help="say what is wrong with a game: its files, its play, its secrecy")
    check.add_argument("name", metavar="NAME", help="name of a game that is installed, or in the current folder")
    check.set_defaults(run=run_check)
    texts = jobs.add_parser("texts", help="add the missing texts to a game's catalogues, empty")
    texts.add_argument("name", metavar="NAME", help="name of a game that is installed, or in the current folder")
    texts.add_argument("language", nargs="*", metavar="LANGUAGE", help="also begin this language, for example pl")
    texts.set_defaults(run=run_texts)
    remake = jobs.add_parser("remake", help="update the results in recorded games (*.game)")
    remake.add_argument("file", nargs="+", type=Path, metavar="FILE", help="recorded games, or folders with them")
    remake.set_defaults(run=run_remake)


def run_new(arguments: argparse.Namespace) -> int:
    from lab.authoring.create import create, read_name

    try:
        name = read_name(arguments.name)
        target = arguments.into / name.name
        written = create(name, target, arguments.like)
    except NotUnderstood as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{error.filename}: cannot be written ({error.strerror}). Choose another --into.")
    print(f"The folder {target} has a game that can be played: {len(written)} files. Next:\n")
    print(f"    cd {target}")
    play, check = "PYTHONPATH=. sniperboard run --simulate", f"sniperboard game check {name.name}"
    width = max(len(play), len(check))
    print(f"    {play:{width}}    # play it")
    print(f"    {check:{width}}    # after each change")
    return 0


def run_check(arguments: argparse.Namespace) -> int:
    from lab.authoring.check import check
    from lab.authoring.place import put_on_path

    try:
        put_on_path(arguments.name, Path())
    except NotUnderstood as error:
        return _fail(str(error))

    count, out = 0, sys.stdout
    # Output of the game would hide the results of the check.
    with _without_log(), redirect_stdout(StringIO()) as printed:
        for findings in check(arguments.name):
            count += findings.faults
            if findings.sentences:
                print(f"{findings.part[:1].upper()}{findings.part[1:]}:", file=out)
                print("".join(f"  - {sentence}\n" for sentence in findings.sentences), file=out)
    if lines := printed.getvalue().splitlines():
        print(f"Lines that the game prints are left out here: {len(lines)}, for example {lines[-1][:80]!r}.\n")
    print(f"{arguments.name}: {'nothing is wrong' if not count else f'{count} to repair'}.")
    return FOUND if count else 0


@contextmanager
def _without_log() -> Iterator[None]:
    """Print no log: the check itself says what the table would log."""
    log, silent = logging.getLogger("firmware_host"), logging.NullHandler()
    before, log.propagate = log.propagate, False
    log.addHandler(silent)
    try:
        yield
    finally:
        log.propagate = before
        log.removeHandler(silent)


def run_texts(arguments: argparse.Namespace) -> int:
    import games
    from firmware_host.core import ctrl_c
    from firmware_host.core.game_files import game_folder
    from lab.authoring.check import sample_of
    from lab.authoring.file_checks import is_left_over, keys, spoken
    from lab.authoring.place import put_on_path
    from lab.authoring.texts import CatalogueFolder, update
    from web_panel.language import codes

    try:
        put_on_path(arguments.name, Path())
    except NotUnderstood as error:
        return _fail(str(error))
    shelf = CatalogueFolder(game_folder(arguments.name) / "screens", arguments.name)
    shelf.folder.mkdir(exist_ok=True)
    needed = list[str]()
    with suppress(Exception):  # the game can't be played yet; `game check` says why
        needed += keys(sample_of(games.find(arguments.name)))
    if unknown := [code for code in arguments.language if code not in codes()]:
        return _fail(f"The screens have no language {unknown[0]!r}. Known: {', '.join(codes())}.")
    try:
        game = games.find(arguments.name)
    except Exception as error:
        if ctrl_c.is_ctrl_c(error):
            raise
        why = f"{type(error).__name__}: {error}"
        return _fail(f"The game cannot be loaded: {why}. sniperboard game check {arguments.name} says where.")
    for code in dict.fromkeys(("en", *shelf.codes(), *spoken(game), *arguments.language)):
        try:
            empty = update(shelf, code, needed if code == "en" else (), partial(is_left_over, game))
            print(f"screens/{code}.po: {empty} empty")
        except (OSError, ValueError) as error:
            return _fail(f"screens/{code}.po: {error}. Repair the file.")
    return 0


def run_remake(arguments: argparse.Namespace) -> int:
    """Write the results of the acts into recorded games, and print which files have changed."""
    from lab.authoring.place import games_here
    from lab.authoring.recorded import Unreadable, files, remake

    games_here(Path())
    for place in arguments.file:
        for file in files(place) if place.is_dir() else [place]:
            try:
                if remake(file):
                    print(f"{file}: remade. Read the difference before you keep it.")
            except (Unreadable, OSError) as error:
                return _fail(f"{file}: {error}")
    return 0


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return NOT_SO
