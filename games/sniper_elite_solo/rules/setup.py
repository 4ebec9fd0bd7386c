"""Setting up (SO-SET-01..16): shuffles, the deal, a suit too many, and the arrow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.chance import Chance
from engine.events import Told
from engine.graph import Map
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules.commands import ChooseEntry, ReturnObjective
from games.sniper_elite.rules.events import AllyChosen, BagLoaded, Entry, Objectives
from games.sniper_elite.rules.rule import Rule
from games.sniper_elite.rules.words import SECTOR_WORDS
from games.sniper_elite_solo.rules import events
from games.sniper_elite_solo.rules.cards import others, urgent
from games.sniper_elite_solo.rules.options import Options, chosen_ally, chosen_deck, parameters
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.telling import Telling
from games.sniper_elite_solo.rules.terrain import require_layout
from games.sniper_elite_solo.rules.words import in_order


def card_set(board: Map, options: Options) -> str:
    """Which map's cards are used: LF or SP (SO-SET-02, SO-R-68)."""
    if options.cards is not None:
        return options.cards
    if board.code in ("LF", "SP"):
        return board.code
    return "SP" if any(space.kind == "elevated" for space in board.spaces.values()) else "LF"


def start_bag(options: Options, ally: str | None = None) -> dict[str, int]:
    """What the shot bag holds at the start (SO-SET-11, EN-ALY-02)."""
    numbers = parameters(options, ally)
    return {"aim": numbers.bag_aim, "noise": numbers.bag_noise, "recoil": numbers.bag_recoil}


def blank(board: Map, options: Options) -> Picture:
    """The table before anything is told. Raises `Refused` for a map that does not suit the game."""
    ally = chosen_ally(options)
    return Picture(board, options, units=require_layout(board).starts(), bag=start_bag(options, ally), ally=ally)


def begin(truth: Picture, chance: Chance) -> list[Told]:
    """Shuffle, lay the slots, deal loadout and objectives (SO-SET-04..12)."""
    telling, which = Telling(truth, chance), card_set(truth.map, truth.options)
    if truth.ally is not None:
        telling.to_all(AllyChosen(truth.ally))
        telling.to_all(BagLoaded(dict(truth.bag)))
    front = chance.order("urgent", urgent(which, chosen_deck(truth.options)), "SO-SET-04")
    deck = chance.order("deck", others(which, chosen_deck(truth.options)), "SO-SET-06")
    loadout = chance.order("loadout", truth.loadout, "SO-SET-08")
    objectives = chance.order("objectives", sorted(truth.terrain.objectives), "SO-SET-12")
    telling.to_nobody(events.Dealt(front, deck, loadout, objectives))
    hidden = tuple(slot if slot.face == "up" else events.Slot(None, "down") for slot in telling.truth.slots)
    telling.to_all(events.SlotsLaid(hidden, truth.numbers.deck_cards))
    telling.to_all(events.LoadoutDealt(dealt_loadout(loadout, truth.numbers.initial_loadout)))
    telling.to_sniper(Objectives(objectives[:2]))
    return telling.told


def dealt_loadout(deck: Sequence[str], number: int) -> tuple[str, ...]:
    """The first cards of a deck that are all different: one that is dealt twice goes under it (SO-SET-08, SO-R-67)."""
    return in_order(list(dict.fromkeys(deck))[:number])


# --- returning an objective (SO-SET-12) -------------------------------------------------------------------------


def _offer_returns(view: Picture) -> Iterable[ReturnObjective]:
    return [ReturnObjective(objective) for objective in view.mine]


def _check_return(view: Picture, command: ReturnObjective) -> ReturnObjective:
    if command.objective not in view.mine:
        raise Refused("SO-SET-12", Text("You do not hold objective {objective}.", objective=command.objective))
    return command


def _return(truth: Picture, command: ReturnObjective, chance: Chance) -> list[Told]:
    telling = Telling(truth, chance)
    assert truth.pending is not None and truth.pending.deck, "the referee knows the objective deck while one goes back"
    kept = tuple(objective for objective in truth.mine if objective != command.objective)
    telling.to_sniper(Objectives((*kept, truth.pending.deck[0])))
    return telling.told


# --- the arrow (SO-SET-13..16) ----------------------------------------------------------------------------------


def must_choose_entry(view: Picture) -> bool:
    """Whether the player has still to choose an arrow, before anything else."""
    return view.entry is None and view.lks is None and view.space is None


def barred_arrow(view: Picture, sector: str) -> Refused | None:
    """Why an arrow cannot be used, or None (SO-SET-13, SO-R-19)."""
    word = SECTOR_WORDS[sector]
    if sector in {view.terrain.suit_of(objective) for objective in view.mine}:
        return Refused("SO-SET-13", Text("One of your objectives lies in the {sector} sector."), sector=word)
    if view.unit_on(view.terrain.entries[sector]) is not None:
        return Refused("SO-R-19", Text("A unit stands where the {sector} arrow leads."), sector=word)
    return None


def _offer_entries(view: Picture) -> Iterable[ChooseEntry]:
    if not must_choose_entry(view):
        return ()
    return [ChooseEntry(sector) for sector in view.terrain.entries if barred_arrow(view, sector) is None]


def _check_entry(view: Picture, command: ChooseEntry) -> ChooseEntry:
    if not must_choose_entry(view):
        raise Refused("SO-SET-13", Text("You have already marked your arrow."))
    if (why := barred_arrow(view, command.sector)) is not None:
        raise why
    return command


def _choose_entry(truth: Picture, command: ChooseEntry, chance: Chance) -> list[Told]:
    telling = Telling(truth, chance)
    telling.to_all(Entry(command.sector))
    telling.to_all(events.LksUpdated(command.sector))
    telling.to_all(events.Possible(possible_outside(truth, command.sector)))
    return telling.told


def possible_outside(view: Picture, sector: str | None) -> tuple[int, ...]:
    """The numbers of all objectives outside a sector, ascending (SO-SET-15)."""
    spaces = view.terrain.objectives
    return tuple(number for number, space in spaces.items() if view.terrain.sector_of(space) != sector)


RULES = [
    Rule(ReturnObjective, _offer_returns, _check_return, _return, "return-objective"),
    Rule(ChooseEntry, _offer_entries, _check_entry, _choose_entry),
]
