"""The sniper's phone: a path is drawn, taken back and shot from; and what must not move."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from firmware_host.core import maps
from games.sniper_elite.map_rules import sites_of
from tests.web_panel.conftest import LONGEST_WORDS, Panel
from tests.web_panel.looks import OUT_OF_REACH
from tests.web_panel.room import (
    IN_CHROMIUM,
    SPOT,
    STILL,
    Screen,
    expect_toast,
    expect_value,
    wait_shown,
    way,
)
from tools.tour import tour

pytestmark = IN_CHROMIUM

EARS = "window.felt = []; navigator.vibrate = (beat) => { felt.push(beat); return true; };"
"""A device that records its vibrations."""


NEAR_A_SMALL_SPACE = """() => {
  const { left, top, width, height } = document.querySelector(".lit").getBoundingClientRect();
  if (Math.max(width, height) >= 40) throw new Error("the space is not small");
  const [x, y] = [left + width / 2, top + height / 2];
  const beside = [[x, y - 20], [x, y + 20], [x - 20, y], [x + 20, y]].find((point) => {
    const there = document.elementFromPoint(...point);
    return there?.closest("#map") && !there.closest(".lit");
  });
  const map = document.querySelector("#map").getBoundingClientRect();
  return [beside, [map.left + 180, map.top + 100]];
}"""
"""Return a point of the screen next to the first lit space, outside all lit spaces, and one in the map's middle."""


TAP = """([x, y]) => {
  const touch = { bubbles: true, pointerId: 7, pointerType: "touch", clientX: x, clientY: y };
  const touched = document.elementFromPoint(x, y);
  for (const name of ["pointerdown", "pointerup"]) touched.dispatchEvent(new PointerEvent(name, touch));
}"""
"""Tap exactly what is at a point, as Firefox and Safari do. Chromium moves a tap to something nearby by itself."""


def played_to(panel: Panel, name: str) -> None:
    """Play the tour up to a scene."""
    next(scene for scene in tour(panel) if scene.name == name)


def opened(
    browser: Browser, served: str, panel: Panel, seat: str, width: int = 360, runs: str = "", **device: Any
) -> Page:
    """Open a seat's screen that is ready for use and records its vibrations."""
    screen = Screen(browser, (width, 780), EARS + runs, **device)
    if key := panel.company.keys.get(seat):
        screen.holds(served, seat, key)
    screen.go(served + seat)
    page = screen.page
    expect(page.locator("#map .view .layer-pieces")).to_be_attached()
    expect(page.get_by_test_id("turn")).to_be_visible()
    return page


def draws(page: Page, path: list[str]) -> None:
    """Drag a finger over the map from space to space and lift it."""
    page.get_by_test_id("zoom-fit").click()
    page.evaluate(STILL)
    page.mouse.move(*page.evaluate(SPOT, path[0]))
    page.mouse.down()
    for space in path[1:]:
        page.mouse.move(*page.evaluate(SPOT, space), steps=3)
    page.mouse.up()


BOTTOM_AND_VIEW = """() => [
  document.querySelector("#map").getBoundingClientRect().bottom,
  document.querySelector("#map > .view").getAttribute("viewBox"),
]"""
"""The lower edge of the map on the screen, and its visible part."""


def test_mouse_released_outside_map_drags_nothing_on_return(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "sniper-way")
    tablet = opened(browser, served, panel, "defenders", 768)
    for _ in range(3):
        tablet.get_by_test_id("zoom-in").click()
    tablet.evaluate(STILL)
    bottom, before = tablet.evaluate(BOTTOM_AND_VIEW)
    tablet.mouse.move(300, bottom - 3)
    tablet.mouse.down()
    tablet.mouse.move(300, bottom + 40)
    tablet.mouse.up()
    tablet.mouse.move(300, bottom - 200)
    tablet.mouse.move(400, bottom - 100, steps=4)
    expect_value(tablet, BOTTOM_AND_VIEW, [bottom, before])


