"""Imported games: checks a record, whether its game is here already, and whether there is room.

The limits here bound the memory and time of the check and the disk space. `past.py` bounds the cost of showing a game.

Two records are of the same game if game, map and options are the same, and all acts that were not taken back, with
their events. Times, acts that were taken back, and the opening of the commitment don't matter. Two records are also of
the same game if one continues the hash chain of the other. The running game is compared by the beginning of its chain
only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from hashlib import sha256

import msgspec

from engine.refusal import RuleError
from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.records import chain
from firmware_host.records.chain import ChainEntry, GameHeader
from firmware_host.records.journal import LARGEST_GAME, ROW_BYTES, Journal, SavedGame
from firmware_host.records.layout import END_KINDS
from firmware_host.records.recheck import read_record, replayed
from firmware_host.records.record import Record, RecordError, given_options
from firmware_host.records.work_turns import Turns, pause_between_steps

LARGEST_UPLOAD = 1 << 20
"""Bytes of a record that a screen may send. See `record.LARGEST_RECORD`."""
MOST_ENTRIES = 3000
"""Entries of such a record. A game between people takes some hundred."""
MOST_IMPORTED = 300
"""Imported games in the journal."""
MOST_BYTES = 32 << 20
"""Bytes of all imported games."""
CHECK_SECONDS = 30.0
"""Processor time to replay a record. A game between people takes less than one second."""

TWIN = Text(
    "Game {game} here is another game with the same start time, map and options. Only one of the two can be stored. To "
    "import this record, first delete game {game} in the table settings."
)


def turns() -> Turns:
    """Return the turns of imports.

    Only one record is imported at a time, from its check until it is stored; others are refused.
    """
    another = Text("The table is reading another record. Try again in a moment.")
    return Turns(waiting=0, refusal=lambda: UserError("not-now", another))


def read_checked(data: bytes) -> Record:
    """Return the record in a file that a person sent, if it is complete and follows the rules. Raises `UserError`."""
    if len(data) > LARGEST_UPLOAD:
        raise UserError(
            "too-large", Text("That is larger than {size} MiB; no record of a game is.", size=LARGEST_UPLOAD >> 20)
        )
    try:
        deadline = _deadline_check()
        sent = read_record(data, deadline)
        if len(sent.entries) > MOST_ENTRIES:
            raise RecordError(Text("it has more than {most} entries; no game is that long.", most=MOST_ENTRIES))
        # The most expensive check comes last.
        # The record of an unfinished game would show the secrets of one that goes on elsewhere.
        if replayed(sent, deadline).to_act:
            raise RecordError(Text("the game was not finished, and only finished games can be imported."))
    except RecordError as error:
        raise _not_taken(error) from error
    except RuleError as error:  # the game has a fault
        raise _not_taken(RecordError(error.sentence)) from error
    return sent


def _deadline_check() -> Callable[[], None]:
    """Return a function to call between two entries. It raises `RecordError` after `CHECK_SECONDS`."""
    # Count the time of this thread only: a busy table must not make a record fail.
    end, breathe = time.thread_time() + CHECK_SECONDS, pause_between_steps()

    def between() -> None:
        breathe()
        if time.thread_time() > end:
            raise RecordError(Text("replaying it takes too long."))

    return between


def check_new(journal: Journal, sent: Record, finished: int | None = None) -> None:
    """Raise `UserError` if the game is here already, or there is no room for it. Works on a second connection to the
    journal, as long as no other record is imported. `finished` is the finished game on the table; a running one is not
    read.
    """
    if (number := _number_here(journal, sent, finished)) is not None:
        raise UserError("not-now", Text("This game is here already, as game {game}.", game=number))
    if (closed := journal.damaged_as(sent)) is not None:
        here = Text("This game is here already, as game {game}, which is damaged and closed.", game=closed.number)
        raise UserError("not-now", here)
    # The start of the chain is the key of a game in the journal.
    if (twin := next((saved.id for saved in journal.games() if saved.hash == sent.hash), None)) is not None:
        raise UserError("not-now", TWIN.with_(game=twin))
    size = sum(len(chain.json_text([entry.command, entry.telling])) + ROW_BYTES for entry in sent.entries)
    if size > LARGEST_GAME:
        raise UserError("too-large", Text("This game is too long to be viewed here, and is not imported."))
    sizes = journal.imported()
    if len(sizes) >= MOST_IMPORTED:
        many = Text(
            "There are {most} imported games here, and there is no room for more. Delete some in the table settings."
        )
        raise UserError("not-now", many.with_(most=MOST_IMPORTED))
    if sum(sizes.values()) + size > MOST_BYTES:
        large = Text(
            "The imported games take {size} MiB, and there is no room for this one. Delete some in the table settings."
        )
        raise UserError("not-now", large.with_(size=MOST_BYTES >> 20))


def import_record(journal: Journal, sent: Record) -> int:
    """Store a checked, new record. Return its number. Only for the table's loop. Raises `UserError`."""
    try:
        return journal.import_game(sent)
    except RecordError as error:
        raise _not_taken(error) from error


def identity_hash(header: GameHeader, entries: Sequence[ChainEntry]) -> str:
    """Return the hash of what identifies a game: see the top of this file."""
    standing = [act.entry for act in chain.acts_in_effect(entries)]
    acts = [(it.seat, None if it.kind == "start" else it.command, it.telling) for it in standing]
    values = [header.game, header.map, header.source, given_options(header.options)]
    # Sort the options, which can be written in any order. Leave out times and hashes, which differ between two exports
    # of one game.
    digest = sha256(msgspec.json.encode(values, order="deterministic"))
    for act in acts:
        digest.update(chain.json_text(act).encode())
    return digest.hexdigest()


def _number_here(journal: Journal, sent: Record, finished: int | None) -> int | None:
    """Return the number of the intact game here that `sent` is a record of."""
    identity = identity_hash(sent, sent.entries)

    def is_over(saved: SavedGame) -> bool:
        # The running game is not read, so that the time of the answer reveals nothing about it.
        return journal.ended(saved.id) is not None or saved.id == finished

    # Hashes are quick to compare, and enough for a record that was exported here.
    hashes = [entry.hash for entry in sent.entries if entry.kind not in END_KINDS]
    for saved in journal.games():
        if saved.hash != sent.hash or not journal.is_intact(saved.id):
            continue
        # Either game may have been continued after the other one was copied.
        if not is_over(saved) or journal.played_head(saved.id) in hashes:
            return saved.id
        if any(entry.hash == hashes[-1] for entry in journal.entries(saved.id)):
            return saved.id
    breathe = pause_between_steps()
    for saved in journal.started_as(sent, chain.json_text(sent.entries[0].telling)):
        if not is_over(saved):
            continue
        breathe()
        if identity_hash(saved, journal.entries(saved.id)) == identity:
            return saved.id
    return None


def _not_taken(error: RecordError) -> UserError:
    return UserError("bad-record", Text("This record cannot be imported: {why}", why=error.args[0]))
