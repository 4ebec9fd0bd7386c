"""Find errors of a lesson by playing it from its first step to its end, in every way that it accepts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.game import Game
from firmware_host.core import data_files
from firmware_host.core.data_files import LESSONS, DataFileError
from firmware_host.table.lessons import Lesson, Progress, matches, read_lesson
from lab.authoring.contract import shortened
from lab.authoring.play import plain


def lessons(game: Game) -> Iterator[str]:
    for path in data_files.files(game.name, LESSONS):
        try:
            lesson = read_lesson(game, path)
        except DataFileError as error:
            yield str(error)
        else:
            yield from (f"lessons/{path.name}: {fault}" for fault in faults_of(lesson))


def faults_of(lesson: Lesson) -> Iterator[str]:
    acts: list[Any] = []
    strayed = False
    for number, step in enumerate(lesson.course.step, 1):
        progress = Progress(lesson, acts)
        wanted = accepted(progress)
        for one, found in zip(step.accepts, wanted, strict=True):
            if not found:
                yield f"in step {number}, {shortened(one.act)} is not legal."
            for act in found:
                tried = Progress(lesson, [*acts, act])
                if tried.taken != number:
                    yield f"in step {number}, {shortened(act)} does not complete the step: {tried.wrong}"
        flat = [act for found in wanted for act in found]
        if not flat:
            return
        strayed = strayed or any(act not in flat for act in offered(progress))
        # Use the last act that completes the step, because the page may show the first.
        acts.append(flat[-1])
    first = [*acts]
    if Progress(lesson, first).step is not None:
        yield "it does not lead to its end."
    if not strayed:
        yield "no step has another legal act, so it asks for nothing."


def offered(progress: Progress) -> list[Any]:
    return [plain(command) for command in progress.referee.legal(progress.lesson.course.seat)]


def accepted(progress: Progress) -> list[list[Any]]:
    """Return, for each act that completes the step, the matching legal acts."""
    lesson, step = progress.lesson, progress.step
    legal = progress.referee.legal(lesson.course.seat)
    accepts = () if step is None else step.accepts
    return [[plain(command) for command in legal if matches(lesson, one, command)] for one in accepts]
