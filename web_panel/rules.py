"""Prepare the rule book for a page: groups of rules, and readable names of rules, made of their section and number.

The numbers of rules (MP-MOVE-03) are only in addresses.

Player aids are one sheet per side, made of rule book entries and the game's cards. The game chooses what a sheet
contains (`games/<folder>/show/aids.toml`). The text itself comes from the rule book, so a sheet can never contradict
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from firmware_host.core.data_files import AidsFile, DataFileError, SheetChoice, decoded
from firmware_host.core.game_files import game_folder
from firmware_host.core.rulebook import Rulebook, RuleEntry
from firmware_host.core.sizes import TooLarge, whole_file

NUMBER = re.compile(r"\b((?:[A-Z]{2}-[A-Z]+|R)-\d\d)\b")
RULINGS = frozenset({"R", "RULINGS"})
"""The names of the groups of rulings, whose titles are sentences."""


class RuleName(NamedTuple):
    """A rule's name: its `section`, empty for a ruling, and its `number` in the section. `id` is its address."""

    id: str
    section: str
    number: int


Pieces = list[str | RuleName]
"""A text with links: its parts in order, some of which refer to rules of the book."""


@dataclass(frozen=True)
class PageRule:
    """One numbered rule. For a ruling with a switch, `off` says what the switch does."""

    id: str
    name: RuleName
    kind: str
    paragraphs: list[Pieces]
    off: Pieces


@dataclass(frozen=True)
class PageGroup:
    """Rules about one topic, in one language. `name` is part of the rules' numbers."""

    name: str
    language: str
    title: str
    about: str
    rules: list[PageRule]


def rule_groups(book: Rulebook, is_wanted: Callable[[RuleEntry], bool] = lambda _: True) -> list[PageGroup]:
    """Return the groups of a book, with only the entries that match `is_wanted`; groups without such entries are left
    out."""
    names = {
        entry.id: RuleName(entry.id, "" if group.name in RULINGS else group.title, int(entry.id[-2:]))
        for group in book.groups
        for entry in group.entries
    }
    return [
        PageGroup(group.name, book.language, group.title, group.about, [_rule(entry, names) for entry in listed])
        for group in book.groups
        if (listed := [*filter(is_wanted, group.entries)])
    ]


def _rule(entry: RuleEntry, names: Mapping[str, RuleName]) -> PageRule:
    paragraphs = [_pieces(part, names) for part in entry.text.split("\n\n")]
    return PageRule(entry.id, names[entry.id], entry.kind, paragraphs, _pieces(entry.off, names))


def _pieces(text: str, names: Mapping[str, RuleName]) -> Pieces:
    # Because of the group in the pattern, `split` returns the numbers as pieces, too.
    return [names.get(piece, piece) for piece in NUMBER.split(text) if piece]


@dataclass(frozen=True)
class AidCard:
    """A card of the game under its glossary name. `copies` is 1 for a single card."""

    name: str
    title: str
    text: str
    copies: int


@dataclass(frozen=True)
class Sheet:
    """The player aid for one side."""

    choice: SheetChoice
    groups: Sequence[PageGroup]
    cards: Sequence[AidCard]


def sheet_choices(game: str) -> list[SheetChoice]:
    """Return the sheets that a game has chosen.

    The list is empty if the game has no aids, or none that can be read. Raises `LookupError` if the game does not
    exist.
    """
    path = game_folder(game) / "show" / "aids.toml"
    try:
        return decoded(whole_file(path), path.name, AidsFile).sheet
    except (OSError, TooLarge, DataFileError):
        return []


def sheets(choices: Iterable[SheetChoice], book: Rulebook, glossary: Mapping[str, Any]) -> list[Sheet]:
    """Return the sheets, from the rule book and the cards of `TableInterface.lobby`."""
    return [_sheet(choice, book, glossary.get(choice.cards)) for choice in choices]


def _sheet(choice: SheetChoice, book: Rulebook, cards: Any) -> Sheet:
    """Return a sheet. A choice may name rules and cards that the game does not have; these are skipped."""
    # Rule IDs end in two digits, for example MP-MOVE-03.
    numbers_of_rules = {(group, f"{number:02}") for group, numbers in choice.rules.items() for number in numbers}
    chosen = rule_groups(book, lambda rule: (rule.group, rule.id[-2:]) in numbers_of_rules)
    groups = {group.name: group for group in chosen}
    return Sheet(
        choice,
        [groups[name] for name in choice.rules if name in groups],
        [_card(name, card) for name, card in cards.items()] if isinstance(cards, Mapping) else [],
    )


def _card(name: str, card: Any) -> AidCard:
    # A game's glossary has any form; a card without facts is shown by its name.
    facts = card if isinstance(card, Mapping) else {}
    copies = facts.get("copies", 1)
    return AidCard(name, facts.get("title", name), facts.get("text", ""), copies if isinstance(copies, int) else 1)
