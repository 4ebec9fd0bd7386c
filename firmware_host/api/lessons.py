"""What screens may ask about lessons. They are played outside the loop, on the engine alone, and learn nothing of the
running game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from engine.game import TABLE
from engine.refusal import RuleError
from engine.seats import Seat
from engine.text import Text
from firmware_host.core import installed
from firmware_host.core.capabilities import capabilities
from firmware_host.core.encoding import Fragment, Picture, Translate
from firmware_host.core.errors import UserError
from firmware_host.core.generic import brings_screen, generic_facts, still_lamps
from firmware_host.core.guarded import isolated
from firmware_host.play import pictures
from firmware_host.table import lessons
from firmware_host.table.lessons import MOST_STEPS, Lesson, Progress

BOARD: Mapping[str, Any] = {
    "state": "resting",
    "sentence": Text("This is a lesson. It doesn't use the table or its lamps."),
    "hint": None,
    "held": [],
    "ills": [],
    "manual": [],
    "heeded": False,
    "open": False,
}
LEARNER = 1
"""The number of the learner's device on its seat."""


class LessonInterface:
    """The lessons of all games. They run one request at a time, because the table needs the processor, too."""

    def __init__(self) -> None:
        self._one_at_a_time = Lock()

    def all(self) -> list[dict[str, Any]]:
        """Return every game that has lessons: its `title`, and the `facts` of each of its `lessons`."""
        courses = filter(None, map(lessons.of_game, installed.names()))
        return [{"title": Text(one[0].game.title), "lessons": [*map(_facts, one)]} for one in courses]

    def facts(self, game: str, name: str) -> dict[str, Any]:
        """Return a lesson's `game`, `name`, `seat`, `map`, `title` and `about`. Raises `UserError` (not-found)."""
        return _facts(_find_lesson(game, name))

    def play(self, game: str, name: str, acts: Sequence[Mapping[str, Any]], translate: Translate) -> str:
        """Return where `acts` lead in a lesson, as JSON text: the picture of its seat, as a seat's page gets it, with
        `words` of the game and the state of the `lesson`. Raises `UserError` (not-found, too-large).
        """
        if len(acts) > MOST_STEPS:
            raise UserError("too-large", Text("A lesson has at most {most} acts.", most=MOST_STEPS))
        lesson = _find_lesson(game, name)
        # Each request replays its acts from the start, which takes time of the processor.
        with self._one_at_a_time:
            try:
                return isolated(game, lambda: Picture(Fragment(_picture_of(Progress(lesson, acts)))).text(translate))
            except RuleError as error:
                raise UserError(error.code, error.sentence, error.rule) from error


def _find_lesson(game: str, name: str) -> Lesson:
    courses = lessons.of_game(game) if game in installed.names() else ()
    found = next((one for one in courses if one.name == name), None)
    if found is None:
        raise UserError("not-found", Text("There is no such lesson. See the page /learn for all lessons."))
    return found


def _facts(lesson: Lesson) -> dict[str, Any]:
    course = lesson.course
    return {
        "game": lesson.game.name,
        "name": lesson.name,
        "title": Text(course.title),
        "about": Text(course.about),
        "seat": course.seat,
        "map": course.map or "",
    }


def _picture_of(progress: Progress) -> dict[str, Any]:
    """Return what the page of a lesson gets: all members of a picture, with nothing of a table."""
    lesson, referee = progress.lesson, progress.referee
    game, viewer = lesson.game, lesson.course.seat
    picture = pictures.of_viewer(referee, viewer)
    # Screens of the game's own do not use these facts.
    if not brings_screen(game, viewer):
        picture["generic"] = generic_facts(game, referee.pictures, viewer, lesson.seats, picture["legal"])
        if lesson.board is not None:
            picture["generic"]["lamps"] = still_lamps(game, referee.pictures[TABLE], lesson.board)
    glossary = capabilities(game).glossary
    return {
        "viewer": viewer,
        "revision": progress.taken,
        "map": lesson.course.map or "",
        "game": game.name,
        "stage": "playing",  # also after the end, so that the page offers nothing that needs a table
        "seats": {seat.name: _seat_facts(seat, seat.name == viewer) for seat in lesson.seats},
        "board": BOARD,
        "paused": None,
        "finished": None,
        "halted": None,
        "cares": [],
        "sealed": None,
        "possible": None,
        "take_back": None,
        "undo": False,
        "picked": [],
        "words": {} if glossary is None else glossary.glossary(),
        "lesson": _coach_facts(progress),
        **picture,
    }


def _seat_facts(seat: Seat, own: bool) -> dict[str, Any]:
    """Return a seat as a picture shows it: the learner's own with all of its parts, or one that the lesson plays."""
    device = {
        "number": LEARNER if own else LEARNER + 1,
        "device": seat.title,
        "squads": list(seat.parts),
        "bot": None if own else "lesson",
        "pin": False,
    }
    return {"title": seat.title, "taken": True, "devices": [device], "trouble": None, "left": (), "acted": None}


def _coach_facts(progress: Progress) -> dict[str, Any]:
    lesson, step = progress.lesson, progress.step
    steps = len(lesson.course.step)
    return {
        **_facts(lesson),
        "number": min(progress.taken + 1, steps),
        "steps": steps,
        "say": Text(lesson.course.done) if step is None else Text(step.say),
        "spaces": [] if step is None else list(step.spaces),
        "done": step is None,
        "taken": progress.taken,
        "wrong": progress.wrong,
        "rule": progress.rule,
        "others": [_facts(one) for one in lessons.of_game(lesson.game.name) if one is not lesson],
    }
