"""A game described as a position: reading one, writing one, and refusing the impossible.

The form is the protocol's; what a description leaves out is as in a standard game at its first sniper turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from engine.chance import Chance
from engine.game import REFEREE, TABLE
from engine.games.sniper_elite.cards import FULL_DECK, in_order, without
from engine.games.sniper_elite.cards import known as known_card
from engine.games.sniper_elite.fold import FRESH_SQUADS
from engine.games.sniper_elite.picture import Dossier, Options, Over, Pending, Picture, SpecialistCard, SquadTurn
from engine.games.sniper_elite.setup import barred_arrow, loadout_size, must_choose_entry, same_suit
from engine.games.sniper_elite.specialists import SPECIALISTS
from engine.games.sniper_elite.specialists import known as known_specialist
from engine.games.sniper_elite.words import (
    DEFENDERS,
    LAST_SPACE,
    MARKS,
    SEATS,
    SNIPER,
    SQUADS,
    START_BAG,
    START_COUNTDOWN,
    TOKEN_CAPS,
    TOKENS,
    UNITS,
)
from engine.map import Map
from engine.refusal import NotUnderstood, Refused


class SniperPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The `sniper` member of a position."""

    space: str | None = None
    objectives: tuple[int, ...] | UnsetType | None = UNSET
    completed: tuple[int, ...] = ()
    hand: tuple[str, ...] | UnsetType | None = UNSET
    face_down: tuple[str, ...] = ()
    mines: tuple[str, ...] = ()
    looted: tuple[str, ...] = ()
    wounds: int = 0
    miniature: str | None = None
    moved: bool = False
    carded: bool = False
    active: str | None = None
    acted: bool = False
    been: tuple[str, ...] = ()
    log: tuple[tuple[int, str | None], ...] = ()


class PendingPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The `pending` member: a decision and what it hangs on."""

    name: str = msgspec.field(name="for")
    deck: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()


class SpecialistPart(Struct, frozen=True, forbid_unknown_fields=True):
    """A squad's specialist."""

    card: str
    uses: int = 2
    suppression: bool = True


class SquadPart(Struct, frozen=True, forbid_unknown_fields=True):
    """What a squad has left of its turn."""

    left: int = 2
    intel: bool = False


class OverPart(Struct, frozen=True, forbid_unknown_fields=True):
    """How a finished game ended."""

    winner: str
    reason: str


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole position, as the protocol writes it."""

    turn: str = SNIPER
    round: int = 1
    countdown: int = START_COUNTDOWN
    entry: str | None = None
    shown: int | None = None
    pending: PendingPart | None = None
    over: OverPart | None = None
    sniper: SniperPart = SniperPart()
    bag: dict[str, int] = msgspec.field(default_factory=lambda: dict(START_BAG))
    units: dict[str, str | None] | UnsetType = UNSET
    specialists: dict[str, SpecialistPart] | UnsetType = UNSET
    dogs: tuple[str, ...] = ()
    loot_deck: tuple[str, ...] | UnsetType = UNSET
    marks: tuple[str, ...] = ()
    squads: dict[str, SquadPart] = {}
    done: dict[str, tuple[str, ...]] = {}
    used: tuple[str, ...] = ()
    off: tuple[str, ...] | UnsetType = UNSET


BEFORE_LOADOUT = ("return-objective", "choose-loadout")
PENDINGS = (*BEFORE_LOADOUT, "choose-specialists", "keep")
ACTIONS = ("move", "attack", "spot", "sweep", "deploy", "dismiss")


def read(board: Map, options: Options, raw: Any, chance: Chance) -> dict[str, Picture]:
    """Every viewer's picture of the position `raw`. Raises `NotUnderstood` or `Refused`."""
    try:
        position = msgspec.convert(raw, Position)
    except msgspec.ValidationError as error:
        raise NotUnderstood(f"The position cannot be read: {error}.") from error
    _known(board, position)
    public, dossier, deck = _build(board, options, position, chance)
    truth = replace(public, dossier=dossier, deck=deck)
    _possible(truth)
    pictures = {TABLE: public, DEFENDERS: public, SNIPER: replace(public, dossier=dossier), REFEREE: truth}
    if truth.pending is not None and truth.pending.name in ("return-objective", "keep"):
        pictures |= _without_secret_decision(public, pictures)
    return pictures


