"""What the panel may ask about past games. They are read beside the loop, which says only which one lies finished on
the table.
"""

from __future__ import annotations

from typing import Any

from firmware_host.admin.access import AdminAccess
from firmware_host.api.calls import goes_through_loop, runs_beside_loop
from firmware_host.api.rights import CheckedCalls
from firmware_host.core.encoding import Translate
from firmware_host.records import deleting, imports
from firmware_host.records.past import PastGames
from firmware_host.seats.identity import ANONYMOUS, Requester
from firmware_host.table.interruption import ReplayStep
from firmware_host.table.loop import Loop
from firmware_host.table.table import Table


class PastInterface:
    """The games in the journal of the table that `loop` runs."""

    def __init__(self, loop: Loop, calls: CheckedCalls, access: AdminAccess) -> None:
        self._loop, self._calls, self._access = loop, calls, access
        self._past, self._imports = PastGames(*loop.journal), imports.turns()

    def _finished(self) -> int | None:
        return self._loop.read(lambda table: table.snapshot.finished)

    @runs_beside_loop
    def games(self, before: int | None = None) -> dict[str, Any]:
        """`games`, the newest first, or those older than number `before`, some at a time; and whether there are `more`.

        Of each its `number`, `map` and its `name`, when it `started` and `ended` (seconds since 1970), its `state`
        (running, over, put-away, unknown, damaged), and, unless it runs, the end: `over`, `rounds`, `acts`, `score`,
        `imported`. Of a damaged one `map` and `started` are None where they cannot be read, and more is not told.
        `bests` are the best scores of single players: `number`, `name` and `score`, one for each game that has any.
        """
        return self._past.listed(self._finished(), before)

    @runs_beside_loop
    def game(self, number: int) -> dict[str, Any]:
        """The facts of one game. Raises `UserError` (not-found) where there is none."""
        return self._past.facts(number, self._finished())

    @runs_beside_loop
    def history(self, number: int, translate: Translate) -> bytes:
        """A finished game's facts and its `steps`, as JSON: what was told, what was known, what was true. Raises
        `UserError`: not-over for any game that was not played to its end, too-large for a long one.
        """
        return self._past.whole(number, self._finished(), translate)

    @runs_beside_loop
    def steps(self, number: int, first: int, translate: Translate) -> bytes:
        """The same in pages, for a game of any length: the steps from number `first` on, as many as one page holds, how
        many there are (`count`), and the number to go on with (`next`). Raises `UserError`.
        """
        return self._past.page(number, first, self._finished(), translate)

    @runs_beside_loop
    def score(self, number: int) -> dict[str, Any]:
        """The `score` of a game that a single player played, and the `best` of those before it; see `PastGames.score`.
        Raises `UserError` (not-found) where there is none.
        """
        return self._past.score(number, self._finished())

    @runs_beside_loop
    def ending(self, number: int) -> dict[str, Any]:
        """A finished game in figures, and who played it; see `PastGames.ending`. Raises `UserError` (not-over)."""
        return self._past.ending(number, self._finished())

    @runs_beside_loop
    def export_record(self, number: int) -> tuple[str, bytes]:
        """A finished game's record and the name of a file for it. Raises `UserError` (not-over)."""
        return self._past.record(number, self._finished())

    @goes_through_loop
    def import_record(self, record: bytes, requester: Requester = ANONYMOUS) -> int:
        """Take a finished game's record from elsewhere into the journal; its number here. Raises `UserError`."""
        self._calls.of_players(requester, lambda _: None)
        with self._imports.next():
            sent = imports.checked(record)  # takes a while, and is done here; writing it does not
            self._past.check_new(sent, self._finished())
            return self._calls.of_players(requester, lambda table: imports.import_record(table.journal, sent))

    # --- for the admin page ---------------------------------------------------------------------------------------

    @runs_beside_loop
    def stored(self, requester: Requester, before: int | None = None) -> dict[str, Any]:
        """The list of `games` with the `bytes` of each that can be deleted (None for one that lies on the table), and
        what all `imported` games take. Raises `UserError` (no-house).
        """
        self._access.check(requester)
        return self._past.stored(self._finished(), before)

    @goes_through_loop
    def delete(self, number: int, requester: Requester) -> None:
        """Delete a past game for good, and the results of the people who played it. Raises `UserError`."""
        self._access.check(requester)

        def delete(table: Table) -> None:
            deleting.delete(table.journal, number)
            table.session.end_replay_of(number)

        self._loop.call_paced(delete)
        self._past.forget(number)

    @goes_through_loop
    def replay(self, number: int | None, step: int = 0, requester: Requester = ANONYMOUS) -> None:
        """Show a step of a finished game on board and table view, or (None) nothing more; not while a game runs."""
        replayed = None if number is None else self._replay_step(number, step)
        self._calls.of_players(requester, lambda table: table.session.replay(replayed))

    def _replay_step(self, number: int, step: int) -> ReplayStep:
        history, moment, cues = self._past.moment(number, step, self._finished())
        shown = {"game": number, "step": step, "steps": len(history), **moment}
        slug, name = ("", "") if history.board is None else (history.board.slug, history.board.name)
        return ReplayStep(history.game, slug, history.shown_on or "", name, cues, shown)
