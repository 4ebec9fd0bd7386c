"""The protocol's format of a position, and dealing of the parts that a position leaves out.

All parts are optional. `position.py` builds the pictures.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

import msgspec
from msgspec import UNSET, Struct, UnsetType

from engine.chance import Chance
from engine.graph import Map
from games.sniper_elite.map_rules.sites import sector_of_objective, sites_of
from games.sniper_elite.rules.cards import LASTING, deck_of, in_order, without
from games.sniper_elite.rules.picture import Options, Over, SpecialistCard
from games.sniper_elite.rules.setup import loadout_size, same_suit
from games.sniper_elite.rules.specialists import SPECIALISTS
from games.sniper_elite.rules.words import SNIPER, SQUADS, TOKEN_CAPS

BEFORE_LOADOUT = ("return-objective", "choose-loadout")
BEFORE_SPECIALISTS = (*BEFORE_LOADOUT, "show-objective", "choose-specialists")


class SniperState(Struct, frozen=True, forbid_unknown_fields=True):
    """The `sniper` member of a position in either game of this box."""

    space: str | None = None
    objectives: tuple[int, ...] | UnsetType | None = UNSET
    completed: tuple[int, ...] = ()
    hand: tuple[str, ...] | UnsetType | None = UNSET
    mines: tuple[str, ...] = ()
    looted: tuple[str, ...] = ()
    wounds: int = 0
    moved: bool = False
    carded: bool = False
    active: str | None = None
    acted: bool = False
    shot: bool = False


class SniperPart(SniperState, frozen=True):
    """The `sniper` member of a position."""

    face_down: tuple[str, ...] | UnsetType = UNSET
    miniature: str | None = None
    been: tuple[str, ...] = ()
    log: tuple[tuple[int, str | None], ...] = ()


class PendingPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The `pending` member: a decision with its details."""

    name: str = msgspec.field(name="for")
    deck: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    hit: tuple[str, ...] = ()
    by: str = "shot"
    drawn: dict[str, int] | None = None
    second: int | None = None
    draw: int | None = None
    third: int | None = None


class SpecialistPart(Struct, frozen=True, forbid_unknown_fields=True):
    """A squad's specialist."""

    card: str
    uses: int | UnsetType = UNSET
    suppression: bool = True


class SquadPart(Struct, frozen=True, forbid_unknown_fields=True):
    """What remains of a squad's turn."""

    left: int | UnsetType = UNSET
    intel: bool = False


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A complete position in the protocol's format."""

    turn: str = SNIPER
    round: int = 1
    countdown: int | UnsetType = UNSET
    entry: str | None = None
    shown: int | None = None
    pending: PendingPart | None = None
    over: Over | None = None
    sniper: SniperPart = SniperPart()
    bag: dict[str, int] | UnsetType = UNSET
    ally: str | None = None
    identity_revealed: bool = False
    units: dict[str, str | None] | UnsetType = UNSET
    specialists: dict[str, SpecialistPart] | UnsetType = UNSET
    dogs: tuple[str, ...] = ()
    loot_deck: tuple[str, ...] | UnsetType = UNSET
    marks: tuple[str, ...] = ()
    squads: dict[str, SquadPart] = {}
    done: dict[str, tuple[str, ...]] = {}
    used: tuple[str, ...] = ()
    off: tuple[str, ...] | UnsetType = UNSET

    @property
    def decision(self) -> PendingPart:
        """The pending decision. Without one, it has no name and no details."""
        return self.pending or PendingPart("")


def objectives_of(board: Map, position: Position, chance: Chance) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """Return the two held objectives and the deck while one is to be returned. Missing parts are dealt."""
    deck = position.decision.deck if position.decision.name == "return-objective" else None
    barred = {position.shown, *_looted_objectives(board, position)}
    return deal_objectives(board, position.sniper, deck, position.entry, barred, chance, "MP-SETUP-09")


