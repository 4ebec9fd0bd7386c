"""SETUP: objectives, loadout, specialists and the entry arrow (MP-SETUP-*, MP-TURN-02, MP-TURN-03)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations

from engine.chance import Chance
from engine.events import Told, only
from engine.graph import Map
from engine.refusal import NotUnderstood, Refused
from engine.text import Text
from games.sniper_elite.map_rules.faults import ground_faults, way_in_faults
from games.sniper_elite.map_rules.sites import sector_of_objective, sites_of
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules import events
from games.sniper_elite.rules.cards import EVERY_CARD, GEAR_CARDS, deck_of, full_deck, in_order
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite.rules.picture import Options, Picture
from games.sniper_elite.rules.rule import Rule, simple_rule, to_all, to_sniper
from games.sniper_elite.rules.specialists import SPECIALISTS
from games.sniper_elite.rules.words import SECTOR_WORDS, SQUADS, START_BAG


def same_suit(board: Map, objectives: Iterable[int]) -> bool:
    """Return whether the held cards share a suit, so that one must be returned (MP-SETUP-10)."""
    return len({sector_of_objective(board, objective) for objective in objectives}) == 1


def loadout_size(options: Options, ally: str | None = None) -> int:
    """Return how many loadout cards the sniper keeps (MP-SETUP-14, MP-DIFF-01, MP-DIFF-05, EN-R-23, EN-R-36)."""
    change = 0 if ally is None else ALLIES[ally].hand
    if "A" in options.experienced_sniper:
        return 2 + change
    return (4 if "A" in options.experienced_defenders else 3) + change


def start_bag(options: Options, ally: str | None = None) -> dict[str, int]:
    """Return the initial shot bag (MP-SETUP-12, MP-DIFF-02, EN-ALY-02, EN-R-05)."""
    mix = {**START_BAG, **({} if ally is None else ALLIES[ally].bag)}
    return {**mix, "aim": mix["aim"] - ("B" in options.experienced_sniper)}


def require_ground(board: Map) -> None:
    """Raise `NotUnderstood` if a unit has no circle, or if there is only one suit (MP-SETUP-10, MP-SETUP-16)."""
    for fault in ground_faults(board):
        raise NotUnderstood(fault)


def begin(board: Map, options: Options, chance: Chance) -> Iterator[Told]:
    """Shuffle the objectives and draw two (MP-SETUP-09). Raises `NotUnderstood` for a map that bars all ways in."""
    for fault in way_in_faults(board):
        raise NotUnderstood(fault)
    ally = options.ally
    if ally is not None:
        if options.ghost:
            ally = chance.one("ally", list(ALLIES), "EN-GHO-01")
        # For a ghost, `ghost.py` turns these two events into secret ones.
        yield to_all(events.AllyChosen(ally))
        yield to_all(events.BagLoaded(start_bag(options, ally)))
    deck = chance.order("objectives", sorted(sites_of(board).objectives), "MP-SETUP-09")
    # Only the referee receives the deck: not even the sniper knows the next objective.
    yield Told(events.ObjectiveDeck(deck[2:]), only())
    yield to_sniper(events.Objectives(deck[:2]))
    # With two cards of one suit, the sniper first returns one.
    if not same_suit(board, deck[:2]):
        yield from _deal(board, options, ally, chance)


def _deal(board: Map, options: Options, ally: str | None, chance: Chance) -> Iterator[Told]:
    """Deal a random loadout once the objectives are final (MP-SETUP-22, MP-DIFF-01)."""
    if options.random_setup or "A" in options.experienced_sniper:
        rule = "MP-SETUP-22" if options.random_setup else "MP-DIFF-01"
        shuffled = chance.order("loadout", deck_of(board, options), rule)
        yield from _hold(shuffled[: loadout_size(options, ally)])
        if not options.shows_objective:
            yield from _assign(options, chance)


def _assign(options: Options, chance: Chance) -> Iterator[Told]:
    """Deal random specialists once the sniper has chosen (MP-SETUP-22)."""
    if options.random_setup:
        squads = chance.assign("specialists", SQUADS, tuple(SPECIALISTS), "MP-SETUP-22")
        yield to_all(events.SpecialistsChosen(squads))


def _hold(cards: Iterable[str]) -> Iterator[Told]:
    hand = in_order(cards)
    yield to_sniper(events.Hand(hand))
    yield to_all(events.LoadoutChosen(len(hand)))


def _why_no_return(view: Picture, command: c.ReturnObjective) -> Refused | None:
    if command.objective in view.mine.objectives:
        return None
    return Refused("MP-SETUP-10", Text("You do not hold objective {objective}."), objective=command.objective)


def _return(truth: Picture, command: c.ReturnObjective, chance: Chance) -> Iterator[Told]:
    """Put the card under the deck and draw another (MP-SETUP-10, R-03)."""
    assert truth.deck is not None, "the referee knows the objective deck during set-up"
    remaining = tuple(objective for objective in truth.mine.objectives if objective != command.objective)
    # Draw from the top of the deck. The returned card goes to the bottom (see `fold.py`).
    drawn = (*remaining, truth.deck[0])
    yield to_sniper(events.Objectives(drawn))
    if not same_suit(truth.map, drawn):
        yield from _deal(truth.map, truth.options, truth.ally, chance)


def _offer_loadouts(view: Picture) -> Iterable[c.ChooseLoadout]:
    # Copies of a card give equal hands, which are offered once.
    hands = dict.fromkeys(combinations(full_deck(view), loadout_size(view.options, view.ally)))
    return map(c.ChooseLoadout, hands)


def _check_loadout(view: Picture, command: c.ChooseLoadout) -> c.ChooseLoadout:
    """Check the number and the names of the loadout cards (MP-SETUP-14, MP-LOAD-06)."""
    for card in command.cards:
        title = EVERY_CARD[card].title
        if card in GEAR_CARDS and card not in view.gear:
            raise Refused("EN-LDO-02", Text("{title} is not in this game's cards."), title=title)
        if command.cards.count(card) > EVERY_CARD[card].copies:
            raise Refused("MP-LOAD-06", Text("There are fewer copies of {title} than that."), title=title)
    size = loadout_size(view.options, view.ally)
    if len(command.cards) != size:
        rule = "MP-SETUP-14" if size == loadout_size(view.options) else "EN-R-23"
        text = Text("Keep exactly {number} loadout card.", "Keep exactly {number} loadout cards.")
        raise Refused(rule, text, number=size)
    # The order in which cards are named means nothing, so the menu has each hand once.
    return c.ChooseLoadout(in_order(command.cards))


def _no_show(view: Picture, command: c.ShowObjective) -> Refused | None:
    if command.objective not in view.mine.objectives:
        return None
    text = Text("Objective {objective} is one of yours; show another card.")
    return Refused("MP-DIFF-03", text, objective=command.objective)


def _show(truth: Picture, command: c.ShowObjective, chance: Chance) -> Iterator[Told]:
    yield to_all(events.ObjectiveShown(command.objective))
    yield from _assign(truth.options, chance)


def _offer_specialists(view: Picture) -> Iterable[c.ChooseSpecialists]:
    return [c.ChooseSpecialists(dict(zip(SQUADS, cards, strict=True))) for cards in permutations(SPECIALISTS, 3)]


def _check_specialists(view: Picture, command: c.ChooseSpecialists) -> c.ChooseSpecialists:
    """Check that each squad gets a specialist, and that all differ (MP-SETUP-17, MP-SETUP-18)."""
    if set(command.squads) != set(SQUADS):
        raise Refused("MP-SETUP-17", Text("Choose a specialist for each of the three squads."))
    if len(set(command.squads.values())) != len(SQUADS):
        raise Refused("MP-SETUP-18", Text("Each specialist goes to one squad only."))
    return c.ChooseSpecialists({squad: command.squads[squad] for squad in SQUADS})


def must_choose_entry(view: Picture) -> bool:
    """Return whether the sniper must choose an arrow first."""
    return view.mine.space is None and view.mine.entry is None


def barred_arrow(view: Picture, sector: str) -> Refused | None:
    """Return why an arrow can't be used, or None."""
    if sector in {sector_of_objective(view.map, objective) for objective in view.mine.objectives}:
        text = Text("One of your objectives lies in the {sector} sector.")
        return Refused("MP-TURN-03", text, sector=SECTOR_WORDS[sector])
    if view.unit_on(view.sites.entries[sector]) is not None:
        text = Text("A unit stands where the {sector} arrow leads.")
        return Refused("MP-MOVE-03", text, sector=SECTOR_WORDS[sector])
    return None


def _no_entry(view: Picture, command: c.ChooseEntry) -> Refused | None:
    if not must_choose_entry(view):
        return Refused("MP-TURN-02", Text("You have already marked your arrow."))
    return barred_arrow(view, command.sector)


RULES = [
    simple_rule(
        c.ReturnObjective,
        lambda view: map(c.ReturnObjective, view.mine.objectives),
        _why_no_return,
        _return,
        "return-objective",
    ),
    Rule(
        c.ChooseLoadout,
        _offer_loadouts,
        _check_loadout,
        lambda truth, command, chance: _hold(command.cards),
        "choose-loadout",
    ),
    simple_rule(
        c.ShowObjective,
        lambda view: map(c.ShowObjective, sorted(view.sites.objectives)),
        _no_show,
        _show,
        "show-objective",
    ),
    Rule(
        c.ChooseSpecialists,
        _offer_specialists,
        _check_specialists,
        lambda truth, command, chance: [to_all(events.SpecialistsChosen(command.squads))],
        "choose-specialists",
    ),
    simple_rule(
        c.ChooseEntry,
        lambda view: map(c.ChooseEntry, view.sites.entries),
        _no_entry,
        lambda truth, command, chance: [to_sniper(events.Entry(command.sector))],
    ),
]
