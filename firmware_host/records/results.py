"""Results: who sat where when a game ended here, and who won. An admin can delete them. The games themselves contain no
names of people.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from firmware_host.records.journal import Journal

KEPT = "results"
MOST = 500
"""Results that are kept, the newest."""


class Result(Struct, frozen=True):
    """One person in one finished game. `won` is None if the game has no winners."""

    number: int
    game: str
    seat: str
    name: str
    won: bool | None


def read(journal: Journal) -> tuple[Result, ...]:
    """Return all results, the oldest first; none if another version stored them."""
    try:
        return msgspec.convert(journal.kept(KEPT) or [], tuple[Result, ...])
    except msgspec.ValidationError:
        return ()


def add(journal: Journal, number: int, found: Iterable[Result]) -> None:
    """Store the results of a game, unless it has some already. Raises `CannotWrite`."""
    known = read(journal)
    if not any(result.number == number for result in known):
        _keep(journal, (*known, *found))


def forget(journal: Journal) -> None:
    """Delete all results. Raises `CannotWrite`."""
    _keep(journal, ())


def history(results: Sequence[Result], result: Result) -> dict[str, int]:
    """Return how many of these games the same person has `played` here up to this one, and `won`."""
    own = [it for it in results if (it.name, it.game) == (result.name, result.game) and it.number <= result.number]
    return {"played": len({it.number for it in own}), "won": len({it.number for it in own if it.won})}


def _keep(journal: Journal, results: Sequence[Result]) -> None:
    journal.keep(KEPT, msgspec.to_builtins(results[-MOST:]))
