"""A table killed at any moment comes back with every act that was acknowledged, and no act twice."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from firmware_host.app.commands.run import BUG
from tests.depth import DEPTH
from tests.drill.evening import Drill, Stopped
from tests.drill.nursery import Nursery
from tests.drill.screens import Gone

KILLS = int(os.environ.get("DRILL_KILLS", "4" if DEPTH == 1 else "8"))


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    found = Nursery()
    yield found
    found.close()


def kill_counts() -> list[int]:
    """The number of kills in each series, limited because an ever-growing journal would be a different test."""
    return [min(50, KILLS - done) for done in range(0, KILLS, 50)]


@pytest.mark.parametrize(("seed", "kills"), [*enumerate(kill_counts())])
@pytest.mark.long
def test_table_killed_at_any_moment_loses_and_doubles_no_act(
    tmp_path: Path, nursery: Nursery, seed: int, kills: int
) -> None:
    drill = Drill(tmp_path, nursery, seed)
    for life in range(60 * kills):
        # A life is short: moves by hand may have been too late in all of them so far.
        if life >= kills and drill.by_hand:
            break
        drill.live(clock=life if life % 3 == 0 else None)  # one life in three has a wall clock that jumps by years
    pid = drill.start()
    assert drill.ready(pid)
    drill.open()
    os.kill(pid, signal.SIGKILL)
    drill.ended(pid)
    deeds = sum(len(game) for game in drill.games)
    print(f"{kills} kills, {deeds} entries, {drill.by_hand} by hand, {drill.landed} written but not answered")
    assert deeds > kills
    assert drill.by_hand
    drill.close()


@pytest.mark.nightly
@pytest.mark.long
def test_low_memory_table_continues_or_stops_cleanly_without_loss(tmp_path: Path, nursery: Nursery) -> None:
    drill = Drill(tmp_path, nursery, seed=7)
    drill.client.gives_up = True
    ends = set()
    for spare in [0, 256, 2048] * max(1, KILLS // 100):
        pid = drill.start()
        assert drill.ready(pid)
        drill.open()
        drill.steps(3)
        enough = memory(pid) + spare * 1024
        resource.prlimit(pid, resource.RLIMIT_AS, (enough, enough))
        with suppress(Gone, Stopped):
            drill.steps(12, by_hand=False)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        ends.add(drill.ended(pid))
    assert ends <= {-signal.SIGKILL, BUG}
    pid = drill.start()
    assert drill.ready(pid)
    drill.open()
    os.kill(pid, signal.SIGKILL)
    drill.ended(pid)
    drill.close()


def memory(pid: int) -> int:
    """Return the size of the process's address space in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[0]) * resource.getpagesize()
