"""Lanes keep requesters apart, so that no one can wait for another, or notice what another does.

Each seat has a lane, and so have the admin key and the table's own computer; all strangers share one. A lane has its
own workers (`web_panel/workers.py`), its own gate (`pacing.py`) and its own share of everything that is limited. Within
a lane, its members take turns: the devices of a seat, or the addresses of strangers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from firmware_host.admin.access import AdminAccess
from firmware_host.seats.identity import Requester

if TYPE_CHECKING:
    from firmware_host.table.table import Table

ADMIN, MACHINE, STRANGERS = "@admin", "@machine", "@strangers"
"""The lanes of every table. Any other lane has the name of its seat."""


def least_streams(seats: int) -> int:
    """Return how many streams a game needs: one for each seat, one for the table's own computer, and one for everyone
    else, for example a TV.
    """
    return seats + 2


class Lane(NamedTuple):
    """The lane `name` of a request, and the `member` of it that made the request."""

    name: str
    member: str = ""

    @property
    def trusted(self) -> bool:
        """Whether the lane belongs to someone known."""
        return self.name != STRANGERS


def lane_for_address(address: str, here: bool) -> Lane:
    """Return the lane of a requester without a key; `here` is one at the table's own computer."""
    return Lane(MACHINE) if here else Lane(STRANGERS, address)


def lane_of(requester: Requester, table: Table, access: AdminAccess) -> Lane:
    """Return the lane of a requester, from published data; it never waits.

    A browser that holds several seats gets the lane of a seat without secrets, and so has to wait like an opponent.
    """
    snapshot = table.snapshot
    holders = map(snapshot.holder, requester.keys)
    number_by_seat = {holder.seat: str(holder.number) for holder in holders if holder is not None}
    # False sorts before True: seats without secrets come first.
    for seat in sorted(snapshot.seats, key=lambda seat: seat.secret):
        if seat.name in number_by_seat:
            return Lane(seat.name, number_by_seat[seat.name])
    if access.has_given(requester.admin_key):
        return Lane(ADMIN, requester.address)
    return lane_for_address(requester.address, requester.local)
