"""The helpers of the browser tests work on a slow machine too."""

from __future__ import annotations

from playwright.sync_api import Browser, Route

from tests.web_panel.room import FRAME, IN_CHROMIUM, SPOT, STILL, Screen, expect_value

pytestmark = IN_CHROMIUM


def test_drag_waits_for_a_map_that_loads_late(browser: Browser, served: str) -> None:
    screen, held = Screen(browser, (1200, 900)), list[Route]()
    screen.page.route("**/maps/*.svg", lambda route: held.append(route))
    with screen.page.expect_request("**/maps/*.svg"):
        screen.go(served + "board")
    screen.page.evaluate(f"() => {{ window.stands = ({STILL})().then(() => 'stands'); }}")
    asked = f"Promise.race([window.stands, {FRAME}.then(() => 'waits')])"
    expect_value(screen.page, asked, "waits")

    held[0].continue_()
    expect_value(screen.page, "window.stands", "stands")
    space = screen.page.locator("[data-spot]").first.get_attribute("data-space")
    expect_value(screen.page, f"space => ({SPOT})(space).every(Number.isFinite)", arg=space)
