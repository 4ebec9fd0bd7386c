"""SETUP: objectives, loadout, specialists, and the arrow (MP-SETUP-*, MP-TURN-02, MP-TURN-03)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations

from engine.chance import Chance
from engine.events import Told, only
from engine.graph import Map
from engine.refusal import NotUnderstood, Refused
from engine.text import Text
from games.sniper_elite.map_rules.fit import ground_faults, way_in_faults
from games.sniper_elite.map_rules.sites import sites_of, suit_of
from games.sniper_elite.rules import events
from games.sniper_elite.rules.cards import EVERY_CARD, FULL_DECK, GEAR_CARDS, full_deck, in_order
from games.sniper_elite.rules.commands import (
    ChooseEntry,
    ChooseLoadout,
    ChooseSpecialists,
    ReturnObjective,
    ShowObjective,
)
from games.sniper_elite.rules.nest import ALLIES, gear_of
from games.sniper_elite.rules.picture import Options, Picture
from games.sniper_elite.rules.rule import Rule, to_all, to_sniper
from games.sniper_elite.rules.specialists import SPECIALISTS
from games.sniper_elite.rules.words import SECTOR_WORDS, SQUADS, START_BAG


def same_suit(board: Map, objectives: Iterable[int]) -> bool:
    """Whether the held cards share a suit and one must go back (MP-SETUP-10)."""
    return len({suit_of(board, objective) for objective in objectives}) == 1


def loadout_size(options: Options, ally: str | None = None) -> int:
    """How many loadout cards the sniper keeps (MP-SETUP-14, MP-DIFF-01, MP-DIFF-05, EN-R-23, EN-R-36)."""
    change = 0 if ally is None else ALLIES[ally].hand
    if "A" in options.experienced_sniper:
        return 2 + change
    return (4 if "A" in options.experienced_defenders else 3) + change


def start_bag(options: Options, ally: str | None = None) -> dict[str, int]:
    """What the shot bag holds at the start (MP-SETUP-12, MP-DIFF-02, EN-ALY-02, EN-R-05)."""
    mix = {**START_BAG, **({} if ally is None else ALLIES[ally].bag)}
    return {**mix, "aim": mix["aim"] - ("B" in options.experienced_sniper)}


def require_ground(board: Map) -> None:
    """A circle for every unit, objectives of two suits (MP-SETUP-10, MP-SETUP-16). Raises `NotUnderstood`."""
    for fault in ground_faults(board):
        raise NotUnderstood(fault)


def begin(board: Map, options: Options, chance: Chance) -> Iterator[Told]:
    """Shuffle the objectives and draw two (MP-SETUP-09). Raises `NotUnderstood` for a map that bars all ways in."""
    _require_way_in(board)
    ally = options.ally
    if ally is not None:
        if options.ghost:
            ally = chance.one("ally", list(ALLIES), "EN-GHO-01")
        yield to_all(events.AllyChosen(ally))
        yield to_all(events.BagLoaded(start_bag(options, ally)))
    deck = chance.order("objectives", sorted(sites_of(board).objectives), "MP-SETUP-09")
    yield Told(events.ObjectiveDeck(deck[2:]), only())
    yield to_sniper(events.Objectives(deck[:2]))
    if not same_suit(board, deck[:2]):
        yield from _deal(board, options, ally, chance)


def _require_way_in(board: Map) -> None:
    """Whatever the objectives are, an arrow of another sector leads onto a space without a unit (R-74)."""
    for fault in way_in_faults(board):
        raise NotUnderstood(fault)


def _deal(board: Map, options: Options, ally: str | None, chance: Chance) -> Iterator[Told]:
    """A random loadout follows the objectives by itself (MP-SETUP-22, MP-DIFF-01)."""
    if options.random_setup or "A" in options.experienced_sniper:
        rule = "MP-SETUP-22" if options.random_setup else "MP-DIFF-01"
        yield from _hold(
            chance.order("loadout", (*FULL_DECK, *gear(board, options)), rule)[: loadout_size(options, ally)]
        )
        if not options.shows_objective:
            yield from _assign(options, chance)


def gear(board: Map, options: Options) -> tuple[str, ...]:
    """The gear among the loadout cards of a game (EN-LDO-01..03)."""
    return gear_of(board) if options.nest is not None and options.nest.gear else ()


def _assign(options: Options, chance: Chance) -> Iterator[Told]:
    """Random specialists follow the sniper's choices by themselves (MP-SETUP-22)."""
    if options.random_setup:
        squads = chance.assign("specialists", SQUADS, tuple(SPECIALISTS), "MP-SETUP-22")
        yield to_all(events.SpecialistsChosen(squads))


def _hold(cards: Iterable[str]) -> Iterator[Told]:
    hand = in_order(cards)
    yield to_sniper(events.Hand(hand))
    yield to_all(events.LoadoutChosen(len(hand)))


# --- returning an objective (MP-SETUP-10, R-03) -----------------------------------------------------------------


def _offer_returns(view: Picture) -> Iterable[ReturnObjective]:
    return [ReturnObjective(objective) for objective in view.mine.objectives]


def _check_return(view: Picture, command: ReturnObjective) -> ReturnObjective:
    if command.objective not in view.mine.objectives:
        raise Refused("MP-SETUP-10", Text("You do not hold objective {objective}.", objective=command.objective))
    return command


