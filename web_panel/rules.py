"""Prepare the rule book for a page: rule_groups, and each rule called by its section and place, as people speak of it.

The numbers of rules (MP-MOVE-03) are only in addresses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from firmware_host.core.rulebook import Rulebook, RuleEntry

NUMBER = re.compile(r"\b((?:[A-Z]{2}-[A-Z]+|R)-\d\d)\b")
RULINGS = frozenset({"R", "RULINGS"})
"""The names of the groups of rulings, whose titles are sentences."""


class RuleName(NamedTuple):
    """What a rule is called: its `section`, empty for a ruling, and its `number` there. `id` is its address."""

    id: str
    section: str
    number: int


Pieces = list[str | RuleName]
"""A text in order, with the rules of the book that it refers to."""


@dataclass(frozen=True)
class PageRule:
    """One numbered rule. `off` says what a ruling's switch does; empty if there is none."""

    id: str
    name: RuleName
    kind: str
    paragraphs: list[Pieces]
    off: Pieces


@dataclass(frozen=True)
class PageGroup:
    """Rules about one topic, in the language `tongue`. `name` is part of the rules' numbers."""

    name: str
    tongue: str
    title: str
    about: str
    rules: list[PageRule]


def _title(about: str) -> str:
    """Return the title of a group: the beginning of its description."""
    return about.partition(":")[0].rstrip(".")


def rule_groups(book: Rulebook, wanted: Callable[[RuleEntry], bool] = lambda _: True) -> list[PageGroup]:
    """Return the groups of a book that have `wanted` entries, with these entries alone."""
    names = {
        entry.id: RuleName(entry.id, "" if group.name in RULINGS else _title(group.about), int(entry.id[-2:]))
        for group in book.groups
        for entry in group.entries
    }
    return [
        PageGroup(group.name, book.tongue, _title(group.about), group.about, [_rule(entry, names) for entry in listed])
        for group in book.groups
        if (listed := [*filter(wanted, group.entries)])
    ]


def _rule(entry: RuleEntry, names: Mapping[str, RuleName]) -> PageRule:
    paragraphs = [_pieces(part, names) for part in entry.text.split("\n\n")]
    return PageRule(entry.id, names[entry.id], entry.kind, paragraphs, _pieces(entry.off, names))


def _pieces(text: str, names: Mapping[str, RuleName]) -> Pieces:
    # Because of the group in the pattern, `split` returns the numbers as pieces, too.
    return [names.get(piece, piece) for piece in NUMBER.split(text) if piece]