BOX = "it => it.getBoundingClientRect().toJSON()"


def foresight(panel: Panel) -> dict[str, Any]:
    found: dict[str, Any] = panel.company.picture("sniper")["foresight"]
    return found


def keeps(response: Response, way: list[str]) -> bool:
    """Return whether the table has just stored a path."""
    return response.url.endswith("/api/draft") and response.request.post_data_json["draft"].get("path") == way


def test_plan_is_drawn_survives_reload_and_is_taken_back(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "sniper-way")
    phone = opened(browser, served, panel, "sniper")
    path, way = (
        phone.get_by_test_id("path"),
        next(it["path"] for it in foresight(panel)["moves"] if len(it["path"]) == 3),
    )
    with phone.expect_response(lambda response: keeps(response, way)):
        draws(phone, way)
    with phone.expect_response(lambda response: keeps(response, way)):  # under the number of the new picture
        assert panel.browser().tries("0000").status_code == 403
    expect(phone.get_by_test_id("wrong-pins")).to_be_visible()
    expect(path).to_have_text(" – ".join(way))

    phone.reload()
    expect(path).to_have_text(" – ".join(way))
    stored = "JSON.stringify([{...localStorage}, {...sessionStorage}, history.state, document.cookie])"
    expect_value(phone, f"place => {stored}.includes(place)", False, way[0])
    with phone.expect_response(lambda response: keeps(response, way[:2])):
        phone.get_by_test_id("undo-step").click()
    phone.reload()
    expect(path).to_have_text(" – ".join(way[:2]))
    for _ in range(2):
        phone.get_by_test_id("undo-step").click()
    expect(path).to_have_count(0)
    phone.evaluate(STILL)
    stage = phone.locator(".stage").evaluate(BOX)
    draws(phone, way)
    expect(path).to_have_text(" – ".join(way))
    draws(phone, [*way, way[1]])
    expect(path).to_have_text(" – ".join(way[:2]))
    where = "messages below must not move the map under a finger:"
    expect_value(phone.locator(".stage"), BOX, stage, where=where)
    phone.get_by_test_id("undo-step").click()
    expect(phone.get_by_test_id("headline")).to_contain_text("Silent")
    phone.get_by_test_id("confirm-move").click()
    expect(phone.get_by_test_id("headline")).to_contain_text("You've moved")
    assert panel.company.picture("sniper")["view"]["sniper"]["space"] == way[0]

    phone.get_by_test_id("take-back").click()
    expect(phone.locator(".lit.quiet").first).to_be_visible()
    assert panel.company.picture("sniper")["view"]["sniper"]["space"] is None
    phone.get_by_test_id("take-back").click()
    expect(phone.locator("[data-testid^=enter-]").first).to_be_visible()
    expect(phone.get_by_test_id("take-back")).to_have_count(0)


UNFIT = """(near) => {
  const map = document.querySelector("#map").getBoundingClientRect();
  return near.filter((id) => {
    const { left, right, top, bottom } = document.querySelector(`.lit[data-space="${id}"]`).getBoundingClientRect();
    const inside = left >= map.left && right <= map.right && top >= map.top && bottom <= map.bottom;
    return !inside || Math.min(right - left, bottom - top) < 43;
  });
}"""
"""Return which of some lit spaces are too small for a finger or not fully visible."""


SHOWN_WHOLE = """async (shares) => {
  const { Camera } = await import("/static/camera.js");
  const view = document.querySelector("#map > .view");
  return shares.map((share) => {
    const spaces = new Map([["left", { x: 0, y: 500 }], ["right", { x: share * 5000 - 350, y: 500 }]]);
    const camera = new Camera(document.querySelector("#map"), view, [5000, 1000], spaces);
    camera.frame([], true);
    camera.see(0, 0, camera.whole / 3);
    camera.reveal(["left", "right"], []);
    return Number(view.getAttribute("viewBox").split(" ")[2]) > 5000;
  });
}"""
"""Return whether a whole map is shown, after spaces on a share of its width were to be shown, for each share."""


