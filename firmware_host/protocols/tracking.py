"""`board-hands/1`: sensor edges on standard input, recognised acts and hints on standard output.

It reads lines, passes them to the headless table and writes its lines. No input makes it exit.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from random import Random, SystemRandom
from typing import Annotated, Any, BinaryIO

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

import games
from engine.chance import Chance
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import NotUnderstood, RuleError, no_such
from firmware_host.board.headless import HeadlessTable
from firmware_host.core import maps
from firmware_host.core.settings import ConfigError, Settings, settle, with_current_names
from firmware_host.protocols.lines import TOO_LONG, form_of, json_value, map_named, read_lines

PROTOCOL = "board-hands/1"
LONGEST_TRACE = 1e12
"""Milliseconds, about thirty years. Beyond that, float sums are not exact to a millisecond."""
SETTINGS = ("rest_ms", "slide_settle_ms", "debounce_down_ms", "debounce_up_ms")
"""The settings that a trace may have; `debounce_ms` stands for both of the last."""

Time = Annotated[float, Meta(ge=0, le=LONGEST_TRACE)]


class Tap(Struct, forbid_unknown_fields=True):
    """The space of a tap."""

    space: str


class OnScreen(Struct, forbid_unknown_fields=True):
    """An act on a screen."""

    seat: str
    action: Any


class TrackingServer:
    """One game, tracked line by line. `load` finds the map.

    Each kind of line has a method, whose parameters are the members of the line. Times are milliseconds.
    """

    def __init__(self, load: Callable[[str], Map] = maps.load) -> None:
        self._load = load
        self._headless: HeadlessTable | None = None

    def answer(self, line: bytes) -> list[bytes]:
        """Return the lines to write after one input line, without newlines."""
        try:
            kind, members = _read(line)
            getattr(self, f"_{kind}")(**members)
        except RuleError as error:
            # Work that was due before the line is done despite the error, so its output comes first.
            return [*self._output(), _error(error.code, error.sentence)]
        except Exception as error:
            traceback.print_exc()
            # Return only the type of the error, because the message of a bug could contain secrets.
            return [*self._output(), _error("internal", f"A fault of the table's own: {type(error).__name__}.")]
        return self._output()

    def end(self) -> list[bytes]:
        """Return the lines to write at the end of input: what was due at the time of the last line."""
        if self._headless is not None:
            self._headless.wait(self._headless.now)
        return self._output()

    def _output(self) -> list[bytes]:
        if self._headless is None:
            return []
        lines, self._headless.lines = self._headless.lines, []
        return [msgspec.json.encode(line, enc_hook=str) for line in lines]

    def _start(
        self,
        map: str,
        game: str = games.DEFAULT,
        position: Any = UNSET,
        seed: int | str | None = None,
        settings: dict[str, Any] | UnsetType = UNSET,
        options: Any = None,
        manual: tuple[str, ...] = (),
    ) -> None:
        """Lay out a game. `manual` are spaces whose sensors are not used."""
        if self._headless is not None:
            raise NotUnderstood("A game is laid out already; only the first line has a map.")
        rules, board, chosen = games.find(game), map_named(map, self._load), _settings(settings or {})
        chance = Chance(SystemRandom() if seed is None else Random(seed))
        played = maps.options_on(rules, board, options)
        referee = Referee(rules, rules.position(board, played, {} if position is UNSET else position, chance))
        self._headless = HeadlessTable(rules, rules.seats(played), board, referee, chance, chosen, manual)

    def _edge(self, t: Time, space: str, down: bool) -> None:
        self._table_at(t).feed(t, space, down)

    def _answer(self, t: Time, pick: Tap) -> None:
        self._table_at(t).pick(t, pick.space)

    def _act(self, t: Time, act: OnScreen) -> None:
        self._table_at(t).act(t, act.seat, act.action)

    def _pass(self, t: Time) -> None:
        self._table_at(t).wait(t)

    def _table_at(self, t: float) -> HeadlessTable:
        """Return the table for something that happens at a time. Raises `NotUnderstood`."""
        if self._headless is None:
            raise NotUnderstood('There is no game yet; the first line is {"map": …, "position": …}.')
        # What was due at the later time has happened already and cannot be undone.
        if t < self._headless.now:
            raise NotUnderstood(f"Time cannot fall: {t:g} comes before {self._headless.now:g}.")
        return self._headless


KINDS = {"map": "start", "space": "edge", "down": "edge", "pick": "answer", "act": "act", "t": "pass"}
"""The first of these words in a line decides its kind."""
_FORMS = {kind: form_of(getattr(TrackingServer, f"_{kind}")) for kind in KINDS.values()}


def _read(line: bytes) -> tuple[str, dict[str, Any]]:
    """Return the kind of a line, and its members. Raises `NotUnderstood` or `Ambiguous`."""
    raw = json_value(line)
    kind = next((kind for word, kind in KINDS.items() if isinstance(raw, dict) and word in raw), None)
    if kind is None:
        raise NotUnderstood(f"A line is an object with one of {', '.join(KINDS)}.")
    form = _FORMS[kind]
    try:
        return kind, msgspec.structs.asdict(msgspec.convert(raw, form))
    except msgspec.ValidationError as error:
        fields = ", ".join(form.__struct_fields__)
        raise NotUnderstood(f"The line cannot be read: {error}. It takes {fields}.") from error


def _settings(raw: dict[str, Any]) -> Settings:
    values = with_current_names(raw)
    if "debounce_ms" in values:
        both = values.pop("debounce_ms")
        # This time is for both directions; a time for only one of them replaces it.
        values = {"debounce_down_ms": both, "debounce_up_ms": both, **values}
    unknown = [name for name in values if name not in SETTINGS]
    if unknown:
        raise NotUnderstood(no_such("setting", unknown[0], list(SETTINGS)))
    try:
        return settle(values)
    except ConfigError as error:
        raise NotUnderstood("; ".join(error.faults)) from error


def _error(code: str, message: str) -> bytes:
    return msgspec.json.encode({"error": {"code": code, "message": message}}, enc_hook=str)


def answers(source: BinaryIO) -> Iterator[bytes]:
    """Yield the answers to each line of a source, and at its end what was due at the time of the last line."""
    server = TrackingServer()
    for line in read_lines(source):
        yield from [_error(NotUnderstood.code, TOO_LONG)] if line is None else server.answer(line)
    yield from server.end()
