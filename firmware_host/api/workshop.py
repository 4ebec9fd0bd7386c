"""What the panel's workshop page may ask. All of it is public, as the board is; the PIN of the house keeps out who
would disturb the game.
"""

from __future__ import annotations

from typing import Any

from firmware_host.admin.access import AdminAccess
from firmware_host.api.calls import goes_through_loop, runs_beside_loop
from firmware_host.api.rights import CheckedCalls
from firmware_host.play import pictures
from firmware_host.seats.identity import Requester
from firmware_host.table.loop import Loop


class WorkshopInterface:
    """The workshop of the table that `loop` runs, for whoever has shown the PIN of the house."""

    def __init__(self, loop: Loop, access: AdminAccess, calls: CheckedCalls) -> None:
        self._loop, self._access, self._calls = loop, access, calls

    @runs_beside_loop
    def look(self, requester: Requester) -> dict[str, Any]:
        """How it is: `mine`, the `device` that has it (None while it is closed), whether a game is `playing`, the board
        (`map`, `has_sensors`, `has_lamps`), what it is `connected` to and its `ills`; and while it is open what is
        `down`, the `job` and the `news`. Whoever has it has to look from time to time.
        """
        who = self._access.who(requester)
        found: dict[str, Any] = pictures.plain(self._loop.read(lambda table: table.workshop.look(who)))
        return found

    @goes_through_loop
    def enter(self, device: str, requester: Requester, *, sure: bool = False, instead: bool = False) -> None:
        """Open it on this device; `sure` that a running game waits, `instead` of another device."""
        who = self._access.who(requester)
        self._calls.paced(requester, lambda table: table.workshop.enter(who, device, sure=sure, instead=instead))

    @goes_through_loop
    def leave(self, requester: Requester) -> None:
        """Close it; the board is the game's again."""
        who = self._access.who(requester)
        self._calls.paced(requester, lambda table: table.workshop.leave(who))

    @goes_through_loop
    def turn_to(self, job: str, requester: Requester) -> None:
        """Begin a job: scan, lights, calibrate or selftest; with an empty name none."""
        who = self._access.who(requester)
        self._calls.paced(requester, lambda table: table.workshop.turn_to(who, job))

    @goes_through_loop
    def tell(self, word: str, space: str | None, step: int, requester: Requester) -> None:
        """Say one of its words to the job, or name a space, in answer to this step."""
        who = self._access.who(requester)
        self._calls.paced(requester, lambda table: table.workshop.tell(who, word, space, step))
