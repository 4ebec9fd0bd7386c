"""What the panel's admin page may ask. All of it is public; the PIN keeps out who would disturb the game."""

from __future__ import annotations

from typing import Any

from engine.text import Text
from firmware_host.admin.access import AdminAccess
from firmware_host.admin.page import AdminPage
from firmware_host.api.calls import goes_through_loop, reads_snapshot, runs_beside_loop
from firmware_host.api.rights import CheckedCalls
from firmware_host.core.errors import UserError
from firmware_host.records import results
from firmware_host.seats.identity import Requester
from firmware_host.table.loop import Loop


class AdminInterface:
    """The admin page of the table that `loop` runs; without a `page` there is none."""

    def __init__(self, loop: Loop, access: AdminAccess, page: AdminPage | None, calls: CheckedCalls) -> None:
        self._loop, self._access, self._page, self._calls = loop, access, page, calls

    @runs_beside_loop
    def sign_in(self, pin: str, requester: Requester) -> str:
        """A key of the admin page, for its PIN. After a few wrong PINs, whoever tried them, the next try has to wait; a
        device that has held a key of the admin page is counted for itself; one without an address is not.
        """
        return self._access.sign_in(pin, requester)

    @runs_beside_loop
    def sign_out(self, requester: Requester) -> None:
        """The requester's key of the admin page is not valid any more."""
        self._access.sign_out(requester)

    @goes_through_loop
    def facts(self, requester: Requester) -> dict[str, Any]:
        """What the admin page shows: `board` (what sensors feel and lamps show now), `choices`, `addresses`,
        `machine` and `network` (names), `version`, `poweroff` (whether it may be), `log`, and how many `wrong_pins`
        were tried since the PIN was chosen; all of it public.
        """
        page = self._opened(requester)
        # By the same gate as `change_settings`: when a change has landed must not be seen before its answer.
        facts = page.facts(self._calls.paced(requester, lambda table: table.admin_facts()))
        return {**facts, "wrong_pins": self._access.wrong_pins}

    @goes_through_loop
    def change_settings(self, wanted: dict[str, Any], requester: Requester) -> None:
        """Change settings by name, which count at once; None goes back to the default."""
        self._opened(requester)
        self._calls.paced(requester, lambda table: table.change_settings(wanted))

    @goes_through_loop
    def forget_results(self, requester: Requester) -> None:
        """Forget who has played and won here; the games stay."""
        self._opened(requester)
        self._calls.paced(requester, lambda table: results.forget(table.journal))

    @goes_through_loop
    def report(self, requester: Requester) -> str:
        """The report for a bug, as text; all of it public."""
        page = self._opened(requester)
        return page.report(*self._calls.paced(requester, lambda table: (table.admin_facts(), table.board_report())))

    @runs_beside_loop
    def change_pin(self, old: str, new: str, requester: Requester) -> str:
        """Another PIN from now on, and the requester's new key; no other key is valid any more."""
        return self._access.change_pin(old, new, requester)

    @runs_beside_loop
    def shut_down(self, power_off: bool, requester: Requester) -> None:
        """End the table, and switch its machine off if the settings allow that."""
        self._opened(requester).shut_down(power_off)

    @reads_snapshot
    def default_language(self) -> str:
        """The language for devices that ask for none of ours; may be empty."""
        return self._loop.read(lambda table: table.choices.settings.language)

    def _opened(self, requester: Requester) -> AdminPage:
        """Raises `UserError` for whoever has not shown the PIN."""
        self._access.check(requester)
        if self._page is None:
            raise UserError("not-now", Text("This table has no house page."))
        return self._page
