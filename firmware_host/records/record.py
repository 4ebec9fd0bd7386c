"""The record of a game as a file: one JSON object with a format version and the hash chain. Reading has limits, because
anyone may have written the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from math import copysign
from typing import Any

import msgspec
from msgspec import Struct

from engine.text import Text
from firmware_host.records import chain
from firmware_host.records.chain import FORMAT, ChainEntry, GameHeader

LARGEST = 8 << 20
"""Bytes of a record. A long game takes less than one mebibyte."""
DEEPEST = 16
"""Depth of nested brackets. Our records have eight."""
MOST = 1 << 17
"""Values in a record. Each takes up to 100 bytes of memory per byte of the file. A long game has 50,000."""
LONGEST = 256
"""Characters of one text. The longest texts in our records are hashes."""

_ALL_BUT_MARKS = bytes(set(range(256)) - set(b"[]{}:,"))


class RecordError(Exception):
    """The record cannot be read or breaks the rules. The sentence continues after the file's name."""


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """A game with all entries, including acts that were taken back. `hash` is the beginning of the chain."""

    format: str
    started: chain.Moment
    game: chain.Name
    map: chain.Name
    source: chain.Name
    options: Any
    hash: chain.Name
    entries: list[ChainEntry]

    @property
    def header(self) -> GameHeader:
        """What the chain begins with."""
        return GameHeader(self.started, self.game, self.map, self.source, self.options)


def of(header: GameHeader, entries: list[ChainEntry]) -> Record:
    """Return the record of a game in the journal."""
    return Record(
        FORMAT, header.started, header.game, header.map, header.source, header.options, chain.beginning(header), entries
    )


def write(record: Record) -> bytes:
    """Return a record as the bytes of a file, with one entry per line."""
    head = msgspec.json.encode(msgspec.structs.replace(record, entries=[])).removesuffix(b"[]}")
    lines = b",\n".join(msgspec.json.encode(entry) for entry in record.entries)
    return head + b"[\n" + lines + b"\n]}\n"


def read(data: bytes) -> Record:
    """Return the record in a file, with a chain that holds. Raises `RecordError`. `recheck.py` checks the rules."""
    if len(data) > LARGEST:
        raise RecordError(Text("larger than {size} MiB; no game is that long.", size=LARGEST >> 20))
    marks = _marks(data)
    try:
        value = msgspec.json.decode(data)
        _check_values(value, marks.count(b":"))
        form = msgspec.convert(value, _RecordFormat).format
        if form != FORMAT:
            raise RecordError(
                Text("its format is {found}; this version reads {ours}.", found=repr(form[:40]), ours=repr(FORMAT))
            )
        record = msgspec.convert(value, Record)
    except (msgspec.DecodeError, ValueError) as error:
        raise RecordError(Text("not a record of a game: {fault}.", fault=str(error))) from error
    check_chain(record)
    return record


def check_chain(record: Record) -> None:
    """Raise `RecordError` if the chain does not hold."""
    if record.hash != chain.beginning(record.header):
        raise RecordError(
            Text("the hash chain does not hold at its beginning: game, map, options or date were changed.")
        )
    entries = (
        (it.at, it.kind, it.seat, chain.text(it.command), chain.text(it.telling), it.hash) for it in record.entries
    )
    number = chain.first_misfit(record.header, entries)
    if number is not None:
        broken = Text("the hash chain does not hold at entry {entry}: something was changed, removed or inserted.")
        raise RecordError(broken.with_(entry=number))


class _RecordFormat(Struct):
    format: str


def _marks(data: bytes) -> bytes:
    """Return the brackets, colons and commas of a JSON text outside its strings. Raises `RecordError` if they are too
    many or nested too deeply. This limits memory before anything is decoded, and without a regular expression, which
    would backtrack through a long text.
    """
    pieces = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    if pieces.count(b'"') > 4 * MOST:
        raise _too_long()
    marks = b"".join(pieces.split(b'"')[::2]).translate(None, _ALL_BUT_MARKS)
    if len(marks) > 4 * MOST or marks.count(b",") + marks.count(b"[") + marks.count(b"{") > MOST:
        raise _too_long()
    if max(accumulate(_DEEPER.get(mark, 0) for mark in marks), default=0) > DEEPEST:
        raise RecordError(Text("nested too deeply."))
    return marks


_DEEPER = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def _too_long() -> RecordError:
    return RecordError(Text("it has more than {most} values; no game is that long.", most=MOST))


def _check_values(value: Any, members: int) -> None:
    """Raise `RecordError` for texts that are too long, and for values that would not be read back as they were written.
    `members` is the number of colons, which reveals duplicate names.
    """
    for found in _all(value):
        if isinstance(found, dict):
            members -= len(found)
            longest = max(map(len, found), default=0)
        else:
            longest = len(found) if isinstance(found, str) else 0
        if longest > LONGEST:
            raise RecordError(Text("it has a text of more than {most} characters.", most=LONGEST))
        if isinstance(found, int) and not -(1 << 63) <= found < 1 << 63:
            raise RecordError(Text("it has a number of more than 64 bits, which cannot be stored exactly."))
        if isinstance(found, float) and found == 0 and copysign(1, found) < 0:
            raise RecordError(Text("it has a negative zero, which cannot be stored exactly."))
    if members:
        raise RecordError(Text("two of its values have the same name."))


def _all(value: Any) -> Iterator[Any]:
    """Yield a decoded value and everything in it."""
    yield value
    if isinstance(value, list | dict):
        for inner in value if isinstance(value, list) else value.values():
            yield from _all(inner)
