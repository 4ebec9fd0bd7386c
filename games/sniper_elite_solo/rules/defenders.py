"""The defenders' turn: die, card, refill, returns (SO-DEF-01..05)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.chance import Chance
from engine.events import Told
from engine.refusal import Refused
from engine.text import Text, or_list
from games.sniper_elite.rules.events import TurnEnded
from games.sniper_elite.rules.rule import Rule
from games.sniper_elite.rules.words import DEFENDERS, squad_of
from games.sniper_elite_solo.rules import events
from games.sniper_elite_solo.rules.cards import CARDS
from games.sniper_elite_solo.rules.commands import PlaceReturn
from games.sniper_elite_solo.rules.events import Outcome
from games.sniper_elite_solo.rules.options import hooks
from games.sniper_elite_solo.rules.picture import Picture, lies_down
from games.sniper_elite_solo.rules.snafu import Badness, badness, choose
from games.sniper_elite_solo.rules.steps import run, run_hooks
from games.sniper_elite_solo.rules.telling import Telling, finish
from games.sniper_elite_solo.rules.words import DIE_FACES


def defenders_turn(telling: Telling) -> None:
    """The whole turn, up to a return that the player has to place."""
    p = telling.truth
    if p.deck_size == 0:
        finish(telling, "deck")
        return
    value = telling.chance.roll("die", DIE_FACES, "SO-R-03")
    telling.to_all(events.Die(value))
    resolve(telling, value - 1)
    if telling.over:
        return
    refill(telling)
    run_hooks(telling, hooks(p.options, "defender_turn_end"))
    bring_back(telling)


def resolve(telling: Telling, slot: int) -> None:
    """Turn the card of a slot up and do what it says (SO-DEF-03, SO-KEY-15)."""
    name = telling.truth.slots[slot].card
    assert name is not None, "the referee knows the slots"
    telling.to_all(events.SoloCardTurned(name, slot + 1))
    run(telling, CARDS[name].steps)
    if CARDS[name].urgent:
        run_hooks(telling, hooks(telling.truth.options, "urgent_card_resolved"))


def refill(telling: Telling) -> None:
    """The card goes, the others slide left, and a new one lies on the right (SO-DEF-04, SO-R-40)."""
    p = telling.truth
    kept = tuple(slot for number, slot in enumerate(p.slots) if number != p.resolving)
    if p.deck:
        up = lies_down(kept)
        telling.to_all(events.Slotted(p.deck[0] if up else None, "up" if up else "down"))


# --- returns ----------------------------------------------------------------------------------------------------


def bring_back(telling: Telling) -> None:
    """Defenders return while this turn has returns left; then the turn ends (SO-DEF-05, SO-R-20)."""
    while not telling.over and telling.truth.returns < telling.truth.numbers.returns_per_turn:
        crosses = telling.truth.terrain.crosses
        off = [(unit, crosses[squad_of(unit)]) for unit, space in telling.truth.units.items() if space is None]
        if not off:
            break
        unit, cross = choose(telling, off, lambda outcome: _return_badness(telling.truth, outcome))
        if telling.truth.unit_on(cross) is not None:
            telling.to_all(events.Returning(unit, places(telling.truth, cross)))
            return
        telling.to_all(events.Returned(unit, cross))
    if not telling.over:
        telling.to_all(TurnEnded(DEFENDERS))


def _return_badness(view: Picture, outcome: Outcome) -> Badness:
    """Where the cross is taken, the player will choose the best of the spaces (SO-R-22, SO-R-63)."""
    unit, cross = outcome
    spaces = [cross] if view.unit_on(cross) is None else places(view, cross)
    return min(badness(view, (unit, space), None) for space in spaces)


def places(view: Picture, cross: str) -> tuple[str, ...]:
    """Where a defender may return whose iron cross is taken (SO-R-21)."""
    held = set(view.units.values())
    free = [space for space in view.terrain.enterable if space not in held]
    beside = tuple(space for space in free if space in view.map.adjacent[cross])
    return beside or view.terrain.closest(free, cross)


def _offer_places(view: Picture) -> Iterable[PlaceReturn]:
    return [PlaceReturn(space) for space in (view.pending.spaces if view.pending else ())]


def _check_place(view: Picture, command: PlaceReturn) -> PlaceReturn:
    if command not in _offer_places(view):
        spaces = or_list(view.pending.spaces if view.pending else ())
        raise Refused("SO-R-21", Text("The defender returns on {spaces}.", spaces=spaces))
    return command


def _place(truth: Picture, command: PlaceReturn, chance: Chance) -> list[Told]:
    telling = Telling(truth, chance)
    assert truth.pending is not None and truth.pending.unit is not None
    telling.to_all(events.Returned(truth.pending.unit, command.space))
    bring_back(telling)
    return telling.told


RULES = [Rule(PlaceReturn, _offer_places, _check_place, _place, "place-return")]
