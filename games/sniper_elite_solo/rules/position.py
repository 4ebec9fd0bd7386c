"""Solo positions in the protocol's format. All parts are optional. `validation.py` checks that they can occur."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import asdict, replace

from engine.chance import Chance
from engine.game import REFEREE, TABLE
from engine.graph import Map
from engine.naming import convert, require_known
from engine.refusal import NotUnderstood
from engine.text import Text
from games.sniper_elite.rules.cards import in_order, without
from games.sniper_elite.rules.described import SniperState, deal_objectives
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite.rules.picture import Over
from games.sniper_elite.rules.words import SEATS, SNIPER, UNITS
from games.sniper_elite_solo.rules.cards import CARDS, is_urgent
from games.sniper_elite_solo.rules.events import Opened, Slot
from games.sniper_elite_solo.rules.fold import LASTING
from games.sniper_elite_solo.rules.options import Options, parameters
from games.sniper_elite_solo.rules.picture import Pending, Picture, Volley
from games.sniper_elite_solo.rules.setup import blank, dealt_loadout, possible_outside, start_bag
from games.sniper_elite_solo.rules.validation import validate_position
from games.sniper_elite_solo.rules.words import LOADOUT, SLOTS, START_STACK, TOKENS, WINNERS, counts


class SniperPart(SniperState, frozen=True):
    """The `sniper` member of a position."""

    used: tuple[str, ...] = ()
    stack: tuple[str, ...] | UnsetType = UNSET
    hits: int = 0
    wounded: bool = False


class PendingPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The `pending` member: a question with its details."""

    name: str = field(name="for")
    deck: tuple[int, ...] | None = None
    cards: tuple[str, ...] | None = None
    drawn: dict[str, int] | None = None
    noise: int = 0
    targets: tuple[str, ...] = ()
    draws: tuple[int, ...] = ()
    unit: str | None = None
    spaces: tuple[str, ...] = ()
    left: int = 0


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A complete position."""

    round: int = 1
    entry: str | None = None
    lks: str | None = None
    possible: tuple[int, ...] | UnsetType = UNSET
    pending: PendingPart | None = None
    over: Over | None = None
    sniper: SniperPart = SniperPart()
    ally: str | None = None
    bag: dict[str, int] | UnsetType = UNSET
    units: dict[str, str | None] | UnsetType = UNSET
    loot_deck: tuple[str, ...] | UnsetType | None = UNSET
    slots: tuple[Slot, ...] | UnsetType | None = UNSET
    deck: tuple[str, ...] | UnsetType | None = UNSET
    discard: tuple[str, ...] = ()


SHOTS = ("after-hit", "shoot-second")
QUESTIONS: dict[str, tuple[str, ...]] = {
    "return-objective": ("deck",), "keep": ("cards",), **dict.fromkeys(SHOTS, ()), "place-return": ("unit", "spaces"),
}  # fmt: skip
"""Question -> its parts that the protocol names."""


def read_position(board: Map, options: Options, raw: Any, chance: Chance) -> dict[str, Picture]:
    """Return each viewer's picture of the position `raw`. Raises `NotUnderstood` or `Refused`."""
    position: Position = convert(raw, Position, Text("The position cannot be read: {error}."))
    empty = blank(board, options)
    _check_names(empty, position)
    truth = _dealt(_built(empty, position), position, chance)
    if truth.over is not None:
        opened = Opened(truth.mine, tuple(slot.card for slot in truth.slots), truth.deck or ())
        truth = replace(truth, opened=opened)
    validate_position(truth)
    sniper = _as_sniper(truth)
    public = sniper if truth.over is not None else replace(sniper, objectives=None, pending=_as_table(truth.pending))
    return {TABLE: public, SNIPER: sniper, REFEREE: truth}


def _as_sniper(truth: Picture) -> Picture:
    """Return the player's picture: everything except the decks and the face-down card (SO-R-48)."""
    if truth.over is not None:
        return replace(truth, loot_deck=None)
    slots = tuple(slot if slot.face == "up" else Slot(None, "down") for slot in truth.slots)
    pending = None if truth.pending is None else replace(truth.pending, deck=None)
    return replace(truth, slots=slots, deck=None, loot_deck=None, pending=pending)


