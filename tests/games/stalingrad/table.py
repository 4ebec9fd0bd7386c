"""A game of Stalingrad played through the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.games.protocol_client import AnswerError, Json, Table, forced, seat

SWITCHES = ("ST-R-01", "ST-R-04", "ST-R-19", "ST-R-22")


def options(players: int, off: Sequence[str]) -> Json:
    """Return the options of a game with these rulings switched off."""
    return {"players": players, "switches": dict.fromkeys(off, False)}


def new(players: int = 2, /, chance: Any = None, off: Sequence[str] = (), seed: Any = 1) -> Table:
    """Return a new game."""
    table = Table()
    table.ask("new", game="stalingrad", options=options(players, off), seed=seed, **forced(chance))
    return table


def playing(players: int = 2, /, chance: Any = None, off: Sequence[str] = (), **parts: Any) -> Table:
    """Return a game from a position. `p1`, `p2` … are the players."""
    table = Table()
    position = described(**parts)
    table.ask("position", game="stalingrad", options=options(players, off), position=position, seed=1, **forced(chance))
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
