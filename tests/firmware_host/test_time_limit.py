"""Whatever a game does with a thread of the table, the thread returns, or the process ends and names the game."""

from __future__ import annotations

import ctypes
import logging
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.core import missions
from firmware_host.core.guarded import GameFault, checked, checked_installed
from firmware_host.core.hang_note import LESSONS, PAGES, Purpose
from firmware_host.core.remembered import RETRY_SECONDS, Remembered
from firmware_host.core.time_limit import (
    LEAST_RECURSION,
    MOST_RECURSION,
    TURN_LIMIT,
    WATCH,
    Shrinking,
    TimeUp,
    TooMuchMemory,
    _Call,
    waited,
)
from firmware_host.table import lessons
from tests.firmware_host.failing_games import hangs
from tests.firmware_host.test_hang_note import leaving_out
from tests.patience import PATIENCE, until

ROOT = Path(__file__).resolve().parents[2]
PROFILED = """
import sys
from firmware_host.core.time_limit import WATCH, TimeUp
from tests.firmware_host.failing_games import hangs

WATCH.patience = 0.02
try:
    WATCH.run("a-game", 1.0, hangs)
except TimeUp:
    sys.setprofile(lambda *_: None)
    (lambda: None)()
    sys.setprofile(None)
    print("went on")
"""


