"""A game that hangs its process is left out by the next start, and nothing else is."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest

import games
from engine.graph.fault import MapError
from engine.refusal import NotUnderstood
from engine.text import Text
from firmware_host.app.commands.run import STOP
from firmware_host.core import hang_note, installed, maps
from firmware_host.core.guarded import isolated
from firmware_host.core.hang_note import (
    ALL_BUT_DEFAULT,
    ALL_BUT_RUNNING,
    DEFAULT_AND_RUNNING,
    FEATURES,
    LESSONS,
    MOST_DEATHS,
    MOST_FAULTS,
    PAGES,
    PROVED_AFTER,
    STAGES,
    HangNote,
    Purpose,
)
from firmware_host.core.settings import DEFAULT_MAP, settle
from firmware_host.core.time_limit import GRACE, HELD_LIMIT, TIMER_EVERY, TURN_LIMIT, WATCH, TimeUp, Watch
from firmware_host.table.loop import LONGEST_REST
from firmware_host.table.session import maps_of
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
GAME = Purpose("a-game")
HANGING = """
import sys, threading
from pathlib import Path
from firmware_host.core import hang_note, time_limit
from firmware_host.core.hang_note import HangNote, Purpose
from firmware_host.core.time_limit import WATCH

time_limit.GRACE = 1.0
# Five traces in a quarter of that: the process uses the processor meanwhile.
hang_note.TRACE_EVERY = 0.05
time_limit.set_timer = lambda held, end: hang_note.set_timer(held, held + (end - held) / 4)
WATCH.note, WATCH.patience = HangNote(Path(sys.argv[1]), (Purpose("second"), Purpose("third", "lessons"))), 0.01
{what}
WATCH.run("a-game", {limit}, work)
"""
OLD = (Purpose("second"), Purpose("third", "lessons"))
HOLDS = "def work(): print(flush=True); return 3 ** (10 ** 10)"
WAYS = {
    "sleep": ("def work(): threading.Event().wait()", os.EX_SOFTWARE),
    "power": (HOLDS, -signal.SIGPROF),
    "crash": ("import ctypes\ndef work(): ctypes.string_at(0)", -signal.SIGSEGV),
    "cling": ("from tests.firmware_host.failing_games import clings as work", os.EX_SOFTWARE),
}
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


@contextmanager
def leaving_out(*purposes: Purpose, running: str = "") -> Iterator[installed.Installed]:
    """Yield the games that are offered without these."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(installed, "_hung", set())
        patch.setattr(installed, "_only", set())
        try:
            installed.leave_out(purposes, running)
            yield installed.installed()
        finally:
            WATCH.leave_out(())


def outside(folder: Path, name: str, code: str) -> str:
    """Write a game into a folder of games. Return the code that lets a process find it."""
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text(code, "utf-8")
    return f"\nimport games\ngames.__path__.append({str(folder)!r})\n"


def left_out(note: Path) -> tuple[Purpose, ...]:
    """Return what the next start leaves out."""
    return HangNote.read(note, installed.game_of)


def run(note: Path, what: str, limit: float = 3.0) -> int:
    """Return how a process ended that calls a game which does this."""
    command = [sys.executable, "-c", HANGING.format(what=what, limit=limit), str(note)]
    return subprocess.run(command, cwd=ROOT, check=False, capture_output=True, timeout=120).returncode


@pytest.mark.parametrize("way", WAYS)
def test_unstoppable_call_ends_process_and_next_start_knows_game(tmp_path: Path, way: str) -> None:
    what, code = WAYS[way]
    assert run(tmp_path / "hung", what) == code
    assert left_out(tmp_path / "hung") == (GAME, *OLD)


def test_call_that_holds_the_interpreter_is_ended_long_before_its_limit(tmp_path: Path) -> None:
    """systemd's watchdog ended the table first, so that no one was blamed, again and again."""
    assert run(tmp_path / "hung", HOLDS, limit=1e9) == -signal.SIGPROF
    assert left_out(tmp_path / "hung") == (GAME, *OLD)


