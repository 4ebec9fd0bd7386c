"""The list of past games, and what leads into one: who played, dates, filters, key moments, links, deletion."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from firmware_host.records import results
from firmware_host.records.results import Result
from tests.web_panel.conftest import Panel
from tests.web_panel.endings import play_out
from tests.web_panel.looks import OUT_OF_REACH
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value

pytestmark = IN_CHROMIUM
SIZES = ((360, 640), (390, 844), (740, 360), (768, 1024), (1280, 720))
TIGHT = """() => [...document.querySelectorAll(".past .button, .filters select, .keys button, .moments button")]
    .filter((it) => it.checkVisibility() && it.getBoundingClientRect().height < 43.5)
    .map((it) => it.outerHTML.slice(0, 90))"""
"""Controls that are too low for a thumb."""


def two_games(panel: Panel) -> None:
    """Play two games. The second was against a bot, which the defenders' seat says afterwards."""
    play_out(panel.company)
    play_out(panel.company)
    kept = panel.loop.call(lambda table: results.read(table.journal))
    assert [(it.number, it.seat) for it in kept] == [(n, seat) for n in (1, 2) for seat in ("sniper", "defenders")]
    told = (*kept[:2], Result(2, "sniper-elite", "sniper", "Olga", True), Result(2, "sniper-elite", "defenders", "",
            False, "warden"))  # fmt: skip
    panel.loop.call(lambda table: table.journal.keep(results.JOURNAL_NAME, list(told)))


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
    expect(screen["no-games"]).to_contain_text("No game fits")
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
    assert screen.faults == []


@pytest.mark.parametrize(
    ("locale", "day"),
    [
        pytest.param("en-US", r"\w{3} \d{1,2}, \d{4}", marks=pytest.mark.nightly),
        ("pl-PL", r"\d{1,2} \w{3} \d{4}"),
    ],
)
def test_dates_are_written_as_the_reader_does(
    browser: Browser, panel: Panel, served: str, locale: str, day: str
) -> None:
    play_out(panel.company)
    screen = Screen(browser, SIZES[0], locale=locale)
    screen.go(served + "games")
    expect(screen["game-1"]).to_contain_text(re.compile(day))
    won, defenders = ("wygrana", "Obrońcy") if locale == "pl-PL" else ("won", "Defenders")
    expect(screen["game-1"].locator(".players li").last).to_have_text(f"Bo's tablet · {defenders} · {won}")


@pytest.mark.nightly
def test_key_moments_and_links_lead_to_a_step(browser: Browser, panel: Panel, served: str) -> None:
    two_games(panel)
    steps = panel.browser().get("/api/games/2").json["steps"]
    found = [n for n, step in enumerate(steps) if any(it["highlight"] for it in step["told"])]
    assert found[-1] == len(steps) - 1
    screen = Screen(browser, SIZES[0])
    screen.go(f"{served}games/2#3")
    screen.says("step", "step 3 of")
    expect(screen.page.locator(".reel-hud .players")).to_contain_text("Olga")
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
    assert screen.faults == []


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
    assert screen.faults == []


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
    assert (screen.faults, errors) == ([], [])
