"""A game of Snipers and Assassins played through the protocol, with positions in a short form.

`S1`, `A1`, … are the markers of player 1 and so on. `card1` and `mines1` are that player's card and mines, and `p1` has
further fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from firmware_host.protocols.engine import EngineServer
from games.snipers_and_assassins import GAME

Json = dict[str, Any]
FIELDS = {"S": "sniper", "A": "assassin", "card": "improvement", "mines": "mines"}


class RefusedError(Exception):
    """An error answer. `code` and `rule` are the protocol's."""

    def __init__(self, error: Json) -> None:
        super().__init__(error)
        self.code, self.rule = error["code"], error["rule"]


class Table:
    """A client of the engine."""

    def __init__(self) -> None:
        self._server = EngineServer()

    def ask(self, do: str, **fields: Any) -> Any:
        """Return the answer to a request. Raises `RefusedError`."""
        answer = json.loads(self._server.answer(json.dumps({"do": do, **fields}).encode()))
        if "error" in answer:
            raise RefusedError(answer["error"])
        return answer["ok"]

    def act(self, number: int, kind: str, /, chance: Any = None, **fields: Any) -> list[Json]:
        """Return the events of a player's act, without their audience: all viewers, or none for the deck."""
        wanted = {"chance": chance} if chance is not None else {}
        answer = self.ask("act", seat=seat(number), action={"type": kind, **fields}, **wanted)
        for event in answer["events"]:
            assert event.pop("told") == ([] if event["type"] == "deck" else "all")
        return list(answer["events"])

    def refused(self, number: int, kind: str, /, **fields: Any) -> str | None:
        """Return the rule that refuses an act, and assert that nothing changes. Return None for an invalid command."""
        before = self.state()
        try:
            self.act(number, kind, **fields)
        except RefusedError as error:
            assert self.state() == before
            assert error.code == ("not-understood" if error.rule is None else "refused")
            return str(error.rule) if error.rule else None
        raise AssertionError("the act was not refused")

    def offered(self, number: int, kind: str = "") -> list[Json]:
        """Return the legal acts of a player, all or of one type."""
        menu = self.ask("legal", seat=seat(number))
        return [action for action in menu if kind in ("", action["type"])]

    def end(self, *numbers: int) -> None:
        """End the turns of these players."""
        for number in numbers:
            self.act(number, "end-turn")

    def state(self) -> Json:
        """Return the whole truth."""
        found: Json = self.ask("state")
        return found

    def of(self, number: int) -> Json:
        """Return one player's part of the truth."""
        found: Json = self.state()["players"][seat(number)]
        return found

    def at(self, marker: str) -> str:
        """Return the space of `S1`, `A2`, …"""
        return str(self.of(int(marker[1:]))[FIELDS[marker[0]]])


def seat(number: int) -> str:
    """Return the name of a player's seat."""
    return f"player-{number}"


def new(players: int = 2, /, chance: Any = None, seed: int = 1, **options: Any) -> Table:
    """Return a new game."""
    table = Table()
    wanted = {"chance": chance} if chance is not None else {}
    table.ask("new", game=GAME.name, map=f"pathways-{players}", options=options, seed=seed, **wanted)
    return table


def playing(count: int = 2, options: Mapping[str, Any] | None = None, /, chance: Any = None, **parts: Any) -> Table:
    """Return a game from a position."""
    table = Table()
    wanted = {"chance": chance} if chance is not None else {}
    table.ask(
        "position",
        game=GAME.name,
        map=f"pathways-{count}",
        options=options or {},
        position=described(**parts),
        seed=1,
        **wanted,
    )
    return table


def described(**parts: Any) -> Json:
    """Return a position from its short form."""
    players: dict[str, Json] = {}
    rest: Json = {}
    for name, value in parts.items():
        what, number = name.rstrip("0123456789"), name[len(name.rstrip("0123456789")) :]
        if not number:
            rest[name] = value
        elif what == "p":
            players.setdefault(f"player-{number}", {}).update(value)
        else:
            players.setdefault(f"player-{number}", {})[FIELDS[what]] = value
    return {**rest, "players": players}


def kinds(events: list[Json]) -> list[str]:
    """Return the types of events, in order."""
    return [event["type"] for event in events]
