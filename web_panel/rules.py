"""Prepare the rule book for a page: grouped, with rule numbers in the text marked for links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

NUMBER = re.compile(r"\b((?:[A-Z]{2}-[A-Z]+|R)-\d\d)\b")

Pieces = list[tuple[str, bool]]
"""Text in order; true marks the number of a rule in the book."""


@dataclass(frozen=True)
class PageRule:
    """One numbered rule. `off` says what a ruling's switch does; empty if there is none."""

    id: str
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


def title(about: str) -> str:
    """Return the title of a group: the beginning of its description."""
    return about.partition(":")[0].rstrip(".")


def grouped(entries: Iterable[Mapping[str, Any]]) -> list[PageGroup]:
    """Group the entries of `TableInterface.rules`."""
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
    # Because of the group in the pattern, `split` returns the numbers as pieces, too.
    return [(piece, piece in known) for piece in NUMBER.split(text) if piece]
