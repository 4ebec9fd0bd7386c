"""Calls of the loop for somebody whose right to them is checked in the same turn of the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from firmware_host.admin.access import AdminAccess
from firmware_host.seats.identity import Requester
from firmware_host.table.loop import Loop
from firmware_host.table.table import Table

T = TypeVar("T")


class CheckedCalls:
    """Calls of the table that `loop` runs; `access` tells whether a key of the admin page is valid."""

    def __init__(self, loop: Loop, access: AdminAccess) -> None:
        self._loop, self._access = loop, access

    def of_players(self, requester: Requester, call: Callable[[Table], T]) -> T:
        """Call for what concerns all who play. Whoever has no right to it is told so at once."""
        checked = self.checked(requester)
        self._loop.read(lambda table: table.seating.admit(checked))

        def admitted(table: Table) -> T:
            table.seating.admit(checked)
            return call(table)

        return self._loop.call_paced(admitted, self._paced_as(requester))

    def of_board(self, requester: Requester, call: Callable[[Table], T]) -> T:
        """Call for what concerns the board: whoever sits at the table's own machine could reach for that."""
        if requester.local:
            return self._loop.call_paced(call, self._paced_as(requester))
        return self.of_players(requester, call)

    def checked(self, requester: Requester) -> Requester:
        """The requester, with a key of the admin page only if that is valid."""
        valid = self._access.is_valid(requester.admin_key)
        return requester if valid else msgspec.structs.replace(requester, admin_key="")

    def _paced_as(self, requester: Requester) -> str:
        """At which seat the requester is held back, if at any: at one that is not secret, where it holds several."""

        def seat(table: Table) -> str:
            claims = table.seating.claims
            held = {holder.seat for key in requester.keys if (holder := claims.holder(key)) is not None}
            ranked = sorted(table.snapshot.seats, key=lambda seat: seat.secret)
            return next((seat.name for seat in ranked if seat.name in held), "")

        return self._loop.read(seat)
