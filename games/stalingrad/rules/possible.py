"""Validate described positions. Each violation raises `NotUnderstood`."""

from __future__ import annotations

from collections.abc import Iterator

from engine.refusal import NotUnderstood
from engine.text import Text
from games.stalingrad.rules.acts import LETTERS, hunt_stat
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.picture import ROLLS, Picture
from games.stalingrad.rules.words import CAP


def validate_position(truth: Picture, *, over: bool) -> None:
    """Raise `NotUnderstood` for a position that can't occur. `over` means that the game has ended."""
    faults = [*_players(truth), *_aid(truth), *(_after_the_end(truth) if over else _turn(truth))]
    if faults:
        raise NotUnderstood(faults[0])


def _players(truth: Picture) -> Iterator[Text]:
    if not truth.left and len(truth.players) > 1:
        yield Text("Nobody is left: the game was over before.")
    for seat, player in truth.players.items():
        if player.out and (player.hand or player.xp or player.skip):
            yield Text("{seat} is out and has no hand, no tokens and no turns to lose.", seat=seat)
        if any(CARDS[card].kind != "aid" for card in player.hand or ()):
            yield Text("{seat} can hold Aids alone.", seat=seat)
        if any(CARDS[card].kind != "target" for card in player.kills):
            yield Text("{seat} can have killed Targets alone.", seat=seat)


def _aid(truth: Picture) -> Iterator[Text]:
    if truth.aid is None:
        return
    if (CARDS[truth.aid].letter or "-") not in LETTERS[hunt_stat(truth)]:
        yield Text("{card} is not an Aid that is played before the draw.", card=truth.aid)
    if truth.aid not in truth.discard:
        yield Text("{card} was played and lies in the discard.", card=truth.aid)


def _after_the_end(truth: Picture) -> Iterator[Text]:
    if truth.facedown or truth.card is not None or truth.die is not None:
        yield Text("The game is over: no card lies face down or waits.")


def _turn(truth: Picture) -> Iterator[Text]:
    if truth.actor.out or truth.actor.skip:
        yield Text("Whose turn it is has no turns to lose and is not out.")
    if (None if truth.card is None else CARDS[truth.card].kind) != (truth.phase if truth.phase in ROLLS else None):
        yield Text("The phase {phase} does not go with the card that waits.", phase=truth.phase)
    die_lies = truth.phase in ROLLS and not truth.options.switches.aids_before_roll
    if (truth.die is not None) != die_lies:
        yield Text("A die lies beside a card that waits where it is thrown first, and nowhere else.")
    if truth.facedown and truth.phase not in ("reveal", *ROLLS):
        yield Text("In the phase {phase} no card lies face down.", phase=truth.phase)
    if truth.phase == "reveal" and not truth.facedown:
        yield Text("A card to be turned over lies face down.")
    if len(truth.facedown or ()) > (CAP if truth.card is None else CAP - 1):
        yield Text("Nobody draws more than 9 cards.")
