"""What screens may ask of the board: its sensors, its questions, and the miniatures of a simulated board."""

from __future__ import annotations

from typing import Any

from firmware_host.api.rights import CheckedCalls
from firmware_host.play import pictures
from firmware_host.seats.identity import ANONYMOUS, Requester
from firmware_host.table.loop import Loop


class BoardInterface:
    """The board of the table that `loop` runs, for players and for anyone at the table's own computer."""

    def __init__(self, loop: Loop, calls: CheckedCalls) -> None:
        self._loop, self._calls = loop, calls

    def answer(self, space: str, requester: Requester = ANONYMOUS) -> None:
        """Answer the board's question with one of its spaces."""
        self._calls.of_board(requester, lambda table: table.answer(space))

    def health(self) -> list[dict[str, Any]]:
        """Return the state of each sensor, see `SensorReport`."""
        found: list[dict[str, Any]] = pictures.plain(self._loop.read(lambda table: table.health()))
        return found

    def set_manual(self, space: str, manual: bool, requester: Requester = ANONYMOUS) -> None:
        """Set a space to manual: its sensor is ignored, and its moves are made on the screens."""
        self._calls.of_board(requester, lambda table: table.board.set_manual(space, manual))

    def use_sensors(self, use: bool, requester: Requester = ANONYMOUS) -> None:
        """Use the sensors, or play on the screens alone."""
        self._calls.of_board(requester, lambda table: table.board.use_sensors(use))

    def move_miniature(self, miniature: str, space: str | None, requester: Requester = ANONYMOUS) -> None:
        """Simulated board: put a miniature on a space, or take it off the board (None)."""
        self._calls.of_board(requester, lambda table: table.board.io.touch(miniature, space))

    def reset_miniatures(self, requester: Requester = ANONYMOUS) -> None:
        """Simulated board: put every miniature where the game has it."""
        self._calls.of_board(requester, lambda table: table.session.tidy())
