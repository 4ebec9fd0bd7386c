"""The loop: one thread owns the table; everybody else leaves a note in its inbox and waits for the answer, if any.

Drivers' threads leave edges, presses and ailments, web requests leave calls. A call that fails by a fault of our own
before anything was committed is refused, and nothing has changed. If the table fails otherwise, the loop stops, says so
to whoever asks, and the journal is left as it was after the last act that anybody heard of.
"""

from __future__ import annotations

import logging
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, wait
from concurrent.futures import TimeoutError as Late
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import GameFault
from firmware_host.core.logbook import MAKERS
from firmware_host.core.time_limit import WATCH
from firmware_host.records.journal import CannotWrite, JournalError
from firmware_host.records.judging import DamagedGame
from firmware_host.table.aside import Aside
from firmware_host.table.followers import Followers
from firmware_host.table.inbox import BoundedInbox, Crowded
from firmware_host.table.lanes import STRANGERS
from firmware_host.table.pacing import BUSY, Gate, Pace
from firmware_host.table.table import Table
from hardware.ports import Note

T = TypeVar("T")
PATIENCE = 10.0
"""Seconds that a web request waits for the loop."""

LEAST = 0.001
"""Seconds between two frames of the lamps, at least."""

AT_IT = Text("The table is busy with it still. Look at your screen before you try again.")
STOPPED = Text("The table has stopped because of a fault; restart it.")
BROKEN = Text(
    "Something went wrong at the table, and nothing was done. The game is safe. Try again; if it happens again, load "
    "the page anew."
)

log = logging.getLogger("firmware_host")


NOTHING: Final = object()
"""Stands for a turn in which nobody has left a note."""


class Call:
    """A note that wants an answer."""

    def __init__(self, call: Callable[[Table], Any]) -> None:
        self._call = call
        self.answer: Future[Any] = Future()

    def run(self, table: Table) -> None:
        """Run it, unless the caller has gone. A `UserError` goes to the caller, and so does a fault before anything was
        committed; one after that is the loop's business, for journal and memory may disagree.
        """
        if not self.answer.set_running_or_notify_cancel():
            return
        commits = table.journal.commits
        try:
            found = self._call(table)
            table.publish()
        except UserError as error:
            self.answer.set_exception(error)
        except CannotWrite as error:
            self.answer.set_exception(table.cannot_write(error))
        except GameFault as fault:
            if table.journal.commits != commits:
                table.contain(fault)
            else:
                fault.log()
            self.answer.set_exception(UserError(fault.code, fault.sentence))
        except BaseException as error:
            passing = isinstance(error, Exception) and not isinstance(error, JournalError)
            if not passing or table.journal.commits != commits:
                self.answer.set_exception(UserError("not-now", STOPPED))
                raise
            try:
                log.error("A call was refused because of a fault: %s", _place(error), extra=MAKERS)
            finally:
                self.answer.set_exception(UserError("broken", BROKEN))
        else:
            self.answer.set_result(found)


