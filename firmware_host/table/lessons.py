"""Lessons: short courses from a set position, played on the engine step by step.

A lesson is a file `lessons/<name>.toml` in its game's folder, decoded once and strictly. It knows nothing of a running
game, and keeps no state: the learner's page sends all acts so far, and they are played again from the position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engine.chance import Chance
from engine.game import Command, Game
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import RuleError, no_such
from engine.seats import Seat, seat_names
from engine.text import Text
from firmware_host.core import data_files, installed, maps
from firmware_host.core.data_files import LESSONS, Accepted, Forced, LessonFile, LessonStep
from firmware_host.core.remembered import Remembered

MOST_STEPS = 64
"""Maximum steps of a lesson, and acts in one request."""
SEED = 0
"""Seed of all random results that a file does not force, so that the same acts always lead to the same position."""
NOT_ASKED = Text("You can do that in a game, but this step of the lesson asks for something else.")


class Lesson:
    """A lesson that can be played."""

    def __init__(self, name: str, game: Game, course: LessonFile) -> None:
        """Raises `RuleError` or `MapError` for what the game or its map does not know, else `ValueError`."""
        self.name, self.game, self.course = name, game, course
        self.board: Map | None = None if course.map is None else maps.load(course.map)
        options = maps.options_on(game, self.board, course.options)
        self.seats: tuple[Seat, ...] = tuple(game.seats(options))
        if not 0 < len(course.step) <= MOST_STEPS:
            raise ValueError(f"it has {len(course.step)} steps. Give it 1 to {MOST_STEPS}: [[step]].")
        self._check_names()
        chance = Chance(Random(SEED))
        self._start = game.position(self.board, options, course.position, chance)
        # Read all replies now, so that a faulty one is found before anyone plays the lesson.
        self.replies = [self._read(number, step) for number, step in enumerate(course.step, 1)]

    def _read(self, number: int, step: LessonStep) -> list[Command]:
        try:
            return [self.game.read_command(reply.seat, reply.act) for reply in step.then]
        except RuleError as error:
            raise ValueError(f"in a then of step {number}: {error}") from error

    def _check_names(self) -> None:
        valid_seats = seat_names(self.seats)
        spaces = () if self.board is None else self.board.spaces
        for seat in (self.course.seat, *(reply.seat for step in self.course.step for reply in step.then)):
            if seat not in valid_seats:
                raise ValueError(no_such("seat", seat, list(valid_seats)))
        for number, step in enumerate(self.course.step, 1):
            if not step.accepts:
                raise ValueError(f"step {number} accepts nothing. Give it an act: [[step.accepts]].")
            if unknown := [space for space in step.spaces if space not in spaces]:
                raise ValueError(
                    f"step {number} marks {', '.join(unknown)}, which the map does not have. Name its spaces."
                )

    def start(self) -> Referee:
        """Return the lesson's game in its start position."""
        return Referee(self.game, self._start)


class Progress:
    """How far `acts` lead in a lesson. `taken` is the number of right acts, one for each step done. `wrong` says why
    the next act is not accepted, if there is one; `rule` is the ID of the rule that forbids it, if any.
    """

    def __init__(self, lesson: Lesson, acts: Sequence[Mapping[str, Any]] = ()) -> None:
        self.lesson, self.referee = lesson, lesson.start()
        self._chance = Chance(Random(SEED))
        self.taken = 0
        self.wrong: str | None = None
        self.rule: str | None = None
        for act in acts:
            # Ignore acts after a wrong one, which cannot be judged; the page sends all acts again.
            if not self._try(act):
                break

    @property
    def step(self) -> LessonStep | None:
        """The current step; None at the end."""
        steps = self.lesson.course.step
        return steps[self.taken] if self.taken < len(steps) else None

    def _try(self, act: Mapping[str, Any]) -> bool:
        """Play one more act; return whether it is accepted."""
        lesson, referee, step = self.lesson, self.referee, self.step
        if step is None:
            return False
        seat = lesson.course.seat
        try:
            command = lesson.game.check(referee.pictures[seat], seat, lesson.game.read_command(seat, act))
            accepted = next((candidate for candidate in step.accepts if matches(lesson, candidate, command)), None)
            if accepted is not None:
                self._play(seat, command, accepted.chance)
        except RuleError as error:
            self.wrong, self.rule = error.sentence, error.rule
            return False
        if accepted is None:
            self.wrong = Text(step.hint) if step.hint else NOT_ASKED
            return False
        for reply, answer in zip(step.then, lesson.replies[self.taken], strict=True):
            self._play(reply.seat, answer, reply.chance)
        self.taken += 1
        return True

    def _play(self, seat: str, command: Command, chance: Forced) -> None:
        # Each act has its own forced results, so drop those that an earlier act did not use.
        self._chance.force(self.lesson.game.read_luck(self.lesson.board, chance))
        self.referee.submit(seat, command, self._chance)


def matches(lesson: Lesson, accepted: Accepted, command: Command) -> bool:
    """Return whether a command has all required fields, in the form in which the game writes it."""
    # Convert the command to JSON, so that it has its tag and plain values, like the act in the lesson's file.
    values = msgspec.json.decode(msgspec.json.encode(command))
    return all(values.get(name) == value for name, value in accepted.act.items())


# --- files ------------------------------------------------------------------------------------------------------


def read_lesson(game: Game, path: Path) -> Lesson:
    """Return the lesson in a file. Raises `DataFileError`."""
    return data_files.read_data(path, LessonFile, lambda name, course: Lesson(name, game, course))


REMEMBERED = Remembered[str, tuple[Lesson, ...]]()
"""The lessons of each game."""


def of_game(name: str) -> tuple[Lesson, ...]:
    """Return the lessons of a game in the order of its seats. A broken one is left out and logged."""

    def order(lesson: Lesson) -> tuple[int, str]:
        return seat_names(lesson.seats).index(lesson.course.seat), lesson.name

    read = partial(data_files.usable, name, LESSONS, lambda path: read_lesson(installed.find(name), path), order)
    return REMEMBERED.get(name, read)
