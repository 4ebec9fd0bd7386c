"""A bad connection in Chromium: a lost answer, a table that goes away and returns, an outdated picture."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, Page, Route, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, expect_toast, expect_value, stop_clock, wait_two_frames
from tests.web_panel.test_browser_phone import opened, played_to

pytestmark = IN_CHROMIUM

A_SECOND = 1000

COUNTING = """
  delete window.SharedWorker;
  window.EventSource = class extends EventSource {
    constructor(address) {
      super(address);
      this.addEventListener("message", () => {
        const { dataset } = document.body;
        dataset.received = Number(dataset.received || 0) + 1;
      });
    }
  };
"""
"""Count the pictures that streams bring, before the page sees them."""


def test_act_is_refused_on_an_outdated_picture_and_resent_if_its_answer_is_lost(
    browser: Browser, panel: Panel, served: str
) -> None:
    played_to(panel, "defenders-unit")
    tablet = opened(browser, served, panel, "defenders", 768)
    asked: list[Any] = []

    def lose_the_answer(route: Route) -> None:
        asked.append(route.request.post_data_json)
        answer = route.fetch()
        route.abort() if len(asked) == 1 else route.fulfill(response=answer)

    def outdate(route: Route) -> None:
        """Let another client act first."""
        panel.company.act("defenders", panel.company.legal("defenders", "mark")[0])
        route.continue_()

    tablet.route("**/api/act", outdate)

    tablet.get_by_test_id("intel-black").click()
    tablet.get_by_test_id("confirm").click()

    expect_toast(tablet, "The game has moved on since")
    assert panel.company.picture("defenders")["view"]["squads"]["black"] == {"left": 2, "intel": False}
    expect(tablet.get_by_test_id("end-turn")).to_be_enabled()
    tablet.unroute("**/api/act")
    tablet.evaluate("toasted.length = 0")

    tablet.route("**/api/act", lose_the_answer)
    tablet.get_by_test_id("intel-black").click()
    tablet.get_by_test_id("confirm").click()
    expect(tablet.get_by_test_id("latest")).to_contain_text("black sector")
    expect(tablet.get_by_test_id("end-turn")).to_be_enabled()

    said = [entry["sentence"] for entry in panel.company.picture("defenders")["log"]]
    assert len(asked) == 2
    assert asked[0] == asked[1]
    assert sum("black sector" in sentence for sentence in said) == 1
    expect_value(tablet, "toasted", [])


def test_picture_waits_during_a_press_and_does_not_undo_a_newer_one(
    browser: Browser, panel: Panel, served: str
) -> None:
    played_to(panel, "defenders-unit")
    tablet = opened(browser, served, panel, "defenders", 768)
    late: list[tuple[Route, Any]] = []
    tablet.route("**/api/picture/defenders", lambda route: late.append((route, panel.company.picture("defenders"))))
    with tablet.expect_request("**/api/picture/defenders"):
        tablet.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(tablet.get_by_test_id("end-turn")).to_be_enabled()

    panel.interface.pause(True, panel.company.requester)
    expect(tablet.get_by_test_id("resume")).to_be_visible()
    ((route, old),) = late
    with tablet.expect_event("requestfinished"):
        route.fulfill(json=old)
    wait_two_frames(tablet)

    expect(tablet.get_by_test_id("resume")).to_be_visible()

    tablet.unroute_all(behavior="wait")
    tablet.get_by_test_id("resume").click()
    tablet.add_init_script(COUNTING)
    tablet.clock.install()
    tablet.reload()
    expect(tablet.get_by_test_id("end-turn")).to_be_enabled()
    tablet.clock.run_for(A_SECOND)
    stop_clock(tablet)

    press_during_picture(tablet, panel, "intel-black")
    now = str(panel.company.picture("defenders")["revision"])
    expect(tablet.locator("body")).not_to_have_attribute("data-revision", now)
    tablet.mouse.up()
    expect(tablet.get_by_test_id("confirm")).to_be_visible()
    tablet.clock.run_for(A_SECOND)
    expect(tablet.locator("body")).to_have_attribute("data-revision", now)

    tablet.get_by_test_id("intel-black").click()
    tablet.clock.run_for(A_SECOND)
    press_during_picture(tablet, panel, "confirm")
    tablet.mouse.up()
    expect_toast(tablet, "The game has moved on since")
    assert panel.company.picture("defenders")["view"]["squads"]["black"] == {"left": 2, "intel": False}


def press_during_picture(tablet: Page, panel: Panel, testid: str) -> None:
    """Press a control, during which a picture arrives."""
    tablet.get_by_test_id(testid).hover()
    tablet.mouse.down()
    received = tablet.locator("body").get_attribute("data-received")
    panel.company.act("defenders", panel.company.legal("defenders", "mark")[0])
    expect(tablet.locator("body")).not_to_have_attribute("data-received", str(received))


def test_returning_page_shows_current_state_within_a_second(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "sniper-aim")
    phone = opened(browser, served, panel, "sniper")
    phone.clock.install()
    phone.reload()
    expect(phone.get_by_test_id("end-turn")).to_be_enabled()

    away = True
    phone.route("**/api/*/sniper", lambda route: route.abort() if away else route.continue_())
    phone.evaluate("dispatchEvent(new Event('offline'))")
    expect(phone.get_by_test_id("link")).to_be_visible()
    phone.clock.run_for(20 * A_SECOND)
    expect(phone.get_by_test_id("link")).to_be_visible()
    expect(phone.get_by_test_id("end-turn")).to_be_disabled()
    panel.company.act("sniper", {"type": "end-turn"})

    away = False
    phone.clock.run_for(A_SECOND)
    expect(phone.get_by_test_id("headline")).to_contain_text("The defenders are searching")
    expect(phone.get_by_test_id("link")).to_be_hidden()
