"""The generic screens of a game without a map, in which both players choose at the same time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from engine.events import Told, only
from engine.game import Command
from engine.text import Text
from tests.firmware_host.small_games import SEATS, Cards, CardsView, Dealt, Lay, Mark, installed
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


class Hands(Together):
    """Cards with five in each hand, which can only be laid."""

    def setup(self, board: Any, options: Any, chance: Any) -> Iterable[Told]:
        for number, seat in enumerate(SEATS):
            yield Told(Dealt(seat, tuple(range(5 * number, 5 * number + 5))), only(seat))

    def legal(self, view: CardsView, seat: str) -> list[Command]:
        return [*map(Lay, view.hands.get(seat, ()))]


class Notes(Hands):
    """Cards of which notes can be made, too."""

    def legal(self, view: CardsView, seat: str) -> list[Command]:
        return [*super().legal(view, seat), *map(Mark, view.hands.get(seat, ()))]


class Show(Command, tag="show", frozen=True):
    """Show a card of the glossary."""

    card: str


class Named(Hands):
    """Cards of which one is in the glossary."""

    def glossary(self) -> dict[str, Any]:
        return {"cards": {"sun": {"title": Text("Sun"), "text": Text("It shines.")}}}

    def legal(self, view: CardsView, seat: str) -> list[Command]:
        return [Show("sun"), Show("rain")]


@pytest.fixture(autouse=True)
def offered(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[None]:
    game = getattr(request, "param", Together)
    with installed(game(), tmp_path / "offered"):  # before the table, which finds its games at its start
        yield


@pytest.mark.parametrize("offered, folded", [(Hands, 0), (Notes, 2)], indirect=["offered"])
def test_many_acts_of_the_only_type_are_not_folded(browser: Browser, panel: Panel, served: str, folded: int) -> None:
    page = north(browser, panel, served)
    page.press("start")
    expect(page["acts"].locator("details")).to_have_count(folded)
    expect(page["acts"].locator("button").filter(visible=True)).to_have_count(0 if folded else 5)


@pytest.mark.parametrize("offered", [Named], indirect=True)
def test_button_has_the_text_of_its_card(browser: Browser, panel: Panel, served: str) -> None:
    page = north(browser, panel, served)
    page.press("start")
    expect(page["act-show-sun"]).to_have_text("Show · sunIt shines.")
    expect(page["act-show-rain"]).to_have_text("Show · rain")


def test_seats_with_the_same_opponents_share_one_choice(browser: Browser, panel: Panel, served: str) -> None:
    phone = Screen(browser, PHONE)
    phone.go(served)
    expect(phone.page.locator(".play-card")).to_have_count(2)  # of Sniper Elite: each side has bots of its own
    assert panel.browser().post("/api/choose", game=Together.name).status_code == 200
    for seat in SEATS:
        expect(phone[f"play-{seat}"]).to_be_visible()
    expect(phone.page.locator(".play-card")).to_have_count(1)


def north(browser: Browser, panel: Panel, served: str) -> Screen:
    """Return the screen of the first seat; both seats are taken."""
    phone = panel.browser()
    assert phone.post("/api/choose", game=Together.name).status_code == 200
    for seat in SEATS:
        assert phone.claims(seat).status_code == 200
    page = Screen(browser, PHONE)
    value = phone.client.get_cookie("sniperboard-8000-north")
    assert value is not None
    page.page.context.add_cookies([{"name": value.key, "value": value.value, "url": served}])
    page.go(served + "north")
    return page


def test_no_map_is_shown_before_and_in_the_game(browser: Browser, panel: Panel, served: str) -> None:
    page, wall = north(browser, panel, served), Screen(browser, PHONE)
    wall.go(served + "table")
    expect(page["gathered"]).to_be_visible()
    expect(page["map"]).to_be_hidden()
    expect(wall["turn"]).to_be_visible()
    expect(wall["map"]).to_be_hidden()

    page.press("start")
    expect(page["acts"]).to_be_visible()
    expect(page["map"]).to_be_hidden()
    expect(page["summary"]).to_have_text("Cards on the table0")
    expect(page["own-seat"]).to_have_text("You: North")
    expect(wall.page.locator("body")).to_contain_text("are playing")
    expect(wall.page.locator("#ticker")).to_have_text("Nothing has happened yet.")
