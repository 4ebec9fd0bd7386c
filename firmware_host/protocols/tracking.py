"""`board-hands/1`: sensor edges on standard input, recognised acts and hints on standard output.

It reads lines, passes them to the headless table and writes its lines. No input makes it exit.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from random import Random, SystemRandom
from typing import Annotated, Any, BinaryIO

import msgspec
from msgspec import Meta, Struct

import games
from engine.chance import Chance
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import NotUnderstood, RuleError, no_such
from firmware_host.board.headless import HeadlessTable
from firmware_host.core import maps
from firmware_host.core.settings import ConfigError, Settings, settle, with_current_names
from firmware_host.protocols.lines import TOO_LONG, json_value, map_named, read_lines

PROTOCOL = "board-hands/1"
LONGEST_TRACE = 1e12
"""Milliseconds, about thirty years. Beyond that, float sums are not exact to a millisecond."""
SETTINGS = ("rest_ms", "slide_settle_ms", "debounce_down_ms", "debounce_up_ms")
"""The settings that a trace may have; `debounce_ms` stands for both of the last."""

Time = Annotated[float, Meta(ge=0, le=LONGEST_TRACE)]


class FirstLine(Struct, forbid_unknown_fields=True):
    """The first line: the game. `manual` are spaces whose sensors are not used."""

    map: str
    game: str = games.DEFAULT
    position: Any = {}
    seed: int | str | None = None
    settings: dict[str, Any] = {}
    options: Any = None
    manual: tuple[str, ...] = ()


class RawEdge(Struct, forbid_unknown_fields=True):
    """A raw edge."""

    t: Time
    space: str
    down: bool


class Tap(Struct, forbid_unknown_fields=True):
    """The space of a tap."""

    space: str


class Pick(Struct, forbid_unknown_fields=True):
    """An answer to a question."""

    t: Time
    pick: Tap


class OnScreen(Struct, forbid_unknown_fields=True):
    """An act on a screen."""

    seat: str
    action: Any


class Act(Struct, forbid_unknown_fields=True):
    """A line with an act on a screen."""

    t: Time
    act: OnScreen


class Pass(Struct, forbid_unknown_fields=True):
    """Time passes."""

    t: Time


class TrackingServer:
    """One game, tracked line by line. `load` finds the map."""

    def __init__(self, load: Callable[[str], Map] = maps.load) -> None:
        self._load = load
        self._headless: HeadlessTable | None = None

    def answer(self, line: bytes) -> list[bytes]:
        """Return the lines to write after one input line, without newlines."""
        try:
            self._take(_read(line))
        except RuleError as error:
            # What was due before the line has happened despite the error, so it comes before the error.
            return [*self._output(), _error(error.code, error.sentence)]
        except Exception as error:
            traceback.print_exc()
            # Only the type: the message of a bug could contain anything.
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

    def _take(self, line: FirstLine | RawEdge | Pick | Act | Pass) -> None:
        if isinstance(line, FirstLine):
            if self._headless is not None:
                raise NotUnderstood("A game is laid out already; only the first line has a map.")
            self._headless = self._new_table(line)
            return
        if self._headless is None:
            raise NotUnderstood('There is no game yet; the first line is {"map": …, "position": …}.')
        # What was due at the later time has happened already and cannot be undone.
        if line.t < self._headless.now:
            raise NotUnderstood(f"Time cannot fall: {line.t:g} comes before {self._headless.now:g}.")
        match line:
            case RawEdge():
                self._headless.feed(line.t, line.space, line.down)
            case Pick():
                self._headless.pick(line.t, line.pick.space)
            case Act():
                self._headless.act(line.t, line.act.seat, line.act.action)
            case Pass():
                self._headless.wait(line.t)

    def _new_table(self, first_line: FirstLine) -> HeadlessTable:
        game, board, settings = (
            games.find(first_line.game),
            map_named(first_line.map, self._load),
            _settings(first_line.settings),
        )
        chance = Chance(SystemRandom() if first_line.seed is None else Random(first_line.seed))
        options = maps.options_on(game, board, first_line.options)
        referee = Referee(game, game.position(board, options, first_line.position, chance))
        return HeadlessTable(game, game.seats(options), board, referee, chance, settings, first_line.manual)


KINDS = {"map": FirstLine, "space": RawEdge, "down": RawEdge, "pick": Pick, "act": Act, "t": Pass}
"""The first of these words in a line decides its kind."""


def _read(line: bytes) -> FirstLine | RawEdge | Pick | Act | Pass:
    """Read one line. Raises `NotUnderstood` or `Ambiguous`."""
    raw = json_value(line)
    kind = next((kind for word, kind in KINDS.items() if isinstance(raw, dict) and word in raw), None)
    if kind is None:
        raise NotUnderstood(f"A line is an object with one of {', '.join(KINDS)}.")
    try:
        message: FirstLine | RawEdge | Pick | Act | Pass = msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        fields = ", ".join(kind.__struct_fields__)
        raise NotUnderstood(f"The line cannot be read: {error}. It takes {fields}.") from error
    return message


def _settings(raw: dict[str, Any]) -> Settings:
    values = with_current_names(raw)
    if "debounce_ms" in values:
        both = values.pop("debounce_ms")
        # One time for both directions. A time for one of them wins.
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
