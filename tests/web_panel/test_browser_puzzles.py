"""Puzzles on a phone, in Chromium: marking spaces with taps and keys, choosing, and the person's rating."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from firmware_host.core import installed
from firmware_host.play import puzzles
from tests.web_panel.conftest import LONGEST_WORDS
from tests.web_panel.room import IN_CHROMIUM, Screen
from tests.web_panel.test_browser_craft import expect_no_faults

pytestmark = IN_CHROMIUM

GAME = "sniper-elite"


class Solver(Screen):
    """A phone with a puzzle of one kind."""

    def __init__(self, browser: Browser, served: str, kind: str, code: str = "en") -> None:
        super().__init__(browser, (360, 740), has_touch=True, locale=code)
        self.go(f"{served}puzzles/{GAME}")
        expect(self["question"]).to_be_visible()
        # The first puzzle may be of this kind, too.
        with self.page.expect_response("**/api/puzzle") as answer:
            self["kind"].select_option(kind)
        expect(self.page.locator(f'body[data-puzzle="{kind} {answer.value.json()["id"]}"]')).to_be_attached()

    @property
    def answer(self) -> list[str]:
        """A right answer of the puzzle on the page."""
        _, puzzle_id = self.page.evaluate("document.body.dataset.puzzle").split()
        return list(puzzles.of_game(GAME)[puzzle_id][1].answers[0])


def test_spaces_are_marked_checked_and_rated(browser: Browser, served: str) -> None:
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
    solver.press("forget")
    solver.press("confirm-yes")
    expect(solver["rating"]).to_contain_text("0 of 0")
    before = solver.page.evaluate("document.body.dataset.puzzle")
    solver.press("next")
    expect(solver.page.locator(f'body[data-puzzle="{before}"]')).not_to_be_attached()
    expect(solver.page.locator(".puzzle-space")).to_have_count(0)
    assert solver.faults == []


@pytest.mark.parametrize("game", [name for name in installed.names() if puzzles.of_game(name)])
def test_puzzles_of_every_game_show_the_position(browser: Browser, served: str, game: str) -> None:
    """Also of a game that isn't the chosen one, from which the page has no words."""
    solver = Screen(browser, (360, 740), has_touch=True)
    solver.go(f"{served}puzzles/{game}")
    for _ in range(3):
        expect(solver["question"]).to_be_visible()
        if game == "stalingrad":  # its target, and what the player's Aids add
            expect(solver["open-card"].locator("[data-card]")).to_be_visible()
            expect(solver.page.locator(".small-cards [data-card]").first).to_be_visible()
        expect(solver.page.locator("#map .layer-pieces .mini, #more .st-past").first).to_be_attached()
        before = solver.page.evaluate("document.body.dataset.puzzle")
        solver.press("skip")
        expect(solver.page.locator(f'body[data-puzzle="{before}"]')).not_to_be_attached()
    assert solver.faults == []


def test_wrong_choice_shows_the_right_one(browser: Browser, served: str) -> None:
    solver = Solver(browser, served, "shot")
    choices = solver.page.locator("[data-testid^=choice-]")
    right = solver.answer[0]
    wrong = choices.locator(f"xpath=self::*[not(@data-testid='choice-{right}')]").first
    wrong.click()
    solver.press("check")
    expect(solver["result"]).to_contain_text(f"Right: {right}")
    solver.press("show")
    tv = Screen(browser, (1280, 720))
    tv.go(f"{served}table?language=en")
    tv.says("turn", "Puzzle")
    expect(tv["replay"]).to_have_text(str(solver["question"].text_content()))
    assert solver.faults == tv.faults == []


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
