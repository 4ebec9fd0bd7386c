"""A new player plays the warden alone, in a real Chromium, and then lets bots continue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Room

pytestmark = IN_CHROMIUM


@pytest.fixture
def fast_bots(tmp_path: Path) -> Iterator[str]:
    """The address of a table whose bots play fast."""
    panel = Panel(tmp_path, bot_pause_ms=200)
    with panel.served() as address:
        yield address
    panel.loop.stop()


@pytest.mark.nightly
def test_new_player_plays_warden_and_leaves_seat_to_a_bot(browser: Browser, fast_bots: str) -> None:
    room = Room(browser, fast_bots)
    phone = room.sniper
    phone.go(fast_bots)
    phone.press("take-sniper")
    phone["claim-pin"].fill("2468")
    phone.press("claim-send")
    phone.page.wait_for_url("**/sniper")
    phone.go(fast_bots)
    phone.press("bot-defenders")
    phone.press("bot-choose-warden")
    phone.says("holder-defenders", "bot: warden")
    phone.press("start")
    phone.page.wait_for_url("**/sniper")
    room.tv.go(fast_bots + "table")
    room.finish_dealing()
    phone.page.locator("[data-testid^=enter-]").first.click()
    expect(phone["board-strip"]).to_have_count(0)
    room.quiet_step()
    phone.press("end-turn")
    room.tv.says("countdown", "9")
    phone.says("turn", "Your turn")

    phone.press("menu")
    phone.press("menu-bot")
    phone.press("bot-choose-prowler")
    phone.says("holder-sniper", "bot: prowler")
    expect(phone["take-over-sniper"]).to_be_visible()
    expect(phone["end-game"]).to_be_hidden()
    phone["for-good"].locator("summary").click()
    phone.press("end-game")
    phone.says("confirm-dialog", "This is Sniper Elite, Launch Facility, game 1. The game ends for everyone")
    phone.press("confirm-yes")
    phone.press("release-sniper")
    phone.says("holder-sniper", "free")
