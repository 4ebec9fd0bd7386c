"""A client of the engine's protocol, for games whose seats are numbered players."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from firmware_host.protocols.engine import EngineServer

Json = dict[str, Any]


class AnswerError(Exception):
    """An error answer. `code` and `rule` are the protocol's."""

    def __init__(self, error: Json) -> None:
        super().__init__(error)
        self.code, self.rule = error["code"], error["rule"]


class Table:
    """A game at the protocol. Events of the types in `hidden` go to no viewer, all others to every viewer."""

    hidden: ClassVar[frozenset[str]] = frozenset()

    def __init__(self) -> None:
        self._server = EngineServer()

    def ask(self, do: str, **fields: Any) -> Any:
        """Return the answer to a request. Raises `AnswerError`."""
        answer = json.loads(self._server.answer(json.dumps({"do": do, **fields}).encode()))
        if "error" in answer:
            raise AnswerError(answer["error"])
        return answer["ok"]

    def act(self, number: int, kind: str, /, chance: Any = None, **fields: Any) -> list[Json]:
        """Return the events of a player's act, without their audience, which is checked."""
        answer = self.ask("act", seat=seat(number), action={"type": kind, **fields}, **forced(chance))
        for event in answer["events"]:
            assert event.pop("told") == ([] if event["type"] in self.hidden else "all")
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


def forced(chance: Any) -> Json:
    """Return the field of a request that forces these random results; nothing for None."""
    return {} if chance is None else {"chance": chance}


def kinds(events: list[Json]) -> list[str]:
    """Return the types of events, in order."""
    return [event["type"] for event in events]
