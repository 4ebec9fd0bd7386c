"""What screens may ask about puzzles. They are about finished games, and are asked outside the loop; only ratings and
the board need it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from random import SystemRandom
from threading import Lock
from typing import Any

import msgspec

from engine.text import Text
from firmware_host.api.rights import CheckedCalls
from firmware_host.core import installed
from firmware_host.core.encoding import Fragment, Picture, Translate
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import isolated
from firmware_host.play import puzzles
from firmware_host.play.puzzles import PuzzlePosition
from firmware_host.records import solvers
from firmware_host.records.solvers import Solver
from firmware_host.seats.claims import device_name
from firmware_host.seats.identity import ANONYMOUS, Requester
from firmware_host.table.interruption import ReplayStep

MOST_LAST = 10
"""Puzzles that the page lists as answered last."""
GONE = Text("There is no such puzzle. The page /puzzles lists all of them.")


class PuzzleInterface:
    """The puzzles of all games. They are asked one request at a time, because the table needs the processor, too."""

    def __init__(self, calls: CheckedCalls) -> None:
        self._calls = calls
        self._one_at_a_time = Lock()
        self._random = SystemRandom()

    def all(self) -> list[dict[str, Any]]:
        """Return every game that has puzzles: `game`, `title`, and how many puzzles each of its `kinds` has."""
        found = []
        for name in installed.names():
            if kinds := Counter(kind for kind, _ in puzzles.of_game(name).values()):
                found.append({"game": name, "title": Text(installed.find(name).title), "kinds": dict(kinds)})
        return found

    def next(self, game: str, kind: str, rating: float, seen: Collection[str], translate: Translate) -> str:
        """Return a puzzle as JSON text: one of about this rating that was not `seen`, of one `kind` or of any ("").
        Raises `UserError` (not-found).
        """
        known = puzzles.of_game(game) if game in installed.names() else {}
        left = {key: one for key, (of, one) in known.items() if kind in ("", of)}
        fresh = [*left.keys() - {*seen}] or [*left]
        self._random.shuffle(fresh)
        fresh.sort(key=lambda key: abs(solvers.FIRST + solvers.STEP * (left[key].grade - 1) - rating))
        for key in fresh:
            try:
                return self.asked(game, key, translate)
            except UserError:  # it is left out, and logged
                continue
        raise UserError("not-found", GONE)

    def asked(self, game: str, puzzle: str, translate: Translate) -> str:
        """Return a puzzle as JSON text, without its answer. Raises `UserError` (not-found)."""
        with self._one_at_a_time:
            found = _find(game, puzzle)
            return Picture(Fragment(isolated(game, _facts, found))).text(translate)

    def answer(
        self, game: str, puzzle: str, given: Collection[str], name: str = "", requester: Requester = ANONYMOUS
    ) -> dict[str, Any]:
        """Return the `score` of an answer (1 if it is right), the right `answers`, and `why`. With a name, the answer
        counts once for the rating of this person (`solver`, None if it can't be stored).
        """
        with self._one_at_a_time:
            found = _find(game, puzzle)
            why = isolated(game, found.posed).why
        one = found.puzzle
        score = one.score(frozenset(given))
        solver, unrated = None, None
        if name:
            try:
                person = device_name(name)
                solver = self._calls.of_players(
                    requester, lambda table: solvers.add(table.journal, person, puzzle, one.grade, score)
                )
            except UserError as error:  # the answer itself still counts
                unrated = error.sentence
        facts = None if solver is None else _solver_facts(solver)
        return {"score": score, "answers": one.answers, "why": why, "solver": facts, "unrated": unrated}

    def solver(self, name: str, requester: Requester = ANONYMOUS) -> dict[str, Any]:
        """Return how well a person solves puzzles: `rating`, `tried`, `right`, `streak`, `best` and `seen`;
        `last` are the puzzles answered last, the newest first.
        """
        person = device_name(name)
        return _solver_facts(self._calls.paced(requester, lambda table: solvers.find(table.journal, person)))

    def forget(self, name: str, requester: Requester = ANONYMOUS) -> None:
        """Delete the rating of a person."""
        person = device_name(name)
        self._calls.of_players(requester, lambda table: solvers.forget(table.journal, person))

    def show(self, game: str, puzzle: str, requester: Requester = ANONYMOUS) -> None:
        """Show a puzzle on board and table view, as a past game is shown; not while a game runs."""
        with self._one_at_a_time:
            step = isolated(game, _replay_step, _find(game, puzzle))
        self._calls.of_players(requester, lambda table: table.session.replay(step))


def _find(game: str, puzzle: str) -> PuzzlePosition:
    # Only known names are cached: a request may contain any.
    if game in installed.names():
        with suppress(LookupError):
            return puzzles.position_of(game, puzzle)
    raise UserError("not-found", GONE)


def _facts(found: PuzzlePosition) -> dict[str, Any]:
    """Return a puzzle for its page: the question, and the position as a step of a past game."""
    posed, one = found.posed(), found.puzzle
    history, step = found.shown()
    head = history.head()
    return {
        "id": one.id,
        "kind": found.kind,
        "grade": one.grade,
        "map": one.map or "",
        "question": posed.question,
        "choices": [{"key": key, "label": label} for key, label in posed.choices.items()],
        "offered": posed.offered,
        "path": posed.path,
        "seat": found.seat.title,
        "seats": head["seats"],
        "words": head["words"],
        # The page of past games shows what a hidden player knows as the truth.
        "side": "truth" if found.seat.secret else "known",
        "step": history.moment(step),
    }


def _replay_step(found: PuzzlePosition) -> ReplayStep:
    history, step = found.shown()
    shown = {"game": None, "question": found.posed().question, "step": 0, "steps": 1, **history.moment(step)}
    slug, name = ("", "") if history.board is None else (history.board.slug, history.board.name)
    # What a hidden player knows is shown like what is uncovered after a game.
    cues = tuple(history.cues(step, uncover=found.seat.secret))
    return ReplayStep(history.game, slug, history.shown_on or "", name, cues, shown)


def _solver_facts(solver: Solver) -> dict[str, Any]:
    facts = {**msgspec.to_builtins(solver), "rating": round(solver.rating), "last": _last(solver)}
    del facts["wrong"]
    return facts


def _last(solver: Solver) -> list[dict[str, Any]]:
    """Return the puzzles that a person has answered last: where each is found, and whether it was right."""
    found = []
    for puzzle in reversed(solver.seen[-MOST_LAST:]):
        for game in installed.names():
            if puzzle in (known := puzzles.of_game(game)):
                title, right = Text(installed.find(game).title), puzzle not in solver.wrong
                found.append({"game": game, "title": title, "kind": known[puzzle][0], "id": puzzle, "right": right})
    return found
