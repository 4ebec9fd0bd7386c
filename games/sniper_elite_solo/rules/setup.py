"""Set-up (SO-SET-01..16): shuffling, dealing, returning an objective, and choosing the arrow."""

from __future__ import annotations

from collections.abc import Sequence

from engine.chance import Chance
from engine.events import Told
from engine.graph import Map
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.map_rules.sites import sector_of_objective
from games.sniper_elite.rules.cards import in_order
from games.sniper_elite.rules.commands import ChooseEntry, ReturnObjective
from games.sniper_elite.rules.events import AllyChosen, BagLoaded, Entry, Objectives
from games.sniper_elite.rules.rule import simple_rule
from games.sniper_elite.rules.words import SECTOR_WORDS
from games.sniper_elite_solo.rules import events
from games.sniper_elite_solo.rules.act import Telling
from games.sniper_elite_solo.rules.cards import is_urgent
from games.sniper_elite_solo.rules.options import Options, parameters
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.terrain import require_layout


def start_bag(options: Options, ally: str | None = None) -> dict[str, int]:
    """Return the shot bag at the start (SO-SET-11, EN-ALY-02)."""
    numbers = parameters(options, ally)
    return {"aim": numbers.bag_aim, "noise": numbers.bag_noise, "recoil": numbers.bag_recoil}


def blank(board: Map, options: Options) -> Picture:
    """Return the picture before the first event. Raises `Refused` for an unsuitable map."""
    ally = None if options.nest is None else options.nest.ally
    terrain = require_layout(board)
    numbers, bag = parameters(options, ally), start_bag(options, ally)
    return Picture(board, terrain, options, numbers, terrain.starts(), bag, ally=ally)


def begin(truth: Picture, chance: Chance) -> list[Told]:
    """Shuffle, lay the slots, and deal the loadout and the objectives (SO-SET-04..12)."""
    telling, cards = Telling(truth, chance), truth.cards_in_use
    if truth.ally is not None:
        telling.tell(AllyChosen(truth.ally))
        telling.tell(BagLoaded(dict(truth.bag)))
    front = chance.order("urgent", [card for card in cards if is_urgent(card)], "SO-SET-04")
    deck = chance.order("deck", [card for card in cards if not is_urgent(card)], "SO-SET-06")
    loadout = chance.order("loadout", truth.loadout, "SO-SET-08")
    objectives = chance.order("objectives", sorted(truth.terrain.objectives), "SO-SET-12")
    telling.keep(events.Dealt(front, deck, loadout, objectives))
    # Only the referee sees the whole deal. The events below repeat what others may know.
    # A face-down card goes out without its name: no one but the referee may know it.
    hidden = tuple(slot if slot.face == "up" else events.Slot(None, "down") for slot in telling.truth.slots)
    telling.tell(events.SlotsLaid(hidden, truth.numbers.deck_cards))
    telling.tell(events.LoadoutDealt(dealt_loadout(loadout, truth.numbers.initial_loadout)))
    telling.to_sniper(Objectives(objectives[:2]))
    return telling.told


def dealt_loadout(deck: Sequence[str], number: int) -> tuple[str, ...]:
    """Return the first `number` different cards of a deck. A duplicate goes under it (SO-SET-08, SO-R-67)."""
    return in_order(list(dict.fromkeys(deck))[:number])


def _no_return(view: Picture, command: ReturnObjective) -> Refused | None:
    if command.objective in view.mine:
        return None
    return Refused("SO-SET-12", Text("You do not hold objective {objective}."), objective=command.objective)


def _return(telling: Telling, command: ReturnObjective) -> None:
    pending = telling.truth.pending
    assert pending is not None and pending.deck, "the referee knows the objective deck while one is returned"
    kept = tuple(objective for objective in telling.truth.mine if objective != command.objective)
    telling.to_sniper(Objectives((*kept, pending.deck[0])))


def must_choose_entry(view: Picture) -> bool:
    """Return whether the player must choose an arrow first."""
    return view.entry is None and view.lks is None and view.space is None


def why_not_enter(view: Picture, sector: str) -> Refused | None:
    """Return why an arrow can't be used, or None (SO-SET-13, SO-R-19)."""
    word = SECTOR_WORDS[sector]
    if sector in {sector_of_objective(view.map, objective) for objective in view.mine}:
        return Refused("SO-SET-13", Text("One of your objectives lies in the {sector} sector."), sector=word)
    if view.unit_on(view.terrain.entries[sector]) is not None:
        return Refused("SO-R-19", Text("A unit stands where the {sector} arrow leads."), sector=word)
    return None


def _no_entry(view: Picture, command: ChooseEntry) -> Refused | None:
    if not must_choose_entry(view):
        return Refused("SO-SET-13", Text("You have already marked your arrow."))
    return why_not_enter(view, command.sector)


def _choose_entry(telling: Telling, command: ChooseEntry) -> None:
    telling.tell(Entry(command.sector))
    telling.tell(events.LksUpdated(command.sector))
    telling.tell(events.Possible(possible_outside(telling.truth, command.sector)))


def possible_outside(view: Picture, sector: str | None) -> tuple[int, ...]:
    """Return the numbers of all objectives outside a sector, in ascending order (SO-SET-15)."""
    spaces = view.terrain.objectives
    return tuple(number for number, space in spaces.items() if view.terrain.sector_of[space] != sector)


RULES = [
    simple_rule(ReturnObjective, lambda view: map(ReturnObjective, view.mine), _no_return, _return, "return-objective"),
    simple_rule(
        ChooseEntry, lambda view: map(ChooseEntry, view.terrain.entries), _no_entry, _choose_entry, "choose-entry"
    ),
]
