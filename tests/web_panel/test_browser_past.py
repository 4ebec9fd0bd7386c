"""The list of past games, and what leads into one: players, dates, filters, key moments, links, deletion, analysis."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from engine.game import TABLE
from firmware_host.analysis.analysis_files import AnalysisFile, key_of
from firmware_host.analysis.judging import JudgedStep
from firmware_host.records import chain, results
from firmware_host.records.chain import read_telling
from firmware_host.records.results import Result
from tests.web_panel.conftest import Panel
from tests.web_panel.endings import lose_alone, play_out
from tests.web_panel.looks import OUT_OF_REACH, PALE, expect_readable
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value

pytestmark = IN_CHROMIUM
SIZES = ((360, 640), (390, 844), (740, 360), (768, 1024), (1280, 720))
TIGHT = """() => [...document.querySelectorAll(
    ".past .button, .filters select, .keys button, .moments button, .study button, .study summary")]
    .filter((it) => it.checkVisibility() && it.getBoundingClientRect().height < 43.5)
    .map((it) => it.outerHTML.slice(0, 90))"""
"""Controls that are too low for a thumb."""


LOW_NAMES = """() => {
    const map = document.querySelector(".small-map");
    const unit = map.getBoundingClientRect().width / map.viewBox.baseVal.width;
    const all = [...document.querySelectorAll("#names .id")];
    const shown = all.filter((it) => it.getAttribute("visibility") !== "hidden");
    const sizes = shown.map((it) => it.getAttribute("font-size") * unit);
    return shown.length < 40 ? ["few names"] : sizes.filter((px) => px < 8);
}"""
"""Names of spaces on the maps of a saved analysis that are too small to read, in pixels."""
SWIPE = """(told, way) => {
    const touch = (x) => new Touch({ identifier: 1, target: told, clientX: x, clientY: 400 });
    const send = (name, all, x) =>
        told.dispatchEvent(new TouchEvent(name, { bubbles: true, touches: all, changedTouches: [touch(x)] }));
    send("touchstart", [touch(180)], 180);
    send("touchend", [], 180 + 90 * way);
}"""
"""Swipe over the sentences: to the right if `way` is 1."""
COVER = """(it) => {
    const { left, top } = it.getBoundingClientRect();
    return document.elementFromPoint(left + 2, top + 2)?.dataset.testid;
}"""
"""What a tap on an element reaches."""
CROWDED = """() => {
    const box = (it) => it.getBoundingClientRect();
    const shown = (all) => [...document.querySelectorAll(all)].filter((it) => it.checkVisibility()).map(box);
    const [stage] = shown(".side .stage");
    const [map] = shown(".side .map");
    const [told] = shown(".side .told");
    const deck = box(document.querySelector("#deck"));
    const over = shown("[data-testid^=side-], .side .map-buttons button");
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    return [
        stage.height < 250 && `map: ${stage.height}`,
        over.length !== 6 && `buttons: ${over.length}`,
        over.some((a, i) => over.some((b, j) => i < j && meet(a, b))) && "buttons on each other",
        over.some((it) => meet(it, map)) && "buttons on the map",
        over.some((it) => meet(it, told) || it.left < 0 || it.right > innerWidth) && "buttons beside the map",
        told.bottom > deck.top + 1 && "sentences under the controls",
        deck.bottom > innerHeight + 1 && "controls below the screen",
    ].filter(Boolean);
}"""
"""What has no room of its own in a past game on a phone."""
LOST = 0.3
"""The chance that each fifth act loses in `judge`."""


def judge(panel: Panel, number: int) -> list[int]:
    """Store a complete analysis of a finished game; return the steps with a blunder."""
    last, history = panel.interface.past.identity(number)
    entries = panel.interface.past.open_record(number).entries
    _, *acts = (act.entry for act in chain.acts_in_effect(entries))
    file = AnalysisFile(panel.folder, number, key_of(last, history.game.name))
    file.begin(len(acts))
    turn, seat = 0, ""
    for step, act in enumerate(acts, 1):
        turn, seat = turn + (act.seat != seat), act.seat
        events = tuple(
            msgspec.to_builtins(told.event)
            for told in read_telling(history.game, act.telling)
            if told.audience.includes(TABLE)
        )
        found = JudgedStep(step, seat, turn, act.command, best=0.6, after=0.6, truth=0.5, choice=True, spaces=9)
        if turn == 1:
            found = msgspec.structs.replace(found, cut=events)
        if step == 1:  # in the set-up, an act is named, but no chance
            found = JudgedStep(step, seat, turn, act.command, advised={"type": "end-turn"}, cut=events)
        if step % 5 == 0:
            better = {"advised": {"type": "end-turn"}, "line": ((seat, {"type": "end-turn"}),)}
            found = msgspec.structs.replace(found, after=0.6 - LOST, spaces=7, cut=events, **better)
        file.add(found)
    return [*range(5, len(acts) + 1, 5)]


def two_games(panel: Panel) -> None:
    """Play two games. The second was against a bot, which the defenders' seat says afterwards."""
    play_out(panel.company)
    play_out(panel.company)
    kept = panel.loop.call(lambda table: results.read_results(table.journal))
    assert [(it.number, it.seat) for it in kept] == [(n, seat) for n in (1, 2) for seat in ("sniper", "defenders")]
    told = (*kept[:2], Result(2, "sniper-elite", "sniper", "Olga", True), Result(2, "sniper-elite", "defenders", "",
            False, "warden"))  # fmt: skip
    panel.loop.call(lambda table: table.journal.store_value(results.RESULTS_KEY, list(told)))


