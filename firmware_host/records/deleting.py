"""Deletes past games permanently, with their results."""

from __future__ import annotations

import msgspec

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.records import results
from firmware_host.records.damage import DamagedGame
from firmware_host.records.journal import Journal, SavedGame


def deletable(journal: Journal, number: int) -> SavedGame | DamagedGame:
    """Return the game of this number if it can be deleted. Raises `UserError` while it is on the table."""
    found = journal.find(number)
    if isinstance(found, SavedGame) and journal.ended(number) is None:
        raise UserError("not-now", Text("Game {game} is on the table. Put it away first.", game=number))
    return found


def delete(journal: Journal, number: int) -> None:
    """Delete a game and its results in one transaction. Only the table's loop may call this. Raises `UserError` and
    `CannotWrite`.
    """
    deletable(journal, number)
    left = [result for result in results.read(journal) if result.number != number]
    journal.delete(number, {results.KEPT: msgspec.to_builtins(left)})
