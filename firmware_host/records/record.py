"""The record of a game as a file: one JSON object with a format version and the hash chain. Reading has limits, because
anyone may have written the file.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from engine.text import Text
from firmware_host.core.strict import Malformed, decode
from firmware_host.records import chain
from firmware_host.records.chain import FORMAT, ChainEntry, GameHeader

LARGEST_RECORD = 8 << 20
"""Bytes of a record. A long game takes less than one mebibyte."""
DEEPEST = 16
"""Depth of nested brackets. Our records have eight."""
MOST_VALUES = 1 << 17
"""Values in a record. A long game has 50,000."""
LONGEST_TEXT = 256
"""Characters of one text. The longest texts in our records are hashes."""


class RecordError(Exception):
    """The record cannot be read or breaks the rules. The sentence continues after the file's name."""


class BrokenChain(RecordError):
    """The hash chain of the `record` is broken: something was changed, perhaps only the notation of its JSON."""

    def __init__(self, record: Record, sentence: Text) -> None:
        super().__init__(sentence)
        self.record = record


class Record(GameHeader, frozen=True, forbid_unknown_fields=True, tag_field="format", tag=FORMAT):
    """A game with all entries, including acts that were taken back. `hash` is the beginning of the chain."""

    hash: chain.Name
    entries: list[ChainEntry]


def record_of(header: GameHeader, entries: list[ChainEntry]) -> Record:
    """Return the record of a game in the journal."""
    facts = {name: getattr(header, name) for name in GameHeader.__struct_fields__}
    return Record(**facts, hash=chain.hash_before_first(header), entries=entries)


def record_bytes(record: Record) -> bytes:
    """Return a record as the bytes of a file, with one entry per line."""
    head = msgspec.json.encode(msgspec.structs.replace(record, entries=[])).removesuffix(b"[]}")
    lines = b",\n".join(msgspec.json.encode(entry) for entry in record.entries)
    return head + b"[\n" + lines + b"\n]}\n"


def read_record(data: bytes) -> Record:
    """Return the record in a file. Its hash chain is intact. Raises `RecordError`.

    `recheck.py` checks the rules, and reads a record that another program has saved in another form.
    """
    if len(data) > LARGEST_RECORD:
        raise RecordError(Text("larger than {size} MiB; no game is that long.", size=LARGEST_RECORD >> 20))
    # Each value takes up to 100 bytes of memory per byte of the file, so they are counted before decoding.
    if sum(data.count(mark) for mark in (b",", b"[", b"{")) > MOST_VALUES:
        raise RecordError(Text("it has more than {most} values; no game is that long.", most=MOST_VALUES))
    try:
        value = decode(data.removeprefix(BOM_UTF8), LARGEST_RECORD, DEEPEST)
        # Read the format first, so that the error can name another format.
        form = msgspec.convert(value, _Format).format
        if form != FORMAT:
            raise RecordError(
                Text("its format is {found}; this version reads {ours}.", found=repr(form[:40]), ours=repr(FORMAT))
            )
        record = msgspec.convert(value, Record)
    except (Malformed, msgspec.ValidationError) as error:
        if isinstance(error, Malformed) and error.fault == "not-text":
            raise RecordError(Text("not a record of a game: it is not text in UTF-8. Save it as UTF-8.")) from error
        fault = f"it {error}" if isinstance(error, Malformed) else str(error)
        raise RecordError(Text("not a record of a game: {fault}. Save it again at its table.", fault=fault)) from error
    if any(len(text) > LONGEST_TEXT for text in _texts(value)):
        raise RecordError(Text("it has a text of more than {most} characters.", most=LONGEST_TEXT))
    check_chain(record)
    return record


def check_chain(record: Record) -> None:
    """Raise `BrokenChain` if the chain is broken."""
    if record.hash != chain.hash_before_first(record):
        sentence = Text("the hash chain does not hold at its beginning: game, map, options or date were changed.")
        raise BrokenChain(record, sentence)
    entries = (
        (it.at, it.kind, it.seat, chain.json_text(it.command), chain.json_text(it.telling), it.hash)
        for it in record.entries
    )
    number = chain.first_misfit(record, entries)
    if number is not None:
        broken = Text("the hash chain does not hold at entry {entry}: something was changed, removed or inserted.")
        raise BrokenChain(record, broken.with_(entry=number))


def given_options(options: Any) -> Any:
    """Return options as JSON, without those that have no value: a record may be older than an option."""
    values = msgspec.to_builtins(options)
    return {name: value for name, value in values.items() if value is not None} if isinstance(values, dict) else values


class _Format(Struct):
    format: str


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in a decoded value, also names in objects."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from _texts(inner)
