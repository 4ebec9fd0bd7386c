"""What the player can know of the acts before making them, from the player's own picture alone.

Moves, shots and loadout cards have the shape that the multiplayer game gives them, so that its screens can show them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.game import Command
from games.sniper_elite.rules.commands import Move, ShootSecond
from games.sniper_elite.rules.shooting import around
from games.sniper_elite_solo.rules import explain, loadout, odds
from games.sniper_elite_solo.rules.commands import Shoot
from games.sniper_elite_solo.rules.movement import noisy
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.rewards import options_of
from games.sniper_elite_solo.rules.shooting import bag_size, targets
from games.sniper_elite_solo.rules.snafu import least


def foresight(view: Picture, legal: Sequence[Command]) -> dict[str, Any]:
    """JSON-ready.

    `cards`: open solo card -> what it would do now, step by step. `moves`: each legal way with what it costs. `shots`:
    each defender in sight with the odds of each draw. `loadout`: each card in hand with why it cannot be played.
    `blast`: whom the Trench Gun would hit. `end`: how many hits ending the turn here costs.
    """
    armed = view.space is not None and view.active == "trench-gun"
    return {
        "cards": {
            slot.card: [msgspec.structs.asdict(step) for step in explain.card(view, slot.card)]
            for slot in view.slots
            if slot.card is not None
        },
        "moves": [_move(view, command) for command in legal if isinstance(command, Move)],
        "shots": [_shot(view, unit, need, legal) for unit, need in targets(view).items()] if _shooting(legal) else [],
        "loadout": [_card(view, card) for card in dict.fromkeys(view.hand)],
        "blast": around(view.map, str(view.space), view.units) if armed else (),
        "end": int(view.near and _counts(view, view.hits, view.wounded)),
    }


def _counts(view: Picture, hits: int, wounded: bool) -> bool:
    """Whether one more hit counts (SO-HIT-02, SO-HIT-04)."""
    return hits < view.numbers.hit_cap and not wounded


def _move(view: Picture, command: Move) -> dict[str, Any]:
    """`update` is the sector that a noisy way tells, `hits` what it costs, `near` whether defenders are close at its
    end, so that the turn cannot end there without a hit (SO-MOV-04, SO-MOV-05, SO-EOT-01).
    """
    loud, end = noisy(view, command.path), command.path[-1]
    sector = view.terrain.sector_of(end)
    leaves = loud and sector != view.lks
    hurt = loud and not leaves and _counts(view, view.hits, view.wounded)
    near = not view.terrain.within_reach(end).isdisjoint(view.on_board.values())
    return {
        "path": command.path,
        "noisy": loud,
        "update": sector if leaves else None,
        "hits": int(hurt),
        "near": near,
    }


def _shooting(legal: Sequence[Command]) -> bool:
    return any(isinstance(command, Shoot | ShootSecond) for command in legal)


def _shot(view: Picture, unit: str, need: int, legal: Sequence[Command]) -> dict[str, Any]:
    """`drawn` are the defenders of whom one takes the first step towards a noise (SO-SHT-06), `rewards` what a hit may
    bring (SO-SHT-05): tokens that are drawn count as being in the bag, so the draw changes nothing of it (SO-R-12).
    """
    here, there = str(view.space), str(view.units[unit])
    sight = view.map.sight(here, there)
    away = {one: view.terrain.distance(space, here) for one, space in view.on_board.items() if one != unit}
    return {
        "target": unit,
        "space": there,
        "distance": need,
        "line": None if sight is None else sight.line,
        "through": () if sight is None else sight.through,
        "drawn": least({one: steps for one, steps in away.items() if steps > 0}),
        "rewards": [{"option": it.option, "count": it.count} for it in options_of(view)],
        "odds": [_odds(view, draw, need) for draw in _draws(view, unit, legal)],
    }


def _draws(view: Picture, unit: str, legal: Sequence[Command]) -> list[int]:
    """The numbers of tokens that a shot at a defender may announce; that of a second shot is announced."""
    if ShootSecond(unit) in legal and view.volley is not None:
        return [view.volley.draws[0]]
    shots = (command for command in legal if isinstance(command, Shoot) and command.target == unit)
    return [*dict.fromkeys(shot.draw for shot in shots if shot.draw is not None)]


def _odds(view: Picture, draw: int, need: int) -> dict[str, Any]:
    found = odds.asked(view.bag, min(draw, bag_size(view)), need, view.active == "silenced-ammo")
    return {
        "draw": draw,
        **{name: float(value) for name, value in found.items()},
        "exact": {name: str(value) for name, value in found.items()},
    }


def _card(view: Picture, card: str) -> dict[str, Any]:
    why = loadout.barred(view, card)
    reason = {"why": None, "rule": None} if why is None else {"why": why.sentence, "rule": why.rule}
    return {"card": card, "text": loadout.TEXTS[card], **reason}
