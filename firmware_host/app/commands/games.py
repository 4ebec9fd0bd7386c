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
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import ValidationError

from engine.events import Told
from engine.game import TABLE, Game
from engine.referee import Referee
from engine.refusal import RuleError
from firmware_host.core import installed
from firmware_host.core.errors import UserError
from firmware_host.core.settings import ConfigError
from firmware_host.core.settings_options import add_settings_options, settings_of
from firmware_host.records import chain, closed, deleting, imports, promise, record
from firmware_host.records.chain import ChainEntry
from firmware_host.records.damage import DamagedGame
from firmware_host.records.journal import FILE, Journal, JournalError, SavedGame
from firmware_host.records.promise import Opening
from firmware_host.records.recheck import replayed
from firmware_host.records.record import Record, RecordError
from firmware_host.records.state_folder import InUse, only_one, resolved
from firmware_host.records.telling import read

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

NOT_SO, NOT_WHOLE, BAD_JOURNAL = 1, 3, 4
SECRET = "the game still runs; what is hidden in it stays so until its end"

Job = Callable[[argparse.Namespace, Path], int]


class CommandError(Exception):
    """An error with a sentence for the user; the command exits with `code`."""

    def __init__(self, sentence: str, code: int = NOT_SO) -> None:
        super().__init__(sentence)
        self.code = code


def add_command(commands: Any) -> None:
    """Add `games` with its subcommands."""
    parser = commands.add_parser("games", help="past and running games: list, show, export, import, delete, verify")
    jobs = parser.add_subparsers(title="jobs", required=True, metavar="JOB")
    _add(jobs, "list", _list, "list all games of this table")
    _add(jobs, "show", _show, "show a game; a running one without its secrets").add_argument(
        "number", metavar="GAME", type=int, help="number of the game"
    )
    export = _add(jobs, "export", _export, "write the record of a finished game to a file")
    export.add_argument("number", metavar="GAME", type=int, help="number of the game")
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


def _add(jobs: Subparsers, name: str, job: Job, words: str) -> argparse.ArgumentParser:
    parser = jobs.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
    add_settings_options(parser, ("state",))
    parser.set_defaults(run=lambda chosen: _run(chosen, job))
    return parser


def _run(chosen: argparse.Namespace, job: Job) -> int:
    try:
        return job(chosen, resolved(settings_of(chosen).state))
    except CommandError as error:
        return _fail(error.code, str(error))
    except ConfigError as error:
        return _fail(NOT_SO, str(error))
    except RuleError as error:
        return _fail(NOT_SO, error.sentence)
    except JournalError as error:
        return _fail(BAD_JOURNAL, str(error))


# --- looking ----------------------------------------------------------------------------------------------------


def _list(_: argparse.Namespace, state: Path) -> int:
    with _reading(state) as journal:
        lines = {it.id: _line(it.id, it.started, it.map, _standing(journal, it)) for it in journal.games()}
        lines |= {it.number: _line(it.number, it.started, it.map, "damaged, and closed") for it in journal.damaged}
    for number in sorted(lines):
        print(lines[number])
    return 0


def _line(number: int, started: float | None, board: str | None, standing: str) -> str:
    when = "?" if started is None else _when(started)
    return f"{number:>4}  {when:<16}  {board or '?':<20}  {standing}"


def _standing(journal: Journal, saved: SavedGame) -> str:
    """Return the state of a game. The number of actions is secret while it runs."""
    if not _finished(journal, saved):
        return "running"
    if (why := next((it for it in closed.read(journal) if it.number == saved.id), None)) is not None:
        return f"closed: {why.sentence}"
    last = journal.entries(saved.id)[-1].kind
    words = {"imported": "imported", "put-away": "put away"}.get(last, "over")
    return f"{words}, {sum(1 for _ in journal.acts(saved.id)) - 1} acts"


def _finished(journal: Journal, saved: SavedGame) -> bool:
    """Return whether a game is put away or over. For a game that cannot be replayed, return False."""
    if journal.ended(saved.id) is not None:
        return True
    try:
        return not _replayed(_record(journal, saved)).to_act
    except CommandError:
        return False


def _show(chosen: argparse.Namespace, state: Path) -> int:
    with _reading(state) as journal:
        saved = _found(journal, chosen.number)
        opening = promise.read(journal.entries(saved.id)[0].command)
        lines = list(_whole(_record(journal, saved)) if _finished(journal, saved) else _public(journal, saved))
    promised = "" if opening is None else f", promised as {opening.promise}"
    print(f"Game {saved.id}: {saved.game} on {saved.map}, begun {_when(saved.started)}{promised}")
    for line in lines:
        print(line)
    return 0


