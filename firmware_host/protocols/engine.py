"""`board-engine/1`: the rules on standard input and output, one JSON line asked, one answered.

It reads requests, passes them to the referee and writes the answers. No input makes it exit.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from random import Random, SystemRandom
from typing import Any, BinaryIO, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType

import games
from engine.chance import Chance, Impossible
from engine.game import TABLE, Chances, Game
from engine.graph import Map
from engine.naming import decoded
from engine.referee import Referee
from engine.refusal import Ambiguous, NotUnderstood, Refused, RuleError, no_such
from engine.seats import seat_names
from firmware_host.core import ctrl_c, maps
from firmware_host.protocols.lines import TOO_LONG, board_for, json_value, map_named, read_lines

PROTOCOL = "board-engine/1"

ChanceList = tuple[tuple[str, Any], ...]
LEFT_OVER_HINT = "It is left from an earlier 'chance'; an act with 'chance': [] forgets what is left."


class Request(Struct, tag_field="do", forbid_unknown_fields=True, kw_only=True):
    """What all requests share."""

    id: Any = None


class Hello(Request, tag="hello"):
    """Which games and maps there are."""


class New(Request, tag="new", kw_only=True):
    """A new game. `map` is left out for a game without one."""

    game: str
    map: str | None = None
    options: Any = None
    seed: int | str | None = None
    chance: ChanceList | None = None


class FromPosition(New, tag="position", kw_only=True):
    """A game from a position."""

    position: Any


class Legal(Request, tag="legal"):
    """The legal acts of a seat."""

    seat: str


class Act(Request, tag="act"):
    """A seat acts."""

    seat: str
    action: Any
    chance: ChanceList | UnsetType | None = UNSET


class View(Request, tag="view"):
    """The picture of a seat."""

    seat: str


class Events(Request, tag="events"):
    """The events that a seat was sent."""

    seat: str
    since: int | None = 0


class State(Request, tag="state"):
    """The whole truth."""


class SightBetween(Request, tag="sight", rename={"start": "from", "end": "to"}):
    """Sight between two spaces."""

    map: str
    start: str
    end: str


class MapOf(Request, tag="map"):
    """A map's derived tables."""

    map: str


class OddsOf(Request, tag="odds"):
    """The exact odds of a draw."""

    bag: dict[str, int]
    draw: int
    need: int
    silenced: bool = False


AnyRequest = Hello | New | FromPosition | Legal | Act | View | Events | State | SightBetween | MapOf | OddsOf
_KINDS: Mapping[str, type[Request]] = {kind.__struct_config__.tag: kind for kind in get_args(AnyRequest)}


