"""The table view and the simulated board in Chromium: what fits, what is spoken, and when a board is mentioned."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from firmware_host.table.table import Table
from tests.depth import DEPTH
from tests.patience import until
from tests.web_panel.conftest import LONGEST_WORDS, Panel
from tests.web_panel.looks import PALE
from tests.web_panel.room import IN_CHROMIUM, STILL, Screen, expect_value, middle, wait_shown, wait_two_frames
from tools.showroom import PIN

pytestmark = IN_CHROMIUM

TVS = ((1920, 1080), (1280, 720))
OVERFLOWS = """() => {
  const inside = (it, box) => it.left >= box.left - 1 && it.right <= box.right + 1
    && it.top >= box.top - 1 && it.bottom <= box.bottom + 1;
  const found = [];
  for (const box of document.querySelectorAll("#side, #ticker")) {
    if (box.scrollHeight > box.clientHeight + 1) found.push(`${box.id}: ${box.scrollHeight} > ${box.clientHeight}`);
    const said = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    const [texts, around] = [[], box.getBoundingClientRect()];
    while (said.nextNode()) {
      const [{ parentElement: element }, area] = [said.currentNode, document.createRange()];
      if (!said.currentNode.data.trim() || !element.checkVisibility({ opacityProperty: true })) continue;
      if (element.closest(".unseen, svg")) continue;
      if (getComputedStyle(element).clipPath !== "none") continue;  // only for screen readers
      area.selectNodeContents(said.currentNode);
      for (const it of area.getClientRects()) texts.push({ it, words: said.currentNode.data });
    }
    for (const { it, words } of texts) if (!inside(it, around)) found.push(`${box.id} cuts: ${words}`);
    texts.forEach((one, i) => texts.slice(i + 1).forEach((other) => {
      const [a, b] = [one.it, other.it];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // Lines of one text may touch.
      if (one.words !== other.words && across > 1 && down > 0.3 * Math.min(a.height, b.height))
        found.push(`${one.words} overlaps ${other.words}`);
    }));
  }
  return found;
}"""
"""Texts at the side or in the news of a table view that are cut off or overlap, and boxes that would have to scroll."""
NEWS_NEXT_TO_HEADING = """() => {
  const [heading, news] = [".recap-title", ".recap-lines"]
    .map((part) => document.querySelector(`.turn-recap ${part}`).getBoundingClientRect());
  return news.left >= heading.right && news.left < heading.right + 100;
}"""
NEEDS_A_FINGER = "button, a[href], summary, input, select, [tabindex='0']:not(.unseen)"


def expect_no_overflow(tv: Page, scene: str, sizes: tuple[tuple[int, int], ...] = TVS) -> None:
    """Check that everything fits on a TV of each size."""
    for width, height in sizes:
        tv.set_viewport_size({"width": width, "height": height})
        wait_two_frames(tv)
        expect_value(tv, OVERFLOWS, [], where=(scene, width))


def shown(screen: Screen, panel: Panel, viewer: str) -> Page:
    """Return a screen's page once it shows the current picture."""
    wait_shown(screen.page, panel.company.picture(viewer)["revision"])
    return screen.page


def seated(
    browser: Browser, panel: Panel, address: str, seat: str, size: tuple[int, int], script: str = "", **device: Any
) -> Screen:
    """Return a screen with the seat's page, on which the script runs first."""
    screen = Screen(browser, size, script, **device)
    screen.holds(address, seat, panel.company.keys[seat])
    screen.go(f"{address}{seat}")
    return screen


def defenders_turn(panel: Panel) -> None:
    """Let the defenders move and search, and end their turn."""
    company = panel.company
    for kind in ("move", "sweep", "move", "spot"):
        if acts := company.legal("defenders", kind):
            company.act("defenders", acts[-1])
    company.act("defenders", company.legal("defenders", "end-turn")[0])


def sniper_enters(panel: Panel) -> None:
    company = panel.company
    while acts := company.legal("sniper", "return-objective", "choose-entry"):
        company.act("sniper", acts[0])
    company.act("sniper", company.legal("sniper", "move")[0])
    company.act("sniper", company.legal("sniper", "end-turn")[0])


MAP_FILLS_ITS_PLACE = """(() => {
  const [map, stage] = [".map", ".stage"].map(it => document.querySelector(it).getBoundingClientRect());
  return [map.x, map.y, map.width, map.height].join() === [stage.x, stage.y, stage.width, stage.height].join();
})()"""
"""Whether the buttons of a map, which a TV hides, take no place from it."""


