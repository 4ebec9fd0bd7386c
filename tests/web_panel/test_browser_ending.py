"""The end of a game: cards and route revealed, who played, what is special, and another game offered to all."""

from __future__ import annotations

import re
from itertools import pairwise

from playwright.sync_api import Browser, Route, expect

from firmware_host.records import results
from firmware_host.records.results import Result
from tests.depth import DEPTH
from tests.web_panel.conftest import Panel
from tests.web_panel.endings import ORDER, play_out
from tests.web_panel.looks import OUT_OF_REACH
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value, stop_clock

pytestmark = IN_CHROMIUM
SIZES = ((360, 640), (740, 360), (768, 1024), (1280, 720), (1920, 1080))[: 2 if DEPTH == 1 else 5]
ALONG_SPOTS = """([selector, spaces]) => {
  const line = document.querySelector(selector).getAttribute("points").trim().split(" ");
  const spot = (space) => document.querySelector(`[data-space="${space}"][data-spot]`).dataset.spot;
  return JSON.stringify(line.map((point) => point.split(",").map(Number))) ===
    JSON.stringify(spaces.map((space) => spot(space).split(",").map(Number)));
}"""
"""Whether a line leads along the spots of these spaces."""

TURNS_FIT = """(number) => {
  const turns = document.querySelector(".turns");
  while (turns.children.length < number) turns.append(turns.firstElementChild.cloneNode(true));
  return document.documentElement.scrollWidth <= innerWidth;
}"""
"""Whether the page needs no sideways scrolling after a game of so many turns."""


def seats(panel: Panel, browser: Browser, served: str, size: tuple[int, int]) -> dict[str, Screen]:
    """Return a screen with the key of each seat."""
    found = {}
    for seat in ("sniper", "defenders"):
        found[seat] = Screen(browser, size, has_touch=True)
        found[seat].holds(served, seat, panel.company.keys[seat])
        found[seat].go(f"{served}{seat}?language=en")
    return found


def far_game(panel: Panel) -> None:
    """Play a game in which the sniper walks as far as possible and plays a card face down."""
    company = panel.company
    company.sit_down()
    company.start(random_setup=True)
    while not company.picture("sniper")["view"]["over"]:
        for seat in company.keys:
            for act in ("end-turn",) if seat == "defenders" else ORDER:
                while choices := company.legal(seat, act):
                    company.act(seat, max(choices, key=lambda choice: len(choice.get("path", ()))))


def test_end_shows_the_route_along_spaces_and_names(browser: Browser, panel: Panel, served: str) -> None:
    far_game(panel)
    ending = panel.browser().get("/api/games/1/ending").json
    walk = panel.loop.call(lambda table: table.session.play.board.walk)
    turns = len(panel.company.picture("table")["view"]["opened"]["log"])
    spaces = [space for turn in ending["route"][:turns] for space in turn]
    assert any(len(turn) > 3 for turn in ending["route"]), "a turn has several steps"
    assert all(there == here or there in walk[here] for here, there in pairwise(spaces))
    board = panel.loop.call(lambda table: table.session.play.board)
    names = {site.properties.get("objective"): site.name for site in board.spaces.values()}
    wanted = panel.company.picture("table")["view"]["opened"]["objectives"]
    named = " and ".join(f"{names[number]} ({number})" for number in wanted)

    found = seats(panel, browser, served, SIZES[0])
    tv = Screen(browser, (1920, 1080))
    tv.go(f"{served}table?language=en")
    for screen in (*found.values(), tv):
        expect(screen.page.locator(".layer-lines .way.opened")).to_be_attached()
        expect_value(screen.page, ALONG_SPOTS, arg=[".layer-lines .way.opened", spaces])
        for words in ("Ada's phone", "Bo's tablet", "won"):
            expect(screen.page.locator(".end-facts .players")).to_contain_text(words)
        expect(screen["face-down"].first).to_be_attached()
        expect(screen.page.locator("#dock, #ticker")).to_contain_text(f"The objectives were {named}.")
        expect(screen.page.locator(".goal-space")).to_have_count(len(wanted))
        expect_value(screen.page, OUT_OF_REACH, [])
    winner = panel.company.picture("table")["view"]["over"]["winner"]
    tv.says("over", {"sniper": "escaped: Ada's phone.", "defenders": "stopped by Bo's tablet."}[winner])

    found["defenders"].press("tab-squads")
    expect(found["defenders"]["squad-red"]).to_be_visible()
    screen = found["sniper"]
    screen.press("tab-log")
    screen.says("panel-log", f"You were after objectives {named} and went")
    screen.press("tab-log")
    stamps = screen.page.locator(".layer-over .stamp text").all_text_contents()
    assert stamps
    screen.go(f"{served}games/1?language=en")
    expect(screen["scrubber"]).to_be_visible()
    expect(screen["side-truth"]).to_be_in_viewport(ratio=1)
    screen.page.keyboard.press("End")
    screen.press("side-truth")
    expect_value(screen.page, ALONG_SPOTS, arg=["#truth .way.opened", spaces])
    expect(screen.page.locator("#truth .stamp text")).to_have_text(stamps)  # rounds are numbered alike
    expect(screen.page.locator("#truth-told")).to_contain_text(f"Objectives: {named}.")
    for number in (40, 120):
        expect_value(screen.page, TURNS_FIT, arg=number)


