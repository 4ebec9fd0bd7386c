"""A new player with a phone: one tap into a game against the computer, in Chromium."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from firmware_host.seats.absence import LEFT_AFTER
from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, PATIENCE, Screen, expect_toast, expect_value
from tests.web_panel.test_absence import finish

pytestmark = IN_CHROMIUM


def test_one_tap_leads_into_a_game_and_then_the_next(browser: Browser, panel: Panel, served: str) -> None:
    phone = Screen(browser, (360, 640), known=False, has_touch=True, locale="pl")
    phone.go(served)
    phone["topic-alone"].tap()
    for side in ("sniper", "defenders"):
        expect(phone[f"play-{side}"]).to_be_in_viewport(ratio=1)
    expect(phone["options-all"]).to_be_visible()
    expect(phone["option-experienced_sniper-B"]).to_be_hidden()
    phone["options-all"].tap()
    for dealt, summary in ((False, "Opcje Losowe przygotowanie: wyłączone"), (True, "Opcje")):
        phone["option-random_setup"].set_checked(dealt)
        expect(phone["options-all"]).to_have_text(summary)
    phone["play-sniper"].tap()
    phone.page.wait_for_url("**/sniper")
    phone["briefing-done"].tap()
    expect(phone.page.locator("[data-testid^=enter-]").first).to_be_visible(timeout=PATIENCE)
    assert panel.browser().get("/api/lobby").json["seats"]["sniper"]["devices"][0]["device"] == "Guest"
    panel.loop.call(lambda table: table.abandon())
    phone["start"].tap()
    entry = phone.page.locator("[data-testid^=enter-], [data-testid^=return-]")
    expect(entry.first).to_be_visible(timeout=PATIENCE)


def test_busy_table_says_who_plays_and_frees_a_seat_that_was_left(browser: Browser, panel: Panel, served: str) -> None:
    ada, phone = panel.browser(), Screen(browser, (360, 640), has_touch=True)
    assert ada.post("/api/play-now", seat="sniper", device="Olga").json == {"ok": True}
    phone.go(f"{served}#alone")
    expect(phone["busy"]).to_contain_text("Olga")
    expect(phone["play-watch"]).to_be_in_viewport(ratio=1)
    expect(phone["play-free"]).to_have_count(0)
    expect(phone.page.get_by_text("Is this your game?")).to_be_in_viewport(ratio=1)
    tv = Screen(browser, (1280, 720), locale="pl")
    tv.go(f"{served}table")
    expect(tv["turn"]).to_have_text("Tura snajpera: Olga")
    expect(tv.page.locator("#ticker")).to_contain_text("Specjaliści")  # the worker asks in the page's language
    phone["play-wait"].tap()
    expect(phone["waiting"]).to_be_visible()
    panel.advance_clock(LEFT_AFTER + 1)
    phone["play-free"].tap()
    phone["confirm-yes"].tap()
    expect_toast(phone.page, "The table is free")
    phone["play-defenders"].tap()
    phone.page.wait_for_url("**/defenders")
    expect(phone["turn"]).to_be_visible()


def test_end_of_a_game_stays_while_others_choose_and_play(browser: Browser, panel: Panel, served: str) -> None:
    ada, bo = panel.browser(), panel.browser()
    assert ada.post("/api/play-now", seat="player-1", device="Ada", game="stalingrad").json == {"ok": True}
    finish(panel, ada)
    cookie = ada.client.get_cookie("sniperboard-8000-player-1")
    assert cookie is not None
    phone = Screen(browser, (360, 640), has_touch=True)
    phone.holds(served, "player-1", cookie.value)
    phone.go(f"{served}player-1?language=en")
    expect(phone["rematch"]).to_be_visible()
    other = Screen(browser, (360, 640))
    other.go(f"{served}#together")
    expect(other["take-player-1"]).to_be_visible()  # it had to be freed first
    for gone in ("release", "take-alone"):
        expect(other[f"{gone}-player-1"]).to_have_count(0)
    assert bo.post("/api/choose", game="sniper-elite").json == {"ok": True}
    assert bo.post("/api/play-now", seat="sniper", device="Bo").json == {"ok": True}
    expect(phone.page.get_by_text("A new one can start")).to_be_visible()
    expect(phone["rematch"]).to_have_count(0)
    expect(phone["over"]).to_be_visible()
    phone["again"].tap()
    expect(phone["stage"]).to_be_visible()


def test_every_visible_page_tells_that_its_person_is_here(browser: Browser, served: str) -> None:
    page = Screen(browser, (360, 640)).page
    page.clock.install()
    for path in ("", "rules", "learn", "puzzles"):
        page.goto(f"{served}{path}")
        with page.expect_request(lambda request: request.method == "HEAD", timeout=PATIENCE):
            page.clock.fast_forward(60_000)


def test_play_now_after_a_lesson_and_number_of_players_first(browser: Browser, panel: Panel, served: str) -> None:
    phone = Screen(browser, (360, 740), has_touch=True)
    assert panel.browser().post("/api/choose", game="sniper-elite", options={"random_setup": False}).json["ok"]
    phone.go(f"{served}?game=snipers-and-assassins#alone")
    phone["option-players"].select_option("3")
    expect(phone["option-players"]).to_have_value("3")
    expect(phone["play-player-1"]).to_have_text("Play")
    expect(phone["play-player-2"]).to_have_count(0)
    expect(phone["option-players"]).to_have_count(1)
    expect(phone.page.locator(".maps")).to_be_hidden()
    phone["topic-together"].tap()
    expect(phone["option-players"]).to_have_count(1)
    page = phone.page  # one question of the browser: what it drew again in between can't be a node of another drawing
    expect_value(
        page,
        """([one, other]) => {
            const [first, later] = [one, other].map((id) => document.querySelector(`[data-testid=${id}]`));
            return Boolean(first.compareDocumentPosition(later) & Node.DOCUMENT_POSITION_FOLLOWING);
        }""",
        arg=["option-players", "take-player-1"],
    )
    phone["game-sniper-elite"].tap()
    expect(phone["take-sniper"]).to_be_visible()
    assert "game=" not in phone.page.url


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
    expect(phones["sniper"]["gathered"]).to_have_css("display", "grid")
    phones["sniper"].sends("again", swapped=True)
    phones["sniper"].page.wait_for_url("**/defenders")
    phones["defenders"].page.wait_for_url("**/sniper")


PARTS = {
    "alone": {"play-sniper", "game-sniper-elite", "map-launch-facility"},
    "together": {"take-sniper", "game-sniper-elite", "map-launch-facility", "start"},
    "look": {"link-table", "link-board", "link-games"},
    "learn": {"lessons", "puzzles", "link-rules", "link-aids"},
    "admin": {"link-admin", "link-health"},
}


def test_lobby_asks_for_a_goal_and_remembers_name_and_pin(browser: Browser, panel: Panel, served: str) -> None:
    phone = Screen(browser, (360, 740), known=False, has_touch=True)
    phone.go(served)
    every = set().union(*PARTS.values())
    for part in every:
        expect(phone[part]).to_be_visible()
    for goal, parts in PARTS.items():
        expect_value(phone[f"topic-{goal}"], "it => it.getBoundingClientRect().height >= 44")
        phone[f"topic-{goal}"].tap()
        for part in every:
            expect(phone[part]).to_be_visible(visible=part in parts)
    phone.page.go_back()
    expect(phone["link-rules"]).to_be_visible()
    phone["topic-all"].tap()
    for part in every:
        expect(phone[part]).to_be_visible()

    phone.press("take-sniper")
    expect(phone["claim-device"]).to_have_value("")
    phone.press("claim-send")
    # A name is asked, not made up.
    expect_value(phone["claim-device"], "input => input.validity.valueMissing")
    phone["claim-device"].fill("Ada")
    phone["claim-pin"].fill("2468")
    phone.press("claim-send")
    phone.page.wait_for_url("**/sniper")
    # A new phone for the same person.
    other = Screen(browser, (360, 740), known=False, has_touch=True)
    other.go(f"{served}#together")
    other.press("take-over-sniper")
    expect(other["claim-device"]).to_have_value("Ada")
    panel.loop.call(lambda table: table.seating.claims.release("sniper"))
    phone.go(served)
    phone.press("take-defenders")
    expect(phone["claim-device"]).to_have_value("Ada")
    expect(phone["claim-pin"]).to_have_value("2468")
