"""`sniperboard game`: write the folder of a new game, check a game, and complete its catalogues.

This module only handles the terminal; `lab/authoring` does the work. Exit codes: 0 done · 1 a name is invalid, or a
file cannot be written · 3 the check has found something.
"""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine.refusal import NotUnderstood, no_such

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

NOT_SO, FOUND = 1, 3


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
    check = jobs.add_parser("check", help="say what is wrong with a game: its files, its play, its secrecy")
    check.add_argument("name", metavar="NAME", help="name of a game that is installed, or in the current folder")
    check.set_defaults(run=run_check)
    texts = jobs.add_parser("texts", help="add the missing texts to a game's catalogues, empty")
    texts.add_argument("name", metavar="NAME", help="name of a game that is installed, or in the current folder")
    texts.set_defaults(run=run_texts)


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


def run_check(arguments: argparse.Namespace) -> int:
    """Check a game, and print a sentence for everything that is wrong."""
    if (said := _not_here(arguments.name)) is not None:
        return _fail(said)
    from lab.authoring.check import check

    # The check itself says what the table would log.
    logging.getLogger("firmware_host").addHandler(logging.NullHandler())
    logging.getLogger("firmware_host").propagate = False
    count = 0
    for findings in check(arguments.name):
        count += len(findings.sentences)
        if findings.sentences:
            print(f"{findings.part[:1].upper()}{findings.part[1:]}:")
            print("".join(f"  - {sentence}\n" for sentence in findings.sentences))
    print(f"{arguments.name}: {'nothing is wrong' if not count else f'{count} to repair'}.")
    return FOUND if count else 0


def run_texts(arguments: argparse.Namespace) -> int:
    """Complete the catalogues of a game."""
    if (said := _not_here(arguments.name)) is not None:
        return _fail(said)
    from firmware_host.core.game_files import game_folder
    from lab.authoring.texts import CatalogueFolder, update
    from web_panel.language import codes

    shelf = CatalogueFolder(game_folder(arguments.name) / "screens", arguments.name)
    shelf.folder.mkdir(exist_ok=True)
    for code in dict.fromkeys(("en", *codes(), *shelf.codes())):
        try:
            print(f"screens/{code}.po: {update(shelf, code)} empty")
        except (OSError, ValueError) as error:
            return _fail(f"screens/{code}.po: {error}. Repair the file.")
    return 0


def _not_here(name: str) -> str | None:
    """Return a sentence if there is no game of this name, also not in the current folder, which is put on the path."""
    import games

    here = Path("games").resolve()
    if (here / games.folder(name)).is_dir() and str(here) not in map(str, games.__path__):
        games.__path__.append(str(here))
    if name in games.names():
        return None
    if folder := [one for one in games.misnamed() if one in (name, games.folder(name))]:
        return f"The folder {folder[0]} cannot be a game: use small letters, digits and single underscores. Rename it."
    return f"{no_such('game', name, games.names())} Start the command in the folder that contains games/."


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return NOT_SO
