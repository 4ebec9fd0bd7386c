"""A new player with a phone: one tap into a game against the computer, in Chromium."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, PATIENCE, Screen

pytestmark = IN_CHROMIUM


def test_one_tap_leads_into_a_game_and_then_the_next(browser: Browser, panel: Panel, served: str) -> None:
    phone = Screen(browser, (360, 740), has_touch=True)
    phone.go(served)
    phone["play-sniper"].tap()
    phone.page.wait_for_url("**/sniper")
    expect(phone.page.locator("[data-testid^=enter-], [data-testid^=return-]").first).to_be_visible(timeout=PATIENCE)
    panel.loop.call(lambda table: table.abandon())
    phone["start"].tap()
    expect(phone.page.locator("[data-testid^=enter-], [data-testid^=return-]").first).to_be_visible(timeout=PATIENCE)


def test_last_player_seated_starts_and_sides_change_after_the_game(browser: Browser, panel: Panel, served: str) -> None:
    phones = {seat: Screen(browser, (360, 740), has_touch=True) for seat in ("sniper", "defenders")}
    for seat, phone in phones.items():
        phone.go(served)
        phone.press(f"take-{seat}")
        phone["claim-pin"].fill("2468")
        phone.press("claim-send")
        phone.page.wait_for_url(f"**/{seat}")
    phones["defenders"]["start"].tap()
    expect(phones["sniper"].page.locator("[data-testid^=enter-], [data-testid^=return-]").first).to_be_visible(
        timeout=PATIENCE
    )
    panel.loop.call(lambda table: table.abandon())
    expect(phones["sniper"]["gathered"]).to_be_visible()
    phones["sniper"].sends("again", swapped=True)
    phones["sniper"].page.wait_for_url("**/defenders")
    phones["defenders"].page.wait_for_url("**/sniper")


def test_browser_remembers_its_name_and_pin(browser: Browser, panel: Panel, served: str) -> None:
    phone = Screen(browser, (360, 740), has_touch=True)
    phone.go(served)
    phone.press("take-sniper")
    phone["claim-device"].fill("Ada's phone")
    phone["claim-pin"].fill("2468")
    phone.press("claim-send")
    phone.page.wait_for_url("**/sniper")
    panel.loop.call(lambda table: table.seating.claims.release("sniper"))
    phone.go(served)
    phone.press("take-defenders")
    expect(phone["claim-device"]).to_have_value("Ada's phone")
    expect(phone["claim-pin"]).to_have_value("2468")


PARTS = {
    "alone": {"play-sniper", "game-sniper-elite", "map-launch-facility"},
    "together": {"take-sniper", "game-sniper-elite", "map-launch-facility", "start"},
    "look": {"link-table", "link-board", "link-games"},
    "learn": {"lessons", "link-rules", "link-aids"},
    "admin": {"link-admin", "link-health"},
}


def test_lobby_asks_for_a_goal_and_shows_only_that(browser: Browser, served: str) -> None:
    phone = Screen(browser, (360, 740), has_touch=True)
    phone.go(served)
    every = set().union(*PARTS.values())
    for part in every:
        expect(phone[part]).to_be_visible()
    for goal, parts in PARTS.items():
        assert phone[f"wish-{goal}"].bounding_box()["height"] >= 44  # type: ignore[index]
        phone[f"wish-{goal}"].tap()
        for part in every:
            expect(phone[part]).to_be_visible(visible=part in parts)
    phone.page.go_back()
    expect(phone["link-rules"]).to_be_visible()
    phone["wish-all"].tap()
    for part in every:
        expect(phone[part]).to_be_visible()
    assert phone.faults == []
