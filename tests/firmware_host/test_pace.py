"""On a slow disk, the time of an answer does not reveal whether the sniper acts in secret.

Time is virtual: it moves only during a commit and while a request is delayed.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from firmware_host.seats.identity import Requester
from firmware_host.table.followers import BOARD
from firmware_host.table.lanes import ADMIN, MACHINE, STRANGERS
from firmware_host.table.loop import LONGEST_COMMIT
from firmware_host.table.pacing import (
    COMMITS_COUNTED,
    LONGEST_DELAY,
    LONGEST_STEP,
    MARGIN,
    SHORTEST_DELAY,
    SHORTEST_STEP,
    Gate,
    Pace,
)
from firmware_host.table.table import Table
from hardware.simulated import SimulatedBoard
from tests.depth import DEPTH
from tests.firmware_host.disks import Disk
from tests.firmware_host.published import latest
from tests.firmware_host.test_loop import HERE, RANDOM, RunningTable
from tests.patience import PATIENCE, until

TRIALS = 120 * DEPTH
SLOW = (0.038, 0.130)
"""Minimum and maximum seconds of a commit."""
SURE = 3.291
"""Standard deviations of a normal distribution that contain 99.9 %."""


def likelihood(some: Sequence[float], others: Sequence[float]) -> float:
    """Return the probability that one of `some` is longer than one of `others`, ties halved (Mann and Whitney's U,
    divided).
    """
    wins = sum((one > other) + (one == other) / 2 for one in some for other in others)
    return wins / (len(some) * len(others))


def bound(one: int, other: int) -> float:
    """Return the difference from 0.5 that chance alone exceeds in at most 1 of 1000 samples of these sizes."""
    return SURE * math.sqrt((one + other + 1) / (12 * one * other))


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningTable]:
    running = RunningTable(tmp_path)
    yield running
    running.loop.stop()


class Slow:
    """A table on a slow disk, and a defender who sends requests while something is written, or while nothing is."""

    def __init__(self, running: RunningTable, seed: int) -> None:
        self.running, self.random = running, Random(seed)
        self.waiting: Callable[[], object] | None = None
        self.asker: threading.Thread | None = None
        self.delay = 0.0
        running.loop.call(lambda table: setattr(Disk(table.journal), "before", self.commit))
        running.begin()

    def commit(self, statement: str) -> None:
        """Take the time of a commit."""
        if statement != "COMMIT":
            return
        began, took = self.running.now, self.random.uniform(*SLOW)
        if self.waiting is not None:
            ask, self.waiting = self.waiting, None
            self.running.now = began + took * self.random.random()
            self.begin(ask)
            assert self.asker is not None
            while self.asker.is_alive() and self.running.loop._inbox.empty():
                self.asker.join(0.0005)
        self.running.now = began + took

    def begin(self, ask: Callable[[], object]) -> None:
        """Send the defender's request, and measure how long the answer takes."""
        came = self.running.now
        self.running.rests.clear()

        def asked() -> None:
            ask()
            self.delay = self.running.now - came + sum(self.running.rests)

        self.asker = threading.Thread(target=asked)
        self.asker.start()

    def while_the_sniper_acts(self, ask: Callable[[], object]) -> float:
        """Return how long the answer takes (seconds)."""
        self.waiting = ask
        legal = json.loads(latest(self.running.loop.followers, "sniper")[1])["legal"]
        self.running.act("sniper", legal[0] if legal[0]["type"] == "choose-entry" else {"type": "take-back"})
        assert self.waiting is None, "nothing was written"
        return self.answered()

    def while_nothing_happens(self, ask: Callable[[], object]) -> float:
        """Return how long the answer takes (seconds)."""
        self.begin(ask)
        return self.answered()

    def answered(self) -> float:
        assert self.asker is not None
        self.asker.join(30)
        assert not self.asker.is_alive()
        for _ in range(2):
            self.running.loop.call(lambda _: None)
        return self.delay


def lead(running: RunningTable) -> Callable[[], object]:
    return lambda: running.interface.held_seat(running.keys["defenders"]).assign_part("red", 0)


def health(running: RunningTable) -> Callable[[], object]:
    return running.interface.health


def touch(running: RunningTable) -> Callable[[], object]:
    return lambda: running.interface.move_miniature("red-1", None, HERE)


def set_manual(running: RunningTable) -> Callable[[], object]:
    space, turns = running.interface.health()[0]["space"], iter(range(10_000))
    return lambda: running.interface.set_manual(space, next(turns) % 2 == 0, Requester((running.keys["defenders"],)))


