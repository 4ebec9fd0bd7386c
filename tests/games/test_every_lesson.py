"""Every lesson of every game can be found and repeated. `test_every_game.py` plays each to its end."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.core.data_files import LESSONS, files
from firmware_host.table import lessons
from firmware_host.table.lessons import Lesson, Progress, read_lesson
from games import find, names
from lab.authoring.lessons import accepted
from lab.authoring.texts import lesson_texts
from web_panel.language import codes, language

GAMES_WITH_LESSONS = [name for name in names() if files(name, LESSONS)]
EVERY_LESSON = [
    pytest.param(read_lesson(find(name), path), id=f"{name}/{path.stem}")
    for name in GAMES_WITH_LESSONS
    for path in files(name, LESSONS)
]
every_lesson = pytest.mark.parametrize("lesson", EVERY_LESSON)


def course_of(lesson: Lesson) -> list[Any]:
    """Return the first requested act of each step."""
    acts: list[Any] = []
    for _ in lesson.course.step:
        acts.append(accepted(Progress(lesson, acts))[0][0])
    return acts


def test_every_game_s_lessons_are_found() -> None:
    assert GAMES_WITH_LESSONS
    for name in names():
        assert {lesson.name for lesson in lessons.of_game(name)} == {path.stem for path in files(name, LESSONS)}


@every_lesson
def test_same_acts_lead_to_the_same_pictures(lesson: Lesson) -> None:
    acts = course_of(lesson)
    assert Progress(lesson, acts).referee.pictures == Progress(lesson, acts).referee.pictures


@every_lesson
def test_acts_after_the_last_step_do_not_count(lesson: Lesson) -> None:
    acts = course_of(lesson)
    assert Progress(lesson, [*acts, acts[-1]]).taken == len(acts)


@pytest.mark.parametrize("name", GAMES_WITH_LESSONS)
def test_every_text_is_translated(name: str) -> None:
    missing = [
        (code, text)
        for code in codes()
        if code != "en"
        for text in lesson_texts(name)
        if ("", text) not in language(code, name)._texts
    ]
    assert missing == [], "`python -m tools.texts` adds them"
