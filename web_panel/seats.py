"""Turns the cookies of a request into seats and into the house. Nothing else of the panel ever sees a key."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from flask import Request, Response
from werkzeug.http import parse_cookie

from firmware_host.table.interface import NOT_HELD, HeldSeat, Requester, Seat, TableInterface, UserError
from web_panel.body import done

A_WEEK = 7 * 24 * 60 * 60
HALF_A_DAY = 12 * 60 * 60
HOUSE = "house"
HERE = "sniperboard.here"
"""Where a request's environment keeps whether it comes from the table's own machine."""
SEATED = "seated"
"""The extension of the panel that says of a cookie header whether it holds the key of a seat."""
LOOPBACK = ("127.0.0.1", "::1")


class Seats:
    """One cookie for each seat, so that one browser can hold several for trying out, and one for the house."""

    def __init__(self, table: TableInterface, cookie: str, secure: bool = False) -> None:
        """`secure` cookies are sent over https alone."""
        self._table = table
        self._cookie = cookie
        self._secure = secure

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the table's seats, in order."""
        return tuple(seat.name for seat in self._table.seats())

    def is_secret(self, name: str) -> bool:
        """Return whether the seat of that name is told secrets."""
        return any(seat.name == name and seat.secret for seat in self._table.seats())

    def requester(self, request: Request) -> Requester:
        """Who asks, with every key that the device holds; whether they open anything, the table says."""
        address = request.remote_addr or ""
        keys = tuple(key for name in self.names if (key := request.cookies.get(self._name(name), "")))
        here = request.environ.get(HERE, address in LOOPBACK)
        return Requester(keys, request.cookies.get(self._name(HOUSE), ""), address, here)

    def seat(self, request: Request, name: str) -> HeldSeat:
        """The seat of that name. Raises `UserError` where the request has no right to it."""
        return self._found(request, lambda seat: seat.name == name)

    def sharing(self, request: Request) -> HeldSeat:
        """The seat whose parts are shared out. Raises `UserError` where the request has no right to one."""
        return self._found(request, lambda seat: seat.shared)

    def on_board(self, request: Request) -> HeldSeat:
        """The seat that acts on the board. Raises `UserError` where the request has no right to one."""
        return self._found(request, lambda seat: seat.on_board)

    def _found(self, request: Request, fits: Callable[[Seat], bool]) -> HeldSeat:
        held = self.held(request)
        found = next((held[seat.name] for seat in self._table.seats() if seat.name in held and fits(seat)), None)
        if found is None:
            raise UserError("no-seat", NOT_HELD)
        return found

    def held(self, request: Request) -> dict[str, HeldSeat]:
        """Every seat that the request may act for, by name. Who has moved to another seat has kept the cookie."""
        found = {}
        for name in self.names:
            key = request.cookies.get(self._name(name), "")
            with suppress(UserError):  # a key that opens nothing any more
                if key:
                    seat = self._table.held_seat(key)
                    found[seat.holder.seat] = seat
        return found

    def seated(self, cookies: str) -> bool:
        """Whether a cookie header holds the key of a seat."""
        return bool(self._opened(cookies))

    def hides(self, cookies: str) -> bool:
        """Return whether a cookie header holds the key of a secret seat: see `padding.py`."""
        return any(map(self.is_secret, self._opened(cookies)))

    def _opened(self, cookies: str) -> set[str]:
        """Return the names of the seats that the keys of a cookie header open."""
        if self._cookie not in cookies:
            return set()
        found = parse_cookie(cookies)
        holders = [self._table.holder(key) for name in self.names if (key := found.get(self._name(name)))]
        return {holder.seat for holder in holders if holder is not None}

    def give(self, name: str, key: str, request: Request | None = None) -> Response:
        """The answer that lets this browser keep the key of a seat, or of the house. Where that cookie keeps
        the key of another seat, to which its holder has moved, that key gets a cookie of its own.
        """
        response = done()
        former = "" if request is None else request.cookies.get(self._name(name), "")
        holder = self._table.holder(former) if former else None
        if holder is not None and holder.seat != name:
            self._keep(response, holder.seat, former)
        self._keep(response, name, key)
        return response

    def _keep(self, response: Response, name: str, key: str) -> None:
        age = HALF_A_DAY if name == HOUSE else A_WEEK
        response.set_cookie(
            self._name(name), key, max_age=age, path="/", secure=self._secure, httponly=True, samesite="Strict"
        )

    def forget(self, name: str) -> Response:
        """The answer that lets this browser forget a key."""
        response = done()
        response.delete_cookie(self._name(name), path="/", secure=self._secure, httponly=True, samesite="Strict")
        return response

    def _name(self, seat: str) -> str:
        return f"{self._cookie}-{seat}"
