"""What a seat can foresee of its own acts before confirming them, from its own picture alone."""

from __future__ import annotations

from typing import Any

from engine.game import Command
from engine.games.sniper_elite.commands import Move, Shoot
from engine.games.sniper_elite.movement import alerted
from engine.games.sniper_elite.odds import odds
from engine.games.sniper_elite.picture import Picture
from engine.games.sniper_elite.shooting import targets


def of_sniper(view: Picture, legal: list[Command]) -> dict[str, Any]:
    """Each legal move with the units that will hear it, each target with its line and the odds of every draw.

    Probabilities are floats for the screen with the exact fraction beside them.
    """
    return {
        "moves": [_move(view, command) for command in legal if isinstance(command, Move)],
        "shots": [_shot(view, unit, distance, legal) for unit, distance in targets(view).items()] if legal else [],
    }


def _move(view: Picture, command: Move) -> dict[str, Any]:
    heard = alerted(view, view.mine.space, command.path)
    return {"path": command.path, "noisy": len(command.path) > 1, "alerts": heard}


def _shot(view: Picture, unit: str, distance: int, legal: list[Command]) -> dict[str, Any]:
    here, there = str(view.mine.space), str(view.units[unit])
    sight = view.map.sight(here, there)
    draws = [command.draw for command in legal if isinstance(command, Shoot) and command.target == unit]
    return {
        "target": unit,
        "space": there,
        "distance": distance,
        "line": None if sight is None else sight.line,
        "through": () if sight is None else sight.through,
        "odds": [_odds(view, draw, distance) for draw in draws if draw is not None],
    }


def _odds(view: Picture, draw: int, distance: int) -> dict[str, Any]:
    chances = odds(view.bag, draw, distance)
    exact = {"hit": chances.hit, "misfire": chances.misfire, "reveal": chances.reveal}
    floats = {name: float(value) for name, value in exact.items()}
    return {"draw": draw, **floats, "exact": {name: str(value) for name, value in exact.items()}}
