"""Puzzles on a phone, in Chromium: marking spaces with taps and keys, choosing, and the person's rating."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from firmware_host.core import installed, maps
from firmware_host.core.data_files import Puzzle
from firmware_host.play import puzzles
from tests.web_panel.conftest import LONGEST_WORDS, Panel
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value
from tests.web_panel.test_browser_craft import expect_no_faults

pytestmark = IN_CHROMIUM

GAME = "sniper-elite"


class Solver(Screen):
    """A phone with a puzzle of one kind."""

    def __init__(self, browser: Browser, served: str, kind: str, code: str = "en") -> None:
        super().__init__(browser, (360, 740), has_touch=True, locale=code)
        self.go(f"{served}puzzles/{GAME}")
        expect(self["question"]).to_be_visible()
        self.asks(kind)

    def asks(self, kind: str) -> None:
        """Ask for a puzzle of a kind."""
        # The puzzle before may be of this kind, too.
        with self.page.expect_response("**/api/puzzle") as answer:
            self["kind"].select_option(kind)
        expect(self.page.locator(f'body[data-puzzle="{kind} {answer.value.json()["id"]}"]')).to_be_attached()

    @property
    def asked(self) -> Puzzle:
        """The puzzle on the page."""
        _, puzzle_id = self.page.evaluate("document.body.dataset.puzzle").split()
        return puzzles.of_game(GAME)[puzzle_id][1]

    @property
    def answer(self) -> list[str]:
        """A right answer of it."""
        return list(self.asked.answers[0])


VISIBLE = """() => ["question", "story", "map", "result", "solution", "next"].filter((it) => {
    const found = document.querySelector(`[data-testid=${it}]`)?.getBoundingClientRect();
    return found && found.top >= 0 && found.bottom <= innerHeight;
})"""
"""Return the parts of a puzzle that are on the screen from top to bottom."""


def test_answers_are_checked_rated_and_listed(browser: Browser, served: str) -> None:
    solver = Solver(browser, served, "heard")
    solver["solver-name"].fill("Ola")
    solver["solver-name"].press("Enter")
    expect(solver["rating"]).to_contain_text("1000")
    expect(solver["check"]).to_be_disabled()
    for space in solver.answer:
        solver.page.locator(f'.lit[data-space="{space}"]').focus()
        solver.page.keyboard.press("Enter")
        expect(solver.page.locator(f'.lit.picked[data-space="{space}"]')).to_be_attached()
    solver.press("check")
    expect(solver["result"]).to_have_class(re.compile("right"))
    expect(solver.page.locator(".puzzle-space.hit")).to_have_count(len(solver.answer))
    expect(solver["rating"]).to_contain_text("1 of 1")
    expect(solver["rating-change"]).to_contain_text("Rating: 1000 → 10")
    solver.press("forget")
    solver.press("confirm-yes")
    expect(solver["rating"]).to_contain_text("0 of 0")
    before = solver.page.evaluate("document.body.dataset.puzzle")
    solver.press("next")
    expect(solver.page.locator(f'body[data-puzzle="{before}"]')).not_to_be_attached()
    expect(solver.page.locator(".puzzle-space")).to_have_count(0)

    # A wrong answer counts once, and may be improved.
    solver.asks("shot")
    solver["solver-name"].fill("Ola")
    solver["solver-name"].press("Enter")
    expect(solver["rating"]).to_contain_text("0 of 0")
    right = solver.answer[0]
    solver.page.locator(f"[data-testid^=choice-]:not([data-testid=choice-{right}])").first.click()
    solver.press("check")
    expect(solver["result"]).to_contain_text("Try again")
    expect(solver["rating-change"]).to_contain_text("Rating: 1000 → 9")
    expect(solver["rating"]).to_contain_text("0 of 1")
    expect(solver["check"]).not_to_be_attached()
    solver.press(f"choice-{right}")
    expect(solver["result"]).not_to_be_attached()
    solver.press("check")
    expect(solver["result"]).to_have_class(re.compile("right"))
    expect(solver["rating"]).to_contain_text("0 of 1")
    expect(solver["rating-change"]).not_to_be_attached()

    # The list of the last puzzles leads back to it, also from the page of another game, and after a reload.
    answered = solver.page.evaluate("document.body.dataset.puzzle")
    entry = f"last-{answered.split()[1]}"
    expect(solver[entry]).to_contain_text("Wrong: The best shot")
    solver.press("next")
    expect(solver.page.locator(f'body[data-puzzle="{answered}"]')).not_to_be_attached()
    solver.press(entry)
    expect(solver.page.locator(f'body[data-puzzle="{answered}"]')).to_be_attached()
    solver.go(f"{served}puzzles/stalingrad")
    solver.press(entry)
    expect(solver.page.locator(f'body[data-puzzle="{answered}"]')).to_be_attached()
    solver.page.reload(wait_until="domcontentloaded")
    expect(solver.page.locator(f'body[data-puzzle="{answered}"]')).to_be_attached()

    solver.asks("shot")
    choices = solver.page.locator("[data-testid^=choice-]")
    right = solver.answer[0]
    wrong = choices.locator(f"xpath=self::*[not(@data-testid='choice-{right}')]").first
    wrong.click()
    solver.press("check")
    expect(solver["result"]).to_contain_text("Wrong.")
    expect(solver["link-rules"]).to_have_attribute("href", f"/rules/{GAME}")
    expect(solver.page.locator("#answer")).to_be_focused()
    solver.press("solution")
    expect(solver["result"]).to_contain_text(f"Correct answer: {right}")
    solver.press("show")
    tv = Screen(browser, (1280, 720))
    tv.go(f"{served}table?language=en")
    tv.says("turn", "Puzzle")
    expect(tv["replay"]).to_have_text(str(solver["question"].text_content()))


WHOLE = """() => {
    const map = document.querySelector("#map").getBoundingClientRect();
    const spaces = [...document.querySelectorAll("#map path[data-space]")].map((it) => it.getBoundingClientRect());
    return spaces.length > 0 && spaces.every(({ left, right }) => left >= map.left && right <= map.right);
}"""
"""Whether no space of the map is cut off."""


@pytest.mark.parametrize("game", [name for name in installed.names() if puzzles.of_game(name)])
def test_puzzles_of_every_game_show_the_position(browser: Browser, served: str, game: str) -> None:
    """Also of a game that isn't the chosen one, from which the page has no words."""
    race = game == "snipers-and-assassins"  # its board has pieces at the left edge
    solver = Screen(browser, (360, 640 if race else 740), has_touch=True)
    solver.go(f"{served}puzzles/{game}")
    for _ in range(4 if race else 3):
        expect(solver["question"]).to_be_visible()
        if game == "stalingrad":  # its target, and what the player's Aids add
            expect(solver["open-card"].locator("[data-card]")).to_be_visible()
            expect(solver.page.locator(".small-cards [data-card]").first).to_be_visible()
        expect(solver.page.locator("#map .layer-pieces .mini, #more .st-past").first).to_be_attached()
        before = solver.page.evaluate("document.body.dataset.puzzle")
        if race:
            expect_value(solver.page, WHOLE, where=before)
        solver.press("skip")
        expect(solver.page.locator(f'body[data-puzzle="{before}"]')).not_to_be_attached()


