"""Results: who sat where when a game ended here, and who won. An admin can delete them. The games themselves contain no
names of people. Deleting a game deletes its results, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.records.damage import DamagedGame
from firmware_host.records.journal import Journal, SavedGame

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
    return journal.kept_items(KEPT, Result)


def add(journal: Journal, number: int, found: Iterable[Result]) -> None:
    """Store the results of a game, unless it has some already. Raises `CannotWrite`."""
    known = read(journal)
    if not any(result.number == number for result in known):
        journal.keep(KEPT, [*known, *found][-MOST:])


def forget(journal: Journal) -> None:
    """Delete all results. Raises `CannotWrite`."""
    journal.keep(KEPT, [])


def history(results: Sequence[Result], result: Result) -> dict[str, int]:
    """Return how many of these games the same person has `played` here up to this one, and `won`."""
    own = [it for it in results if (it.name, it.game) == (result.name, result.game) and it.number <= result.number]
    return {"played": len({it.number for it in own}), "won": len({it.number for it in own if it.won})}


def deletable(journal: Journal, number: int) -> SavedGame | DamagedGame:
    """Return the game of this number if it can be deleted. Raises `UserError` while it is on the table."""
    found = journal.find(number)
    if isinstance(found, SavedGame) and journal.ended(number) is None:
        raise UserError("not-now", Text("Game {game} is on the table. Put it away first.", game=number))
    return found


def delete_game(journal: Journal, number: int) -> None:
    """Delete a game and its results. Only for the table's loop. Raises `UserError` and `CannotWrite`."""
    deletable(journal, number)
    journal.delete(number, {KEPT: [result for result in read(journal) if result.number != number]})
