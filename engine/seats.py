"""The seats of a game, as data, so that no code outside the game needs to know a seat by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from engine.text import Text


class Seat(Struct, frozen=True):
    """A seat of a game, for example `Seat("red", Text("red seeker"), secret=False, on_board=True)`.

    `name` is part of addresses: letters, digits, `_` and `-`, and not the name of a page, such as `board` or `games`.
    `title` is its name in the middle of a sentence. `secret`: the seat receives secrets, so the table hides its timing,
    and its stream needs the seat's key. `on_board`: people act for this seat by moving miniatures; of several such
    seats, for the one that is to act. `parts` can be shared out among several devices, if the seat has no secrets.
    """

    name: str
    title: Text
    secret: bool
    parts: tuple[str, ...] = ()
    on_board: bool = False

    @property
    def shared(self) -> bool:
        """Whether several devices can share out the parts of this seat."""
        return bool(self.parts) and not self.secret


def seat_names(seats: Iterable[Seat]) -> tuple[str, ...]:
    """Return the names of seats, in order."""
    return tuple(seat.name for seat in seats)


def player_names(players: int) -> tuple[str, ...]:
    """Return the names `player-1`, `player-2` and so on, in turn order."""
    return tuple(f"player-{number}" for number in range(1, players + 1))


def secret_seats(seats: Iterable[Seat]) -> frozenset[str]:
    """Return the names of the seats that receive secrets."""
    return frozenset(seat.name for seat in seats if seat.secret)


def seats_with_wand(seats: Sequence[Seat]) -> frozenset[str]:
    """Return the names of the seats whose screens may light choices on the board.

    Everyone sees the board, so a secret seat may not, unless it is alone.
    """
    return frozenset(seat.name for seat in seats if seat.on_board and (not seat.secret or len(seats) == 1))


def board_seat(seats: Iterable[Seat], to_act: Sequence[str]) -> str | None:
    """Return the seat for which pieces are moved and buttons pressed.

    It is the first seat on the board that is to act, else the first on the board.
    """
    on_board = [seat.name for seat in seats if seat.on_board]
    return next((name for name in on_board if name in to_act), on_board[0] if on_board else None)


def seat_for_board_command(
    seats: Iterable[Seat], to_act: Sequence[str], legal: Callable[[str], Sequence[Any]], command: Any
) -> str | None:
    """Return the seat that gives `command`, which was made on the board; None if no seat is on the board.

    If several seats on the board are to act, it is the first one for which the command is in `legal(seat)`.
    """
    able = [seat for seat in seats if seat.on_board and seat.name in to_act]
    if len(able) > 1:
        # Miniatures of several seats can look alike; only the legal act shows which seat moved.
        able = [seat for seat in able if command in legal(seat.name)] or able
    return board_seat(able or seats, to_act)