FILLS = """
time_limit.MUCH_MEMORY, WATCH.patience = {much}, 1.0

def wait_for_looks(number):
    # A look counts before it reads the memory, so the one before the last is certainly complete.
    for _ in range(number + 1):
        now = WATCH._now
        while WATCH._now == now:
            threading.Event().wait(time_limit.CHECK_EVERY / 10)

def work():
    try:
        wait_for_looks(1)
        held = [b"x" * (1 << 20) for _ in range({mb})]
        wait_for_looks(9)
    except time_limit.TooMuchMemory:
        time_limit.os._exit(9)
"""


@pytest.mark.parametrize(("mb", "much", "code"), [(160, 1 << 60, 9), (60, 1 << 60, 0), (60, 0, 9)])
def test_call_that_fills_the_memory_is_stopped(tmp_path: Path, mb: int, much: int, code: int) -> None:
    """Linux ended a table of 256 MB, at a stranger's request for a page. If it uses much, less may be added."""
    assert run(tmp_path / "hung", FILLS.format(mb=mb, much=much), limit=1e9) == code


OVERFLOW = """
def overflow():
    chain = iter(())
    for _ in range(10 ** 6):
        chain = map(int, chain)
    next(chain)

def call():
    WATCH.note.prove()
    WATCH.run("a-game", 1e9, overflow)

thread = threading.Thread(target=call)
thread.start()
thread.join()
work = int
"""


def test_stack_overflow_names_game_in_every_thread(tmp_path: Path) -> None:
    """Its handler could run in the main thread only, so the game crashed each start."""
    assert run(tmp_path / "hung", OVERFLOW) == -signal.SIGSEGV
    assert left_out(tmp_path / "hung") == (Purpose("a-game", PAGES), *OLD)


