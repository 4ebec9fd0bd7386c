"""Deletes past games for good, with the results of the people who played them."""

from __future__ import annotations

import msgspec

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.records import results
from firmware_host.records.journal import Journal, SavedGame
from firmware_host.records.judging import DamagedGame


def deletable(journal: Journal, number: int) -> SavedGame | DamagedGame:
    """The game of this number, which has ended and lies on no table. Raises `UserError`."""
    found: list[SavedGame | DamagedGame] = [saved for saved in journal.games() if saved.id == number]
    found += [game for game in journal.damaged if game.number == number]
    if not found:
        raise UserError("not-found", Text("There is no game {game} here.", game=number))
    if isinstance(found[0], SavedGame) and journal.ended(number) is None:
        raise UserError("not-now", Text("Game {game} is on the table. Put it away first.", game=number))
    return found[0]


def delete(journal: Journal, number: int) -> None:
    """Delete a game and its results, in one transaction. Its number is not used again. For the journal's one writer.
    Raises `UserError` and `CannotWrite`.
    """
    deletable(journal, number)
    left = [result for result in results.read(journal) if result.number != number]
    journal.delete(number, {results.KEPT: msgspec.to_builtins(left)})
