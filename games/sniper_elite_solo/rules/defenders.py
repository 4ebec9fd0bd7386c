"""The defenders' turn: die, card, new card, returns (SO-DEF-01..05)."""

from __future__ import annotations

from engine.refusal import Refused
from engine.text import Text, or_list
from games.sniper_elite.rules.events import TurnEnded
from games.sniper_elite.rules.rule import simple_rule
from games.sniper_elite.rules.words import DEFENDERS, squad_of
from games.sniper_elite_solo.rules import events
from games.sniper_elite_solo.rules.act import Act, finish
from games.sniper_elite_solo.rules.cards import CARDS, is_urgent
from games.sniper_elite_solo.rules.commands import PlaceReturn
from games.sniper_elite_solo.rules.events import Arrival
from games.sniper_elite_solo.rules.options import hooks_at
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.snafu import Badness, badness, choose_worst
from games.sniper_elite_solo.rules.steps import run_hooks, run_steps
from games.sniper_elite_solo.rules.words import DIE_FACES


def play_defenders_turn(act: Act) -> None:
    """Play the whole turn, or up to a return that the player must place."""
    if act.truth.deck_size == 0:
        finish(act, "deck")
        return
    value = act.chance.roll("die", DIE_FACES, "SO-R-03")
    act.tell(events.Die(value))
    resolve_card(act, value - 1)
    if act.over:
        return
    refill_slots(act)
    run_hooks(act, hooks_at(act.truth.options, "defender_turn_end"))
    _return_defenders(act)


def resolve_card(act: Act, slot: int) -> None:
    """Turn up the card in a slot, counted from 0, and resolve it (SO-DEF-03, SO-KEY-15)."""
    name = act.truth.slots[slot].card
    assert name is not None, "the referee knows the slots"
    act.tell(events.SoloCardTurned(name, slot + 1))
    run_steps(act, CARDS[name].steps)
    if is_urgent(name):
        run_hooks(act, hooks_at(act.truth.options, "urgent_card_resolved"))


def refill_slots(act: Act) -> None:
    """Discard the resolved card, slide the others left, and lay a new one on the right (SO-DEF-04, SO-R-40)."""
    p = act.truth
    if p.deck:
        # One card is always face down. If neither remaining card is, the new one is.
        up = any(slot.face == "down" for number, slot in enumerate(p.slots) if number != p.resolving)
        act.tell(events.Slotted(p.deck[0] if up else None, "up" if up else "down"))


def _return_defenders(act: Act) -> None:
    """Return defenders up to the turn's limit, then end the turn (SO-DEF-05, SO-R-20)."""
    while not act.over and act.truth.returns < act.truth.numbers.returns_per_turn:
        crosses = act.truth.terrain.crosses
        off = [(unit, crosses[squad_of(unit)]) for unit, space in act.truth.units.items() if space is None]
        if not off:
            break
        # The choice is among all defenders off the board. Each returns to its own cross.
        unit, cross = choose_worst(act, off, lambda outcome: _return_badness(act.truth, outcome))
        # The player places this defender. `_place` continues with the remaining returns.
        if act.truth.unit_on(cross) is not None:
            act.tell(events.Returning(unit, return_spaces(act.truth, cross)))
            return
        act.tell(events.Returned(unit, cross))
    if not act.over:
        act.tell(TurnEnded(DEFENDERS))


def _return_badness(view: Picture, outcome: Arrival) -> Badness:
    """Return how bad a return is. If the cross is taken, the player chooses the space (SO-R-22, SO-R-63)."""
    unit, cross = outcome
    spaces = [cross] if view.unit_on(cross) is None else return_spaces(view, cross)
    return min(badness(view, (unit, space), None) for space in spaces)


def return_spaces(view: Picture, cross: str) -> tuple[str, ...]:
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


def _place(act: Act, command: PlaceReturn) -> None:
    pending = act.truth.pending
    assert pending is not None and pending.unit is not None
    act.tell(events.Returned(pending.unit, command.space))
    _return_defenders(act)


RULES = [simple_rule(PlaceReturn, lambda view: map(PlaceReturn, _spaces(view)), _no_place, _place, "place-return")]
