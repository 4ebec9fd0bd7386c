"""What the panel may ask of the board: its sensors, its questions, and the miniatures of a simulated one."""

from __future__ import annotations

from typing import Any

from firmware_host.api.calls import goes_through_loop, reads_snapshot
from firmware_host.api.rights import CheckedCalls
from firmware_host.play import pictures
from firmware_host.seats.identity import ANONYMOUS, Requester
from firmware_host.table.loop import Loop


class BoardInterface:
    """See `TableInterface` for who may ask. Whoever sits at the table's own machine may: the board is within reach."""

    def __init__(self, loop: Loop, calls: CheckedCalls) -> None:
        self._loop, self._calls = loop, calls

    @goes_through_loop
    def answer(self, space: str, requester: Requester = ANONYMOUS) -> None:
        """Answer the board's question by a tap on one of its spaces."""
        self._calls.of_board(requester, lambda table: table.answer(space))

    @reads_snapshot
    def health(self) -> list[dict[str, Any]]:
        """How each sensor is: `space`, `sensor`, `state`, counts and times, and a `sentence` if something is wrong.

        States: good, new, silent, chattering, bouncing, manual.
        """
        found: list[dict[str, Any]] = pictures.plain(self._loop.read(lambda table: table.health()))
        return found

    @goes_through_loop
    def set_manual(self, space: str, manual: bool, requester: Requester = ANONYMOUS) -> None:
        """Whether a space's sensor is ignored; what happens on a manual space is done on the screens."""
        self._calls.of_board(requester, lambda table: table.board.set_manual(space, manual))

    @goes_through_loop
    def use_sensors(self, use: bool, requester: Requester = ANONYMOUS) -> None:
        """Whether the sensors count; without them the game goes on by the screens alone."""
        self._calls.of_board(requester, lambda table: table.board.use_sensors(use))

    @goes_through_loop
    def move_miniature(self, miniature: str, space: str | None, requester: Requester = ANONYMOUS) -> None:
        """Simulated board: put a miniature on a space, or lift it off the board (None)."""
        self._calls.of_board(requester, lambda table: table.board.io.touch(miniature, space))

    @goes_through_loop
    def reset_miniatures(self, requester: Requester = ANONYMOUS) -> None:
        """Simulated board: put every miniature where the game has it."""
        self._calls.of_board(requester, lambda table: table.session.tidy())