def _public(journal: Journal, saved: SavedGame) -> Iterator[str]:
    """Yield the public events of a running game."""
    try:
        referee = _replayed(_record(journal, saved))
    except CommandError as error:
        raise CommandError(f"Game {saved.id} cannot be played again here. More is told once it is put away.") from error
    yield f"Only what everybody was told: {SECRET}."
    for event in referee.told[TABLE]:
        yield f"      {referee.game.sentence(event)}"


def _whole(kept: Record) -> Iterator[str]:
    """Yield a finished game, action by action, with all secrets."""
    game = _game(kept)
    for number, entry in enumerate(kept.entries):
        done = "" if entry.kind == "act" else entry.kind.replace("-", " ")
        command = "" if entry.command is None else chain.text(entry.command)
        yield " ".join(filter(None, (f"{number:>4}  {_when(entry.at)} ", entry.seat, done, command)))
        for told in _told(game, entry):
            seats = told.audience.seats
            to = "" if seats is None else f"  (to {', '.join(seats) or 'nobody'})"
            yield f"      {game.sentence(told.event)}{to}"


# --- files ------------------------------------------------------------------------------------------------------


def _export(chosen: argparse.Namespace, state: Path) -> int:
    with _reading(state) as journal:
        saved = _found(journal, chosen.number)
        if not _finished(journal, saved):
            raise CommandError(f"Game {saved.id} is not exported: {SECRET}.")
        kept = _record(journal, saved)
    try:
        with open(os.open(chosen.file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(record.write(kept))
    except OSError as error:
        raise CommandError(f"{chosen.file}: cannot be written ({error.strerror}). Choose a new name.") from error
    print(f"Game {saved.id} is in {chosen.file}.")
    return 0


def _check_owner(state: Path) -> None:
    """Raise `CommandError` if the folder belongs to another user."""
    if state.exists() and state.stat().st_uid != os.geteuid():
        raise CommandError(
            f"{state} is another user's, who could not write what you do. Run this as that user (sudo -u)."
        )


def _import(chosen: argparse.Namespace, state: Path) -> int:
    _check_owner(state)
    kept = _of_file(chosen.file)
    _replayed(kept, f"{chosen.file}: ")
    with only_one(state), closing(Journal(state / FILE)) as journal:
        for notice in journal.notices:
            print(notice, file=sys.stderr)
        try:
            imports.check_new(journal, kept)
            number = imports.import_record(journal, kept)
        except UserError as error:
            raise CommandError(f"{chosen.file}: {error.sentence} Nothing was changed.") from error
    print(f"{chosen.file} is game {number} here.")
    return 0


def _delete(chosen: argparse.Namespace, state: Path) -> int:
    _check_owner(state)
    if not (state / FILE).exists():
        raise JournalError(f"{state / FILE}: there is no journal. Name the table's folder with --state.")
    try:
        lock = only_one(state)
    except InUse as error:
        raise CommandError(f"{error} While it runs, delete games on its admin page.", BAD_JOURNAL) from error
    with lock, closing(Journal(state / FILE)) as journal:
        for notice in journal.notices:
            print(notice, file=sys.stderr)
        try:
            lines = [_deletable(journal, number) for number in dict.fromkeys(chosen.numbers)]
            if not chosen.yes and not _agreed(lines):
                raise CommandError("Nothing was deleted.")
            for number in dict.fromkeys(chosen.numbers):
                deleting.delete(journal, number)
                print(f"Game {number} is deleted.", flush=True)  # the next one may meet a full disk
        except UserError as error:
            raise CommandError(f"{error.sentence} Nothing was deleted.") from error
        journal.shrink()
    return 0


def _deletable(journal: Journal, number: int) -> str:
    """Return a line about a game that can be deleted. Raises `UserError`."""
    found = deleting.deletable(journal, number)
    if isinstance(found, DamagedGame):
        return _line(number, found.started, found.map, "damaged, and closed")
    return _line(number, found.started, found.map, _standing(journal, found))


def _agreed(lines: list[str]) -> bool:
    """Ask whether to delete these games."""
    if not sys.stdin.isatty():
        raise CommandError("There is no terminal to ask on. Add --yes to delete without a question.")
    print("\n".join(lines))
    return input("Delete these games for good? Type yes: ").strip().lower() == "yes"


def _verify(chosen: argparse.Namespace, state: Path) -> int:
    noted = [_digits(words) for words in chosen.noted]
    if noted and len(chosen.which) != 1:
        raise CommandError("Name the one game in which --noted was written down.")
    if chosen.which:
        return max(_verified(words, state, noted) for words in chosen.which)
    with _reading(state) as journal:
        codes = [_verified_game(journal, saved, noted) for saved in journal.games()]
        return max([*codes, *(_fail(NOT_WHOLE, _closed(game)) for game in journal.damaged)], default=0)


def _digits(words: str) -> str:
    found = "".join(words.split()).lower()
    if not re.fullmatch("[0-9a-f]{8,64}", found):
        raise CommandError(
            f"--noted {words[:80]!r}: write 8 to 64 digits of those that the screen shows, 0 to 9 and a to f."
        )
    return found


def _verified(words: str, state: Path, noted: list[str]) -> int:
    if words.isdecimal():
        with _reading(state) as journal:
            return _verified_game(journal, _found(journal, int(words)), noted)
    path = Path(words)
    try:
        kept = _of_file(path)
        _replayed(kept, f"{path}: ")
        _print_verified(f"{path}: ", kept, noted, hidden=False)
    except CommandError as error:
        return _fail(NOT_WHOLE, str(error))
    return 0


def _verified_game(journal: Journal, saved: SavedGame, noted: list[str]) -> int:
    kept = _record(journal, saved)
    hidden = journal.ended(saved.id) is None
    try:
        record.check_chain(kept)
        _replayed(kept)
    except (CommandError, RecordError) as error:
        why = "it is not what its record says. More is told once it is put away." if hidden else str(error)
        return _fail(NOT_WHOLE, f"Game {saved.id}: {why}")
    try:
        _print_verified(f"Game {saved.id}: ", kept, noted, hidden)
    except CommandError as error:
        return _fail(NOT_WHOLE, str(error))
    return 0


def _print_verified(where: str, kept: Record, noted: list[str], hidden: bool) -> None:
    """Print what was verified in a replayed game; of a `hidden` one nothing that reveals its number of actions.

    Raises `CommandError`.
    """
    opening = promise.read(kept.entries[0].command)
    print(f"{where}the chain holds, and every act follows by the rules.")
    if opening is None:
        print("    No seed was promised for its draws: it was begun by a version that promised none.")
    else:
        print(f"    Its draws are those of the seed that was promised as {opening.promise}.")
    for digits in noted:
        found = _meaning(kept, opening, digits)
        if found is None:
            raise CommandError(
                f"{where}{digits} is neither its promise nor one of its seals: this is not the game of then."
            )
        print(f"    {digits} is {'one of its own' if hidden else found}.")


def _meaning(kept: Record, opening: Opening | None, digits: str) -> str | None:
    """Return what begins with `digits`, the game's commitment or one of its seals; None if neither does."""
    if opening is None:
        return None
    if opening.promise.startswith(digits):
        return "its promise"
    entries = {opening.seal(entry.hash): number for number, entry in enumerate(kept.entries)}
    sealed = {opening.seal(entry.hash) for entry in promise.sealed(kept.entries)}
    numbers = [entries[seal] for seal in sealed if seal.startswith(digits)]
    return f"the seal of all that happened up to entry {max(numbers)}" if numbers else None


# --- what all need ----------------------------------------------------------------------------------------------


def _reading(state: Path) -> closing[Journal]:
    return closing(Journal.to_read(state / FILE))


def _found(journal: Journal, number: int) -> SavedGame:
    for saved in journal.games():
        if saved.id == number:
            return saved
    for game in journal.damaged:
        if game.number == number:
            raise CommandError(_closed(game), NOT_WHOLE)
    raise CommandError(f"There is no game {number} here; `sniperboard games list` tells which there are.")


def _closed(game: DamagedGame) -> str:
    return f"Game {game} is damaged: what is kept of it is not what was written. It stays as it is, and closed."


def _record(journal: Journal, saved: SavedGame) -> Record:
    return record.of(saved.header, journal.entries(saved.id))


def _of_file(path: Path) -> Record:
    try:
        with path.open("rb") as file:
            return record.read(file.read(record.LARGEST + 1))
    except OSError as error:
        raise CommandError(f"{path}: cannot be read ({error.strerror}).") from error
    except RecordError as error:
        raise CommandError(f"{path}: {error}") from error


def _game(kept: Record) -> Game:
    try:
        return installed.find(kept.game)
    except RuleError as error:
        raise CommandError(error.sentence) from error


def _told(game: Game, entry: ChainEntry) -> tuple[Told, ...]:
    try:
        return read(game, entry.telling)
    except ValidationError as error:
        raise CommandError(f"This version does not know what happened there: {error}.") from error


def _replayed(kept: Record, where: str = "") -> Referee:
    """Replay a record by the rules."""
    try:
        return replayed(kept)
    except RecordError as error:
        raise CommandError(f"{where}{error}") from error


def _when(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def _fail(code: int, sentence: str) -> int:
    print("".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in sentence), file=sys.stderr)
    return code
