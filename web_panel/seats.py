"""Turns the cookies of a request into seats and into the house. Nothing else of the panel ever sees a key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from flask import Request, Response, current_app
from werkzeug.http import parse_cookie

from firmware_host.api.interface import (
    NOT_HELD,
    HeldSeat,
    Lane,
    Requester,
    Seat,
    TableInterface,
    UserError,
    by_address,
)
from web_panel.body import done

A_WEEK = 7 * 24 * 60 * 60
HALF_A_DAY = 12 * 60 * 60
HOUSE = "house"
HERE = "sniperboard.here"
"""Where a request's environment keeps whether it comes from the table's own machine."""
LANES = "lanes"
"""The extension of the panel that reads a request's cookie header once. It gets the address, too, and whether that is
local, and returns what finds the lane of the request as it is now.
"""
SEATS = "seats"
"""The extension of the panel that gives the names of the seats."""
LANE = "sniperboard.lane"
"""Where a request's environment keeps its lane, once the server has found it."""
LOOPBACK = ("127.0.0.1", "::1")


def lane_of(asked: Request) -> Lane:
    """The lane of a request, also where another server than ours has read it."""
    found: Lane | None = asked.environ.get(LANE)
    if found is None:
        address = asked.remote_addr or ""
        here = asked.environ.get(HERE, address in LOOPBACK)
        found = current_app.extensions[LANES](asked.headers.get("Cookie", ""), address, here)()
    return found


class Seats:
    """One cookie for each seat, so that one browser can hold several for trying out, and one for the house.

    Browsers share cookies between all ports of a host, so the table's own port is in each name: it stays the same
    behind a proxy. A `Secure` cookie cannot be replaced over plain HTTP, so the names differ by scheme, too. Over https
    they begin with `__Host-`: browsers take such a cookie from this very host and over https alone.

    Earlier versions had neither in the name. Their cookies are read as long as a browser has none of today's, and get
    today's names with the next key.
    """

    def __init__(self, table: TableInterface, cookie: str, port: int = 8000) -> None:
        """`port` is the table's own."""
        self._table = table
        self._cookie, self._port = cookie, port

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the table's seats, in order."""
        return tuple(seat.name for seat in self._table.seats())

    def is_secret(self, name: str) -> bool:
        """Return whether the seat of that name is told secrets."""
        return any(seat.name == name and seat.secret for seat in self._table.seats())

    def requester(self, request: Request) -> Requester:
        """Who asks, with every key that the device holds; whether they open anything, the table says."""
        address, keys = request.remote_addr or "", self._keys(request)
        here = request.environ.get(HERE, address in LOOPBACK)
        house = keys.pop(HOUSE, "")
        return Requester(tuple(keys.values()), house, address, here)

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
        for name, key in self._keys(request).items():
            with suppress(UserError):  # a key that opens nothing any more
                if name != HOUSE:
                    seat = self._table.held_seat(key)
                    found[seat.holder.seat] = seat
        return found

    def lane(self, cookies: str, address: str, here: bool) -> Callable[[], Lane]:
        """See `LANES`."""
        if self._cookie not in cookies:
            return lambda: by_address(address, here)
        keys, house = self._in_header(cookies)
        return lambda: self._table.lane(Requester(keys, house, address, here))

    def hides(self, cookies: str) -> bool:
        """Return whether a cookie header holds the key of a secret seat: see `padding.py`."""
        if self._cookie not in cookies:
            return False
        holders = map(self._table.holder, self._in_header(cookies)[0])
        return any(holder is not None and self.is_secret(holder.seat) for holder in holders)

    def _in_header(self, cookies: str) -> tuple[tuple[str, ...], str]:
        """The keys of seats and the admin key in a cookie header, under the names of any scheme and version.

        Only the table's own cookies are taken apart: the server reads headers in its one thread, and a header can hold
        thousands of other ones.
        """
        begins = (self._begin(True), self._begin(False), self._cookie)
        wanted = {f"{begin}-{name}" for begin in begins for name in (*self.names, HOUSE)}
        own: dict[str, str] = {}
        for part in cookies.split(";"):
            if self._cookie in part and (name := part.partition("=")[0].strip()) in wanted:
                own.setdefault(name, part)
        found = parse_cookie(";".join(own.values()))
        jars = [self._of(found, begin) for begin in begins]
        keys = tuple(key for jar in jars for name, key in jar.items() if name != HOUSE)
        return keys, next((jar[HOUSE] for jar in jars if HOUSE in jar), "")

    def give(self, name: str, key: str, request: Request) -> Response:
        """The answer that lets this browser keep the key of a seat, or of the house. A key that would lose its place to
        this one gets a cookie of its own: one whose holder has moved to another seat, and all under names of earlier
        versions.
        """
        response, held = done(), self._keys(request)
        old = not self._of(request.cookies, self._begin(request.is_secure))
        for former in held.values() if old else [held.get(name, "")]:
            holder = self._table.holder(former) if former else None
            if holder is not None and holder.seat != name:
                self._keep(response, holder.seat, former, request)
        if old and HOUSE in held and name != HOUSE:
            self._keep(response, HOUSE, held[HOUSE], request)
        self._keep(response, name, key, request)
        return response

    def _keep(self, response: Response, name: str, key: str, request: Request) -> None:
        age, secure = HALF_A_DAY if name == HOUSE else A_WEEK, request.is_secure
        cookie = f"{self._begin(secure)}-{name}"
        response.set_cookie(cookie, key, max_age=age, path="/", secure=secure, httponly=True, samesite="Strict")

    def forget(self, name: str, request: Request) -> Response:
        """The answer that lets this browser forget a key."""
        response, secure = done(), request.is_secure
        for begin in (self._begin(secure), self._cookie):
            if f"{begin}-{name}" in request.cookies:
                response.delete_cookie(f"{begin}-{name}", path="/", secure=secure, httponly=True, samesite="Strict")
        return response

    def _keys(self, request: Request) -> dict[str, str]:
        """The keys that a browser holds, by the name in their cookie."""
        found = self._of(request.cookies, self._begin(request.is_secure))
        return found or self._of(request.cookies, self._cookie)

    def _of(self, cookies: Mapping[str, str], begin: str) -> dict[str, str]:
        """The keys in the cookies whose names begin so."""
        return {name: key for name in (*self.names, HOUSE) if (key := cookies.get(f"{begin}-{name}", ""))}

    def _begin(self, secure: bool) -> str:
        """How the names of cookies begin."""
        return f"{'__Host-' if secure else ''}{self._cookie}-{self._port}"
