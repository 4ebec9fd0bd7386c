"""Whatever a game does with a thread of the table, the thread returns, or the process ends and names the game."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.core import installed, missions
from firmware_host.core.guarded import GameFault, checked, checked_installed
from firmware_host.core.remembered import RETRY_SECONDS, Remembered
from firmware_host.core.time_limit import (
    FEATURES,
    GRACE,
    HELD_LIMIT,
    LESSONS,
    MOST_DEATHS,
    OUR_FAULT,
    PAGES,
    TURN_LIMIT,
    WATCH,
    Hang,
    HangNote,
    Part,
    Shrinking,
    TimeUp,
    _Call,
    waited,
)
from firmware_host.table import lessons
from firmware_host.table.loop import LONGEST_REST
from tests.firmware_host.failing_games import hangs
from tests.patience import PATIENCE, until

ROOT = Path(__file__).resolve().parents[2]
HANGING = """
import sys, threading
from pathlib import Path
from firmware_host.core.time_limit import WATCH, HangNote, Part

WATCH.note, WATCH.patience = HangNote(Path(sys.argv[1])), 0.01
{what}
WATCH.run("a-game", {limit}, work)
"""
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
WAYS = {
    "sleep": ("def work(): threading.Event().wait()", OUR_FAULT),
    "power": ("def work(): return 3 ** (10 ** 10)", -signal.SIGALRM),
    "crash": ("import ctypes\ndef work(): ctypes.string_at(0)", -signal.SIGSEGV),
    "cling": ("from tests.firmware_host.failing_games import clings as work", OUR_FAULT),
}


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


@pytest.mark.parametrize("way", WAYS)
def test_unstoppable_call_ends_process_and_next_start_knows_game(tmp_path: Path, way: str) -> None:
    what, code = WAYS[way]
    note = tmp_path / "hung"
    command = [sys.executable, "-c", HANGING.format(what=what, limit=3.0), str(note)]
    ended = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, timeout=120)
    assert ended.returncode == code, ended.stderr
    assert HangNote.read(note) == Hang(Part("a-game"))


HOLDS = "def work(): print(flush=True); return 3 ** (10 ** 10)"


def test_call_that_holds_the_interpreter_is_ended_long_before_its_limit(tmp_path: Path) -> None:
    """systemd's watchdog ended the table first, so that no one was blamed, again and again."""
    command = [sys.executable, "-c", HANGING.format(what=HOLDS, limit=1e9), str(tmp_path / "hung")]
    ended = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, timeout=120)
    assert ended.returncode == -signal.SIGALRM, ended.stderr
    assert HangNote.read(tmp_path / "hung") == Hang(Part("a-game"))


