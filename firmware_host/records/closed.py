"""Games that were closed because they could not be played on: the journal keeps them, and why."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Struct

from engine.graph.fault import MapError
from engine.text import Text
from firmware_host.core.guarded import GameFault
from firmware_host.records.journal import CannotWrite, Journal

KEPT: Final = "closed"
"""What the journal keeps them under."""
MOST: Final = 50
"""Closed games that are remembered; the oldest are forgotten first."""
LONGEST: Final = 60
"""Characters of a name."""

WHY: Final[Mapping[str, Text]] = {
    "fault": Text("it has a fault ({kind})"),
    "hung": Text("it did not end, so the table had to be stopped"),
    "late": Text("it took too long"),
    "map": Text("its map has changed, or is not here any more"),
    "missing": Text("it is not installed here any more, or was left out"),
}


class ClosedGame(Struct, frozen=True):
    """A game in the journal, the name of what was played, and `why` it was closed: a key of `WHY`."""

    number: int
    game: str
    why: str
    detail: str = ""

    @property
    def sentence(self) -> Text:
        """What everybody is told."""
        why = WHY.get(self.why, WHY["fault"]).with_(kind=self.detail)
        said = Text("Game {game} ({name}) was closed because it cannot be played on: {why}. It stays in the journal.")
        return said.with_(game=self.number, name=self.game, why=why)


def of(number: int, game: str, error: Exception | None) -> ClosedGame:
    """A game that cannot be played on because of `error`; None for one that has hung the table."""
    name = game[:LONGEST]
    if error is None:
        return ClosedGame(number, name, "hung")
    if isinstance(error, MapError):
        return ClosedGame(number, name, "map")
    if isinstance(error, GameFault):
        return ClosedGame(number, name, "late") if error.late else ClosedGame(number, name, "fault", error.kind)
    return ClosedGame(number, name, "missing")


def read(journal: Journal) -> tuple[ClosedGame, ...]:
    """Those that are remembered, the oldest first; none where what is kept is of another version."""
    try:
        return msgspec.convert(journal.kept(KEPT) or [], tuple[ClosedGame, ...])
    except msgspec.ValidationError:
        return ()


def close(journal: Journal, game: ClosedGame) -> None:
    """The game is not played on. What cannot be written now is found out again at the next start."""
    known = [it for it in read(journal) if it.number != game.number]
    with suppress(CannotWrite):
        journal.keep(KEPT, msgspec.to_builtins([*known, game][-MOST:]))
        journal.end(game.number)
