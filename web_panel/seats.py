"""Convert the cookies of a request to seats and admin access. No other module of the panel sees a key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from flask import Request, Response, current_app, request
from werkzeug.http import parse_cookie

from firmware_host.api.interface import (
    NOT_HELD,
    HeldSeat,
    Lane,
    Requester,
    Seat,
    TableInterface,
    UserError,
    lane_for_address,
)
from web_panel.body import done

A_WEEK = 7 * 24 * 60 * 60
HALF_A_DAY = 12 * 60 * 60
HOUSE = "house"
AT_TABLE = "sniperboard.here"
"""Environment key: whether the request comes from the table's own machine."""
LANES = "lanes"
"""The panel's extension that finds the lane of a request.

Its arguments are the cookie header, which it parses once, the address, and whether the address is local. The result is
a function that returns the current lane of the request.
"""
SEATS = "seats"
"""The panel's extension that returns the names of the seats."""
LANE = "sniperboard.lane"
"""Environment key: the request's lane, once the server has found it."""
MOST_OTHERS = 12
"""Cookies of seats of other games that are read: a browser may send any number."""
LOOPBACK = ("127.0.0.1", "::1")


def lane_of(http_request: Request) -> Lane:
    """Return the lane of a request, even if another server has read the request."""
    lane: Lane | None = http_request.environ.get(LANE)
    if lane is None:
        address = http_request.remote_addr or ""
        # Flask's test client and other servers do not set `AT_TABLE`.
        here = http_request.environ.get(AT_TABLE, address in LOOPBACK)
        lane = current_app.extensions[LANES](http_request.headers.get("Cookie", ""), address, here)()
    return lane


