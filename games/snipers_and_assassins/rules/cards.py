"""Improvement cards as data: effects, number of copies, and texts (SA-IMP-*, SA-D-01)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from engine.text import Text


class Improvement(Struct, frozen=True):
    """One kind of card. `core` cards come from the original game; the others are additions.

    `range` is added to the range of shots. `steps` is added to the walks of options B and C. `charges` is how many
    times the card works. 0 means for as long as it is held.
    """

    title: Text
    text: Text
    copies: int
    core: bool = False
    range: int = 0
    steps: int = 0
    charges: int = 0


CARDS: Final[dict[str, Improvement]] = {
    "scope": Improvement(
        Text("Sniper Scope Adjustment"), Text("Your Sniper shoots 4 spaces far instead of 3."), 5, core=True, range=1
    ),
    "drop": Improvement(
        Text("Got the Drop"), Text("Run-ins do your Sniper and your Assassin no harm."), 4, core=True
    ),
    "spring": Improvement(
        Text("Steel Coiled Spring"), Text("Your Sniper makes a double jump in one turn."), 4, core=True
    ),
    "armor": Improvement(
        Text("Body Armor"), Text("It stops the next three shots at your Sniper."), 5, core=True, charges=3
    ),
    "mask": Improvement(Text("Gas Mask"), Text("Your Sniper survives one gas mine."), 3, charges=1),
    "reload": Improvement(
        Text("Quick Reload"), Text("After two spaces or a jump and a shot, your Sniper need not recover."), 3
    ),
    "pads": Improvement(
        Text("Padded Soles"),
        Text("Your Sniper walks one space more where it could walk two or three, or one after a jump."),
        2,
        steps=1,
    ),
    "spike": Improvement(
        Text("Spike Round"), Text("One Assassin that would dodge your shot is hit instead."), 2, charges=1
    ),
}  # fmt: skip
ARMOR: Final = CARDS["armor"].charges


def box(core_only: bool) -> tuple[str, ...]:
    """Return every card of the game, including duplicates."""
    return tuple(name for name, card in CARDS.items() if card.core or not core_only for _ in range(card.copies))


def without(cards: Iterable[str], taken: Iterable[str]) -> tuple[str, ...]:
    """Return the cards that remain after others are removed, grouped by kind."""
    return tuple((Counter(cards) - Counter(taken)).elements())
