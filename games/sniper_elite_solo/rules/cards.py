"""Solo cards and officers' challenges: the data, and the language of their steps (SO-D-01..12).

`steps.py` executes the steps, and `show/foresight.py` describes them in advance.
"""

from __future__ import annotations

import pkgutil
from typing import Any, Final, Literal, TypeVar

import msgspec
from msgspec import Struct

Deck = Literal["standard", "veteran"]
"""`standard` is the deck of the rules. `veteran` has harder cards; see `docs/balance.md` for measurements."""
Which = tuple[str, ...]  # Selectors of defenders. A defender must match all of them (SO-D-03).
P = TypeVar("P")


class CardStep(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """One step of a card."""


class UpdateLks(CardStep, frozen=True, tag="update_lks"):
    """Set the last known sector to the sniper's sector (SO-LKS-01)."""


class RevealPosition(CardStep, frozen=True, tag="reveal_position"):
    """Reveal the sniper's position (SO-LKS-02)."""


class Eliminate(CardStep, frozen=True, tag="eliminate"):
    """Remove a possible objective (SO-OBJ-01, SO-D-08)."""

    which: Literal["none", "lowest_in_lks"]


class DeployStep(CardStep, frozen=True, tag="deploy"):
    """Put defenders directly on their target (SO-KEY-06)."""

    who: Which
    to: str


class MoveStep(CardStep, frozen=True, tag="move"):
    """Move defenders up to `n` spaces (SO-KEY-08)."""

    who: Which
    n: int
    to: str


class Scan(CardStep, frozen=True, tag="scan"):
    """Make defenders scan (SO-KEY-03)."""

    who: Which


class Search(CardStep, frozen=True, tag="search"):
    """Make defenders search (SO-KEY-04)."""

    who: Which


class Attack(CardStep, frozen=True, tag="attack"):
    """Attack spaces (SO-KEY-05). A space is attacked if any selector in `spaces` matches it (SO-D-06)."""

    spaces: tuple[str, ...]


class Assignment(CardStep, frozen=True, tag="assignment"):
    """Deploy each colour to marked spaces (SO-ASG-01). `marks` names a set of them."""

    marks: str
    per_colour: int


class ForEachPossible(CardStep, frozen=True, tag="for_each_possible_objective"):
    """Repeat `body` for each possible objective in ascending order (SO-KEY-12)."""

    body: tuple[Repeatable, ...]


class If(CardStep, frozen=True, tag="if"):
    """Execute one of two lists of steps (SO-D-07)."""

    cond: str
    then: tuple[AnyStep, ...]
    otherwise: tuple[AnyStep, ...] = msgspec.field(name="else", default=())


Repeatable = MoveStep | DeployStep
AnyStep = (
    Repeatable | UpdateLks | RevealPosition | Eliminate | Scan | Search | Attack | Assignment | ForEachPossible | If
)


class SoloCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card of the defenders' deck (SO-D-01). `set` is the subset of `deck` that it belongs to."""

    id: str
    title: str
    set: Literal["common", "LF", "SP"]
    urgent: bool
    steps: tuple[AnyStep, ...]
    deck: Deck = "standard"


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """A change that a challenge makes to a number of the rules (SO-C-02). `scope` limits where it applies."""

    param: str
    delta: int
    scope: str | None = None


class Hook(Struct, frozen=True, forbid_unknown_fields=True):
    """Steps that a challenge adds at a point of the game (SO-R-67), if `cond` holds."""

    when: Literal["first_objective_done", "urgent_card_resolved", "defender_turn_end"]
    steps: tuple[AnyStep, ...]
    cond: str | None = msgspec.field(name="if", default=None)


class Challenge(Struct, frozen=True, forbid_unknown_fields=True):
    """Two complications, each a `Change` if it has a `param`, else a `Hook`, and a benefit (SO-DIF-01)."""

    id: str
    title: str
    complications: tuple[dict[str, Any], ...]
    benefit: Change

    def parts(self, kind: type[P], field: str) -> list[P]:
        """Return the complications of one kind. They have this field."""
        return [msgspec.convert(part, kind) for part in self.complications if field in part]


def _data(name: str) -> bytes:
    found = pkgutil.get_data(__name__, f"data/{name}.json")
    assert found is not None, "the data files are next to this module"
    return found


CARDS: Final[dict[str, SoloCard]] = {
    card.id: card
    for name in ("cards", "veterans")
    for card in msgspec.json.decode(_data(name), type=tuple[SoloCard, ...])
}
"""The cards of both decks by ID, 21 each, in data order."""
CHALLENGES: Final[dict[str, Challenge]] = {
    challenge.id: challenge for challenge in msgspec.json.decode(_data("challenges"), type=tuple[Challenge, ...])
}


def in_use(which: str, deck: Deck = "standard") -> tuple[str, ...]:
    """Return the fifteen cards of a map's set, in data order (SO-SET-02, SO-SET-07)."""
    return tuple(name for name, card in CARDS.items() if card.deck == deck and card.set in ("common", which))


def is_urgent(card: str) -> bool:
    """Return whether a card is urgent (SO-SET-04, SO-R-01)."""
    return CARDS[card].urgent
