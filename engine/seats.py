"""The seats of a game, as data: what whoever deals with seats has to know of each, so that nobody knows one by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from engine.text import Text


class Seat(Struct, frozen=True):
    """A seat of a game. `title` is what a person calls it, for the middle of a sentence.

    `secret`: what this seat is told is not for others, so its timing is covered, its stream needs its key, and it has
    one device. `on_board`: miniatures moved on the board act for this seat, or for whoever of several such seats is to
    act. `parts` is what several devices of one seat can share out.
    """

    name: str
    title: Text
    secret: bool
    parts: tuple[str, ...] = ()
    on_board: bool = False

    @property
    def shared(self) -> bool:
        """Whether several devices may sit here."""
        return bool(self.parts) and not self.secret


def names(seats: Iterable[Seat]) -> tuple[str, ...]:
    """The names of seats, in order."""
    return tuple(seat.name for seat in seats)


def secret(seats: Iterable[Seat]) -> frozenset[str]:
    """The names of the seats that are told what others are not."""
    return frozenset(seat.name for seat in seats if seat.secret)


def at_board(seats: Iterable[Seat], to_act: Sequence[str]) -> str | None:
    """The seat for which hands, buttons and picking act: of those on the board the first that is to act, else the first
    of them; None where no seat is on the board.
    """
    on_board = [seat.name for seat in seats if seat.on_board]
    return next((name for name in on_board if name in to_act), on_board[0] if on_board else None)


def mover(
    seats: Iterable[Seat], to_act: Sequence[str], legal: Callable[[str], Sequence[Any]], command: Any
) -> str | None:
    """The seat that gives a command which was made on the board: where several are to act, the first that may give it;
    else see `at_board`. `legal` lists what a seat may do.
    """
    able = [seat for seat in seats if seat.on_board and seat.name in to_act]
    if len(able) > 1:
        able = [seat for seat in able if command in legal(seat.name)] or able
    return at_board(able or seats, to_act)
