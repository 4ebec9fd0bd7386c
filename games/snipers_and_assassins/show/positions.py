"""Test positions with markers close together or on one space, for simulated players who move them."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.game import RandomPosition
from engine.graph import Map
from games.snipers_and_assassins.map_rules import pathways
from games.snipers_and_assassins.rules import places
from games.snipers_and_assassins.rules.words import KINDS, seat_names


def random_position(board: Map, random: Random) -> RandomPosition:
    """Return a position in which both markers of a player can act. Some share a space or are at their starts."""
    seats = seat_names(pathways.players_on(board.slug))
    spaces = [name for name in board.enterable if places.is_space(name)]
    middle = random.choice(spaces)
    if random.random() < 0.6:
        spaces = [name for name in spaces if places.distance(name, middle) <= len(seats) + 2]
    players: dict[str, Any] = {}
    taken: set[str] = set()
    for seat in seats:
        here: dict[str, str] = {}
        for kind in KINDS:
            if random.random() < 0.8:
                here[kind] = random.choice([name for name in spaces if name not in taken])
                taken.add(here[kind])
        if len(here) == len(KINDS) and random.random() < 0.3:
            here["assassin"] = here["sniper"]
        players[seat] = {**here, "pushed_back": random.random() < 0.2}
    return RandomPosition({"turn": random.choice(seats), "players": players}, dict.fromkeys(seats, len(KINDS)))