OUT_OF_SIGHT = f"""(spaces) => {{
  const spot = {SPOT};
  const {{ left, right, top }} = document.querySelector("#map").getBoundingClientRect();
  const bottom = document.querySelector(".map-buttons").getBoundingClientRect().top;
  return spaces.filter((space) => {{
    const [x, y] = spot(space);
    return x <= left || x >= right || y <= top || y >= bottom;
  }});
}}"""
"""Return which of some spaces have their spot outside the map or below the top of its buttons."""


def test_arrows_are_in_sight_and_selected_by_a_finger_nearby(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "sniper-entry")
    phone = opened(browser, served, panel, "sniper", has_touch=True)
    expect(phone.locator(".lit.arrow").first).to_be_attached()
    phone.evaluate(STILL)
    sites = sites_of(maps.load("launch-facility"))
    arrows = [sites.entries[action["sector"]] for action in panel.company.legal("sniper", "choose-entry")]
    objectives = panel.company.picture("sniper")["view"]["sniper"]["objectives"]
    # The way from an arrow to an objective is what one chooses by.
    expect_value(phone, OUT_OF_SIGHT, [], [*arrows, *(sites.objectives[number] for number in objectives)])

    phone.get_by_test_id("zoom-fit").click()
    phone.evaluate(STILL)
    beside, within = phone.evaluate(NEAR_A_SMALL_SPACE)
    phone.evaluate(TAP, within)
    assert panel.company.legal("sniper", "choose-entry"), "the middle of the map has none"
    phone.evaluate(TAP, beside)
    expect(phone.locator("[data-testid^=enter-]")).to_have_count(0)
    assert panel.company.legal("sniper", "choose-entry") == []


LASTING_DRAW = """
const later = setTimeout;
window.setTimeout = (work, ms, ...more) =>
  later(work, ms >= 1900 && (ms - 1900) % 260 === 0 ? 2 ** 31 - 1 : ms, ...more);
"""
"""Let a drawing stay until it is closed. By itself, it ends 1.9 seconds after its tokens, which take 260 ms each."""


@pytest.mark.nightly
def test_shot_is_drawn_token_by_token_where_motion_is_allowed(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "sniper-aim")
    phone, tv = (
        opened(browser, served, panel, seat, runs=LASTING_DRAW, reduced_motion="no-preference", locale=code)
        for seat, code in (("sniper", "en"), ("table", LONGEST_WORDS))
    )
    calm = opened(browser, served, panel, "defenders", 768)

    phone.locator("[data-testid^=target-]").first.click()
    phone.get_by_test_id("fire").click()
    for page in (phone, tv):
        expect(page.get_by_test_id("drawing")).to_be_visible()
    drew = next(entry["tokens"] for entry in reversed(panel.company.picture("sniper")["log"]) if "tokens" in entry)
    for page in (phone, tv):
        expect(page.locator(".drawing-tokens li")).to_have_count(sum(drew.values()))
    expect(phone.locator(".drawing-cause")).to_contain_text("are drawn")
    tokens = phone.locator(".drawing-tokens li").evaluate_all("all => all.map((token) => token.className)")
    expect(tv.locator(".drawing-tokens li")).to_have_class(tokens)
    phone.get_by_test_id("drawing").click()
    tv.keyboard.press("Escape")
    for page in (phone, tv):
        expect(page.get_by_test_id("drawing")).to_have_count(0)

    expect(calm.get_by_test_id("latest")).to_contain_text("Drawn")
    expect(calm.locator("[data-testid=latest] .disc")).to_have_count(sum(drew.values()))
    expect(calm.get_by_test_id("drawing")).to_have_count(0)