def test_face_down_cards_are_named_and_a_rematch_ends_no_screen_before_it_is_accepted(
    browser: Browser, panel: Panel, served: str
) -> None:
    play_out(panel.company)
    found = seats(panel, browser, served, SIZES[0])
    sniper, defenders = found["sniper"], found["defenders"]
    expect(sniper["over"]).to_have_class("verdict lost")
    expect(defenders["over"]).to_have_class("verdict won")
    expect(sniper["face-down"]).to_have_text("No card was still face down.")
    sniper.says("countdown", "0")  # time has run out
    said = sniper.page.evaluate(
        """async () => {
            const { cardsOut } = await import("/games/sniper-elite/static/parts.js");
            const { glossary } = await import("/static/frame.js");
            const view = { face_up: [], counts: {}, shown: null, opened: { face_down: ["sound-masking"] } };
            return cardsOut(view, await glossary()).querySelector("[data-testid=face-down]").textContent;
        }"""
    )
    assert said == "Cards still face down: Sound Masking."
    for swap in (False, True):
        sniper.press("swap" if swap else "rematch")
        sniper.says("offer", "Waiting for Bo's tablet")
        defenders.says("offer", "swapped sides offered by Ada's phone" if swap else "Rematch offered by Ada's phone")
        for size in SIZES:
            for screen in found.values():
                screen.page.set_viewport_size({"width": size[0], "height": size[1]})
                expect_value(screen.page, OUT_OF_REACH, [])
            expect_value(defenders["rematch-accept"], "it => it.getBoundingClientRect().height >= 44")
        expect(defenders["over"]).to_be_visible()
        if not swap:
            defenders.press("rematch-decline")
            sniper.says("declined", "Bo's tablet")
    expect(sniper["over"]).to_be_visible()
    sniper.press("rematch-decline")
    expect(defenders["offer"]).to_have_count(0)
    sniper.press("swap")
    defenders.press("rematch-accept")
    sniper.page.wait_for_url("**/defenders")
    defenders.page.wait_for_url("**/sniper")


def test_late_parts_wait_while_a_button_is_pressed(browser: Browser, panel: Panel, served: str) -> None:
    """The scripts that bring a part of the page come during the press of a button."""
    play_out(panel.company)
    screen, held = Screen(browser, SIZES[0], has_touch=True), list[Route]()
    page = screen.page
    screen.holds(served, "defenders", panel.company.keys["defenders"])
    screen.go(f"{served}defenders?language=en")
    page.clock.install()
    for script, part in (("rematch", "rematch"), ("ending", "lasted"), ("papers", "over")):
        # The page has loaded the script, so that only the next one asks for it from here on.
        expect(screen[part]).to_be_visible()
        page.route(f"**/{script}.js", lambda route: held.append(route))
        with page.expect_request(f"**/{script}.js"):
            page.reload()
        stop_clock(page)
        screen["menu"].hover()
        page.mouse.down()
        late = held.pop()
        late.continue_()
        # The page's clock stands still, so no frame can be waited for.
        page.evaluate("url => import(url).then(() => undefined)", late.request.url)
        expect(screen[part]).to_have_count(0)
        page.mouse.move(0, 0)
        page.mouse.up()
        page.clock.run_for(1000)
        expect(screen[part]).to_be_visible()
        page.unroute(f"**/{script}.js")
        page.clock.resume()


def test_next_stronger_bot_is_proposed_after_a_win(browser: Browser, panel: Panel, served: str) -> None:
    play_out(panel.company)
    ada = panel.company.keys["defenders"]
    panel.loop.call(lambda table: table.seating.claims.release("sniper"))
    panel.loop.call(lambda table: table.seating.claims.seat_bot("sniper", "rambler"))
    screen = Screen(browser, SIZES[0], has_touch=True)
    screen.holds(served, "defenders", ada)

    def won(name: str, handicapped: bool) -> None:
        told = [
            Result(1, "sniper-elite", "defenders", name, True),
            Result(1, "sniper-elite", "sniper", "", False, "rambler", handicapped=handicapped),
        ]
        panel.loop.call(lambda table: table.journal.store_value(results.RESULTS_KEY, told))
        screen.go(f"{served}defenders?language=en")
        screen.says("stronger", "skulker")

    won("Bo", handicapped=True)
    screen.says("uncounted", "Your opponent had a handicap")
    assert panel.browser().get("/api/games/1/ending").json["uncounted"]
    screen.go(f"{served}board?language=en")  # asks no one to move miniatures now
    expect(screen.page.locator(".board-strip")).to_have_text("Game over")
    for name in ("", "Bo"):  # a guest, and a person whose wins are counted
        won(name, handicapped=False)
        expect(screen["uncounted"]).to_have_count(0)
    expect(screen["achievements"]).to_contain_text(re.compile("First win in this game.*First win against 'rambler'"))
    expect_value(screen.page, OUT_OF_REACH, [])
    screen.press("stronger")
    expect(screen["over"]).to_have_count(0)
    bots = panel.loop.call(lambda table: dict(table.seating.claims.bots))
    assert bots == {"sniper": "skulker"}
