"""The simulated board of a game that draws no miniatures of its own."""

from __future__ import annotations

import pytest
from games.treasure.words import CORNERS
from playwright.sync_api import Browser, expect

from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value

pytestmark = IN_CHROMIUM

IN_REACH = """() => ["red", "blue"].map((id) => {
    const disc = document.querySelector(`[data-mini="${id}"] .base`).getBoundingClientRect();
    const found = document.elementFromPoint(disc.x + disc.width / 2, disc.y + disc.height / 2);
    return found?.closest("[data-mini]")?.dataset.mini;
})"""
"""Return which miniature a hand takes where it sees red, and where it sees blue."""


def test_each_of_several_miniatures_on_a_space_can_be_taken(
    browser: Browser, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CORNERS, "blue", CORNERS["red"])
    board = Screen(browser, (1280, 800))
    board.go(served)
    seekers = {"red": "random", "blue": "random"}
    board.sends("play-now", seat="hider", device="a phone", game="treasure", bots=seekers)
    board.go(f"{served}board")
    expect(board["mini-red"]).to_contain_text("R")
    expect(board["mini-blue"]).to_contain_text("B")
    expect_value(board.page, IN_REACH, ["red", "blue"])
    assert board.faults == []
