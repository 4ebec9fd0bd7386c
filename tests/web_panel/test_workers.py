"""How workers are shared: no lane waits for another, no read waits for an act, and members of a lane take turns."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from firmware_host.api.interface import ADMIN, MACHINE, STRANGERS, Lane
from tests.apart import in_own_thread
from web_panel.workers import MOST_WAITING, Crowded, RequestKind, Workers

ACT, READ, LONG, _ = RequestKind
LANES = [Lane("sniper", "0"), Lane("defenders", "0"), Lane(ADMIN, "a"), Lane(MACHINE), Lane(STRANGERS, "a")]

ROOT = Path(__file__).resolve().parent.parent.parent
LOCK = re.compile(r"\b(?:R?Lock|Condition|(?:Bounded)?Semaphore|(?:Lane)?Turns)\(")
SHARED = {
    "memory": {
        "firmware_host/analysis/analyses.py", "firmware_host/board/drivers.py", "firmware_host/core/logbook.py",
        "firmware_host/core/time_limit.py", "firmware_host/mqtt/club.py", "firmware_host/mqtt/messages.py",
        "firmware_host/records/checks.py", "firmware_host/seats/drafts.py", "firmware_host/table/followers.py",
        "firmware_host/table/inbox.py", "web_panel/rate_limits.py", "web_panel/serve.py", "web_panel/streams.py",
    },
    "made once": {"firmware_host/api/legend.py", "firmware_host/core/installed.py", "firmware_host/core/maps.py"},
    "refused if it takes long": {
        "firmware_host/api/training.py", "firmware_host/records/imports.py", "firmware_host/records/past.py",
        "firmware_host/records/work_turns.py", "firmware_host/seats/pins.py",
    },
    "one for each lane": {"firmware_host/table/pacing.py"},
    "of the admin or the hardware": {
        "firmware_host/admin/access.py", "firmware_host/board/late.py", "firmware_host/core/programs.py",
        "firmware_host/network/keeper.py",
    },
}  # fmt: skip
"""Why no request of one lane keeps another waiting at a lock -> the files that make locks. A lock that is held while
a game is called must refuse those who wait for long, or what it makes is kept and found without it.
"""


class Held:
    """Requests that run until they are released, and the order in which they were processed."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.may_end = threading.Event()

    def work(self, name: str, held: bool = False) -> Callable[[], str]:
        def do() -> str:
            self.started.append(name)
            assert not held or self.may_end.wait(30)
            return name

        return do


def run(test: Callable[[Workers[str], Held], Coroutine[Any, Any, None]]) -> None:
    """Run a test as the server's thread would. A browser may already use the main thread's loop."""

    async def inside() -> None:
        workers, held = Workers[str](lambda: ("sniper", "defenders")), Held()
        try:
            await asyncio.wait_for(test(workers, held), 60)
        finally:
            held.may_end.set()
            workers.end()

    in_own_thread(lambda: asyncio.run(inside()))


@pytest.mark.parametrize("holder", LANES, ids=lambda lane: lane.name)
def test_blocked_requests_delay_neither_other_lanes_nor_own_reads(holder: Lane) -> None:
    async def test(workers: Workers[str], held: Held) -> None:
        kinds = [LONG, *([ACT] * (1 + MOST_WAITING))]
        slow = [asyncio.create_task(workers.run(holder, kind, held.work("slow", held=True))) for kind in kinds]
        while len(held.started) < 2:
            await asyncio.sleep(0)
        for lane in LANES:
            assert await workers.run(lane, READ, held.work("read")) == "read"
            for kind in (ACT, LONG) if lane is not holder else ():
                assert await workers.run(lane, kind, held.work("act")) == "act"
        held.may_end.set()
        await asyncio.gather(*slow)

    run(test)


def test_heavy_reads_of_a_lane_delay_no_other_lane() -> None:
    async def test(workers: Workers[str], held: Held) -> None:
        reads = [asyncio.create_task(workers.run(LANES[0], READ, held.work("x", held=True))) for _ in range(12)]
        for lane in LANES[1:]:
            for kind in RequestKind:
                await workers.run(lane, kind, held.work(lane.name))
        assert await workers.run(LANES[0], ACT, held.work("act")) == "act"
        held.may_end.set()
        await asyncio.gather(*reads)

    run(test)