@pytest.mark.nightly
def test_objective_fills_the_screens_for_a_moment_where_motion_is_allowed(
    browser: Browser, panel: Panel, served: str
) -> None:
    played_to(panel, "sniper-way")
    walks_to_an_objective(panel)
    phone, tv = (
        opened(browser, served, panel, seat, runs=LASTING_DRAW, reduced_motion="no-preference")
        for seat in ("sniper", "table")
    )
    calm = opened(browser, served, panel, "defenders", 768)
    expect(phone.locator(".goals.spare li")).to_have_count(2)

    phone.get_by_test_id("complete").click()
    phone.get_by_test_id("confirm-yes").click()
    for page in (phone, tv):
        expect(page.locator(".drawing.objective-completed")).to_be_visible()
        expect(page.locator(".drawing-result p").first).to_have_attribute("data-type", "objective-completed")
        page.get_by_test_id("drawing").click()
        expect(page.get_by_test_id("drawing")).to_have_count(0)
    expect(phone.locator(".goals.spare li")).to_have_count(1)
    expect(calm.get_by_test_id("objectives-done").locator(".on")).to_have_count(1)
    expect(calm.get_by_test_id("drawing")).to_have_count(0)


def walks_to_an_objective(panel: Panel) -> None:
    """Play until the sniper can complete an objective."""
    board, company = maps.load("launch-facility"), panel.company
    sites = sites_of(board).objectives
    ends = [sites[number] for number in company.picture("sniper")["view"]["sniper"]["objectives"]]

    def left(path: list[str]) -> int:
        return min(0 if path[-1] == end else len(way(board, path[-1], end, set())) for end in ends)

    while not company.legal("sniper", "complete"):
        if moves := company.legal("sniper", "move"):
            company.act("sniper", min(moves, key=lambda action: left(action["path"])))
            continue
        for seat in company.keys:
            while company.legal(seat, "end-turn"):
                company.act(seat, {"type": "end-turn"})


def test_device_vibrates_for_news_only_if_enabled_and_keeps_colours(
    browser: Browser, panel: Panel, served: str
) -> None:
    played_to(panel, "sniper-way")
    phone = opened(browser, served, panel, "sniper")
    quiet = opened(browser, served, panel, "table")
    phone.get_by_test_id("menu").click()
    expect(phone.get_by_test_id("menu-device")).to_have_text("Colours and sounds")
    phone.get_by_test_id("menu-device").click()
    phone.get_by_test_id("device-buzz").check()
    phone.get_by_test_id("device-clear").check()
    phone.reload()
    expect(phone.locator("html")).to_have_attribute("data-palette", "clear")
    expect(phone.get_by_test_id("turn")).to_be_visible()

    step = next(move["path"] for move in foresight(panel)["moves"] if len(move["path"]) == 1)
    panel.company.act("sniper", {"type": "move", "path": step})
    expect(phone.get_by_test_id("headline")).to_contain_text("You've moved")
    expect_value(phone, "felt", [])

    shot = panel.company.legal("sniper", "shoot")[0]
    panel.company.act("sniper", shot)
    for page in (phone, quiet):
        expect(page.get_by_test_id("latest")).to_contain_text("Drawn")
    expect_value(phone, "felt.length", 1)
    expect_value(quiet, "felt", [])


