"""How well people solve puzzles: a rating on the Elo scale for each name, kept on the table until it is deleted."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.core.person_names import name_key
from firmware_host.records.journal import Journal

SOLVERS_KEY = "solvers"
START, LOWEST = 1000, 100
"""Rating of a new name, and the lowest possible one."""
FIRST: Final = 800
"""Rating of a puzzle of grade 1; each further grade adds `STEP`."""
STEP: Final = 200
QUICK, STEADY, EARLY = 40, 20, 20
"""Most points that a puzzle moves a rating: for the first `EARLY` puzzles of a name, and later."""
MOST_SOLVERS, MOST_SEEN = 40, 60
"""Names that have a rating, and the puzzles that are remembered for each of them."""


class Solver(Struct, frozen=True):
    """A person by name. `streak` and `best` count right answers in a row.

    `seen` are the puzzles answered last, and `wrong` those of them whose first answer was not right.
    """

    name: str
    rating: float = START
    tried: int = 0
    right: int = 0
    streak: int = 0
    best: int = 0
    seen: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


def read_solvers(journal: Journal) -> tuple[Solver, ...]:
    """Return all solvers; none if another version stored them."""
    return journal.stored_items(SOLVERS_KEY, Solver)


def find(journal: Journal, name: str) -> Solver:
    """Return the person of that name; a new one if there is none yet."""
    key = name_key(name)
    return next((solver for solver in read_solvers(journal) if name_key(solver.name) == key), Solver(name))


def add(journal: Journal, name: str, puzzle: str, grade: int, score: float) -> Solver:
    """Count an answer, whose `score` says how right it is (1 is completely right), and return the person.

    A puzzle counts once.

    If there are too many names, the one with the fewest answers goes. Raises `CannotWrite`.
    """
    before = find(journal, name)
    others = [other for other in read_solvers(journal) if other.name != before.name]
    if puzzle in before.seen:
        return before
    if len(others) >= MOST_SOLVERS:
        # Remove the oldest of those with the fewest answers, so that no one can fill all places.
        others.remove(min(others, key=lambda other: other.tried))
    solver = after(before, puzzle, grade, score)
    journal.store_value(SOLVERS_KEY, [*others, solver])
    return solver


def after(solver: Solver, puzzle: str, grade: int, score: float) -> Solver:
    """Return a person after an answer: the rating changes by the difference from the expected score (Elo)."""
    level = FIRST + STEP * (grade - 1)
    expected = 1 / (1 + 10 ** ((level - solver.rating) / 400))
    most = QUICK if solver.tried < EARLY else STEADY
    right = score == 1
    streak = solver.streak + 1 if right else 0
    seen = (*solver.seen, puzzle)[-MOST_SEEN:]
    return replace(
        solver,
        rating=max(LOWEST, round(solver.rating + most * (score - expected), 1)),
        tried=solver.tried + 1,
        right=solver.right + right,
        streak=streak,
        best=max(solver.best, streak),
        seen=seen,
        wrong=tuple(missed for missed in (*solver.wrong, *([] if right else [puzzle])) if missed in seen),
    )


def forget(journal: Journal, name: str | None = None) -> None:
    """Delete the rating of one name, or all of them. Raises `CannotWrite`."""
    gone = None if name is None else find(journal, name).name
    journal.store_value(SOLVERS_KEY, [solver for solver in read_solvers(journal) if gone not in (None, solver.name)])
