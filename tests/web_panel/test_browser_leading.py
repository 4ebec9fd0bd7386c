"""Further devices join a seat during a game: everyone sees which, and who leads what."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.web_panel.room import IN_CHROMIUM, Room, Screen, expect_toast, expect_value

pytestmark = IN_CHROMIUM

ONE_BELOW_THE_OTHER = """seats => {
  const names = [...seats.querySelectorAll("span")].filter((it) => it.textContent.includes(":"));
  const [one, other, ...more] = names.map((it) => it.getBoundingClientRect().right);
  return Math.abs(one - other) < 2 && !more.length;
}"""
"""Whether two names with their squads end at the same place."""


@pytest.mark.long
def test_devices_join_both_seats_and_take_squads_visibly(browser: Browser, served: str) -> None:
    room = Room(browser, served)
    room.sit_down_and_start(board=False)
    room.finish_dealing()
    for screen in (room.defenders, room.tv):
        screen.says("board-sentence", "Set up the yellow miniatures")
    tablet = Screen(browser, (768, 1024))

    tablet.go(served)
    tablet.press("share-sniper")
    tablet["claim-device"].fill("Robin's tablet")
    tablet["claim-pin"].fill("2468")
    expect(tablet["claim-red"]).to_have_count(0)
    tablet.press("claim-send")
    tablet.page.wait_for_url("**/sniper")
    for screen in (room.sniper, room.defenders, room.tv):
        expect_toast(screen.page, "Robin's tablet joined a seat: Sniper.")
    room.tv.says("seats", "Robin's tablet")
    room.sniper.says("also-on", "Also on: Robin's tablet.")
    tablet.says("also-on", "Also on: Robin.")

    tablet.page.locator("[data-testid^=enter-]").first.click()
    expect(room.sniper.lit("quiet").first).to_be_visible()
    tablet.press("menu")
    tablet.press("menu-leave")
    tablet.press("confirm-yes")
    tablet.page.wait_for_url("**/")
    expect(room.sniper["also-on"]).to_have_count(0)
    room.sniper.says("was-on", "Earlier in this game also on: Robin's tablet.")

    room.sniper.sends("tidy")
    room.tv.says("board-sentence", "agree")
    room.quiet_step()
    room.sniper.press("end-turn")
    room.defenders.says("turn", "Your turn")
    phone = Screen(browser, (360, 780))

    phone.go(served)
    phone.press("share-defenders")
    phone["claim-device"].fill("Cy's phone")
    phone["claim-pin"].fill("2468")
    phone["claim-red"].check()
    phone.press("claim-send")
    phone.page.wait_for_url("**/defenders")
    for screen in (room.sniper, room.defenders, room.tv):
        expect_toast(screen.page, "Cy's phone now leads Red.")
    room.tv.says("seats", "Cy's phone: Red")
    expect_value(room.tv["seats"], ONE_BELOW_THE_OTHER)
    room.defenders.says("squad-red", "led by Cy's phone")
    expect(room.defenders["unit-red-1"]).to_be_disabled()

    room.defenders.press("lead-black")
    room.defenders.press("lead-to-1")
    expect_toast(room.tv.page, "Cy's phone now leads Red and Black.")
    expect(room.defenders["unit-black-1"]).to_be_disabled()
    phone.press("tab-squads")
    phone.press("unit-black-1")
    phone.press("deed-attack")
    room.tv.says("latest", "nobody there")
    room.tv.says("last-actor", "Cy's phone")

    phone.press("menu")
    expect(phone["menu-bot"]).to_have_count(0)
    phone.press("menu-leave")
    phone.press("confirm-yes")
    phone.page.wait_for_url("**/")
    room.defenders.press("lead-black")
    expect(room.defenders["unit-black-1"]).to_be_enabled()
