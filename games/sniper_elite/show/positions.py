"""Test positions in which many miniatures can move, and positions with public facts only."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from engine.game import RandomPosition
from engine.graph import Map
from games.sniper_elite.rules import position
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import DEFENDERS, SQUADS, UNITS


def random_position(board: Map, random: Random) -> RandomPosition:
    """Return a position in the defenders' turn. Units are often close together."""
    spaces = list(board.enterable)
    units = random.sample(list(UNITS), random.randint(5, 9))
    if random.random() < 0.6:
        middle, crowd = random.choice(spaces), 1
        near = {middle}
        while len(near) < len(units) + 4 and crowd < 20:
            near |= {other for space in near for other in board.walk[space]}
            crowd += 1
        spaces = sorted(near) if len(near) >= len(units) else spaces
    places = dict(zip(units, random.sample(spaces, len(units)), strict=True))
    sniper = random.choice([space for space in board.enterable if space not in places.values()])
    found: dict[str, Any] = {"turn": DEFENDERS, "units": places, "sniper": {"space": sniper}}
    if random.random() < 0.4:
        found["sniper"]["miniature"] = random.choice([s for s in board.enterable if s not in places.values()])
    left = {squad: random.choice((1, 2, 2, 2)) for squad in SQUADS}
    found["squads"] = {squad: {"left": number} for squad, number in left.items()}
    return RandomPosition(found, left)


def public_position(view: Picture, possible: Sequence[str]) -> dict[str, Any]:
    """Return the public facts, with the sniper on one of its possible spaces."""
    state = position.write_position(view)
    if possible and (view.round > 1 or view.turn == DEFENDERS):
        state["sniper"]["space"] = possible[0]
    state["sniper"] = _without_none(state["sniper"])
    return _without_none(state)


def _without_none(state: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if value is not None}
