"""The calls of screens about lessons and puzzles, which are played outside the loop, on the engine alone.

They have no access to the running game. Only the ratings of people and showing a puzzle on the board need the table.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from random import SystemRandom
from typing import Any, TypeVar

import msgspec

from engine.game import TABLE
from engine.seats import Seat
from engine.text import Text
from firmware_host.api.rights import CheckedCalls
from firmware_host.core import installed
from firmware_host.core.capabilities import capabilities
from firmware_host.core.encoding import EncodedPicture, Fragment, Translate, whole_picture
from firmware_host.core.errors import UserError, rules_refuse
from firmware_host.core.generic import brings_screen, generic_facts, still_lamps
from firmware_host.core.guarded import GameFault, isolated
from firmware_host.core.hang_note import LESSONS, PUZZLES
from firmware_host.core.person_names import person_name
from firmware_host.core.time_limit import WATCH
from firmware_host.play import pictures, puzzles
from firmware_host.play.puzzles import PuzzlePosition
from firmware_host.records import solvers
from firmware_host.records.solvers import Solver
from firmware_host.records.work_turns import Turns
from firmware_host.seats.identity import ANONYMOUS, Requester
from firmware_host.table import lessons
from firmware_host.table.interruption import ReplayStep, replay_step
from firmware_host.table.lessons import MOST_STEPS, Lesson, Progress
from firmware_host.table.pacing import BUSY

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
"""The number that identifies the learner's device at its seat."""
REST_SECONDS = 60
"""Seconds during which a game is not called again after it has taken too long."""

T = TypeVar("T")


class GameTurns:
    """Lets one request for lessons and puzzles run at a time, because the table needs the processor, too."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.turns = Turns(refusal=lambda: UserError("busy", BUSY, after=1))
        self._clock = clock
        self._rests_until: dict[str, float] = {}

    def run(self, feature: str, game: str, work: Callable[..., T], *args: Any) -> T:
        """Return the result of `work`, which calls a game for a feature.

        Raises `UserError`, also if the game takes too long.
        """
        with self.turns.next():
            left = self._rests_until.get(game, 0.0) - self._clock()
            # All lanes share these turns, so a game that hangs must not use them up.
            if left > 0:
                says = Text("The game {game} took too long a moment ago. Try again in a minute.", game=game)
                raise UserError("busy", says, after=math.ceil(left))
            with rules_refuse(), WATCH.serving(feature):
                try:
                    return isolated(game, work, *args)
                except GameFault as fault:
                    fault.log()
                    if fault.late:
                        self._rests_until[game] = self._clock() + REST_SECONDS
                    raise


class LessonInterface:
    """The lessons of all games."""

    def __init__(self, turns: GameTurns) -> None:
        self._turns = turns

    def all(self) -> list[dict[str, Any]]:
        """Return every game that has lessons: its `title`, and the `facts` of each of its `lessons`."""
        courses = filter(None, map(lessons.of_game, installed.names()))
        return [{"title": Text(course[0].game.title), "lessons": [*map(_lesson_facts, course)]} for course in courses]

    def facts(self, game: str, name: str) -> dict[str, Any]:
        """Return a lesson's `game`, `name`, `seat`, `map`, `title` and `about`. Raises `UserError` (not-found)."""
        return _lesson_facts(_find_lesson(game, name))

    def play(self, game: str, name: str, acts: Sequence[Mapping[str, Any]], translate: Translate) -> str:
        """Return where `acts` lead in a lesson, as JSON text: the picture of its seat, as a seat's page gets it, with
        `words` of the game and the state of the `lesson`. Raises `UserError` (not-found, too-large, busy).
        """
        if len(acts) > MOST_STEPS:
            raise UserError("too-large", Text("A lesson has at most {most} acts.", most=MOST_STEPS))
        lesson = _find_lesson(game, name)
        # Each request replays all acts from the start, which takes processor time.
        return self._turns.run(
            LESSONS, game, lambda: EncodedPicture(Fragment(_picture_of(Progress(lesson, acts)))).text(translate)
        )


