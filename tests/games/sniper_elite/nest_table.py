"""Tables for testing Eagle's Nest in the multiplayer game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from engine.chance import Chance
from engine.events import EVERYONE
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import Refused
from firmware_host.core import maps
from games.sniper_elite import GAME
from tests.games.sniper_elite.duel import plain
from tests.games.sniper_elite_solo.ground import tm1

UNITS = {"yellow-officer": "b1", "red-officer": "b7", "black-officer": "c8"}
SQUADS = {"yellow": {"card": "scout"}, "red": {"card": "jaeger"}, "black": {"card": "radio-operator"}}
PENS = maps.load("submarine-pens")
"""A map with heights and water."""


class Table:
    """A game from a position on TM-1 with the expansion's options."""

    def __init__(
        self, who: str | None, space: str | None = "a1", board: Map | None = None, gear: bool = False, **parts: Any
    ) -> None:
        self.options = GAME.read_options(
            {"nest": {"ally": who if who in (None, "ghost") else f"AS-{who}", "gear": gear}}
        )
        me = {"space": space, "objectives": [1, 4], "hand": [], **parts.pop("sniper", {})}
        raw = {"units": UNITS, "specialists": SQUADS, **parts, "sniper": me}
        self.chance = Chance(Random(1))
        self.referee = Referee(GAME, GAME.position(board or tm1(), self.options, raw, self.chance))

    def act(self, name: str, seat: str = "sniper", drawn: Sequence[dict[str, int]] = (), **fields: Any) -> list[Any]:
        """Submit an act and return its events as data, each with its audience."""
        self.chance.force([("draw", tokens) for tokens in drawn])
        command = GAME.read_command(seat, {"type": name, **fields})
        told = self.referee.submit(seat, command, self.chance)
        return [(msgspec.to_builtins(one.event), one.audience == EVERYONE) for one in told]

    def legal(self, name: str, seat: str = "sniper") -> list[Any]:
        """Return the legal commands of a type."""
        found = [plain(msgspec.to_builtins(command)) for command in self.referee.legal(seat)]
        return [command for command in found if command["type"] == name]

    def state(self) -> Any:
        """Return the referee's state."""
        return plain(GAME.state(self.referee.truth))

    def view(self, viewer: str = "defenders") -> Any:
        """Return a viewer's picture."""
        return plain(GAME.view(self.referee.pictures[viewer]))


def names(told: list[Any]) -> list[str]:
    """Return the names of the events."""
    return [event["type"] for event, _ in told]


def refused(table: Table, rule: str, name: str, **fields: Any) -> None:
    """Assert that `rule` refuses the act."""
    with pytest.raises(Refused) as caught:
        table.act(name, **fields)
    assert caught.value.rule == rule


def ghost(ally: str, space: str = "a1", **parts: Any) -> Table:
    """Return a game with a ghost."""
    return Table("ghost", space, ally=f"AS-{ally}", **parts)
