"""A game of Stalingrad played through the protocol."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from firmware_host.protocols.engine import EngineServer

Json = dict[str, Any]
SWITCHES = ("ST-R-01", "ST-R-04", "ST-R-19", "ST-R-22")


class AnswerError(Exception):
    """An error answer. `code` and `rule` are the protocol's."""

    def __init__(self, error: Json) -> None:
        super().__init__(error)
        self.code, self.rule = error["code"], error["rule"]


class Table:
    """A client of the engine."""

    def __init__(self) -> None:
        self._server = EngineServer()

    def ask(self, do: str, **fields: Any) -> Any:
        """Return the answer to a request. Raises `AnswerError`."""
        answer = json.loads(self._server.answer(json.dumps({"do": do, **fields}).encode()))
        if "error" in answer:
            raise AnswerError(answer["error"])
        return answer["ok"]

    def act(self, number: int, kind: str, /, chance: Any = None, **fields: Any) -> list[Json]:
        """Return the events of a player's act, without their audience, which is all viewers."""
        wanted = {} if chance is None else {"chance": chance}
        answer = self.ask("act", seat=seat(number), action={"type": kind, **fields}, **wanted)
        for event in answer["events"]:
            assert event.pop("told") == "all"
        return list(answer["events"])

    def refused(self, number: int, kind: str, /, chance: Any = None, **fields: Any) -> str | None:
        """Return the rule that refuses an act, and assert that nothing changes. Return None for an invalid command."""
        before = self.state()
        try:
            self.act(number, kind, chance, **fields)
        except AnswerError as error:
            assert self.state() == before
            assert error.code == ("not-understood" if error.rule is None else "refused")
            return str(error.rule) if error.rule else None
        raise AssertionError("the act was not refused")

    def offered(self, number: int, kind: str = "") -> list[Json]:
        """Return the legal acts of a player, all or of one type."""
        menu = self.ask("legal", seat=seat(number))
        return [action for action in menu if kind in ("", action["type"])]

    def state(self) -> Json:
        """Return the whole truth."""
        found: Json = self.ask("state")
        return found

    def view(self, number: int = 0) -> Json:
        """Return what a player sees, or with 0 the table."""
        found: Json = self.ask("view", seat=seat(number) if number else "table")
        return found

    def of(self, number: int) -> Json:
        """Return one player's part of the truth."""
        found: Json = self.state()["players"][seat(number)]
        return found


def seat(number: int) -> str:
    """Return the name of a player's seat."""
    return f"player-{number}"


def options(players: int, off: Sequence[str]) -> Json:
    """Return the options of a game with these rulings switched off."""
    return {"players": players, "switches": dict.fromkeys(off, False)}


def new(players: int = 2, /, chance: Any = None, off: Sequence[str] = (), seed: Any = 1) -> Table:
    """Return a new game."""
    table = Table()
    wanted = {} if chance is None else {"chance": chance}
    table.ask("new", game="stalingrad", options=options(players, off), seed=seed, **wanted)
    return table


def playing(players: int = 2, /, chance: Any = None, off: Sequence[str] = (), **parts: Any) -> Table:
    """Return a game from a position. `p1`, `p2` … are the players."""
    table = Table()
    wanted = {} if chance is None else {"chance": chance}
    position = described(**parts)
    table.ask("position", game="stalingrad", options=options(players, off), position=position, seed=1, **wanted)
    return table


def described(**parts: Any) -> Json:
    """Return a position from its parts."""
    players = {seat(int(name[1:])): part for name, part in parts.items() if name[1:].isdigit()}
    rest = {name: part for name, part in parts.items() if not name[1:].isdigit()}
    return {**rest, "players": players}


def impossible(players: int = 2, /, off: Sequence[str] = (), **parts: Any) -> bool:
    """Return whether a position is not understood."""
    try:
        playing(players, off=off, **parts)
    except AnswerError as error:
        return bool(error.code == "not-understood")
    return False


def kinds(events: list[Json]) -> list[str]:
    """Return the types of events, in order."""
    return [event["type"] for event in events]
