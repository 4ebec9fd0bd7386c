"""The recap on every screen: the turn that ended, even a silent one, and what a page has missed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value, wait_shown

pytestmark = IN_CHROMIUM

SILENT = {
    "en": "The sniper's turn is over. No one noticed anything.",
    "pl": "Tura snajpera się skończyła. Nikt niczego nie zauważył.",
}


def opened(browser: Browser, panel: Panel, served: str, path: str, size: tuple[int, int], language: str) -> Screen:
    """Open a screen of a seat, or the table view."""
    screen = Screen(browser, size)
    if key := panel.company.keys.get(path):
        screen.holds(served, path, key)
    screen.go(f"{served}{path}?language={language}")
    return screen


def silent_turn(panel: Panel) -> None:
    """Let the sniper enter silently and end the turn."""
    company = panel.company
    while returns := company.legal("sniper", "return-objective"):
        company.act("sniper", returns[0])
    company.act("sniper", company.legal("sniper", "choose-entry")[0])
    moves = company.picture("sniper")["foresight"]["moves"]
    quiet = next(move for move in moves if not move["noisy"] and not move["alerts"] and not move["barks"])
    company.act("sniper", {"type": "move", "path": quiet["path"]})
    company.act("sniper", {"type": "end-turn"})


def moves(panel: Panel, number: int) -> list[dict[str, Any]]:
    """Move a number of units, each once."""
    made: list[dict[str, Any]] = []
    for _ in range(number):
        known = {action["unit"] for action in made}
        action = next(act for act in panel.company.legal("defenders", "move") if act["unit"] not in known)
        panel.company.act("defenders", action)
        made.append(action)
    return made


def shows(panel: Panel, screen: Screen, seat: str) -> None:
    """Wait until a screen shows the current picture."""
    revision = panel.company.picture(seat)["revision"]
    wait_shown(screen.page, revision)


@pytest.mark.nightly
def test_every_screen_shows_the_last_turn_even_a_silent_one(browser: Browser, panel: Panel, served: str) -> None:
    company = panel.company
    company.sit_down()
    company.start(random_setup=True)
    tv = opened(browser, panel, served, "table", (1920, 1080), "pl")
    tablet = opened(browser, panel, served, "defenders", (768, 1024), "en")
    phone = opened(browser, panel, served, "sniper", (360, 740), "en")
    silent_turn(panel)
    tv.says("recap", SILENT["pl"])
    tablet.says("recap", SILENT["en"])
    expect(tablet.page.locator(".layer-trail").locator("*")).to_have_count(0)

    made = moves(panel, 2)
    expect(tablet.page.locator(".layer-trail .trail")).to_have_count(2)
    made += moves(panel, 1)
    shows(panel, tablet, "defenders")
    expect(tablet.page.locator(".layer-trail .trail.new")).to_have_count(1)
    expect(tablet["recap"]).to_have_count(0)
    expect(tablet.page.locator(".layer-trail .trail")).to_have_count(3)
    expect(tablet.page.locator(".layer-trail .last-move")).to_have_count(1)
    company.act("defenders", {"type": "end-turn"})
    for screen, sentence in ((phone, "3 miniatures moved."), (tv, "Przesunięto 3 figurki.")):
        screen.says("recap", sentence)
        expect(screen.page.locator(".layer-trail .trail:not(.old)")).to_have_count(len(made))
    phone.page.reload()
    expect(phone.page.locator(".layer-trail .trail")).to_have_count(len(made))
    expect(phone.page.locator(".layer-trail .new")).to_have_count(0)


RECAP = """async (types) => {
  const { recap } = await import("/games/sniper-elite/static/recap.js");
  const ends = { type: "turn-ended", what: { seat: "defenders" } };
  const log = [...types.map((type) => ({ type, sentence: type, public: true })), ends];
  return recap(log, (title, words, { gist }) => [words.flat().filter(Boolean).map((it) => it.textContent), gist]);
}"""
"""The lines of a recap and its summary, for a turn with entries of these types."""


def test_recap_counts_moves_but_names_returning_units(browser: Browser, panel: Panel, served: str) -> None:
    page = opened(browser, panel, served, "table", (1280, 720), "en").page
    moved = ["moved"] * 3

    expect_value(page, RECAP, [["3 miniatures moved."], "3 miniatures moved."], moved)
    expect_value(page, RECAP, [["deployed", "3 miniatures moved."], "deployed"], ["deployed", *moved])
    expect_value(page, RECAP, [["attacked", "moved"], "moved"], ["attacked", "moved"])


@pytest.mark.nightly
def test_failed_search_fades_on_the_map_and_disappears(browser: Browser, panel: Panel, served: str) -> None:
    company = panel.company
    company.sit_down()
    company.start(random_setup=True)
    tablet, tv = (opened(browser, panel, served, path, (768, 1024), "en") for path in ("defenders", "table"))
    silent_turn(panel)
    place = company.picture("sniper")["view"]["sniper"]["space"]
    company.act("defenders", next(act for act in company.legal("defenders", "spot") if act["space"] != place))
    expect_crosses(panel, tablet, tv, ["searched"])
    for look in (["searched"], ["searched old"], ["searched older"], []):
        company.act("defenders", {"type": "end-turn"})
        expect_crosses(panel, tablet, tv, look)
        company.act("sniper", company.legal("sniper", "move")[0])
        company.act("sniper", {"type": "end-turn"})


BESIDE = """() => {
  const boxes = (name) => [...document.querySelectorAll(name)].map((it) => it.getBoundingClientRect());
  const [cross] = boxes(".layer-trail .searched");
  const away = (it) => Math.hypot(it.x + it.width / 2 - cross.x - cross.width / 2,
                                  it.y + it.height / 2 - cross.y - cross.height / 2);
  return boxes(".layer-pieces .mini").every((it) => away(it) > 0.4 * it.width);
}"""
"""Return whether no miniature stands on the cross of a search."""


def test_phone_explains_the_verbs_and_shows_an_attack(browser: Browser, panel: Panel, served: str) -> None:
    company = panel.company
    company.sit_down()
    company.start(random_setup=True)
    silent_turn(panel)
    place = company.picture("sniper")["view"]["sniper"]["space"]
    units = company.picture("defenders")["view"]["units"]
    able = [act["unit"] for act in company.legal("defenders", "attack") if units[act["unit"]] != place]
    unit = next(unit for unit in able if not unit.endswith("officer"))
    phone = opened(browser, panel, served, "defenders", (360, 640), "en")
    phone.press(f"pick-{unit}")
    expect(phone.page.get_by_text("Attack: the unit's own space.")).to_be_in_viewport(ratio=0.99)
    phone.does("deed-attack")
    phone.says("result", "nobody there")
    expect_value(phone.page, BESIDE)


CROSSES = """() => [...document.querySelectorAll(".layer-trail .searched")]
  .map((it) => it.getAttribute("class").replace(/ new$/, ""))"""


def expect_crosses(panel: Panel, tablet: Screen, tv: Screen, looks: list[str]) -> None:
    """Check the looks of all crosses on the defenders' and the table's maps."""
    for screen, viewer in ((tablet, "defenders"), (tv, "table")):
        shows(panel, screen, viewer)
        expect_value(screen.page, CROSSES, looks)


def test_returning_page_shows_missed_events_once(browser: Browser, panel: Panel, served: str) -> None:
    company = panel.company
    company.sit_down()
    company.start(random_setup=True)
    silent_turn(panel)
    phone = opened(browser, panel, served, "sniper", (360, 740), "en")
    shows(panel, phone, "sniper")
    expect(phone["recap"]).to_contain_text(SILENT["en"])
    phone.go("about:blank")
    moves(panel, 2)
    company.act("defenders", {"type": "end-turn"})
    phone.go(f"{served}sniper")
    phone.says("recap", "While you were away")
    moved = phone["recap"].locator("[data-type=moved]")
    expect(moved).to_have_count(2)
    expect(phone["recap"].locator("summary small")).to_have_text(str(moved.last.text_content()))
    phone.page.reload()
    phone.says("recap", "The defenders' turn")
    kept = "JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)])"
    place = company.picture("sniper")["view"]["sniper"]["space"]
    expect_value(phone.page, f"place => {kept}.includes(place)", False, f'"{place}"')
    names_pass_for_no_other_seat(phone.page)
    result_is_read_out_when_its_dice_lie_still(phone.page)


def names_pass_for_no_other_seat(page: Page) -> None:
    """Check the names in a log.

    People may call themselves like a seat, and an installed game may call its seats as it likes. The same bot at two
    seats has their numbers.
    """
    shown = page.evaluate(
        """async () => {
            const { namePlayers } = await import("/static/texts.js");
            const seat = (title, device) => ({ title, devices: [{ device }] });
            const seats = [seat("player 1", "player 2 player 2"), seat("player 2", "Player 1"), seat("(? 3", "$&")];
            for (const number of [4, 5]) seats.push({ title: `player ${number}`, devices: [{ bot: "random" }] });
            seats.push(seat("player 6", "Olga"), seat("player 7", "Adam"), seat("player 8", "adam"));
            seats.push({ title: "player 9", devices: [{ device: "Bo" }, { device: "Cy" }] });
            const log = [
              { sentence: "Player 1 hits player 2, (? 3, player 4 and player 11." },
              { sentence: "Player 6 hits player 7, player 8 and player 9." },
            ];
            namePlayers({ seats: { ...seats }, log });
            return log.map(({ sentence }) => sentence);
        }"""
    )
    people = "Player 1 (player 2 player 2) hits player 2 (Player 1), (? 3 ($&)"
    assert shown == [
        f"{people}, Random 3 and player 11.",
        "Olga hits player 7 (Adam), player 8 (adam) and player 9 (Bo and Cy).",
    ]


def result_is_read_out_when_its_dice_lie_still(page: Page) -> None:
    """Check that news waits for what it is about, and keeps its order."""
    told = page.evaluate(
        """async () => {
            const { News } = await import("/static/news.js");
            const [reader, later, wait] = [new News(), [], window.setTimeout];
            const log = ["The die shows 7.", "Bo is next."].map((sentence, n) => ({ n, sentence, public: true }));
            reader.hear([]);
            window.setTimeout = (work) => later.push(work);
            reader.hear(log.slice(0, 1), { delayOf: () => 700 });
            window.setTimeout = wait;
            reader.hear(log);
            const newest = () => [...document.querySelectorAll("#news p")].slice(-2).map((it) => it.textContent);
            await new Promise((resolve) => wait(resolve));
            const early = newest();
            later.forEach((work) => work());
            await reader.read;
            return [early, newest()];
        }"""
    )
    assert "Bo is next." not in told[0]
    assert told[1] == ["The die shows 7.", "Bo is next."]
