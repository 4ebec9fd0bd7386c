"""`board-engine/1`: the rules on standard input and output, one JSON line asked, one answered.

It reads requests, passes them to the referee and writes the answers. No input makes it exit.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from importlib.metadata import version
from operator import or_
from random import Random, SystemRandom
from typing import Any, BinaryIO

import msgspec
from msgspec import UNSET, UnsetType

import games
from engine.chance import Chance, Impossible
from engine.game import TABLE, Chances, Game
from engine.graph import Map
from engine.naming import decoded
from engine.referee import Referee
from engine.refusal import Ambiguous, NotUnderstood, Refused, RuleError, no_such
from engine.seats import seat_names
from firmware_host.core import ctrl_c, maps
from firmware_host.protocols.lines import TOO_LONG, board_for, form_of, json_value, map_named, read_lines

PROTOCOL = "board-engine/1"

ChanceList = tuple[tuple[str, Any], ...]
Seed = int | str | None
LEFT_OVER_HINT = "It is left from an earlier 'chance'; an act with 'chance': [] forgets what is left."


class EngineServer:
    """One conversation: at most one game at a time. `load` finds the maps that are asked for.

    Each request is answered by the method of its name, whose parameters are the members of the request.
    """

    def __init__(self, load: Callable[[str], Map] = maps.load) -> None:
        self._load = load
        self._running: tuple[Referee, Map | None, tuple[str, ...]] | None = None
        self._chance = Chance(SystemRandom())

    def answer(self, line: bytes) -> bytes:
        """Return the answer to one line, without a newline."""
        request_id: Any = None
        try:
            value = json_value(line)
            # Store the ID before anything can fail, so that every error answers its request.
            request_id = _id_of(value)
            name, members = _read(value)
            answer = getattr(self, f"_{name}")(**members)
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

    def _hello(self) -> dict[str, Any]:
        available = {"games": games.names(), "maps": maps.playable_names()}
        return {"protocol": PROTOCOL, **available, "version": version("sniperboard")}

    def _new(
        self,
        game: str,
        map: str | None = None,
        options: Any = None,
        seed: Seed = None,
        chance: ChanceList | None = None,
    ) -> dict[str, Any]:
        return self._position(game, UNSET, map, options, seed, chance)

    def _position(
        self,
        game: str,
        position: Any,
        map: str | None = None,
        options: Any = None,
        seed: Seed = None,
        chance: ChanceList | None = None,
    ) -> dict[str, Any]:
        rules = games.find(game)
        board = board_for(rules, map, self._load)
        chosen = maps.options_on(rules, board, options)
        forced = rules.read_luck(board, chance or ())
        source = Chance(SystemRandom() if seed is None else Random(seed), forced)
        if position is UNSET:
            referee = Referee(rules, rules.blank(board, chosen))
            referee.tell(rules.setup(board, chosen, source))
        else:
            referee = Referee(rules, rules.position(board, chosen, position, source))
        # Replace the game last, so that a request that fails leaves the running game unchanged.
        self._running, self._chance = (referee, board, seat_names(rules.seats(chosen))), source
        return {"to_act": referee.to_act}

    def _legal(self, seat: str) -> list[Any]:
        # The table is a viewer, but has no decisions to make.
        return [] if self._viewer(seat) == TABLE else list(self._game.legal(seat))

    def _act(self, seat: str, action: Any, chance: ChanceList | UnsetType | None = UNSET) -> dict[str, Any]:
        referee, board, _ = self._running_table
        self._viewer(seat)
        command = referee.game.read_command(seat, action)
        # If the member is missing, earlier forced results stay; an empty list drops them.
        forced = None if chance is UNSET else chance
        before = self._chance.mark()
        try:
            if forced is not None:
                self._chance.force(referee.game.read_luck(board, forced))
            telling = referee.submit(seat, command, self._chance)
        except BaseException as error:
            self._chance.rewind(before)
            if forced is None and isinstance(error, Impossible):
                raise Refused(str(error.rule), f"{error.sentence} {LEFT_OVER_HINT}") from error
            raise
        # The viewers who receive an event, and the event.
        heard = [("all" if told.audience.seats is None else list(told.audience.seats), told.event) for told in telling]
        events = [{**msgspec.to_builtins(event), "told": seats} for seats, event in heard]
        return {"events": events, "to_act": referee.to_act}

    def _view(self, seat: str) -> dict[str, Any]:
        return self._game.game.view(self._game.pictures[self._viewer(seat)])

    def _events(self, seat: str, since: int | None = 0) -> list[Any]:
        first = since or 0
        if first < 0:
            raise NotUnderstood("'since' counts from 0.")
        return list(self._game.told[self._viewer(seat)][first:])

    def _state(self) -> dict[str, Any]:
        return self._game.game.state(self._game.truth)

    def _sight(self, map: str, start: str, end: str) -> dict[str, Any]:
        board = map_named(map, self._load)
        for space in (start, end):
            if space not in board.spaces:
                raise NotUnderstood(f"{board.slug} has no space {space!r}; known are {', '.join(board.spaces)}.")
        if not board.sights:
            raise NotUnderstood(f"Nothing is known of sight on {board.slug}: its game asks nothing of it.")
        sight = board.sight(start, end)
        if sight is None:
            return {"visible": False, "distance": None, "line": None, "through": []}
        return {"visible": True, "distance": sight.distance, "line": sight.line, "through": sight.through}

    def _map(self, map: str) -> dict[str, Any]:
        board = map_named(map, self._load)
        fields = ("kind", "sector", "area", "difficult", "under")
        spaces = {
            name: {key: getattr(space, key) for key in fields} | {"objective": space.properties.get("objective")}
            for name, space in board.spaces.items()
        }
        edges = {"adjacent": _pairs(board.adjacent), "walk": _pairs(board.walk)}
        return {"spaces": spaces, **edges, **maps.map_facts(board)}

    def _odds(self, bag: dict[str, int], draw: int, need: int, silenced: bool = False) -> dict[str, str]:
        # Older programs name no game here, because there was only this one.
        game: Game = games.find(games.DEFAULT) if self._running is None else self._running[0].game
        if not isinstance(game, Chances):
            raise NotUnderstood(f"{game.title} has no bag to draw from.")
        chances = game.odds(bag, draw, need, silenced)
        return {name: f"{value.numerator}/{value.denominator}" for name, value in chances.items()}


def _pairs(neighbours: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    # List each pair once, in the order of the map.
    order = {name: index for index, name in enumerate(neighbours)}
    return [(a, b) for a, others in neighbours.items() for b in others if order[a] < order[b]]


def _error(request_id: Any, code: str, rule: str | None, message: str) -> bytes:
    return msgspec.json.encode(
        {"id": request_id, "error": {"code": code, "rule": rule, "message": message}}, enc_hook=str
    )


def _id_of(value: Any) -> Any:
    return value.get("id") if isinstance(value, dict) else None


_NAMES = ("hello", "new", "position", "legal", "act", "view", "events", "state", "sight", "map", "odds")
_RENAMED = {"start": "from", "end": "to"}
_FORMS = {
    name: form_of(getattr(EngineServer, f"_{name}"), ("id", Any, None), tag_field="do", tag=name, rename=_RENAMED)
    for name in _NAMES
}
_ANY_REQUEST: Any = reduce(or_, _FORMS.values())


def _read(value: Any) -> tuple[str, dict[str, Any]]:
    """Return the name of a request, and its members."""
    name = value.get("do") if isinstance(value, dict) else None
    if isinstance(name, str) and name not in _FORMS:
        raise NotUnderstood(no_such("request", name, _NAMES))
    try:
        members = msgspec.structs.asdict(decoded(value, _ANY_REQUEST))
    except msgspec.ValidationError as error:
        fields = f" It takes {', '.join(_FORMS[name].__struct_encode_fields__)}." if isinstance(name, str) else ""
        raise NotUnderstood(f"The request cannot be read: {error}.{fields}") from error
    del members["id"]
    return str(name), members


def answers(source: BinaryIO) -> Iterator[bytes]:
    """Yield the answer to each line of a source."""
    server = EngineServer()
    for line in read_lines(source):
        yield _error(None, NotUnderstood.code, None, TOO_LONG) if line is None else server.answer(line)
