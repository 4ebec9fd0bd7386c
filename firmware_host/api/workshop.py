"""What the workshop page may ask. The admin PIN keeps out who would disturb the game; the answers are public."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware_host.admin.access import AdminAccess
from firmware_host.api.rights import CheckedCalls
from firmware_host.play import pictures
from firmware_host.seats.identity import Requester
from firmware_host.table.loop import Loop
from firmware_host.table.workshop import Workshop


class WorkshopInterface:
    """The workshop of the table that `loop` runs. Each call needs the admin PIN."""

    def __init__(self, loop: Loop, access: AdminAccess, calls: CheckedCalls) -> None:
        self._loop, self._access, self._calls = loop, access, calls

    def look(self, requester: Requester) -> dict[str, Any]:
        """Return the state of the workshop, for one device. The one that has the workshop loses it if it stops calling
        this.
        """
        who = self._access.who(requester)
        found: dict[str, Any] = pictures.plain(self._loop.read(lambda table: table.workshop.look(who)))
        return found

    def enter(self, device: str, requester: Requester, *, sure: bool = False, instead: bool = False) -> None:
        """Open the workshop on this device. `sure` pauses a running game, `instead` replaces another device."""
        self._ask(requester, lambda workshop, who: workshop.enter(who, device, sure=sure, instead=instead))

    def leave(self, requester: Requester) -> None:
        """Close the workshop and return the board to the game."""
        self._ask(requester, lambda workshop, who: workshop.leave(who))

    def turn_to(self, job: str, requester: Requester) -> None:
        """Start a job: scan, lights, calibrate or selftest. An empty name ends the current job."""
        self._ask(requester, lambda workshop, who: workshop.turn_to(who, job))

    def tell(self, word: str, space: str | None, step: int, requester: Requester) -> None:
        """Answer this step of the job with one of its words or with a space."""
        self._ask(requester, lambda workshop, who: workshop.tell(who, word, space, step))

    def _ask(self, requester: Requester, call: Callable[[Workshop, str], None]) -> None:
        who = self._access.who(requester)
        self._calls.paced(requester, lambda table: call(table.workshop, who))
