"""Read and write described positions in the protocol's format. `possible.py` refuses impossible ones.

Fields that are left out have their values from a standard game at the first sniper turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from engine.chance import Chance
from engine.game import REFEREE, TABLE
from engine.graph import Map
from engine.naming import convert, require_known
from engine.refusal import NotUnderstood
from engine.text import Text
from games.sniper_elite.map_rules.sites import sites_of
from games.sniper_elite.rules import words
from games.sniper_elite.rules.cards import CARDS, EVERY_CARD, LASTING, WEAPONS, full_deck, without
from games.sniper_elite.rules.described import (
    BEFORE_LOADOUT,
    BEFORE_SPECIALISTS,
    PendingPart,
    Position,
    SquadPart,
    deal_cards,
    deal_specialists,
    face_down_cards,
    objectives_of,
)
from games.sniper_elite.rules.events import Opened
from games.sniper_elite.rules.ghost import as_unknown
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite.rules.picture import Dossier, Options, Pending, Picture, SquadTurn, Tokens
from games.sniper_elite.rules.possible import require_possible
from games.sniper_elite.rules.setup import start_bag
from games.sniper_elite.rules.specialists import SPECIALISTS

PENDINGS = (*BEFORE_SPECIALISTS, "keep", "save", "shoot-second")
ACTIONS = ("move", "attack", "spot", "sweep", "deploy", "dismiss")


def read_position(board: Map, options: Options, raw: Any, chance: Chance) -> dict[str, Picture]:
    """Return each viewer's picture of the position `raw`. Raises `NotUnderstood` or `Refused`."""
    position: Position = convert(raw, Position, Text("The position cannot be read: {error}."))
    _check_knowledge(board, options, position)
    ally = _ally(options, position, chance)
    objectives, deck = objectives_of(board, position, chance)
    hand, loot_deck = deal_cards(board, options, position, ally, chance)
    specialists = deal_specialists(options, position, chance)
    public = replace(_public(board, options, position, ally, (hand, loot_deck)), specialists=specialists)
    dossier = _dossier(position, objectives, hand, loot_deck)
    if public.over is not None:
        # A finished game shows all secrets.
        public = replace(public, opened=Opened(dossier.log, dossier.objectives, dossier.face_down, dossier.mines))
    truth = replace(public, dossier=dossier, deck=deck)
    require_possible(truth)
    sniper, public = replace(public, dossier=dossier), as_unknown(public)
    pictures = {TABLE: public, words.DEFENDERS: public, words.SNIPER: sniper, REFEREE: truth}
    # The existence of the decision alone would already reveal something to others.
    if truth.pending is not None and truth.pending.name in ("return-objective", "keep"):
        pictures |= _without_secret_decision(public, pictures)
    return pictures


def _without_secret_decision(public: Picture, pictures: Mapping[str, Picture]) -> dict[str, Picture]:
    """Return what others see while the sniper decides in secret: the last public state."""
    assert public.pending is not None
    # Others can see that cards are being chosen, but not that an objective is being returned.
    outside = Pending("choose-loadout") if public.pending.name in BEFORE_LOADOUT else None
    return {viewer: replace(pictures[viewer], pending=outside) for viewer in (TABLE, words.DEFENDERS)}


# --- names ------------------------------------------------------------------------------------------------------


