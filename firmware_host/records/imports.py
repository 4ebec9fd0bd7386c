"""Games from elsewhere: what is checked of a record, whether the game is here already, and whether there is room.

A record costs memory and time where it is checked, and disk where it is kept; the limits here bound all three. What it
costs to show is bounded in `past.py`, whatever was taken in.

A game is known again by what happened in it: the game, map and options, and every act that stands with what it told.
When it was begun, the times of its acts, what was taken back, and what opens its promise do not make it another game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from threading import Lock
from typing import Any

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.records import chain, record
from firmware_host.records.chain import ChainEntry, GameHeader
from firmware_host.records.journal import LONGEST, ROW_BYTES, Journal
from firmware_host.records.judging import DamagedGame
from firmware_host.records.recheck import replayed
from firmware_host.records.record import Record, RecordError

LARGEST = 1 << 20
"""Bytes of a record that a screen may send; see `record.LARGEST`."""
MOST_ENTRIES = 3000
"""Of such a record. A game between people takes some hundred."""
MOST_IMPORTED = 300
"""Games from elsewhere that are here at once."""
MOST_BYTES = 32 << 20
"""Bytes that they take together."""
CHECK_SECONDS = 30.0
"""Processor time for playing a record again. One of a game between people takes less than one second."""
BREATH = 0.0005
"""Seconds between two entries, in which other threads run."""


class Imports:
    """Takes records in that people send, one at a time."""

    def __init__(self) -> None:
        self._one = Lock()

    @contextmanager
    def next(self) -> Iterator[None]:
        """From the check of a record until it is kept; nobody else's is checked meanwhile. Raises `UserError`."""
        if not self._one.acquire(blocking=False):
            raise UserError("not-now", Text("The table is reading another record. Try again in a moment."))
        try:
            yield
        finally:
            self._one.release()


def checked(data: bytes) -> Record:
    """A record that somebody sent: whole, played by the rules and to its end. Raises `UserError`."""
    if len(data) > LARGEST:
        raise UserError(
            "too-large", Text("That is larger than {size} MiB; no record of a game is.", size=LARGEST >> 20)
        )
    try:
        sent = record.read(data)
        if len(sent.entries) > MOST_ENTRIES:
            raise RecordError(
                Text("it has more than {most} entries; no game that people play is that long.", most=MOST_ENTRIES)
            )
        if replayed(sent, _deadline()).to_act:
            raise RecordError(Text("the game was not played to its end, and only such games are looked through."))
    except RecordError as error:
        raise _not_taken(error) from error
    return sent


def _deadline() -> Callable[[], None]:
    """What is called between two entries. Raises `RecordError` after `CHECK_SECONDS`."""
    end = time.thread_time() + CHECK_SECONDS

    def between() -> None:
        time.sleep(BREATH)
        if time.thread_time() > end:
            raise RecordError(Text("playing it again takes too long."))

    return between


def check_new(journal: Journal, sent: Record, finished: int | None = None) -> None:
    """Raises `UserError` where the game is here already, or there is no room for it. May be done next to the journal's
    writer, as long as nobody else takes in records. `finished` is the game that lies finished on the table; of one that
    runs nothing is read.
    """
    if (number := _number_here(journal, sent, finished)) is not None:
        raise UserError("not-now", Text("This game is here already, as game {game}.", game=number))
    if (closed := journal.damaged_as(sent)) is not None:
        raise UserError("not-now", _damaged_here(closed))
    if (size := _size(sent)) > LONGEST:
        raise UserError("too-large", Text("This game is too long to be looked through here, and is not taken in."))
    sizes = journal.imported()
    if len(sizes) >= MOST_IMPORTED:
        raise UserError(
            "not-now",
            Text(
                "There are {most} games from elsewhere here, and there is no room for more. Delete some in the table "
                "settings.",
                most=MOST_IMPORTED,
            ),
        )
    if sum(sizes.values()) + size > MOST_BYTES:
        raise UserError(
            "not-now",
            Text(
                "The games from elsewhere take {size} MiB here, and there is no room for this one. Delete some in the "
                "table settings.",
                size=MOST_BYTES >> 20,
            ),
        )


def _size(sent: Record) -> int:
    """Bytes that a record takes in the journal, about."""
    return sum(len(chain.text([entry.command, entry.telling])) + ROW_BYTES for entry in sent.entries)


def keep(journal: Journal, sent: Record) -> int:
    """Write a record that was `checked` and is new into the journal, next to whatever runs; its number here. For the
    journal's one writer. Raises `UserError`.
    """
    try:
        return journal.take_in(sent.header, sent.entries)
    except RecordError as error:
        raise _not_taken(error) from error


def identity(header: GameHeader, entries: Sequence[ChainEntry]) -> str:
    """What a game is known by, as a hash: see the top of this file."""
    standing = [one.entry for one in chain.standing(entries)]
    acts = [(it.seat, None if it.kind == "start" else it.command, it.telling) for it in standing]
    values = [header.game, header.map, header.source, _given(header.options)]
    digest = sha256(chain.text(values).encode())
    for act in acts:
        digest.update(chain.text(act).encode())
    return digest.hexdigest()


def _number_here(journal: Journal, sent: Record, finished: int | None) -> int | None:
    """The number of the game here that `sent` is a record of, of those that are not damaged."""
    wanted = identity(sent.header, sent.entries)
    for saved in journal.games():
        if saved.hash == sent.hash:
            return saved.id
    for saved in journal.begun_as(sent.header, chain.text(sent.entries[0].telling)):
        if journal.ended(saved.id) is None and saved.id != finished:
            continue
        time.sleep(BREATH)
        if identity(saved.header, journal.entries(saved.id)) == wanted:
            return saved.id
    return None


def _given(options: Any) -> Any:
    """Options in one order, without those that have no value: a record may be older than an option."""
    if not isinstance(options, dict):
        return options
    return {name: options[name] for name in sorted(options) if options[name] is not None}


def _damaged_here(game: DamagedGame) -> Text:
    return Text("This game is here already, as game {game}, which is damaged and closed.", game=game.number)


def _not_taken(error: RecordError) -> UserError:
    return UserError("bad-record", Text("This record is not taken in: {why}", why=error.args[0]))
