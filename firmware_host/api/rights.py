"""Calls that check the requester's rights in the same turn of the loop as the call itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from firmware_host.admin.access import AdminAccess
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import GameFault
from firmware_host.seats.identity import Checked, Requester
from firmware_host.table.lanes import Lane, lane_of
from firmware_host.table.loop import Loop
from firmware_host.table.table import Table

T = TypeVar("T")
Check = Callable[[Table], object]
"""Raises `UserError` if public facts show that a call will be refused. It must read nothing else."""


class CheckedCalls:
    """Calls to the table that `loop` runs. `access` checks admin keys."""

    def __init__(self, loop: Loop, access: AdminAccess) -> None:
        self._loop, self._access = loop, access

    def paced(self, requester: Requester, call: Callable[[Table], T], check: Check | None = None) -> T:
        """Call the table through the gate of the requester's lane. A call that `check` refuses never reaches the gate,
        so that useless calls cannot block it.
        """
        if check is not None:
            try:
                self._loop.read(check)
            except GameFault as fault:
                fault.log()
                raise UserError(fault.code, fault.sentence) from fault
        return self._loop.call_paced(call, self.lane(requester).name)

    def call_for_players(self, requester: Requester, call: Callable[[Table], T], check: Check | None = None) -> T:
        """Call the table for something that concerns all players. Refuses a requester without the right at once."""
        checked = self.checked(requester)

        def admit(table: Table) -> None:
            table.seating.admit(checked)
            if check is not None:
                check(table)

        # The first check used published data. This check is in the same turn of the loop as the call.
        def admitted(table: Table) -> T:
            table.seating.admit(checked)
            return call(table)

        return self.paced(requester, admitted, admit)

    def call_for_board(self, requester: Requester, call: Callable[[Table], T]) -> T:
        """Call the table for something that concerns the board. Anyone at the table's own computer may, too."""
        return self.paced(requester, call) if requester.local else self.call_for_players(requester, call)

    def checked(self, requester: Requester) -> Checked:
        valid = self._access.is_valid(requester.admin_key)
        return Checked(requester.keys, requester.admin_key, requester.address, requester.local, valid)

    def lane(self, requester: Requester) -> Lane:
        """Return the lane of the requester, see `lanes.py`."""
        return self._loop.read(lambda table: lane_of(requester, table, self._access))
