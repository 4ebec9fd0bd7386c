"""The tiny game, which has no screens of its own, in real browsers: lobby, phones, lamps, TV, past games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.depth import DEPTH
from tests.games.treasure.people import People
from tests.web_panel.looks import OUT_OF_REACH, PALE
from tests.web_panel.room import IN_CHROMIUM, drag, expect_value

pytestmark = IN_CHROMIUM

WORDS = {
    "en-GB": {
        "mine": "Your turn",
        "hider": "Hider",
        "roll": "Roll the die",
        "hidden": "You hide the treasure",
        "rolled": "rolls the die",
        "barred": "You have no steps",
        "odds": "The treasure is here",
        "round": "Round",
        "over": "The hider wins: nobody found the treasure",
        "past": "Robin wins: nobody found the treasure",
        "title": "Hider · ",
        "nothing": "Nothing was announced.",
    },
    "pl-PL": {
        "mine": "Twój ruch",
        "hider": "Chowający",
        "roll": "Rzuć kostką",
        "hidden": "Ukrywasz skarb",
        "rolled": "rzuca kostką",
        "barred": "Nie masz kroków",
        "odds": "Skarb jest tutaj",
        "round": "Runda",
        "over": "Chowający wygrywa: nikt nie znalazł skarbu",
        "past": "Robin wygrywa: nikt nie znalazł skarbu",
        "title": "Chowający · ",
        "nothing": "Niczego nie ogłoszono.",
    },
}
WHOLE = """() => {
    const { left, right, top, bottom } = document.querySelector("#known").getBoundingClientRect();
    const spaces = document.querySelectorAll("#known [data-space][data-spot]");
    const boxes = [...spaces].map((it) => it.getBoundingClientRect());
    const inside = (it) => it.left > left - 2 && it.right < right + 2 && it.top > top - 2 && it.bottom < bottom + 2;
    return boxes.length === 16 && boxes.every(inside);
}"""
"""Whether the public map of a past game shows the whole island."""
LIT = ".layer-lamps .glow:not([data-lamp='000000'])"
WIDTHS = (320, 1920) if DEPTH == 1 else (320, 360, 768, 1920)


TABLES = [
    pytest.param((1, "en-GB"), id="two-seats"),
    pytest.param((2, "en-GB"), id="three-seats", marks=pytest.mark.nightly),
    pytest.param((3, "pl-PL"), id="four-seats-in-polish", marks=pytest.mark.nightly),
]
"""Each phone takes seconds of CPU time."""


MARKS_BELOW_CHOICES = """() => {
  const [mark, lit] = ["mark-space", "layer-lit"].map((name) => document.querySelector(`#map .${name}`));
  const [inner, outer] = [mark, document.querySelector("#map #s-b3")].map((found) => found?.getBoundingClientRect());
  const inside = inner && outer && inner.left - outer.left > 4 && outer.bottom - inner.bottom > 4;
  return Boolean(inside && mark.compareDocumentPosition(lit) & Node.DOCUMENT_POSITION_FOLLOWING);
}"""
"""Whether what can be chosen is drawn above the own marks of a seat, and around them."""


@pytest.fixture(params=TABLES)
def people(request: pytest.FixtureRequest, browser: Browser, tmp_path: Path) -> Iterator[People]:
    seekers, locale = request.param
    company = People(browser, tmp_path, seekers, locale)
    yield company
    company.close()


def test_people_play_a_whole_game_and_replay_it(people: People) -> None:
    words, hider, tv = WORDS[people.locale], people.phones["hider"], people.tv
    people.begin(rounds=1)
    expect(hider["turn"]).to_have_text(words["mine"])
    expect(tv["turn"]).to_have_text(f"{words['hider']}: Robin")
    expect(hider.page).to_have_title(re.compile(re.escape(words["title"])))
    hider.taps("b3")
    hider.says("panel-log", words["hidden"])
    expect(hider["latest"]).to_contain_text(words["hidden"])
    _marks_and_colours_are_shown(people)
    first = people.phones[people.waited_for()]
    _reasons_and_odds_are_shown(people, first.seat)
    for phone in (hider, first):
        phone.says("known-here", words["round"])
    expect(hider["own-seat"]).to_contain_text(words["hider"])
    _is_in_reach(people)

    while seat := people.to_act():
        people.plays(seat, away_from="b3")
    everybody = [*people.phones.values(), tv]
    for screen in everybody:
        screen.says("over", words["over"])
    for screen in [phone for name, phone in people.phones.items() if name != "hider"]:
        assert words["hidden"] not in screen.page.content()
    for screen in (first, tv):
        expect(screen.page.locator(LIT).first).to_be_attached()
    # No bot of this game can judge acts.
    expect(hider["lasted"]).to_be_visible()
    expect(hider["analyse"]).to_have_count(0)

    _look_back(people)
    _without_a_map_there_is_no_room_for_one(people)
    assert [screen.faults for screen in people.screens] == [[]] * len(people.screens)


def _marks_and_colours_are_shown(people: People) -> None:
    """The hider's own map marks the treasure; the pawns of the simulated board have the colours of the game."""
    expect(people.phones["hider"].page.locator("#map .mark-space")).to_have_count(1)
    expect(people.phones["red"].page.locator("#map .mark-space")).to_have_count(0)
    expect_value(people.phones["hider"].page, MARKS_BELOW_CHOICES)
    expect(people.board.page.locator("[data-mini='red'] .band")).to_have_css("stroke", "rgb(255, 0, 0)")


