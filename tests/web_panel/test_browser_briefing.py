"""A seat's briefing opens once by itself, is available at any time, and reveals a seat's secrets to no one else."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.web_panel.conftest import LONGEST_WORDS, Panel
from tests.web_panel.looks import OUT_OF_REACH
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value
from tools.tour import tour

pytestmark = IN_CHROMIUM


def opened(browser: Browser, panel: Panel, served: str, seat: str) -> Screen:
    screen = Screen(browser, (360, 740), has_touch=True, locale=LONGEST_WORDS, known=False)
    screen.holds(served, seat, panel.company.keys[seat])
    screen.go(f"{served}{seat}")
    return screen


def test_sniper_reads_mission_once_and_finds_it_on_the_map(browser: Browser, panel: Panel, served: str) -> None:
    next(scene for scene in tour(panel) if scene.name == "sniper-entry")
    sniper = opened(browser, panel, served, "sniper")
    objectives = panel.company.picture("sniper")["view"]["sniper"]["objectives"]
    expect(sniper["briefing-goals"].locator("li")).to_have_count(len(objectives))
    expect_value(sniper.page, OUT_OF_REACH, [])
    # The text is longer than the screen, and the button is in reach all the same.
    sniper.page.set_viewport_size({"width": 360, "height": 640})
    expect(sniper["briefing-done"]).to_be_in_viewport(ratio=1)
    sniper.press("briefing-look")
    expect(sniper["briefing-dialog"]).to_have_count(0)
    sniper.page.reload()
    expect(sniper["turn"]).to_be_visible()
    expect(sniper["briefing-dialog"]).to_have_count(0)
    sniper.press("menu")
    sniper.press("menu-briefing")
    sniper.press("briefing-done")
    expect(sniper["briefing-dialog"]).to_have_count(0)


def test_defenders_dismiss_briefing_without_the_snipers_task(browser: Browser, panel: Panel, served: str) -> None:
    next(scene for scene in tour(panel) if scene.name == "sniper-entry")
    defenders = opened(browser, panel, served, "defenders")
    expect(defenders["briefing-dialog"]).to_be_visible()
    assert panel.loop.call(lambda table: table.bots.due()) is not None, "bots would play on behind the briefing"
    with defenders.page.expect_response("**/api/briefing"):
        defenders.page.keyboard.press("Escape")
    assert panel.loop.call(lambda table: table.bots.due()) is None
    expect(defenders["briefing-dialog"]).to_have_count(0)
    defenders.press("menu")
    defenders.press("menu-briefing")
    expect(defenders["briefing-dialog"]).to_be_visible()
    for testid in ("briefing-goals", "briefing-look"):
        expect(defenders[testid]).to_have_count(0)


def test_seat_offers_to_reload_a_panel_or_menu_that_cannot_be_loaded(
    browser: Browser, panel: Panel, served: str
) -> None:
    panel.company.sit_down()
    sniper = Screen(browser, (360, 740))
    sniper.holds(served, "sniper", panel.company.keys["sniper"])
    sniper.page.route("**/gather.js", lambda route: route.abort())
    sniper.go(f"{served}sniper")
    expect(sniper["reload"]).to_be_visible()

    sniper.page.unroute("**/gather.js")
    # As after an update, when the modules of an open page lack what the new menu imports.
    lacking = 'import { of_the_new_version } from "./net.js";'
    sniper.page.route("**/menu.js", lambda route: route.fulfill(body=lacking, content_type="text/javascript"))
    sniper.press("reload")
    expect(sniper["gathered"]).to_be_visible()
    sniper.press("menu")
    expect(sniper["reload"]).to_be_visible()

    sniper.page.unroute("**/menu.js")
    sniper.press("reload")
    sniper.press("menu")

    expect(sniper["menu-dialog"]).to_be_visible()
