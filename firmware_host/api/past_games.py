"""What screens may ask about past games. They are read outside the loop, which only says which game lies finished on
the table.
"""

from __future__ import annotations

from typing import Any

from firmware_host.admin.access import AdminAccess
from firmware_host.api.rights import CheckedCalls
from firmware_host.core.encoding import Translate
from firmware_host.records import imports, results
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

    def games(self, before: int | None = None) -> dict[str, Any]:
        """Return `games`, the newest first, or those older than number `before`, some at a time, and whether there are
        `more`.

        Each has its `number`, `map` and its `name`, when it `started` and `ended` (seconds since 1970), its `state`
        (running, over, put-away, unknown, damaged), and, unless it runs, the end: `over`, `rounds`, `acts`, `score`,
        `imported`. A damaged one has only `map` and `started`, None if they cannot be read. `bests` are the best scores
        of single players: `number`, `name` and `score`, one for each game that has any.
        """
        return self._past.listed(self._finished(), before)

    def game(self, number: int) -> dict[str, Any]:
        """Return the facts of one game. Raises `UserError` (not-found) if there is none."""
        return self._past.facts(number, self._finished())

    def history(self, number: int, translate: Translate) -> bytes:
        """Return the facts of a finished game and its `steps`, as JSON: what was sent, what was known, what was true.

        Raises `UserError`: not-over for a game that was not played to its end, too-large for a long one.
        """
        return self._past.whole(number, self._finished(), translate)

    def steps(self, number: int, first: int, translate: Translate) -> bytes:
        """Return one page of the same: the steps from number `first`, how many there are (`count`), and the number of
        the next page (`next`). Raises `UserError`.
        """
        return self._past.page(number, first, self._finished(), translate)

    def score(self, number: int) -> dict[str, Any]:
        """Return the `score` of a game of a single player, and the `best` of the games before it; see
        `PastGames.score`. Raises `UserError` (not-found).
        """
        return self._past.score(number, self._finished())

    def ending(self, number: int) -> dict[str, Any]:
        """Return a finished game's figures and its players; see `PastGames.ending`. Raises `UserError` (not-over)."""
        return self._past.ending(number, self._finished())

    def export_record(self, number: int) -> tuple[str, bytes]:
        """Return the file name and record of a finished game. Raises `UserError` (not-over)."""
        return self._past.record(number, self._finished())

    def import_record(self, record: bytes, requester: Requester = ANONYMOUS) -> int:
        """Import the record of a finished game into the journal; return its number here. Raises `UserError`."""
        self._calls.of_players(requester, lambda _: None)
        with self._imports.next():
            sent = imports.read_checked(record)  # slow, so not in the loop; writing is fast
            self._past.check_new(sent, self._finished())
            return self._calls.of_players(requester, lambda table: imports.import_record(table.journal, sent))

    # --- for the admin page ---------------------------------------------------------------------------------------

    def stored(self, requester: Requester, before: int | None = None) -> dict[str, Any]:
        """Return the list of `games` with the `bytes` of each that can be deleted (None for the one on the table), and
        the size of all `imported` games. Raises `UserError` (no-house).
        """
        self._access.check(requester)
        return self._past.stored(self._finished(), before)

    def delete(self, number: int, requester: Requester) -> None:
        """Delete a past game and the results of its players. Raises `UserError`."""
        self._access.check(requester)

        def delete(table: Table) -> None:
            results.delete_game(table.journal, number)
            table.session.end_replay_of(number)

        self._loop.call_paced(delete)
        self._past.forget(number)

    def replay(self, number: int | None, step: int = 0, requester: Requester = ANONYMOUS) -> None:
        """Show a step of a finished game on board and table view, or end that (None); not while a game runs."""
        replayed = None if number is None else self._replay_step(number, step)
        self._calls.of_players(requester, lambda table: table.session.replay(replayed))

    def _replay_step(self, number: int, step: int) -> ReplayStep:
        history, moment, cues = self._past.moment(number, step, self._finished())
        shown = {"game": number, "step": step, "steps": len(history), **moment}
        slug, name = ("", "") if history.board is None else (history.board.slug, history.board.name)
        return ReplayStep(history.game, slug, history.shown_on or "", name, cues, shown)