def test_seat_is_called_and_its_turn_begins_with_first_steps(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "sniper-aim")
    sniper, called, calm, tv = (
        opened(browser, served, panel, seat) for seat in ("sniper", "defenders", "defenders", "table")
    )
    calm.get_by_test_id("menu").click()
    calm.get_by_test_id("menu-device").click()
    calm.get_by_test_id("device-turn").uncheck()
    calm.get_by_test_id("device-close").click()
    calls = "● Your turn · "
    expect_value(sniper, "calls => document.title.startsWith(calls)", arg=calls)  # it was opened during a turn
    expect_value(sniper, "felt", [])
    expect_value(called, "calls => document.title.startsWith(calls)", False, calls)

    panel.company.act("sniper", {"type": "end-turn"})
    for page in (called, calm):
        expect_value(page, "title => document.title.startsWith(title)", arg=calls)
    expect_value(sniper, "title => document.title.startsWith(title)", False, calls)
    expect_value(called, "felt.length", 1)
    icon = "document.querySelector('link[rel=icon]').href.split('/').at(-1)"
    expect_value(called, icon, "icon-turn.svg")
    expect_value(sniper, icon, "icon.svg")
    wait_shown(tv, panel.company.picture("table")["revision"])
    for page in (sniper, calm, tv):
        expect_value(page, "felt", [])
    panel.company.act("defenders", {"type": "end-turn"})
    expect_value(sniper, "felt.length", 1)

    near = sorted({move["path"][0] for move in foresight(panel)["moves"]})
    expect(sniper.locator(f'.lit[data-space="{near[0]}"]')).to_be_attached()
    sniper.evaluate(STILL)
    expect_value(sniper, UNFIT, [], near)
    expect_value(sniper, SHOWN_WHOLE, [False, True], [0.5, 0.85])

    shot = min(panel.company.legal("sniper", "shoot"), key=lambda action: int(action["draw"]))
    panel.company.act("sniper", shot)
    expect(sniper.get_by_test_id("latest")).to_contain_text("Drawn")
    here = panel.company.picture("sniper")["view"]["sniper"]["space"]
    draws(sniper, [here, *max((move["path"] for move in foresight(panel)["moves"]), key=len)])
    expect(sniper.get_by_test_id("confirm-move")).to_be_in_viewport(ratio=1)
    expect(sniper.get_by_test_id("latest")).to_have_count(0)  # the map uses the space


def test_revealing_act_needs_confirmation(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "sniper-aim")
    phone = opened(browser, served, panel, "sniper")
    walk_to_a_number(panel)
    phone.get_by_test_id("loot").click()
    expect(phone.get_by_test_id("confirm-dialog")).to_contain_text("Everyone learns that you loot, but not where.")
    phone.get_by_test_id("confirm-no").click()
    expect(phone.get_by_test_id("confirm-dialog")).to_have_count(0)
    assert panel.company.legal("sniper", "loot")

    phone.get_by_test_id("loot").click()
    phone.get_by_test_id("confirm-yes").click()
    expect(phone.locator("[data-testid^=keep-]").first).to_be_visible()


def walk_to_a_number(panel: Panel) -> None:
    """Move silently to a space with loot while the defenders do nothing."""
    company = panel.company
    board = maps.load("launch-facility")
    view = company.picture("sniper")["view"]
    here, held = view["sniper"]["space"], set(view["units"].values())
    mine = view["sniper"]["objectives"]
    ends = [space for number, space in sites_of(board).objectives.items() if number not in mine]
    for space in min((way(board, here, end, held) for end in ends if end not in held), key=len):
        company.act("sniper", {"type": "end-turn"})
        company.act("defenders", {"type": "end-turn"})
        company.act("sniper", {"type": "move", "path": [space]})


SEEN_TWICE = """async () => {
  const { recap } = await import("/games/sniper-elite/static/recap.js");
  const seen = { type: "revealed", public: true, sentence: "Seen!" };
  return recap([seen, seen, { type: "turn-ended", what: { seat: "defenders" } }]).querySelector("small").innerText;
}"""
"""Return the closed line of a turn in which two searches had the same outcome."""


MARKED = """async ([name, space]) => {
  const { addSniper } = await import("/games/sniper-elite/static/pieces.js");
  const pieces = new Map();
  addSniper(pieces, { units: { "red-1": "K1", "red-2": null } }, name, space);
  return [...pieces].map(([id, piece]) => [id, piece.space, piece.make().getAttribute("class")]);
}"""
"""Return how a mark of the sniper is drawn: as a ring if a unit is on its space."""


