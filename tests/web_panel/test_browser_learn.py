"""Lessons on a phone, in Chromium: the start of each lesson, a reload, and a whole lesson."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from msgspec import to_builtins
from playwright.sync_api import Browser, Request, ViewportSize, expect

from firmware_host.core import maps
from firmware_host.table import lessons
from tests.depth import DEPTH
from tests.web_panel.conftest import LONGEST_WORDS, Panel
from tests.web_panel.looks import OUT_OF_VIEW, SIZES
from tests.web_panel.room import IN_CHROMIUM, STILL, Screen, expect_value
from tests.web_panel.test_browser_craft import expect_no_faults
from web_panel.language import codes

pytestmark = IN_CHROMIUM


PHONE: ViewportSize = {"width": 360, "height": 740}
SPACE = re.compile(r"[A-Z]\d+")
COURSES = {
    "hunt": [
        "act-reveal",
        "card-C58 act-commit",
        "act-reveal",
        "card-C22 act-commit",
        "act-buy-shoot",
        "act-end-turn",
        "card-C35 act-play",
        "act-draw",
        "act-reveal",
        "act-commit",
        "act-reveal",
        "act-commit",
    ],
    "race": [
        "B5 B8 confirm",
        "C7 confirm",
        "end-turn",
        "B5 B8 confirm",
        "deed-mine C9 confirm",
        "end-turn",
        "marker-sniper A3",
        "D9",
        "end-turn",
        "B5 confirm",
        "end-turn",
        "D9 D11",
    ],
    "alone": [
        "K22 confirm-move",
        "loot confirm-yes",
        "keep-s-mine",
        "end-turn",
        "K23 Y35 Y33 confirm-move",
        "complete confirm-yes",
        "end-turn",
        "Y21 fire",
        "reward-recoil2",
        "Y35 confirm-move",
        "end-turn",
        "Y12 confirm-return",
    ],
}
"""Lessons of the other games: the taps, step by step."""
BY_DAY = ["hunt"]


class Pupil(Screen):
    """A phone in a lesson. What its pages post is kept by address."""

    def __init__(self, browser: Browser, served: str, lesson: str, code: str = "en") -> None:
        super().__init__(browser, (PHONE["width"], PHONE["height"]), has_touch=True, locale=code)
        self.posted: set[str] = set()
        self.page.on("request", self._note)
        self.go(f"{served}learn")
        self.press(f"lesson-{lesson}")
        expect(self["coach-say"]).to_be_visible()

    def _note(self, request: Request) -> None:
        if request.method == "POST":
            self.posted.add(urlsplit(request.url).path)

    def at(self, number: int) -> None:
        """Wait until the coach is at a step and the page can be used."""
        self.says("coach-step", f"Step {number} of")
        expect(self["drawing"]).to_have_count(0)

    def follows(self, taps: str) -> None:
        """Make the taps one after the other: spaces of the map, and other controls by test id."""
        for what in taps.split():
            (self.tap if SPACE.fullmatch(what) else self.press)(what)


def test_lobby_leads_to_lessons_and_snipers_lesson_survives_reload(browser: Browser, served: str) -> None:
    pupil = Pupil(browser, served, "sniper")
    pupil.go(served)
    pupil.press("link-learn")
    pupil.press("lesson-sniper")
    pupil.at(1)
    pupil.press("end-turn")
    pupil.press("confirm-yes")
    pupil.says("coach-wrong", "Y32")
    pupil.tap("Y32")
    expect(pupil.page.locator(".coach-space")).to_have_count(1)
    pupil.press("confirm-move")
    pupil.at(2)
    expect(pupil["coach-wrong"]).to_have_count(0)
    pupil.page.reload()
    pupil.at(2)
    pupil.press("coach-again")
    pupil.at(1)


def test_defenders_lesson_begins_and_sends_the_table_nothing(browser: Browser, served: str) -> None:
    pupil = Pupil(browser, served, "defenders")
    pupil.at(1)
    pupil.press("tab-squads")
    pupil.press("intel-black")
    pupil.press("confirm")
    pupil.at(2)
    pupil.says("latest", "the sniper is in the black sector")
    pupil.tap("Y34")
    pupil.press("deed-move")
    pupil.tap("K23")
    pupil.press("confirm")
    pupil.at(3)
    pupil.press("menu")
    for testid in ("menu-abandon", "menu-pause", "menu-bot", "menu-use-sensors"):
        expect(pupil[testid]).to_have_count(0)
    assert pupil.posted == {"/api/lesson"}


@pytest.mark.nightly
@pytest.mark.parametrize("code", codes() if DEPTH > 1 else [LONGEST_WORDS])
def test_list_and_lesson_are_accessible_at_every_width(browser: Browser, served: str, code: str) -> None:
    pupil = Pupil(browser, served, "sniper", code)
    pupil.press("end-turn")
    pupil.press("confirm-yes")
    expect(pupil["coach-wrong"]).to_be_visible()
    expect(pupil.page.locator(".coach-space")).to_be_visible()
    expect_no_faults(pupil.page, "lesson")
    pupil.press("coach-leave")
    pupil.page.wait_for_url("**/learn")
    expect_no_faults(pupil.page, "learn")


@pytest.mark.nightly
def test_whole_lesson_by_taps_while_a_game_is_played(browser: Browser, panel: Panel, served: str) -> None:
    panel.start()
    before = panel.browser().get("/api/picture/table").json["revision"]
    pupil = Pupil(browser, served, "sniper")

    def walks(*spaces: str) -> None:
        for space in spaces:
            pupil.tap(space)
        pupil.press("confirm-move")

    def surely(testid: str) -> None:
        pupil.press(testid)
        pupil.press("confirm-yes")

    def out_of_reach(does: Callable[[], None]) -> None:
        pupil.page.context.set_offline(True)
        does()
        expect(pupil.page.locator("body")).to_have_attribute("data-connection", "lost")
        pupil.page.context.set_offline(False)

    steps = [
        lambda: walks("Y32"),
        lambda: pupil.press("end-turn"),
        lambda: walks("Y33"),
        lambda: surely("complete"),
        lambda: out_of_reach(lambda: pupil.press("end-turn")),
        lambda: walks("Y35", "K23", "K22"),
        lambda: surely("loot"),
        lambda: pupil.press("keep-distraction"),
        lambda: pupil.press("end-turn"),
        lambda: (pupil.tap("K26"), pupil.press("fire")),
        lambda: walks("K21"),
        lambda: pupil.press("end-turn"),
    ]
    for number, step in enumerate(steps, 1):
        pupil.at(number)
        step()
    pupil.says("coach-say", "Well done!")
    expect(pupil["lesson-defenders"]).to_be_visible()
    assert pupil.posted == {"/api/lesson"}
    assert panel.browser().get("/api/picture/table").json["revision"] == before
    pupil.press("to-lobby")
    expect(pupil["link-learn"]).to_be_visible()


@pytest.mark.nightly
@pytest.mark.parametrize("name", COURSES if DEPTH > 1 else BY_DAY)
def test_lesson_of_another_game_is_completed_by_taps(browser: Browser, served: str, name: str) -> None:
    pupil = Pupil(browser, served, name)
    expect_no_faults(pupil.page, name)
    pupil.page.set_viewport_size(PHONE)
    for number, taps in enumerate(COURSES[name], 1):
        pupil.at(number)
        pupil.follows(taps)
    pupil.says("coach-step", "Lesson finished")
    expect(pupil.page.locator("#dock")).to_be_hidden()
    expect_no_faults(pupil.page, f"{name}, at its end")
    assert pupil.posted == {"/api/lesson"}


LESSON_ACTS = """async () => {
  const loaded = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/lesson.js"));
  const { Seat } = await import(loaded.name);
  const { get } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Seat.prototype), "ready");
  Object.defineProperty(Seat.prototype, "ready", { get() { window.lessonSeat = this; return get.call(this); } });
  for (const _ of [1, 2]) document.querySelector("[data-testid^=tab-]").click(); // the page is drawn again
}"""
"""Let a test act in a lesson by `lessonSeat.act`, as the page's buttons do."""