def _as_table(pending: Pending | None) -> Pending | None:
    """Return a question as the table sees it."""
    if pending is None or pending.name == "return-objective":
        return None
    return replace(pending, cards=None)


def _check_names(empty: Picture, position: Position) -> None:
    me, pending, over = position.sniper, position.pending, position.over
    units = position.units if isinstance(position.units, dict) else {}
    spaces = [me.space, *me.mines, *me.looted, *units.values(), *(pending.spaces if pending else ())]
    require_known("space", spaces, empty.map.spaces)
    require_known("unit", [*units, *((pending.unit, *pending.targets) if pending else ())], UNITS)
    require_known("sector", [position.entry, position.lks], empty.terrain.entries)
    require_known("ally", [position.ally], ALLIES)
    if empty.ally is None and (position.ally is not None or me.shot):
        raise NotUnderstood("A position has an ally only where the options name one.")
    bags = [position.bag if isinstance(position.bag, dict) else {}, (pending.drawn if pending else None) or {}]
    stack = me.stack if isinstance(me.stack, tuple) else ()
    require_known("token", [*(token for bag in bags for token in bag)], TOKENS)
    require_known("token of the stack", stack, ("noise", "recoil"))
    require_known("question", [pending.name if pending else None], QUESTIONS)
    require_known("winner", [over.winner if over else None], SEATS)
    require_known("reason", [over.reason if over else None], WINNERS)
    numbers = [*(me.objectives or ()), *me.completed, *((pending.deck or ()) if pending else ())]
    require_known("objective", [*numbers, *(position.possible or ())], empty.terrain.objectives)
    named = [*(me.hand or ()), *me.used, *(position.loot_deck or ()), *((pending.cards or ()) if pending else ())]
    require_known("loadout card", named, LOADOUT)
    require_known("card that changes a later part", [me.active], LASTING)
    slots = [slot.card for slot in position.slots or ()]
    require_known("solo card", [*slots, *(position.deck or ()), *position.discard], CARDS)


def _built(empty: Picture, position: Position) -> Picture:
    """Return a picture of everything that is described or follows from it without chance."""
    me, options = position.sniper, empty.options
    ally = position.ally or empty.ally
    asked = position.pending
    stage = asked.name if asked else None
    lks = position.lks or position.entry or (None if me.space is None else empty.map.spaces[me.space].sector)
    given, outside = position.units, () if lks is None else possible_outside(empty, lks)
    copied = ("space", "completed", "mines", "looted", "wounds", "hits", "wounded", "moved", "active")
    return replace(
        empty,
        units=empty.units if given is UNSET else {unit: given.get(unit) for unit in UNITS},
        bag=start_bag(options, ally) if position.bag is UNSET else counts(position.bag),
        pending=_pending(asked),
        over=None if position.over is None else Over(position.over.winner, position.over.reason),
        round=position.round,
        entry=position.entry,
        lks=lks,
        possible=outside if position.possible is UNSET else tuple(sorted(position.possible)),
        used=in_order(me.used),
        stack=START_STACK if me.stack is UNSET else me.stack,
        carded=me.carded or me.active is not None,
        acted=me.acted or stage in ("keep", *SHOTS),
        volley=_volley(asked),
        returns=parameters(options).returns_per_turn - asked.left - 1 if asked and stage == "place-return" else 0,
        discard=position.discard,
        ally=ally,
        numbers=parameters(options, ally),
        shot=me.shot or (ally is not None and stage in SHOTS),
        **{name: getattr(me, name) for name in copied},
    )


def _pending(part: PendingPart | None) -> Pending | None:
    if part is None:
        return None
    cards = part.cards if part.name == "keep" else None
    return Pending(part.name, part.deck, cards, len(cards or ()), part.unit, part.spaces)


def _volley(part: PendingPart | None) -> Volley | None:
    if part is None or part.name not in SHOTS:
        return None
    return Volley(counts(part.drawn or {}), part.noise, part.targets, part.draws)


