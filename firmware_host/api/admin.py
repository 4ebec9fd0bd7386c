"""What the pages behind the admin PIN may ask: the admin page and the workshop. The PIN keeps out people who would
disturb the game; all answers are public.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.text import Text
from firmware_host.admin.access import AdminAccess
from firmware_host.admin.page import AdminPage
from firmware_host.analysis.analyses import Analyses
from firmware_host.api.rights import CheckedCalls
from firmware_host.core.errors import UserError
from firmware_host.play import pictures
from firmware_host.records import results, solvers
from firmware_host.records.past import PastGames
from firmware_host.seats.identity import Requester
from firmware_host.table.loop import Loop
from firmware_host.table.table import Table
from firmware_host.table.workshop import Workshop


class AdminInterface:
    """The admin page of the table that `loop` runs; without a `page`, none exists. `access` checks the PIN."""

    def __init__(
        self,
        loop: Loop,
        access: AdminAccess,
        page: AdminPage | None,
        calls: CheckedCalls,
        past: PastGames,
        analyses: Analyses,
    ) -> None:
        self._loop, self.access, self._page, self._calls = loop, access, page, calls
        self._past, self._analyses = past, analyses

    def facts(self, requester: Requester) -> dict[str, Any]:
        """Return what the admin page shows; see `Table.admin_facts` and `AdminPage.facts`.

        `wrong_pins` is the number of wrong PINs since the PIN was chosen.
        """
        page = self._signed_in_page(requester)
        # Use the same gate as `change_settings`: a change must not be visible before its answer.
        facts = page.facts(self._calls.paced(requester, lambda table: table.admin_facts()))
        return {**facts, "wrong_pins": self.access.wrong_pins}

    def change_settings(self, changes: dict[str, Any], requester: Requester) -> None:
        """Change settings by name, at once; None restores the default."""
        self._signed_in_page(requester)
        self._calls.paced(requester, lambda table: table.change_settings(changes))

    def forget_results(self, requester: Requester) -> None:
        """Delete the statistics of who played and won, and the ratings for puzzles; the games stay."""
        self._signed_in_page(requester)

        def forget(table: Table) -> None:
            results.forget(table.journal)
            solvers.forget(table.journal)
            table.session.interruption.end_replay()  # the names of deleted results must leave the screens

        self._calls.paced(requester, forget)

    def stored_games(self, requester: Requester, before: int | None = None) -> dict[str, Any]:
        """Return the list of games with the `bytes` of each and its analysis, see `PastGames.stored`."""
        self.access.check(requester)
        stored = self._past.stored(before)
        sizes = self._analyses.sizes(game["number"] for game in stored["games"])
        games = [{**it, "bytes": it["bytes"] and it["bytes"] + sizes[it["number"]]} for it in stored["games"]]
        return {**stored, "games": games}

    def delete_game(self, number: int, requester: Requester) -> None:
        """Delete a past game and the results of its players."""
        self.access.check(requester)

        def delete(table: Table) -> None:
            results.delete_game(table.journal, number)
            # The board may be showing this game.
            table.session.end_replay_of(number)

        self._calls.paced(requester, delete)
        self._past.forget(number)
        self._analyses.forget(number)

    def report(self, requester: Requester) -> str:
        """Return the bug report as text."""
        page = self._signed_in_page(requester)
        return page.report(*self._calls.paced(requester, lambda table: (table.admin_facts(), table.board_report())))

    def shut_down(self, power_off: bool, requester: Requester) -> None:
        """Stop the table, and switch off the machine if the settings allow that."""
        self._signed_in_page(requester).shut_down(power_off)

    def default_language(self) -> str:
        """Return the language for devices that request no available language; may be empty."""
        return self._loop.read(lambda table: table.choices.settings.language)

    def _signed_in_page(self, requester: Requester) -> AdminPage:
        """Return the page. Raises `UserError` if the requester has not signed in."""
        self.access.check(requester)
        if self._page is None:
            raise UserError("not-now", Text("This table has no admin page."))
        return self._page


class WorkshopInterface:
    """The workshop of the table that `loop` runs. Each call needs the admin PIN."""

    def __init__(self, loop: Loop, access: AdminAccess, calls: CheckedCalls) -> None:
        self._loop, self._access, self._calls = loop, access, calls

    def state(self, requester: Requester) -> dict[str, Any]:
        """Return the state of the workshop, for one device.

        The device that has the workshop loses it if it stops calling this.
        """
        who = self._access.key_id(requester)
        workshop: dict[str, Any] = pictures.json_ready(self._loop.read(lambda table: table.workshop.state_for(who)))
        return workshop

    def enter(self, device: str, requester: Requester, *, sure: bool = False, instead: bool = False) -> None:
        """Open the workshop on this device. `sure` pauses a running game, `instead` replaces another device."""
        self._ask(requester, lambda workshop, who: workshop.enter(who, device, sure=sure, instead=instead))

    def leave(self, requester: Requester) -> None:
        """Close the workshop and return the board to the game."""
        self._ask(requester, lambda workshop, who: workshop.leave(who))

    def start_job(self, job: str, requester: Requester) -> None:
        """Start a job: scan, lights, calibrate or selftest. An empty name ends the current job."""
        self._ask(requester, lambda workshop, who: workshop.start_job(who, job))

    def answer_step(self, word: str, space: str | None, step: int, requester: Requester) -> None:
        """Answer this step of the job with one of its words or with a space."""
        self._ask(requester, lambda workshop, who: workshop.answer_step(who, word, space, step))

    def _ask(self, requester: Requester, call: Callable[[Workshop, str], None]) -> None:
        who = self._access.key_id(requester)
        self._calls.paced(requester, lambda table: call(table.workshop, who))
