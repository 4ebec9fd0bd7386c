"""Calls of the loop for somebody whose right to them is checked in the same turn of the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from firmware_host.admin.access import AdminAccess
from firmware_host.seats.identity import Requester
from firmware_host.table.lanes import Lane, lane_of
from firmware_host.table.loop import Loop
from firmware_host.table.table import Table

T = TypeVar("T")
Check = Callable[[Table], object]
"""Raises `UserError` where a call is refused already by what everybody may know."""


class CheckedCalls:
    """Calls of the table that `loop` runs; `access` tells whether a key of the admin page is valid."""

    def __init__(self, loop: Loop, access: AdminAccess) -> None:
        self._loop, self._access = loop, access

    def paced(self, requester: Requester, call: Callable[[Table], T], check: Check | None = None) -> T:
        """Call at the gate of the requester's lane. What `check` refuses gets there at no time: nobody can fill a gate
        with calls that lead nowhere. A check may look only at what is public.
        """
        if check is not None:
            self._loop.read(check)
        return self._loop.call_paced(call, self.lane(requester).name)

    def of_players(self, requester: Requester, call: Callable[[Table], T], check: Check | None = None) -> T:
        """Call for what concerns all who play. Whoever has no right to it is told so at once."""
        checked = self.checked(requester)

        def admit(table: Table) -> None:
            table.seating.admit(checked)
            if check is not None:
                check(table)

        def admitted(table: Table) -> T:
            table.seating.admit(checked)
            return call(table)

        return self.paced(requester, admitted, admit)

    def of_board(self, requester: Requester, call: Callable[[Table], T]) -> T:
        """Call for what concerns the board: whoever sits at the table's own machine could reach for that."""
        return self.paced(requester, call) if requester.local else self.of_players(requester, call)

    def checked(self, requester: Requester) -> Requester:
        """The requester, with a key of the admin page only if that is valid."""
        valid = self._access.is_valid(requester.admin_key)
        return requester if valid else msgspec.structs.replace(requester, admin_key="")

    def lane(self, requester: Requester) -> Lane:
        """Return the lane of the requester."""
        return self._loop.read(lambda table: lane_of(requester, table, self._access))
