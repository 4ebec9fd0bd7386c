"""Read and write a game as a position. Impossible positions are refused.

The protocol defines the format. Fields that are left out have their values from the start of a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from engine.chance import Chance
from engine.naming import convert, present, require_known
from engine.refusal import NotUnderstood
from engine.text import Text
from games.stalingrad.rules.acts import LETTERS, hunt_stat
from games.stalingrad.rules.cards import CARDS, in_order
from games.stalingrad.rules.picture import ROLLS, DescribedPlayer, Options, Over, Picture, Player, pictures
from games.stalingrad.rules.turn import ending, reason
from games.stalingrad.rules.words import CAP, FACES, Phase


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A game as described in JSON. None means not described."""

    turn: str | None = None
    phase: Phase | None = None
    card: str | None = None
    die: Annotated[int, Meta(ge=FACES[0], le=FACES[-1])] | None = None
    aid: str | None = None
    players: dict[str, DescribedPlayer] = {}
    deck: tuple[str, ...] | None = None
    facedown: tuple[str, ...] | None = None
    discard: tuple[str, ...] | None = None
    unseen: tuple[str, ...] | None = None
    over: Over | None = None


def read_position(options: Options, raw: Any, chance: Chance) -> dict[str, Picture]:
    """Return each viewer's picture of a position. Raises `NotUnderstood`, or `Refused` for impossible results."""
    fields = present(raw, Position, players=DescribedPlayer)
    position: Position = convert(fields, Position, Text("The position cannot be read: {error}."))
    require_known(Text("seat"), [position.turn, *position.players], options.seats)
    unnamed = _unnamed_cards(position)
    # The checks need a whole picture, so the deck is filled first and shuffled last.
    truth = _build(options, position, unnamed)
    if position.phase == "over" and _why_over(truth) is None:
        raise NotUnderstood(Text("Nothing has ended the game: the phase cannot be over."))
    validate_position(truth, over=_why_over(truth) is not None)
    truth = _with_ending(truth, position)
    if position.deck is None:
        truth = replace(truth, deck=chance.order("deck", unnamed, "ST-SET-01"))
    return pictures(truth)


def _named_cards(position: Position) -> Iterator[str]:
    for player in position.players.values():
        yield from (*(player.hand or ()), *player.kills)
    for pile in (position.deck, position.facedown, position.discard, position.unseen):
        yield from pile or ()
    if position.card is not None:
        yield position.card


def _unnamed_cards(position: Position) -> tuple[str, ...]:
    """Return the cards that a position doesn't name. Refuse an unknown, doubled or missing one."""
    named = [*_named_cards(position)]
    require_known(Text("card"), [*named, position.aid], CARDS)
    # The aid in play is also in the discard, so it is not counted here.
    twice = [card for card in CARDS if named.count(card) > 1]
    if twice:
        raise NotUnderstood(Text("{card} is in two places at once.", card=twice[0]))
    unnamed = tuple(card for card in CARDS if card not in named)
    # By default, a card that is not named is in the deck, or has left the game unseen.
    if unnamed and position.deck is not None and position.unseen is not None:
        raise NotUnderstood(Text("{card} is missing: if you give deck and unseen, name every card.", card=unnamed[0]))
    return unnamed


