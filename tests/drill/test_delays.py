"""A real table on a disk whose syncs take 38 to 130 ms: the time of its answers does not tell of the sniper's acts."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from tests.drill.disk import LATE, Disk, needs_compiler
from tests.drill.evening import Drill
from tests.drill.nursery import Nursery
from tests.drill.screens import Client
from tests.firmware_host.test_pace import bound, likelihood

TRIALS = int(os.environ.get("DRILL_KILLS", "0")) // 10
"""Of each kind."""
SLOWEST = 0.13
"""Seconds that such a sync takes at most."""
MAP = "launch-facility"

pytestmark = [
    needs_compiler,
    pytest.mark.skipif(TRIALS < 20, reason="minutes, for a few trials show nothing: `make drill`, `make nightly`"),
]


@pytest.fixture
def drill(tmp_path: Path) -> Iterator[Drill]:
    disk = Disk(tmp_path, tmp_path / "state")
    disk.goes(LATE)
    nursery = Nursery(disk.environment)
    found = Drill(tmp_path, nursery, 5)
    yield found
    found.close()
    nursery.close()


def timed(ask: Callable[[], object]) -> float:
    """How long it takes, in seconds."""
    began = time.perf_counter()
    ask()
    return time.perf_counter() - began


@pytest.mark.long
def test_on_a_slow_disk_answers_do_not_tell_whether_the_sniper_acts(drill: Drill) -> None:
    assert drill.ready(drill.start())
    drill.sit_down()
    for path, body in (("heed", {"heeding": False}), ("start", {"map": MAP, "options": {"random_setup": True}})):
        answer = drill.client.post(f"/api/{path}", **body)
        assert answer["ok"], answer
    other, random, turn = Client(), Random(7), 0
    other.keys = drill.client.keys
    other.reach(drill.client.port)

    def act() -> None:
        picture = drill.client.get("/api/picture/sniper")
        entry = next((action for action in picture["legal"] if action["type"] == "choose-entry"), {"type": "take-back"})
        name = f"act-{time.perf_counter_ns()}"
        answer = drill.client.post("/api/act", seat="sniper", action=entry, revision=picture["revision"], id=name)
        assert answer["ok"], answer

    def set_manual() -> None:
        nonlocal turn
        turn += 1
        assert other.post("/api/manual", space=space, manual=turn % 2 == 0)["ok"]

    space = other.get("/api/health")["sensors"][0]["space"]
    wishes: dict[str, Callable[[], object]] = {
        "lead": lambda: other.post("/api/lead", squad="red", number=0),
        "health": lambda: other.get("/api/health"),
        "manual": set_manual,
    }
    for name, wish in wishes.items():
        acting, quiet = [], []
        for _ in range(TRIALS):
            sniper = threading.Thread(target=act)
            sniper.start()
            time.sleep(random.uniform(0, SLOWEST))
            acting.append(timed(wish))
            sniper.join(30)
            time.sleep(random.uniform(0, SLOWEST))
            quiet.append(timed(wish))
        found, most = likelihood(acting, quiet), bound(TRIALS, TRIALS)
        print(f"{name}: {found:.3f} of the answers while the sniper acts are longer (0.5 +- {most:.3f}, n = {TRIALS})")
        assert abs(found - 0.5) <= most
