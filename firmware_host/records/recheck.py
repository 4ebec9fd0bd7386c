"""A record played again by the rules: what was told must follow from what was done, and the luck from the game's seed.

Where no seed was promised (games of older versions) any luck is taken that the record tells of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

import msgspec

from engine.chance import Chance
from engine.events import Told
from engine.game import TABLE, Game
from engine.graph import Map
from engine.graph.fault import MapError
from engine.referee import Referee
from engine.refusal import RuleError
from engine.text import Text
from firmware_host.core import installed, maps
from firmware_host.core.capabilities import capabilities, is_note
from firmware_host.core.guarded import GameFault, isolated
from firmware_host.core.time_limit import START_LIMIT
from firmware_host.records import chain, promise
from firmware_host.records.chain import ChainEntry
from firmware_host.records.promise import Opening
from firmware_host.records.record import Record, RecordError
from firmware_host.records.telling import read, written


def _go_on() -> None:
    """What is done between two entries where nobody waits."""


def replayed(record: Record, between: Callable[[], None] = _go_on) -> Referee:
    """The game after its last entry, on the map of that name here, if it has one. `between` is called before each
    entry. Raises `RecordError`.
    """
    if record.map and record.map not in maps.names():  # a name alone: a record does not say which files are read
        raise RecordError(Text("played on {map}, a map that is not here.", map=repr(record.map[:40])))
    try:
        installed.find(record.game)
        return recheck(record, maps.load(record.map) if record.map else None, between)
    except RuleError as error:
        raise RecordError(error.sentence) from error
    except MapError as error:
        raise RecordError(str(error)) from error


def recheck(record: Record, board: Map | None, between: Callable[[], None] = _go_on) -> Referee:
    """The game after its last entry. Raises `RecordError` where the rules say otherwise, `NotUnderstood`."""
    game = installed.find(record.game)
    if capabilities(game).has_map and board is None:
        raise RecordError(Text("played without a map, which {game} needs.", game=game.title))
    if board is not None and not capabilities(game).has_map:
        raise RecordError(Text("played on a map, which {game} has none of.", game=game.title))
    if ("" if board is None else board.source) != record.source:
        raise RecordError(
            Text("played on another drawing of the map {map}; the rules cannot be asked about it.", map=record.map)
        )
    return isolated(record.game, _Replay(record, board).play, between, limit=START_LIMIT, passing=(RecordError,))


class _Replay:
    def __init__(self, record: Record, board: Map | None) -> None:
        self._record, self._board = record, board
        self._game: Game = installed.find(record.game)
        self._opening: Opening | None = None
        self._numbers, self._number = chain.Numbers(), 0
        """The numbers of the acts that stand, and that of the last entry."""
        self._last: tuple[int, int, str, tuple[Told, ...]] | None = None
        """The act that may be taken back, if its telling allows it: the last one that is no note."""
        self._before: tuple[dict[str, Any], dict[str, int]] = {}, {}
        self._notes: list[tuple[Told, ...]] = []
        """What was told of the notes since."""

    def play(self, between: Callable[[], None]) -> Referee:
        for number, entry in enumerate(self._record.entries):
            between()
            try:
                self._follow(number, entry)
            except GameFault:
                raise
            except RuleError as refusal:
                raise RecordError(
                    Text("entry {entry} breaks the rules: {why}", entry=number, why=refusal.sentence)
                ) from refusal
            except msgspec.ValidationError as error:
                raise RecordError(
                    Text("entry {entry} cannot be read: {fault}.", entry=number, fault=str(error))
                ) from error
            except _Mismatch as error:
                raise RecordError(Text("entry {entry} {fault}.", entry=number, fault=error.args[0])) from error
        return self._referee

    def _follow(self, index: int, entry: ChainEntry) -> None:
        if entry.kind == "start":
            self._start(entry)
        elif entry.kind == "act":
            self._act(index, entry)
        elif entry.kind == "taken-back" and not entry.telling:
            self._take_back(entry)
        elif entry.command is not None or entry.telling or entry.seat:
            raise _Mismatch(Text("says more than such an entry can"))

    def _start(self, entry: ChainEntry) -> None:
        if entry.seat:
            raise _Mismatch(Text("says more than such an entry can"))
        self._opening = promise.read(entry.command)
        if self._opening is not None and not self._opening.holds(self._record.header):
            raise _Mismatch(Text("opens another promise than the one that it names"))
        self._number = self._numbers.take()
        options = self._game.read_options(self._record.options)
        _same(_given(options), _given(self._record.options), Text("has options that nobody can choose"))
        self._referee = Referee(self._game, self._game.blank(self._board, options))
        telling = self._told(entry)
        for chance, words in self._chances(telling, Text("tells of another set-up than the rules make")):
            _same(written(self._game.setup(self._board, options, chance)), entry.telling, words)
        self._referee.tell(telling)

    def _act(self, index: int, entry: ChainEntry) -> None:
        command = self._game.read_command(entry.seat, entry.command)
        _same(command, entry.command, Text("says something else than it means"))
        telling = self._told(entry)
        self._number = self._numbers.take()
        for chance, words in self._chances(telling, Text("tells something else than what follows by the rules")):
            _same(written(self._referee.consider(entry.seat, command, chance)), entry.telling, words)
        if is_note(self._game, telling):
            self._notes.append(telling)
        else:
            self._last, self._notes = (index, self._number, entry.seat, telling), []
            heard = {viewer: len(told) for viewer, told in self._referee.told.items()}
            self._before = dict(self._referee.pictures), heard
        self._referee.tell(telling)

    def _take_back(self, entry: ChainEntry) -> None:
        last, number, seat, telling = self._last or (-1, -1, "", ())
        public = self._referee.pictures[TABLE]
        retractable = capabilities(self._game).retractable
        allowed = self._last is not None and retractable is not None and retractable.retractable(public, telling)
        if seat != entry.seat or not self._referee.to_act or not allowed:
            raise _Mismatch(Text("takes back an act that had told somebody something, or was another's"))
        _same(entry.command, last if self._notes else None, Text("takes back another act than the last one"))
        self._numbers.give_back(number)
        pictures, heard = self._before
        self._referee.pictures = pictures
        for viewer, told in self._referee.told.items():
            del told[heard[viewer] :]
        for note in self._notes:
            self._referee.tell(note)
        self._last = None

    def _told(self, entry: ChainEntry) -> tuple[Told, ...]:
        try:
            return read(self._game, entry.telling)
        except (KeyError, TypeError) as error:
            raise _Mismatch(Text("tells something that is no event with its audience")) from error

    def _chances(self, telling: Iterable[Told], words: str) -> Iterator[tuple[Chance, str]]:
        """The luck that is told of, then the one that was promised; each with what is wrong where it brings another
        telling.
        """
        yield Chance(Random(0), self._game.luck(telling)), words
        if self._opening is not None:
            promised = Chance(Random(0))
            promised.draw_from(self._opening.draws(self._number))
            yield promised, Text("tells of other luck than the promised seed brings")


class _Mismatch(Exception):
    """What is wrong; the words go on after the number of the entry."""


def _given(options: Any) -> Any:
    """Options as JSON without those that have no value: a record may be older than an option."""
    found = msgspec.to_builtins(options)
    return {name: value for name, value in found.items() if value is not None} if isinstance(found, dict) else found


def _same(one: Any, other: Any, words: str) -> None:
    """The same JSON: JSON's true is not 1, nor 1.0."""
    if chain.text(msgspec.to_builtins(one)) != chain.text(other):
        raise _Mismatch(words)
