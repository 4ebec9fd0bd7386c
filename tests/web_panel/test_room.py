"""The helpers of the browser tests work on a slow machine too."""

from __future__ import annotations

from playwright.sync_api import Browser, Route

from tests.devices import give_back
from tests.web_panel.room import FRAME, IN_CHROMIUM, SPOT, STILL, Screen, expect_value

pytestmark = IN_CHROMIUM

STORES = "localStorage.x = sessionStorage.x = document.cookie = name = 'x'"
STORED = "[localStorage.x, sessionStorage.x, document.cookie, name, innerWidth].join()"


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


def test_device_is_as_new_for_the_next_test(browser: Browser, served: str) -> None:
    first = Screen(browser, (1200, 900))
    first.go(f"{served}aids")
    first.page.evaluate(STORES)
    heard: list[str] = []
    first.page.on("request", lambda request: heard.append(request.url))
    first.page.route("**/aids", lambda route: route.abort())
    first.page.evaluate("setTimeout(() => { throw new Error('of the first test'); })")
    expect_value(first.page, "true")
    give_back(browser)

    heard.clear()
    second = Screen(browser, (360, 740))
    assert second.page is first.page, "it was changed by nothing that lasts"
    second.go(f"{served}aids")
    expect_value(second.page, STORED, ",,,,360")
    assert heard == second.faults == []
    second.page.clock.install()
    give_back(browser)
    assert Screen(browser, (360, 740)).page is not second.page
    first.faults.clear()
