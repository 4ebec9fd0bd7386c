"""Reading any game property of a drawing gives values or faults, and never crashes."""

from __future__ import annotations

from typing import Any

import pytest

from engine.graph.geojson import read_drawing
from games.sniper_elite.map_rules.sites import Read, read_sites
from tests.engine.graph.drawings import Sheet, board

A1 = "feature 1, space a1 at (0, 0): "


def understood(sheet: Sheet) -> Read:
    """Return what the game reads from a sheet."""
    return read_sites(read_drawing(sheet.document()))


MEMBERS = [
    ("suits", [], '"suits" must give each sector its card suit. Write {"yellow": "diamonds", …}.'),
    ("suits", {"green": "cups"}, '"suits" names the unknown sector green. Remove it or add the sector.'),
    ("suits", {"red": 7}, '"suits" gives red no suit but 7. Write its card suit.'),
    ("marks", [1], '"marks" must be set -> sector -> colour -> list of space ids. Correct its form.'),
    ("marks", {"access": {"red": {"yellow": ["c1", "c9"]}}},
     '"marks" for access / red / yellow names unknown spaces c9. Fix them.'),
]  # fmt: skip


@pytest.mark.parametrize(("member", "value", "sentence"), MEMBERS)
def test_invalid_collection_member_is_named(member: str, value: object, sentence: str) -> None:
    sheet = board()
    sheet.members[member] = value
    assert sentence in understood(sheet).faults


SPACES = [
    ({"objective": 10}, A1 + '"objective" is 10. Write a number from 1 to 9.'),
    ({"objective": True}, A1 + '"objective" is True. Write a number from 1 to 9.'),
    ({"start": "general"}, A1 + '"start" is general, which is unknown. Use officer and soldier.'),
]  # fmt: skip


@pytest.mark.parametrize(("said", "sentence"), SPACES)
def test_invalid_property_is_named(said: dict[str, object], sentence: str) -> None:
    sheet = board()
    sheet.said("a1").update(said)
    assert understood(sheet).faults == (sentence,)


def test_unreadable_property_does_not_count_as_absent() -> None:
    sheet = board()
    sheet.said("a2")["objective"] = "one"
    found = understood(sheet)
    assert not found.sure("objective")
    assert found.sure("start")
    assert found.sites[1].objective is None


def test_deeply_nested_mark_is_read() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    sheet = board()
    sheet.members["marks"] = {"set": {"red": {"yellow": deep}}}
    assert len(understood(sheet).faults) == 1
    while deep:
        deep = deep.pop()
