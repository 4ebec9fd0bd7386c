"""Who sat where when a game ended here, and who won: what the people of a house look back at. The house can have it
forgotten; the games themselves name nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from firmware_host.records.journal import Journal

KEPT = "results"
MOST = 500
"""Results that are kept; the oldest are forgotten first."""


class Result(Struct, frozen=True):
    """One person in one game that was played to its end. `won` is None where the game tells no winners."""

    number: int
    game: str
    seat: str
    name: str
    won: bool | None


def read(journal: Journal) -> tuple[Result, ...]:
    """All that are kept, the oldest first; none where what is kept is of another version."""
    try:
        return msgspec.convert(journal.kept(KEPT) or [], tuple[Result, ...])
    except msgspec.ValidationError:
        return ()


def add(journal: Journal, number: int, found: Iterable[Result]) -> None:
    """Keep the results of game `number`, unless it has some already. Raises `CannotWrite`."""
    known = read(journal)
    if not any(result.number == number for result in known):
        _keep(journal, (*known, *found))


def forget(journal: Journal) -> None:
    """Keep no result any more. Raises `CannotWrite`."""
    _keep(journal, ())


def history(results: Sequence[Result], result: Result) -> dict[str, int]:
    """How many games of this kind the same person has `played` here up to this one, and `won`."""
    own = [it for it in results if (it.name, it.game) == (result.name, result.game) and it.number <= result.number]
    return {"played": len({it.number for it in own}), "won": len({it.number for it in own if it.won})}


def _keep(journal: Journal, results: Sequence[Result]) -> None:
    journal.keep(KEPT, msgspec.to_builtins(results[-MOST:]))
