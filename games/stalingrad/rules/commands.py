"""Everything that a seat can want, one frozen value each; which rules they meet is in `acts.py`."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from engine.game import Command
from engine.refusal import NotUnderstood
from engine.text import Text, comma_list
from games.stalingrad.rules.cards import CARDS, in_order
from games.stalingrad.rules.words import ALL_SEATS, Stat, known


class Act(Command, frozen=True, forbid_unknown_fields=True):
    """Given by the player whose turn it is."""


class Play(Act, tag="play", frozen=True):
    """One Aid before the draw (ST-HNT-02)."""

    card: str


class Draw(Act, tag="draw", frozen=True):
    """The cards of this turn (ST-HNT-01)."""


class Reveal(Act, tag="reveal", frozen=True):
    """The next face-down card (ST-SHO-01)."""


class Commit(Act, tag="commit", frozen=True):
    """The Aids for the roll against the card that was turned over (ST-TGT-02, ST-DNG-02)."""

    cards: tuple[str, ...]


class Buy(Act, tag="buy", frozen=True):
    """One point of a stat for tokens (ST-XP-05)."""

    stat: Stat


class Discard(Act, tag="discard", frozen=True):
    """An Aid that is too many (ST-ESC-01)."""

    card: str


class EndTurn(Act, tag="end-turn", frozen=True):
    """The Escape phase is over."""


AnyAct = Play | Draw | Reveal | Commit | Buy | Discard | EndTurn
_KINDS = {kind.__struct_config__.tag: kind for kind in get_args(AnyAct)}


def read(seat: str, raw: Any) -> Act:
    """A command from decoded JSON. Raises `NotUnderstood`; whether it may be done now is not asked."""
    known(Text("seat that acts"), [seat], ALL_SEATS)
    kind = raw.get("type") if isinstance(raw, dict) else None
    if isinstance(kind, str):
        known(Text("action"), [kind], _KINDS)
    try:
        command: Act = msgspec.convert(raw, AnyAct)
    except msgspec.ValidationError as error:
        raise NotUnderstood(Text("The action cannot be read: {error}.", error=str(error))) from error
    return canonical(command)


def canonical(command: Act) -> Act:
    """The command as `legal` lists it. Raises `NotUnderstood` for an unknown card and for one that is named twice."""
    if isinstance(command, Play | Discard):
        known(Text("card"), [command.card], CARDS)
    if not isinstance(command, Commit):
        return command
    known(Text("card"), command.cards, CARDS)
    if len(set(command.cards)) < len(command.cards):
        raise NotUnderstood(Text("A card is named twice among {cards}.", cards=comma_list(command.cards)))
    return Commit(in_order(command.cards))