class EngineServer:
    """One conversation: at most one game at a time. `load` finds the maps that are asked for."""

    def __init__(self, load: Callable[[str], Map] = maps.load) -> None:
        self._load = load
        self._running: tuple[Referee, Map | None, tuple[str, ...]] | None = None
        self._chance = Chance(SystemRandom())

    def answer(self, line: bytes) -> bytes:
        """Return the answer to one line, without a newline."""
        request_id: Any = None
        try:
            value = json_value(line)
            # Kept before anything can fail, so that every error answers its request.
            request_id = _id_of(value)
            request = _read(value)
            # Each request has a method of its name.
            answer = getattr(self, f"_{request.__struct_config__.tag}")(request)
            return msgspec.json.encode({"id": request_id, "ok": answer}, enc_hook=str)
        except Ambiguous as error:
            # The line is JSON with a repeated name, so its id can still be read.
            return _error(_id_of(msgspec.json.decode(line)), error.code, error.rule, error.sentence)
        except RuleError as error:
            return _error(request_id, error.code, error.rule, error.sentence)
        except BaseException as error:
            # A game can raise anything, but no request may end the process.
            if ctrl_c.is_ctrl_c(error) or isinstance(error, GeneratorExit):
                raise
            traceback.print_exc()
            return _error(request_id, "internal", None, f"A fault of the engine's own: {type(error).__name__}.")

    @property
    def _running_table(self) -> tuple[Referee, Map | None, tuple[str, ...]]:
        if self._running is None:
            raise NotUnderstood("There is no game yet; start one with 'new' or 'position'.")
        return self._running

    @property
    def _game(self) -> Referee:
        return self._running_table[0]

    def _viewer(self, seat: str) -> str:
        # The referee is not a viewer here; the request `state` returns the truth.
        viewers = (*self._running_table[2], TABLE)
        if seat not in viewers:
            raise NotUnderstood(no_such("seat", seat, viewers))
        return seat

    # --- the answers --------------------------------------------------------------------------------------------

    def _hello(self, request: Hello) -> dict[str, Any]:
        available = {"games": games.names(), "maps": maps.playable_names()}
        return {"protocol": PROTOCOL, **available, "version": version("sniperboard")}

    def _new(self, request: New) -> dict[str, Any]:
        game = games.find(request.game)
        board = board_for(game, request.map, self._load)
        options = maps.options_on(game, board, request.options)
        forced = game.read_luck(board, request.chance or ())
        chance = Chance(SystemRandom() if request.seed is None else Random(request.seed), forced)
        if isinstance(request, FromPosition):
            referee = Referee(game, game.position(board, options, request.position, chance))
        else:
            referee = Referee(game, game.blank(board, options))
            referee.tell(game.setup(board, options, chance))
        # Replaced last, so that a request that fails leaves the running game.
        self._running, self._chance = (referee, board, seat_names(game.seats(options))), chance
        return {"to_act": referee.to_act}

    _position = _new

    def _legal(self, request: Legal) -> list[Any]:
        seat = self._viewer(request.seat)
        # The table is a viewer, but never decides anything.
        return [] if seat == TABLE else list(self._game.legal(seat))

    def _act(self, request: Act) -> dict[str, Any]:
        referee, board, _ = self._running_table
        self._viewer(request.seat)
        command = referee.game.read_command(request.seat, request.action)
        # Left out keeps what an earlier request has forced; an empty list forgets it.
        forced = None if request.chance is UNSET else request.chance
        before = self._chance.mark()
        try:
            if forced is not None:
                self._chance.force(referee.game.read_luck(board, forced))
            telling = referee.submit(request.seat, command, self._chance)
        except BaseException as error:
            self._chance.rewind(before)
            if forced is None and isinstance(error, Impossible):
                raise Refused(str(error.rule), f"{error.sentence} {LEFT_OVER_HINT}") from error
            raise
        # Those who hear of an event, and the event.
        heard = [("all" if told.audience.seats is None else list(told.audience.seats), told.event) for told in telling]
        events = [{**msgspec.to_builtins(event), "told": seats} for seats, event in heard]
        return {"events": events, "to_act": referee.to_act}

    def _view(self, request: View) -> dict[str, Any]:
        seat = self._viewer(request.seat)
        return self._game.game.view(self._game.pictures[seat])

    def _events(self, request: Events) -> list[Any]:
        since = request.since or 0
        if since < 0:
            raise NotUnderstood("'since' counts from 0.")
        return list(self._game.told[self._viewer(request.seat)][since:])

    def _state(self, request: State) -> dict[str, Any]:
        return self._game.game.state(self._game.truth)

    def _sight(self, request: SightBetween) -> dict[str, Any]:
        board = map_named(request.map, self._load)
        for space in (request.start, request.end):
            if space not in board.spaces:
                raise NotUnderstood(f"{board.slug} has no space {space!r}; known are {', '.join(board.spaces)}.")
        if not board.sights:
            raise NotUnderstood(f"Nothing is known of sight on {board.slug}: its game asks nothing of it.")
        sight = board.sight(request.start, request.end)
        if sight is None:
            return {"visible": False, "distance": None, "line": None, "through": []}
        return {"visible": True, "distance": sight.distance, "line": sight.line, "through": sight.through}

    def _map(self, request: MapOf) -> dict[str, Any]:
        board = map_named(request.map, self._load)
        fields = ("kind", "sector", "area", "difficult", "under")
        spaces = {
            name: {key: getattr(space, key) for key in fields} | {"objective": space.properties.get("objective")}
            for name, space in board.spaces.items()
        }
        edges = {"adjacent": _pairs(board.adjacent), "walk": _pairs(board.walk)}
        return {"spaces": spaces, **edges, **maps.map_facts(board)}

    def _odds(self, request: OddsOf) -> dict[str, str]:
        # Older programs ask without a game, from when there was only this one.
        game: Game = games.find(games.DEFAULT) if self._running is None else self._running[0].game
        if not isinstance(game, Chances):
            raise NotUnderstood(f"{game.title} has no bag to draw from.")
        chances = game.odds(request.bag, request.draw, request.need, request.silenced)
        return {name: f"{value.numerator}/{value.denominator}" for name, value in chances.items()}


def _pairs(neighbours: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    # Each pair once, in the order of the map.
    order = {name: index for index, name in enumerate(neighbours)}
    return [(a, b) for a, others in neighbours.items() for b in others if order[a] < order[b]]


def _error(request_id: Any, code: str, rule: str | None, message: str) -> bytes:
    return msgspec.json.encode(
        {"id": request_id, "error": {"code": code, "rule": rule, "message": message}}, enc_hook=str
    )


def _id_of(value: Any) -> Any:
    return value.get("id") if isinstance(value, dict) else None


def _read(value: Any) -> Request:
    name = value.get("do") if isinstance(value, dict) else None
    if isinstance(name, str) and name not in _KINDS:
        raise NotUnderstood(no_such("request", name, list(_KINDS)))
    try:
        request: Request = decoded(value, AnyRequest)
    except msgspec.ValidationError as error:
        fields = f" It takes {', '.join(_KINDS[name].__struct_encode_fields__)}." if isinstance(name, str) else ""
        raise NotUnderstood(f"The request cannot be read: {error}.{fields}") from error
    return request


def answers(source: BinaryIO) -> Iterator[bytes]:
    """Yield the answer to each line of a source."""
    server = EngineServer()
    for line in read_lines(source):
        yield _error(None, NotUnderstood.code, None, TOO_LONG) if line is None else server.answer(line)
