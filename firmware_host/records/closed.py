"""Games that were closed because they could not continue. The journal keeps them, with the reason.

A game is not closed if what stops it may lie outside of it: its code, its map or a package is missing, for example
after an update of the table, or the computer is busy. The journal still has it as the running game, and the next start
tries again.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from msgspec import Struct

from engine.graph.fault import MapError
from engine.text import Text
from firmware_host.core.guarded import STOPPED_CALLS, GameFault
from firmware_host.records.journal import CannotWrite, Journal

CLOSED_KEY: Final = "closed"
"""The journal's key for them."""
MOST_REMEMBERED: Final = 50
"""Closed games that are remembered, the newest."""
LONGEST_NAME: Final = 60
"""Characters of a name."""

REASONS: Final[Mapping[str, Text]] = {
    "fault": Text("it has a fault ({kind})"),
    **{why: reason for why, reason, _ in STOPPED_CALLS.values()},
    "map": Text("its map has changed or was removed"),
    "missing": Text("it is no longer installed, or was left out"),
}
REPAIR: Final = Text("Repair that, then start the table again.")
TRY_AGAIN: Final = Text("To try again, start the table again.")


class ClosedGame(Struct, frozen=True):
    """A game in the journal, the name of what was played, and `why` it was closed: a key of `REASONS`."""

    number: int
    game: str
    why: str
    detail: str = ""

    @property
    def sentence(self) -> Text:
        """The public sentence about it."""
        sentence = Text("Game {game} ({name}) was closed because it cannot continue: {why}. It stays in the journal.")
        return sentence.with_(game=self.number, name=self.game, why=self._reason)

    @property
    def _reason(self) -> Text:
        return REASONS.get(self.why, REASONS["fault"]).with_(kind=self.detail)

    @property
    def waiting(self) -> Text:
        """The public sentence about it if it is not closed, because it can go on later."""
        sentence = Text(
            "Game {game} ({name}) cannot continue now: {why}. {remedy} If someone takes or frees a seat, or chooses or "
            "starts another game before that, it ends."
        )
        remedy = TRY_AGAIN if any(self.why == why for why, *_ in STOPPED_CALLS.values()) else REPAIR
        return sentence.with_(game=self.number, name=self.game, why=self._reason, remedy=remedy)


def from_error(number: int, game: str, error: Exception) -> ClosedGame:
    """Return the closed game for an error."""
    name = game[:LONGEST_NAME]
    if isinstance(error, MapError):
        return ClosedGame(number, name, "map")
    if isinstance(error, GameFault):
        return ClosedGame(number, name, error.why or "fault", "" if error.late else error.kind)
    return ClosedGame(number, name, "missing")


def read_closed(journal: Journal) -> tuple[ClosedGame, ...]:
    """Return the closed games, the oldest first; none if another version stored them."""
    return journal.stored_items(CLOSED_KEY, ClosedGame)


def close(journal: Journal, game: ClosedGame) -> None:
    """Close a game. If that cannot be stored, the next start closes it again."""
    others = [it for it in read_closed(journal) if it.number != game.number]
    with suppress(CannotWrite):
        journal.store_value(CLOSED_KEY, [*others, game][-MOST_REMEMBERED:])
        journal.end(game.number)
