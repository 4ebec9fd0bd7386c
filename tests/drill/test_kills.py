"""Killed at any moment, the table comes back with every act that anybody was told of, and no act twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drill.evening import Drill
from tests.drill.nursery import Nursery

KILLS = int(os.environ.get("DRILL_KILLS", "50"))


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    found = Nursery()
    yield found
    found.close()


def evenings() -> list[int]:
    """How many kills in each evening: a journal that grows without end would be another test."""
    return [min(50, KILLS - done) for done in range(0, KILLS, 50)]


@pytest.mark.parametrize(("seed", "kills"), [*enumerate(evenings())])
def test_a_table_killed_at_any_moment_loses_no_act_and_makes_none_twice(
    tmp_path: Path, nursery: Nursery, seed: int, kills: int
) -> None:
    drill = Drill(tmp_path, nursery, seed)
    for _ in range(kills):
        drill.live()
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
