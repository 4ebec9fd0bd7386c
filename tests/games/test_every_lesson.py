"""Every lesson of every game leads from its first step to its end, tested with the engine alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.game import Command
from engine.text import Text
from firmware_host.table import lessons
from firmware_host.table.lessons import Lesson, Progress, files, matches, read
from games import find, names
from web_panel.language import codes, language

GAMES_WITH_LESSONS = [name for name in names() if files(name)]
LESSONS = [
    pytest.param(read(find(name), path), id=f"{name}/{path.stem}")
    for name in GAMES_WITH_LESSONS
    for path in files(name)
]
every_lesson = pytest.mark.parametrize("lesson", LESSONS)


def written(command: Command) -> Any:
    """Return a command as the protocol writes it."""
    return msgspec.json.decode(msgspec.json.encode(command))


def offered(progress: Progress) -> list[Any]:
    """Return the seat's current legal acts, as the protocol writes them."""
    legal = progress.referee.legal(progress.lesson.course.seat)
    return [written(command) for command in legal]


def asked(progress: Progress) -> list[list[Any]]:
    """Return, for each act that completes the step, the matching legal acts."""
    lesson, step = progress.lesson, progress.step
    assert step is not None
    legal = progress.referee.legal(lesson.course.seat)
    return [[written(command) for command in legal if matches(lesson, one, command)] for one in step.accepts]


def course_of(lesson: Lesson) -> list[Any]:
    """Return the first requested act of each step."""
    acts: list[Any] = []
    for _ in lesson.course.step:
        acts.append(asked(Progress(lesson, acts))[0][0])
    return acts


def test_every_game_s_lessons_are_found() -> None:
    assert GAMES_WITH_LESSONS
    for name in names():
        assert {lesson.name for lesson in lessons.of_game(name)} == {path.stem for path in files(name)}


@every_lesson
def test_every_requested_act_is_legal_and_completes_the_step(lesson: Lesson) -> None:
    acts: list[Any] = []
    for number, step in enumerate(lesson.course.step):
        progress = Progress(lesson, acts)
        for one, found in zip(step.accepts, asked(progress), strict=True):
            assert found, f"step {number + 1}: {one.act} is not legal there"
            for act in found:
                tried = Progress(lesson, [*acts, act])
                assert (tried.taken, tried.wrong) == (number + 1, None), (act, tried.wrong)
        acts.append(asked(progress)[0][0])
    assert Progress(lesson, acts).step is None


@every_lesson
def test_lesson_can_go_on_after_any_requested_act(lesson: Lesson) -> None:
    """The last acts that complete each step lead to the end, like the first."""
    acts: list[Any] = []
    for _ in lesson.course.step:
        acts.append(asked(Progress(lesson, acts))[-1][-1])
    assert Progress(lesson, acts).step is None


@every_lesson
def test_other_legal_act_does_not_count_and_gives_a_hint(lesson: Lesson) -> None:
    acts = course_of(lesson)
    strayed = 0
    for number in range(len(acts)):
        progress = Progress(lesson, acts[:number])
        wanted = [act for found in asked(progress) for act in found]
        other = next((act for act in offered(progress) if act not in wanted), None)
        if other is None:
            continue
        strayed += 1
        tried = Progress(lesson, [*acts[:number], other, *acts[number:]])
        assert (tried.taken, tried.rule) == (number, None)
        assert tried.wrong
    assert strayed, "no step has another legal act"


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
        for text in lessons.said(name)
        if not language(code, name).knows(Text(text))
    ]
    assert missing == [], "`python -m tools.texts` adds them"
