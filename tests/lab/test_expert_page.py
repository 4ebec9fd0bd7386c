"""The page that tells how the solo game's expert grows with its budget."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from engine.game import Ending
from lab.arena import Result
from lab.balance import BOARDS, HEADING, PAGE
from lab.solo_expert import TITLE, Row, measure, part, plot, put


def results(*won: bool) -> tuple[Result, ...]:
    """Games as they could have gone."""
    endings = [Ending(("sniper",), "objectives", 8) if one else Ending(("defenders",), "wounds", 6) for one in won]
    return tuple(Result(number, ending, 30) for number, ending in enumerate(endings, 1))


def test_the_part_compares_the_expert_with_the_strong_bot_game_by_game() -> None:
    found = {}
    for board in BOARDS:
        found[Row(board, None)] = results(True, False, False, True)
        found[Row(board, 15)] = results(True, True, True, False)
    text = part(found, "a command")
    first = next(iter(BOARDS))
    assert f"| {first} | careful |  | 4 | 50.0% |" in text
    assert f"| {first} | cunning | 15 | 4 | 75.0% | 30.1% to 95.4% | 2 | 1 | 30.0 | 7.5 |" in text
    assert ET.fromstring(plot(found)).tag.endswith("svg")


def test_games_are_played_and_counted() -> None:
    found = measure(1, (2,), 1)
    assert [row.bot for row in found] == ["careful", "cunning"] * 2
    assert all(len(played) == 1 and played[0].acts for played in found.values())


def test_its_part_is_put_into_the_page_and_leaves_the_others_as_they_are() -> None:
    text = PAGE.read_text("utf-8")
    assert text.count(HEADING) == 3
    fresh = put(text, f"{TITLE}\n\nOther figures.")
    assert fresh.count(HEADING) == 3
    assert fresh.count(TITLE) == 1
    assert put(fresh, text[text.index(TITLE) : text.index(f"\n{HEADING} Sniper")]) == text
