"""The rule book as a page has it: group by group, its text in pieces, so that a number in it leads to its rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

NUMBER = re.compile(r"\b((?:[A-Z]{2}-[A-Z]+|R)-\d\d)\b")

Pieces = list[tuple[str, bool]]
"""Text in order; true for the number of a rule that is in the book."""


@dataclass(frozen=True)
class PageRule:
    """One numbered rule. `off` is what a ruling's switch does, empty where there is none."""

    id: str
    kind: str
    paragraphs: list[Pieces]
    off: Pieces


@dataclass(frozen=True)
class PageGroup:
    """Rules about one thing, told in the language `tongue`. `name` is what stands in their numbers."""

    name: str
    tongue: str
    title: str
    about: str
    rules: list[PageRule]


def title(about: str) -> str:
    """The title of a group, which is how what it is about begins."""
    return about.partition(":")[0].rstrip(".")


def grouped(entries: Iterable[Mapping[str, Any]]) -> list[PageGroup]:
    """The entries of `TableInterface.rules`, group by group."""
    listed = list(entries)
    known = {entry["id"] for entry in listed}
    return [
        PageGroup(name, tongue, title(about), about, [_rule(entry, known) for entry in members])
        for (name, tongue, about), members in groupby(listed, itemgetter("group", "tongue", "about"))
    ]


def _rule(entry: Mapping[str, Any], known: set[str]) -> PageRule:
    paragraphs = [_pieces(part, known) for part in entry["text"].split("\n\n")]
    return PageRule(entry["id"], entry["kind"], paragraphs, _pieces(entry["off"], known))


def _pieces(text: str, known: set[str]) -> Pieces:
    return [(piece, piece in known) for piece in NUMBER.split(text) if piece]