def _check_knowledge(board: Map, options: Options, position: Position) -> None:
    me = position.sniper
    spaces: list[str | None] = [me.space, me.miniature, *me.mines, *me.looted, *me.been, *position.dogs]
    spaces += [*position.marks, *[space for _, space in me.log]]
    units = position.units if isinstance(position.units, dict) else {}
    spaces += units.values()
    require_known("space", spaces, board.spaces)
    off = position.off if isinstance(position.off, tuple) else ()
    # "scout" is recorded like an action, although it takes no cube.
    require_known("unit", [*units, *position.done, *off], words.UNITS)
    require_known("action", [action for actions in position.done.values() for action in actions], (*ACTIONS, "scout"))
    require_known("sector", [position.entry], sites_of(board).entries)
    require_known("seat", [position.turn], words.SEATS)
    require_known("token", position.bag if isinstance(position.bag, dict) else (), words.TOKENS)
    dealt = position.specialists if isinstance(position.specialists, dict) else {}
    require_known("squad", [*position.squads, *position.used, *dealt], words.SQUADS)
    require_known("specialist", [part.card for part in dealt.values()], SPECIALISTS)
    pending, over = position.pending, position.over
    if pending is not None:
        require_known("decision", [pending.name], PENDINGS)
        require_known("unit", [*pending.units, *pending.hit], words.UNITS)
        require_known("way to die", [pending.by], ("shot", "trench-gun"))
        require_known("token", pending.drawn or (), words.TOKENS)
    require_known("winner", [over.winner if over else None], words.SEATS)
    require_known("reason", [over.reason if over else None], words.WINNERS)
    numbers = [*(me.objectives or ()), *me.completed, position.shown, *position.decision.deck]
    require_known("objective", numbers, sites_of(board).objectives)
    named = [*(me.hand or ()), *(me.face_down or ()), *(position.loot_deck or ()), *position.decision.cards]
    require_known("loadout card", named, CARDS if options.nest is None else EVERY_CARD)
    require_known(
        "card that changes a later part",
        [me.active],
        ((*WEAPONS, "sound-masking") if options.nest is None else (*LASTING, "sound-masking")),
    )
    require_known("ally", [position.ally], ALLIES)
    if options.ally is None and (position.ally is not None or position.identity_revealed or me.shot):
        raise NotUnderstood("A position has an ally only where the options name one.")


# --- building ---------------------------------------------------------------------------------------------------


def _public(
    board: Map, options: Options, position: Position, ally: str | None, cards: Sequence[Sequence[str]]
) -> Picture:
    """Return the public part of a position, without the specialists. `cards` are the hand and the loot deck."""
    hand, loot_deck = cards
    me, decision = position.sniper, position.decision
    stage, units = decision.name, _units(board, position)
    same = ("turn", "round", "shown", "over", "identity_revealed", "done", "used", "dogs", "marks")
    public = Picture(
        map=board,
        options=options,
        units=units,
        bag=words.plus(start_bag(options, ally) if position.bag is UNSET else position.bag, {}),
        pending=Pending(stage, decision.cards, decision.units, decision.hit, decision.by) if stage else None,
        countdown=options.start_countdown if position.countdown is UNSET else position.countdown,
        # A decision about loot or a shot means that the turn's action has been taken.
        acted=me.acted or stage in ("keep", "save", "shoot-second"),
        carded=me.carded or me.active is not None,
        active=me.active if me.active in LASTING else None,
        # In the medic's window before it, the second shot has its count in `second`.
        second=decision.draw if stage == "shoot-second" else decision.second,
        third=decision.third,
        shot=me.shot or stage in ("save", "shoot-second"),
        ally=ally,
        drawn=_drawn_tokens(decision),
        # The card to keep is already counted in the hand, and the others in the deck.
        hand_size=len(hand) + (stage == "keep"),
        deck_size=len(loot_deck) + len(decision.cards[1:]),
        face_down_size=len(face_down_cards(position)),
        looted_size=len(_looted_spaces(position)) + (stage == "keep"),
        squads={squad: _squad(position, squad) for squad in words.SQUADS},
        off=_spent_squads(position, units),
        **{name: getattr(position, name) for name in same},
        **{name: getattr(me, name) for name in ("miniature", "wounds", "completed")},
    )
    return replace(public, face_up=_used_up(full_deck(public), position, hand, loot_deck))


def _ally(options: Options, position: Position, chance: Chance) -> str | None:
    """Return the described or chosen allied sniper. A ghost that isn't described is dealt (EN-GHO-01)."""
    if position.ally is None and options.ghost:
        return chance.one("ally", list(ALLIES), "EN-GHO-01")
    return position.ally or options.ally