def test_public_knowledge_is_shown_with_every_plan(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "sniper-aim")
    phone = opened(browser, served, panel, "sniper")
    line = phone.get_by_test_id("known-line")
    expect(line).to_contain_text("They haven't seen you")
    shot = panel.company.legal("sniper", "shoot")[0]
    seen = ""
    while not seen:  # random draws: repeat until noise reveals the sniper
        panel.company.act("sniper", shot) if panel.company.legal("sniper", "shoot") else None
        view = panel.company.picture("sniper")["view"]
        seen = view["sniper"]["miniature"] or ""
        if not seen:
            panel.company.act("sniper", {"type": "end-turn"})
            panel.company.act("defenders", {"type": "end-turn"})
            shot = panel.company.legal("sniper", "shoot")[-1]
    expect(line).to_contain_text(re.compile(f"last saw you on {seen}"))
    line.click()
    expect(phone.get_by_test_id("panel-known")).to_be_visible()

    panel.company.act("sniper", {"type": "end-turn"})
    defenders = opened(browser, served, panel, "defenders")
    recap = defenders.get_by_test_id("recap")
    told = f"Last seen on {seen} in round {panel.company.picture('defenders')['view']['round']}."
    expect(defenders.get_by_test_id("last-seen")).to_have_text(told)
    defenders.locator("[data-testid^=pick-]:enabled").first.click()
    expect(defenders.get_by_test_id("last-seen")).to_have_count(0)
    for outcome in ("shot", "revealed"):  # the closed line says both
        sentence = recap.locator(f"[data-type={outcome}]").last
        expect(recap.locator("summary small")).to_contain_text(str(sentence.text_content()))
    panel.company.act("defenders", {"type": "end-turn"})
    assert panel.company.picture("sniper")["view"]["sniper"]["miniature"] is None
    expect(defenders.get_by_test_id("turn")).to_have_text("Sniper's turn")
    expect(defenders.get_by_test_id("last-seen")).to_have_text(told)
    here = panel.company.picture("sniper")["view"]["sniper"]["space"] == seen
    expect(line).to_contain_text(f"last saw you on {seen}, where you are." if here else f"last saw you on {seen}.")
    expect(phone.get_by_test_id("panel-known")).to_contain_text(f"last saw you on {seen}")
    expect_value(phone, SEEN_TWICE, "Seen!")
    for name in ("seen", "me"):
        expect_value(phone, MARKED, [[name, "K2", f"mini {name}"]], [name, "K2"])
        expect_value(phone, MARKED, [[f"{name}-around", "K1", f"mini {name} around"]], [name, "K1"])


RESULT_IN_SIGHT = """() => document.querySelector("#dock .result").getBoundingClientRect().bottom <=
  document.querySelector("#dock .panel-body").getBoundingClientRect().bottom"""


def test_tv_stops_asking_for_players_when_all_are_seated(browser: Browser, panel: Panel, served: str) -> None:
    tv = opened(browser, served, panel, "table", 1280)
    expect(tv.get_by_test_id("waiting")).to_contain_text("Take your seats")
    played_to(panel, "sniper-waiting")
    expect(tv.get_by_test_id("waiting")).to_contain_text("Both seats are taken")
    expect(tv.get_by_test_id("qr")).to_have_count(0)


