"""A game of Snipers and Assassins played through the protocol, with positions in a short form.

`S1`, `A1`, … are the markers of player 1 and so on. `card1` and `mines1` are that player's card and mines, and `p1` has
further fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.snipers_and_assassins import GAME
from tests.games.protocol_client import Json, forced
from tests.games.protocol_client import Table as ProtocolTable

FIELDS = {"S": "sniper", "A": "assassin", "card": "improvement", "mines": "mines"}


class Table(ProtocolTable):
    """A game of Snipers and Assassins. The order of the deck is hidden."""

    hidden = frozenset({"deck"})

    def end(self, *numbers: int) -> None:
        """End the turns of these players."""
        for number in numbers:
            self.act(number, "end-turn")

    def at(self, marker: str) -> str:
        """Return the space of `S1`, `A2`, …"""
        return str(self.of(int(marker[1:]))[FIELDS[marker[0]]])


def new(players: int = 2, /, chance: Any = None, seed: int = 1, **options: Any) -> Table:
    """Return a new game."""
    table = Table()
    table.ask("new", game=GAME.name, map=f"pathways-{players}", options=options, seed=seed, **forced(chance))
    return table


def playing(count: int = 2, options: Mapping[str, Any] | None = None, /, chance: Any = None, **parts: Any) -> Table:
    """Return a game from a position."""
    table = Table()
    table.ask(
        "position",
        game=GAME.name,
        map=f"pathways-{count}",
        options=options or {},
        position=described(**parts),
        seed=1,
        **forced(chance),
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