@pytest.mark.nightly
def test_list_says_who_played_and_when_and_can_be_filtered(browser: Browser, panel: Panel, served: str) -> None:
    two_games(panel)
    screen = Screen(browser, SIZES[0], locale="en-GB")
    screen.go(served + "games?language=en")
    card = screen["game-2"]
    for words in ("Sniper Elite", "Launch Facility", "Olga", "Sniper", "bot: warden", "strong", "Defenders", "won"):
        expect(card).to_contain_text(words)
    expect(card.locator(".won")).to_contain_text("Olga")
    expect(card).to_contain_text(re.compile(r"\b\d{1,2} \w{3,4} \d{4}, \d\d:\d\d"))  # an American has the month first
    assert len(panel.browser().get("/api/games?player=Olga").json["games"]) == 1

    screen["by-player"].select_option("Ada's phone")
    expect(card).to_have_count(0)
    screen["by-result"].select_option("won")
    expect(screen["no-games"]).to_contain_text("No games match")
    screen["by-result"].select_option("lost")
    expect(screen["game-1"]).to_be_visible()
    expect(screen.page).to_have_url(re.compile("player=Ada"))
    screen.page.reload()
    expect(screen["game-1"]).to_be_visible()
    expect(card).to_have_count(0)

    for code in ("en", "pl"):
        screen.go(f"{served}games?language={code}")
        expect(screen["game-2"]).to_be_visible()
        for size in SIZES:
            screen.page.set_viewport_size({"width": size[0], "height": size[1]})
            expect_value(screen.page, OUT_OF_REACH, [], where=(code, size))
            expect_value(screen.page, TIGHT, [], where=(code, size))
    expect(screen["game-2"]).to_contain_text("Snajper")


@pytest.mark.nightly
def test_dates_are_written_as_the_reader_does(browser: Browser, panel: Panel, served: str) -> None:
    play_out(panel.company)
    screen = Screen(browser, SIZES[0], locale="en-US")
    screen.go(served + "games")
    expect(screen["game-1"]).to_contain_text(re.compile(r"\w{3} \d{1,2}, \d{4}"))
    expect(screen["game-1"].locator(".players li").last).to_have_text("Bo's tablet · Defenders · won")


