"""The simulated board of a game that draws no miniatures of its own."""

from __future__ import annotations

import pytest
from games.treasure.words import CORNERS
from playwright.sync_api import Browser, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value
from tests.web_panel.test_browser_table_view import of_board

pytestmark = IN_CHROMIUM

IN_REACH = """() => ["red", "blue"].map((id) => {
    const disc = document.querySelector(`[data-mini="${id}"] .base`).getBoundingClientRect();
    const found = document.elementFromPoint(disc.x + disc.width / 2, disc.y + disc.height / 2);
    return found?.closest("[data-mini]")?.dataset.mini;
})"""
"""Return which miniature a hand takes where it sees red, and where it sees blue."""

NAMES_IN_FRONT = """() => {
    const [names, pieces] = ["g.board-map", ".layer-pieces"].map((it) => document.querySelector(`#map ${it}`));
    return Boolean(pieces.compareDocumentPosition(names) & Node.DOCUMENT_POSITION_FOLLOWING);
}"""
"""Return whether the names of spaces are drawn above miniatures, which would hide them on small spaces."""
ROOM = """async () => {
    const { disc } = await import("/static/scene.js");
    const [old, band] = [".numeral", ".band"].map((it) => document.querySelector(`[data-mini="red"] ${it}`));
    const letters = disc("R1").find((it) => it.classList.contains("numeral"));
    old.replaceWith(letters);
    const width = letters.getBBox().width * (letters.transform.baseVal.consolidate()?.matrix.a ?? 1);
    return width < 2 * band.r.baseVal.value - parseFloat(getComputedStyle(band).strokeWidth);
}"""
"""Return whether two letters fit into the ring of a miniature."""


def test_each_of_several_miniatures_on_a_space_can_be_taken(
    browser: Browser, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CORNERS, "blue", CORNERS["red"])
    board = Screen(browser, (1280, 800))
    board.address = served
    seekers = {"red": "random", "blue": "random"}
    board.sends("play-now", seat="hider", device="a phone", game="treasure", bots=seekers)
    board.go(f"{served}board")
    expect(board["mini-red"]).to_contain_text("R")
    expect(board["mini-blue"]).to_contain_text("B")
    expect_value(board.page, IN_REACH, ["red", "blue"])
    expect_value(board.page, NAMES_IN_FRONT)
    expect_value(board.page, ROOM)


def test_tv_shows_the_lamps_of_a_game_without_its_own_screens(browser: Browser, panel: Panel, served: str) -> None:
    """Without a board, the games with screens draw marks instead."""
    of_board(panel, "mark_used", 0)
    tv = Screen(browser, (1280, 720))
    tv.address = served
    tv.sends("play-now", seat="hider", device="a phone", game="treasure", bots={"red": "random", "blue": "random"})
    tv.go(f"{served}table")
    expect(tv.page.locator("body")).to_have_attribute("data-board", "closed")
    expect(tv.page.locator(".layer-lamps")).to_have_css("display", "inline")
