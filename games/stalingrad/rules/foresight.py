"""Information for a player before acting: why an act isn't possible now, and the odds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.game import Command
from engine.refusal import Refused
from games.stalingrad.rules.acts import RULES, hunt_stat, to_draw, usable, why_not_now
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.commands import Buy, Discard, EndTurn, Play
from games.stalingrad.rules.picture import ROLLS, Picture
from games.stalingrad.rules.words import STATS


def foresight(view: Picture, seat: str) -> dict[str, Any]:
    """Return act tag -> `{"why", "rule"}` for each act that isn't possible now, plus `odds`.

    The key for a stat that can't be bought is `buy/<stat>`. `odds` apply to the player whose turn it is. In the phase
    `hunt` they have `draw`, the number of cards. In `target` and `danger` they have `value`, the number of successful
    faces out of ten. In all three phases they have `aids`, card -> amount it adds.
    """
    found = {kind: why.reason for kind, why in _refusals(view, seat)}
    return {**found, "odds": _odds(view) if view.turn == seat else {}}


def _refusals(view: Picture, seat: str) -> Iterator[tuple[str, Refused]]:
    for kind in RULES:
        why = why_not_now(view, seat, kind)
        if why is not None:
            yield str(kind.__struct_config__.tag), why
    if view.turn == seat:
        for name, command in _possible_acts(view):
            why = RULES[type(command)].refusal(view, command)
            if why is not None:
                yield name, why


def _possible_acts(view: Picture) -> Iterator[tuple[str, Command]]:
    """Yield the acts of this phase that can be forbidden regardless of the card, with their keys."""
    if view.phase == "hunt" and view.aid is not None:
        yield "play", Play(view.aid)
    if view.phase == "escape":
        yield from ((f"buy/{stat}", Buy(stat)) for stat in STATS)
        # Any card works as an example, because the reason doesn't depend on it.
        yield from (("discard", Discard(card)) for card in (view.hand or tuple(CARDS))[:1])
        yield "end-turn", EndTurn()


def _odds(view: Picture) -> dict[str, Any]:
    stat = hunt_stat(view) if view.phase == "hunt" else ROLLS.get(view.phase)
    if stat is None:
        return {}
    aids = {card: CARDS[card].amount for card in usable(view, stat)}
    if view.phase == "hunt":
        return {"draw": to_draw(view), "aids": {} if view.aid else aids}
    return {"value": max(0, view.value() or 0), "aids": aids}
