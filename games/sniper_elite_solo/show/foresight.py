"""Information for the player before choosing a command, from the player's own picture.

Moves, shots and loadout cards have the same format as in the multiplayer game, so its screens can show them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.game import Command
from games.sniper_elite.rules.commands import Move, Shoot, ShootSecond
from games.sniper_elite.rules.foresight import POSSIBLE, odds_as_json, target_facts
from games.sniper_elite.rules.shooting import around
from games.sniper_elite_solo.rules import loadout, odds
from games.sniper_elite_solo.rules.explain import explain_card
from games.sniper_elite_solo.rules.movement import is_noisy
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.shooting import bag_size, steadiness, targets
from games.sniper_elite_solo.rules.snafu import nearest


def foresight(view: Picture, legal: Sequence[Command]) -> dict[str, Any]:
    """Return the information as JSON data.

    `cards`: open solo card -> what it would do now, step by step. `moves`: each legal move with its cost. `shots`: each
    visible defender with the odds of each draw. `loadout`: each card in hand with the reason why it can't be played.
    `blast`: the defenders that the Trench Gun would hit. `end`: the number of hits for ending the turn here.
    """
    armed = view.space is not None and view.active == "trench-gun"
    return {
        "cards": {
            slot.card: [msgspec.structs.asdict(step) for step in explain_card(view, slot.card)]
            for slot in view.slots
            if slot.card is not None
        },
        "moves": [_move(view, command) for command in legal if isinstance(command, Move)],
        "shots": [_shot(view, unit, need, legal) for unit, need in targets(view).items()] if _can_shoot(legal) else [],
        "loadout": [_card(view, card) for card in dict.fromkeys(view.hand)],
        "blast": around(view.map, str(view.space), view.units) if armed else (),
        "end": int(view.defender_near(view.space) and _hit_counts(view)),
    }


def _hit_counts(view: Picture) -> bool:
    """Return whether one more hit counts (SO-HIT-02, SO-HIT-04)."""
    return view.hits < view.numbers.hit_cap and not view.wounded


def _move(view: Picture, command: Move) -> dict[str, Any]:
    """Return the cost of a move (SO-MOV-04, SO-MOV-05, SO-EOT-01).

    `update`: the sector that a noisy move reveals. `hits`: the hits that it costs. `near`: whether defenders are close
    to its end, so that ending the turn there costs a hit.
    """
    noisy, end = is_noisy(view, command.path), command.path[-1]
    sector = view.terrain.sector_of[end]
    leaves = noisy and sector != view.lks
    return {
        "path": command.path,
        "noisy": noisy,
        "update": sector if leaves else None,
        "hits": int(noisy and not leaves and _hit_counts(view)),
        "near": view.defender_near(end),
    }


def _can_shoot(legal: Sequence[Command]) -> bool:
    return any(isinstance(command, Shoot | ShootSecond) for command in legal)


def _shot(view: Picture, unit: str, need: int, legal: Sequence[Command]) -> dict[str, Any]:
    """Return a target with its odds.

    `drawn`: the defenders, one of which takes the first step towards a noise (SO-SHT-06). `rewards`: the rewards for a
    hit (SO-SHT-05). The draw doesn't change them, because drawn tokens count as in the bag (SO-R-12).
    """
    here = str(view.space)
    away = {one: view.terrain.distance(space, here) for one, space in view.on_board.items() if one != unit}
    return {
        **target_facts(view.map, here, unit, str(view.units[unit]), need),
        "drawn": nearest({one: steps for one, steps in away.items() if steps > 0}),
        "rewards": [{"option": it.option, "count": it.count} for it in view.reward_options()],
        # A second shot can be announced with more tokens than the bag still has.
        "odds": [_odds(view, draw, need) for draw in _draws(view, unit, legal)],
    }


def _draws(view: Picture, unit: str, legal: Sequence[Command]) -> list[int]:
    """Return the counts that a shot at a defender can announce. The count of a second shot is fixed."""
    if ShootSecond(unit) in legal and view.volley is not None:
        return [view.volley.draws[0]]
    shots = (command for command in legal if isinstance(command, Shoot) and command.target == unit)
    return [*dict.fromkeys(shot.draw for shot in shots if shot.draw is not None)]


def _odds(view: Picture, draw: int, need: int) -> dict[str, Any]:
    silent, steady = view.active == "silenced-ammo", steadiness(view)
    found = odds.draw_odds(view.bag, min(draw, bag_size(view)), need, silent, steady)
    return {"draw": draw, **odds_as_json(found)}


def _card(view: Picture, card: str) -> dict[str, Any]:
    why = loadout.why_not_play(view, card)
    return {"card": card, "text": loadout.TEXTS[card], **(POSSIBLE if why is None else why.reason)}
