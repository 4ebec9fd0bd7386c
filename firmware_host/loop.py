"""The loop: one thread owns the table; everybody else leaves a note in its inbox and waits for the answer, if any.

Drivers' threads leave edges, presses and ailments, web requests leave calls. If the table fails by a fault of its own,
the loop stops, says so to whoever asks, and the journal is left as it was after the last act that anybody heard of.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from pathlib import Path
from typing import Any, Protocol, TypeVar

from engine.said import Said
from firmware_host.face import Slip
from firmware_host.followers import Followers
from firmware_host.records.journal import CannotWrite
from firmware_host.records.judging import Damaged
from firmware_host.table import Table
from hardware.ports import Note

T = TypeVar("T")
PATIENCE = 10.0
"""Seconds that a web request waits for the loop."""
AT_ONCE = 8
"""Calls that lie in the inbox at the same time; who calls later waits outside, so that an edge never waits for many."""

PACE = 0.1
"""Seconds. While somebody may act in secret, others get their answers at multiples of this. It is longer than such an
act takes, and too short to be felt.
"""

BUSY = Said("The table is busy. Try again in a moment.")
AT_IT = Said("The table is busy with it still. Look at your screen before you try again.")


class Call:
    """A note that wants an answer."""

    def __init__(self, ask: Callable[[Table], Any]) -> None:
        self.ask = ask
        self.answer: Future[Any] = Future()

    def run(self, table: Table) -> None:
        """Ask the table, unless the asker has gone; a slip goes to the asker, anything else is the loop's business."""
        if not self.answer.set_running_or_notify_cancel():
            return
        try:
            found = self.ask(table)
            table.post()
        except Slip as slip:
            self.answer.set_exception(slip)
        except CannotWrite as error:
            self.answer.set_exception(table.cannot_write(error))
        except BaseException as error:
            self.answer.set_exception(Slip("not-now", Said("The table has stopped because of a fault; restart it.")))
            raise error
        else:
            self.answer.set_result(found)


class Inbox(Protocol):
    """Where notes lie, None to end it all; anybody puts one in, and the loop alone takes them out, in their order."""

    def put(self, item: Call | Note | None) -> None:
        """Leave a note."""

    def get(self, *, timeout: float) -> Call | Note | None:
        """The next note. Raises `queue.Empty` after `timeout` seconds of the loop's clock."""

    def empty(self) -> bool:
        """Whether none lies there."""


class Loop:
    """Runs a table in a thread of its own."""

    def __init__(
        self,
        make_table: Callable[[Callable[[Note], None]], Table],
        clock: Callable[[], float],
        beat: Callable[[], None] = lambda: None,
        rest: Callable[[float], None] = time.sleep,
        inbox: Inbox | None = None,
    ) -> None:
        """`beat` is called at each turn, at least once a second while all is well; `rest` lets an asker wait. A `clock`
        that is not the machine's needs an `inbox` that waits by it.
        """
        self._inbox: Inbox = queue.SimpleQueue() if inbox is None else inbox
        self._places = threading.BoundedSemaphore(AT_ONCE)
        self._clock = clock
        self._beat = beat
        self._rest = rest
        self._table = make_table(self._inbox.put)
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self.fault: BaseException | None = None
        """What ended the loop by itself."""

    @property
    def failed(self) -> bool:
        """Whether the loop has ended by itself."""
        return self.fault is not None

    @property
    def followers(self) -> Followers:
        """Where the table publishes; safe to use from any thread."""
        return self._table.followers

    @property
    def journal(self) -> tuple[Path, tuple[Damaged, ...]]:
        """Where the table's journal lies and which games in it are damaged, for whoever reads past games beside it."""
        return self._table.journal.path, self._table.journal.damaged

    def start(self) -> None:
        """Begin to work off the inbox."""
        self._thread.start()

    def stop(self) -> None:
        """Work off nothing more; the table lets go of its board and journal."""
        self._inbox.put(None)
        if self._thread.ident is None:
            self._table.close()
        else:
            self._thread.join(PATIENCE)

    def join(self, timeout: float) -> bool:
        """Wait for the end of the loop; whether it has ended."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def ask_unnoticing(self, ask: Callable[[Table], T], seat: str = "") -> T:
        """The table's answer, for somebody (at `seat`) who must not notice that the table is busy with a secret act of
        another: while that can be, the answer is held back to the next multiple of `PACE`. Raises `Slip`.
        """
        came, hiding = self._clock(), self._table.posted.hiding - {seat}
        try:
            return self.ask(ask)
        finally:
            if hiding:
                self._rest(PACE - (self._clock() - came) % PACE)

    def ask(self, ask: Callable[[Table], T]) -> T:
        """The table's answer, from any thread. Raises `Slip`."""
        if not self._thread.is_alive():
            raise Slip("not-now", Said("The table has stopped; restart it."))
        if not self._places.acquire(timeout=PATIENCE):
            raise Slip("busy", BUSY)
        call = Call(ask)
        try:
            self._inbox.put(call)
            found: T = call.answer.result(PATIENCE)
        except Late:
            raise Slip("busy", BUSY if call.answer.cancel() else AT_IT) from None
        finally:
            self._places.release()
        return found

    def look(self, look: Callable[[Table], T]) -> T:
        """What the table has laid out for everybody, which it replaces and never changes; from any thread. How long
        that takes does not depend on what the loop is doing. Raises `Slip`.
        """
        if not self._thread.is_alive():
            raise Slip("not-now", Said("The table has stopped; restart it."))
        return look(self._table)

    def _run(self) -> None:
        try:
            self._table.open()
            while self._turn():
                self._beat()
        except BaseException as error:  # whatever it was: nobody may wait for a loop that is no more
            self.fault = error
            print(_where(error), file=sys.stderr)
        finally:
            try:
                self._table.close()
            except Exception as error:
                print(_where(error), file=sys.stderr)
            self._refuse_the_rest()

    def _turn(self) -> bool:
        wait = max(0.0, self._table.due() - self._clock())
        try:
            note = self._inbox.get(timeout=min(wait, 1.0))
        except queue.Empty:
            self._table.tick()
            return True
        if isinstance(note, Call):
            note.run(self._table)
        elif note is not None:
            self._table.feel(note)
        self._table.tick()
        return note is not None

    def _refuse_the_rest(self) -> None:
        while not self._inbox.empty():
            note = self._inbox.get(timeout=0.0)
            if isinstance(note, Call) and note.answer.set_running_or_notify_cancel():
                note.answer.set_exception(Slip("not-now", Said("The table has stopped; restart it.")))


def _where(error: BaseException) -> str:
    """What went wrong and where in the code. Not the error's own words: they could name what somebody must not know."""
    causes = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None and cause not in causes:
        causes.append(cause)
    told = [
        line for it in reversed(causes) for line in (*traceback.format_tb(it.__traceback__), type(it).__name__ + "\n")
    ]
    return "The table has failed:\n" + "".join(told)


def monotonic() -> float:
    """The loop's clock, in seconds."""
    return time.monotonic()