def _build(options: Options, position: Position, unnamed: tuple[str, ...]) -> Picture:
    deck, unseen = position.deck, position.unseen
    if deck is None:
        deck = unnamed
    # Cards that aren't named go to the deck. If the deck is given, they left the game unseen.
    elif unseen is None:
        unseen = unnamed
    facedown, unseen = position.facedown or (), in_order(unseen or ())
    return Picture(
        options,
        {seat: _player(position.players.get(seat, DescribedPlayer())) for seat in options.seats},
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


def _player(described: DescribedPlayer) -> Player:
    hand = in_order(described.hand or ())
    return Player(**{**asdict(described), "hand": hand, "kills": in_order(described.kills)}, hand_size=len(hand))


def _phase(position: Position) -> Phase:
    """Return the given phase, or the phase that matches the cards on the table."""
    if position.phase is not None and position.phase != "over":
        return position.phase
    kind = None if position.card is None else CARDS[position.card].kind
    if kind in ROLLS:
        return kind  # type: ignore[return-value]
    # A turn with cards still face down continues with the next one.
    return "reveal" if position.facedown else "hunt"


def _why_over(truth: Picture) -> Any:
    """Return why the position is over, or None. An empty deck ends the game when a turn would start."""
    why = reason(truth)
    # In other phases the current turn is still played to its end.
    return None if why == "deck" and truth.phase != "hunt" else why


def _with_ending(truth: Picture, position: Position) -> Picture:
    """Return the final position if the game is over. Refuse a description of another end."""
    why = _why_over(truth)
    over = None if why is None else ending(truth, why)
    if position.over not in (None, over):
        raise NotUnderstood(Text("The game has not ended in this way."))
    return truth if over is None else replace(truth, turn=None, aid=None, phase="over", over=over)


def write_position(view: Picture) -> dict[str, Any]:
    """Return a picture as a position. Values unknown to the viewer are None."""
    fields = {name: msgspec.to_builtins(getattr(view, name)) for name in Position.__struct_fields__}
    for player in fields["players"].values():
        del player["hand_size"]
    return fields


def validate_position(truth: Picture, *, over: bool) -> None:
    """Raise `NotUnderstood` for a position that can't occur. `over` means that the game has ended."""
    faults = [*_player_faults(truth), *_aid_faults(truth), *(_after_the_end(truth) if over else _turn(truth))]
    if faults:
        raise NotUnderstood(faults[0])


def _player_faults(truth: Picture) -> Iterator[Text]:
    if not truth.left and len(truth.players) > 1:
        yield Text("Nobody is left: the game was over before.")
    for seat, player in truth.players.items():
        if player.out and (player.hand or player.xp or player.skip):
            yield Text("{seat} is out and has no hand, no tokens and no turns to lose.", seat=seat)
        if any(CARDS[card].kind != "aid" for card in player.hand or ()):
            yield Text("{seat} can hold only Aids.", seat=seat)
        if any(CARDS[card].kind != "target" for card in player.kills):
            yield Text("{seat} can have killed only Targets.", seat=seat)


def _aid_faults(truth: Picture) -> Iterator[Text]:
    if truth.aid is None:
        return
    if CARDS[truth.aid].letter not in LETTERS[hunt_stat(truth)]:
        yield Text("{card} is not an Aid that is played before the draw.", card=truth.aid)
    if truth.aid not in truth.discard:
        yield Text("{card} was played and lies in the discard.", card=truth.aid)


def _after_the_end(truth: Picture) -> Iterator[Text]:
    if truth.facedown or truth.card is not None or truth.die is not None:
        yield Text("The game is over: no card lies face down or waits.")


def _turn(truth: Picture) -> Iterator[Text]:
    if truth.actor.out or truth.actor.skip:
        yield Text("The player whose turn it is has no turns to lose and is not out.")
    if (None if truth.card is None else CARDS[truth.card].kind) != (truth.phase if truth.phase in ROLLS else None):
        yield Text("The phase {phase} does not go with the card that waits.", phase=truth.phase)
    die_lies = truth.phase in ROLLS and not truth.options.switches.aids_before_roll
    if (truth.die is not None) != die_lies:
        yield Text("A die lies next to a waiting card if it is rolled first, and nowhere else.")
    if truth.facedown and truth.phase not in ("reveal", *ROLLS):
        yield Text("In the phase {phase} no card lies face down.", phase=truth.phase)
    if truth.phase == "reveal" and not truth.facedown:
        yield Text("A card to be turned over lies face down.")
    if len(truth.facedown or ()) > (CAP if truth.card is None else CAP - 1):
        yield Text("Nobody draws more than 9 cards.")
