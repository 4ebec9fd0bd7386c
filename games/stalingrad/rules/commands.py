"""All commands of a seat, one frozen class each. `acts.py` defines when each is legal."""

from __future__ import annotations

from typing import Final

from engine.game import Command
from engine.naming import require_known, tagged
from engine.refusal import NotUnderstood
from engine.text import Text, comma_list
from games.stalingrad.rules.cards import CARDS, in_order
from games.stalingrad.rules.words import Stat


class SeatCommand(Command, frozen=True, forbid_unknown_fields=True):
    """A command of the player whose turn it is."""


class Play(SeatCommand, tag="play", frozen=True):
    """Play one Aid before the draw (ST-HNT-02)."""

    card: str


class Draw(SeatCommand, tag="draw", frozen=True):
    """Lay out the cards of this turn (ST-HNT-01)."""


class Reveal(SeatCommand, tag="reveal", frozen=True):
    """Turn over the next face-down card (ST-SHO-01)."""


class Commit(SeatCommand, tag="commit", frozen=True):
    """Commit Aids to the roll against the current card (ST-TGT-02, ST-DNG-02)."""

    cards: tuple[str, ...]


class Buy(SeatCommand, tag="buy", frozen=True):
    """Buy one point of a stat with tokens (ST-XP-05)."""

    stat: Stat


class Discard(SeatCommand, tag="discard", frozen=True):
    """Discard an Aid above the hand limit (ST-ESC-01)."""

    card: str


class EndTurn(SeatCommand, tag="end-turn", frozen=True):
    """End the Escape phase."""


KINDS: Final = tagged(globals())
_CARD: Final = Text("card")  # made once, because making it takes longer than reading a command


def canonical(command: SeatCommand) -> SeatCommand:
    """Return the command in the form that `legal` lists. Raises `NotUnderstood` for an unknown or repeated card."""
    if not isinstance(command, Commit):
        if isinstance(command, (Play, Discard)):
            require_known(_CARD, [command.card], CARDS)
        return command
    require_known(_CARD, command.cards, CARDS)
    if len(set(command.cards)) < len(command.cards):
        raise NotUnderstood(Text("A card is named twice among {cards}.", cards=comma_list(command.cards)))
    return Commit(in_order(command.cards))
