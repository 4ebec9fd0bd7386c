"""The player aids: a sheet for each side, made of rules of the book and of the cards as the table has them.

What stands on a sheet is chosen here; the words are the rule book's, so that a sheet can never say anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from web_panel.rules import Group, grouped

CHOSEN: Mapping[str, Mapping[str, Sequence[int]]] = {
    "sniper": {
        "TURN": (5, 6, 10),
        "MOVE": (1, 3, 5, 9, 11),
        "NOISE": (2,),
        "SHOOT": (5, 7, 8, 10, 12, 13),
        "LOOT": (1, 2, 4),
        "OBJ": (1, 2, 3, 4, 7),
        "LOAD": (2, 4),
        "END": (2, 3),
    },
    "defenders": {
        "DEF": (2, 4, 5, 6, 8),
        "INTEL": (1, 2, 3),
        "ACT": (1, 2, 3, 6, 7, 8, 10, 11, 13, 15, 18),
        "BAG": (1, 2, 4, 5),
        "SHOOT": (7, 8, 10),
        "END": (1, 2, 3),
    },
}
"""Side -> group -> the rules of it that one wants at hand."""
CARDS: Mapping[str, str] = {"sniper": "cards", "defenders": "specialists"}
"""Side -> which of the table's cards belong to it."""


TITLES: Mapping[str, tuple[str, str]] = {
    "sniper": ("frame.aids.sniper", "frame.aids.sniper.cards"),
    "defenders": ("frame.aids.defenders", "frame.aids.defenders.cards"),
}
"""Side -> what stands over its sheet, and over its cards."""


@dataclass(frozen=True)
class Card:
    """A card of the game; `copies` is 1 where there is but one."""

    title: str
    text: str
    copies: int


@dataclass(frozen=True)
class Sheet:
    """What one side wants at hand. The titles are keys of the catalogues."""

    side: str
    title: str
    cards_title: str
    groups: Sequence[Group]
    cards: Sequence[Card]


def sheets(rules: Iterable[Mapping[str, Any]], glossary: Mapping[str, Any]) -> list[Sheet]:
    """Both sheets, of the rules of `TableInterface.rules` and the cards of `TableInterface.lobby`."""
    listed = list(rules)
    return [_sheet(side, listed, glossary[CARDS[side]]) for side in CHOSEN]


def _sheet(side: str, rules: Sequence[Mapping[str, Any]], cards: Mapping[str, Mapping[str, Any]]) -> Sheet:
    wanted = {f"MP-{group}-{number:02}" for group, numbers in CHOSEN[side].items() for number in numbers}
    groups = {group.name: group for group in grouped(rule for rule in rules if rule["id"] in wanted)}
    return Sheet(
        side,
        *TITLES[side],
        [groups[name] for name in CHOSEN[side]],
        [Card(card["title"], card["text"], card.get("copies", 1)) for card in cards.values()],
    )