def test_tv_shows_puzzles_of_games_that_are_not_on_the_table(browser: Browser, served: str) -> None:
    """It read the seats and the cards of the table's game instead, and failed."""
    solver, tv = Screen(browser, (360, 740)), Screen(browser, (1280, 720))
    tv.go(f"{served}table?language=en")
    for chosen, game, words in [
        (GAME, "stalingrad", "'s turn"),
        ("stalingrad", GAME, "Specialists"),
        ("stalingrad", "sniper-elite-solo", "Their cards"),
        ("stalingrad", "snipers-and-assassins", "Round"),
    ]:
        solver.address = served
        solver.sends("choose", game=chosen)
        puzzle_id = next(iter(puzzles.of_game(game)))
        solver.sends("puzzle/show", game=game, puzzle=puzzle_id)
        tv.says("turn", "Puzzle")
        expect(tv.page.locator("html")).to_have_attribute("data-of-game", game)
        expect(tv.page.locator("body")).to_contain_text(words, ignore_case=True)
        solver.sends("replay")


def test_events_before_the_question_are_told_and_marked(browser: Browser, served: str) -> None:
    moved = {"moved", "spotted", "alerted"}
    known = puzzles.of_game(GAME).items()
    puzzle_id, one = next((key, one) for key, (_, one) in known if moved <= {it["type"] for it in one.events})
    solver = Screen(browser, (1280, 720))
    solver.go(f"{served}puzzles/{GAME}#{puzzle_id}")
    expect(solver["story"]).to_have_attribute("open", "")
    expect(solver["story"].locator("p")).to_have_count(len(one.events))
    for mark in ("trail", "ears"):
        expect(solver.page.locator(f"#map .layer-trail .{mark}").first).to_be_attached()