def _without_secret_decision(public: Picture, pictures: Mapping[str, Picture]) -> dict[str, Picture]:
    """What the sniper decides in secret is not told: others see the last thing that they were told of."""
    assert public.pending is not None
    outside = Pending("choose-loadout") if public.pending.name in BEFORE_LOADOUT else None
    return {viewer: replace(pictures[viewer], pending=outside) for viewer in (TABLE, DEFENDERS)}


# --- names ------------------------------------------------------------------------------------------------------


def _known(board: Map, position: Position) -> None:
    me = position.sniper
    spaces: list[str | None] = [me.space, me.miniature, *me.mines, *me.looted, *me.been, *position.dogs]
    spaces += [*position.marks, *[space for _, space in me.log]]
    units = position.units if isinstance(position.units, dict) else {}
    spaces += units.values()
    _all_in("space", spaces, board.spaces)
    off = position.off if isinstance(position.off, tuple) else ()
    _all_in("unit", [*units, *position.done, *off], UNITS)
    _all_in("action", [action for actions in position.done.values() for action in actions], (*ACTIONS, "scout"))
    _all_in("sector", [position.entry], board.entries)
    _all_in("seat", [position.turn], SEATS)
    _all_in("token", position.bag, TOKENS)
    squads = [*position.squads, *position.used]
    squads += position.specialists if isinstance(position.specialists, dict) else {}
    _all_in("squad", squads, SQUADS)
    pending = position.pending
    _all_in("decision", [pending.name if pending else None], PENDINGS)
    numbers = [*(me.objectives or ()), *me.completed, position.shown, *(pending.deck if pending else ())]
    _all_in("objective", numbers, board.objectives)
    for card in [*(me.hand or ()), *me.face_down, *(position.loot_deck or ()), *(pending.cards if pending else ())]:
        known_card(card)
    if isinstance(position.specialists, dict):
        for specialist in position.specialists.values():
            known_specialist(specialist.card)


def _all_in(what: str, found: Iterable[Any], known: Iterable[Any]) -> None:
    known = list(known)
    for name in found:
        if name is not None and name not in known:
            raise NotUnderstood(f"The position names the {what} {name!r}; known are {', '.join(map(str, known))}.")


# --- building ---------------------------------------------------------------------------------------------------


def _build(
    board: Map, options: Options, position: Position, chance: Chance
) -> tuple[Picture, Dossier, tuple[int, ...] | None]:
    me, pending = position.sniper, position.pending
    stage = pending.name if pending else None
    objectives, deck = _objectives(board, position, chance)
    hand, loot_deck = _cards(options, position, chance)
    units = _units(board, position)
    public = Picture(
        map=board,
        options=options,
        units=units,
        bag={token: position.bag.get(token, 0) for token in TOKENS},
        pending=None if pending is None else Pending(stage, pending.cards),  # type: ignore[arg-type]
        turn=position.turn,
        round=position.round,
        countdown=position.countdown,
        shown=position.shown,
        over=None if position.over is None else Over(position.over.winner, position.over.reason),
        miniature=me.miniature,
        wounds=me.wounds,
        completed=me.completed,
        acted=me.acted,
        carded=me.carded,
        hand_size=len(hand) + (stage == "keep"),
        deck_size=len(loot_deck) + max(0, len(pending.cards) - 1 if pending else 0),
        face_down_size=len(me.face_down),
        looted_size=len(me.looted) + (stage == "keep"),
        specialists=_specialists(position, chance),
        squads={**FRESH_SQUADS, **{name: SquadTurn(part.left, part.intel) for name, part in position.squads.items()}},
        done=position.done,
        used=position.used,
        off=_off(position, units),
        dogs=position.dogs,
        marks=position.marks,
    )
    dossier = Dossier(
        space=me.space,
        entry=position.entry,
        objectives=objectives,
        hand=hand,
        face_down=me.face_down,
        mines=me.mines,
        looted=me.looted,
        loot_deck=loot_deck,
        moved=me.moved,
        been=me.been,
        log=me.log,
    )
    return public, dossier, deck


def _units(board: Map, position: Position) -> dict[str, str | None]:
    given = position.units
    return {unit: board.starts[unit] if given is UNSET else given.get(unit) for unit in UNITS}


def _off(position: Position, units: Mapping[str, str | None]) -> tuple[str, ...]:
    if position.turn == SNIPER:
        return ()
    return tuple(unit for unit in UNITS if units[unit] is None) if position.off is UNSET else position.off