def test_units_are_listed_where_one_is_to_be_chosen(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "sniper-aim")
    panel.company.act("sniper", {"type": "end-turn"})
    while saves := panel.company.legal("defenders", "save"):
        panel.company.act("defenders", saves[0])
    phone = opened(browser, served, panel, "defenders")
    soldier = panel.company.legal("defenders", "intel")[0]["squad"] + "-2"
    phone.get_by_test_id(f"pick-{soldier}").click()
    phone.get_by_test_id("deed-intel").click()
    phone.get_by_test_id("deed-back").click()
    expect(phone.get_by_test_id("deed-move")).to_be_visible()
    expect(phone.get_by_test_id(f"unit-{soldier}")).to_have_attribute("aria-pressed", "true")

    phone.get_by_test_id("unit-back").click()
    while intel := panel.company.legal("defenders", "intel"):
        panel.company.act("defenders", intel[0])
    expect(phone.get_by_test_id("headline")).to_have_text("None of your units can act now.")
    reasons = panel.company.picture("defenders")["foresight"]["specialists"].values()
    expect(phone.locator("#dock").get_by_test_id("deed-special")).to_have_count([*reasons].count(None))
    assert None in reasons


MENU_IN_LINE = """() => {
  const [turn, menu] = ["turn", "menu"].map((id) => document.querySelector(`[data-testid=${id}]`));
  return menu.getBoundingClientRect().top < turn.getBoundingClientRect().bottom;
}"""
"""Whether the menu is next to whose turn it is, and not in a line of its own."""


def test_sheet_opened_for_a_choice_closes_with_it(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "sniper-loadout")
    phone = opened(browser, served, panel, "sniper", locale=LONGEST_WORDS)
    phone.locator("[data-testid^=loadout-]").first.wait_for()
    for again in (True, False):
        phone.get_by_test_id("tab-dossier").click()
        expect(phone.locator("body")).to_have_class(re.compile("drawer-open"))
        if again:
            phone.evaluate("document.documentElement.style.fontSize = '200%'")
            expect_value(phone, OUT_OF_REACH, [])
            expect_value(phone, MENU_IN_LINE)
            phone.get_by_test_id("shut-dossier").click()
            expect(phone.locator("body")).not_to_have_class(re.compile("drawer-open"))
    panel.company.act("sniper", panel.company.legal("sniper", "choose-loadout")[0])

    expect(phone.locator("body")).not_to_have_class(re.compile("drawer-open"))


BUTTONS_NEXT_TO_VIEW = """() => {
  const [map, buttons, stage, last] = ["#map", ".map-buttons", ".stage", "[data-testid=zoom-find]"]
    .map((name) => document.querySelector(name).getBoundingClientRect());
  const between = document.elementFromPoint(buttons.left + 1, buttons.top + 1);
  return (map.right <= buttons.left + 1 || map.bottom <= buttons.top + 1) &&
    last.bottom <= stage.bottom && last.right <= stage.right && Boolean(between?.closest("#map .board-map"));
}"""
"""Whether the buttons are beside or below the map's view, over its drawing, and the last one within the stage."""


VIEW = "document.querySelector('#map svg').getAttribute('viewBox')"


def carries(page: Page, start: str, end: str) -> None:
    """Drag the piece on a space with a finger to another space."""
    page.get_by_test_id("zoom-fit").click()
    page.evaluate(STILL)
    page.mouse.move(*page.evaluate(SPOT, start))
    page.mouse.down()
    page.mouse.move(*page.evaluate(SPOT, end), steps=4)
    expect(page.locator(".mini.held")).to_have_count(1)
    page.mouse.up()


