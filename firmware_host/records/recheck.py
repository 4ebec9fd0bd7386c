"""Replays a record by the rules: the events must follow from the acts, and all chance from the game's seed.

For games without a committed seed (of older versions), any chance is accepted.

The hash chain is over texts, and other programs sort the names of a JSON object and write 1.0 as 1. Replaying shows how
the game itself writes the same values, and so whether a program has only changed the notation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, TypeVar

import msgspec

from engine.chance import Chance
from engine.events import Told
from engine.game import Game
from engine.graph import Map
from engine.graph.fault import MapError
from engine.referee import Referee
from engine.refusal import RuleError
from engine.text import Text
from firmware_host.core import installed, maps
from firmware_host.core.capabilities import capabilities
from firmware_host.core.guarded import GameFault, isolated
from firmware_host.core.time_limit import START_LIMIT
from firmware_host.records import chain, promise
from firmware_host.records import record as record_file
from firmware_host.records.chain import ChainEntry, read_telling, written
from firmware_host.records.course import Course
from firmware_host.records.promise import Opening
from firmware_host.records.record import BrokenChain, Record, RecordError, given_options

T = TypeVar("T")
Between = Callable[[], None]


def read_record(data: bytes, between: Between = lambda: None) -> Record:
    """Return the record in a file, in the form that its game writes, whatever program has saved it. Raises
    `RecordError`.
    """
    try:
        return record_file.read_record(data)
    except BrokenChain as broken:
        try:
            rewritten = _on_its_map(broken.record, _in_written_form, between)
        except _Changed:
            raise broken from None
        except RecordError as error:
            sentence = Text("{broken} Whether only the form of the file was changed cannot be checked: {why}")
            raise RecordError(sentence.with_(broken=broken.args[0], why=error.args[0])) from error
        record_file.check_chain(rewritten)
        return rewritten


def replayed(record: Record, between: Between = lambda: None) -> Referee:
    """Replay a record on the installed map of its name. Return the game after the last entry. `between` is called
    before each entry. Raises `RecordError`.
    """
    return _on_its_map(record, recheck, between)


def recheck(record: Record, board: Map | None, between: Between = lambda: None) -> Referee:
    """Replay a record on a map. Return the game after the last entry. Raises `RecordError` if the record breaks the
    rules, and `NotUnderstood`.
    """
    _check_map(record, board)
    # A record comes from a stranger: the game may fail on it, or take too long.
    return isolated(record.game, _Replay(record, board).play, between, limit=START_LIMIT, passing=(RecordError,))


def _in_written_form(record: Record, board: Map | None, between: Between) -> Record:
    """Return a record in the form that its game writes. Raises `_Changed`, and `RecordError` without its map."""
    _check_map(record, board)
    replay = _Replay(record, board, restoring=True)
    try:
        isolated(record.game, replay.play, between, limit=START_LIMIT, passing=(RecordError,))
    except (RecordError, RuleError, GameFault) as error:
        raise _Changed from error
    return msgspec.structs.replace(record, options=replay.options, entries=replay.entries)


def _on_its_map(record: Record, work: Callable[[Record, Map | None, Between], T], between: Between) -> T:
    if record.map and record.map not in maps.names():  # only installed maps: a record must not choose files
        raise RecordError(Text("played on {map}, a map that is not installed.", map=repr(record.map[:40])))
    try:
        installed.find(record.game)
        return work(record, maps.load(record.map) if record.map else None, between)
    except RuleError as error:
        raise RecordError(error.sentence) from error
    except MapError as error:
        raise RecordError(str(error)) from error


def _check_map(record: Record, board: Map | None) -> None:
    game = installed.find(record.game)
    if capabilities(game).has_map and board is None:
        raise RecordError(Text("played without a map, but {game} needs one.", game=game.title))
    if board is not None and not capabilities(game).has_map:
        raise RecordError(Text("played on a map, but {game} has none.", game=game.title))
    # The same commands on a changed map can lead to other events.
    if ("" if board is None else board.source) != record.source:
        raise RecordError(Text("played on another version of the map {map}, so it cannot be replayed.", map=record.map))


class _Replay:
    """`entries` and `options` are those of the record. With `restoring`, they get the notation that the game writes."""

    def __init__(self, record: Record, board: Map | None, restoring: bool = False) -> None:
        self._record, self._board, self._restoring = record, board, restoring
        self.entries, self.options = list[ChainEntry](), record.options
        self._game: Game = installed.find(record.game)
        self._opening: Opening | None = None
        self._course = Course()

    def play(self, between: Between) -> Referee:
        for number, entry in enumerate(self._record.entries):
            between()
            try:
                self.entries.append(self._follow(entry))
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

    def _follow(self, entry: ChainEntry) -> ChainEntry:
        if entry.kind == "start":
            return self._start(entry)
        if entry.kind == "act":
            return self._act(entry)
        if entry.kind == "taken-back" and not entry.telling:
            self._take_back(entry)
        elif entry.command is not None or entry.telling or entry.seat:
            raise _Mismatch(Text("has values that such an entry cannot have"))
        return entry

    def _start(self, entry: ChainEntry) -> ChainEntry:
        if entry.seat:
            raise _Mismatch(Text("has values that such an entry cannot have"))
        self._opening = promise.read_opening(entry.command)
        chosen = self._game.read_options(self._record.options)
        if self._restoring:
            self.options = in_form_of(self.options, msgspec.to_builtins(chosen))
        if self._opening is not None:
            entry = self._with_fields_formed(entry, command=self._opening)
            if not self._opening.holds(msgspec.structs.replace(self._record, options=self.options)):
                raise _Mismatch(Text("does not open the commitment that it names"))
        # Unknown or missing options would be replaced silently, and the game would be another one.
        _require_same(given_options(chosen), given_options(self.options), Text("has options that cannot be chosen"))
        self._referee = Referee(self._game, self._game.blank(self._board, chosen))
        self._seats = self._game.seats(chosen)
        for chance, words in self._chances(entry, Text("has a set-up that does not follow from the rules")):
            telling = written(self._game.setup(self._board, chosen, chance))
            entry = self._with_fields_formed(entry, telling=telling)
            _require_same(telling, entry.telling, words)
        self._referee.tell(self._events_of(entry))
        return entry

    def _act(self, entry: ChainEntry) -> ChainEntry:
        command = self._game.read_command(entry.seat, entry.command)
        entry = self._with_fields_formed(entry, command=command)
        _require_same(command, entry.command, Text("has a command in another form than the game writes it"))
        for chance, words in self._chances(entry, Text("has events that do not follow from the rules")):
            events = written(self._referee.consider(entry.seat, command, chance))
            entry = self._with_fields_formed(entry, telling=events)
            _require_same(events, entry.telling, words)
        self._course = self._course.after(self._referee, entry.seat, command, self._events_of(entry))
        return entry

    def _with_fields_formed(self, entry: ChainEntry, **forms: Any) -> ChainEntry:
        """Return an entry with the notation of these values in its fields, if the notation is to be restored."""
        if not self._restoring:
            return entry
        values = {name: in_form_of(getattr(entry, name), msgspec.to_builtins(form)) for name, form in forms.items()}
        return msgspec.structs.replace(entry, **values)

    def _take_back(self, entry: ChainEntry) -> None:
        last = self._course.retractable(self._referee, self._seats)
        if last is None or last.seat != entry.seat:
            raise _Mismatch(Text("takes back an act that others had heard of, or that was another seat's"))
        self._course, self._referee, named = self._course.taken_back(self._referee)
        _require_same(entry.command, named, Text("takes back an act that was not the last one"))

    def _events_of(self, entry: ChainEntry) -> tuple[Told, ...]:
        try:
            return read_telling(self._game, entry.telling)
        except (KeyError, TypeError) as error:
            raise _Mismatch(Text("has something that is not an event with an audience")) from error

    def _chances(self, entry: ChainEntry, words: str) -> Iterator[tuple[Chance, str]]:
        """Yield the chance that the events report, then the chance from the committed seed. With each comes the error
        to report if it leads to other events.
        """
        # While the notation is being restored, the order of an event's parts may be wrong.
        if self._opening is None or not self._restoring:
            yield Chance(Random(0), self._game.luck(self._events_of(entry))), words
        if self._opening is not None:
            # All draws come from the seed, so the source given here is never used.
            number = 0 if entry.kind == "start" else self._course.free_number
            promised = Chance(Random(0))
            promised.draw_from(self._opening.draws(number))
            yield promised, Text("has draws that do not follow from the committed seed")


class _Changed(Exception):
    """More than the notation of a record was changed."""


class _Mismatch(Exception):
    """An error in an entry. Its words continue after the number of the entry."""


def _require_same(one: Any, other: Any, words: str) -> None:
    """Raise `_Mismatch` unless both are the same JSON. In JSON, true is not 1, nor 1.0."""
    if chain.json_text(msgspec.to_builtins(one)) != chain.json_text(other):
        raise _Mismatch(words)


def in_form_of(value: Any, form: Any) -> Any:
    """Return a JSON value in the notation of `form`: names of objects in its order, and numbers in its notation."""
    if isinstance(value, dict) and isinstance(form, dict):
        names = [name for name in form if name in value] + [name for name in value if name not in form]
        return {name: in_form_of(value[name], form.get(name)) for name in names}
    if isinstance(value, list) and isinstance(form, list | tuple) and len(value) == len(form):
        return [in_form_of(part, its) for part, its in zip(value, form, strict=True)]
    numbers = type(value) in (int, float) and type(form) in (int, float)
    return form if numbers and form == value else value