def test_question_map_and_verdict_are_on_one_screen_of_a_phone(browser: Browser, served: str) -> None:
    """The verdict was above the map: one of both was off the screen."""
    solver = Solver(browser, served, "where", LONGEST_WORDS)
    for kind in ("where", "shot", "catch"):
        solver.asks(kind)
        answer_in_sight(solver, kind)


def answer_in_sight(solver: Solver, kind: str) -> None:
    """Answer a puzzle wrongly while all its parts are on the screen."""
    asked = ["question", "story", "map"]

    def expect_in_sight(parts: list[str]) -> None:
        for height in (740, 640):
            solver.page.set_viewport_size({"width": 360, "height": height})
            expect_value(solver.page, VISIBLE, parts, where=(kind, height))

    expect_in_sight(asked)
    if kind == "where":
        solver.page.locator("summary").click()
        expect(solver["story"].locator("p").first).to_be_in_viewport()
        solver.page.locator("summary").click()
        slug = solver.asked.map
        assert slug is not None
        wrong = next(space for space in maps.load(slug).spaces if space not in solver.answer)
        solver.page.locator(f'.lit[data-space="{wrong}"]').focus()
        solver.page.keyboard.press("Enter")
    else:
        right = "".join(f":not([data-testid=choice-{key}])" for (key,) in solver.asked.answers)
        solver.page.locator(f"[data-testid^=choice-]{right}").first.click()
    solver.press("check")
    expect_in_sight([*asked, "result", "solution"])
    solver.press("solution")
    expect_in_sight([*asked, "result", "next"])


def test_folded_report_says_how_many_events_came_before(browser: Browser, served: str) -> None:
    known = puzzles.of_game(GAME).items()
    puzzle_id, one = next((key, one) for key, (kind, one) in known if kind == "catch" and len(one.before) > 2)
    solver = Screen(browser, (360, 740), has_touch=True)
    solver.go(f"{served}puzzles/{GAME}#{puzzle_id}")
    expect(solver["story"].locator("summary")).to_contain_text(f"Earlier: {len(one.before) - 1}")
    solver.page.locator("summary").click()
    expect(solver["story"].locator("p")).to_have_count(len(one.before))


def test_visitor_reads_that_an_answer_is_not_rated(browser: Browser, panel: Panel, served: str) -> None:
    panel.company.sit_down()
    solver = Solver(browser, served, "shot")
    solver["solver-name"].fill("Ola")
    solver["solver-name"].press("Enter")
    solver.press(f"choice-{solver.answer[0]}")
    solver.press("check")
    expect(solver["result"]).to_have_class(re.compile("right"))
    expect(solver.page.locator("#toasts")).to_contain_text("This answer isn't rated. People sit at this table")
    expect(solver["rating-change"]).not_to_be_attached()


@pytest.mark.nightly
def test_puzzles_are_accessible_at_every_width(browser: Browser, served: str) -> None:
    solver = Solver(browser, served, "where", LONGEST_WORDS)
    expect(solver.page.locator(".lit[data-space]").first).to_be_attached()
    expect_no_faults(solver.page, "puzzle")
    solver.press("to-puzzles")
    solver.page.wait_for_url("**/puzzles")
    expect_no_faults(solver.page, "puzzles")


def test_refused_puzzle_is_asked_for_again(browser: Browser, served: str) -> None:
    """While strangers keep the table busy, for example. The page had no button without a puzzle."""
    solver = Screen(browser, (360, 740))
    refusal = {"ok": False, "error": {"code": "busy", "sentence": "Busy.", "rule": None}, "status": 503}
    solver.page.route("**/api/puzzle", lambda route: route.fulfill(status=503, json=refusal), times=2)
    solver.go(f"{served}puzzles/{GAME}")
    expect(solver["question"]).to_be_visible()
    solver.page.route("**/api/puzzle", lambda route: route.fulfill(status=503, json=refusal), times=1)
    solver.press("skip")
    expect(solver.page.locator("#toasts")).to_contain_text("Busy.")
