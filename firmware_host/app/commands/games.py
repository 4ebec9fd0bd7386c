"""`sniperboard games list|show|export|import|delete|verify`: the games in the journal.

Of a running game only public facts are printed.

Exit codes: 0 done · 1 a game or file does not exist or cannot be read · 3 a game is damaged, or does not match its
record · 4 the journal is unusable.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from msgspec import ValidationError

from engine.game import TABLE
from engine.refusal import RuleError
from firmware_host.analysis.analyses import REASONS
from firmware_host.analysis.analysis_files import AnalysisFile, key_of
from firmware_host.analysis.analysis_files import delete as delete_analysis
from firmware_host.analysis.process import Run, RunEnded
from firmware_host.analysis.report import summary
from firmware_host.app.terminal import exit_code_of, fail
from firmware_host.core import installed
from firmware_host.core.errors import JournalError, UserError
from firmware_host.core.guarded import GameFault
from firmware_host.core.settings import ConfigError
from firmware_host.core.settings_options import add_settings_options, settings_of
from firmware_host.records import chain, imports, promise, record, results
from firmware_host.records.chain import read_telling
from firmware_host.records.damage import DamagedGame
from firmware_host.records.journal import FILE, Journal, SavedGame
from firmware_host.records.past import PastGames
from firmware_host.records.promise import Opening
from firmware_host.records.recheck import read_record, replayed
from firmware_host.records.record import Record, RecordError
from firmware_host.records.state_folder import InUse, only_one, resolve_folder

NOT_SO, NOT_INTACT, BAD_JOURNAL = 1, 3, 4
STILL_SECRET = "the game is still running, and its secrets stay hidden until it has ended"

Job = Callable[[argparse.Namespace, Path], int]


class CommandError(Exception):
    """An error with a sentence for the user."""


class NotIntact(CommandError):
    """A damaged game."""


EXIT_CODES = {
    **dict.fromkeys((CommandError, ConfigError, RecordError, RuleError), NOT_SO),
    NotIntact: NOT_INTACT,
    JournalError: BAD_JOURNAL,
}
"""The exit code for each type of error."""


def add_command(commands: Any) -> None:
    """Add `games` with its subcommands."""
    parser = commands.add_parser(
        "games", help="past and running games: list, show, analyse, export, import, delete, verify"
    )
    jobs = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add(jobs, "list", _list, "list all games of this table")
    show = _add(jobs, "show", _show, "show a game; a running one without its secrets")
    analyse = _add(jobs, "analyse", _analyse, "analyse a finished game: judge each act by what its seat knew")
    export = _add(jobs, "export", _export, "write the record of a finished game to a file")
    for one_game in (show, analyse, export):
        one_game.add_argument("number", metavar="GAME", type=int, help="number of the game")
    export.add_argument("file", type=Path, help="output file; an existing file is not overwritten")
    _add(jobs, "import", _import, "import the record of a game into the journal").add_argument(
        "file", type=Path, help="a record written by `games export`"
    )
    delete = _add(jobs, "delete", _delete, "delete past games permanently; stop the table first")
    delete.add_argument("numbers", metavar="GAME", type=int, nargs="+", help="numbers of the games")
    delete.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    verify = _add(
        jobs, "verify", _verify, "verify games against their records: the hash chain, the rules, the committed draws"
    )
    verify.add_argument(
        "which", metavar="GAME", nargs="*", help="game numbers or record files (default: all games of this table)"
    )
    verify.add_argument(
        "--noted",
        action="append",
        default=[],
        metavar="DIGITS",
        help="a commitment or seal noted from a screen, or its first digits; it must match the game",
    )


def _add(jobs: Any, name: str, job: Job, words: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = jobs.add_parser(name, help=words)
    add_settings_options(parser, ("state",))
    parser.set_defaults(
        run=lambda chosen: exit_code_of(lambda: job(chosen, resolve_folder(settings_of(chosen).state)), EXIT_CODES)
    )
    return parser


# --- showing ----------------------------------------------------------------------------------------------------


def _list(_: argparse.Namespace, state: Path) -> int:
    with _open_to_read(state) as journal:
        lines = {game.id: _game_line(journal, game) for game in journal.games()}
        lines |= {game.number: _game_line(journal, game) for game in journal.damaged}
    for number in sorted(lines):
        print(lines[number])
    return 0


def _game_line(journal: Journal, game: SavedGame | DamagedGame) -> str:
    if isinstance(game, DamagedGame):
        number, name, what = game.number, "?", "damaged, and closed"
    else:
        number, name, what = game.id, game.game, _status(journal, game)
    when = "?" if game.started is None else _time_text(game.started)
    return f"{number:>4}  {when:<16}  {name:<22}  {game.map or '-':<16}  {what}"


def _status(journal: Journal, saved: SavedGame) -> str:
    """Return the status of a game. The number of acts is secret while it runs."""
    if not _is_finished(journal, saved):
        return "running"
    words = {"imported": "imported", "put-away": "put away"}.get(journal.last(saved.id).kind, "over")
    return f"{words}, {len(chain.acts_in_effect(journal.entries(saved.id))) - 1} acts"


def _is_finished(journal: Journal, saved: SavedGame) -> bool:
    """Return whether a game was put away or is over. If it cannot be replayed, or its code fails, return False."""
    if journal.ended(saved.id) is not None:
        return True
    try:
        return not replayed(_record(journal, saved)).to_act
    except (RecordError, GameFault):
        return False


def _show(arguments: argparse.Namespace, state: Path) -> int:
    with _open_to_read(state) as journal:
        saved = _find_game(journal, arguments.number)
        opening = promise.read_opening(journal.entries(saved.id)[0].command)
        # Only a replay shows whether a game is over, so the secrets of a game that cannot be replayed stay hidden.
        lines = list(
            _finished_lines(_record(journal, saved)) if _is_finished(journal, saved) else _public_lines(journal, saved)
        )
    committed = "" if opening is None else f", commitment {opening.promise}"
    where = f" on {saved.map}" if saved.map else ""
    print(f"Game {saved.id}: {saved.game}{where}, started {_time_text(saved.started)}{committed}")
    for line in lines:
        print(line)
    return 0


def _public_lines(journal: Journal, saved: SavedGame) -> Iterator[str]:
    """Yield the public events of a running game."""
    try:
        referee = replayed(_record(journal, saved))
    except RecordError as error:
        raise CommandError(f"Game {saved.id} cannot be replayed here. Put it away to see more.") from error
    yield f"Public events only: {STILL_SECRET}."
    for event in referee.told[TABLE]:
        yield f"      {referee.game.sentence(event)}"


def _finished_lines(game_record: Record) -> Iterator[str]:
    """Yield a finished game, act by act, with all secrets."""
    game = installed.find(game_record.game)
    for number, entry in enumerate(game_record.entries):
        done = "" if entry.kind == "act" else entry.kind.replace("-", " ")
        command = "" if entry.command is None else chain.json_text(entry.command)
        yield " ".join(filter(None, (f"{number:>4}  {_time_text(entry.at)} ", entry.seat, done, command)))
        try:
            telling = read_telling(game, entry.telling)
        except ValidationError as error:
            raise CommandError(f"This version cannot read what happened there: {error}.") from error
        for told in telling:
            seats = told.audience.seats
            to = "" if seats is None else f"  (to {', '.join(seats) or 'no one'})"
            yield f"      {game.sentence(told.event)}{to}"


def _analyse(arguments: argparse.Namespace, state: Path) -> int:
    _check_owner(state)
    with _open_to_read(state) as journal:
        over = _is_finished(journal, _find_game(journal, arguments.number))
    # A finished game that is still on the table is not marked as ended in the journal.
    past = PastGames(state / FILE, finished=lambda: arguments.number if over else None)
    try:
        last, history = past.identity(arguments.number)
        file = AnalysisFile(state, arguments.number, key_of(last, history.game.name))
        stored = file.read()
        if stored is None or not stored.complete:
            _judge(file, past.open_record(arguments.number), state)
    except UserError as error:
        raise CommandError(f"{error.sentence}") from error
    except InUse as error:
        raise JournalError(f"{error} While it runs, analyse games on its pages.") from error
    except (OSError, RunEnded) as error:
        raise CommandError(f"The analysis of game {arguments.number} is not complete. Run this again.") from error
    stored = file.read()
    if stored is not None and stored.failed is not None:
        raise CommandError(f"{REASONS[stored.failed.why]}")
    for line in summary(history, stored):
        print(line)
    return 0


def _judge(file: AnalysisFile, game_record: Record, state: Path) -> None:
    with only_one(state), Run(file, game_record) as run:
        for done, of in run.progress():
            print(f"\r{done} of {of} acts", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


# --- files ------------------------------------------------------------------------------------------------------


def _export(arguments: argparse.Namespace, state: Path) -> int:
    with _open_to_read(state) as journal:
        saved = _find_game(journal, arguments.number)
        if not _is_finished(journal, saved):
            raise CommandError(f"Game {saved.id} is not exported: {STILL_SECRET}.")
        game_record = _record(journal, saved)
    with ExitStack() as undo:
        try:
            # A record contains names, so only the owner of the file may read it. An existing file is not replaced.
            with open(os.open(arguments.file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                undo.callback(os.unlink, arguments.file)  # the beginning of a record, if the disk is full
                file.write(record.record_bytes(game_record))
        except OSError as error:
            what = f"cannot be written ({error.strerror}). Choose a new name."
            if not (folder := Path(arguments.file).parent).is_dir():
                what = f"there is no folder {folder}. Create it, or choose another one."
            raise CommandError(f"{arguments.file}: {what}") from error
        undo.pop_all()
    print(f"Game {saved.id} is in {arguments.file}.")
    return 0


@contextmanager
def _open_to_write(state: Path) -> Iterator[Journal]:
    """Open the journal for writing, print what is wrong with it, and close it. Raises `CommandError`."""
    with only_one(state), closing(Journal(state / FILE)) as journal:
        for notice in journal.notices:
            print(notice, file=sys.stderr)
        yield journal


def _check_owner(state: Path) -> None:
    """Raise `CommandError` if the folder belongs to another user."""
    if state.exists() and state.stat().st_uid != os.geteuid():
        raise CommandError(f"{state} belongs to another user. Run this as that user (sudo -u).")


def _import(arguments: argparse.Namespace, state: Path) -> int:
    _check_owner(state)
    game_record = _of_file(arguments.file)
    with _open_to_write(state) as journal:
        try:
            imports.check_new(journal, game_record)
            number = imports.import_record(journal, game_record)
        except UserError as error:
            raise CommandError(f"{arguments.file}: {error.sentence} Nothing was changed.") from error
    print(f"{arguments.file} is game {number} here.")
    return 0


def _delete(arguments: argparse.Namespace, state: Path) -> int:
    _check_owner(state)
    if not (state / FILE).exists():
        raise JournalError(f"{state / FILE}: there is no journal. Name the table's folder with --state.")
    numbers = list(dict.fromkeys(arguments.numbers))
    try:
        with _open_to_write(state) as journal:
            # Check all games before deleting the first.
            lines = [_game_line(journal, results.deletable(journal, number)) for number in numbers]
            if not arguments.yes and not _confirm(lines):
                raise CommandError("Nothing was deleted.")
            for number in numbers:
                results.delete_game(journal, number)
                delete_analysis(state, number)
                print(
                    f"Game {number} is deleted.", flush=True
                )  # report it before the next one, for which the disk may be full
            journal.shrink()
    except InUse as error:
        raise JournalError(f"{error} While it runs, delete games on its admin page.") from error
    except UserError as error:
        raise CommandError(f"{error.sentence} Nothing was deleted.") from error
    return 0


def _confirm(lines: list[str]) -> bool:
    """Ask whether to delete these games."""
    if not sys.stdin.isatty():
        raise CommandError("There is no terminal to ask on. Add --yes to delete without confirmation.")
    print("\n".join(lines))
    return input("Delete these games permanently? Type yes: ").strip().lower() == "yes"


# --- verifying --------------------------------------------------------------------------------------------------


def _verify(arguments: argparse.Namespace, state: Path) -> int:
    noted = [_digits(words) for words in arguments.noted]
    # The digits belong to a single game.
    if noted and len(arguments.which) != 1:
        raise CommandError("Name the one game in which --noted was written down.")
    if arguments.which:
        return max(_verify_one(words, state, noted) for words in arguments.which)
    with _open_to_read(state) as journal:
        codes = [_verify_game(journal, saved, noted) for saved in journal.games()]
        return max([*codes, *(fail(NOT_INTACT, _damage_text(game)) for game in journal.damaged)], default=0)


def _digits(words: str) -> str:
    digits = "".join(words.split()).lower()
    if not re.fullmatch("[0-9a-f]{8,64}", digits):
        raise CommandError(f"--noted {words[:80]!r}: write 8 to 64 of the digits on the screen, 0 to 9 and a to f.")
    return digits


def _verify_one(words: str, state: Path, noted: list[str]) -> int:
    if words.isdecimal():
        with _open_to_read(state) as journal:
            return _verify_game(journal, _find_game(journal, int(words)), noted)
    try:
        _print_verified(f"{words}: ", _of_file(Path(words)), noted, hidden=False)
    except CommandError as error:
        return fail(NOT_INTACT, str(error))
    return 0


def _verify_game(journal: Journal, saved: SavedGame, noted: list[str]) -> int:
    game_record = _record(journal, saved)
    hidden = journal.ended(saved.id) is None
    try:
        record.check_chain(game_record)
        replayed(game_record)
        _print_verified(f"Game {saved.id}: ", game_record, noted, hidden)
    except RecordError as error:
        # Don't print the exact reason: it contains the number of an entry, which reveals how many acts there were.
        unsaid = "it does not match its record, or cannot be replayed here. Put it away to see more."
        why = unsaid if hidden else str(error)
        return fail(NOT_INTACT, f"Game {saved.id}: {why}")
    except CommandError as error:
        return fail(NOT_INTACT, str(error))
    return 0


def _print_verified(where: str, game_record: Record, noted: list[str], hidden: bool) -> None:
    """Print the results of verifying a replayed game.

    The number of acts is left out if the game is `hidden`. Raises `CommandError`.
    """
    opening = promise.read_opening(game_record.entries[0].command)
    print(f"{where}the hash chain holds, and every act follows the rules.")
    if opening is None:
        print("    Its draws have no commitment, because an older version started it.")
    else:
        print(f"    Its draws follow from the seed in its commitment {opening.promise}.")
    for digits in noted:
        meaning = _meaning_of_digits(game_record, opening, digits)
        if meaning is None:
            raise CommandError(f"{where}{digits} is neither its commitment nor one of its seals: this is another game.")
        print(f"    {digits} is {'one of its own' if hidden else meaning}.")


def _meaning_of_digits(game_record: Record, opening: Opening | None, digits: str) -> str | None:
    """Return what begins with `digits`, in words: the game's commitment or one of its seals; None if neither does."""
    if opening is None:
        return None
    if opening.promise.startswith(digits):
        return "its commitment"
    entries = {opening.seal(entry.hash): number for number, entry in enumerate(game_record.entries)}
    # Only the seals of these entries were shown to anyone.
    sealed = {opening.seal(entry.hash) for entry in promise.sealed_entries(game_record.entries)}
    numbers = [entries[seal] for seal in sealed if seal.startswith(digits)]
    return f"the seal of everything up to entry {max(numbers)}" if numbers else None


