"""The chain of a game: every entry carries a hash over itself and the hash before it. Pure.

What was written cannot be changed, left out or put in afterwards without a hash that no longer fits. The last entries
alone could be cut off; that is for whoever keeps them to notice. The hash is SHA-256 over the compact JSON of
`[hash before, at, kind, seat, command, telling]`, in hexadecimal digits; before the first entry stands that of
`[format, started, game, map, source, options]`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from heapq import heappop, heappush
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct

FORMAT = "sniperboard-record/1"

Kind = Literal["start", "act", "taken-back", "put-away", "imported"]

Moment = Annotated[float, Meta(ge=0, le=1e11)]
"""Seconds since 1970; the limit is what calendars can tell."""

Name = Annotated[str, Meta(max_length=64)]
"""What a game, a map or a seat is called, or a hash in hexadecimal digits."""

_FOLLOWS: dict[str, tuple[str, ...]] = {
    "": ("start",),
    "start": ("act", "put-away", "imported"),
    "act": ("act", "taken-back", "put-away", "imported"),
    "taken-back": ("act", "put-away", "imported"),
    "put-away": ("imported",),
    "imported": ("imported",),
}
"""What may follow what: one step back is all there is, and nothing is played on that was put away."""


class ChainEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that happened to a game, at a time in seconds since 1970: an act has a seat, a command and a telling.

    A start has a telling, and as its command what opens the game's promise (`promise.py`), null where none was made;
    what is taken back has the seat that did so, and as its command the index of that act where it was not the last one.
    """

    at: Moment
    kind: Kind
    seat: Name
    command: Any
    telling: list[Any]
    hash: Name


class StandingEntry(Struct, frozen=True):
    """The set-up or an act that was not taken back: where it is in the chain, and its number for `Opening.draws`."""

    index: int
    number: int
    entry: ChainEntry


def standing(entries: Iterable[ChainEntry]) -> list[StandingEntry]:
    """The set-up and every act that was not taken back, in order.

    What is taken back is the last of them, or the one whose index the entry names as its command: notes were made after
    that one (`engine.game.Notes`).
    """
    found, numbers = list[StandingEntry](), Numbers()
    for index, entry in enumerate(entries):
        if entry.kind == "taken-back":
            numbers.give_back(found.pop(_taken_back(found, entry)).number)
        elif entry.kind in ("start", "act"):
            found.append(StandingEntry(index, numbers.take(), entry))
    return found


class Numbers:
    """The numbers by which chance knows the acts that stand: each new one takes the lowest that is free.

    So an act that is made again after it was taken back has the number that it had, and draws the same.
    """

    def __init__(self, taken: Collection[int] = ()) -> None:
        self._end = max(taken, default=-1) + 1
        self._free = sorted(set(range(self._end)) - set(taken))

    @property
    def next(self) -> int:
        """The number that the next act takes."""
        return self._free[0] if self._free else self._end

    def take(self) -> int:
        """Take the next number."""
        number = self.next
        if self._free:
            heappop(self._free)
        else:
            self._end += 1
        return number

    def give_back(self, number: int) -> None:
        """Nobody has this number any more."""
        heappush(self._free, number)


def _taken_back(found: Sequence[StandingEntry], entry: ChainEntry) -> int:
    """Where in `found` is what an entry takes back."""
    places = (place for place, one in enumerate(found) if one.index == entry.command)
    return len(found) - 1 if entry.command is None else next(places)


class GameHeader(Struct, frozen=True):
    """What a game is played with, and since when. `source` is the map's hash."""

    started: Moment
    game: str
    map: str
    source: str
    options: Any


def text(value: Any) -> str:
    """The compact JSON that is kept, and that goes into a hash."""
    return msgspec.json.encode(value).decode()


def beginning(header: GameHeader) -> str:
    """The hash before the first entry."""
    return _hash([FORMAT, header.started, header.game, header.map, header.source, header.options])


def link(before: str, at: float, kind: str, seat: str, command: str, telling: str) -> str:
    """The hash of an entry after the one whose hash is `before`; `command` and `telling` as JSON."""
    return _hash([before, at, kind, seat, Raw(command.encode()), Raw(telling.encode())])


def seal(*values: Any) -> str:
    """The hash of something that stands alone."""
    return _hash(list(values))


def first_misfit(header: GameHeader, entries: Iterable[tuple[float, str, str, str, str, str]]) -> int | None:
    """The number of the first entry (the fields of `link` after `before`, and its hash) that does not fit, or None.

    A game without a start does not fit at 0.
    """
    before, last, number = beginning(header), "", -1
    for number, (at, kind, seat, command, telling, found) in enumerate(entries):
        if kind not in _FOLLOWS[last] or found != link(before, at, kind, seat, command, telling):
            return number
        before, last = found, kind
    return 0 if number < 0 else None


def _hash(values: list[Any]) -> str:
    return sha256(msgspec.json.encode(values)).hexdigest()
