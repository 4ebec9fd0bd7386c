"""Player aids: one sheet per side, made of rule book entries and the game's cards.

The game chooses what a sheet contains (`games/<folder>/show/aids.toml`). The text itself comes from the rule book, so a
sheet can never contradict it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from firmware_host.core.data_files import AidsFile, DataFileError, SheetChoice, decoded
from firmware_host.core.game_files import game_folder
from firmware_host.core.rulebook import Rulebook
from firmware_host.core.sizes import TooLarge, whole_file
from web_panel.rules import PageGroup, rule_groups


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
    wanted = {(group, f"{number:02}") for group, numbers in choice.rules.items() for number in numbers}
    chosen = rule_groups(book, lambda rule: (rule.group, rule.id[-2:]) in wanted)
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