def _reasons_and_odds_are_shown(people: People, seat: str) -> None:
    words, phone = WORDS[people.locale], people.phones[seat]
    expect(phone["act-roll"]).to_have_text(words["roll"])
    phone.says("barred-walk", words["barred"])
    phone.says("acts", words["odds"])
    phone.does("act-roll")
    phone.says("latest", words["rolled"])
    people.tv.says("latest", words["rolled"])
    phone.says("panel-known", words["round"])


def _is_in_reach(people: People) -> None:
    """No text is pale or off-screen, on a seat that acts, on one that waits, and on the TV."""
    for screen in (*people.phones.values(), people.tv):
        size = screen.page.viewport_size
        assert size is not None
        for width in WIDTHS:
            screen.page.set_viewport_size({"width": width, "height": 800})
            for check in (OUT_OF_REACH, PALE):
                expect_value(screen.page, check, [], where=width)
        screen.page.set_viewport_size(size)


def _without_a_map_there_is_no_room_for_one(people: People) -> None:
    """The past game again, as if it had been played without a map: the knowledge takes the room of the maps.

    Nor were its first steps announced; that the set-up was not is no news.
    """
    page = people.phones["red"].page

    def mapless(route: Route) -> None:
        answer = route.fetch()
        found = answer.json()
        for step in found["steps"][:2]:
            step["told"] = []
        route.fulfill(response=answer, json={**found, "map": ""})

    page.route("**/api/games/*/steps/*", mapless)
    page.goto(f"{people.address}games/1")
    expect(page.locator(".past-facts").first).to_be_visible()
    expect(page.locator(".side .stage").first).to_be_hidden()
    scrubber, told = people.phones["red"]["scrubber"], page.locator("#known-told")
    scrubber.fill("1")
    expect(told).to_contain_text(WORDS[people.locale]["nothing"])
    scrubber.fill("0")
    expect(told).not_to_contain_text(WORDS[people.locale]["nothing"])
    page.unroute("**/api/games/*/steps/*")