def _find_lesson(game: str, name: str) -> Lesson:
    courses = lessons.of_game(game) if game in installed.names() else ()
    lesson = next((lesson for lesson in courses if lesson.name == name), None)
    if lesson is None:
        raise UserError("not-found", Text("There is no such lesson. See the page /learn for all lessons."))
    return lesson


def _lesson_facts(lesson: Lesson) -> dict[str, Any]:
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
    """Return a picture for the page of a lesson. It has all members of a table's picture, but no data of the table."""
    lesson, referee = progress.lesson, progress.referee
    game, viewer = lesson.game, lesson.course.seat
    picture = pictures.of_viewer(referee, viewer)
    # Screens that belong to the game do not use these facts.
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
        "stage": "playing",  # also after the end, so that the page offers nothing for which it needs a table
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
    """Return a seat as a picture shows it: the learner's with all of its parts, or one that the lesson plays."""
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
        **_lesson_facts(lesson),
        "number": min(progress.taken + 1, steps),
        "steps": steps,
        "say": Text(lesson.course.done) if step is None else Text(step.say),
        "spaces": [] if step is None else list(step.spaces),
        "done": step is None,
        "taken": progress.taken,
        "wrong": progress.wrong,
        "rule": progress.rule,
        "others": [_lesson_facts(other) for other in lessons.of_game(lesson.game.name) if other is not lesson],
    }


MOST_LAST = 10
"""Number of recent puzzles that the page lists."""
GONE = Text("There is no such puzzle. The page /puzzles lists all of them.")


class PuzzleInterface:
    """The puzzles of all games."""

    def __init__(self, calls: CheckedCalls, turns: GameTurns) -> None:
        self._calls, self._turns = calls, turns
        self._random = SystemRandom()

    def all(self) -> list[dict[str, Any]]:
        """Return every game that has puzzles: `game`, `title`, and how many puzzles each of its `kinds` has."""
        offered = []
        for name in installed.names():
            if kinds := Counter(kind for kind, _ in puzzles.of_game(name).values()):
                offered.append({"game": name, "title": Text(installed.find(name).title), "kinds": dict(kinds)})
        return offered

    def next(self, game: str, kind: str, rating: float, seen: Collection[str], translate: Translate) -> str:
        """Return a puzzle as JSON text: one of about this rating that was not `seen`, of one `kind` or of any ("").
        Raises `UserError` (not-found, busy).
        """
        all_puzzles = puzzles.of_game(game) if game in installed.names() else {}
        left = {key: puzzle for key, (of, puzzle) in all_puzzles.items() if kind in ("", of)}
        fresh = [*left.keys() - {*seen}] or [*left]
        self._random.shuffle(fresh)
        fresh.sort(key=lambda key: abs(solvers.FIRST + solvers.STEP * (left[key].grade - 1) - rating))
        for key in fresh:
            try:
                return self.question(game, key, translate)
            except UserError as error:
                if error.code != "not-found":
                    raise
                # The puzzle is left out and logged.
        raise UserError("not-found", GONE)

    def question(self, game: str, puzzle: str, translate: Translate) -> str:
        """Return a puzzle as JSON text, without its answer. Raises `UserError` (not-found, busy)."""
        return self._run(game, puzzle, lambda it: EncodedPicture(whole_picture(_puzzle_facts(it))).text(translate))

    def answer(
        self, game: str, puzzle: str, answers: Collection[str], name: str = "", requester: Requester = ANONYMOUS
    ) -> dict[str, Any]:
        """Return the `score` of an answer (1 if it is right), the right `answers`, and `why`. With a name, the answer
        counts once for the rating of this person (`solver`, None if it can't be stored).
        """
        asked_puzzle, why = self._run(game, puzzle, lambda position: (position.puzzle, position.posed().why))
        score = asked_puzzle.score(frozenset(answers))
        solver, unrated = None, None
        if name:
            try:
                person = person_name(name)
                solver = self._calls.call_for_players(
                    requester, lambda table: solvers.add(table.journal, person, puzzle, asked_puzzle.grade, score)
                )
            except UserError as error:  # the answer itself still counts
                unrated = error.sentence
        facts = None if solver is None else _solver_facts(solver)
        return {"score": score, "answers": asked_puzzle.answers, "why": why, "solver": facts, "unrated": unrated}

    def solver(self, name: str, requester: Requester = ANONYMOUS) -> dict[str, Any]:
        """Return how well a person solves puzzles: `rating`, `tried`, `right`, `streak`, `best` and `seen`;
        `last` are the puzzles answered last, the newest first.
        """
        person = person_name(name)
        return _solver_facts(self._calls.paced(requester, lambda table: solvers.find(table.journal, person)))

    def forget(self, name: str, requester: Requester = ANONYMOUS) -> None:
        """Delete the rating of a person."""
        person = person_name(name)
        self._calls.call_for_players(requester, lambda table: solvers.forget(table.journal, person))

    def show(self, game: str, puzzle: str, requester: Requester = ANONYMOUS) -> None:
        """Show a puzzle on board and table view, as a past game is shown; not while a game runs."""
        step = self._run(game, puzzle, _replay_step)
        self._calls.call_for_players(requester, lambda table: table.session.replay(step))

    def _run(self, game: str, puzzle: str, work: Callable[[PuzzlePosition], T]) -> T:
        """Return what `work` returns for a puzzle. Raises `UserError`."""
        # Check the name first, so that only known games get a turn: a request may contain any name.
        if game not in installed.names() or puzzle not in puzzles.of_game(game):
            raise UserError("not-found", GONE)
        return self._turns.run(PUZZLES, game, lambda: work(_find_puzzle(game, puzzle)))


