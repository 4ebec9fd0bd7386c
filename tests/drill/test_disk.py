"""A disk that is full, read-only, faulty or writes partially: acts are refused, nothing is lost, play continues."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drill.disk import ERRORS, FULL, NO_SYNC, READ_ONLY, SHORT, WELL, Disk, needs_compiler
from tests.drill.evening import Drill
from tests.drill.nursery import Nursery

ROUNDS = int(os.environ.get("DRILL_KILLS", "50")) // 50
TRY_LATER = 75

pytestmark = needs_compiler


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path, tmp_path / "state")


OTHERS = ((READ_ONLY, "ro"), (ERRORS, "errors"), (SHORT, "short"))


@pytest.fixture
def drill(tmp_path: Path, disk: Disk) -> Iterator[Drill]:
    nursery = Nursery(disk.environment)
    found = Drill(tmp_path, nursery, 5)
    yield found
    found.close()
    nursery.close()


def opened(drill: Drill) -> int:
    pid = drill.start()
    assert drill.ready(pid)
    drill.open()
    return pid


def killed(drill: Drill, pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    assert drill.ended(pid) == -signal.SIGKILL


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(FULL, id="full"),
        pytest.param(NO_SYNC, id="sync"),
        *(pytest.param(other, id=name, marks=pytest.mark.nightly) for other, name in OTHERS),
    ],
)
def test_acts_on_bad_disk_are_refused_without_loss(drill: Drill, disk: Disk, how: str) -> None:
    for _ in range(ROUNDS):
        pid = opened(drill)
        drill.steps(6)
        disk.goes(how)
        refused = drill.refusals
        drill.steps(9, by_hand=False)
        assert (drill.refusals > refused) == (how != SHORT)
        if how in (FULL, READ_ONLY):
            killed(drill, pid)  # during an act
            assert drill.ended(drill.start()) == TRY_LATER
            disk.goes(WELL)
            pid = opened(drill)
        else:
            disk.goes(WELL)
            drill.wait_for_room()
        drill.steps(6)
        killed(drill, pid)
    killed(drill, opened(drill))


def test_play_continues_by_itself_when_there_is_space_again(drill: Drill, disk: Disk) -> None:
    pid = opened(drill)
    drill.steps(3)
    for how, sentence in ((FULL, "disk is full"), (READ_ONLY, "disk is read-only")):
        disk.goes(how)
        drill.steps(1, by_hand=False)
        assert sentence in drill.wait_for_halt()
        disk.goes(WELL)
        drill.wait_for_room()
        drill.steps(3)
    killed(drill, pid)
    killed(drill, opened(drill))
