"""Past games in a real Chromium: the scrubber with the board that follows it, import and export, time-outs, kiosk."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from engine.text import Text
from firmware_host.records import past
from tests.web_panel.conftest import Panel
from tests.web_panel.endings import play_out
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value, wait_shown

pytestmark = IN_CHROMIUM
NODES = "document.querySelectorAll('*').length"
MINIS = "#truth .layer-pieces .mini.me"


def seated(panel: Panel, screen: Screen, served: str, *seats: str) -> None:
    """Give the screen's browser the keys of these seats."""
    cookies = [{"name": f"sniperboard-8000-{seat}", "value": panel.company.keys[seat], "url": served} for seat in seats]
    screen.page.context.add_cookies(cookies)  # type: ignore[arg-type]


def test_game_is_replayed_by_hand_keys_and_automatically(browser: Browser, panel: Panel, served: str) -> None:
    play_out(panel.company)
    steps = panel.browser().get("/api/games/1").json["steps"]
    last, there = len(steps) - 1, next(n for n, step in enumerate(steps) if step["views"]["referee"]["sniper"]["space"])
    screen, tv, refusals = Screen(browser, (1280, 800)), Screen(browser, (1280, 720)), [1, 1]
    seated(panel, screen, served, "sniper")
    tv.go(served + "kiosk")

    def refuse(route: Route) -> None:
        if not refusals:
            return route.continue_()
        refusals.pop()
        error = {"code": "busy", "sentence": "busy", "rule": None}
        return route.fulfill(status=503, json={"ok": False, "error": error, "status": 503})

    screen.page.route("**/api/games/1/steps/*", refuse)
    screen.go(served + "games")
    screen.press("look-1")
    screen.says("step", f"step 0 of {last}")
    assert refusals == []  # a page that a busy table refuses is requested again
    screen.page.unroute("**/api/games/1/steps/*")

    screen["scrubber"].fill(str(there))
    screen.says("step", f"step {there} of {last}")
    expect(screen.page.locator("#truth-told .where")).to_contain_text(
        steps[there]["views"]["referee"]["sniper"]["space"]
    )
    expect(screen.page.locator(MINIS)).to_have_count(1)
    expect(screen.page.locator("#known .layer-pieces .me")).to_have_count(0)
    spoken = re.compile(rf"step {there}\b.*{re.escape(steps[there]['told'][-1]['sentence'])}$")
    expect(screen["scrubber"]).to_have_attribute("aria-valuetext", spoken)

    screen.page.keyboard.press("End")
    screen.says("step", "Game over")
    screen.page.keyboard.press("ArrowLeft")
    screen.says("step", f"step {last - 1} of {last}")
    screen.press("key-turn-back")
    screen.press("key-turn-back")
    screen.page.keyboard.press("Home")
    screen.says("step", f"step 0 of {last}")

    expect(screen["on-board"]).to_have_text("On the TV")  # nobody has opened the simulated board
    screen.press("on-board")
    expect(tv["replay"]).to_be_visible()
    screen.press("speed-4")
    screen.press("key-play")
    tv.says("replay", "The sniper was on")
    screen.press("key-play")
    screen.press("on-board")
    expect(tv["replay"]).to_have_count(0)


def test_record_is_saved_and_sent_to_another_table(browser: Browser, panel: Panel, served: str, tmp_path: Path) -> None:
    play_out(panel.company)
    screen = Screen(browser, (360, 780))
    seated(panel, screen, served, "sniper")
    screen.go(served + "games")
    with screen.page.expect_download() as saving:
        screen.press("save-1")
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    assert re.fullmatch(r"sniperboard-launch-facility-\d{4}-\d\d-\d\d-1\.json", file.name)

    screen["record"].set_input_files(file)
    screen.says("taken", "This game is here already, as game 1.")
    spoiled = file.read_text("utf-8").replace("launch-facility", "lunch-facility!", 1)
    screen["record"].set_input_files({"name": "x.json", "mimeType": "application/json", "buffer": spoiled.encode()})
    screen.says("taken", "the hash chain does not hold at its beginning")
    panel.loop.call(lambda table: table.journal._db.execute("UPDATE games SET hash = 'forgotten', source = 'another'"))
    screen["record"].set_input_files(file)
    screen.says("taken", "Added as game 2.")
    expect(screen["game-2"]).to_contain_text("from another table")
    screen.press("look-2")
    screen.says("step", "step 0 of")


def test_many_faults_do_not_fill_the_lobby(browser: Browser, panel: Panel, served: str) -> None:
    """On a phone, people who came to play saw nothing else."""
    faults = [Text(f"Game {number} is damaged.") for number in range(3)]
    panel.loop.call(lambda table: table.session.lost.append(lambda: faults))
    screen = Screen(browser, (360, 780))
    screen.go(served)
    screen.says("lost", "Game 0 is damaged.")
    last = screen["lost"].get_by_text("Game 2 is damaged.")
    expect(last).to_be_hidden()
    screen["lost"].locator("summary").click()
    expect(last).to_be_visible()