def _dossier(
    position: Position, objectives: tuple[int, ...], hand: tuple[str, ...], loot_deck: tuple[str, ...]
) -> Dossier:
    me = position.sniper
    return Dossier(
        entry=position.entry,
        objectives=objectives,
        hand=hand,
        face_down=face_down_cards(position),
        looted=_looted_spaces(position),
        loot_deck=loot_deck,
        masked=me.active == "sound-masking",
        **{name: getattr(me, name) for name in ("space", "mines", "moved", "been", "log")},
    )


def _drawn_tokens(part: PendingPart) -> Tokens | None:
    """Return the tokens held out of the bag. The Trench Gun draws none."""
    if part.drawn is None or (part.by == "trench-gun" and not any(part.drawn.values())):
        return None
    return words.plus(part.drawn, {})


def _units(board: Map, position: Position) -> dict[str, str | None]:
    places = position.units
    return {unit: sites_of(board).starts.get(unit) if places is UNSET else places.get(unit) for unit in words.UNITS}


def _looted_spaces(position: Position) -> tuple[str, ...]:
    """Return the spaces looted before. A space being looted now is added once its card is kept."""
    me = position.sniper
    keeping = position.decision.name == "keep"
    return tuple(space for space in me.looted if not (keeping and space == me.space))


def _squad(position: Position, squad: str) -> SquadTurn:
    """Return what remains of a squad's turn. If it isn't given, derive it from its actions and its intel."""
    part = position.squads.get(squad, SquadPart())
    if part.left is not UNSET:
        return SquadTurn(part.left, part.intel)
    # In the sniper's turn, all cubes are still to come.
    acting = position.done if position.turn == words.DEFENDERS else {}
    spent = words.CUBES if part.intel else words.cubes_spent(acting, squad)
    return SquadTurn(words.CUBES - spent, part.intel)


def _spent_squads(position: Position, units: Mapping[str, str | None]) -> tuple[str, ...]:
    # `off` applies only to the defenders' turn.
    if position.turn == words.SNIPER:
        return ()
    return tuple(unit for unit in words.UNITS if units[unit] is None) if position.off is UNSET else position.off


def _used_up(
    every: Sequence[str], position: Position, hand: Sequence[str], loot_deck: Sequence[str]
) -> tuple[str, ...]:
    """Return the cards used openly: those that are nowhere else, without Sound Masking (MP-LOAD-08)."""
    there = [*hand, *loot_deck, *face_down_cards(position), *position.decision.cards]
    return tuple(card for card in without(every, there) if card != "sound-masking")


# --- writing ----------------------------------------------------------------------------------------------------


def write_position(p: Picture) -> dict[str, Any]:
    """Return a picture as a position. Values unknown to its viewer are None."""
    me = p.dossier
    secret = {name: getattr(me, name, None) for name in ("space", "objectives", "hand", "face_down", "mines")}
    secret |= {name: getattr(me, name, None) for name in ("looted", "moved", "been", "log")}
    sniper = {
        **secret,
        "completed": p.completed,
        "wounds": p.wounds,
        "miniature": p.miniature,
        "carded": p.carded,
        # Only the sniper's own position names the masking card.
        "active": "sound-masking" if me is not None and me.masked else p.active,
        "acted": p.acted,
        **({} if p.options.ally is None else {"shot": p.shot}),
    }
    return {
        "turn": p.turn,
        "round": p.round,
        "countdown": p.countdown,
        "entry": me.entry if me else None,
        "shown": p.shown,
        "pending": _write_pending(p),
        "over": msgspec.to_builtins(p.over),
        "sniper": sniper,
        "bag": None if p.in_the_dark else dict(p.bag),
        **({} if p.options.ally is None else {"ally": p.ally, "identity_revealed": p.identity_revealed}),
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
        pending |= {"drawn": p.drawn or words.plus({}, {}), "second": p.second}
    if p.pending.name == "shoot-second":
        pending |= {"draw": p.second, "drawn": p.drawn}
    if p.options.nest is not None and p.pending.name in ("save", "shoot-second"):
        pending["third"] = p.third
    return pending
