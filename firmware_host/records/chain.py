"""The hash chain of a game: each entry has a hash over itself and the hash before it. Pure.

No entry can be changed, removed or inserted later without breaking the chain. Only the last entries could be cut off;
the chain doesn't show that. The hash is SHA-256 over the compact JSON of `[hash before, at, kind, seat, command,
telling]`, in hexadecimal digits. Before the first entry it is that of `[format, started, game, map, source, options]`.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from heapq import heappop, heappush
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from engine.events import Audience, Told
from engine.game import Game

FORMAT = "sniperboard-record/1"

Kind = Literal["start", "act", "taken-back", "put-away", "imported"]

Moment = Annotated[float, Meta(ge=0, le=1e11)]
"""Seconds since 1970, up to the limit of calendars."""

Name = Annotated[str, Meta(max_length=64)]
"""The name of a game, a map or a seat, or a hash in hexadecimal digits."""

_FOLLOWS: dict[str, tuple[str, ...]] = {
    "": ("start",),
    "start": ("act", "put-away", "imported"),
    "act": ("act", "taken-back", "put-away", "imported"),
    "taken-back": ("act", "taken-back", "put-away", "imported"),
    "put-away": ("imported",),
    "imported": ("imported",),
}
"""The kinds of entries that may follow each kind. A game that was put away has ended."""


class ChainEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of a game, at a time in seconds since 1970. `telling` is the list of events with their audiences.

    An act has a seat, a command and a telling. A start has a telling, and as its command the opening of the game's
    commitment (`promise.py`), null if there is none. A taken-back entry has the seat that took an act back, and as its
    command the index of that act if it was not the entry before.
    """

    at: Moment
    kind: Kind
    seat: Name
    command: Any
    telling: list[Any]
    hash: Name


class StandingEntry(Struct, frozen=True):
    """The set-up, or an act that was not taken back: its index in the chain, and its number for `Opening.draws`."""

    index: int
    number: int
    entry: ChainEntry


def acts_in_effect(entries: Iterable[ChainEntry]) -> list[StandingEntry]:
    """Return the set-up and every act that was not taken back, in order.

    A taken-back entry removes the last of them, or the one whose index it names, if only notes (`engine.game.Notes`)
    and acts that were taken back followed that one.
    """
    standing, gaps = list[StandingEntry](), list[int]()
    for index, entry in enumerate(entries):
        if entry.kind == "taken-back":
            # The command is an index only where notes followed, because most entries need none.
            place = -1 if entry.command is None else [act.index for act in standing].index(entry.command)
            heappush(gaps, standing.pop(place).number)
        elif entry.kind in ("start", "act"):
            # Use the lowest free number: an act that is made again gets its old number, and so the same random results.
            number = heappop(gaps) if gaps else len(standing)
            standing.append(StandingEntry(index, number, entry))
    return standing


class GameHeader(Struct, frozen=True):
    """What a game is played with, and when it started. `source` is the map's hash."""

    started: Moment
    game: Name
    map: Name
    source: Name
    options: Any


def json_text(value: Any) -> str:
    """Return a value as compact JSON, as it is stored and hashed."""
    return msgspec.json.encode(value).decode()


def hash_before_first(header: GameHeader) -> str:
    """Return the hash before the first entry."""
    return hash_values(FORMAT, header.started, header.game, header.map, header.source, header.options)


def link(before: str, at: float, kind: str, seat: str, command: str, telling: str) -> str:
    """Return the hash of an entry after the one with the hash `before`. `command` and `telling` are JSON."""
    # The stored texts are hashed as they are: encoding them again might change a byte.
    return hash_values(before, at, kind, seat, Raw(command.encode()), Raw(telling.encode()))


def hash_values(*values: Any) -> str:
    """Return the SHA-256 hash of values as compact JSON, in hexadecimal digits."""
    return sha256(msgspec.json.encode(values)).hexdigest()


def written(telling: Iterable[Told]) -> list[Any]:
    """Return events with their audiences as JSON values."""
    return [{"event": msgspec.to_builtins(told.event), "to": told.audience.seats} for told in telling]


def read_telling(game: Game, raw: Iterable[Any]) -> tuple[Told, ...]:
    """Return events with their audiences from JSON values."""
    # Without seats, everyone receives the event.
    return tuple(
        Told(game.read_event(event["event"]), Audience(None if event["to"] is None else tuple(event["to"])))
        for event in raw
    )


def first_misfit(header: GameHeader, entries: Iterable[tuple[float, str, str, str, str, str]]) -> int | None:
    """Return the number of the first entry that breaks the chain, or None.

    In a game without a start entry, that is number 0.

    An entry is given as the fields of `link` after `before`, and its hash.
    """
    before, last, number = hash_before_first(header), "", -1
    for number, (at, kind, seat, command, telling, hash_) in enumerate(entries):
        # A correct hash is not enough: no one can act after the end of a game.
        if kind not in _FOLLOWS[last] or hash_ != link(before, at, kind, seat, command, telling):
            return number
        before, last = hash_, kind
    return 0 if number < 0 else None
