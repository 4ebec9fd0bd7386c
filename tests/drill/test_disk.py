"""A disk that is full, read-only, faulty or writes partially: acts are refused, nothing is lost, play continues."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.records.journal import Journal, SavedAct
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


@pytest.mark.parametrize("sector", range(4))
def test_start_saves_what_a_bad_sector_leaves(tmp_path: Path, disk: Disk, sector: int) -> None:
    path = tmp_path / "state" / "games.sqlite"
    journal = Journal(path)
    for name in ("first", "second", "third"):
        number = journal.begin("toy", name, "abc", {}, [])
        for step in range(9):
            journal.write(number, SavedAct("seat", step, ["x" * 500]))
    journal.close()
    bad = path if sector else Path(f"{path}-wal")
    if not sector:
        bad.write_bytes(b"a log of a killed process, none of which can be read" * 1000)
    before = path.read_bytes()
    environment = {**os.environ, **disk.cannot_read(bad, max(0, sector - 1) * 4096, sector * 4096 or 1 << 20)}
    done = subprocess.run(
        [sys.executable, "-c", OPEN, str(path)], env=environment, check=False, capture_output=True, text=True
    )
    assert done.stdout.startswith("The journal games.sqlite is damaged."), done.stderr
    assert path.with_name("games.set-aside.sqlite").read_bytes() == before
    Journal(path).close()
    assert [*path.parent.glob("*.set-aside*.sqlite")] == [path.with_name("games.set-aside.sqlite")], "once"


def test_start_on_disk_that_reads_nothing_keeps_journal(tmp_path: Path, disk: Disk) -> None:
    path = tmp_path / "state" / "games.sqlite"
    journal = Journal(path)
    journal.begin("toy", "first", "abc", {}, [])
    journal.close()
    environment = {**os.environ, **disk.cannot_read(path, 0, 1 << 20)}
    done = subprocess.run(
        [sys.executable, "-c", OPEN, str(path)], env=environment, check=False, capture_output=True, text=True
    )
    assert "CannotWrite" in done.stderr
    assert len(Journal(path).games()) == 1


OPEN = (
    "import sys; from pathlib import Path; from firmware_host.records.journal import Journal\n"
    "print(*Journal(Path(sys.argv[1])).notices)"
)