def deal_objectives(
    board: Map,
    me: SniperState,
    deck: tuple[int, ...] | None,
    entry: str | None,
    others: Collection[int | None],
    chance: Chance,
    rule: str,
) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """Return the two held objectives and the deck, which matters only while one is to be returned.

    `entry` is the chosen arrow, `others` are known not to be the sniper's. Missing parts are dealt by `rule`.
    """
    hand = me.objectives or ()
    left = [number for number in sorted(sites_of(board).objectives) if number not in (*hand, *(deck or ()))]
    # Everything relevant is described, so nothing is dealt.
    if hand and (deck is None or not left):
        return hand, deck
    dealt = chance.order("objectives", left, rule)
    if not hand:
        # An objective in the sector of the arrow would have barred that arrow. Completed ones are among the two held.
        fitting = [number for number in dealt if sector_of_objective(board, number) != entry and number not in others]
        pairs = combinations(dict.fromkeys((*me.completed, *fitting)), 2)
        hand = next((pair for pair in pairs if same_suit(board, pair) == (deck is not None)), dealt[:2])
    unheld = tuple(number for number in dealt if number not in hand)
    return hand, None if deck is None else (*deck, *unheld)


def _looted_objectives(board: Map, position: Position) -> set[int | None]:
    """Return the objectives known not to be the sniper's because it has looted there."""
    me = position.sniper
    looted = [*me.looted, *([me.space] if position.decision.name == "keep" and me.space else [])]
    return {sites_of(board).numbers.get(space) for space in looted}


def deal_cards(
    board: Map, options: Options, position: Position, ally: str | None, chance: Chance
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the hand and the loot deck. Cards that the position doesn't name are in the deck."""
    me, elsewhere, every = position.sniper, _cards_elsewhere(position), deck_of(board, options)
    # Before the loadout is drawn, all cards are in the deck.
    if position.decision.name in BEFORE_LOADOUT:
        return (), every
    if me.hand is UNSET or me.hand is None:
        taken = [*elsewhere, *(position.loot_deck or ())]
        hand = in_order(chance.order("loadout", without(every, taken), "MP-SETUP-14")[: loadout_size(options, ally)])
    else:
        hand = in_order(me.hand)
    if position.loot_deck is UNSET:
        return hand, without(every, [*hand, *elsewhere])
    return hand, in_order(position.loot_deck)


def _cards_elsewhere(position: Position) -> list[str]:
    """Return the cards named outside hand and loot deck, including the one that still has an effect."""
    me = position.sniper
    working = [me.active] if me.active in LASTING else []
    return [*face_down_cards(position), *working, *position.decision.cards]


def face_down_cards(position: Position) -> tuple[str, ...]:
    """Return the face-down cards. If not named, they are those of the mines and of the Sound Masking in effect."""
    me = position.sniper
    if me.face_down is not UNSET:
        return me.face_down
    return in_order([*["s-mine"] * len(me.mines), *(["sound-masking"] if me.active == "sound-masking" else [])])


def deal_specialists(options: Options, position: Position, chance: Chance) -> dict[str, SpecialistCard]:
    if position.decision.name in BEFORE_SPECIALISTS:
        return {}
    full = options.specialist_uses
    described = position.specialists if isinstance(position.specialists, dict) else {}
    cards = {
        squad: SpecialistCard(part.card, full if part.uses is UNSET else part.uses, part.suppression)
        for squad, part in described.items()
    }
    missing = [squad for squad in SQUADS if squad not in cards]
    free = [card for card in SPECIALISTS if card not in {part.card for part in described.values()}]
    drawn = chance.assign("specialists", missing, free, "MP-SETUP-17") if missing else {}
    left = TOKEN_CAPS["suppression"] - _suppression_out(position) - sum(card.suppression for card in cards.values())
    # Give the dealt specialists the suppression tokens that aren't used elsewhere.
    dealt = {squad: SpecialistCard(drawn[squad], full, number < left) for number, squad in enumerate(missing)}
    return {squad: cards.get(squad) or dealt[squad] for squad in SQUADS}


def _suppression_out(position: Position) -> int:
    """Return the suppression tokens that have left the cards: those in the bag or drawn from it."""
    bag = {} if position.bag is UNSET else position.bag
    return bag.get("suppression", 0) + (position.decision.drawn or {}).get("suppression", 0)