# --- shared -----------------------------------------------------------------------------------------------------


def _open_to_read(state: Path) -> closing[Journal]:
    return closing(Journal.open_read_only(state / FILE))


def _find_game(journal: Journal, number: int) -> SavedGame:
    try:
        game = journal.find(number)
    except UserError as error:
        raise CommandError(f"{error.sentence} `sniperboard games list` lists all games.") from error
    if isinstance(game, DamagedGame):
        raise NotIntact(_damage_text(game))
    return game


def _damage_text(game: DamagedGame) -> str:
    return f"Game {game} is damaged: it was changed after it was written. It stays in the journal, closed."


def _record(journal: Journal, saved: SavedGame) -> Record:
    return record.record_of(saved, journal.entries(saved.id))


def _of_file(path: Path) -> Record:
    """Return the record in a file. Replay it first, to check it. Raises `CommandError`."""
    try:
        with path.open("rb") as file:
            # Read one byte more than allowed, to notice files that are too large.
            game_record = read_record(file.read(record.LARGEST_RECORD + 1))
        replayed(game_record)
        return game_record
    except RecordError as error:
        raise CommandError(f"{path}: {error}") from error
    except OSError as error:
        raise CommandError(f"{path}: cannot be read ({error.strerror}).") from error


def _time_text(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
