"""The loop: one thread owns the table. Other threads put items in its inbox, and wait for the answer if there is one.

Threads of drivers put edges, presses and faults there; web requests put calls. If a call fails through a fault of ours
before anything was committed, it is refused, and nothing has changed. If the table fails otherwise, the loop stops and
says so; the journal ends with the last act that was published.
"""

from __future__ import annotations

import logging
import queue
import sqlite3
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from contextlib import suppress
from math import inf
from pathlib import Path
from random import SystemRandom
from typing import Any, Final, TypeVar

from engine.text import Text
from firmware_host.admin.upkeep import HALTED
from firmware_host.board.board_io import SCREEN_SECONDS
from firmware_host.core.errors import UserError, place_of
from firmware_host.core.guarded import GameFault
from firmware_host.core.logbook import MAKERS
from firmware_host.core.time_limit import WATCH
from firmware_host.records.checks import Checks
from firmware_host.records.journal import CannotWrite, JournalError
from firmware_host.table.followers import Followers
from firmware_host.table.inbox import BoundedInbox, Flooded
from firmware_host.table.lanes import STRANGERS
from firmware_host.table.pacing import BUSY, SHORTEST_DELAY, Gate
from firmware_host.table.table import Table
from hardware.ports import Note

T = TypeVar("T")
TIMEOUT = 10.0
"""Seconds that a web request waits for the loop."""

LONGEST_REST = 1.0
"""Maximum seconds between two turns."""
ANSWER_SECONDS = SHORTEST_DELAY / 5
"""Seconds until the next tick after a call, if a seat may act in secret then."""
DECOY_SECONDS = 3.0
"""Mean seconds between two times at which the loop pretends to make secret pictures."""
TYPICAL_WORK = 0.05
"""The share of `Pace.work` that secret pictures usually take."""
LONGEST_COMMIT = 60.0
"""Seconds that a commit to a slow disk may take."""
LEAST_FRAME_SECONDS = 0.001
"""Minimum seconds between two frames of the lamps."""

AT_IT = Text("The table is still working on it. Look at your screen before you try again.")
FAILED = Text("The table has stopped because of a fault. Restart it.")
STOPPED = Text("The table has stopped. Restart it.")
BROKEN = Text(
    "Something went wrong at the table, and nothing was done. The game is safe. Try again; if it happens again, reload "
    "the page."
)

log = logging.getLogger("firmware_host")


NOTHING: Final = object()
"""A turn in which the inbox was empty."""