@pytest.mark.parametrize("progress", ["", "WATCH.note.prove()"])
def test_watchdog_that_ends_a_hang_leaves_a_trace(tmp_path: Path, progress: str) -> None:
    what = f"WATCH.patience = 1000.0\n{progress}\n{HOLDS}"
    command = [sys.executable, "-c", HANGING.format(what=what, limit=3.0), str(tmp_path / "hung")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as hangs:
        assert hangs.stdout is not None
        assert hangs.stdout.readline()
        hangs.send_signal(signal.SIGABRT)
        assert hangs.wait(PATIENCE) == -signal.SIGABRT
    assert left_out(tmp_path / "hung") == (GAME, *OLD)


def test_hang_ends_before_the_watchdog_and_the_stop_of_the_unit() -> None:
    unit = (ROOT / "systemd/sniperboard.service").read_text("utf-8")
    watchdog, stop = (float(re.findall(rf"^{key}=(\d+)$", unit, re.M)[0]) for key in ("WatchdogSec", "TimeoutStopSec"))
    beats = watchdog * 3 / 4 - LONGEST_REST  # see `Notify.beat`
    assert beats > HELD_LIMIT + GRACE
    assert beats > TURN_LIMIT + GRACE
    assert stop >= HELD_LIMIT + GRACE
    assert TIMER_EVERY * 8 < HELD_LIMIT


@pytest.mark.parametrize("wait", [BEFORE, MEANWHILE])
def test_hang_that_holds_the_interpreter_blames_no_other_game(tmp_path: Path, wait: str) -> None:
    """The note named the game that was called last, or none."""
    assert run(tmp_path / "hung", BUSY.format(feature=LESSONS, wait=wait)) == -signal.SIGPROF
    assert left_out(tmp_path / "hung") == (GAME, *OLD)


def test_hang_that_leaves_the_interpreter_free_is_told_from_calls_that_run(tmp_path: Path) -> None:
    what = BUSY.format(feature=LESSONS, wait=MEANWHILE).replace("return 3 ** (10 ** 10)", "threading.Event().wait()")
    # The innocent call may run for much longer.
    assert run(tmp_path / "hung", what.replace("3.0", "3e4")) == os.EX_SOFTWARE
    assert left_out(tmp_path / "hung") == (GAME, *OLD)


OWN_THREAD = """
import threading
from games import thready
def innocent():
    WATCH.run("innocent", 1e9, threading.Event().wait)
threading.Thread(target=innocent, daemon=True).start()
def work():
    thready.begin()
    threading.Event().wait()
"""
THREADY = """
import threading
def hold():
    return 3 ** (10 ** 10)
def begin():
    threading.Thread(target=hold, daemon=True).start()
"""


def test_thread_of_a_game_is_told_from_the_game_that_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The running game was blamed for a thread that another one had started when it was imported."""
    folder = tmp_path / "gry Józefa" / "games"
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(folder)])
    what = outside(folder, "thready", THREADY) + OWN_THREAD
    assert run(tmp_path / "hung", what, limit=1e9) == -signal.SIGPROF
    assert left_out(tmp_path / "hung") == (Purpose("thready"), *OLD)


DROPPED = """
import threading
class Dropped:
    def __del__(self):
        threading.Event().wait()
"""


@pytest.mark.parametrize("main", [True, False])
def test_object_that_is_dropped_outside_a_call_ends_the_process(tmp_path: Path, main: bool) -> None:
    """The table stood still for good: a bot waited for its own process when it was forgotten."""
    what = outside(tmp_path / "games", "sticky", DROPPED)
    what += f"""
time_limit.IDLE_AFTER, time_limit.TIMER_EVERY = 0.0, 0.1
from games.sticky import Dropped
WATCH.run("a-game", 3.0, int)
of_table = lambda: exec("Dropped()", {{"__name__": "web_panel.page", "Dropped": Dropped}})
if not {main}:
    threading.Thread(target=of_table).start()
    threading.Event().wait()
work = int
of_table()
"""
    assert run(tmp_path / "hung", what) == os.EX_SOFTWARE
    assert left_out(tmp_path / "hung") == (Purpose("sticky"), *OLD)


@pytest.mark.parametrize("way", ["threading.Event().wait()", "3 ** (10 ** 10)"])
def test_object_that_is_dropped_in_a_call_accuses_its_own_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """The game that was called at that moment was left out."""
    folder = tmp_path / "games"
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(folder)])
    what = outside(folder, "sticky", DROPPED.replace("threading.Event().wait()", way))
    what += """
from games.sticky import Dropped
def work():
    Dropped()
"""
    run(tmp_path / "hung", what)
    assert left_out(tmp_path / "hung") == (Purpose("sticky"), *OLD)


def test_thread_of_a_game_may_run_for_any_time(tmp_path: Path) -> None:
    what = outside(tmp_path / "games", "patient", "def waits(event): event.wait()")
    what += """
time_limit.IDLE_AFTER, time_limit.TIMER_EVERY = 0.0, 0.02
from games.patient import waits
looked, done = [], threading.Event()
inside = WATCH._inside_game
WATCH._inside_game = lambda top: (looked.append(top), looked[99:] and done.set(), inside(top))[2]
threading.Thread(target=waits, args=(done,)).start()
WATCH.run("a-game", 3.0, int)
done.wait()
work = int
"""
    assert run(tmp_path / "hung", what) == 0


def test_thread_that_holds_the_interpreter_while_no_game_is_called_ends_the_process(tmp_path: Path) -> None:
    """The timer was off then: without systemd, the table stood still for good."""
    what = """
time_limit.IDLE_AFTER, time_limit.TIMER_EVERY = 0.0, 0.1
def hold():
    while WATCH._awake.is_set():
        threading.Event().wait(0.01)
    return 3 ** (10 ** 10)
held = threading.Thread(target=hold)
def work():
    held.start()
"""
    assert run(tmp_path / "hung", what) == -signal.SIGPROF
    assert left_out(tmp_path / "hung") == OLD


def test_everything_that_ran_is_left_out_if_the_culprit_is_unknown(tmp_path: Path) -> None:
    """Else the next start would hang again."""
    what = f"import signal\n{BUSY.format(feature=LESSONS, wait='pass')}\n{MEANWHILE}"
    what += "\nsignal.raise_signal(signal.SIGABRT)"
    assert run(tmp_path / "hung", what) == -signal.SIGABRT
    assert left_out(tmp_path / "hung") == (Purpose("innocent", LESSONS), *OLD)


def test_crash_of_a_process_that_a_game_has_forked_is_not_noted(tmp_path: Path) -> None:
    what = """
import os, signal
child = os.fork()
if child == 0:
    signal.raise_signal(signal.SIGABRT)
os.waitpid(child, 0)
os._exit(0)
"""
    assert run(tmp_path / "hung", what) == 0
    assert (tmp_path / "hung").stat().st_size == HangNote.ROOM


def test_process_ends_even_if_no_one_reads_its_output(tmp_path: Path) -> None:
    """It stood still in the sentence about the game."""
    what = "import os\nos.set_blocking(2, False)\n"
    what += "try:\n    while os.write(2, bytes(4096)): pass\nexcept BlockingIOError: os.set_blocking(2, True)\n"
    what += WAYS["sleep"][0]
    command = [sys.executable, "-c", HANGING.format(what=what, limit=3.0), str(tmp_path / "hung")]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) as hangs:
        assert hangs.wait(PATIENCE) == os.EX_SOFTWARE
    assert left_out(tmp_path / "hung") == (GAME, *OLD)


def test_process_that_stands_still_is_not_hung(tmp_path: Path) -> None:
    """A suspended process, or one whose disk took nothing, ended a few seconds after it went on."""
    what = "time_limit.GRACE = 0.8\n"
    what += "def work():\n    for line in sys.stdin:\n        print(line, end='', flush=True)"
    command = [sys.executable, "-c", HANGING.format(what=what, limit=1e9), str(tmp_path / "hung")]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as waits:
        assert waits.stdin is not None
        assert waits.stdout is not None
        waits.stdin.write(b"before\n")
        waits.stdin.flush()
        assert waits.stdout.readline() == b"before\n"
        waits.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, waits.pid, os.WSTOPPED | os.WNOWAIT)
        threading.Event().wait(1.0)  # three times as long as it may hold the interpreter
        waits.send_signal(signal.SIGCONT)
        waits.communicate(b"after\n", timeout=PATIENCE)
        assert waits.returncode == 0


def test_note_follows_no_link(tmp_path: Path) -> None:
    """It was emptied at every start, whatever it led to."""
    (tmp_path / "other").write_text("kept", "utf-8")
    (tmp_path / "hung").symlink_to(tmp_path / "other")
    with pytest.raises(OSError, match="symbolic links"):
        HangNote(tmp_path / "hung")
    assert (tmp_path / "other").read_text("utf-8") == "kept"


NOT_READABLE = (
    b"{}".ljust(HangNote.ROOM)
    + rb"""Current thread 0x1 (most recent call first):
  File "/home/\ud800\x", line 1 in deep
  File "\0\", line 2 in deep
"""
)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 5000,
        b"{}",
        b'{"left_out": 7}',
        b'{"deaths": -1}',
        b'{"boot": "\xe1"}',
        b"\xff" * 9000,
        b"[" * 4096,
        NOT_READABLE,
    ],
)
def test_damaged_note_leaves_out_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "hung").write_bytes(content)
    assert left_out(tmp_path / "hung") == ()
    HangNote(tmp_path / "hung").close()


def die(note: Path, game: str = "a-game", proved: bool = False, left: tuple[Purpose, ...] = ()) -> None:
    """Start a process that dies in a call of a game."""
    made = HangNote(note, left)
    made.write_calls(made.set_calls([Purpose(game)]))
    if proved:
        made.prove()


def fail(note: Path) -> None:
    """Start a process that ends because of a bug."""
    HangNote(note).close(fault=True)


def test_game_that_kills_several_processes_counts_as_hung(tmp_path: Path) -> None:
    note = tmp_path / "hung"
    for _ in range(MOST_DEATHS):
        assert left_out(note) == ()
        die(note)
    assert left_out(note) == (GAME,)


def test_deaths_with_progress_between_are_chance(tmp_path: Path) -> None:
    note = tmp_path / "hung"
    for _ in range(MOST_DEATHS):
        for _ in range(MOST_DEATHS - 1):
            die(note)
        die(note, proved=True)
        assert left_out(note) == ()


def die_between(note: Path) -> None:
    made = HangNote(note)
    made.write_calls(made.set_calls([GAME]))
    made.write_calls(made.set_calls([]))


@pytest.mark.parametrize("last", [partial(die, game="another"), die_between, fail])
def test_table_starts_with_one_game_if_no_one_knows_why_it_dies(tmp_path: Path, last: Callable[[Path], None]) -> None:
    note = tmp_path / "hung"
    for _ in range(MOST_DEATHS - 1):
        die(note)
        HangNote(note, left_out(note)).close(started=False)  # its port was in use: neither a death nor a proof
    assert left_out(note) == ()
    last(note)
    for stages in (*((stage,) for stage in STAGES), (), STAGES[:1]):
        assert left_out(note) == stages
        for _ in range(MOST_DEATHS):
            die_between(note)
    die(note, left=left_out(note), proved=True)
    assert left_out(note) == ()


def stop_by_a_fault(note: Path) -> None:
    made = HangNote(note, left_out(note))
    made.on_screens = "a-game"
    made.close(fault=True)


@pytest.mark.parametrize("cuts_first", [False, True])
def test_fault_of_the_table_does_not_make_power_cuts_count_more(tmp_path: Path, cuts_first: bool) -> None:
    """One fault and two power cuts left out the games that had no part in either, and kept the guilty one."""
    note = tmp_path / "hung"

    def cut_the_power() -> None:
        for _ in range(MOST_DEATHS - 1):
            HangNote(note, left_out(note))
            assert left_out(note) == (() if cuts_first else (GAME,))

    if cuts_first:
        cut_the_power()
    for _ in range(MOST_FAULTS):
        assert left_out(note) == ()
        stop_by_a_fault(note)
    assert left_out(note) == (GAME,)
    if not cuts_first:
        cut_the_power()
    HangNote(note, left_out(note))
    assert left_out(note) == (STAGES[0], GAME), "the game is known, whatever else is tried"
    die(note, proved=True)
    assert left_out(note) == ()


def test_signal_to_an_open_table_forgets_faults(tmp_path: Path) -> None:
    note = tmp_path / "hung"
    stop_by_a_fault(note)
    HangNote(note).close(stopped=True)
    stop_by_a_fault(note)
    assert left_out(note) == ()


def test_game_that_kills_is_found_among_other_deaths(tmp_path: Path) -> None:
    """One power cut between them, and the default game was offered again and again, although it killed each start."""
    note = tmp_path / "hung"
    for _ in range(MOST_DEATHS - 1):
        die(note, games.DEFAULT)
    die_between(note)
    die(note, games.DEFAULT)
    assert left_out(note) == (Purpose(games.DEFAULT),)


def test_games_that_were_only_called_when_a_thread_killed_are_offered_again(tmp_path: Path) -> None:
    """After enough deaths, all games were left out, one by one, and no table can start without any."""
    note = tmp_path / "hung"
    for game in ("first", "second"):
        for _ in range(MOST_DEATHS):
            die(note, game, left=left_out(note))
    assert left_out(note) == STAGES[:1]


@pytest.mark.parametrize(("feature", "left"), [(LESSONS, (Purpose("a-game", LESSONS), *OLD)), ("", ())])
def test_feature_that_kills_a_process_that_works_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, feature: str, left: tuple[Purpose, ...]
) -> None:
    """A stranger could end the table again and again, with a lesson that used up all memory."""
    what = f"import os\nserving = WATCH.serving({feature!r})\nserving.__enter__()\n"
    what += "WATCH.run('another', 3.0, int)\nWATCH.note.prove()\n"
    assert run(tmp_path / "hung", f"{what}def work(): os._exit(9)") == 9
    assert left_out(tmp_path / "hung") == left
    with monkeypatch.context() as later:
        later.setattr(hang_note, "this_boot", lambda: "another")
        assert left_out(tmp_path / "hung") == (), "the machine's power may have been cut"
    assert run(tmp_path / "hung", f"{what}def work(): int()\nWATCH.run('a-game', 3.0, work)\nos._exit(9)") == 9
    assert left_out(tmp_path / "hung") == ()


@pytest.mark.parametrize(("feature", "left"), [(LESSONS, (Purpose("a-game", LESSONS), *OLD)), ("", OLD)])
def test_feature_that_kills_a_table_that_has_just_opened_is_left_out(
    tmp_path: Path, feature: str, left: tuple[Purpose, ...]
) -> None:
    what = f"import os\nserving = WATCH.serving({feature!r})\nserving.__enter__()\nWATCH.note.opened()\n"
    assert run(tmp_path / "hung", f"{what}def work(): os._exit(9)") == 9
    assert left_out(tmp_path / "hung") == left


def test_slow_disk_costs_a_call_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watch, stored = Watch(), threading.Event()
    watch.note = note = HangNote(tmp_path / "hung")
    note.prove()
    store, other = note.write_calls, threading.Thread(target=watch.run, args=("a-game", 3.0, int))

    def stall(content: bytes) -> None:
        if not stored.is_set():
            stored.set()
            assert not watch._calls, "its time does not run yet"
            watch.begin_turn()
            watch.run("a-game", 3.0, int)  # the table's own calls do not wait
        store(content)

    monkeypatch.setattr(note, "write_calls", stall)
    other.start()
    other.join(PATIENCE)
    assert stored.is_set()
    watch.forget_note()


def test_call_that_does_not_begin_is_not_noted_for_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory was short for a moment, and a later end of the process left out a feature that had no part in it."""
    watch = Watch()
    watch.note = note = HangNote(tmp_path / "hung")
    set_calls, fails = note.set_calls, iter((True,))

    def fail_once(purposes: Iterable[Purpose]) -> bytes:
        if next(fails, False):
            raise MemoryError
        return set_calls(purposes)

    monkeypatch.setattr(note, "set_calls", fail_once)
    with pytest.raises(MemoryError):
        watch.run("a-game", 3.0, int)
    watch.run("another", 3.0, int)
    assert note._header.running == []
    watch.forget_note()


def test_stage_ends_with_a_process_that_works(tmp_path: Path) -> None:
    """A trace of it kept the other games away."""
    note = tmp_path / "hung"
    die(note, left=(ALL_BUT_DEFAULT, *OLD), proved=True)
    with note.open("ab") as file:
        file.write(b'Current thread 0x1 (most recent call first):\n  File "<called for a-game>", line 1 in call\n')
    assert left_out(note) == (GAME, *OLD)


@pytest.mark.parametrize(
    ("out", "offered"),
    [
        (ALL_BUT_RUNNING, (games.DEFAULT, "stalingrad")),
        (ALL_BUT_DEFAULT, (games.DEFAULT,)),
        (DEFAULT_AND_RUNNING, tuple({*games.names()} - {games.DEFAULT, "stalingrad"})),
    ],
)
def test_start_with_few_games_says_what_it_leaves_out(out: Purpose, offered: tuple[str, ...]) -> None:
    with leaving_out(out, running="stalingrad") as found:
        assert {*found.games} == {*offered}
    (sentence,) = [str(fault.sentence) for fault in found.faults if not fault.name]
    assert f"left out: {', '.join(name for name in games.names() if name not in offered)}." in sentence


def test_faulty_default_game_leaves_the_others() -> None:
    """After five deaths, no game was offered, so that each start ended."""
    with leaving_out(Purpose(games.DEFAULT), ALL_BUT_RUNNING) as found:
        assert {*found.games} == {*games.names()} - {games.DEFAULT}


def test_all_games_are_offered_if_none_would_be_left() -> None:
    """Each start ended, also once the cause was repaired."""
    with leaving_out(ALL_BUT_DEFAULT, *map(Purpose, games.names())) as found:
        assert ([*found.games], WATCH.left_out) == (games.names(), frozenset())


@pytest.mark.parametrize("error", [ValueError(), MemoryError(), TimeUp(), NotUnderstood(Text("No."))], ids=repr)
def test_map_of_a_game_that_fails_is_replaced(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """The start ended, with a code that systemd does not repeat."""

    def make_map(_: object) -> None:
        raise error

    game = installed.find("snipers-and-assassins")
    maps._maps_in_memory.clear()
    monkeypatch.setitem(vars(game), "make_map", partial(isolated, game.name, make_map))
    assert maps_of(None, settle({"map": "pathways-2"}))[0].slug == DEFAULT_MAP


def test_map_of_a_game_that_is_left_out_is_replaced() -> None:
    """The start ended, with a code that systemd does not repeat."""
    with leaving_out(Purpose("snipers-and-assassins")):
        assert maps_of(None, settle({"map": "pathways-2"}))[0].slug == DEFAULT_MAP
    with pytest.raises(MapError):
        maps_of(None, settle({"map": "nowhere"}))


def test_features_are_left_out_before_the_game_if_a_trace_is_cut_off(tmp_path: Path) -> None:
    """The frame that names the call is not among the 100 of a trace."""
    code, note = tmp_path / "deep.py", tmp_path / "hung"
    code.write_text("def work(depth=200):\n    return work(depth - 1) if depth else 3 ** (10 ** 10)\n")
    what = f"WATCH.serving('lessons').__enter__()\nexec(compile(open({str(code)!r}).read(), {str(code)!r}, 'exec'))"
    game_of = {f"{code}": "a-game"}.get
    assert run(note, what) == -signal.SIGPROF
    features = tuple(Purpose("a-game", feature) for feature in FEATURES)
    assert HangNote.read(note, game_of) == (*features, *OLD)
    # The next process leaves these out, and hangs again.
    trace, before = note.read_bytes()[HangNote.ROOM :], [*map(str, (*features, *OLD))]
    note.write_bytes(msgspec.json.encode({"left_out": before}).ljust(HangNote.ROOM) + trace)
    assert HangNote.read(note, game_of) == (GAME, *features, *OLD)


def test_hang_is_remembered_until_a_process_works(tmp_path: Path) -> None:
    """A start that failed, for example because its port was in use, forgot it, and the one after that hung."""
    note = tmp_path / "hung"
    HangNote(note, OLD).close(started=False)
    assert left_out(note) == OLD
    die(note, left=OLD)
    assert left_out(note) == OLD
    die(note, proved=True, left=OLD)
    assert left_out(note) == ()
    HangNote(note, OLD).close()
    assert left_out(note) == ()


def test_open_table_works_after_a_minute_without_any_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only calls looked at the time, so five evenings on which no one acted counted as deaths."""
    now = 0.0
    monkeypatch.setattr(hang_note.time, "monotonic", lambda: now)
    made = HangNote(tmp_path / "hung", OLD)
    for seconds, left in [(2 * PROVED_AFTER, OLD), (PROVED_AFTER, OLD), (1.0, ())]:
        now += seconds
        made.check_time()
        assert left_out(tmp_path / "hung") == left
        if now == 2 * PROVED_AFTER:  # the start took long
            made.opened()


@pytest.mark.parametrize("opens", [True, False])
def test_table_works_once_it_is_open(tmp_path: Path, opens: bool) -> None:
    """If a start fails after the loop has started, the next start still gets the note."""
    HangNote(tmp_path / "hung", OLD).close(started=False)
    tmp_path.chmod(0o700)
    code = f"""
import json, sys, time
from pathlib import Path
from firmware_host.app.daemon import SWITCH_SECONDS, Daemon
from firmware_host.core import hang_note
from firmware_host.core.settings import settle
from tests.patience import until
hang_note.PROVED_AFTER = 0.0
settings = settle(dict(board="simulated", host="127.0.0.1", port=0, state=sys.argv[1]))
daemon, note = Daemon(settings, time.monotonic, alone=True), Path(sys.argv[1], "hung")
if {opens}:
    daemon.start()
    until(lambda: json.loads(note.read_bytes()[:{HangNote.ROOM}])["proved"])
else:
    daemon._loop.start()
daemon.stop()
print(hang_note.HangNote.read(note, str) == {OLD!r}, sys.getswitchinterval() <= SWITCH_SECONDS)
"""
    command = [sys.executable, "-c", f"from firmware_host.core.hang_note import Purpose\n{code}", str(tmp_path)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (found.returncode, found.stdout.splitlines()[-1:]) == (0, [f"{not opens} True"]), found.stderr


@pytest.mark.parametrize(("number", "stops"), [(signal.SIGTERM, 1), (STOP, 0)])
@pytest.mark.parametrize("opened", [False, True])
def test_signal_that_a_game_can_have_sent_counts_as_death(
    tmp_path: Path, opened: bool, number: signal.Signals, stops: int
) -> None:
    """A game that ended its group of processes, and the table with it, did so at each start. But after five restarts in
    a row, for example to try settings, games were left out, and after ten even the game on the table.
    """
    game = tmp_path / "games" / "impatient"
    game.mkdir(parents=True)
    code = f"import os\nos.killpg(0, {number.value})" if not opened else ""
    (game / "__init__.py").write_text(code, "utf-8")
    state = tmp_path / "state"
    command = [sys.executable, "-m", "firmware_host", "run", "--simulate", f"--state={state}", "--port=0"]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as table:
        assert table.stdout is not None
        if opened:
            assert table.stdout.readline()
            table.send_signal(number)
        assert table.wait(PATIENCE) == 0
    assert HangNote(state / "hung")._header.stops == stops


def test_stop_by_a_signal_forgets_deaths_and_counts_itself(tmp_path: Path) -> None:
    """A person has seen what is missing, and starts the table again."""
    note = tmp_path / "hung"
    for _ in range(2 * MOST_DEATHS):
        die_between(note)
    assert left_out(note) == (ALL_BUT_DEFAULT,)
    for number in range(MOST_DEATHS):
        HangNote(note, left_out(note)).close(started=bool(number % 2), stopped=True)
        if 0 < number < MOST_DEATHS - 1:
            assert left_out(note) == ()
    assert left_out(note) == (ALL_BUT_RUNNING,)
    die(note, proved=True)
    assert left_out(note) == ()


def test_note_takes_any_number_of_parts(tmp_path: Path) -> None:
    many = tuple(Purpose(f"game-{number}", LESSONS) for number in range(2 * HangNote.ROOM))
    made = HangNote(tmp_path / "hung", many)
    made.write_calls(made.set_calls(many))
    kept = left_out(tmp_path / "hung")
    assert len(many) > len(kept)
    made.close()


@pytest.fixture(autouse=True)
def no_note() -> Iterator[None]:
    """Leave no timer and no handler of a note to other tests."""
    yield
    WATCH.forget_note()