def in_thread(work: Callable[[], object]) -> None:
    """Do the work in a thread of its own, and wait for its end."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(PATIENCE)


@pytest.fixture(autouse=True)
def short_limits() -> Iterator[None]:
    WATCH.patience = 0.02
    yield
    WATCH.patience = 1.0


def test_endless_call_raises_in_its_thread() -> None:
    with pytest.raises(TimeUp):
        WATCH.run("a-game", 1.0, hangs)
    assert WATCH.run("a-game", 1.0, lambda: 5) == 5


def test_stopped_call_leaves_nothing_that_interrupts_later_calls() -> None:
    """A profiled call would never return in Python 3.11."""
    command = [sys.executable, "-c", PROFILED]
    ended = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=120)
    assert ended.stdout == "went on\n"


@pytest.mark.parametrize(("limit", "left"), [(500, LEAST_RECURSION), (2000, 2000), (10**6, MOST_RECURSION)])
def test_recursion_limit_that_a_game_sets_has_bounds(limit: int, left: int) -> None:
    """A high one let deep recursion overflow the stack, which ends the process."""
    before = sys.getrecursionlimit()
    try:
        WATCH.run("a-game", 3.0, sys.setrecursionlimit, limit)
        assert WATCH.run("a-game", 3.0, sys.getrecursionlimit) == left
    finally:
        sys.setrecursionlimit(before)


def test_stopped_call_leaves_no_lock_of_the_log() -> None:
    """The next line of the log waited for a game that had been stopped while it logged, for good."""
    handler, other, free = logging.StreamHandler(), logging.StreamHandler(), list[bool]()
    other.lock = threading.Lock()  # type: ignore[assignment]
    assert handler.lock is not None

    def logs() -> None:
        handler.acquire()
        logging._lock.acquire()  # type: ignore[attr-defined]
        hangs()

    def look() -> None:
        for lock in (handler.lock, logging._lock):  # type: ignore[attr-defined]
            free.append(lock.acquire(blocking=False))
            if free[-1]:
                lock.release()

    WATCH.patience = 0.05
    with pytest.raises(TimeUp):
        WATCH.run("a-game", 1.0, logs)
    in_thread(look)
    assert free == [True, True]


def test_only_outermost_call_counts() -> None:
    def outer() -> None:
        WATCH.run("another", 1000.0, hangs)

    with pytest.raises(GameFault, match="a-game took too long"):
        checked("a-game", outer, limit=1.0)


def test_no_exception_comes_after_its_call_has_ended() -> None:
    def just_in_time() -> None:
        end = time.monotonic() + 0.02
        while time.monotonic() < end:
            pass

    late = 0
    for _ in range(100):
        try:
            WATCH.run("a-game", 1.0, just_in_time)
        except TimeUp:
            late += 1
        for _ in range(1000):  # a late exception would come here
            len("")
    assert 0 <= late <= 100


def test_each_thread_has_its_own_limit() -> None:
    ended: list[type[BaseException]] = []

    def run() -> None:
        try:
            WATCH.run("a-game", 1.0, hangs)
        except TimeUp as error:
            ended.append(type(error))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert ended == [TimeUp] * 4


def test_stopping_table_does_not_wait_for_a_game() -> None:
    WATCH.patience = 1000.0
    begun = threading.Event()

    def work() -> None:
        begun.set()
        hangs()

    def stop() -> None:
        begun.wait(60)
        WATCH.cut_short()

    threading.Thread(target=stop).start()
    with pytest.raises(TimeUp):
        WATCH.run("a-game", 3.0, work)


def test_several_hanging_games_do_not_delay_start() -> None:
    limit, given, imported = Shrinking(), 0.0, []

    def late(number: int) -> None:
        imported.append(number)
        raise TimeUp

    for number in range(20):
        given += limit.seconds
        with pytest.raises(GameFault):
            checked_installed("a-game", late, number, limit=limit)
    assert len(imported) == 20
    assert given < 90 / 2, "a call may take twice its limit by the clock"
    before = limit.seconds
    assert checked_installed("a-game", lambda: 5, limit=limit) == 5
    assert limit.seconds == before


def test_call_that_catches_every_exception_is_ended() -> None:
    ends: list[float] = []

    def once() -> Any:
        try:
            hangs()
        except BaseException:
            ends.append(1.0)
            hangs()

    with pytest.raises(TimeUp):
        WATCH.run("a-game", 1.0, once)
    assert ends


def test_all_calls_of_game_in_one_turn_share_limit() -> None:
    def turn() -> None:
        WATCH.begin_turn()
        try:
            while True:
                WATCH.run("a-game", 10.0, len, "")
        except TimeUp:
            late.append("a-game")
        late.append(WATCH.run("another", 10.0, str, "another"))
        WATCH.begin_turn()
        late.append(WATCH.run("a-game", 10.0, str, "again"))

    late: list[str] = []
    in_thread(turn)
    assert late == ["a-game", "another", "again"]


def test_wait_that_is_read_late_counts_at_the_next_reading() -> None:
    call = _Call(Purpose("a-game"), (0, 0), limit=1.0, now=0.0, deadline=1.0, waits=0.0)
    for waits in (0.25, 0.3):
        call.extend(waits, passed=0.15)
    assert call.deadline == pytest.approx(1.3)


def test_waiting_for_the_processor_is_not_the_fault_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy computer, a running game was closed for good."""
    began, WATCH.patience = time.monotonic(), 0.3

    def sleeps() -> str:
        # Not `until`: each of its looks takes processor time, on a busy computer with what other systems take.
        threading.Event().wait(1.5 * TURN_LIMIT * WATCH.patience)
        return "slept"

    with pytest.raises(TimeUp):
        WATCH.run("a-game", 1.0, until, lambda: False)
    # A thread that gets nothing of the processor waits for all the time that passes.
    monkeypatch.setattr(WATCH, "waited", lambda thread: time.monotonic() - began)
    ended: list[str] = []

    def turn() -> None:
        WATCH.begin_turn()
        ended.extend(WATCH.run("a-game", 10.0, sleeps) for _ in range(2))

    in_thread(turn)
    assert ended == ["slept", "slept"]


def test_system_counts_how_long_a_thread_waits() -> None:
    before = waited(threading.get_native_id())
    assert 0.0 <= before <= waited(threading.get_native_id()) < time.monotonic()
    assert waited(0) == 0.0


