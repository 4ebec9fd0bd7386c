"""A game described as a position: reading one and writing one. What cannot be: `possible.py`.

The form is the protocol's; what a description leaves out is as at the beginning of a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from engine.chance import Chance
from engine.refusal import NotUnderstood
from engine.text import Text
from games.stalingrad.rules.cards import CARDS, in_order
from games.stalingrad.rules.picture import ROLLS, Options, Over, Picture, Player, pictures
from games.stalingrad.rules.possible import judge
from games.stalingrad.rules.turn import ending, reason
from games.stalingrad.rules.words import CAP, FACES, Phase, known

MOST_XP = 10**9
"""Tokens that can be described. Nobody can gain as many."""

Value = Annotated[int, Meta(ge=1, le=CAP)]


class PlayerPart(Struct, frozen=True, forbid_unknown_fields=True):
    """One player as described; None stands for what is not said."""

    hunt: Value | None = None
    shoot: Value | None = None
    evade: Value | None = None
    xp: Annotated[int, Meta(ge=0, le=MOST_XP)] | None = None
    hand: tuple[str, ...] | None = None
    kills: tuple[str, ...] | None = None
    skip: Annotated[int, Meta(ge=0, le=2)] | None = None
    out: bool | None = None


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A game as described; None stands for what is not said."""

    turn: str | None = None
    phase: Phase | None = None
    card: str | None = None
    die: Annotated[int, Meta(ge=FACES[0], le=FACES[-1])] | None = None
    aid: str | None = None
    players: dict[str, PlayerPart | None] | None = None
    deck: tuple[str, ...] | None = None
    facedown: tuple[str, ...] | None = None
    discard: tuple[str, ...] | None = None
    unseen: tuple[str, ...] | None = None
    over: Over | None = None


def read(options: Options, raw: Any, chance: Chance) -> dict[str, Picture]:
    """Every viewer's picture of the position `raw`. Raises `NotUnderstood`, and `Refused` for impossible chance."""
    try:
        position = msgspec.convert({} if raw is None else raw, Position)
    except msgspec.ValidationError as error:
        raise NotUnderstood(Text("The position cannot be read: {error}.", error=str(error))) from error
    known(Text("seat"), [position.turn, *(position.players or ())], options.seats)
    rest = _unnamed(position)
    truth = _build(options, position, rest)
    if position.phase == "over" and _why_over(truth) is None:
        raise NotUnderstood(Text("Nothing has ended the game: the phase cannot be over."))
    judge(truth, _why_over(truth) is not None)
    truth = _ended(truth, position)
    if position.deck is None:
        truth = replace(truth, deck=chance.order("deck", rest, "ST-SET-01"))
    return pictures(truth)


def _named(position: Position) -> Iterator[str]:
    """Every card that a position puts somewhere."""
    for part in (position.players or {}).values():
        if part is not None:
            yield from (*(part.hand or ()), *(part.kills or ()))
    for pile in (position.deck, position.facedown, position.discard, position.unseen):
        yield from pile or ()
    if position.card is not None:
        yield position.card


def _unnamed(position: Position) -> tuple[str, ...]:
    """The cards that are named nowhere. Raises `NotUnderstood` for a card that is unknown, twice there or missing."""
    named = [*_named(position)]
    known(Text("card"), [*named, position.aid], CARDS)
    twice = [card for card in CARDS if named.count(card) > 1]
    if twice:
        raise NotUnderstood(Text("{card} is in two places at once.", card=twice[0]))
    rest = tuple(card for card in CARDS if card not in named)
    if rest and position.deck is not None and position.unseen is not None:
        raise NotUnderstood(Text("{card} is nowhere: with deck and unseen every card is named.", card=rest[0]))
    return rest


def _build(options: Options, position: Position, rest: tuple[str, ...]) -> Picture:
    parts = position.players or {}
    deck, unseen = position.deck, position.unseen
    if deck is None:
        deck = rest
    elif unseen is None:
        unseen = rest
    facedown, unseen = position.facedown or (), in_order(unseen or ())
    return Picture(
        options,
        {seat: _player(parts.get(seat)) for seat in options.seats},
        turn=position.turn or options.seats[0],
        phase=_phase(position),
        card=position.card,
        die=position.die,
        aid=position.aid,
        deck=deck,
        facedown=facedown,
        unseen=unseen,
        deck_size=len(deck),
        facedown_size=len(facedown),
        unseen_size=len(unseen),
        discard=in_order(position.discard or ()),
    )


def _player(part: PlayerPart | None) -> Player:
    given = {} if part is None else {name: value for name, value in asdict(part).items() if value is not None}
    hand = in_order(given.pop("hand", ()))
    kills = in_order(given.pop("kills", ()))
    return Player(**given, hand=hand, hand_size=len(hand), kills=kills)


def _phase(position: Position) -> Phase:
    """The phase that is given; else what follows from the cards on the table."""
    if position.phase is not None and position.phase != "over":
        return position.phase
    kind = None if position.card is None else CARDS[position.card].kind
    if kind in ROLLS:
        return kind  # type: ignore[return-value]
    return "reveal" if position.facedown else "hunt"


def _why_over(truth: Picture) -> Any:
    """Why the position is over, or None; an empty deck ends the game where a turn would begin."""
    why = reason(truth)
    return None if why == "deck" and truth.phase != "hunt" else why


def _ended(truth: Picture, position: Position) -> Picture:
    """The position as it is after the end, if it is over. Raises `NotUnderstood` for another end than is given."""
    why = _why_over(truth)
    over = None if why is None else ending(truth, why)
    if position.over not in (None, over):
        raise NotUnderstood(Text("The game has not ended in this way."))
    return truth if over is None else replace(truth, turn=None, aid=None, phase="over", over=over)


def write(view: Picture) -> dict[str, Any]:
    """A picture as a position; what its viewer does not know is None."""
    return {
        "turn": view.turn,
        "phase": view.phase,
        "card": view.card,
        "die": view.die,
        "aid": view.aid,
        "players": {seat: _written(player) for seat, player in view.players.items()},
        "deck": view.deck,
        "facedown": view.facedown,
        "discard": view.discard,
        "unseen": view.unseen,
        "over": None if view.over is None else msgspec.to_builtins(view.over),
    }


def _written(player: Player) -> Mapping[str, Any]:
    return {name: getattr(player, name) for name in PlayerPart.__struct_fields__}
