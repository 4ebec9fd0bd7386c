"""Looting, objectives, the end of the sniper's turn and the defenders' turn (SO-LOT, SO-CMP, SO-EOT, SO-DEF)."""

from __future__ import annotations

from functools import partial

from engine.refusal import Refused
from engine.text import Text, or_list
from games.sniper_elite.rules.commands import Complete, EndSniperTurn, Keep, Loot
from games.sniper_elite.rules.events import AbilityUsed, BagGained, LootDrawn, ObjectiveCompleted, TurnEnded
from games.sniper_elite.rules.rule import no_action, simple_rule
from games.sniper_elite.rules.turn import no_objective
from games.sniper_elite.rules.words import DEFENDERS, SNIPER, squad_of
from games.sniper_elite_solo.rules import events
from games.sniper_elite_solo.rules.act import Badness, Telling, badness, choose_worst, do_worst, finish, hit, nearest
from games.sniper_elite_solo.rules.cards import CARDS, is_urgent
from games.sniper_elite_solo.rules.commands import PlaceReturn
from games.sniper_elite_solo.rules.options import hooks_at
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.steps import run_hooks, run_steps
from games.sniper_elite_solo.rules.words import DIE_FACES, LOADOUT


def play_defenders_turn(telling: Telling) -> None:
    """Play the whole turn, or up to a return that the player must place."""
    if telling.truth.deck_size == 0:
        finish(telling, "deck")
        return
    value = telling.chance.roll("die", DIE_FACES, "SO-R-03")
    telling.tell(events.Die(value))
    resolve_card(telling, value - 1)
    if telling.over:
        return
    refill_slots(telling)
    run_hooks(telling, hooks_at(telling.truth.options, "defender_turn_end"))
    _return_defenders(telling)


def resolve_card(telling: Telling, slot: int) -> None:
    """Turn up the card in a slot, counted from 0, and resolve it (SO-DEF-03, SO-KEY-15)."""
    name = telling.truth.slots[slot].card
    assert name is not None, "the referee knows the slots"
    telling.tell(events.SoloCardTurned(name, slot + 1))
    run_steps(telling, CARDS[name].steps)
    if is_urgent(name):
        run_hooks(telling, hooks_at(telling.truth.options, "urgent_card_resolved"))


def refill_slots(telling: Telling) -> None:
    """Discard the resolved card, slide the others left, and lay a new one on the right (SO-DEF-04, SO-R-40)."""
    p = telling.truth
    if p.deck:
        # One card is always face down. If neither remaining card is, the new one is.
        up = any(slot.face == "down" for number, slot in enumerate(p.slots) if number != p.resolving)
        telling.tell(events.Slotted(p.deck[0] if up else None, "up" if up else "down"))


def _return_defenders(telling: Telling) -> None:
    """Return defenders up to the turn's limit, then end the turn (SO-DEF-05, SO-R-20)."""
    while not telling.over and telling.truth.returns < telling.truth.numbers.returns_per_turn:
        crosses = telling.truth.terrain.crosses
        off = [(unit, crosses[squad_of(unit)]) for unit, space in telling.truth.units.items() if space is None]
        if not off:
            break
        # The choice is among all defenders off the board. Each returns to its own cross.
        unit, cross = choose_worst(telling, off, lambda: partial(_return_badness, telling.truth))
        # The player places this defender. `_place` continues with the remaining returns.
        if telling.truth.unit_on(cross) is not None:
            telling.tell(events.Returning(unit, spaces_to_return_to(telling.truth, cross)))
            return
        telling.tell(events.Returned(unit, cross))
    if not telling.over:
        telling.tell(TurnEnded(DEFENDERS))


def _return_badness(view: Picture, outcome: events.Arrival) -> Badness:
    """Return how bad a return is. If the cross is taken, the player chooses the space (SO-R-22, SO-R-63)."""
    unit, cross = outcome
    spaces = [cross] if view.unit_on(cross) is None else spaces_to_return_to(view, cross)
    return min(badness(view, (unit, space), None) for space in spaces)


def spaces_to_return_to(view: Picture, cross: str) -> tuple[str, ...]:
    """Return the spaces for a defender whose iron cross is taken (SO-R-21)."""
    held = set(view.units.values())
    free = [space for space in view.terrain.enterable if space not in held]
    beside = tuple(space for space in free if space in view.map.adjacent[cross])
    # Neighbouring spaces come first, otherwise the closest free ones.
    return beside or view.terrain.closest(free, cross)


def _spaces(view: Picture) -> tuple[str, ...]:
    return view.pending.spaces if view.pending else ()


def _no_place(view: Picture, command: PlaceReturn) -> Refused | None:
    spaces = _spaces(view)
    if command.space in spaces:
        return None
    return Refused("SO-R-21", Text("The defender returns on {spaces}.", spaces=or_list(spaces)))


def _place(telling: Telling, command: PlaceReturn) -> None:
    pending = telling.truth.pending
    assert pending is not None and pending.unit is not None
    telling.tell(events.Returned(pending.unit, command.space))
    _return_defenders(telling)


def no_free_action(view: Picture) -> Refused | None:
    """Return why the sniper can't shoot, loot or complete, or None. A turn has one of them (SO-TRN-01, SO-TRN-02)."""
    return no_action(view.space, view.acted, "SO-TRN-02", "SO-TRN-01")