def spin(seconds: float) -> None:
    """Wait, and keep the processor busy."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


class Call:
    """A call of the table that waits for an answer."""

    def __init__(self, call: Callable[[Table], Any]) -> None:
        self._call = call
        self.answer: Future[Any] = Future()

    def run(self, table: Table, feed: Callable[[], None] = lambda: None) -> bool:
        """Run the call, unless the caller has gone.

        Then publish its effects, and those of `feed`. Return whether they were published. After a fault with something
        committed, journal and memory may disagree, so the loop has to stop. Any other error goes to the caller only.
        """
        # The caller has given up and has told its user so, so do nothing.
        if not self.answer.set_running_or_notify_cancel():
            return False
        commits = table.journal.commits
        try:
            result = self._call(table)
        except UserError as error:
            self.answer.set_exception(error)
        except CannotWrite as error:
            table.upkeep.check_disk()
            self.answer.set_exception(UserError("halted", HALTED[error.why]))
        except GameFault as fault:
            # An act was written but not published.
            if table.journal.commits != commits:
                table.fail(fault)
            else:
                fault.log()
            self.answer.set_exception(UserError(fault.code, fault.sentence))
        except BaseException as error:
            passing = isinstance(error, Exception) and not isinstance(error, JournalError)
            if not passing or table.journal.commits != commits:
                self.answer.set_exception(UserError("not-now", FAILED))
                raise
            try:
                log.error("A call was refused because of a fault: %s", place_of(error), extra=MAKERS)
            finally:
                # Even if the log cannot be written, the caller gets an answer.
                self.answer.set_exception(UserError("broken", BROKEN))
        else:
            try:
                # Publish before answering, so that the caller sees the effects of its call. Bots act later, because the
                # caller would notice how long they think.
                feed()
                table.show()
            finally:
                self.answer.set_result(result)
            return True
        return False


class Loop:
    """Runs a table in its own thread."""

    def __init__(
        self,
        make_table: Callable[[Callable[[Note], None]], Table],
        clock: Callable[[], float],
        beat: Callable[[], None] = lambda: None,
        rest: Callable[[float], None] = time.sleep,
        inbox: BoundedInbox | None = None,
        spin: Callable[[float], None] = spin,
    ) -> None:
        """`beat` is called at each turn, at least once a second while the loop works; `rest` lets a caller wait, and
        `spin` does so without leaving the processor to others. A `clock` that is not monotonic time needs an `inbox`
        that waits by it.
        """
        self._inbox = BoundedInbox(clock) if inbox is None else inbox
        self.clock = clock
        self._beat = beat
        self._table = make_table(self._inbox.put)
        self._pace, self._rest, self._spin = self._table.pace, rest, spin
        self._turn_began = 0.0
        self._gates: dict[str, Gate] = {}
        self._disk = ThreadPoolExecutor(1, "disk")
        self._work_due = -inf
        """The time of the table's next work other than animating lamps, unless something arrives earlier."""
        self._random, self._decoy_due = SystemRandom(), inf
        self._table.before_pictures, self._table.pad = self._let_screens_have_lamps, self._pad
        self.thread = threading.Thread(target=self._run, name="table", daemon=True)
        self._stopped = False
        self.used_at = clock()
        """The time when the table was opened, or of the last request; some work waits until no one uses the table."""
        self.fault: BaseException | None = None
        """The error that stopped the loop, if any."""

    @property
    def failed(self) -> bool:
        """Whether the loop has ended although no one has stopped it.

        A game can end it without a fault: by a function for `threading.settrace` that raises an error.
        """
        return self.fault is not None or not (self.thread.ident is None or self._stopped or self.thread.is_alive())

    @property
    def game_on_screens(self) -> str:
        """The name of the game that the public screens show, in the lobby that of the chosen one; for any thread."""
        return self._table.session.game_on_screens.name

    @property
    def followers(self) -> Followers:
        """Where the table publishes its pictures; for any thread."""
        return self._table.followers

    @property
    def journal(self) -> tuple[Path, Checks]:
        """The path of the journal and which games in it were checked, for threads that read past games."""
        return self._table.journal.path, self._table.journal.checks

    def start(self) -> None:
        """Start the loop."""
        self.used_at = self.clock()
        self.thread.start()

    def stop(self) -> None:
        """Stop the loop; the table closes its board and journal. A game that hangs does not delay this."""
        self._stopped = True
        self._inbox.put(None)
        WATCH.cut_short()
        if self.thread.ident is None:
            self._table.close()
        else:
            self.thread.join(TIMEOUT)

    def call_paced(self, call: Callable[[Table], T], lane: str = STRANGERS) -> T:
        """Return the table's answer to a caller in `lane`. While another lane may be acting in secret, the caller goes
        through the lane's gate and gets the answer after a delay that does not depend on that act. Raises `UserError`.
        """
        # `setdefault` is atomic for strings, so two threads of a lane get the same gate.
        gate = self._gates.setdefault(lane, Gate(self._pace, self.clock, self._rest))
        if self._table.snapshot.hiding - {lane}:
            with gate.take_turn():
                return self.call(call)
        came = self.clock()
        try:
            return self.call(call)
        finally:
            if self._table.snapshot.hiding - {lane}:  # because of this call, or an earlier one in the inbox
                gate.wait(came)

    def call(self, call: Callable[[Table], T]) -> T:
        """Return the table's answer, in any thread. Raises `UserError`."""
        if not self.thread.is_alive():
            raise UserError("not-now", STOPPED)
        item = Call(call)
        try:
            self._inbox.put(item)
            answer: T = item.answer.result(TIMEOUT)
        except Late:
            # A call that is running cannot be cancelled, and may still succeed.
            raise UserError("busy", BUSY if item.answer.cancel() else AT_IT) from None
        return answer

    def processor_seconds(self) -> float:
        """Return the processor time of the loop so far; 0 if it does not run."""
        thread = self.thread.ident if self.thread.is_alive() else None
        return 0.0 if thread is None else time.clock_gettime(time.pthread_getcpuclockid(thread))

    def read(self, read: Callable[[Table], T]) -> T:
        """Read what the table has published, in any thread, also when the loop has ended. The time does not depend on
        the loop.
        """
        return read(self._table)

    def _commit(self, commit: Callable[[], object]) -> None:
        """Write a commit."""
        began = self.clock()
        try:
            if self._table.board.io.next_frame < began + LONGEST_COMMIT:
                self._commit_in_thread(commit)
            else:  # switching threads would take as much processor time as the commit
                commit()
        finally:
            self._pace.note_commit(self.clock() - began)
            if self._table.snapshot.hiding:
                self._let_screens_have_lamps()

    def _commit_in_thread(self, commit: Callable[[], object]) -> None:
        """Write a commit in another thread. The lamps continue, so that they do not show how long it takes."""
        done = self._disk.submit(commit)
        while not done.done():
            with suppress(Late):
                done.exception(self._animate())
        done.result()

    def _pad(self, began: float, noticed: bool) -> None:
        """Wait until this turn of the loop has taken a multiple of the step; see `Table.pad`."""
        now, work = self.clock(), self._pace.work
        # Requests are slower while the loop works. So the loop pretends to work for a multiple of a fixed time, if
        # others know when it began. If they don't, a whole step would reveal the act, so the loop only works a little
        # longer, as it also does at random times. Lamps wait meanwhile, because a frame now would reveal how long the
        # pictures took.
        self._work_for(work - (now - began) % work if noticed else self._random.random() * work)

    def _work_for(self, seconds: float) -> None:
        """Pretend to work, then wait until this turn of the loop has taken a multiple of the step."""
        step, end = self._pace.step, self.clock() + seconds
        self._spin(seconds)
        self._wait(step - (end - self._turn_began) % step)

    def _plan_decoy(self) -> float:
        """Return when the loop works at a random time next, so that no one can tell when a seat acts in secret."""
        if not self._table.snapshot.hiding:
            self._decoy_due = inf
        elif self._decoy_due == inf:
            self._decoy_due = self.clock() + self._random.expovariate(1 / DECOY_SECONDS)
        return self._decoy_due

    def _wait(self, seconds: float) -> None:
        """Wait while the lamps continue as they were."""
        end = self.clock() + seconds
        while seconds > 1e-6:  # longer than a rounding error
            part = max(0.0, min(self._animate(), end - self.clock()))
            self._rest(part)
            # `rest` may return without moving the clock.
            seconds = min(seconds - part, end - self.clock())

    def _let_screens_have_lamps(self) -> None:
        """Wait until screens have the animated lamps that they get soon.

        If they got them late, everyone could see how long the acts and pictures of a secret seat take.
        """
        board, soon = self._table.board.io, 2 * self._pace.work
        # Leave half of the time for everything else.
        board.screen_seconds = max(SCREEN_SECONDS, 2 * soon)
        waits = board.next_on_screens - self.clock()
        if waits < soon:
            self._wait(waits)
            self._animate()

    def _animate(self) -> float:
        """Continue the lamps as they were. Return the seconds until their next frame."""
        try:
            self._table.repeat_lamps()
            return max(LEAST_FRAME_SECONDS, min(self._table.board.io.next_frame - self.clock(), LONGEST_REST))
        except Exception as error:  # an act is being written; the next turn of the loop will raise the error again
            log.error("The lamps cannot be animated: %s", place_of(error), extra=MAKERS)
            return LONGEST_REST

    def _run(self) -> None:
        self._table.journal.waiting = self._commit
        self._disk.submit(int)  # start the thread now: its start must not reveal the first act while lamps are animated
        WATCH.begin_turn()
        try:
            self._table.open()
            while self._turn():
                self._beat()
        except BaseException as error:  # any error: no caller may wait for a loop that has ended
            self.fault = error
            if isinstance(error, JournalError | sqlite3.Error):
                self._table.journal.request_check()
            print(_where(error), file=sys.stderr)
        finally:
            try:
                self._table.close()
            except Exception as error:
                print(_where(error), file=sys.stderr)
            self._disk.shutdown(wait=False)
            self._refuse_the_rest()

    def _turn(self) -> bool:
        waits = min(self._work_due, self._table.board.io.next_frame) - self.clock()
        try:
            item = self._inbox.get(timeout=max(0.0, waits))
        except queue.Empty:
            item = NOTHING
            # Lamps may glide for hours after a game, and a turn costs many times what a frame does.
            if self.clock() < self._work_due:
                self._table.repeat_lamps()
                return True
        if self._table.snapshot.hiding:
            self._let_screens_have_lamps()
        WATCH.begin_turn()
        self._turn_began, fault, shown = self.clock(), self._table.fault, False
        if isinstance(item, Call):
            hiding = self._table.snapshot.hiding
            shown = item.run(self._table, self._feed)
            if self._table.snapshot.hiding - hiding:
                # Bots may begin to think now, which would delay the screens.
                self._wait(ANSWER_SECONDS)
        elif isinstance(item, Flooded):
            self._table.board.io.note_overload(item.on)
        elif isinstance(item, Note):
            self._table.feed(item)
            self._feed()
        elif self.clock() >= self._decoy_due:
            self._decoy_due = inf
            self._work_for((self._random.random() + TYPICAL_WORK) * self._pace.work)
        if self._table.fault is not fault:
            pass  # the next turn tries again, with a new time limit
        elif shown:
            self._table.let_bots_act()
        else:
            self._table.tick()
        # One second at most, because `beat` feeds the watchdog of systemd.
        self._work_due = min(self._table.work_due(), self._plan_decoy(), self.clock() + LONGEST_REST)
        return item is not None

    def _feed(self) -> None:
        """Take the reports of drivers that have arrived."""
        for note in self._inbox.take_notes():
            self._table.feed(note)

    def _refuse_the_rest(self) -> None:
        while not self._inbox.empty():
            item = self._inbox.get(timeout=0.0)
            if isinstance(item, Call) and item.answer.set_running_or_notify_cancel():
                item.answer.set_exception(UserError("not-now", STOPPED))


def _where(error: BaseException) -> str:
    """Return the types of the errors and their places in the code.

    The messages are left out, because they could contain secrets.
    """
    causes = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None and cause not in causes:
        causes.append(cause)
    parts = ["".join(traceback.format_tb(it.__traceback__)) + f"{type(it).__name__}\n" for it in reversed(causes)]
    return "The table has failed:\n" + "".join(parts)
