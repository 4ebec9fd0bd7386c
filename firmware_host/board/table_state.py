"""What the board needs to know of the table, and an act made on it."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from engine.game import Command
from firmware_host.play.game import TableGame


class BoardAct(Struct, frozen=True):
    """An act made on the board: `command` for `seat`. `TAKE_BACK` takes back the last act of that seat."""

    seat: str
    command: Command


class TableState(Struct, frozen=True):
    """What the board needs to know of the table.

    - `play`: the game, None in the lobby.
    - `revision`: the number of the picture on the screens of the seat that acts on the board.
    - `bots`: the seats that bots play.
    - `resting`: whether no one may act, because of a time-out or because nothing can be written.
    """

    play: TableGame | None
    revision: int
    bots: Collection[str]
    resting: bool

    @property
    def seat(self) -> str | None:
        """The seat that acts on the board."""
        return None if self.play is None else self.play.at_board

    @property
    def by_people(self) -> bool:
        """Whether a person plays that seat."""
        return self.seat not in self.bots

    @property
    def moved_last(self) -> str | None:
        """The seat that made the last act on the board, if people may take it back now."""
        last = None if self.play is None or self.play.on_board is None else self.play.retractable()
        if self.play is None or last is None or self.resting or last[0] in self.bots:
            return None
        return next((seat.name for seat in self.play.seats if seat.on_board and seat.name == last[0]), None)