@pytest.mark.parametrize("progress", ["", "WATCH.prove()"])
def test_watchdog_that_ends_a_hang_leaves_a_trace(tmp_path: Path, progress: str) -> None:
    what = f"WATCH.patience = 1000.0\n{progress}\n{HOLDS}"
    command = [sys.executable, "-c", HANGING.format(what=what, limit=3.0), str(tmp_path / "hung")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as hangs:
        assert hangs.stdout is not None
        assert hangs.stdout.readline()
        hangs.send_signal(signal.SIGABRT)
        assert hangs.wait(PATIENCE) == -signal.SIGABRT
    assert HangNote.read(tmp_path / "hung") == Hang(Part("a-game"))


def test_hang_ends_before_the_watchdog_and_the_stop_of_the_unit() -> None:
    unit = (ROOT / "systemd/sniperboard.service").read_text("utf-8")
    watchdog, stop = (float(re.findall(rf"^{key}=(\d+)$", unit, re.M)[0]) for key in ("WatchdogSec", "TimeoutStopSec"))
    beats = watchdog * 3 / 4 - LONGEST_REST  # see `Notify.beat`
    assert beats > HELD_LIMIT + GRACE
    assert beats > TURN_LIMIT + GRACE
    assert stop >= HELD_LIMIT + GRACE


def test_next_start_knows_games_left_out_before(tmp_path: Path) -> None:
    what = "def work(): threading.Event().wait()\nWATCH.leave_out((Part('second'), Part('third', 'lessons')))"
    command = [sys.executable, "-c", HANGING.format(what=what, limit=3.0), str(tmp_path / "hung")]
    subprocess.run(command, cwd=ROOT, check=False, capture_output=True, timeout=120)
    assert HangNote.read(tmp_path / "hung") == Hang(Part("a-game"), (Part("second"), Part("third", "lessons")))


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


def test_note_follows_no_link(tmp_path: Path) -> None:
    """It was emptied at every start, whatever it led to."""
    (tmp_path / "other").write_text("kept", "utf-8")
    (tmp_path / "hung").symlink_to(tmp_path / "other")
    with pytest.raises(OSError, match="symbolic links"):
        HangNote(tmp_path / "hung")
    assert (tmp_path / "other").read_text("utf-8") == "kept"


def test_power_cut_in_a_call_is_no_hang(tmp_path: Path) -> None:
    note = HangNote(tmp_path / "hung")
    note.begin(Part("a-game"))
    assert HangNote.read(tmp_path / "hung") is None
    note.close()
    assert HangNote.read(tmp_path / "nowhere") is None


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


def die(note: Path, game: str = "a-game", proved: bool = False) -> None:
    """Start a process that dies in a call of a game."""
    made = HangNote(note)
    made.begin(Part(game))
    if proved:
        made.prove()


def test_game_that_kills_several_processes_counts_as_hung(tmp_path: Path) -> None:
    note = tmp_path / "hung"
    for _ in range(MOST_DEATHS):
        assert HangNote.read(note) is None
        die(note)
    assert HangNote.read(note) == Hang(Part("a-game"))


@pytest.mark.parametrize("more", [{"game": "another"}, {"proved": True}])
def test_deaths_with_progress_or_other_games_between_are_chance(tmp_path: Path, more: dict[str, Any]) -> None:
    note = tmp_path / "hung"
    for _ in range(MOST_DEATHS):
        for _ in range(MOST_DEATHS - 1):
            die(note)
        die(note, **more)
        assert HangNote.read(note) is None


def test_process_that_dies_between_two_calls_accuses_no_game(tmp_path: Path) -> None:
    note = tmp_path / "hung"
    for _ in range(2 * MOST_DEATHS):
        made = HangNote(note)
        made.finish(made.begin(Part("a-game")))
        assert HangNote.read(note) is None


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
    thread = threading.Thread(target=turn)
    thread.start()
    thread.join(60)
    assert late == ["a-game", "another", "again"]


def test_waiting_for_the_processor_is_not_the_fault_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy computer, a running game was closed for good."""
    began = time.monotonic()

    def sleeps() -> str:
        end = time.monotonic() + 1.0
        until(lambda: time.monotonic() > end)
        return "slept"

    with pytest.raises(TimeUp):
        WATCH.run("a-game", 1.0, until, lambda: False)
    # A thread that gets nothing of the processor waits for all the time that passes.
    monkeypatch.setattr(WATCH, "waited", lambda thread: time.monotonic() - began)
    ended: list[str] = []

    def turn() -> None:
        WATCH.begin_turn()
        ended.extend(WATCH.run("a-game", 10.0, sleeps) for _ in range(2))  # longer than the limit of a turn

    thread = threading.Thread(target=turn)
    thread.start()
    thread.join(PATIENCE)
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


BUSY = """
done, hanging = threading.Event(), threading.Event()

def innocent(wait):
    with WATCH.serving({feature!r}):
        for _ in range(3):
            WATCH.run("innocent", 3.0, wait)
    done.set()

def work():
    {wait}
    return 3 ** (10 ** 10)
"""
BEFORE = "threading.Thread(target=innocent, args=(int,)).start(); done.wait()"
MEANWHILE = (
    "wait = lambda: (hanging.set(), threading.Event().wait());"
    "threading.Thread(target=innocent, args=(wait,)).start(); hanging.wait()"
)


@pytest.mark.parametrize(("wait", "culprit"), [(BEFORE, Part("a-game")), (MEANWHILE, None)])
def test_hang_that_holds_the_interpreter_blames_no_other_game(tmp_path: Path, wait: str, culprit: Part | None) -> None:
    """The note named the game that was called last."""
    what = BUSY.format(feature=LESSONS, wait=wait)
    command = [sys.executable, "-c", HANGING.format(what=what, limit=3.0), str(tmp_path / "hung")]
    ended = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, timeout=120)
    assert ended.returncode == -signal.SIGALRM, ended.stderr
    assert HangNote.read(tmp_path / "hung") == Hang(culprit)


def test_hang_that_leaves_the_interpreter_free_is_told_from_calls_that_run(tmp_path: Path) -> None:
    what = BUSY.format(feature=LESSONS, wait=MEANWHILE).replace("return 3 ** (10 ** 10)", "threading.Event().wait()")
    # The innocent call may run for much longer.
    command = [sys.executable, "-c", HANGING.format(what=what.replace("3.0", "3e4"), limit=3.0), str(tmp_path / "hung")]
    ended = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, timeout=120)
    assert ended.returncode == OUR_FAULT, ended.stderr
    assert HangNote.read(tmp_path / "hung") == Hang(Part("a-game"))


def test_call_that_waits_for_one_that_holds_the_interpreter_is_not_late() -> None:
    call = _Call(Part("a-game"), (0, 0), 3.0, 6.0, 0.0)
    before = call.deadline, call.last
    call.put_off(0.0, 9.0)
    assert (call.deadline, call.last) == (before[0] + 9.0, before[1] + 9.0)
    call.raised = True
    call.put_off(0.0, 9.0)
    assert call.deadline == before[0] + 9.0, "a game must not put off its own end"


def test_note_says_for_what_a_game_was_called(tmp_path: Path) -> None:
    parts: list[Part] = []

    def note() -> None:
        (call,) = [call for call in WATCH._calls.values() if call.thread == threading.get_ident()]
        parts.append(call.part)

    def turn() -> None:
        WATCH.run("a-game", 3.0, note)
        with WATCH.serving(LESSONS):
            WATCH.run("a-game", 3.0, note)
        WATCH.run("a-game", 3.0, note)
        WATCH.begin_turn()
        WATCH.run("a-game", 3.0, note)

    thread = threading.Thread(target=turn)
    thread.start()
    thread.join(PATIENCE)
    WATCH.run("a-game", 3.0, note)
    assert [part.feature for part in parts] == [PAGES, LESSONS, PAGES, "", ""]


def test_game_is_not_called_for_what_has_hung() -> None:
    WATCH.leave_out((Part("a-game", LESSONS),))
    try:
        with WATCH.serving(LESSONS):
            assert WATCH.run("another", 3.0, len, "") == 0
            with pytest.raises(GameFault):
                checked("a-game", len, "")
        assert WATCH.run("a-game", 3.0, len, "") == 0
    finally:
        WATCH.leave_out(())


def test_more_calls_than_the_note_holds_blame_none(tmp_path: Path) -> None:
    note = HangNote(tmp_path / "hung")
    slots = [note.begin(Part("a-game", str(number))) for number in range(HangNote.SLOTS + 2)]
    assert slots[-2:] == [-1, -1]
    with (tmp_path / "hung").open("ab") as file:
        file.write(b"a trace")
    assert HangNote.read(tmp_path / "hung") == Hang()
    for slot in slots[1:]:
        note.finish(slot)
    assert HangNote.read(tmp_path / "hung") == Hang(Part("a-game", "0"))
    note.close()


OLD = (Part("second"),)


@pytest.mark.parametrize(
    ("culprit", "closed", "left_out"),
    [
        (None, None, OLD),
        (Part("running"), "running", OLD),
        (Part("running", LESSONS), None, (Part("running", LESSONS), *OLD)),
        (Part("running", PAGES), None, (Part("running", PAGES), *OLD)),
        (Part("other"), None, (Part("other"), *OLD)),
        (Part("other", PAGES), None, (Part("other", PAGES), *OLD)),
    ],
)
def test_only_a_hang_on_the_table_closes_the_running_game(
    culprit: Part | None, closed: str | None, left_out: tuple[Part, ...]
) -> None:
    """A lesson that hung closed the running game of the same name."""
    assert Hang(culprit, OLD).consequences("running") == (closed, left_out)


@pytest.mark.parametrize("feature", ["", *FEATURES])
@pytest.mark.parametrize("running", ["a-game", "another", None])
def test_hang_never_happens_again(monkeypatch: pytest.MonkeyPatch, feature: str, running: str | None) -> None:
    """A call for a page about the running game had no consequence: it hung each start again."""
    monkeypatch.setattr(installed, "_hung", set())
    culprit = Part("a-game", feature)
    closed, left_out = Hang(culprit).consequences(running)
    assert (closed == "a-game") != (culprit in left_out)
    assert not feature or feature in installed.FEATURE_TITLES


def test_feature_that_has_hung_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "_hung", set())
    monkeypatch.setattr(lessons, "REMEMBERED", Remembered())
    try:
        installed.leave_out((Part("sniper-elite", LESSONS), Part("stalingrad")))
        found = installed.installed()
        assert lessons.of_game("sniper-elite") == ()
        assert missions.of_game("sniper-elite")
    finally:
        WATCH.leave_out(())
    assert "stalingrad" not in found.games
    (fault,) = [fault for fault in found.faults if fault.name == "sniper-elite"]
    assert str(fault.sentence).startswith("The game sniper-elite is offered without its lessons: it never finished")


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
