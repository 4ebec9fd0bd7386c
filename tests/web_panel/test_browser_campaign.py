"""The ladder in the lobby, the page of the campaign, and the end of a mission, in Chromium."""

from __future__ import annotations

from playwright.sync_api import Browser, Route, expect

from firmware_host.records import results
from firmware_host.records.results import Result
from tests.web_panel.conftest import Panel
from tests.web_panel.endings import play_out
from tests.web_panel.looks import OUT_OF_REACH
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value

pytestmark = IN_CHROMIUM

FIRST = "1-first-steps"
WON = [
    Result(1, "sniper-elite", "sniper", "Ada", True, mission=FIRST, stars=(True, False, True)),
    Result(1, "sniper-elite", "defenders", "", False, "cadet"),
]


def keep(panel: Panel, kept: list[Result]) -> None:
    panel.loop.call(lambda table: table.journal.store_value(results.RESULTS_KEY, kept))


def test_next_opponent_is_above_the_one_that_was_beaten_without_a_handicap(
    browser: Browser, panel: Panel, served: str
) -> None:
    keep(panel, WON)
    phone = Screen(browser, (360, 740), has_touch=True)
    phone.go(f"{served}#alone")
    expect(phone["rung-sniper"]).to_contain_text("Rung 1 of 5")
    phone["play-name"].fill("Ada")
    phone["play-name"].blur()
    expect(phone["level-sniper"]).to_have_value("recruit")
    expect(phone["rung-sniper"]).to_contain_text("Rung 2 of 5")
    expect(phone["level-defenders"]).to_have_value("straggler")
    expect_value(phone.page, OUT_OF_REACH, [])
    phone["level-sniper"].select_option("cadet")
    expect(phone["rung-sniper"]).to_contain_text("Rung 1 of 5. Your wins: 1.")
    phone["level-sniper"].select_option("recruit")
    phone.press("options-all")
    phone.press("options-experienced")
    phone["option-experienced_defenders-B"].check()
    expect(phone["unequal-sniper"]).to_contain_text("A win won't count on the ladder.")
    expect(phone["unequal-defenders"]).to_have_count(0)
    expect_value(phone.page, OUT_OF_REACH, [])
    phone["option-experienced_defenders-B"].uncheck()
    expect(phone["unequal-sniper"]).to_have_count(0)
    phone["play-sniper"].tap()
    phone.page.wait_for_url("**/sniper")
    assert panel.loop.call(lambda table: dict(table.seating.claims.bots)) == {"defenders": "recruit"}


def test_mission_starts_with_one_tap(browser: Browser, panel: Panel, served: str) -> None:
    keep(panel, WON)
    phone = Screen(browser, (360, 740), has_touch=True)
    phone.go(f"{served}campaign")
    expect(phone["star-count"]).to_have_text("0 of 30 stars")
    phone["campaign-name"].fill("Ada")
    phone["campaign-name"].blur()
    expect(phone["star-count"]).to_have_text("2 of 30 stars")
    expect(phone[f"start-{FIRST}"]).to_be_hidden()
    expect_value(phone.page, OUT_OF_REACH, [])
    phone["start-2-guard-duty"].tap()
    phone.page.wait_for_url("**/defenders")
    assert panel.loop.call(lambda table: dict(table.seating.claims.bots)) == {"sniper": "straggler"}
    assert panel.loop.call(lambda table: [name for _, name in table.seating.people()]) == ["Ada"]


def test_end_of_a_mission_offers_the_next_one_and_keeps_no_stars_of_guests(
    browser: Browser, panel: Panel, served: str
) -> None:
    play_out(panel.company)
    key = panel.company.keys["sniper"]
    panel.loop.call(lambda table: table.seating.claims.release("defenders"))
    panel.loop.call(lambda table: table.seating.claims.seat_bot("defenders", "cadet"))
    keep(panel, WON)
    phone = Screen(browser, (360, 640), has_touch=True)
    phone.holds(served, "sniper", key)

    def as_guest(route: Route) -> None:
        told = route.fetch().json()
        route.fulfill(json={**told, "seated": [{**it, "name": ""} for it in told["seated"]]})

    phone.page.route("**/ending", as_guest)
    phone.go(f"{served}sniper?language=en")
    expect(phone["mission"]).to_contain_text("stars and ratings are not kept")
    # However much is said before them, the next steps are on the first screen.
    for name in ("mission-next", "to-campaign", "rematch"):
        expect(phone[name]).to_be_in_viewport(ratio=0.99)
    expect_value(phone.page, OUT_OF_REACH, [])

    phone.page.unroute("**/ending")
    phone.go(f"{served}sniper?language=en")
    expect(phone["mission-stars"]).to_have_attribute("aria-label", "2 of 3 stars")
    expect(phone["mission"]).to_contain_text("Finish without a wound.")
    # Verdict, reason, stars and the next steps are on one screen, above what else is said of the game.
    steps = [phone[name] for name in ("over", "mission-stars", "mission-next", "to-campaign", "rematch", "again")]
    for part in [*steps, phone.page.locator(".verdict + p")]:
        expect(part).to_be_in_viewport(ratio=0.99)
    expect(phone["mission"]).not_to_contain_text("Without a name")
    expect(phone["stronger"]).to_have_count(0)
    expect_value(phone.page, OUT_OF_REACH, [])
    phone["mission-next"].tap()
    phone.page.wait_for_url("**/defenders")
    assert panel.loop.call(lambda table: dict(table.seating.claims.bots)) == {"sniper": "straggler"}
