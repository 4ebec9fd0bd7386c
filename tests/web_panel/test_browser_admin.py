"""The admin page in a real Chromium: its PIN, settings that apply at once, and shutdown; and errors of pages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Route, expect

from firmware_host.admin import pin as pins
from tests.web_panel.conftest import ADMIN_PIN, LONGEST_WORDS, PIN, Panel
from tests.web_panel.endings import play_out
from tests.web_panel.looks import FITS
from tests.web_panel.room import IN_CHROMIUM, LASTING_TOASTS, Screen, expect_value

pytestmark = IN_CHROMIUM
REFUSALS = 3
"""How often the table is busy. The lobby asks once or twice itself as soon as a seat is taken."""


@pytest.fixture
def keeping(browser: Browser, panel: Panel, served: str) -> Screen:
    """A phone that has opened the admin page."""
    phone = Screen(browser, (360, 780))
    phone.holds(served, "house", panel.company.key("admin"))
    phone.go(served + "admin")
    expect(phone["live-sensors"]).to_be_visible()
    return phone


def test_admin_sees_the_board_changes_settings_and_shuts_down(keeping: Screen, panel: Panel) -> None:
    keeping.says("network", "Attic")
    keeping.says("live-sensors", "occupied: 0")
    panel.company.sit_down()
    panel.company.start(random_setup=True)
    panel.loop.call(lambda table: table.session.tidy())
    keeping.says("live-sensors", "occupied: 9")
    expect(keeping.page.locator("[data-down]")).to_have_count(9)

    expect(keeping["checking"]).to_have_count(0)
    panel.loop.read(lambda table: setattr(table.journal.checks, "progress", (3, 40)))
    keeping.press("choose-palette-day")
    keeping.says("checking", "Checking past games: 3 of 40.")
    expect(keeping["choose-palette-day"]).to_have_attribute("aria-pressed", "true")
    keeping["choose-brightness"].press("Home")
    expect(keeping["default-brightness"]).to_be_visible()
    assert panel.loop.call(lambda table: table.board.io.look.palette) == "day"
    assert panel.loop.call(lambda table: table.board.io.look.brightness) == 0.05
    keeping["choose-quiet_from"].fill("22:30")
    keeping["choose-quiet_to"].fill("07:00")
    expect(keeping["default-quiet_to"]).to_be_visible()
    assert panel.loop.call(lambda table: table.choices.settings.quiet_from) == "22:30"
    with keeping.page.expect_download() as saving:
        keeping.press("report")
    assert "launch-facility" in saving.value.path().read_text("utf-8")
    expect_value(keeping.page, FITS)
    offer_unknown_settings(keeping)

    keeping.press("admin-leave")
    keeping["admin-pin"].fill("000000")
    keeping.press("admin-enter")
    keeping.says("admin-fault", "not the admin PIN")
    keeping["admin-pin"].fill(ADMIN_PIN)
    keeping.press("admin-enter")
    expect(keeping["live-sensors"]).to_be_visible()
    pins.write_pin(panel.folder, "another one")
    keeping["admin-pin"].fill("another one")
    keeping.press("admin-enter")

    keeping.press("shut-down")
    keeping.press("confirm-no")
    assert panel.ends == []
    keeping.press("shut-down")
    keeping.press("confirm-yes")
    keeping.says("ended", "shut down")
    assert panel.ends == [False]


def offer_unknown_settings(keeping: Screen) -> None:
    """Check that each setting which the page does not know gets the control of its kind."""
    facts = {"default": 7, "fixed": False, "low": 0, "high": 9, "choices": []}
    more = [
        {"name": "glow", "kind": "number", "value": 7, **facts},
        {"name": "motto", "kind": "text", "value": "a", **facts},
    ]
    asked: list[object] = []

    def answer(route: Route) -> None:
        found = route.fetch()
        route.fulfill(response=found, json={**found.json(), "choices": [*found.json()["choices"], *more]})

    def choose(route: Route) -> None:
        asked.append(route.request.post_data_json)
        route.fulfill(json={"ok": True})

    keeping.page.route("**/api/house", answer)
    keeping.page.route("**/api/house/choose", choose)
    for name, wanted, shown in (("glow", "5", "7"), ("motto", "b", "a")):
        keeping[f"choose-{name}"].fill(wanted)
        keeping[f"choose-{name}"].press("Enter")
        expect(keeping[f"choose-{name}"]).to_have_value(shown)  # painted again, with the table's answer
    assert asked == [{"choices": {"glow": 5}}, {"choices": {"motto": "b"}}]
    keeping.page.unroute_all(behavior="wait")


def test_admin_deletes_past_game_and_frees_seat_after_confirmation(keeping: Screen, panel: Panel, served: str) -> None:
    play_out(panel.company)
    play_out(panel.company)
    keeping.go(f"{served}admin?language={LONGEST_WORDS}")
    keeping.press("games-open")
    expect(keeping["stored-1"]).to_be_visible()
    expect(keeping["delete-2"]).to_have_count(0)
    keeping.says("imported-bytes", "300")
    expect_value(keeping.page, FITS)
    keeping.press("delete-1")
    keeping.press("confirm-no")
    expect(keeping["stored-1"]).to_be_visible()
    keeping.press("delete-1")
    keeping.press("confirm-yes")
    expect(keeping["stored-1"]).to_have_count(0)
    expect(keeping["stored-2"]).to_be_visible()
    assert panel.loop.call(lambda table: [game.id for game in table.journal.games()]) == [2]

    # The admin key also frees a seat without a PIN.
    keeping.go(f"{served}?language=en")
    keeping.press("release-sniper")
    keeping.press("confirm-yes")
    keeping.says("holder-sniper", "free")


def without_cookies(route: Route) -> None:
    """Make the browser refuse cookies."""
    answer = route.fetch()
    route.request.frame.page.context.clear_cookies()
    route.fulfill(
        response=answer, headers={name: it for name, it in answer.headers.items() if name.lower() != "set-cookie"}
    )


def test_lobby_reports_errors_and_missing_cookies_and_asks_a_busy_table_again(
    browser: Browser, panel: Panel, served: str
) -> None:
    phone, refused = Screen(browser, (360, 780), LASTING_TOASTS), []

    def refuse(route: Route) -> None:
        if len(refused) == REFUSALS:
            return route.fallback()
        refused.append(route.request.url)
        error = {"code": "busy", "sentence": "busy", "rule": None}
        return route.fulfill(status=503, json={"ok": False, "error": error, "status": 503})

    phone.go(served)
    expect(phone["take-sniper"]).to_be_visible()
    for broken in ("throw new Error('x')", "Promise.reject(new Error('y'))"):
        phone.page.evaluate(f"setTimeout(() => {{ {broken} }})")
        phone.says("toast", "The game is safe")
        phone.press("reload")
        expect(phone["toast"].locator("button")).to_have_count(0)
        expect(phone["take-sniper"]).to_be_visible()
    phone.faults.clear()

    phone.page.route("**/api/claim", without_cookies)
    phone.press("take-sniper")
    phone["claim-pin"].fill("2468")
    phone.press("claim-send")
    phone.says("claim-fault", "doesn't keep cookies")
    assert not panel.interface.lobby()["seats"]["sniper"]["taken"]

    phone.page.unroute("**/api/claim")
    phone.page.route("**/api/lobby", refuse)
    phone.press("claim-send")
    phone.page.wait_for_url("**/sniper")
    assert len(refused) == REFUSALS


def test_seat_is_freed_with_pin_admin_pin_or_own_device(browser: Browser, panel: Panel, served: str) -> None:
    pins.write_pin(panel.folder, ADMIN_PIN)
    panel.sit_down()
    phone = Screen(browser, (360, 780))
    phone.go(served)

    phone.press("release-sniper")
    phone["release-pin"].fill("0000")
    phone.press("release-send")
    phone.says("release-fault", "not the PIN of this seat")
    phone["release-pin"].fill(PIN)
    phone.press("release-send")
    phone.says("holder-sniper", "free")

    phone.press("release-defenders")
    phone["release-by-admin"].check()
    phone["release-pin"].fill("000000")
    phone.press("release-send")
    phone.says("release-fault", "not the admin PIN")
    expect_value(phone.page, FITS)
    phone["release-pin"].fill(ADMIN_PIN)
    with phone.page.expect_response("**/api/house/leave"):  # the seat is shown as free before
        phone.press("release-send")
    phone.says("holder-defenders", "free")
    assert phone.page.request.get(served + "api/house").status == 403  # the PIN was valid only for this

    phone.sends("claim", seat="sniper", pin=PIN, device="this phone")
    phone.go(served)
    phone.press("release-sniper")
    phone.press("confirm-yes")
    phone.says("holder-sniper", "free")