def _objectives(board: Map, position: Position, chance: Chance) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    pending = position.pending
    dealing = pending is not None and pending.name == "return-objective"
    given = position.sniper.objectives
    if given:
        rest = [number for number in sorted(board.objectives) if number not in given]
        asked = tuple(pending.deck) if pending is not None else ()
        return given, (*asked, *(number for number in rest if number not in asked)) if dealing else None
    deck = chance.order("objectives", sorted(board.objectives))
    while same_suit(board, deck[:2]) and not dealing:
        deck = (deck[0], *deck[2:], deck[1])
    return deck[:2], deck[2:] if dealing else None


def _cards(options: Options, position: Position, chance: Chance) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The hand and the loot deck; cards named nowhere else are in the deck."""
    me, pending = position.sniper, position.pending
    elsewhere = [*me.face_down, *(pending.cards if pending else ())]
    if pending is not None and pending.name in BEFORE_LOADOUT:
        return (), FULL_DECK
    if me.hand is UNSET or me.hand is None:
        taken = [*elsewhere, *(position.loot_deck or ())]
        hand = in_order(chance.order("loadout", without(FULL_DECK, taken))[: loadout_size(options)])
    else:
        hand = in_order(me.hand)
    if position.loot_deck is UNSET:
        return hand, without(FULL_DECK, [*hand, *elsewhere])
    return hand, in_order(position.loot_deck)


def _specialists(position: Position, chance: Chance) -> dict[str, SpecialistCard]:
    if position.pending is not None and position.pending.name in (*BEFORE_LOADOUT, "choose-specialists"):
        return {}
    given = position.specialists if isinstance(position.specialists, dict) else {}
    cards = {squad: SpecialistCard(part.card, part.uses, part.suppression) for squad, part in given.items()}
    missing = [squad for squad in SQUADS if squad not in cards]
    free = [card for card in SPECIALISTS if card not in {part.card for part in given.values()}]
    drawn = chance.assign("specialists", missing, free) if missing else {}
    return {squad: cards.get(squad) or SpecialistCard(drawn[squad]) for squad in SQUADS}


# --- what cannot be ---------------------------------------------------------------------------------------------


def _possible(p: Picture) -> None:
    """Raises `Refused` for a position that no game can reach, with the rule that forbids it."""
    for check in (_numbers, _bag, _places, _sniper, _secrets, _cubes):
        check(p)


def _no(rule: str, sentence: str) -> Refused:
    return Refused(rule, f"Impossible position: {sentence}")


def _numbers(p: Picture) -> None:
    if not LAST_SPACE <= p.countdown <= START_COUNTDOWN or p.round < 1:
        raise _no("MP-SETUP-19", "the countdown runs from 10 to 1, and rounds count from 1.")
    if p.turn == DEFENDERS and p.countdown == LAST_SPACE and p.over is None:
        raise _no("MP-END-03", "with the cubes on the last space the defenders have won when their turn begins.")
    if not 0 <= p.wounds <= 2 or (p.wounds == 2 and p.over is None):
        raise _no("MP-END-02", f"a sniper with {p.wounds} wounds does not play on.")
    if any(not 0 <= card.uses <= 2 for card in p.specialists.values()):
        raise _no("MP-SPEC-01", "a specialist has 0, 1 or 2 uses left.")
    if len({card.card for card in p.specialists.values()}) != len(p.specialists):
        raise _no("MP-SETUP-18", "a specialist belongs to one squad only.")


def _bag(p: Picture) -> None:
    for token in TOKENS:
        if not 0 <= p.bag[token] <= TOKEN_CAPS[token]:
            raise _no("MP-BAG-06", f"{p.bag[token]} {token} tokens, where there are {TOKEN_CAPS[token]}.")
    on_cards = sum(card.suppression for card in p.specialists.values())
    if p.bag["suppression"] + on_cards > TOKEN_CAPS["suppression"]:
        raise _no("MP-BAG-06", "more suppression tokens in the bag and on the cards than the three that exist.")


def _places(p: Picture) -> None:
    for what, space in (*p.units.items(), ("the sniper", p.mine.space), ("the miniature", p.miniature)):
        if space is not None and not p.map.spaces[space].enterable:
            raise _no("MP-MOVE-10", f"{what} on {space}, which is {p.map.spaces[space].kind}.")
    for dog in (*p.dogs, *p.mine.mines, *p.marks):
        if not p.map.spaces[dog].enterable:
            raise _no("MP-MOVE-10", f"something on {dog}, which is {p.map.spaces[dog].kind}.")
    standing = Counter(space for space in p.units.values() if space is not None)
    for space, count in standing.items():
        if count > 1:
            raise _no("MP-MAP-06", f"{count} units on {space}.")
    if len(p.dogs) > 2 or len(p.marks) > MARKS or len(set(p.marks)) != len(p.marks):
        raise _no("MP-SETUP-05", "there are two dogs and ten tracking cubes, one cube a space.")


def _sniper(p: Picture) -> None:
    me = p.mine
    if len(me.objectives) != 2 or len(set(me.objectives)) != 2:
        raise _no("MP-SETUP-09", "the sniper holds two different objectives.")
    if same_suit(p.map, me.objectives) != (p.pending is not None and p.pending.name == "return-objective"):
        raise _no("MP-SETUP-10", "objectives of one suit mean that one is still to be returned.")
    if not set(p.completed) <= set(me.objectives) or (len(set(p.completed)) >= 2 and p.over is None):
        raise _no("MP-OBJ-07", "only held objectives are completed, and the second ends the game.")
    if p.shown in me.objectives:
        raise _no("MP-DIFF-03", "the objective shown is one of the sniper's.")
    entered = me.space is not None or p.pending is not None or p.over is not None
    if not entered and p.turn == DEFENDERS and p.options.stands("R-05"):
        raise _no("MP-TURN-09", "the sniper enters the board in the first turn.")
    if must_choose_entry(p) and not entered and all(barred_arrow(p, sector) for sector in p.map.entries):
        raise _no("MP-TURN-02", "no arrow can be used (R-74).")
    if me.space is None and me.entry is not None and p.unit_on(p.map.entries[me.entry]) is not None:
        raise _no("MP-MOVE-03", "a unit stands on the space where the sniper must enter (R-74).")


def _secrets(p: Picture) -> None:
    me = p.mine
    cards = Counter([*me.hand, *me.face_down, *me.loot_deck, *(p.pending.cards if p.pending else ())])
    if cards - Counter(FULL_DECK):
        raise _no("MP-LOAD-06", "more copies of a loadout card than exist.")
    for space in me.looted:
        number = p.map.spaces[space].objective
        if number is None or number in me.objectives or me.looted.count(space) > 1:
            raise _no("MP-LOOT-01", f"{space} cannot have been looted.")
    if p.pending is not None and p.pending.name == "keep" and (me.space is None or not p.pending.cards):
        raise _no("MP-LOOT-02", "a card is kept of those drawn, by a sniper on the board.")


def _cubes(p: Picture) -> None:
    for squad, turn in p.squads.items():
        if not 0 <= turn.left <= 2 or (turn.intel and turn.left):
            raise _no("MP-DEF-02", f"the {squad} squad has two cubes, and intel takes both.")


# --- writing ----------------------------------------------------------------------------------------------------


def write(p: Picture) -> dict[str, Any]:
    """The position as the protocol writes it; what the picture's owner was not told is None."""
    me = p.dossier
    secret = {name: getattr(me, name, None) for name in ("space", "objectives", "hand", "face_down", "mines")}
    secret |= {name: getattr(me, name, None) for name in ("looted", "moved", "been", "log")}
    sniper = {
        **secret,
        "completed": p.completed,
        "wounds": p.wounds,
        "miniature": p.miniature,
        "carded": p.carded,
        "active": None,
        "acted": p.acted,
    }
    return {
        "turn": p.turn,
        "round": p.round,
        "countdown": p.countdown,
        "entry": me.entry if me else None,
        "shown": p.shown,
        "pending": _write_pending(p),
        "over": None if p.over is None else {"winner": p.over.winner, "reason": p.over.reason},
        "sniper": sniper,
        "bag": dict(p.bag),
        "units": dict(p.units),
        "specialists": {squad: msgspec.to_builtins(card) for squad, card in p.specialists.items()},
        "dogs": p.dogs,
        "loot_deck": me.loot_deck if me else None,
        "marks": p.marks,
        "squads": {squad: msgspec.to_builtins(turn) for squad, turn in p.squads.items()},
        "done": dict(p.done),
        "used": p.used,
        "off": p.off,
    }


def _write_pending(p: Picture) -> dict[str, Any] | None:
    if p.pending is None:
        return None
    pending: dict[str, Any] = {"for": p.pending.name}
    if p.pending.name == "return-objective" and p.deck is not None:
        pending["deck"] = p.deck
    if p.pending.name == "keep":
        pending["cards"] = p.pending.cards
    return pending