class Seats:
    """One cookie per seat, so that one browser can hold several seats for testing, and one for the admin.

    Browsers share cookies between all ports of a host. So each name contains the table's own port, which stays the same
    behind a proxy. A `Secure` cookie cannot be replaced over plain HTTP, so the names also differ by scheme. Over https
    they start with `__Host-`: browsers accept such a cookie only from this very host, over https. Earlier versions had
    neither in the name. Their cookies are read until the browser has a current one, and are renamed when it gets its
    next key.
    """

    def __init__(self, table: TableInterface, cookie: str, port: int = 8000) -> None:
        """`port` is the table's own."""
        self._table = table
        self._cookie, self._port = cookie, port

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the table's seats, in order."""
        return tuple(seat.name for seat in self._table.seats())

    def is_secret(self, name: str) -> bool:
        """Return whether the seat of that name has secrets."""
        return any(seat.name == name and seat.secret for seat in self._table.seats())

    def requester(self) -> Requester:
        """Return the requester with every key that the device holds; the table checks the keys."""
        address, keys = request.remote_addr or "", self._keys()
        here = request.environ.get(AT_TABLE, address in LOOPBACK)
        house = keys.pop(HOUSE, "")
        return Requester(tuple(keys.values()), house, address, here)

    def seat(self, name: str) -> HeldSeat:
        """Return the seat of that name. Raises `UserError` if the request does not hold it."""
        return self._found(lambda seat: seat.name == name)

    def sharing(self) -> HeldSeat:
        """Return the seat whose parts several devices share. Raises `UserError` if the request holds none."""
        return self._found(lambda seat: seat.shared)

    def on_board(self) -> HeldSeat:
        """Return the first seat that acts on the board. Raises `UserError` if the request holds none."""
        return self._found(lambda seat: seat.on_board)

    def _found(self, fits: Callable[[Seat], bool]) -> HeldSeat:
        held_seats = self._held()
        held_seat = next(
            (held_seats[seat.name] for seat in self._table.seats() if seat.name in held_seats and fits(seat)), None
        )
        if held_seat is None:
            raise UserError("no-seat", NOT_HELD)
        return held_seat

    def _held(self) -> dict[str, HeldSeat]:
        """Return every seat that the request may act for, by name.

        The key determines the seat, not the cookie's name, which stays the same when a player moves to another seat.
        """
        seats = {}
        for name, key in self._keys().items():
            with suppress(UserError):  # a key that is no longer valid
                if name != HOUSE:
                    seat = self._table.held_seat(key)
                    seats[seat.holder.seat] = seat
        return seats

    def lane(self, cookies: str, address: str, here: bool) -> Callable[[], Lane]:
        """Return a function that returns the current lane of a request: see `LANES`."""
        # Most requests of strangers have no cookie of the table; they skip the parsing.
        if self._cookie not in cookies:
            return lambda: lane_for_address(address, here)
        keys, house = self._in_header(cookies)
        return lambda: self._table.lane(Requester(keys, house, address, here))

    def hides(self, cookies: str) -> bool:
        """Return whether a cookie header contains the key of a secret seat: see `padding.py`."""
        if self._cookie not in cookies:
            return False
        # Any secret seat counts: if a browser holds several seats, lengths must not show which one acts.
        holders = map(self._table.holder, self._in_header(cookies)[0])
        return any(holder is not None and self.is_secret(holder.seat) for holder in holders)

    def _in_header(self, cookies: str) -> tuple[tuple[str, ...], str]:
        """Return the seat keys and the admin key in a cookie header, under names of any scheme and version.

        Only the table's own cookies are parsed: the server reads headers in its only thread, and a header can contain
        thousands of other cookies.
        """
        # Current names first, then those of earlier versions.
        begins = (self._cookie_prefix(True), self._cookie_prefix(False), self._cookie)
        own_names, others = {f"{begin}-{name}" for begin in begins for name in (*self.names, HOUSE)}, MOST_OTHERS
        own: dict[str, str] = {}
        for part in cookies.split(";"):
            # The cheap test comes first, because most cookies are foreign.
            if self._cookie not in part or (name := part.partition("=")[0].strip()) in own:
                continue  # the first cookie of a name wins, as in Werkzeug's parser
            other = others > 0 and name.startswith((f"{begins[0]}-", f"{begins[1]}-"))
            if name in own_names or other:
                own[name] = part
                others -= name not in own_names
        values = parse_cookie(";".join(own.values()))
        jars = [self._of(values, begin) for begin in begins]
        keys = tuple(key for jar in jars for name, key in jar.items() if name != HOUSE)
        return keys, next((jar[HOUSE] for jar in jars if HOUSE in jar), "")

    def set_key(self, name: str, key: str) -> Response:
        """Return the answer that sets the cookie with the key of a seat or of the admin.

        Keys that this cookie would replace are moved to other cookies: the key of a holder who has moved to another
        seat, and all keys under names of earlier versions.
        """
        response, keys = done(), self._keys()
        old = not self._of(request.cookies, self._cookie_prefix(request.is_secure))
        # The new cookie hides all older names at once, so each of their keys needs a current name.
        for former in keys.values() if old else [keys.get(name, "")]:
            holder = self._table.holder(former) if former else None
            if holder is not None and holder.seat != name:
                self._keep(response, holder.seat, former)
        if old and HOUSE in keys and name != HOUSE:
            self._keep(response, HOUSE, keys[HOUSE])
        self._keep(response, name, key)
        return response

    def _keep(self, response: Response, name: str, key: str) -> None:
        age, secure = HALF_A_DAY if name == HOUSE else A_WEEK, request.is_secure
        cookie = f"{self._cookie_prefix(secure)}-{name}"
        # `Strict`: no request that another site triggers carries the key.
        response.set_cookie(cookie, key, max_age=age, path="/", secure=secure, httponly=True, samesite="Strict")

    def forget(self, name: str) -> Response:
        """Return the answer that deletes the cookie of a key."""
        response, secure = done(), request.is_secure
        # Otherwise a cookie of an earlier version would restore the key.
        for begin in (self._cookie_prefix(secure), self._cookie):
            if f"{begin}-{name}" in request.cookies:
                response.delete_cookie(f"{begin}-{name}", path="/", secure=secure, httponly=True, samesite="Strict")
        return response

    def _keys(self) -> dict[str, str]:
        """Return the keys that a browser holds, by the name in their cookie."""
        current = self._of(request.cookies, self._cookie_prefix(request.is_secure))
        # Older names count only if there is no current one.
        return current or self._of(request.cookies, self._cookie)

    def _of(self, cookies: Mapping[str, str], begin: str) -> dict[str, str]:
        """Return the keys in the cookies whose names have this prefix; the rest of a name is a seat.

        When the game changes, people keep their keys at the new seats, so a cookie can have the name of a seat that no
        longer exists. Earlier versions had no such cookies.
        """
        own_names = (*self.names, HOUSE)
        own_keys = {name: key for name in own_names if (key := cookies.get(f"{begin}-{name}", ""))}
        others = [] if begin == self._cookie else [it for it in cookies if it.startswith(f"{begin}-") and cookies[it]]
        names = [name for it in others if (name := it.removeprefix(f"{begin}-")) not in own_names]
        return own_keys | {name: cookies[f"{begin}-{name}"] for name in names[:MOST_OTHERS]}

    def _cookie_prefix(self, secure: bool) -> str:
        """Return the prefix of cookie names."""
        return f"{'__Host-' if secure else ''}{self._cookie}-{self._port}"
