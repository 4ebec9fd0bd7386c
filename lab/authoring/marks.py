"""Which tests cover which rule: a test covers a rule if it has a `rule` mark with the rule's number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pytest

from firmware_host.core.rulebook import Rulebook

Held = Mapping[str, Sequence[str]]
"""Rule number -> the tests marked with it; a parametrised test appears once per case."""


def marks_of(items: Iterable[pytest.Item]) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {}
    for item in items:
        # A test may cover several rules. Cases of a parametrised test share its name.
        for rule in (str(rule) for mark in item.iter_markers("rule") for rule in mark.args):
            held.setdefault(rule, []).append(item.nodeid.partition("[")[0])
    return held


def untested(book: Rulebook, held: Held) -> list[str]:
    """Return the rules and rulings without a test, in order."""
    return [entry.id for entry in book.entries.values() if not entry.untested and entry.id not in held]


def unknown(books: Iterable[Rulebook], held: Held) -> list[str]:
    """Return the marks that are in no rule book, each with one of its tests."""
    known = {rule for book in books for rule in book.entries}
    return [f"{rule}: {held[rule][0]}" for rule in sorted(set(held) - known)]