def course_of(lesson: lessons.Lesson) -> list[dict[str, Any]]:
    """Return acts that lead through a lesson."""
    acts: list[dict[str, Any]] = []
    for step in lesson.course.step:
        legal = lessons.Progress(lesson, acts).referee.legal(lesson.course.seat)
        wanted = (to_builtins(it) for it in legal if any(lessons.matches(lesson, one, it) for one in step.accepts))
        acts.append(next(wanted, dict(step.accepts[0].act)))
    return acts


LESSONS = [lesson for game in maps.playable_games() for lesson in lessons.of_game(game.name) if lesson.board]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: f"{lesson.game.name}-{lesson.name}")
def test_reachable_spaces_are_in_view_at_each_step(browser: Browser, served: str, lesson: lessons.Lesson) -> None:
    """The view followed the spaces of the step only, and the card of the next step moved others out of it."""
    pupil = Pupil(browser, served, lesson.name, LONGEST_WORDS)
    pupil.page.evaluate(LESSON_ACTS)
    for number, act in enumerate(course_of(lesson), 1):
        expect(pupil["coach-step"]).to_contain_text(re.compile(rf"\D{number}\D"))
        for width, height in SIZES[: 1 if DEPTH == 1 else None]:
            pupil.page.set_viewport_size({"width": width, "height": height})
            expect(pupil["drawing"]).to_have_count(0)
            pupil.page.evaluate(STILL)
            expect_value(pupil.page, OUT_OF_VIEW, [], where=(lesson.name, number, width, height))
        expect_value(pupil.page, "act => lessonSeat.act(act)", arg=act)
