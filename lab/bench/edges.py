"""Measure the time from a sensor's edge to the lamps, on a board over a serial line.

The table runs in its own process, and this process plays the board at the other end of the line.
"""

from __future__ import annotations

import asyncio
import importlib.util
import tempfile
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from time import monotonic

from firmware_host.core import maps
from lab.bench.figures import Measured, Missing, Plan, delays
from lab.bench.lines import TIMEOUT, Connection, Stalled
from lab.bench.serial_board import SerialBoard
from lab.bench.table import AGREED, MAP, OPEN, QUIET, Company, running_table

GOAL = 5.0
"""Wanted 99th percentile in milliseconds."""


def measure(plan: Plan) -> Iterator[Measured]:
    """Measure the board, if its line can be opened here."""
    what = "Edge → lamps over a serial line"
    if importlib.util.find_spec("serial") is None:
        yield Missing("edge.serial", what, "pyserial is not installed (the extra `board`).")
    else:
        yield delays("edge.serial", what, asyncio.run(_serial(plan)), goal=GOAL)


async def _serial(plan: Plan) -> list[float]:
    """Return the seconds from sending an edge over the line until a frame for the lamps comes back."""
    board = SerialBoard(len(maps.load(MAP).enterable))
    board.start()
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "config.toml"
        config.write_text(f'[sniperboard]\nboard = "board_link"\n[board_link]\nport = "{board.path}"\n', "utf-8")

        sensors: dict[str, int] = {}

        async def put(line: Connection, unit: str, space: str) -> None:
            if not sensors:
                health = (await line.get("/api/health")).granted("/api/health").json()
                sensors.update((it["space"], it["sensor"]) for it in health["sensors"])
            board.touch(sensors[space], True)

        try:
            async with running_table("--config", str(config), slow_down=plan.slow_down) as table:
                company = Company(table.port, put)
                await company.begin()
                seconds = await _answered(company, board, sensors, max(1, plan.samples // 4))
                company.line.close()
        finally:
            board.stop()
    return seconds


async def _answered(company: Company, board: SerialBoard, sensors: dict[str, int], samples: int) -> list[float]:
    units = (await company.line.picture(OPEN))["view"]["units"]
    standing = cycle([sensors[space] for space in units.values() if space is not None])
    seconds = []
    for sensor in islice(standing, samples):
        await _dark(board)
        touched_at = board.touch(sensor, False)
        async with asyncio.timeout(TIMEOUT):
            await board.came.wait()
        seconds.append(board.shown_at - touched_at)
        board.touch(sensor, True)
        await company.wait_until(lambda picture: picture["board"]["state"] == AGREED, "the board never agrees again")
    return seconds


async def _dark(board: SerialBoard) -> None:
    """Wait until no new frames arrive. Raises `Stalled` if they never stop."""
    end = monotonic() + TIMEOUT
    while True:
        board.came.clear()
        try:
            async with asyncio.timeout(QUIET):
                await board.came.wait()
        except TimeoutError:
            return
        if monotonic() > end:
            raise Stalled("The lamps of the board over the serial line never rest.")