@pytest.mark.nightly
def test_key_moments_and_links_lead_to_a_step(browser: Browser, panel: Panel, served: str) -> None:
    two_games(panel)
    steps = panel.browser().get("/api/games/2").json["steps"]
    found = [n for n, step in enumerate(steps) if any(it["highlight"] for it in step["told"])]
    assert found[-1] == len(steps) - 1
    screen = Screen(browser, SIZES[0])
    screen.go(f"{served}games/2#3")
    screen.says("step", "step 3 of")
    expect(screen.page.locator(".replay-hud .players")).to_contain_text("Olga")
    expect(screen["game-title"]).to_contain_text("Sniper Elite, Launch Facility")
    for size in SIZES:
        screen.page.set_viewport_size({"width": size[0], "height": size[1]})
        expect_value(screen.page, OUT_OF_REACH, [], where=size)
        expect(screen.page.locator("#known > .view")).to_be_attached()
        stage = screen.page.locator(".side.known .stage")
        expect_value(stage, "it => it.getBoundingClientRect().height >= 140", where=f"the map at {size}:")
        screen["key-play"].scroll_into_view_if_needed()
        expect(screen["key-play"]).to_be_in_viewport()
    screen.press("moments")
    expect_value(screen.page, TIGHT, [])
    screen.press(f"moment-{found[-1]}")
    screen.says("step", "Game over")
    expect(screen.page.locator(".marks i")).to_have_count(len(found))

    screen.page.evaluate("location.hash = '2'")
    screen.says("step", "step 2 of")
    screen.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # as over plain http
    screen.press("copy-link")
    expect(screen["address"]).to_have_value(f"{served}games/2#2")
    screen.press("link-close")


def test_thumb_leads_through_a_game_on_a_phone(browser: Browser, panel: Panel, served: str) -> None:
    play_out(panel.company)
    steps = panel.browser().get("/api/games/1").json["steps"]
    screen = Screen(browser, SIZES[0], locale="pl-PL")
    screen.go(f"{served}games/1#0")
    expect(screen["key-moment-back"]).to_be_disabled()
    step = next(n for n, step in enumerate(steps) if n and any(it["highlight"] for it in step["told"]))
    screen["key-moment-on"].click()
    screen.says("step", f"krok {step} z")
    expect(screen.page.locator("#known-told li.key").first).to_be_in_viewport(ratio=1)
    for way, then in ((1, step - 1), (-1, step)):
        screen.page.locator("#known-told").evaluate(SWIPE, way)
        screen.says("step", f"krok {then} z")
    for side in ("truth", "known"):
        screen[f"side-{side}"].click()
        expect_value(screen.page, CROWDED, [], where=side)
    screen.press("more")
    expect(screen["side-known"].locator("..")).to_have_css("position", "static")  # the map has no room for it
    screen.page.keyboard.press("End")
    expect(screen["key-moment-on"]).to_be_disabled()
    screen.go(served + "games")
    expect(screen["game-1"]).to_contain_text(re.compile(r"\d{1,2} \w{3} \d{4}"))  # an American has the month first
    expect(screen["game-1"].locator(".players li").last).to_have_text("Bo's tablet · Obrońcy · wygrana")
    verdict = screen["game-1"].locator(".verdict-line")
    expect_value(verdict, COVER, "look-1", where="the whole card opens the game:")
    verdict.click(force=True)  # the link lies over it
    screen.says("step", "krok 0 z")


def test_admin_deletes_a_game_in_the_list(browser: Browser, panel: Panel, served: str) -> None:
    two_games(panel)
    panel.loop.call(lambda table: table.abandon())
    keeper = panel.keeper_browser()
    screen = Screen(browser, SIZES[0])
    screen.go(served + "games")
    expect(screen["game-2"]).to_be_visible()
    expect(screen["delete-1"]).to_have_count(0)
    expect(screen["to-admin"]).to_be_visible()
    cookie = keeper.client.get_cookie("sniperboard-8000-house")
    assert cookie is not None
    screen.page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": served}])
    screen.page.reload()
    screen.press("delete-1")
    screen.press("confirm-yes")
    expect(screen["game-1"]).to_have_count(0)
    expect(screen["game-2"]).to_be_visible()
    assert [game["number"] for game in panel.browser().get("/api/games").json["games"]] == [2]


