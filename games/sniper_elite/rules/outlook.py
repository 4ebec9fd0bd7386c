"""What a seat can foresee of its own acts before confirming them, from its own picture alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.game import Command
from engine.refusal import Refused
from games.sniper_elite.rules.cards import CARDS, barred
from games.sniper_elite.rules.commands import Move, Shoot, ShootSecond
from games.sniper_elite.rules.movement import alerted, barking
from games.sniper_elite.rules.odds import Odds, odds, odds_of_second, silenced
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.shooting import blast, targets


def of_sniper(view: Picture, legal: Sequence[Command], late: Refused | None = None) -> dict[str, Any]:
    """Moves with the units and dogs that notice them, targets with line and odds, cards with why they cannot be played.

    Probabilities are floats for the screen with the exact fraction beside them. `blast` are the units that the Trench
    Gun would hit here; `late` is why no card at all can be played now.
    """
    shown = view.mine.space is not None and view.active == "trench-gun"
    return {
        "moves": [_move(view, command) for command in legal if isinstance(command, Move)],
        "shots": [_shot(view, unit, distance, legal) for unit, distance in targets(view).items()] if legal else [],
        "cards": [_card(view, card, late) for card in dict.fromkeys(view.mine.hand)],
        "blast": blast(view, str(view.mine.space)) if shown else (),
    }


def _move(view: Picture, command: Move) -> dict[str, Any]:
    start = view.mine.space
    heard = alerted(view, start, command.path)
    return {
        "path": command.path,
        "noisy": len(command.path) > 1,
        "alerts": heard,
        "barks": barking(view, start, command.path),
    }


def _card(view: Picture, card: str, late: Refused | None) -> dict[str, Any]:
    why = late or barred(view, card)
    reason = {"why": None, "rule": None} if why is None else {"why": why.sentence, "rule": why.rule}
    return {"card": card, "title": CARDS[card].title, **reason}


def _shot(view: Picture, unit: str, distance: int, legal: Sequence[Command]) -> dict[str, Any]:
    here, there = str(view.mine.space), str(view.units[unit])
    sight = view.map.sight(here, there)
    return {
        "target": unit,
        "space": there,
        "distance": distance,
        "line": None if sight is None else sight.line,
        "through": () if sight is None else sight.through,
        "odds": [{"draw": draw, **_written(chances)} for draw, chances in _draws(view, unit, distance, legal)],
    }


def _draws(view: Picture, unit: str, distance: int, legal: Sequence[Command]) -> list[tuple[int, Odds]]:
    if ShootSecond(unit) in legal:
        assert view.second is not None and view.drawn is not None, "the first shot was drawn, the second announced"
        spoilt = not view.options.stands("R-26")
        return [(view.second, odds_of_second(view.bag, view.drawn, view.second, distance, spoilt))]
    shots = [command for command in legal if isinstance(command, Shoot) and command.target == unit]
    bag = silenced(view.bag) if view.active == "silenced-ammo" else view.bag
    return [
        (draw, odds(bag, draw, distance)) for draw in dict.fromkeys(shot.draw for shot in shots) if draw is not None
    ]


def _written(chances: Odds) -> dict[str, Any]:
    exact = {"hit": chances.hit, "misfire": chances.misfire, "reveal": chances.reveal}
    floats = {name: float(value) for name, value in exact.items()}
    return {**floats, "exact": {name: str(value) for name, value in exact.items()}}
