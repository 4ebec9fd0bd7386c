"""Lessons: short courses from a set position, played on the engine, one step after another.

A lesson is a file `lessons/<name>.toml` in its game's folder. It is decoded once, strictly. Nothing of a running game
comes here, and no state is kept: who learns sends all acts so far, and they are played again from the position.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from engine.chance import Chance
from engine.game import Command, Game
from engine.graph import Map
from engine.graph.fault import MapError
from engine.referee import Referee
from engine.refusal import RuleError
from engine.seats import Seat, seat_names
from engine.text import Text
from firmware_host.core import installed, maps, sizes
from firmware_host.core.game_files import game_folder
from firmware_host.core.guarded import GameFault, isolated
from firmware_host.core.lesson_files import FOLDER, Accepted, Forced, LessonError, LessonFile, Reply, Step, decoded
from firmware_host.core.time_limit import Shrinking

MOST_STEPS = 64
"""Steps of a lesson, and acts that are taken at once."""
SEED = 0
"""What no file forces comes out the same each time, so that the same acts lead to the same position."""
NOT_ASKED = Text("You may do that in a game, but this lesson is about something else just now.")

log = logging.getLogger("firmware_host")


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
        self.replies = [[_command(game, reply) for reply in step.then] for step in course.step]

    def _check_names(self) -> None:
        known = seat_names(self.seats)
        spaces = () if self.board is None else self.board.spaces
        for found in (self.course.seat, *(reply.seat for step in self.course.step for reply in step.then)):
            if found not in known:
                raise ValueError(f"there is no seat {found!r}. Name one of {', '.join(known)}.")
        for number, step in enumerate(self.course.step, 1):
            if not step.accepts:
                raise ValueError(f"step {number} accepts nothing. Give it an act: [[step.accepts]].")
            if unknown := [space for space in step.spaces if space not in spaces]:
                raise ValueError(
                    f"step {number} marks {', '.join(unknown)}, which the map does not have. Name its spaces."
                )

    def begun(self) -> Referee:
        """The lesson's game, at the position in which it begins."""
        return Referee(self.game, self._start)


class Progress:
    """How far `acts` lead in a lesson: `taken` of them are right, as many steps are completed.

    `wrong` says why the act after these does not count, None where there is none; `rule` is the number of the rule
    that forbids it, if one does. Acts after it are not looked at.
    """

    def __init__(self, lesson: Lesson, acts: Sequence[Mapping[str, Any]] = ()) -> None:
        self.lesson, self.referee = lesson, lesson.begun()
        self._chance = Chance(Random(SEED))
        self.taken = 0
        self.wrong: str | None = None
        self.rule: str | None = None
        for act in acts:
            if not self._try(act):
                break

    @property
    def step(self) -> Step | None:
        """The step that is to be done; None at the end."""
        steps = self.lesson.course.step
        return steps[self.taken] if self.taken < len(steps) else None

    def _try(self, act: Mapping[str, Any]) -> bool:
        """Take one more act; whether it counts."""
        lesson, referee, step = self.lesson, self.referee, self.step
        if step is None:
            return False
        seat = lesson.course.seat
        try:
            command = lesson.game.check(referee.pictures[seat], seat, lesson.game.read_command(seat, act))
            accepted = next((one for one in step.accepts if matches(lesson, one, command)), None)
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
        self._chance.force(self.lesson.game.read_luck(self.lesson.board, chance))
        self.referee.submit(seat, command, self._chance)


def matches(lesson: Lesson, accepted: Accepted, command: Command) -> bool:
    """Whether a command, as the game writes it, has all fields that are asked for."""
    found = msgspec.json.decode(msgspec.json.encode(command))
    return all(found.get(name) == value for name, value in accepted.act.items())


def _command(game: Game, reply: Reply) -> Command:
    return game.read_command(reply.seat, reply.act)


# --- files ------------------------------------------------------------------------------------------------------


def read(game: Game, path: Path) -> Lesson:
    """The lesson in a file. Raises `LessonError`."""
    where = f"{path.parent.parent.name}/{FOLDER}/{path.name}"
    try:
        text = sizes.whole_file(path)
    except (OSError, sizes.TooLarge) as error:
        raise LessonError(where, "the file cannot be read, or is too large. Shorten it.") from error
    course = decoded(text, where)
    try:
        return Lesson(path.stem, game, course)
    except (RuleError, MapError, ValueError) as error:
        raise LessonError(where, str(error)) from error


def files(game: str) -> list[Path]:
    """The files of a game's lessons, by name; none where it brings none."""
    try:
        return sizes.files(game_folder(game) / FOLDER, "*.toml")
    except LookupError:
        return []


_LIMIT: Final = Shrinking()
"""The page /learn reads the lessons of all games."""


@cache
def of_game(name: str) -> tuple[Lesson, ...]:
    """The lessons of a game in the order of its seats. One that is broken is left out, and the log says why."""
    found = []
    for path in files(name):
        try:
            found.append(isolated(name, read, installed.find(name), path, limit=_LIMIT.seconds))
        except (RuleError, MapError) as error:
            log.error("a lesson cannot be played: %s", error)
            if isinstance(error, GameFault) and error.late:  # the others would take as long
                _LIMIT.shrink()
                break
    return tuple(sorted(found, key=lambda one: (seat_names(one.seats).index(one.course.seat), one.name)))


def said(name: str) -> list[str]:
    """What the lessons of a game say, for the catalogues. Raises `LessonError` for a file that cannot be read."""
    found: list[str] = []
    for path in files(name):
        course = decoded(path.read_bytes(), path.name)
        found += [course.title, course.about, course.done]
        found += [text for step in course.step for text in (step.say, step.hint) if text]
    return found
