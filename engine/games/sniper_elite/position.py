"""A game described as a position: reading one and writing one. Which ones cannot be: `possible.py`.

The form is the protocol's; what a description leaves out is as in a standard game at its first sniper turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from engine.chance import Chance
from engine.game import REFEREE, TABLE
from engine.games.sniper_elite import possible
from engine.games.sniper_elite.cards import CARDS, FULL_DECK, WEAPONS, in_order, without
from engine.games.sniper_elite.events import Opened
from engine.games.sniper_elite.fold import FRESH_SQUADS
from engine.games.sniper_elite.picture import Dossier, Options, Over, Pending, Picture, SpecialistCard, SquadTurn
from engine.games.sniper_elite.setup import (
    loadout_size,
    same_suit,
    specialist_uses,
    start_bag,
    start_countdown,
    suit_of,
)
from engine.games.sniper_elite.specialists import SPECIALISTS
from engine.games.sniper_elite.words import (
    DEFENDERS,
    SEATS,
    SNIPER,
    SQUADS,
    TOKENS,
    UNITS,
    WINNERS,
    known,
)
from engine.map import Map
from engine.refusal import NotUnderstood


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
    units: tuple[str, ...] = ()
    hit: tuple[str, ...] = ()
    by: str = "shot"
    drawn: dict[str, int] | None = None
    second: int | None = None
    draw: int | None = None


class SpecialistPart(Struct, frozen=True, forbid_unknown_fields=True):
    """A squad's specialist."""

    card: str
    uses: int | UnsetType = UNSET
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
    countdown: int | UnsetType = UNSET
    entry: str | None = None
    shown: int | None = None
    pending: PendingPart | None = None
    over: OverPart | None = None
    sniper: SniperPart = SniperPart()
    bag: dict[str, int] | UnsetType = UNSET
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
BEFORE_SPECIALISTS = (*BEFORE_LOADOUT, "show-objective", "choose-specialists")
PENDINGS = (*BEFORE_SPECIALISTS, "keep", "save", "shoot-second")
ACTIONS = ("move", "attack", "spot", "sweep", "deploy", "dismiss")


def read(board: Map, options: Options, raw: Any, chance: Chance) -> dict[str, Picture]:
    """Every viewer's picture of the position `raw`. Raises `NotUnderstood` or `Refused`."""
    try:
        position = msgspec.convert(raw, Position)
    except msgspec.ValidationError as error:
        raise NotUnderstood(f"The position cannot be read: {error}.") from error
    _known(board, position)
    public, dossier, deck = _build(board, options, position, chance)
    if public.over is not None:
        public = replace(public, opened=Opened(dossier.log, dossier.objectives, dossier.face_down, dossier.mines))
    truth = replace(public, dossier=dossier, deck=deck)
    possible.judge(truth)
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
    known("space", spaces, board.spaces)
    off = position.off if isinstance(position.off, tuple) else ()
    known("unit", [*units, *position.done, *off], UNITS)
    known("action", [action for actions in position.done.values() for action in actions], (*ACTIONS, "scout"))
    known("sector", [position.entry], board.entries)
    known("seat", [position.turn], SEATS)
    known("token", position.bag if isinstance(position.bag, dict) else (), TOKENS)
    dealt = position.specialists if isinstance(position.specialists, dict) else {}
    known("squad", [*position.squads, *position.used, *dealt], SQUADS)
    known("specialist", [part.card for part in dealt.values()], SPECIALISTS)
    pending, over = position.pending, position.over
    if pending is not None:
        known("decision", [pending.name], PENDINGS)
        known("unit", [*pending.units, *pending.hit], UNITS)
        known("way to die", [pending.by], ("shot", "trench-gun"))
        known("token", pending.drawn or (), TOKENS)
    known("winner", [over.winner if over else None], SEATS)
    known("reason", [over.reason if over else None], WINNERS)
    numbers = [*(me.objectives or ()), *me.completed, position.shown, *(pending.deck if pending else ())]
    known("objective", numbers, board.objectives)
    named = [*(me.hand or ()), *me.face_down, *(position.loot_deck or ()), *(pending.cards if pending else ())]
    known("loadout card", [*named, me.active], CARDS)


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
        bag=_counted(start_bag(options) if position.bag is UNSET else position.bag),
        pending=_pending(pending),
        turn=position.turn,
        round=position.round,
        countdown=start_countdown(options) if position.countdown is UNSET else position.countdown,
        shown=position.shown,
        over=None if position.over is None else Over(position.over.winner, position.over.reason),
        miniature=me.miniature,
        wounds=me.wounds,
        completed=me.completed,
        acted=me.acted or stage in ("keep", "save", "shoot-second"),
        carded=me.carded or me.active is not None,
        active=me.active if me.active in WEAPONS else None,
        second=_second(pending),
        face_up=_used_up(position, hand, loot_deck),
        drawn=None if pending is None or pending.drawn is None else _counted(pending.drawn),
        hand_size=len(hand) + (stage == "keep"),
        deck_size=len(loot_deck) + max(0, len(pending.cards) - 1 if pending else 0),
        face_down_size=len(me.face_down),
        looted_size=len(me.looted) + (stage == "keep"),
        specialists=_specialists(options, position, chance),
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
        masked=me.active == "sound-masking",
        been=me.been,
        log=me.log,
    )
    return public, dossier, deck