class Inbox(Protocol):
    """Where notes lie, None to end it all; anybody puts one in, and the loop alone takes them out."""

    def put(self, item: Call | Note | None) -> None:
        """Leave a note."""

    def get(self, *, timeout: float) -> object:
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
        """`beat` is called at each turn, at least once a second while all is well; `rest` lets a caller wait. A `clock`
        that is not the machine's needs an `inbox` that waits by it.
        """
        self._inbox: Inbox = BoundedInbox(clock) if inbox is None else inbox
        self._clock = clock
        self._beat = beat
        self._table = make_table(self._inbox.put)
        self._pace, self._rest = Pace(), rest
        self._gates: dict[str, Gate] = {}
        self._disk = Aside("disk")
        self._table.heard = self._pace.heard
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
    def journal(self) -> tuple[Path, tuple[DamagedGame, ...]]:
        """Where the table's journal lies and which games in it are damaged, for whoever reads past games beside it."""
        return self._table.journal.path, self._table.journal.damaged

    def start(self) -> None:
        """Begin to work off the inbox."""
        self._thread.start()

    def stop(self) -> None:
        """Work off nothing more; the table lets go of its board and journal. A game that hangs does not hold it up."""
        self._inbox.put(None)
        WATCH.cut_short()
        if self._thread.ident is None:
            self._table.close()
        else:
            self._thread.join(PATIENCE)

    def join(self, timeout: float) -> bool:
        """Wait for the end of the loop; whether it has ended."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def call_paced(self, call: Callable[[Table], T], lane: str = STRANGERS) -> T:
        """Return the table's answer to a caller in `lane`, who must not notice that the table is busy with a secret act
        of another lane. While there can be such an act, the caller goes through the lane's gate, and the answer comes
        after a delay that does not depend on the act. Raises `UserError`.
        """
        if not self._table.snapshot.hiding - {lane}:
            return self.call(call)
        with self._gates.setdefault(lane, Gate(self._pace, self._clock, self._rest)).through():
            return self.call(call)

    def call(self, call: Callable[[Table], T]) -> T:
        """The table's answer, from any thread. Raises `UserError`."""
        if not self._thread.is_alive():
            raise UserError("not-now", Text("The table has stopped; restart it."))
        note = Call(call)
        try:
            self._inbox.put(note)
            found: T = note.answer.result(PATIENCE)
        except Late:
            raise UserError("busy", BUSY if note.answer.cancel() else AT_IT) from None
        return found

    @property
    def alive(self) -> bool:
        """Whether it works off its inbox."""
        return self._thread.is_alive()

    def read(self, read: Callable[[Table], T]) -> T:
        """Read what the table has laid out for everybody, which it replaces and never changes. Works from any thread,
        and also when the loop has ended. How long that takes does not depend on what the loop is doing.
        """
        return read(self._table)

    def _aside(self, commit: Callable[[], object]) -> None:
        """Carry a commit out. The lamps go on meanwhile as they were, so that nobody sees how long it takes."""
        began = self._clock()
        done = self._disk.begin(commit)
        while not done.done():
            try:
                self._table.glow()
                wait([done], max(LEAST, min(self._table.board.io.next_frame - self._clock(), 1.0)))
            except Exception as error:  # whatever it was, the commit goes on; the next turn of the loop meets it again
                log.error("The lamps stand still: %s", _place(error), extra=MAKERS)
                wait([done])
        self._pace.took(self._clock() - began)
        done.result()

    def _run(self) -> None:
        self._disk.start()
        self._table.journal.waiting = self._aside
        WATCH.begin_turn()
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
            self._disk.stop()
            self._refuse_the_rest()

    def _turn(self) -> bool:
        commits = self._table.journal.commits
        waits = max(0.0, self._table.due() - self._clock())
        try:
            note = self._inbox.get(timeout=min(waits, 1.0))
        except queue.Empty:
            note = NOTHING
        WATCH.begin_turn()
        if isinstance(note, Call):
            note.run(self._table)
        elif isinstance(note, Crowded):
            self._table.board.io.crowd(note.on)
        elif isinstance(note, Note):
            self._table.feel(note)
        self._table.tick()
        if self._table.journal.commits != commits:
            WATCH.prove()
        return note is not None

    def _refuse_the_rest(self) -> None:
        while not self._inbox.empty():
            note = self._inbox.get(timeout=0.0)
            if isinstance(note, Call) and note.answer.set_running_or_notify_cancel():
                note.answer.set_exception(UserError("not-now", Text("The table has stopped; restart it.")))


def _where(error: BaseException) -> str:
    """What went wrong and where in the code. Not the error's own words: they could name what somebody must not know."""
    causes = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None and cause not in causes:
        causes.append(cause)
    told = [
        line for it in reversed(causes) for line in (*traceback.format_tb(it.__traceback__), type(it).__name__ + "\n")
    ]
    return "The table has failed:\n" + "".join(told)


def _place(error: BaseException) -> str:
    """Where in the code something went wrong, in a line, and nothing of what it was about."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {place.filename}, line {place.lineno}"


def monotonic() -> float:
    """The loop's clock, in seconds."""
    return time.monotonic()
