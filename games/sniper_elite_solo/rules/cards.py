"""The solo cards and the officers' challenges: data, and the language in which their steps are written (SO-D-01..12).

What the steps do is `steps.py`; how they are explained before they happen is `explain.py`.
"""

from __future__ import annotations

import pkgutil
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

Deck = Literal["standard", "veteran"]
"""`standard` is the deck of the rules; `veteran` is made of harder cards, measured in `docs/balance.md`."""
Which = tuple[str, ...]
"""Selectors of defenders; all of them have to fit (SO-D-03)."""


class Step(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """One thing that a card does."""


class UpdateLks(Step, frozen=True, tag="update_lks"):
    """The last known sector becomes that of the sniper (SO-LKS-01)."""


class RevealPosition(Step, frozen=True, tag="reveal_position"):
    """SO-LKS-02."""


class Eliminate(Step, frozen=True, tag="eliminate"):
    """A possible objective goes (SO-OBJ-01, SO-D-08)."""

    which: Literal["none", "lowest_in_lks"]


class MoveStep(Step, frozen=True, tag="move"):
    """Defenders walk up to `n` spaces (SO-KEY-08)."""

    who: Which
    n: int
    to: str


class DeployStep(Step, frozen=True, tag="deploy"):
    """Defenders are put straight onto their target (SO-KEY-06)."""

    who: Which
    to: str


class Scan(Step, frozen=True, tag="scan"):
    """SO-KEY-03."""

    who: Which


class Search(Step, frozen=True, tag="search"):
    """SO-KEY-04."""

    who: Which


class Attack(Step, frozen=True, tag="attack"):
    """SO-KEY-05; `spaces` are selectors, any of which may fit (SO-D-06)."""

    spaces: tuple[str, ...]


class Assignment(Step, frozen=True, tag="assignment"):
    """SO-ASG-01; `marks` is a set of marked spaces."""

    marks: str
    per_colour: int


class ForEachPossible(Step, frozen=True, tag="for_each_possible_objective"):
    """Once for each possible objective in ascending order (SO-KEY-12)."""

    body: tuple[MoveStep | DeployStep, ...]


class If(Step, frozen=True, tag="if"):
    """One or the other (SO-D-07)."""

    cond: str
    then: tuple[AnyStep, ...]
    otherwise: tuple[AnyStep, ...] = msgspec.field(name="else", default=())


AnyStep = (
    UpdateLks
    | RevealPosition
    | Eliminate
    | MoveStep
    | DeployStep
    | Scan
    | Search
    | Attack
    | Assignment
    | ForEachPossible
    | If
)


class SoloCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card of the defenders' deck (SO-D-01). `deck` is the deck that it belongs to, `set` its part of that deck."""

    id: str
    title: str
    set: Literal["common", "LF", "SP"]
    urgent: bool
    steps: tuple[AnyStep, ...]
    deck: Deck = "standard"


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """A number of the rules that a challenge changes (SO-C-02); `scope` narrows where it counts."""

    param: str
    delta: int
    scope: str | None = None


class Hook(Struct, frozen=True, forbid_unknown_fields=True):
    """Steps that a challenge adds at a moment of the game (SO-R-67), if `cond` holds."""

    when: Literal["first_objective_done", "urgent_card_resolved", "defender_turn_end"]
    steps: tuple[AnyStep, ...]
    cond: str | None = msgspec.field(name="if", default=None)


class Challenge(Struct, frozen=True, forbid_unknown_fields=True):
    """An officer's challenge: two complications and a benefit (SO-DIF-01)."""

    id: str
    title: str
    complications: tuple[dict[str, Any], ...]
    benefit: Change

    @property
    def changes(self) -> tuple[Change, ...]:
        """The complications that change a number."""
        return tuple(msgspec.convert(part, Change) for part in self.complications if "param" in part)

    @property
    def hooks(self) -> tuple[Hook, ...]:
        """The complications that add steps."""
        return tuple(msgspec.convert(part, Hook) for part in self.complications if "when" in part)


def _data(name: str) -> bytes:
    found = pkgutil.get_data(__name__, f"data/{name}.json")
    assert found is not None, "the data lie beside the code"
    return found


CARDS: Final[dict[str, SoloCard]] = {
    card.id: card
    for name in ("cards", "veterans")
    for card in msgspec.json.decode(_data(name), type=tuple[SoloCard, ...])
}
"""The solo cards of both decks by id, 21 in each, in the order of the lists."""
CHALLENGES: Final[dict[str, Challenge]] = {
    challenge.id: challenge for challenge in msgspec.json.decode(_data("challenges"), type=tuple[Challenge, ...])
}


def in_use(which: str, deck: Deck = "standard") -> tuple[str, ...]:
    """The fifteen cards of a map's set, in the order of the list (SO-SET-02, SO-SET-07)."""
    return tuple(name for name, card in CARDS.items() if card.deck == deck and card.set in ("common", which))


def urgent(which: str, deck: Deck = "standard") -> tuple[str, ...]:
    """The urgent ones among them (SO-SET-04, SO-R-01)."""
    return tuple(name for name in in_use(which, deck) if CARDS[name].urgent)


def others(which: str, deck: Deck = "standard") -> tuple[str, ...]:
    """Those among them that are not urgent (SO-SET-06)."""
    return tuple(name for name in in_use(which, deck) if not CARDS[name].urgent)