def why_not_loot(view: Picture) -> Refused | None:
    """Return why the sniper's space can't be looted, or None (SO-LOT-01, SO-LOT-03, SO-R-23, SO-R-35, SO-R-45)."""
    number = view.terrain.objective_on(view.space)
    if number is None or number in view.mine:
        return Refused("SO-LOT-01", Text("You can loot only on a numbered space that is none of your objectives."))
    if view.space in view.looted:
        return Refused("SO-LOT-03", Text("You have looted {space} already."), space=str(view.space))
    if view.loot_size == 0:
        return Refused("SO-R-35", Text("The loot deck is empty."))
    return None


def _loot(telling: Telling, command: Loot) -> None:
    truth, space = telling.truth, str(telling.truth.space)
    assert truth.loot_deck is not None, "the referee knows the loot deck"
    drawn = telling.chance.order("loot", truth.loot_deck, "SO-LOT-01")[: truth.numbers.loot_draw]
    telling.tell(events.Looted(space))
    number = truth.terrain.objective_on(space)
    if number in truth.possible and number is not None:
        telling.tell(events.Eliminated(number))
    telling.to_sniper(LootDrawn(drawn))
    if len(drawn) > truth.numbers.loot_draw - truth.helper.loot:
        telling.tell(AbilityUsed(str(truth.ally)))


def _drawn_cards(view: Picture) -> tuple[str, ...]:
    return (view.pending.cards if view.pending else None) or ()


def _no_keep(view: Picture, command: Keep) -> Refused | None:
    if command.card in _drawn_cards(view):
        return None
    return Refused("SO-LOT-01", Text("{title} is none of the cards that you drew."), title=LOADOUT[command.card])


def _completions(view: Picture) -> list[Complete]:
    """Return the acts to check. A search lists them all the time, so those that are clearly refused are left out."""
    if view.acted:
        return []
    return [Complete(number) for number in view.undone if view.terrain.objectives[number] == view.space]


def _no_completion(view: Picture, command: Complete) -> Refused | None:
    where = view.terrain.objectives[command.objective]
    return no_free_action(view) or no_objective(command.objective, view.undone, where, view.space, "SO-CMP-01")


def _complete(telling: Telling, command: Complete) -> None:
    """Complete an objective. The first adds noise, clears its sector, and renews defenders and deck (SO-CMP-02)."""
    truth = telling.truth
    telling.tell(ObjectiveCompleted(command.objective, str(truth.space)))
    if not telling.truth.undone:
        finish(telling, "objectives")
        return
    gained = min(truth.numbers.objective_noise, truth.supply("noise"))
    for _ in range(gained):
        telling.tell(BagGained("noise"))
    # The ability counts as used only if the supply was large enough for its extra token.
    if truth.helper.noise and gained == truth.numbers.objective_noise:
        telling.tell(AbilityUsed(str(truth.ally)))
    for number in truth.terrain.objectives_in(truth.terrain.sector_of[str(truth.space)]):
        if number in truth.possible:
            telling.tell(events.Eliminated(number))
    _reinforce(telling)
    p = telling.truth
    assert p.deck is not None, "the referee knows the deck"
    deck = telling.chance.order("deck", (*p.deck, *p.discard), "SO-CMP-02")
    telling.keep(events.DeckOrder(deck))
    telling.tell(events.DeckShuffled(len(deck)))
    run_hooks(telling, hooks_at(truth.options, "first_objective_done"))


def _reinforce(telling: Telling) -> None:
    """Deploy the farthest defenders to unguarded possible objectives (SO-CMP-03, SO-R-25, SO-R-43, SO-R-62)."""
    for number in sorted(telling.truth.possible):
        view = telling.truth
        if view.guarded_possible[number]:
            continue
        # A defender on a possible objective stays there.
        guards = {view.terrain.objectives[other] for other in view.possible}
        # Distances are negative, so `nearest` returns the farthest defenders.
        away = {
            unit: -view.terrain.distance(space, view.space)
            for unit, space in view.on_board.items()
            if space not in guards
        }
        if away:
            space = view.terrain.objectives[number]
            do_worst(telling, [(unit, space) for unit in nearest(away)], events.Deployed)


def _no_end(view: Picture, command: EndSniperTurn) -> Refused | None:
    return Refused("SO-TRN-02", Text("In the first turn you must move onto the board.")) if view.space is None else None


def _end(telling: Telling, command: EndSniperTurn) -> None:
    """Hit the sniper if defenders are near (SO-EOT-01). Then play the defenders' turn."""
    if telling.truth.defender_near(telling.truth.space):
        hit(telling, "end-turn")
    if not telling.over:
        telling.tell(TurnEnded(SNIPER))
        play_defenders_turn(telling)


RULES = [
    simple_rule(
        Loot,
        lambda view: [Loot()] if view.space and not view.acted else [],
        lambda view, command: no_free_action(view) or why_not_loot(view),
        _loot,
    ),
    simple_rule(
        Keep,
        lambda view: map(Keep, dict.fromkeys(_drawn_cards(view))),
        _no_keep,
        lambda telling, command: telling.tell(events.LootKept(command.card)),
        "keep",
    ),
    simple_rule(Complete, _completions, _no_completion, _complete),
    simple_rule(EndSniperTurn, lambda view: [EndSniperTurn()], _no_end, _end),
    simple_rule(PlaceReturn, lambda view: map(PlaceReturn, _spaces(view)), _no_place, _place, "place-return"),
]