def test_watching_thread_gets_no_signals() -> None:
    """Python runs a handler in the main thread, whichever thread the signal reaches, also where that has blocked it."""
    with pytest.raises(TimeUp):
        WATCH.run("a-game", 1.0, hangs)  # the thread is at work
    assert WATCH._thread is not None
    status = Path(f"/proc/self/task/{WATCH._thread.native_id}/status").read_text("ascii")
    (blocked,) = [int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigBlk:")]
    assert blocked & 1 << signal.SIGINT - 1
    assert blocked & 1 << signal.SIGTERM - 1
    assert blocked & 1 << signal.SIGUSR2 - 1


@pytest.mark.parametrize("limit", [0.5, 1e9])
def test_no_time_passes_while_something_holds_the_interpreter(limit: float) -> None:
    """A sound game was closed because another one held the interpreter in the meantime."""
    WATCH.patience = TURN_LIMIT / 100 if limit > 1 else 1.0
    held, ended = threading.Event(), list[str]()

    def turn() -> None:
        WATCH.begin_turn()
        ended.append(WATCH.run("a-game", limit, lambda: held.wait(PATIENCE) and "waited"))
        ended.append(WATCH.run("a-game", limit, str, "again"))

    thread = threading.Thread(target=turn)
    thread.start()
    until(lambda: thread.ident in WATCH._calls)
    ctypes.PyDLL(None).usleep(1_500_000)  # sleeps without releasing it
    held.set()
    thread.join(PATIENCE)
    assert ended == ["waited", "again"]


def test_note_says_for_what_a_game_was_called(tmp_path: Path) -> None:
    purposes: list[Purpose] = []

    def note() -> None:
        (call,) = [call for call in WATCH._calls.values() if call.thread == threading.get_ident()]
        purposes.append(call.purpose)

    def turn() -> None:
        WATCH.run("a-game", 3.0, note)
        with WATCH.serving(LESSONS):
            WATCH.run("a-game", 3.0, note)
        WATCH.run("a-game", 3.0, note)
        WATCH.begin_turn()
        WATCH.run("a-game", 3.0, note)

    in_thread(turn)
    WATCH.run("a-game", 3.0, note)
    assert [purpose.feature for purpose in purposes] == [PAGES, LESSONS, PAGES, "", ""]


def test_what_a_stopped_call_has_filled_is_given_back() -> None:
    """The frames of the call stayed with the fault: a few such requests ended the table."""

    class Held: ...

    kept: list[weakref.ref[Held]] = []

    def fill() -> None:
        held = Held()
        kept.append(weakref.ref(held))
        raise TooMuchMemory

    with pytest.raises(GameFault) as fault:
        checked("a-game", fill)
    assert str(fault.value.reason) == "it needed too much memory"
    assert kept[0]() is None


def test_game_is_not_called_for_what_has_hung() -> None:
    WATCH.leave_out((Purpose("a-game", LESSONS),))
    try:
        with WATCH.serving(LESSONS):
            assert WATCH.run("another", 3.0, len, "") == 0
            with pytest.raises(GameFault):
                checked("a-game", len, "")
        assert WATCH.run("a-game", 3.0, len, "") == 0
    finally:
        WATCH.leave_out(())


def test_feature_that_has_hung_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lessons, "REMEMBERED", Remembered())
    with leaving_out(Purpose("sniper-elite", LESSONS), Purpose("stalingrad")) as found:
        assert lessons.of_game("sniper-elite") == ()
        assert missions.of_game("sniper-elite")
    assert "stalingrad" not in found.games
    (fault,) = [fault for fault in found.faults if fault.name == "sniper-elite"]
    assert str(fault.sentence).startswith("The game sniper-elite is offered without its lessons: it stopped the table")


def test_result_after_a_fault_is_made_again_once_a_minute() -> None:
    now = [0.0]
    results = Remembered[str, int](lambda: now[0])

    def again() -> tuple[int, bool]:
        assert results.get("b", unasked) == 2, "another thread does not ask at the same time"
        return 3, False

    def unasked() -> tuple[int, bool]:
        raise AssertionError

    assert results.get("a", lambda: (1, True)) == 1
    assert results.get("b", lambda: (2, False)) == 2
    now[0] = RETRY_SECONDS - 1
    assert (results.get("a", unasked), results.get("b", unasked)) == (1, 2)
    now[0] = RETRY_SECONDS + 1
    assert (results.get("a", unasked), results.get("b", again)) == (1, 3)


@pytest.mark.parametrize("later", ["an error", "a result that is not remembered"])
def test_no_fault_outlives_the_next_call(later: str) -> None:
    """After a fault and a success, a puzzle could not be answered, again and again."""
    now, results = [0.0], Remembered[str, str]()
    results.clock = lambda: now[0]
    assert results.get("a", lambda: ("fault", False)) == "fault"
    now[0] = RETRY_SECONDS + 1

    def fails() -> tuple[str, bool]:
        raise LookupError

    if later == "an error":
        with pytest.raises(LookupError):
            results.get("a", fails)
    else:
        assert results.get("a", lambda: ("good", None)) == "good"
    assert results.get("a", lambda: ("good", True)) == "good"