def test_visitor_sees_finished_games_while_another_game_is_on_the_table(
    browser: Browser, panel: Panel, served: str
) -> None:
    play_out(panel.company)
    panel.company.start(random_setup=True)
    panel.loop.call(lambda table: table.abandon())
    panel.interface.choose({"game": "snipers-and-assassins"}, panel.company.requester)
    screen, errors = Screen(browser, SIZES[0]), []
    screen.page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    screen.go(served + "games")
    expect(screen["game-1"]).to_be_visible()
    expect(screen["game-2"]).to_have_count(0)  # it was stopped

    steps = panel.browser().get("/api/games/1").json["steps"]
    moved = next(n for n, step in enumerate(steps) if any(it["to"] == ["sniper"] and n for it in step["told"]))
    screen.go(f"{served}games/1#{moved}")
    screen.press("side-truth")
    expect(screen.page.locator("#truth-told")).to_contain_text("Sniper: You ")
    for part in (screen.page.locator("#truth-told li").first, screen["key-play"], screen["side-truth"]):
        expect(part).to_be_in_viewport(ratio=1)
    expect(screen["copy-link"]).to_be_hidden()
    screen.press("more")
    expect(screen["copy-link"]).to_be_visible()
    assert errors == []


def test_analysis_leads_to_steps_and_is_saved_as_one_file(
    browser: Browser, panel: Panel, served: str, tmp_path: Path
) -> None:
    play_out(panel.company)
    poor = judge(panel, 1)
    screen, errors = Screen(browser, SIZES[0], locale="pl-PL"), []
    page = screen.page
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    screen.go(f"{served}games/1?analysis#{poor[0]}")
    screen.says("analysis-sides", "Snajper")
    expect(screen["advice"]).to_contain_text("Gruby błąd Szansa na wygraną: 60 % → 30 %.")
    expect(page.locator(".marks i.blunder")).to_have_count(len(poor))
    screen.go(f"{served}games/1?analysis#1")
    expect(screen["advice"]).to_have_text("Silny bot wybrałby: Zakończ turę.")
    screen.go(f"{served}games/1?analysis#{poor[0]}")
    expect(screen[f"key-moment-{poor[0]}"]).to_contain_text("Szansa na wygraną: 60 % → 30 %.")
    screen["table-possible"].locator("summary").press("Enter")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for found in (OUT_OF_REACH, TIGHT, PALE):
            expect_value(page, found, [], where=scheme)
        expect_readable(page, scheme, "#study", contrast=True)

    rows = screen["table-possible"].locator("tbody tr")
    rows.first.get_by_role("button").press("Enter")
    expect(screen["graph-possible"].locator(".note")).to_have_text(re.compile(r"^\d+: \w"))
    rows.nth(1).get_by_role("button").press("Enter")
    second = panel.browser().get("/api/games/1/analysis").json["possible"][1]["step"]
    screen.says("step", f"krok {second} z")
    graph = screen["graph-chances"].locator("svg.live")
    graph.scroll_into_view_if_needed()
    box = graph.bounding_box()
    assert box is not None
    graph.click(position={"x": box["width"] - 2, "y": box["height"] / 2})
    screen.says("step", "Koniec gry")
    expect(screen["graph-possible"].locator(".note")).to_contain_text("9 → 7: Snajper kończy turę.")

    with page.expect_download() as saved:
        screen.press("analysis-share")
    saved.value.save_as(tmp_path / "game.html")
    alone = browser.new_context(java_script_enabled=False, offline=True).new_page()
    asked: list[str] = []
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto((tmp_path / "game.html").as_uri())
    expect(alone.get_by_role("heading", level=1)).to_have_text("Analiza: Sniper Elite, Kompleks Badawczy")
    expect(alone.locator("article")).to_have_count(min(6, len(poor)))
    expect(alone.locator("article .small-map circle").first).to_be_attached()
    expect(alone.locator("article .small-map use[href='#names']")).to_have_count(min(6, len(poor)))
    # Legible at the width of the page, whatever the size of the map was that they come from.
    expect_value(alone, LOW_NAMES, [])
    expect(alone.locator("figure table")).to_have_count(2)
    assert [url for url in asked if not url.endswith("/game.html")] == []

    screen.go(f"{served}games")
    expect(screen["game-1"].locator(".players li").first).to_contain_text("dokładność 8")
    assert errors == []