def _find_puzzle(game: str, puzzle: str) -> PuzzlePosition:
    with suppress(LookupError):
        return puzzles.position_of(game, puzzle)
    raise UserError("not-found", GONE)


def _puzzle_facts(position: PuzzlePosition) -> dict[str, Any]:
    """Return a puzzle for its page: the question, and the position as a step of a past game."""
    posed, puzzle = position.posed(), position.puzzle
    history, step = position.as_history()
    head, shown, detailed = history.head(), history.moment(step), capabilities(position.game).detailed
    for line, told in zip(shown["told"], step.telling, strict=True):
        # As in the log of a game, for marks on the map.
        line["details"] = {} if detailed is None else detailed.details(told.event)
    return {
        "id": puzzle.id,
        "kind": position.kind,
        "grade": puzzle.grade,
        "map": puzzle.map or "",
        "question": posed.question,
        "choices": [{"key": key, "label": label} for key, label in posed.choices.items()],
        "offered": posed.offered,
        "path": posed.path,
        "seat": position.seat.title,
        "seats": head["seats"],
        "words": head["words"],
        # On the page of past games, the knowledge of a hidden player is shown as the truth.
        "side": "truth" if position.seat.secret else "known",
        "step": shown,
    }


def _replay_step(position: PuzzlePosition) -> ReplayStep:
    history, step = position.as_history()
    picture = {"game": None, "question": position.posed().question, "step": 0, "steps": 1, **history.on_screens(step)}
    whole_picture(picture)  # fail here if the facts cannot be sent, not in the table's thread
    # Facts that only a hidden player knows are shown like facts that are uncovered after a game.
    return replay_step(history, history.cues(step, uncover=position.seat.secret), picture)


def _solver_facts(solver: Solver) -> dict[str, Any]:
    facts = {**msgspec.to_builtins(solver), "rating": round(solver.rating), "last": _last(solver)}
    del facts["wrong"]
    return facts


def _last(solver: Solver) -> list[dict[str, Any]]:
    """Return a person's latest puzzles, each with its file, its place there, and whether the answer was right."""
    answered = []
    for puzzle in reversed(solver.seen[-MOST_LAST:]):
        for game in installed.names():
            if puzzle in (all_puzzles := puzzles.of_game(game)):
                title, right = Text(installed.find(game).title), puzzle not in solver.wrong
                answered.append(
                    {"game": game, "title": title, "kind": all_puzzles[puzzle][0], "id": puzzle, "right": right}
                )
    return answered
