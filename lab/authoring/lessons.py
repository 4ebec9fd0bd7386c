"""Find errors of a lesson by playing it from its first step to its end, in every way that it accepts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.game import Game
from engine.refusal import RuleError
from firmware_host.core import data_files
from firmware_host.core.data_files import LESSONS, DataFileError
from firmware_host.table.lessons import Lesson, Progress, matches, read_lesson
from lab.authoring.contract import shortened
from lab.authoring.play import decoded_json


def lessons(game: Game) -> Iterator[str]:
    for path in data_files.files(game.name, LESSONS):
        try:
            lesson = read_lesson(game, path)
        except DataFileError as error:
            if not error.unread:  # otherwise the check of the start reports it
                found = re.search(r": (?=.*\bstep (\d+))", said := str(error))
                yield said if found is None else said.replace(": ", f", line {_line(path, int(found[1]))}: ", 1)
        else:
            for step, fault in _faults(lesson):
                line = f", line {_line(path, step)}: in step {step}, " if step else ": "
                yield f"lessons/{path.name}{line}{fault}"


def _line(path: Path, step: int) -> int:
    """Return the line in which a step begins."""
    lines = enumerate(path.read_text("utf-8-sig").splitlines(), 1)
    return [number for number, line in lines if re.match(r"\s*\[\[\s*step\s*\]\]", line)][step - 1]


def faults_of(lesson: Lesson) -> Iterator[str]:
    """Yield what is wrong with a lesson."""
    return (f"in step {step}, {fault}" if step else fault for step, fault in _faults(lesson))


def _faults(lesson: Lesson) -> Iterator[tuple[int, str]]:
    """Yield the number of a step, zero for the whole lesson, and what is wrong with it."""
    acts: list[Any] = []
    strayed = False
    for number, step in enumerate(lesson.course.step, 1):
        progress = Progress(lesson, acts)
        wanted = accepted(progress)
        flat: list[Any] = []
        for one, found in zip(step.accepts, wanted, strict=True):
            if not found:
                yield number, f"{shortened(one.act)} is not legal: {_why(progress, one.act)}"
            for act in found:
                try:
                    tried = Progress(lesson, [*acts, act])
                except RuleError as error:
                    yield number, f"an act of its then is refused: {error} Correct the act, or leave it out."
                    return
                if tried.taken != number:
                    yield number, f"{shortened(act)} does not complete the step: {tried.wrong}"
                else:
                    flat.append(act)
        if not flat:  # what follows needs an act that completes the step
            return
        strayed = strayed or any(act not in flat for act in offered(progress))
        # Use the last act that completes the step, because the page may show the first.
        acts.append(flat[-1])
    if Progress(lesson, acts).step is not None:
        yield 0, "it does not lead to its end."
    if not strayed:
        yield 0, "no step has another legal act, so it asks for nothing."


def _why(progress: Progress, act: Mapping[str, Any]) -> str:
    """Return why no legal act matches: the refusal, or the legal acts of its type."""
    lesson, seat = progress.lesson, progress.lesson.course.seat
    try:
        lesson.game.check(progress.referee.pictures[seat], seat, lesson.game.read_command(seat, dict(act)))
    except RuleError as error:
        refused = str(error)
    else:
        refused = "legal() does not offer it."
    alike = [it for it in offered(progress) if it.get("type") == act.get("type")]
    return f"{refused} Legal: {shortened(alike or offered(progress))}."


def offered(progress: Progress) -> list[Any]:
    return [decoded_json(command) for command in progress.referee.legal(progress.lesson.course.seat)]


def accepted(progress: Progress) -> list[list[Any]]:
    """Return, for each act that completes the step, the matching legal acts."""
    lesson, step = progress.lesson, progress.step
    legal = progress.referee.legal(lesson.course.seat)
    accepts = () if step is None else step.accepts
    return [[decoded_json(command) for command in legal if matches(lesson, one, command)] for one in accepts]
