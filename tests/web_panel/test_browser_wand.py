"""Choosing on the board: a screen asks, the lamps show it, a wand or a lifted miniature answers on that screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Screen, drag, wait_shown
from tools.tour import tour

pytestmark = IN_CHROMIUM

SIZE = (900, 900)


@pytest.fixture
def panel(tmp_path: Path) -> Iterator[Panel]:
    """A panel with enough streams for three pages."""
    running = Panel(tmp_path)
    yield running
    running.stop()


def opened(browser: Browser, served: str, panel: Panel, path: str) -> Screen:
    """Open a page of a player at the defenders' seat."""
    screen = Screen(browser, SIZE)
    screen.holds(served, "defenders", panel.company.keys["defenders"])
    screen.go(served + path)
    expect(screen.page.locator("body[data-connection=live] #map .layer-pieces .mini").first).to_be_attached()
    return screen


@pytest.mark.nightly
def test_board_shows_a_screens_choices_and_touch_selects(browser: Browser, panel: Panel, served: str) -> None:
    next(scene for scene in tour(panel) if scene.name == "defenders-unit")
    unit = panel.company.legal("defenders", "spot")[-1]["unit"]
    asking, other = (opened(browser, served, panel, "defenders") for _ in range(2))
    board = opened(browser, served, panel, "board")
    space = panel.company.picture("table")["view"]["units"][unit]

    board.page.locator(f'[data-mini="{unit}"]').focus()
    board.page.keyboard.press("Enter")
    board.says("board-sentence", "Lifted")
    panel.advance_clock()  # a miniature that returns at once was never lifted
    board.page.keyboard.press("Enter")
    expect(asking[f"unit-{unit}"]).to_have_attribute("aria-pressed", "true")
    asking.press("deed-spot")
    asking.says("by-hand", "spare magnet")
    lit = asking.page.locator(f".lit.choice:not([data-space='{space}'])").first
    wanted = str(lit.get_attribute("data-space"))
    drag(board.page, "wand", wanted)

    expect(asking.page.locator(f'.lit.picked[data-space="{wanted}"]')).to_be_attached()
    asking.says("confirm", wanted)
    wait_shown(other.page, panel.company.picture("defenders")["revision"])
    expect(other.page.locator(f'.lit.picked[data-space="{wanted}"]')).to_have_count(0)
    expect(board["mini-wand"]).to_be_visible()
    spots = len(panel.company.legal("defenders", "spot"))
    asking.press("confirm")
    asking.says("latest", wanted)
    assert len(panel.company.legal("defenders", "spot")) < spots


def test_miniature_moves_from_tray_to_board_by_keyboard(browser: Browser, panel: Panel, served: str) -> None:
    next(scene for scene in tour(panel) if scene.name == "defenders-unit")
    board = opened(browser, served, panel, "board")

    board.page.locator('[data-mini="wand"]').focus()
    board.page.keyboard.press("Enter")

    expect(board["held"]).to_have_attribute("style", re.compile("translate"))