@pytest.mark.parametrize("command", [lead, health, touch, set_manual])
def test_time_of_answer_does_not_reveal_whether_sniper_acts(
    running: RunningTable, command: Callable[[RunningTable], Callable[[], object]]
) -> None:
    slow = Slow(running, 11)
    ask = command(running)
    times = [(slow.while_the_sniper_acts(ask), slow.while_nothing_happens(ask)) for _ in range(TRIALS)]
    acting, quiet = zip(*times, strict=True)
    found = likelihood(acting, quiet)
    print(f"{command.__name__}: {found:.3f} of the answers while the sniper acts are longer; {TRIALS} of each")
    assert abs(found - 0.5) <= bound(len(acting), len(quiet))


def test_measure_finds_an_existing_difference() -> None:
    random = Random(1)
    quiet, acting = ([random.gauss(mean, 1.0) for _ in range(60)] for mean in (0.0, 1.0))
    assert likelihood(quiet, quiet) == 0.5
    assert abs(likelihood(acting, quiet) - 0.5) > bound(60, 60)


# --- the delay --------------------------------------------------------------------------------------------------


def test_delay_covers_slowest_public_commit_and_grows_at_nothing_else() -> None:
    pace = Pace()
    pace.note_commit(0.13)
    pace.note_publication(by_all=False)
    pace.note_publication(by_all=True)
    assert pace.delay == SHORTEST_DELAY
    for took, delay in (
        (0.01, SHORTEST_DELAY),
        (0.13, 0.8),
        (0.03, 0.8),
        (0.2, 1.6),
        (60.0, LONGEST_DELAY),
        (0.0, LONGEST_DELAY),
    ):
        pace.note_commit(took)
        pace.note_publication(by_all=True)
        assert pace.delay == pytest.approx(delay)


def test_slow_commit_is_forgotten_after_enough_public_acts() -> None:
    pace = Pace()
    for took in (60.0, *[0.01] * (COMMITS_COUNTED - 1)):
        pace.note_commit(took)
        pace.note_publication(by_all=True)
        assert pace.delay == LONGEST_DELAY
    pace.note_publication(by_all=False)
    assert pace.delay == LONGEST_DELAY
    pace.note_commit(0.01)
    pace.note_publication(by_all=True)
    assert pace.delay == SHORTEST_DELAY


def test_step_follows_the_machine_and_the_delay_covers_it() -> None:
    pace = Pace()
    for seconds in (0.00004, 0.5, 0.00005):  # the median counts, because one act can be slow anywhere
        pace.note_picture(seconds)
    assert pace.step == SHORTEST_STEP
    for step, seconds in ((4 * SHORTEST_STEP, 0.0004), (LONGEST_STEP, 1.0)):
        for _ in range(COMMITS_COUNTED):
            pace.note_picture(seconds)
        assert pace.step == pytest.approx(step)
        assert pace.work <= pace.step / 2, "a random part of it changes the number of steps rarely"
        assert MARGIN * step <= pace.delay < 2 * MARGIN * step


def test_public_news_without_commit_does_not_shorten_delay() -> None:
    """Such as opening the workshop, which the admin can do as often as they like."""
    pace = Pace()
    pace.note_commit(0.13)
    pace.note_publication(by_all=True)
    for _ in range(COMMITS_COUNTED):
        pace.note_publication(by_all=True)
    assert pace.delay == pytest.approx(0.8)


def test_only_public_acts_make_delay_longer(running: RunningTable) -> None:
    running.begin()
    took = 0.5

    def commit(statement: str) -> None:
        running.now += took if statement == "COMMIT" else 0.0

    running.loop.call(lambda table: setattr(Disk(table.journal), "before", commit))
    running.sniper("choose-entry")
    assert running.loop._pace.delay == SHORTEST_DELAY
    took = 0.06
    running.sniper("move")
    running.sniper("end-turn")
    assert running.loop._pace.delay == pytest.approx(4 * SHORTEST_DELAY)


def test_gate_lets_callers_through_one_at_a_time() -> None:
    held, let_go = threading.Semaphore(0), threading.Semaphore(0)
    inside: list[int] = []

    def rest(_: float) -> None:
        held.release()
        assert let_go.acquire(timeout=PATIENCE)

    gate = Gate(Pace(), lambda: 5.0, rest)

    def ask(number: int) -> None:
        with gate.take_turn():
            inside.append(number)

    askers = [threading.Thread(target=ask, args=(number,)) for number in range(9)]
    for asker in askers:
        asker.start()
    for count in range(1, len(askers) + 1):
        assert held.acquire(timeout=PATIENCE)
        assert len(inside) == count, "the next request is taken once the one before has its answer"
        let_go.release()
    for asker in askers:
        asker.join(30)