def test_waiting_request_uses_no_thread() -> None:
    async def test(workers: Workers[str], held: Held) -> None:
        await workers.run(LANES[0], ACT, held.work("first"))
        before = set(threading.enumerate())
        kinds = (kind for kind in RequestKind for _ in range(1 + MOST_WAITING))
        tasks = [asyncio.create_task(workers.run(LANES[0], kind, held.work("x", held=True))) for kind in kinds]
        while len(held.started) < 3:
            await asyncio.sleep(0)
        assert not set(threading.enumerate()) - before
        held.may_end.set()
        await asyncio.gather(*tasks)

    run(test)


def test_members_of_a_lane_take_turns() -> None:
    async def test(workers: Workers[str], held: Held) -> None:
        def asks(member: str, held_up: bool = False) -> asyncio.Task[str]:
            return asyncio.create_task(workers.run(Lane(STRANGERS, member), ACT, held.work(member, held_up)))

        tasks = [asks("eve", held_up=True)]
        while not held.started:
            await asyncio.sleep(0)
        for member in "eve", "eve", "eve", "ada", "ada", "bo":
            tasks.append(asks(member))
            await asyncio.sleep(0)
        held.may_end.set()
        await asyncio.gather(*tasks)
        assert held.started == ["eve", "eve", "ada", "bo", "eve", "ada", "eve"]

    run(test)


def test_too_many_acts_of_one_member_alone_are_refused() -> None:
    async def test(workers: Workers[str], held: Held) -> None:
        def asks(member: str) -> asyncio.Task[str]:
            return asyncio.create_task(workers.run(Lane(STRANGERS, member), ACT, held.work(member, held=True)))

        tasks = [asks("eve") for _ in range(1 + MOST_WAITING)]
        while not held.started:
            await asyncio.sleep(0)
        with pytest.raises(Crowded):
            await asks("eve")
        tasks.append(asks("ada"))
        await asyncio.sleep(0)
        held.may_end.set()
        assert "ada" in await asyncio.gather(*tasks)

    run(test)


def test_failed_request_gives_its_turn_to_the_next() -> None:
    async def test(workers: Workers[str], held: Held) -> None:
        def fail() -> str:
            raise ValueError

        tasks = [asyncio.create_task(workers.run(LANES[0], ACT, work)) for work in (fail, held.work("next"))]
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(found[0], ValueError)
        assert found[1] == "next"

    run(test)


def test_request_after_the_servers_end_is_refused() -> None:
    """It arrives over connections that are not closed yet.

    An exception there used to be logged as an error of the table.
    """

    async def test(workers: Workers[str], held: Held) -> None:
        workers.end()
        with pytest.raises(Crowded):
            await workers.run(LANES[0], ACT, held.work("late"))

    run(test)


def test_workers_of_seats_that_are_gone_end_once_they_are_idle() -> None:
    """Games with other seats would add up until the system starts no more threads."""

    async def test(held: Held) -> None:
        seats = ["sniper"]
        workers = Workers[str](lambda: seats)
        before = set(threading.enumerate())
        slow = asyncio.create_task(workers.run(Lane("sniper", "0"), READ, held.work("x", held=True)))
        while not held.started:
            await asyncio.sleep(0)
        for game in range(5):
            seats[:] = [f"player of {game}"]
            assert await workers.run(Lane(seats[0], "0"), ACT, held.work("act")) == "act"
        held.may_end.set()
        assert await slow == "x"
        seats[:] = ["sniper"]
        await workers.run(Lane("spectator", "0"), ACT, held.work("act"))
        assert await workers.run(Lane("sniper", "0"), ACT, held.work("act")) == "act"
        while len(set(threading.enumerate()) - before) > len(RequestKind):
            await asyncio.sleep(0)
        workers.end()

    in_own_thread(lambda: asyncio.run(asyncio.wait_for(test(Held()), 60)))


def test_every_lock_that_lanes_may_share_is_known() -> None:
    sources = [path for folder in ("firmware_host", "web_panel") for path in (ROOT / folder).rglob("*.py")]
    locking = {path.relative_to(ROOT).as_posix() for path in sources if LOCK.search(path.read_text("utf-8"))}
    assert locking == set().union(*SHARED.values())
