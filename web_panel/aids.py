"""The player aids: a sheet for each side, made of rules of the book and of the cards as the table has them.

What stands on a sheet is the game's choice (`games/<folder>/show/aids.toml`); the words are the rule book's, so that a
sheet can never say anything else.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from firmware_host.core.game_files import game_folder
from firmware_host.core.sizes import TooLarge, whole_file
from web_panel.rules import PageGroup, grouped


@dataclass(frozen=True)
class SheetChoice:
    """What is to stand on one side's sheet. The titles are keys of the catalogues.

    `rules` are the numbers of the rules in each group of the book, `cards` which of the table's cards belong to it;
    empty for none.
    """

    side: str
    title: str
    rules: Mapping[str, Sequence[int]]
    cards: str = ""
    cards_title: str = ""


@dataclass(frozen=True)
class AidCard:
    """A card of the game, as its glossary calls it; `copies` is 1 where there is but one."""

    name: str
    title: str
    text: str
    copies: int


@dataclass(frozen=True)
class Sheet:
    """What one side wants at hand."""

    choice: SheetChoice
    groups: Sequence[PageGroup]
    cards: Sequence[AidCard]


def chosen(game: str) -> list[SheetChoice]:
    """What a game has chosen for its sheets; none where it has no aids, or none that can be read. Raises `LookupError`
    for no such game.
    """
    path = game_folder(game) / "show" / "aids.toml"
    try:
        return [_choice(sheet) for sheet in tomllib.loads(whole_file(path).decode()).get("sheet", ())]
    except (OSError, TooLarge, ValueError, TypeError, RecursionError):  # no TOML, or another content than aids have
        return []


def _choice(sheet: dict[str, Any]) -> SheetChoice:
    """Raises `TypeError` for what is no sheet."""
    choice = SheetChoice(**sheet)
    words = (choice.side, choice.title, choice.cards, choice.cards_title)
    if not isinstance(choice.rules, Mapping) or not all(isinstance(text, str) for text in words):
        raise TypeError
    for numbers in choice.rules.values():
        if not isinstance(numbers, list) or not all(isinstance(number, int) for number in numbers):
            raise TypeError
    return choice


def sheets(
    choices: Iterable[SheetChoice], rules: Iterable[Mapping[str, Any]], glossary: Mapping[str, Any]
) -> list[Sheet]:
    """The sheets, of the rules of `TableInterface.rules` and the cards of `TableInterface.lobby`."""
    listed = list(rules)
    return [_sheet(choice, listed, glossary.get(choice.cards)) for choice in choices]


def _sheet(choice: SheetChoice, rules: Sequence[Mapping[str, Any]], cards: Any) -> Sheet:
    """Return a sheet of what there is: a choice may name rules and cards that the game does not have."""
    wanted = {(group, f"{number:02}") for group, numbers in choice.rules.items() for number in numbers}
    groups = {
        group.name: group for group in grouped(rule for rule in rules if (rule["group"], rule["id"][-2:]) in wanted)
    }
    return Sheet(
        choice,
        [groups[name] for name in choice.rules if name in groups],
        [_card(name, card) for name, card in cards.items()] if isinstance(cards, Mapping) else [],
    )


def _card(name: str, card: Any) -> AidCard:
    facts = card if isinstance(card, Mapping) else {}
    copies = facts.get("copies", 1)
    return AidCard(name, facts.get("title", name), facts.get("text", ""), copies if isinstance(copies, int) else 1)