def test_no_caller_waits_at_gate_of_another_lane(running: RunningTable) -> None:
    running.begin()
    for held in ("defenders", ADMIN, MACHINE, STRANGERS):
        resting, may_go_on = threading.Event(), threading.Event()

        def rest(_: float, resting: threading.Event = resting, may_go_on: threading.Event = may_go_on) -> None:
            if threading.current_thread().name == "held":
                resting.set()
                assert may_go_on.wait(30)

        running.loop._gates.clear()
        running.loop._rest = rest
        asker = threading.Thread(name="held", target=running.loop.call_paced, args=(lambda _: None, held), daemon=True)
        asker.start()
        assert resting.wait(30)
        for lane in {"defenders", ADMIN, MACHINE, STRANGERS} - {held}:
            running.loop.call_paced(lambda _: None, lane)
        may_go_on.set()
        asker.join(30)


# --- while an act is written --------------------------------------------------------------------------------------


def test_lamps_continue_but_nothing_is_published_while_writing(running: RunningTable) -> None:
    running.loop.call(lambda table: table.start(RANDOM))
    running.interface.reset_miniatures(HERE)
    running.interface.move_miniature("red-1", None, HERE)  # its place glows until it is back
    for _ in range(8):
        running.loop.call(lambda _: setattr(running, "now", running.now + 0.5))
    shown, found = threading.Semaphore(0), list[bool]()

    def watch(table: Table) -> None:
        board = table.board.io.sensors
        assert isinstance(board, SimulatedBoard)
        board.watch(lambda frame, at: shown.release())
        Disk(table.journal).before = commit

    def commit(statement: str) -> None:
        if statement != "COMMIT":
            return
        before, lamps = pictures(), running.interface.picture(BOARD, str)
        while shown.acquire(blocking=False):
            pass
        frames = 0

        def is_lit() -> bool:
            nonlocal frames
            running.now += 0.02
            frames += shown.acquire(timeout=0.005)
            return frames >= 5 and running.interface.picture(BOARD, str) != lamps

        until(is_lit)
        found.append(pictures() == before)

    def pictures() -> list[str]:
        return [latest(running.loop.followers, seat)[1] for seat in ("sniper", "defenders", "table")]

    running.loop.call(watch)
    running.sniper("choose-entry")
    assert found == [True]


def test_acts_are_written_without_another_thread_while_lamps_are_still(running: RunningTable) -> None:
    """A change of threads and back takes as much processor time as the commit."""
    running.begin()
    threads = list[str]()

    def commit(statement: str) -> None:
        if statement == "COMMIT":
            threads.append(threading.current_thread().name)

    def are_still(table: Table) -> bool:
        running.now += 0.5
        return table.board.io.next_frame > running.now + LONGEST_COMMIT

    until(lambda: running.loop.call(are_still))
    running.loop.call(lambda table: setattr(Disk(table.journal), "before", commit))
    running.sniper("choose-entry")
    assert threads == [running.loop.thread.name]


def test_nothing_is_written_or_published_if_nothing_changes(running: RunningTable) -> None:
    running.loop.call(lambda table: table.start(RANDOM))
    space = running.interface.health()[0]["space"]
    requests: list[Callable[[], object]] = [
        lead(running),
        lambda: running.interface.use_sensors(True, HERE),
        lambda: running.interface.set_manual(space, True, HERE),
        lambda: running.interface.pause(True, HERE_PLAYING(running)),
        lambda: running.loop.call(lambda table: table.change_settings({"brightness": 0.25})),
    ]
    for request in requests:
        request()
        for _ in range(2):
            running.loop.call(lambda _: None)
        commits = running.loop.call(lambda table: table.journal.commits)
        serials = [latest(running.loop.followers, viewer)[0] for viewer in ("sniper", "defenders", "table")]
        request()
        for _ in range(2):
            running.loop.call(lambda _: None)
        assert running.loop.call(lambda table: table.journal.commits) == commits
        assert [latest(running.loop.followers, viewer)[0] for viewer in ("sniper", "defenders", "table")] == serials


def HERE_PLAYING(running: RunningTable) -> Requester:  # noqa: N802
    """Return a requester who plays at the table."""
    return Requester((running.keys["defenders"],), local=True)
