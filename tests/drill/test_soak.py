"""Bots play game after game through the whole table, on a clock of the test: nothing may pile up in memory."""

from __future__ import annotations

import gc
import os
from pathlib import Path

from firmware_host.config import settle
from tests.firmware_host.evening import Evening

GAMES = int(os.environ.get("SOAK_GAMES", "2"))
WARM_UP = 1
SPARE = 4 << 20
"""Bytes by which the memory may grow after the first games: no game is as long as the other."""


def played(evening: Evening) -> None:
    """One game of bots from its start to its end."""
    evening.table.start({"options": {"random_setup": True}})
    while evening.sees("table")["stage"] != "over":
        evening.wait(5000)
    evening.table.abandon()
    evening.wait(0)
    gc.collect()


def memory() -> int:
    """The bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_game_after_game_the_table_needs_no_more_memory(tmp_path: Path) -> None:
    evening = Evening(tmp_path, settle({"bot_pause_ms": 100}))
    evening.table.journal._db.execute("PRAGMA synchronous = OFF")  # the disk is not what is tried here
    evening.table.seating.seat_bot("sniper", "random")
    evening.table.seating.seat_bot("defenders", "random")
    for _ in range(WARM_UP):
        played(evening)
    before = memory()
    for _ in range(GAMES):
        played(evening)
    grown = memory() - before
    print(f"{GAMES} games, {grown / 1024:.0f} KiB more than after the first {WARM_UP}")
    assert grown < SPARE
