"""Read and write a game as a position. Impossible positions are refused with the rule.

The protocol defines the format. Fields that are left out have their values from the start of a game.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.chance import Chance
from engine.game import REFEREE, TABLE
from engine.naming import convert, present, require_known
from engine.refusal import NotUnderstood, Refused
from engine.text import Text
from games.snipers_and_assassins.rules import cards, places, setup
from games.snipers_and_assassins.rules.picture import Options, Over, Picture, Player
from games.snipers_and_assassins.rules.words import KINDS, MINES, ROUNDS, Card, Kind


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A game as described in JSON. None means not described."""

    setup: Literal["start", "target", "leader"] | None = None
    turn: str | None = None
    first: str | None = None
    round: Annotated[int, Meta(ge=1, le=ROUNDS)] | None = None
    acted: tuple[Kind, ...] | None = None
    over: Over | None = None
    deck: tuple[Card, ...] | None = None
    discard: tuple[Card, ...] | None = None
    players: dict[str, Player] = {}


def read_position(seats: tuple[str, ...], options: Options, raw: Any) -> Picture:
    """Return the position `raw`, without checking that it is possible. Raises `NotUnderstood`."""
    fields = present(raw, Position, players=Player)
    position: Position = convert(fields, Position, Text("The position cannot be read: {error}."))
    _require_known(seats, options, position)
    return _build(seats, options, position)


def with_deck(truth: Picture, chance: Chance) -> Picture:
    """Return a position with its deck, shuffled if not described. Raises `Refused` for impossible results."""
    validate_position(truth)
    if truth.deck is None and truth.setup is None:
        deck = chance.order("improvements", setup.cards_left(truth), "SA-SET-06")
        truth = replace(truth, deck=deck, deck_size=len(deck))
    return truth


def pictures(truth: Picture) -> dict[str, Picture]:
    """Return each viewer's picture. Only the referee knows the order of the deck."""
    public = replace(truth, deck=None)
    return {**dict.fromkeys(truth.seats, public), TABLE: public, REFEREE: truth}


def _require_known(seats: tuple[str, ...], options: Options, position: Position) -> None:
    spaces = places.spaces(len(seats) + places.EXTRA_PATHWAYS)
    winner = position.over.winner if position.over else None
    require_known(Text("seat"), [*position.players, position.turn, position.first, winner], seats)
    for player in position.players.values():
        require_known(Text("seat"), [player.target], seats)
        require_known(
            Text("space"), (player.start, player.leader, player.sniper, player.assassin, *player.mines), spaces
        )
        if player.shot in ("healing", "healed") and not options.healing:
            raise NotUnderstood(Text("Assassins heal only in a game with the option of that name."))


def _build(seats: tuple[str, ...], options: Options, position: Position) -> Picture:
    # During set-up, missing choices are still open.
    usual = {} if position.setup else setup.players_at_starts(options.layout or setup.usual_layout(len(seats)))
    acted = position.acted or ()
    return Picture(
        pathways=len(seats) + places.EXTRA_PATHWAYS,
        options=options,
        players={
            seat: _with_defaults(position.players.get(seat, Player()), usual.get(seat, Player())) for seat in seats
        },
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


def _with_defaults(player: Player, usual: Player) -> Player:
    start = player.start or usual.start
    return replace(
        player,
        start=start,
        target=player.target or usual.target,
        leader=player.leader or usual.leader,
        sniper=player.sniper or start,
        assassin=player.assassin or start,
        # Only Body Armor has charges. By default, all are left.
        armor=(player.armor or cards.ARMOR) if player.improvement == "armor" else None,
        mines=tuple(sorted(player.mines, key=places.place_of)),
    )


def write_position(view: Picture) -> dict[str, Any]:
    """Return a picture as a position. Values unknown to the viewer are None."""
    return {name: msgspec.to_builtins(getattr(view, name)) for name in Position.__struct_fields__}


def validate_position(truth: Picture) -> None:
    """Raise `Refused` for a position that can't occur in a game."""
    _check_hideouts(truth)
    _check_targets(truth)
    _check_mines(truth)
    _check_markers(truth)
    _check_cards(truth)


def _check_hideouts(view: Picture) -> None:
    """Check that each start and each Leader has a Hideout of its own (SA-R-42)."""
    used = [space for player in view.players.values() for space in (player.start, player.leader) if space is not None]
    if len(set(used)) < len(used) or any(map(places.is_space, used)):
        raise Refused("SA-R-42", Text("Each start and each Leader has a Hideout of its own."))


def _check_targets(view: Picture) -> None:
    """Check that each Leader is hunted by exactly one other player, or can still be (SA-R-41)."""
    chosen = {seat: player.target for seat, player in view.players.items() if player.target is not None}
    if any(seat == target for seat, target in chosen.items()):
        raise Refused("SA-R-41", Text("No one hunts their own Leader."))
    if not view.rulings.single_hunters:
        return
    # With one choice left, the only free Leader must not be the chooser's own.
    lone = set(view.seats) - set(chosen)
    left = set(view.seats) - set(chosen.values())
    doubled = len(set(chosen.values())) < len(chosen)
    if doubled or (len(lone) == 1 and lone == left):
        raise Refused("SA-R-41", Text("Each Leader is hunted by exactly one other player."))


def _check_mines(view: Picture) -> None:
    laid = [space for player in view.players.values() for space in player.mines]
    if len(set(laid)) < len(laid) or not all(map(places.is_space, laid)):
        raise Refused("SA-R-24", Text("At most one mine lies on a space, and none on a Hideout."))
    if view.rulings.limited_mines and any(len(player.mines) > MINES for player in view.players.values()):
        raise Refused("SA-R-24", Text("Nobody has more than five mines on the board."))


def _check_markers(view: Picture) -> None:
    """Check that markers are only in Hideouts that they may enter (SA-R-40, SA-R-54)."""
    for player in view.players.values():
        # An Assassin in the Target's Hideout ends the game.
        goal = view.players[player.target].leader if player.target and view.over else None
        open_to = ((player.sniper, _sniper_hideouts(view, player)), (player.assassin, (player.start, goal)))
        for space, allowed in open_to:
            if space is not None and not places.is_space(space) and space not in allowed:
                raise Refused("SA-R-40", Text("No marker can stand in the Hideout {space}.", space=space))


def _sniper_hideouts(view: Picture, player: Player) -> tuple[str | None, ...]:
    """Return the Hideouts in which a Sniper can stand: its start, or all on that side if it may jump out (SA-R-47)."""
    if player.start is None or view.rulings.grounded_in_hideouts:
        return (player.start,)
    return tuple(name for name in places.hideouts(view.pathways) if name[-1] == player.start[-1])


def _check_cards(view: Picture) -> None:
    improvements = [player.improvement for player in view.players.values() if player.improvement is not None]
    number_of = Counter([*improvements, *view.discard, *(view.deck or ())])
    box = Counter(cards.box(view.options.core_only))
    if any(number_of[card] > box[card] for card in number_of):
        raise Refused("SA-D-01", Text("There are fewer cards of a kind than that."))