def test_defenders_drag_units_and_read_why_acts_are_unavailable(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "defenders-unit")
    tablet = opened(browser, served, panel, "defenders", 360)
    for width, height in ((360, 640), (360, 780), (740, 360), (768, 1024), (1280, 800)):
        tablet.set_viewport_size({"width": width, "height": height})
        tablet.get_by_test_id("zoom-in").click()
        tablet.evaluate(STILL)
        expect_value(tablet, BUTTONS_NEXT_TO_VIEW, where=(width, height))
        expect(tablet.locator(".cubes").filter(visible=True).first).to_be_visible()  # the actions left

    tablet.set_viewport_size({"width": 768, "height": 780})
    view = panel.company.picture("defenders")["view"]
    asked = next(squad for squad, it in view["squads"].items() if it["intel"])
    moves = [act for act in panel.company.legal("defenders", "move") if not act.get("use")]
    unit, to = next((act["unit"], act["to"]) for act in moves if not act["unit"].startswith(asked))
    start = view["units"][unit]
    barred = next(space for other, space in view["units"].items() if other != unit and space)
    carries(tablet, start, barred)
    expect_toast(tablet, f"can't go to {barred}")
    expect(tablet.locator(".mini.held")).to_have_count(0)
    assert panel.company.picture("defenders")["view"]["units"][unit] == start
    tablet.evaluate(STILL)
    around = str(tablet.locator("#map > .view").get_attribute("viewBox"))
    with tablet.expect_response("**/api/act") as answer:
        carries(tablet, start, to)
    assert answer.value.ok
    expect(tablet.get_by_test_id("take-back")).to_be_visible()
    assert panel.company.picture("defenders")["view"]["units"][unit] == to
    expect(tablet.locator("#map > .view")).to_have_attribute("viewBox", around)  # the map must not move

    squad = unit.split("-")[0]
    for name, why, rule in ((asked, "gathered intel", "MP-INTEL-02"), (squad, "takes both actions", "MP-INTEL-02")):
        button = tablet.get_by_test_id(f"intel-{name}")
        expect(button).to_be_disabled()
        expect(button).to_contain_text(why)
        expect(tablet.get_by_test_id(f"squad-{name}").get_by_test_id(f"rule-{rule}").first).to_be_visible()

    tablet.get_by_test_id("take-back").click()
    expect(tablet.get_by_test_id("take-back")).to_have_count(0)
    tablet.set_viewport_size({"width": 1280, "height": 780})
    sweeps = panel.company.legal("defenders", "sweep")
    swept = next(act for act in sweeps if not act["unit"].startswith(asked) and act["unit"] != unit)
    panel.company.act("defenders", swept)

    dock = tablet.locator("#dock")
    for unit, why, rule in (
        (swept["unit"], "done this turn", "MP-DEF-04"),
        (f"{asked}-officer", "Gathered intel", "MP-DEF-02"),
    ):
        if unit.startswith(asked):
            expect(tablet.get_by_test_id(f"unit-{unit}")).to_be_hidden()
            tablet.get_by_test_id(f"squad-{asked}").locator(".spent summary").click()
        tablet.get_by_test_id(f"unit-{unit}").click()
        said = dock.get_by_test_id("done-unit" if unit.startswith(asked) else "barred-sweep")
        expect(said).to_contain_text(why)
        expect(dock.get_by_test_id(f"rule-{rule}").first).to_be_visible()
    tablet.set_viewport_size({"width": 360, "height": 640})
    expect_value(tablet, RESULT_IN_SIGHT)
    tablet.set_viewport_size({"width": 1280, "height": 780})
    tablet.get_by_test_id(f"unit-{swept['unit']}").click()
    expect(dock.get_by_test_id("deed-attack")).to_be_enabled()

    foreseen = panel.company.picture("defenders")["foresight"]["specialists"]
    for squad, reason in foreseen.items():
        button = tablet.get_by_test_id(f"ability-{squad}")
        expect(button).to_be_enabled() if reason is None else expect(button).to_contain_text(reason["why"])
    assert any(foreseen.values())

    tablet.set_viewport_size({"width": 360, "height": 780})
    tablet.get_by_test_id("zoom-fit").click()
    tablet.evaluate(STILL)
    whole = tablet.evaluate(VIEW)
    tablet.get_by_test_id("zoom-in").click()
    expect_value(tablet, f"{VIEW} !== {whole!r}")
    panel.company.act("defenders", {"type": "end-turn"})
    expect(tablet.get_by_test_id("turn")).to_have_text("Sniper's turn")
    panel.company.act("sniper", {"type": "end-turn"})
    expect_value(tablet, VIEW, whole)
