"""Choosing a game in the lobby, in a real Chromium: every device there sees the choice."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect

import games
from engine.bots import Level
from firmware_host.core import bots
from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_toast

pytestmark = IN_CHROMIUM


@pytest.fixture
def lobby(panel: Panel, served: str, browser: Browser) -> tuple[Screen, Screen]:
    """Two devices in the lobby."""
    phone, tablet = Screen(browser, (360, 780)), Screen(browser, (768, 1024))
    for screen in (phone, tablet):
        screen.go(served)
        expect(screen["start"]).to_be_visible()
    return phone, tablet


def test_chosen_game_brings_its_seats_and_stays_once_people_sit_there(lobby: tuple[Screen, Screen]) -> None:
    phone, tablet = lobby
    expect(phone["game-sniper-elite"]).to_have_attribute("aria-pressed", "true")
    expect(phone["link-rules"]).to_be_visible()
    phone.press("game-treasure")
    for screen in lobby:
        expect(screen["link-rules"]).to_be_visible()
        expect(screen["game-treasure"]).to_have_attribute("aria-pressed", "true")
        expect(screen["seat-hider"]).to_contain_text("Hider")
        expect(screen["seat-sniper"]).to_have_count(0)
        expect(screen["map-island"]).to_be_visible()
        expect(screen["option-seekers"]).to_have_value("2")
    expect(phone["game-treasure"]).to_be_in_viewport()
    expect(tablet["seat-green"]).to_have_count(0)
    phone["option-seekers"].select_option("3")
    for screen in lobby:
        expect(screen["seat-green"]).to_be_visible()
        expect(screen["option-seekers"]).to_have_value("3")
    tablet.page.reload()
    expect(tablet["seat-green"]).to_be_visible()

    phone.sends("claim", seat="hider", pin="2468", device="Ada's phone")
    expect(tablet["holder-hider"]).to_contain_text("Ada's phone")
    tablet["option-seekers"].select_option("2")
    expect_toast(tablet.page, "People sit at this table")
    expect(tablet["option-seekers"]).to_have_value("3")


@pytest.mark.parametrize("level", [None, "easy"])
def test_one_bot_is_no_ladder(
    browser: Browser, served: str, level: Level | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = bots.own_bots(games.find("treasure")).usable
    digger = own["digger"]
    monkeypatch.setitem(own, "digger", bots.CheckedBot(replace(digger.kind, level=level), digger.docstring))
    phone = Screen(browser, (360, 780))
    phone.go(f"{served}#alone")
    phone.press("game-treasure")
    expect(phone["rung-red"]).to_have_text(digger.docstring)


def test_options_are_shared_and_the_last_choice_is_started(panel: Panel, lobby: tuple[Screen, Screen]) -> None:
    phone, tablet = lobby
    for screen in lobby:
        screen.press("options-experienced")
    phone["option-experienced_sniper-A"].check()
    for screen in lobby:
        expect(screen["option-experienced_sniper-A"]).to_be_checked()
        expect(screen["option-experienced_defenders-A"]).to_be_disabled()
        screen.says("options-experienced", "Experienced sniper A")
    tablet["option-experienced_sniper-A"].uncheck()
    tablet.press("map-submarine-pens")
    tablet.press("options-rulings")
    tablet["option-switches-R-36"].check()
    expect(phone["option-experienced_defenders-A"]).to_be_enabled()
    expect(phone["map-submarine-pens"]).to_have_attribute("aria-pressed", "true")
    phone.press("options-rulings")
    expect(phone["option-switches-R-36"]).to_be_checked()

    for seat in ("sniper", "defenders"):
        phone.sends("bot", seat=seat, bot="random")
    expect(phone["start"]).to_be_enabled()
    phone["option-random_setup"].uncheck()
    phone.press("start")
    expect(phone["start"]).to_be_hidden()
    begun = panel.browser().get("/api/lobby").json
    assert (begun["map"], begun["selection"]["options"]["random_setup"]) == ("submarine-pens", False)