def test_end_of_a_lost_game_leads_to_its_turning_points(browser: Browser, panel: Panel, served: str) -> None:
    assert panel.browser().post("/api/choose", game="sniper-elite-solo").status_code == 200
    lose_alone(panel)
    (worst,) = panel.browser().get("/api/games/1/ending").json["setbacks"]
    tv, phone = Screen(browser, (1280, 720)), Screen(browser, SIZES[0])
    phone.holds(served, "sniper", panel.company.keys["sniper"])
    tv.go(f"{served}kiosk?language=en")  # it hides what no one can press there
    phone.go(f"{served}sniper?language=en")
    for screen, sentence in ((tv, "The sniper is wounded"), (phone, "You are wounded")):
        expect(screen.page.locator(".story li").last).to_have_text(re.compile(rf"Round \d+: {sentence}"))
        expect(screen.page.locator(".story a").last).to_be_visible()
    phone.page.locator(".story a").last.click()
    expect(phone.page.locator("#known-told")).to_contain_text("The sniper is wounded")
    phone.press("more")
    phone.press("setback")
    phone.says("step", f"step {worst['step']} of")


ALL_PUBLIC = """addEventListener("DOMContentLoaded", () => document.body.classList.add("all-public"))"""
"""Do what a game does in which nothing is hidden."""


def test_buttons_lead_from_mistake_to_mistake_and_graph_has_no_marks_on_each_other(
    browser: Browser, panel: Panel, served: str
) -> None:
    play_out(panel.company)
    poor = judge(panel, 1)
    screen = Screen(browser, SIZES[0])
    screen.go(f"{served}games/1?analysis&language=en#0")
    back, on = screen["key-mistake-back"], screen["key-mistake-on"]
    expect(back).to_be_disabled()
    for step in poor[:2]:
        on.click()
        screen.says("step", f"step {step} of")
        expect(screen["advice"]).to_contain_text("Blunder")
    screen.page.keyboard.press("Shift+ArrowLeft")
    screen.says("step", f"step {poor[0]} of")
    expect(back).to_be_disabled()
    screen.page.keyboard.press("End")
    expect(on).to_be_disabled()
    screen.page.keyboard.press("Shift+ArrowRight")  # there is none
    screen.says("step", f"step {poor[-1]} of")  # the last one is the last step
    back.click()
    screen.says("step", f"step {poor[-2]} of")

    # A race of six has 140 turns; their numbers were a grey line.
    expect(screen["graph-chances"].locator("svg.live polyline")).to_have_count(3)
    overlaps = screen.page.evaluate(
        """async () => {
            const { graph } = await import("/static/analysis-graphs.js");
            const turns = Array.from({ length: 140 }, (_, i) => ({ step: i, mark: String(1 + (i % 6)) }));
            const lines = [{ name: "", kind: "line-0", values: turns.map(() => 0.5) }];
            const drawn = graph({ name: "long", title: "", turns, lines, most: 1, label: String });
            document.querySelector("#study").append(drawn);
            const ends = [...drawn.querySelectorAll(".tick")].map((it) => it.getBoundingClientRect());
            const close = ends.filter(({ left }, i) => i > 0 && left < ends[i - 1].right + 2).length;
            // In other games, only one side's turns have a number.
            const some = Array.from({ length: 22 }, (_, i) => ({ step: i, mark: i % 2 ? "" : String(1 + i / 2) }));
            const short = graph({ name: "short", title: "", turns: some, lines, most: 1, label: String });
            return [ends.length, close, [...short.querySelectorAll(".tick")].map((it) => it.textContent).join(" ")];
        }"""
    )
    assert overlaps[0] > 10
    assert overlaps[1:] == [0, "1 2 3 4 5 6 7 8 9 10 11"]
    screen.page.add_init_script(ALL_PUBLIC)
    screen.page.reload(wait_until="domcontentloaded")
    expect(screen["graph-chances"].locator("svg.live polyline")).to_have_count(1)
    screen.press("analysis")
    expect(on).not_to_be_attached()


def test_players_start_the_analysis_from_the_end_of_their_game(browser: Browser, panel: Panel, served: str) -> None:
    play_out(panel.company)
    screen = Screen(browser, SIZES[0])
    screen.holds(served, "sniper", panel.company.keys["sniper"])
    screen.go(f"{served}sniper?language=en")
    screen.press("analyse")
    state = screen["analysis-state"]
    expect(state).to_have_attribute("data-state", "running")
    expect(screen["analysis-stop"]).to_be_in_viewport()
    screen.press("analysis-stop")
    expect(state).to_have_attribute("data-state", re.compile("none|stopped"))
    expect(screen["analysis-start"]).to_be_visible()
