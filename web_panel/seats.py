"""Turns the cookies of a request into seats. Nothing else of the panel ever sees a key."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flask import Request, Response

from firmware_host.face import BOARD, TABLE, Face, Holder, Said, Slip

SEATS = ("sniper", "defenders")
PUBLIC = (TABLE, BOARD)
A_WEEK = 7 * 24 * 60 * 60


@dataclass(frozen=True)
class Chair:
    """A seat that this request may act for. The key stays inside."""

    holder: Holder
    _table: Face = field(repr=False)
    _key: str = field(repr=False)

    def submit(self, action: dict[str, Any], revision: int | None) -> None:
        """Act for the seat. Raises `Slip`."""
        self._table.submit(self._key, action, revision)

    def abandon(self) -> None:
        """End the running game. Raises `Slip`."""
        self._table.abandon(self._key)

    def hand_over(self, bot: str) -> None:
        """Leave the seat to a bot. Raises `Slip`."""
        self._table.hand_over(self._key, bot)

    def stands(self) -> bool:
        """Whether the key still opens the seat: another device may have taken it over."""
        return self._table.holder(self._key) == self.holder


class Seats:
    """One cookie for each seat, so that one browser can hold both for trying out."""

    def __init__(self, table: Face, cookie: str) -> None:
        self._table = table
        self._cookie = cookie

    def seat(self, request: Request, name: str) -> Chair:
        """The chair at a seat. Raises `Slip` where the request has no right to it."""
        chair = self.chairs(request).get(name)
        if chair is None:
            raise Slip("no-seat", Said("This device does not hold that seat. Take it in the lobby."))
        return chair

    def chairs(self, request: Request) -> dict[str, Chair]:
        """Every chair that the request may sit on."""
        found = {}
        for name in SEATS:
            key = request.cookies.get(self._name(name), "")
            holder = self._table.holder(key) if key else None
            if holder is not None and holder.seat == name:
                found[name] = Chair(holder, self._table, key)
        return found

    def give(self, response: Response, name: str, key: str) -> None:
        """Let this browser keep the key of a seat."""
        response.set_cookie(self._name(name), key, max_age=A_WEEK, path="/", httponly=True, samesite="Strict")

    def _name(self, seat: str) -> str:
        return f"{self._cookie}-{seat}"