def test_everything_fits_on_a_tv_and_a_kiosk_needs_no_finger(browser: Browser, panel: Panel, served: str) -> None:
    panel.company.sit_down()
    tvs = {path: Screen(browser, TVS[0], locale=LONGEST_WORDS) for path in ("table", "kiosk")}
    for path, tv in tvs.items():
        tv.go(served + path)
    panel.company.start(random_setup=True)

    def look(scene: str) -> None:
        for path, tv in tvs.items():
            expect_no_overflow(shown(tv, panel, "table"), f"{scene}, {path}")
            if path == "kiosk":
                expect(tv.page.locator(NEEDS_A_FINGER).filter(visible=True)).to_have_count(0)

    look("the start")
    for _ in range(1 if DEPTH == 1 else 2):
        if panel.company.legal("sniper", "return-objective", "choose-entry"):
            sniper_enters(panel)
        defenders_turn(panel)
        look("after the defenders' turn")
        company = panel.company
        company.act("sniper", company.legal("sniper", "end-turn")[0])
        look("after the sniper's turn")
    name = company.picture("table")["seats"]["sniper"]["devices"][0]["device"]
    expect(tvs["table"].page.locator(".recap-title")).to_contain_text(f": {name}")
    expect_value(tvs["table"].page, NEWS_NEXT_TO_HEADING)
    expect_value(tvs["table"].page, MAP_FILLS_ITS_PLACE)
    expect(tvs["table"].page.locator(".tools")).to_have_css("position", "absolute")  # hidden, they take no place


# --- speaking -------------------------------------------------------------------------------------------------------

VOICE = """
window.spoken = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ lang: "en-GB" }, { lang: "pl-PL" }],
  cancel() {},
  speak(words) { if (words.text) spoken.push([words.lang, words.voice.lang, words.text]); setTimeout(words.onend); },
} });
"""
"""A browser with an English and a Polish voice, which notes what it is to say."""
SPEAKS = "localStorage.setItem('sniperboard-device', JSON.stringify({ speech: true }));"


HEARD = """async (log) => {
  const { News } = await import("/static/news.js");
  const { setChoice } = await import("/static/device.js");
  const buzzes = [];
  navigator.vibrate = (pattern) => buzzes.push(pattern);
  for (const name of ["buzz", "speech"]) setChoice(name, true);
  spoken.length = 0;
  const news = new News();
  news.hear([], { among: () => true });
  const fresh = log.map((entry) => news.hear([entry], { among: () => true }).length);
  await news.read;
  return [fresh, spoken.map((said) => said[2]), buzzes.length];
}"""
"""Return what `News` finds in entries that come one after another, what is spoken, and how often the device buzzes."""


def test_only_public_news_are_spoken_where_people_want_it(browser: Browser, panel: Panel, served: str) -> None:
    panel.company.sit_down()
    panel.company.start(random_setup=True)
    tv, quiet, kiosk = (Screen(browser, TVS[1], VOICE, locale=code) for code in ("en", "en", "pl"))
    phone = seated(browser, panel, served, "sniper", (360, 740), VOICE + SPEAKS)
    pages = {tv: "table", quiet: "table", kiosk: "kiosk?speak"}
    for screen, path in pages.items():
        screen.go(served + path)
    tv.press("device")
    tv["device-speech"].check()
    expect_value(tv.page, "spoken", [["en", "en-GB", "Announcements are on."]])
    tv.press("device-close")
    for screen in (*pages, phone):
        shown(screen, panel, "sniper" if screen is phone else "table")

    sniper_enters(panel)
    shown(tv, panel, "table")
    defenders_turn(panel)
    log = panel.company.picture("table")["log"]
    last = [line["sentence"] for line in log if line["type"] in ("spotted", "swept")][-1]
    for screen in (tv, phone):
        expect_value(screen.page, "text => spoken.some((it) => it[2] === text)", arg=last)
    expect_value(kiosk.page, "spoken.length > 3")
    private = {line["sentence"] for line in panel.company.picture("sniper")["log"] if not line["public"]}
    assert private, "the sniper's phone knows more"
    shown(phone, panel, "sniper")
    expect_value(phone.page, "private => spoken.some((it) => private.includes(it[2]))", False, [*private])
    expect_value(kiosk.page, "spoken.every((it) => it[0] === 'pl' && it[1] === 'pl-PL')")
    expect_value(tv.page, "text => spoken.some((it) => it[2] === text)", arg="Defenders' turn: Bo's tablet")
    shown(quiet, panel, "table")
    expect_value(quiet.page, "spoken", [], where="off by default:")

    name = "<speak>{player} $& player 2</speak>"
    texts = [("You draw the Medic.", False), (f"{name} draws a card.", True), ("You keep the Medic.", False)]
    log = [{"n": n, "type": "draw", "sentence": text, "public": public} for n, (text, public) in enumerate(texts)]
    expect_value(quiet.page, HEARD, [[1, 1, 1], [f"{name} draws a card."], 1], log)

    panel.company.keys["sniper"] = panel.interface.take_over("sniper", PIN, "Olga")
    tv.says("turn", "Olga")


# --- the simulated board --------------------------------------------------------------------------------------------

BOARD_SIZES = ((360, 740), (1280, 720), (740, 360), (768, 1024))[: 2 if DEPTH == 1 else 4]
PLACE = """() => JSON.stringify([document.querySelector("#map").getBoundingClientRect(),
  document.querySelector("#map > .view").getAttribute("viewBox")])"""


def of_board(panel: Panel, call: str, *args: Any) -> None:
    """Call a method of the table's board."""

    def made(table: Table) -> None:
        getattr(table.board, call)(*args)

    panel.loop.call(made)


