"""Turns the cookies of a request into seats and into the house. Nothing else of the panel ever sees a key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from flask import Request, Response
from werkzeug.http import parse_cookie

from firmware_host.table.interface import BOARD, TABLE, Asker, Face, Holder, Seat, Text, UserError
from web_panel.body import done

PUBLIC = (TABLE, BOARD)
A_WEEK = 7 * 24 * 60 * 60
HALF_A_DAY = 12 * 60 * 60
HOUSE = "house"
HERE = "sniperboard.here"
"""Where a request's environment keeps whether it comes from the table's own machine."""
SEATED = "seated"
"""The extension of the panel that says of a cookie header whether it holds the key of a seat."""
LOOPBACK = ("127.0.0.1", "::1")


@dataclass(frozen=True)
class Chair:
    """A seat that this request may act for. The key stays inside."""

    holder: Holder
    _table: Face = field(repr=False)
    _key: str = field(repr=False)

    def submit(self, action: dict[str, Any], revision: int, name: str) -> None:
        """Act for the seat. Raises `UserError`."""
        self._table.submit(self._key, action, revision, name)

    def offer(self, name: str, revision: int, spaces: dict[str, tuple[str, ...]]) -> None:
        """Let people pick on the board. Raises `UserError`."""
        self._table.offer(self._key, name, revision, spaces)

    def lead(self, squad: str, number: int) -> None:
        """Give a squad to the device of that number, or take it. Raises `UserError`."""
        self._table.lead(self._key, squad, number)

    def hand_over(self, bot: str) -> None:
        """Leave the seat to a bot. Raises `UserError`."""
        self._table.hand_over(self._key, bot)

    def acknowledge(self, number: int) -> None:
        """So many wrong PINs that were tried at the seat have been seen. Raises `UserError`."""
        self._table.acknowledge(self._key, number)

    def stands(self) -> bool:
        """Whether the key still opens the seat: another device may have taken it over."""
        return self._table.holder(self._key) is not None


class Seats:
    """One cookie for each seat, so that one browser can hold several for trying out, and one for the house."""

    def __init__(self, table: Face, cookie: str, secure: bool = False) -> None:
        """`secure` cookies are sent over https alone."""
        self._table = table
        self._cookie = cookie
        self._secure = secure

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the table's seats, in order."""
        return tuple(seat.name for seat in self._table.seats())

    def asker(self, request: Request) -> Asker:
        """Who asks, with every key that the device holds; whether they open anything, the table says."""
        address = request.remote_addr or ""
        keys = tuple(key for name in self.names if (key := request.cookies.get(self._name(name), "")))
        here = request.environ.get(HERE, address in LOOPBACK)
        return Asker(keys, request.cookies.get(self._name(HOUSE), ""), address, here)

    def seat(self, request: Request, name: str) -> Chair:
        """The chair at a seat. Raises `UserError` where the request has no right to it."""
        return self._found(request, lambda seat: seat.name == name)

    def sharing(self, request: Request) -> Chair:
        """The chair at a seat whose parts are shared out. Raises `UserError` where the request has no right to one."""
        return self._found(request, lambda seat: seat.shared)

    def on_board(self, request: Request) -> Chair:
        """The chair at a seat that acts on the board. Raises `UserError` where the request has no right to one."""
        return self._found(request, lambda seat: seat.on_board)

    def _found(self, request: Request, fits: Callable[[Seat], bool]) -> Chair:
        chairs = self.chairs(request)
        chair = next((chairs[seat.name] for seat in self._table.seats() if seat.name in chairs and fits(seat)), None)
        if chair is None:
            raise UserError("no-seat", Text("This device does not hold that seat. Take it in the lobby."))
        return chair

    def chairs(self, request: Request) -> dict[str, Chair]:
        """Every chair that the request may sit on."""
        found = {}
        for name in self.names:
            key = request.cookies.get(self._name(name), "")
            holder = self._table.holder(key) if key else None
            if holder is not None and holder.seat == name:
                found[name] = Chair(holder, self._table, key)
        return found

    def seated(self, cookies: str) -> bool:
        """Whether a cookie header holds the key of a seat."""
        if self._cookie not in cookies:
            return False
        found = parse_cookie(cookies)
        keys = [found.get(self._name(name)) for name in self.names]
        return any(key and self._table.holder(key) is not None for key in keys)

    def give(self, name: str, key: str) -> Response:
        """The answer that lets this browser keep the key of a seat, or of the house."""
        response, age = done(), HALF_A_DAY if name == HOUSE else A_WEEK
        response.set_cookie(
            self._name(name), key, max_age=age, path="/", secure=self._secure, httponly=True, samesite="Strict"
        )
        return response

    def forget(self, name: str) -> Response:
        """The answer that lets this browser forget a key."""
        response = done()
        response.delete_cookie(self._name(name), path="/", secure=self._secure, httponly=True, samesite="Strict")
        return response

    def _name(self, seat: str) -> str:
        return f"{self._cookie}-{seat}"