def _look_back(people: People) -> None:
    """Step 1 is the hiding. The truth and the hider know the place; no other viewer does."""
    screen, words = people.phones["red"], WORDS[people.locale]
    screen.press("look")
    page = screen.page
    page.wait_for_url("**/games/1")
    expect(screen["scrubber"]).to_be_attached()
    screen["scrubber"].fill("1")
    expect_value(page, WHOLE)
    expect(screen["analysis"]).to_have_count(0)
    expect(page.locator("#truth .mark-space")).to_have_count(1)
    expect(page.locator("#truth-told .facts")).to_contain_text("b3")
    expect(page.locator("#known-told .facts")).to_contain_text("a1, a2")
    expect(page.locator("#known-told")).not_to_contain_text(words["hidden"])
    options = screen["viewer"].locator("option")
    expect(options).to_have_count(len(people.phones) + 1)
    screen.press("more")
    screen["viewer"].select_option("hider")
    expect(page.locator("#known-told .facts")).not_to_contain_text("a1, a2")
    expect(page.locator("#known-title")).to_have_text(words["hider"])
    page.keyboard.press("End")
    expect(page.locator("#known-told")).to_contain_text(words["over"])
    expect_value(page, OUT_OF_REACH, [])
    page.goto(people.address + "games")
    screen.says("game-1", words["past"])


@pytest.fixture
def few(browser: Browser, tmp_path: Path) -> Iterator[People]:
    company = People(browser, tmp_path, 1, "en-GB")
    yield company
    company.close()


def test_game_is_playable_by_keyboard_and_on_the_board(few: People) -> None:
    few.begin(rounds=1)
    hider, red = few.phones["hider"], few.phones["red"]
    hider.page.locator(".lit[tabindex='0']").focus()
    hider.page.keyboard.press("ArrowRight")
    space = hider.page.evaluate("document.activeElement.dataset.space")
    assert space is not None
    hider.page.keyboard.press("Enter")
    hider.says("headline", space)
    with hider.page.expect_response("**/api/act") as answer:
        hider.page.keyboard.press("Enter")
    assert answer.value.ok
    expect(red["turn"]).to_have_text("Your turn")
    red.does("act-roll")
    to = red.page.locator(".lit.choice").first.get_attribute("data-space")
    assert to is not None
    drag(few.board.page, "red", to)
    red.says("latest", f"The red seeker walks to {to}.")
    red.does("take-back")
    few.tidy()
    expect(red.page.locator(f".lit.choice[data-space='{to}']")).to_be_visible()
    red.page.set_viewport_size({"width": 360, "height": 500})  # its acts lie below the panel
    red.press("fold-walk")
    expect(red.page.locator(".fold[open] .act-list button").first).to_be_in_viewport(ratio=1)
    red.does(f"act-walk-{to}")
    red.says("latest", f"The red seeker walks to {to}.")
    hider.says("latest", f"The red seeker walks to {to}.")
    # What only this seat was told stays, even if three other sentences have followed.
    hider.says("latest", "You hide the treasure")
    expect(hider["latest"].locator("p")).to_have_count(4)
    assert [screen.faults for screen in few.screens] == [[]] * len(few.screens)


@pytest.mark.nightly
def test_refused_act_is_explained_on_the_screen(few: People) -> None:
    few.begin(rounds=1)
    hider, red = few.phones["hider"], few.phones["red"]
    hider.taps("c2")
    expect(red["act-dig"]).to_be_enabled()
    red.page.route(
        "**/api/act", lambda route: route.continue_(post_data=route.request.post_data.replace("dig", "walk"))
    )
    red.page.evaluate("document.querySelector('[data-testid=act-dig]').click()")
    expect_value(red.page, "toasted.length > 0")
    assert red.faults == []


@pytest.mark.nightly
def test_failed_map_download_is_retried(few: People) -> None:
    hider, busy, refused = few.phones["hider"], [True], list[str]()

    def answer(route: Route) -> None:
        if not busy:
            return route.continue_()
        refused.append(route.request.url)
        return route.fulfill(status=503) if len(refused) % 2 else route.abort()

    hider.page.route("**/maps/*.svg", answer)
    few.begin(rounds=1)
    expect(hider["turn"]).to_have_text(WORDS["en-GB"]["mine"])
    busy.clear()  # from now on nothing happens at the table, so no new picture requests the map
    expect(hider.page.locator(".lit").first).to_be_visible()
    assert refused