LIST_OF_CARRIES = """() => {
  const lines = Array.from({ length: 9 }, (_, i) => `<li>The red officer goes to R${i}.</li>`).join("");
  const list = Object.assign(document.createElement("ul"), { className: "orders", innerHTML: lines });
  document.querySelector("#hud .board-strip").append(list);
}"""
"""Show what a solo game asks for after the defenders' turn."""


def test_board_keeps_its_place_whatever_is_said(browser: Browser, panel: Panel, served: str) -> None:
    panel.company.sit_down()
    panel.company.start(random_setup=True)
    board = seated(browser, panel, served, "defenders", BOARD_SIZES[0])
    page = board.page
    board.go(f"{served}board")
    for width, height in BOARD_SIZES:
        panel.loop.call(lambda table: table.board.io.tidy({}))
        panel.advance_clock()
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".board-strip.busy")).to_be_visible()
        expect(board["mini-yellow-1"]).to_be_visible()
        page.evaluate(STILL)
        place = page.evaluate(PLACE)
        page.mouse.move(*middle(board["mini-yellow-1"]))
        page.mouse.down()
        expect(board["held"]).to_have_count(1)
        expect_value(page, PLACE, place, where=(width, height))
        page.mouse.move(width / 2, height / 2)
        page.evaluate(LIST_OF_CARRIES)
        expect_value(page, PLACE, place, where=(width, height))
        page.mouse.up()
        expect(board["held"]).to_have_count(0)
        board.press("tidy")
        panel.advance_clock()
        board.says("board-sentence", "agree")
        expect_value(page, PLACE, place, where=(width, height))


def test_nobody_hears_of_a_board_that_nobody_opened(browser: Browser, panel: Panel, served: str) -> None:
    of_board(panel, "mark_used", 0)
    panel.company.sit_down()
    panel.company.start(random_setup=True)
    tv = Screen(browser, TVS[1])
    tv.go(f"{served}table")
    phone = seated(browser, panel, served, "sniper", (360, 740))
    tablet = seated(browser, panel, served, "defenders", (768, 1024))
    for screen, viewer in ((tv, "table"), (phone, "sniper"), (tablet, "defenders")):
        shown(screen, panel, viewer)
        expect(screen["board-strip"]).to_have_count(0)
    lamps = tv.page.locator(".layer-lamps")
    expect(lamps).to_have_css("display", "none")
    phone.press("menu")
    expect(phone["menu-board"]).to_be_visible()
    expect(phone["menu-use-sensors"]).to_have_count(0)
    phone.press("menu-close")

    board = seated(browser, panel, served, "defenders", (1280, 720))
    board.go(f"{served}board")
    for screen in (tv, tablet, board):
        screen.says("board-sentence", "Set up the yellow miniatures")
    expect(lamps).to_have_css("display", "inline")
    of_board(panel, "mark_used", 0)
    board.says("board-sentence", "Set up the yellow miniatures")
    until(lambda: panel.company.picture("table")["board"]["open"])  # an open page takes the board back
    board.page.close()
    of_board(panel, "mark_used", 0)
    expect(tv["board-strip"]).to_have_count(0)
    expect(lamps).to_have_css("display", "none")


# --- schemes and typeface -------------------------------------------------------------------------------------------

PAPER_FONT = """[...document.fonts].some((it) => it.status === "loaded" && it.family.includes("Courier Prime"))
  && document.fonts.check(`600 16px 'Courier Prime'`, "Zażółć gęślą jaźń")"""
BRIGHT = """() => {
  const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);
  return r + g + b > 384;
}"""


@pytest.mark.nightly
def test_scheme_follows_the_device_and_paper_has_its_own_typeface(browser: Browser, panel: Panel, served: str) -> None:
    panel.company.sit_down()
    panel.company.start(random_setup=True)
    screens = [
        seated(browser, panel, served, seat, (360, 740), color_scheme="light") for seat in ("sniper", "defenders")
    ]
    for path in ("", "table", "board", "rules", "games", "kiosk"):
        screens.append(Screen(browser, TVS[1], color_scheme="light"))
        screens[-1].go(served + path)
    for screen in screens:
        page = screen.page
        page.wait_for_load_state()
        kiosk = page.url.endswith("kiosk")
        expect_value(page, BRIGHT, not kiosk, where=page.url)
        expect_value(page, PALE, [], where=page.url)
        page.emulate_media(color_scheme="dark")
        expect_value(page, BRIGHT, False, where=page.url)
    tv = next(screen.page for screen in screens if screen.page.url.endswith("table"))
    expect_value(tv, PAPER_FONT)
    family = tv.locator("#ticker")
    expect(family).to_have_css("font-family", re.compile('^"Courier Prime"'))
    expect(family).not_to_have_css("font-family", re.compile("mono", re.IGNORECASE))
    static = Path(__file__).resolve().parents[2] / "web_panel" / "static" / "fonts"
    assert "SIL OPEN FONT LICENSE" in (static / "OFL.txt").read_text()
    assert sum(font.stat().st_size for font in static.glob("*.woff2")) < 20_000
