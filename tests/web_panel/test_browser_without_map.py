"""The generic screens of a game without a map, in which both players choose at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.text import Text
from tests.firmware_host.small_games import SEATS, Cards, CardsView, installed
from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Screen

pytestmark = IN_CHROMIUM

PHONE = (360, 640)


class Together(Cards):
    """Cards, whose players are both to act."""

    def to_act(self, view: CardsView) -> tuple[str, ...]:
        return () if view.turn is None else SEATS

    def summary(self, view: CardsView) -> list[tuple[Text, str]]:
        return [(Text("cards on the table"), str(len(view.laid)))]


@pytest.fixture(autouse=True)
def offered(tmp_path: Path) -> Iterator[None]:
    with installed(Together(), tmp_path / "offered"):  # before the table, which finds its games at its start
        yield


def test_no_map_is_shown_before_and_in_the_game(browser: Browser, panel: Panel, served: str) -> None:
    phone, wall = panel.browser(), Screen(browser, PHONE)
    assert phone.post("/api/choose", game=Together.name).status_code == 200
    for seat in SEATS:
        assert phone.claims(seat).status_code == 200
    page = Screen(browser, PHONE)
    value = phone.client.get_cookie("sniperboard-8000-north")
    assert value is not None
    page.page.context.add_cookies([{"name": value.key, "value": value.value, "url": served}])
    page.go(served + "north")
    wall.go(served + "table")
    expect(page["gathered"]).to_be_visible()
    expect(page["map"]).to_be_hidden()
    expect(wall["turn"]).to_be_visible()
    expect(wall["map"]).to_be_hidden()

    page.press("start")
    expect(page["acts"]).to_be_visible()
    expect(page["map"]).to_be_hidden()
    expect(page["summary"]).to_have_text("Cards on the table0")
    expect(wall.page.locator("body")).to_contain_text("are playing")
    assert page.faults == wall.faults == []
