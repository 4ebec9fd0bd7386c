"""Replays a record by the rules: the events must follow from the acts, and all chance from the game's seed.

For games without a committed seed (of older versions), any chance is accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from engine.chance import Chance
from engine.events import Told
from engine.game import TABLE, Game
from engine.graph import Map
from engine.graph.fault import MapError
from engine.referee import Mark, Referee
from engine.refusal import RuleError
from engine.text import Text
from firmware_host.core import installed, maps
from firmware_host.core.capabilities import capabilities, is_note
from firmware_host.core.guarded import GameFault, isolated
from firmware_host.core.time_limit import START_LIMIT
from firmware_host.records import chain, promise
from firmware_host.records.chain import ChainEntry
from firmware_host.records.promise import Opening
from firmware_host.records.record import Record, RecordError, given_options
from firmware_host.records.telling import read, written


def replayed(record: Record, between: Callable[[], None] = lambda: None) -> Referee:
    """Replay a record on the installed map of its name. Return the game after the last entry. `between` is called
    before each entry. Raises `RecordError`.
    """
    if record.map and record.map not in maps.names():  # only installed maps: a record must not choose files
        raise RecordError(Text("played on {map}, a map that is not installed.", map=repr(record.map[:40])))
    try:
        installed.find(record.game)
        return recheck(record, maps.load(record.map) if record.map else None, between)
    except RuleError as error:
        raise RecordError(error.sentence) from error
    except MapError as error:
        raise RecordError(str(error)) from error


def recheck(record: Record, board: Map | None, between: Callable[[], None] = lambda: None) -> Referee:
    """Replay a record on a map. Return the game after the last entry. Raises `RecordError` if the record breaks the
    rules, and `NotUnderstood`.
    """
    game = installed.find(record.game)
    if capabilities(game).has_map and board is None:
        raise RecordError(Text("played without a map, but {game} needs one.", game=game.title))
    if board is not None and not capabilities(game).has_map:
        raise RecordError(Text("played on a map, but {game} has none.", game=game.title))
    # The same commands on a changed map can lead to other events.
    if ("" if board is None else board.source) != record.source:
        raise RecordError(Text("played on another version of the map {map}, so it cannot be replayed.", map=record.map))
    # A record comes from a stranger: the game may fail on it, or take too long.
    return isolated(record.game, _Replay(record, board).play, between, limit=START_LIMIT, passing=(RecordError,))


class _Replay:
    def __init__(self, record: Record, board: Map | None) -> None:
        self._record, self._board = record, board
        self._game: Game = installed.find(record.game)
        self._opening: Opening | None = None
        self._numbers, self._number = chain.Numbers(), 0
        """The numbers for draws (see `Numbers`), and that of the last entry."""
        self._standing = list[_Standing]()
        """The acts that may be taken back, the last one first; an act that stays keeps all before it."""

    def play(self, between: Callable[[], None]) -> Referee:
        for number, entry in enumerate(self._record.entries):
            between()
            try:
                self._follow(number, entry)
            except GameFault:
                raise
            except RuleError as error:
                words = Text("entry {entry} breaks the rules: {why}", entry=number, why=error.sentence)
                raise RecordError(words) from error
            except msgspec.ValidationError as error:
                words = Text("entry {entry} cannot be read: {fault}.", entry=number, fault=str(error))
                raise RecordError(words) from error
            except _Mismatch as error:
                raise RecordError(Text("entry {entry} {fault}.", entry=number, fault=error.args[0])) from error
        return self._referee

    def _follow(self, index: int, entry: ChainEntry) -> None:
        if entry.kind == "start":
            self._start(entry)
        elif entry.kind == "act":
            self._act(index, entry)
        elif entry.kind == "taken-back" and not entry.telling:
            self._take_back(index, entry)
        elif entry.command is not None or entry.telling or entry.seat:
            raise _Mismatch(Text("has values that such an entry cannot have"))

    def _start(self, entry: ChainEntry) -> None:
        if entry.seat:
            raise _Mismatch(Text("has values that such an entry cannot have"))
        self._opening = promise.read(entry.command)
        if self._opening is not None and not self._opening.holds(self._record):
            raise _Mismatch(Text("does not open the commitment that it names"))
        self._number = self._numbers.take()
        options = self._game.read_options(self._record.options)
        # Unknown or missing options would be replaced silently, and the game would be another
        # one.
        _same(given_options(options), given_options(self._record.options), Text("has options that cannot be chosen"))
        self._referee = Referee(self._game, self._game.blank(self._board, options))
        telling = self._told(entry)
        for chance, words in self._chances(telling, Text("has a set-up that does not follow from the rules")):
            _same(written(self._game.setup(self._board, options, chance)), entry.telling, words)
        self._referee.tell(telling)

    def _act(self, index: int, entry: ChainEntry) -> None:
        command = self._game.read_command(entry.seat, entry.command)
        _same(command, entry.command, Text("has a command in another form than the game writes it"))
        telling = self._told(entry)
        self._number = self._numbers.take()
        for chance, words in self._chances(telling, Text("has events that do not follow from the rules")):
            _same(written(self._referee.consider(entry.seat, command, chance)), entry.telling, words)
        # The mark is taken before the events are told, to return to it if the act is taken back.
        standing = _Standing(index, self._number, entry.seat, self._referee.mark())
        self._referee.tell(telling)
        if is_note(self._game, telling):
            self._noted([telling])
        elif self._may_go(telling):
            self._standing.append(standing)
        else:
            # An act that revealed something also keeps all acts before it.
            self._standing.clear()

    def _may_go(self, telling: tuple[Told, ...]) -> bool:
        retractable = capabilities(self._game).retractable
        return retractable is not None and retractable.retractable(self._referee.pictures[TABLE], telling)

    def _noted(self, notes: Iterable[tuple[Told, ...]]) -> None:
        """Keep notes with the last act that may be taken back: they stay when it goes."""
        if self._standing:
            self._standing[-1].notes.extend(notes)

    def _take_back(self, index: int, entry: ChainEntry) -> None:
        if not self._standing or self._standing[-1].seat != entry.seat or not self._referee.to_act:
            raise _Mismatch(HEARD)
        last = self._standing.pop()
        named = None if last.index == index - 1 else last.index
        _same(entry.command, named, Text("takes back an act that was not the last one"))
        # The repeated act takes this number again, and so draws the same.
        self._numbers.give_back(last.number)
        # Back to the pictures before the act, then the notes that followed it are told again.
        self._referee.rewind(last.before)
        for note in last.notes:
            self._referee.tell(note)
        self._noted(last.notes)

    def _told(self, entry: ChainEntry) -> tuple[Told, ...]:
        try:
            return read(self._game, entry.telling)
        except (KeyError, TypeError) as error:
            raise _Mismatch(Text("has something that is no event with an audience")) from error

    def _chances(self, telling: Iterable[Told], words: str) -> Iterator[tuple[Chance, str]]:
        """Yield the chance that the events report, then the chance from the committed seed. With each comes the error
        to report if it leads to other events.
        """
        yield Chance(Random(0), self._game.luck(telling)), words
        if self._opening is not None:
            # All draws come from the seed: the source given here is never used.
            promised = Chance(Random(0))
            promised.draw_from(self._opening.draws(self._number))
            yield promised, Text("has draws that do not follow from the committed seed")


HEARD = Text("takes back an act that others had heard of, or that was another seat's")


@dataclass
class _Standing:
    """An act that may be taken back, the game before it, and the events of the notes since then."""

    index: int
    number: int
    seat: str
    before: Mark
    notes: list[tuple[Told, ...]] = field(default_factory=list)


class _Mismatch(Exception):
    """What is wrong. The words continue after the number of the entry."""


def _same(one: Any, other: Any, words: str) -> None:
    """Raise `_Mismatch` unless both are the same JSON. In JSON, true is not 1, nor 1.0."""
    if chain.text(msgspec.to_builtins(one)) != chain.text(other):
        raise _Mismatch(words)