def test_damaged_game_is_named_in_lobby_and_closed_in_list(browser: Browser, tmp_path: Path) -> None:
    panel = Panel(tmp_path)
    play_out(panel.company)
    play_out(panel.company)
    panel.loop.call(lambda table: table.abandon())
    panel.stop()
    db = sqlite3.connect(tmp_path / "games.sqlite")
    db.execute("UPDATE games SET map = '', started = 1e300 WHERE id = 1")
    db.commit()
    db.close()
    panel, screen = Panel(tmp_path), Screen(browser, (360, 780))
    with panel.served() as served:
        screen.go(served)
        screen.says("lost", "1 game in the journal is damaged: 1. It stays in the file, closed.")
        screen.go(served + "games")
        screen.says("game-1", "Damaged: the stored game doesn't match what was written.")
        expect(screen["look-1"]).to_have_count(0)
        expect(screen["save-1"]).to_have_count(0)
        screen.press("look-2")
        screen.says("step", "step 0 of")
        answer = screen.page.request.get(served + "games/1")
        assert (answer.status, "This game is damaged" in answer.text()) == (409, True)
    panel.stop()


def test_kiosk_hides_controls_and_a_time_out_shows_everywhere(browser: Browser, panel: Panel, served: str) -> None:
    panel.company.sit_down()
    panel.company.start(random_setup=True)
    tv = Screen(browser, (1280, 720))
    tv.go(served + "kiosk")
    expect(tv.page.locator("#map .layer-pieces .mini")).to_have_count(9)
    expect(tv.page.locator("body")).to_have_css("cursor", "none")
    expect(tv["zoom-in"]).to_be_hidden()

    def pause(times: int) -> None:
        """Pause a number of times, each of which repaints the page."""
        for _ in range(times):
            for paused in (True, False):
                panel.interface.pause(paused, panel.company.requester)
                expect(tv["time-out"]).to_have_count(int(paused))
        wait_shown(tv.page, panel.company.picture("table")["revision"])

    pause(2)
    before = tv.page.evaluate(NODES)
    pause(8)
    expect_value(tv.page, NODES, before)

    sniper, defenders = Screen(browser, (360, 780)), Screen(browser, (768, 1024))
    seated(panel, sniper, served, "sniper")
    seated(panel, defenders, served, "defenders")
    sniper.go(served + "sniper")
    defenders.go(served + "defenders")
    sniper.press("menu")
    sniper.press("menu-pause")

    for screen in (sniper, defenders):
        screen.says("headline", "Time-out called by Ada's phone.")
    tv.says("time-out", "Ada's phone")
    expect(sniper.page.locator(".lit")).to_have_count(0)
    defenders.press("resume")
    expect(sniper["resume"]).to_have_count(0)
    expect(tv["time-out"]).to_have_count(0)


def test_kiosk_reloads_when_the_table_returns(browser: Browser, panel: Panel, served: str) -> None:
    tv = Screen(browser, (1280, 720))
    tv.page.clock.install()
    tv.go(served + "kiosk")
    body = tv.page.locator("body")
    expect(body).to_have_attribute("data-connection", "live")
    tv.page.evaluate("window.before = true")

    tv.page.context.set_offline(True)
    expect(body).to_have_attribute("data-connection", "lost")
    tv.page.clock.fast_forward(20_000)
    tv.page.context.set_offline(False)
    expect_value(tv.page, "window.before === undefined")
    expect(body).to_have_attribute("data-connection", "live")


@pytest.mark.nightly
def test_game_of_many_pages_is_replayed_like_any_other(
    browser: Browser, panel: Panel, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "STEPS_PER_PAGE", 3)
    play_out(panel.company)
    last = len(panel.browser().get("/api/games/1").json["steps"]) - 1
    assert last > 10
    screen = Screen(browser, (360, 780))
    asked: list[str] = []
    screen.page.on("request", lambda request: asked.append(request.url))
    screen.go(f"{served}games/1")
    expect(screen["scrubber"]).to_have_attribute("max", str(last))
    assert sum("/api/games/1/steps/" in url for url in asked) == last // 3 + 1
    for key, step in (("End", last), ("ArrowLeft", last - 1), ("Home", 0), ("ArrowRight", 1)):
        screen.page.keyboard.press(key)
        expect(screen["step"]).to_contain_text(f" {step} ")
        expect(screen.page).to_have_url(re.compile(f"#{step}$"))
    screen.go(f"{served}games/1#{last - 2}")
    screen.page.reload()
    expect(screen["step"]).to_contain_text(f" {last - 2} ")
