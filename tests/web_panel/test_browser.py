"""Two rounds in a real Chromium: the sniper on a phone, the defenders on a tablet, a TV and the simulated board.

The daemon runs as its users start it. The pages are clicked, tapped and dragged.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.web_panel.room import IN_CHROMIUM, Daemon, Room, end_defenders_turn

pytestmark = IN_CHROMIUM


@pytest.mark.nightly
@pytest.mark.long
def test_two_rounds_on_separate_pages_survive_a_kill(browser: Browser, daemon: Daemon) -> None:
    room = Room(browser, daemon.address)
    room.sit_down_and_start()
    room.finish_dealing()
    room.set_up()

    room.sniper.page.locator("[data-testid^=enter-]").first.click()
    room.quiet_step()
    secret = room.defenders.page.content() + room.tv.page.content()
    assert "You move" not in secret
    assert "You will enter" not in secret
    room.sniper.press("end-turn")

    room.defenders.says("turn", "Your turn")
    room.tv.says("turn", "Defenders")
    room.defenders.press("unit-red-1")
    room.defenders.press("deed-move")
    to = str(room.defenders.lit("choice").first.get_attribute("data-space"))
    room.drag("red-1", to)
    room.tv.says("latest", f"to {to}")
    expect(room.defenders["unit-red-1"]).to_contain_text(to)
    room.board.says("board-sentence", "agree")

    daemon.kill()
    daemon.start()
    expect(room.defenders["unit-red-1"]).to_contain_text(to)
    room.defenders.press("unit-black-1")
    room.defenders.press("deed-attack")
    room.tv.says("latest", "nobody there")
    room.sniper.press("tab-log")
    room.sniper.says("panel-log", "nobody there")

    end_defenders_turn(room)
    room.sniper.says("turn", "Your turn")
    room.tv.says("countdown", "9")
    room.sniper.press("tab-log")
    room.quiet_step()
    room.sniper.press("end-turn")
    end_defenders_turn(room)
    room.sniper.says("turn", "Your turn")
    room.tv.says("countdown", "8")


@pytest.mark.nightly
def test_drawn_path_survives_a_killed_table(browser: Browser, daemon: Daemon) -> None:
    room = Room(browser, daemon.address)
    phone = room.sniper
    phone.go(room.address)
    phone.press("play-sniper")
    phone.page.wait_for_url("**/sniper")
    room.finish_dealing()
    phone.page.locator("[data-testid^=enter-]").first.click()
    expect(phone.lit("quiet").first).to_be_visible()
    phone.press("zoom-fit")
    space = str(phone.lit("quiet").first.get_attribute("data-space"))
    with phone.page.expect_response("**/api/draft"):
        phone.tap(space)
    phone.says("path", space)

    daemon.kill()
    daemon.start()
    phone.page.reload()
    phone.says("path", space)
