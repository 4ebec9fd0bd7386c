"""The part of the balance page about the solo game's expert."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from engine.game import Ending
from lab.arena import Result
from lab.balance import BOARDS
from lab.solo_expert import TITLE, Row, measure, part, plot
from lab.study import EXPERTS_PART, HEADING, PAGE, SOLO_EXPERT_PART, SOLO_PART, put_part


def results(*won: bool) -> tuple[Result, ...]:
    """Games as they could have gone."""
    endings = [Ending(("sniper",), "objectives", 8) if one else Ending(("defenders",), "wounds", 6) for one in won]
    return tuple(Result(number, ending, 30) for number, ending in enumerate(endings, 1))


def test_part_compares_expert_with_strong_bot() -> None:
    found = {}
    for board in BOARDS:
        found[Row(board, None)] = results(True, False, False, True)
        found[Row(board, 15)] = results(True, True, True, False)
    text = part(found, "a command")
    first = next(iter(BOARDS))
    assert f"| {first} | careful |  | 4 | 50.0% |" in text
    assert f"| {first} | cunning | 15 | 4 | 75.0% | 30.1% to 95.4% | 2 | 1 | 30.0 | 7.5 |" in text
    assert ET.fromstring(plot(found)).tag.endswith("svg")


def test_each_row_is_played() -> None:
    found = measure(1, (2,), 1)
    assert [row.bot for row in found] == ["careful", "cunning"] * 2
    assert all(len(played) == 1 and played[0].acts for played in found.values())


def test_each_part_can_be_replaced_alone() -> None:
    text = PAGE.read_text("utf-8")
    solo, expert, experts = text.index(HEADING), text.index(TITLE), text.index(f"{HEADING} Sniper")
    parts = {SOLO_PART: text[solo:expert], SOLO_EXPERT_PART: text[expert:experts], EXPERTS_PART: text[experts:]}
    for number, old in parts.items():
        changed = put_part(text, number, f"{HEADING} nothing.\n")
        assert changed.count(HEADING) == 3
        assert old.strip() not in changed
        assert put_part(changed, number, old) == text
