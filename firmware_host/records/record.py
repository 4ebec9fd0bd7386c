"""The record of a game as a file: one JSON object, versioned, with its chain. Read with limits, whoever wrote it."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import Struct

from engine.said import Said
from firmware_host.records import chain
from firmware_host.records.chain import FORMAT, Entry, Header

LARGEST = 8 << 20
"""Bytes. A long game takes less than one mebibyte."""
DEEPEST = 16
"""Brackets within brackets. Ours has eight."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKET = re.compile(rb"[][{}]")


class RecordError(Exception):
    """The record cannot be read or is not what happened; the sentence says why, and goes on after the file's name."""


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """A game from its beginning to its end, taken-back acts and all. `hash` is the beginning of the chain."""

    format: str
    started: chain.Moment
    game: str
    map: str
    source: str
    options: Any
    hash: str
    entries: list[Entry]

    @property
    def header(self) -> Header:
        """What the chain begins with."""
        return Header(self.started, self.game, self.map, self.source, self.options)


def of(header: Header, entries: list[Entry]) -> Record:
    """The record of a game in the journal."""
    return Record(
        FORMAT, header.started, header.game, header.map, header.source, header.options, chain.beginning(header), entries
    )


def write(record: Record) -> bytes:
    """A record as it stands in a file: an entry a line."""
    head = msgspec.json.encode(msgspec.structs.replace(record, entries=[])).removesuffix(b"[]}")
    lines = b",\n".join(msgspec.json.encode(entry) for entry in record.entries)
    return head + b"[\n" + lines + b"\n]}\n"


def read(data: bytes) -> Record:
    """A record of a whole chain. Raises `RecordError`. Whether the rules say the same is for `recheck.py`."""
    if len(data) > LARGEST:
        raise RecordError(Said("larger than {size} MiB; no game of ours is that long.", size=LARGEST >> 20))
    if _depth(data) > DEEPEST:
        raise RecordError(Said("nested too deeply; no record of ours is."))
    try:
        form = msgspec.json.decode(data, type=_Form).format
        if form != FORMAT:
            raise RecordError(
                Said("its format is {found}; this version reads {ours}.", found=repr(form[:40]), ours=repr(FORMAT))
            )
        record = msgspec.json.decode(data, type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        raise RecordError(Said("no record of a game: {fault}.", fault=str(error))) from error
    check_chain(record)
    return record


def check_chain(record: Record) -> None:
    """Raises `RecordError` where the chain does not hold."""
    if record.hash != chain.beginning(record.header):
        raise RecordError(Said("the chain does not hold at its beginning: game, map, options or date were changed."))
    entries = (
        (it.at, it.kind, it.seat, chain.text(it.command), chain.text(it.telling), it.hash) for it in record.entries
    )
    number = chain.first_misfit(record.header, entries)
    if number is not None:
        raise RecordError(
            Said("the chain does not hold at entry {entry}: something was changed, left out or put in.", entry=number)
        )


class _Form(Struct):
    format: str


def _depth(data: bytes) -> int:
    """How deeply brackets stand in brackets, without reading what they hold."""
    deepest = depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub(b"", data)):
        depth += 1 if bracket[0] in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
