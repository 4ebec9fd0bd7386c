"""A game described as a position: reading one and writing one. Which ones cannot be: `possible.py`.

The form is the protocol's; what a description leaves out is as at the beginning of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.chance import Chance
from engine.game import REFEREE, TABLE
from engine.refusal import NotUnderstood
from engine.text import Text
from games.snipers_and_assassins.rules import cards, places, possible, setup
from games.snipers_and_assassins.rules.events import DoubleJump
from games.snipers_and_assassins.rules.picture import Options, Over, Picture, Player
from games.snipers_and_assassins.rules.words import KINDS, ROUNDS, Card, Kind, known

Choice = Literal["start", "target", "leader"]


class PlayerPart(Struct, frozen=True, forbid_unknown_fields=True):
    """One player as described; None stands for what is not said."""

    start: str | None = None
    target: str | None = None
    leader: str | None = None
    sniper: str | None = None
    assassin: str | None = None
    recover: bool | None = None
    jump: DoubleJump | None = None
    shot: Literal["fresh", "stale", "healing", "healed"] | None = None
    locked: bool | None = None
    pushed_back: bool | None = None
    improvement: Card | None = None
    armor: Annotated[int, Meta(ge=1, le=cards.ARMOR)] | None = None
    mines: tuple[str, ...] | None = None


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A game as described; None stands for what is not said."""

    setup: Choice | None = None
    turn: str | None = None
    first: str | None = None
    round: Annotated[int, Meta(ge=1, le=ROUNDS)] | None = None
    acted: tuple[Kind, ...] | None = None
    over: Over | None = None
    deck: tuple[Card, ...] | None = None
    discard: tuple[Card, ...] | None = None
    players: dict[str, PlayerPart] | None = None


def read(seats: tuple[str, ...], options: Options, raw: Any) -> Picture:
    """The position `raw`, which may be one that cannot be. Raises `NotUnderstood`."""
    try:
        position = msgspec.convert({} if raw is None else raw, Position)
    except msgspec.ValidationError as error:
        raise NotUnderstood(Text("The position cannot be read: {error}.", error=str(error))) from error
    _known(seats, options, position)
    return _build(seats, options, position)


def dealt(truth: Picture, chance: Chance) -> Picture:
    """A described position with its deck, shuffled where it was not said. Raises `Refused` for one that cannot be."""
    possible.judge(truth)
    if truth.deck is None and truth.setup is None:
        deck = chance.order("improvements", setup.undealt(truth), "SA-SET-06")
        truth = replace(truth, deck=deck, deck_size=len(deck))
    return truth


def pictures(truth: Picture) -> dict[str, Picture]:
    """Every viewer's picture: nobody but the referee knows the order of the deck."""
    public = replace(truth, deck=None)
    return {**dict.fromkeys(truth.seats, public), TABLE: public, REFEREE: truth}


def _known(seats: tuple[str, ...], options: Options, position: Position) -> None:
    """Raises `NotUnderstood` for a seat or space that does not exist."""
    spaces = places.spaces(len(seats) + places.EXTRA_PATHWAYS)
    described = position.players or {}
    winner = position.over.winner if position.over else None
    known(Text("seat"), [*described, position.turn, position.first, winner], seats)
    for part in described.values():
        known(Text("seat"), [part.target], seats)
        where = (part.start, part.leader, part.sniper, part.assassin, *(part.mines or ()))
        known(Text("space"), where, spaces)
        if part.shot in ("healing", "healed") and not options.healing:
            raise NotUnderstood(Text("Assassins heal only in a game with the option of that name."))


def _build(seats: tuple[str, ...], options: Options, position: Position) -> Picture:
    described = position.players or {}
    usual = {} if position.setup else setup.seated(options.layout or setup.usual_layout(len(seats)))
    players = {seat: _player(described.get(seat, PlayerPart()), usual.get(seat, Player())) for seat in seats}
    acted = position.acted or ()
    return Picture(
        pathways=len(seats) + places.EXTRA_PATHWAYS,
        options=options,
        players=players,
        setup=position.setup,
        turn=position.turn or seats[0],
        first=position.first or (None if position.setup else seats[0]),
        round=position.round or 1,
        acted=tuple(kind for kind in KINDS if kind in acted),
        over=position.over,
        deck=position.deck,
        deck_size=None if position.deck is None else len(position.deck),
        discard=position.discard or (),
    )


def _player(part: PlayerPart, usual: Player) -> Player:
    start = part.start or usual.start
    return Player(
        start=start,
        target=part.target or usual.target,
        leader=part.leader or usual.leader,
        sniper=part.sniper or start,
        assassin=part.assassin or start,
        recover=bool(part.recover),
        jump=part.jump,
        shot=part.shot,
        locked=bool(part.locked),
        pushed_back=bool(part.pushed_back),
        improvement=part.improvement,
        armor=(part.armor or cards.ARMOR) if part.improvement == "armor" else None,
        mines=tuple(sorted(part.mines or (), key=places.place_of)),
    )


def write(p: Picture) -> dict[str, Any]:
    """A picture as a position; what its viewer does not know is None."""
    return {
        "setup": p.setup,
        "turn": p.turn,
        "first": p.first,
        "round": p.round,
        "acted": p.acted,
        "over": None if p.over is None else msgspec.to_builtins(p.over),
        "deck": p.deck,
        "discard": p.discard,
        "players": _players(p.players),
    }


def _players(players: Mapping[str, Player]) -> dict[str, Any]:
    return {seat: msgspec.to_builtins(player) for seat, player in players.items()}