def _return(truth: Picture, command: ReturnObjective, chance: Chance) -> Iterator[Told]:
    assert truth.deck is not None, "the referee knows the objective deck during set-up"
    kept = tuple(objective for objective in truth.mine.objectives if objective != command.objective)
    drawn = (*kept, truth.deck[0])
    yield to_sniper(events.Objectives(drawn))
    if not same_suit(truth.map, drawn):
        yield from _deal(truth.map, truth.options, truth.ally, chance)


# --- the loadout (MP-SETUP-14, MP-LOAD-06) ----------------------------------------------------------------------


def _offer_loadouts(view: Picture) -> Iterable[ChooseLoadout]:
    hands = dict.fromkeys(combinations(full_deck(view), loadout_size(view.options, view.ally)))
    return [ChooseLoadout(hand) for hand in hands]


def _check_loadout(view: Picture, command: ChooseLoadout) -> ChooseLoadout:
    for card in command.cards:
        if card in GEAR_CARDS and card not in view.gear:
            raise Refused("EN-LDO-02", Text("{title} is not in this game's cards.", title=EVERY_CARD[card].title))
        if command.cards.count(card) > EVERY_CARD[card].copies:
            raise Refused(
                "MP-LOAD-06", Text("There are fewer copies of {title} than that.", title=EVERY_CARD[card].title)
            )
    size = loadout_size(view.options, view.ally)
    if len(command.cards) != size:
        raise Refused(
            "MP-SETUP-14" if size == loadout_size(view.options) else "EN-R-23",
            Text("Keep exactly {number} loadout card.", "Keep exactly {number} loadout cards.", number=size),
        )
    return ChooseLoadout(in_order(command.cards))


def _choose_loadout(truth: Picture, command: ChooseLoadout, chance: Chance) -> Iterator[Told]:
    yield from _hold(command.cards)


# --- showing an objective (MP-DIFF-03) --------------------------------------------------------------------------


def _offer_shows(view: Picture) -> Iterable[ShowObjective]:
    return [ShowObjective(number) for number in sorted(view.sites.objectives) if number not in view.mine.objectives]


def _check_show(view: Picture, command: ShowObjective) -> ShowObjective:
    if command.objective in view.mine.objectives:
        raise Refused(
            "MP-DIFF-03", Text("Objective {objective} is one of yours; show another card.", objective=command.objective)
        )
    return command


def _show(truth: Picture, command: ShowObjective, chance: Chance) -> Iterator[Told]:
    yield to_all(events.ObjectiveShown(command.objective))
    yield from _assign(truth.options, chance)


# --- the specialists (MP-SETUP-17, MP-SETUP-18) -----------------------------------------------------------------


def _offer_specialists(view: Picture) -> Iterable[ChooseSpecialists]:
    return [ChooseSpecialists(dict(zip(SQUADS, cards, strict=True))) for cards in permutations(SPECIALISTS, 3)]


def _check_specialists(view: Picture, command: ChooseSpecialists) -> ChooseSpecialists:
    if set(command.squads) != set(SQUADS):
        raise Refused("MP-SETUP-17", Text("Choose a specialist for each of the three squads."))
    if len(set(command.squads.values())) != len(SQUADS):
        raise Refused("MP-SETUP-18", Text("Each specialist goes to one squad only."))
    return ChooseSpecialists({squad: command.squads[squad] for squad in SQUADS})


def _choose_specialists(truth: Picture, command: ChooseSpecialists, chance: Chance) -> Iterator[Told]:
    yield to_all(events.SpecialistsChosen(command.squads))


# --- the arrow (MP-TURN-02, MP-TURN-03, R-04, R-74) -------------------------------------------------------------


def must_choose_entry(view: Picture) -> bool:
    """Whether the sniper has still to mark an arrow, before anything else."""
    return view.mine.space is None and view.mine.entry is None


def barred_arrow(view: Picture, sector: str) -> Refused | None:
    """Why an arrow cannot be used, or None."""
    if sector in {suit_of(view.map, objective) for objective in view.mine.objectives}:
        return Refused(
            "MP-TURN-03", Text("One of your objectives lies in the {sector} sector."), sector=SECTOR_WORDS[sector]
        )
    if view.unit_on(view.sites.entries[sector]) is not None:
        return Refused("MP-MOVE-03", Text("A unit stands where the {sector} arrow leads."), sector=SECTOR_WORDS[sector])
    return None


def _offer_entries(view: Picture) -> Iterable[ChooseEntry]:
    if not must_choose_entry(view):
        return ()
    return [ChooseEntry(sector) for sector in view.sites.entries if barred_arrow(view, sector) is None]


def _check_entry(view: Picture, command: ChooseEntry) -> ChooseEntry:
    if not must_choose_entry(view):
        raise Refused("MP-TURN-02", Text("You have already marked your arrow."))
    if (why := barred_arrow(view, command.sector)) is not None:
        raise why
    return command


def _choose_entry(truth: Picture, command: ChooseEntry, chance: Chance) -> Iterator[Told]:
    yield to_sniper(events.Entry(command.sector))


RULES = [
    Rule(ReturnObjective, _offer_returns, _check_return, _return, "return-objective"),
    Rule(ChooseLoadout, _offer_loadouts, _check_loadout, _choose_loadout, "choose-loadout"),
    Rule(ShowObjective, _offer_shows, _check_show, _show, "show-objective"),
    Rule(ChooseSpecialists, _offer_specialists, _check_specialists, _choose_specialists, "choose-specialists"),
    Rule(ChooseEntry, _offer_entries, _check_entry, _choose_entry),
]