def _counted(tokens: Mapping[str, int]) -> dict[str, int]:
    return {token: tokens.get(token, 0) for token in TOKENS}


def _pending(part: PendingPart | None) -> Pending | None:
    return None if part is None else Pending(part.name, part.cards, part.units, part.hit, part.by)


def _second(part: PendingPart | None) -> int | None:
    """What is announced and still to be drawn: `draw` where the second shot waits, `second` in the window before."""
    if part is None:
        return None
    return part.draw if part.name == "shoot-second" else part.second


def _units(board: Map, position: Position) -> dict[str, str | None]:
    given = position.units
    return {unit: board.starts[unit] if given is UNSET else given.get(unit) for unit in UNITS}


def _off(position: Position, units: Mapping[str, str | None]) -> tuple[str, ...]:
    if position.turn == SNIPER:
        return ()
    return tuple(unit for unit in UNITS if units[unit] is None) if position.off is UNSET else position.off


def _objectives(board: Map, position: Position, chance: Chance) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """The two objectives held and, while one is to be returned, the deck; what is not given is dealt."""
    held = position.sniper.objectives or ()
    dealing = position.pending is not None and position.pending.name == "return-objective"
    asked = position.pending.deck if dealing and position.pending is not None else ()
    left = [number for number in sorted(board.objectives) if number not in (*held, *asked)]
    if held and not (dealing and left):
        return held, asked if dealing else None
    dealt = chance.order("objectives", left, "MP-SETUP-09")
    if not held:
        held = _pair(board, position, dealt, dealing)
    rest = tuple(number for number in dealt if number not in held)
    return held, (*asked, *rest) if dealing else None


def _pair(board: Map, position: Position, dealt: Sequence[int], alike: bool) -> tuple[int, ...]:
    """The first two cards that fit the position: of one suit or not, none where the sniper enters, the done ones."""
    fitting = [number for number in dealt if suit_of(board, number) != position.entry]
    done = dict.fromkeys((*position.sniper.completed, *fitting))
    return next((pair for pair in combinations(done, 2) if same_suit(board, pair) == alike), tuple(dealt[:2]))


def _cards(options: Options, position: Position, chance: Chance) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The hand and the loot deck; cards named nowhere else are in the deck."""
    me, pending = position.sniper, position.pending
    elsewhere = _elsewhere(position)
    if pending is not None and pending.name in BEFORE_LOADOUT:
        return (), FULL_DECK
    if me.hand is UNSET or me.hand is None:
        taken = [*elsewhere, *(position.loot_deck or ())]
        hand = in_order(chance.order("loadout", without(FULL_DECK, taken), "MP-SETUP-14")[: loadout_size(options)])
    else:
        hand = in_order(me.hand)
    if position.loot_deck is UNSET:
        return hand, without(FULL_DECK, [*hand, *elsewhere])
    return hand, in_order(position.loot_deck)


def _elsewhere(position: Position) -> list[str]:
    """The cards that are named outside hand and loot deck, the one that still works included."""
    me, pending = position.sniper, position.pending
    working = [me.active] if me.active is not None and me.active not in me.face_down else []
    return [*me.face_down, *working, *(pending.cards if pending else ())]


def _used_up(position: Position, hand: Sequence[str], loot_deck: Sequence[str]) -> tuple[str, ...]:
    """The cards that are nowhere else have been used openly; Sound Masking never is (MP-LOAD-08)."""
    me, pending = position.sniper, position.pending
    there = [*hand, *loot_deck, *me.face_down, *(pending.cards if pending else ())]
    return tuple(card for card in without(FULL_DECK, there) if card != "sound-masking")


def _specialists(options: Options, position: Position, chance: Chance) -> dict[str, SpecialistCard]:
    if position.pending is not None and position.pending.name in BEFORE_SPECIALISTS:
        return {}
    full = specialist_uses(options)
    given = position.specialists if isinstance(position.specialists, dict) else {}
    cards = {
        squad: SpecialistCard(part.card, full if part.uses is UNSET else part.uses, part.suppression)
        for squad, part in given.items()
    }
    missing = [squad for squad in SQUADS if squad not in cards]
    free = [card for card in SPECIALISTS if card not in {part.card for part in given.values()}]
    drawn = chance.assign("specialists", missing, free, "MP-SETUP-17") if missing else {}
    return {squad: cards.get(squad) or SpecialistCard(drawn[squad], full) for squad in SQUADS}


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
        "active": "sound-masking" if me is not None and me.masked else p.active,
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
    if p.pending.name == "save":
        pending |= {"units": p.pending.units, "hit": p.pending.hit, "by": p.pending.by}
        pending |= {"drawn": p.drawn, "second": p.second}
    if p.pending.name == "shoot-second":
        pending |= {"draw": p.second, "drawn": p.drawn}
    return pending