def _dealt(p: Picture, position: Position, chance: Chance) -> Picture:
    """Deal the undescribed cards from those that the position doesn't use elsewhere."""
    slots, deck = _solo_cards(p, position, chance)
    hand, loot_deck = _loadout(p, position, chance)
    p = replace(p, slots=slots, deck=deck, deck_size=len(deck), hand=hand, loot_deck=loot_deck)
    pending, left = p.pending, None
    if pending is not None and pending.name == "return-objective":
        left = pending.deck or ()
    # Looted spaces are never the sniper's own objectives.
    looted = {p.terrain.objective_on(space) for space in p.looted}
    objectives, left = deal_objectives(p.map, position.sniper, left, p.entry, looted, chance, "SO-SET-12")
    pending = pending if pending is None or left is None else replace(pending, deck=left)
    return replace(p, loot_size=len(loot_deck), objectives=objectives, pending=pending)


def _solo_cards(p: Picture, position: Position, chance: Chance) -> tuple[tuple[Slot, ...], tuple[str, ...]]:
    """Return the slots and the deck. Urgent cards fill the slots first and end up last in the deck."""
    named = [*(slot.card for slot in position.slots or ()), *(position.deck or ()), *position.discard]
    free = [card for card in p.cards_in_use if card not in named]
    urgent, others = [card for card in free if is_urgent(card)], [card for card in free if not is_urgent(card)]
    slots = position.slots
    if slots is UNSET or slots is None:
        first = [*chance.order("urgent", urgent, "SO-SET-04"), *others][:SLOTS]
        # As at the start of a game, the right slot is face down.
        slots = tuple(Slot(card, "up" if number < SLOTS - 1 else "down") for number, card in enumerate(first))
        urgent, others = ([card for card in cards if card not in first] for cards in (urgent, others))
    if position.deck is not UNSET and position.deck is not None:
        return slots, position.deck
    # The protocol puts urgent cards left over from the slots at the end of the deck.
    left = [*chance.order("deck", others, "SO-SET-06"), *urgent]
    return slots, tuple(left[: max(p.numbers.deck_cards - len(position.discard), 0)])


def _loadout(p: Picture, position: Position, chance: Chance) -> tuple[tuple[str, ...], tuple[str, ...]]:
    me, pending = position.sniper, position.pending
    # A card with an effect this turn has been played, even if the position doesn't list it as used.
    working = [me.active] if me.active is not None and me.active not in me.used else []
    elsewhere = [*me.used, *working, *((pending.cards or ()) if pending else ())]
    if me.hand is UNSET or me.hand is None:
        free = without(p.loadout, [*elsewhere, *(position.loot_deck or ())])
        hand = dealt_loadout(chance.order("loadout", free, "SO-SET-08"), p.numbers.initial_loadout)
    else:
        hand = in_order(me.hand)
    if position.loot_deck is UNSET or position.loot_deck is None:
        return hand, without(p.loadout, [*hand, *elsewhere])
    return hand, in_order(position.loot_deck)


def write_position(p: Picture) -> dict[str, Any]:
    """Return the position in the protocol's format. Values unknown to the viewer are None."""
    fields = [name for name in SniperPart.__struct_fields__ if name != "shot" or p.ally is not None]
    return {
        "round": p.round,
        "entry": p.entry,
        "lks": p.lks,
        "possible": p.possible,
        "pending": _write_pending(p),
        "over": None if p.over is None else {"winner": p.over.winner, "reason": p.over.reason},
        "sniper": {name: getattr(p, name) for name in fields},
        "bag": dict(p.bag),
        **({} if p.ally is None else {"ally": p.ally}),
        "units": dict(p.units),
        "loot_deck": p.loot_deck,
        "slots": [{"card": slot.card, "face": slot.face} for slot in p.slots],
        "deck": p.deck,
        "discard": p.discard,
    }


def _write_pending(p: Picture) -> dict[str, Any] | None:
    if p.pending is None:
        return None
    name = p.pending.name
    found = {"for": name} | {part: getattr(p.pending, part) for part in QUESTIONS[name]}
    if name == "place-return":
        found["left"] = p.numbers.returns_per_turn - p.returns - 1
    return found | asdict(p.volley) if p.volley is not None else found
