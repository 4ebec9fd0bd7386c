"""Measure the whole table: its start, its use of memory and CPU at rest, and actions until screens show them.

The table runs in its own process on this machine, so both read the same clock and no network is measured. A tap counts
from sending the request to the last byte of the picture that shows it.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic
from typing import Any

from firmware_host.core.settings import settle
from lab.bench.figures import Curve, Figure, Measured, Plan, delays, quantile
from lab.bench.lines import TIMEOUT, Connection, Screen, Stalled
from lab.bench.process import TableProcess

MB = 1 << 20
PIN = "2468"
SECRET, OPEN = "sniper", "defenders"
"""The seats of the game."""
MAP = "launch-facility"
GOAL_TAP, GOAL_MEMORY = 10.0, 60.0
"""Wanted 99th percentile of taps to eight screens (ms), and wanted memory at rest (MB)."""
GOAL_SCREENS = 8
AGREED = "agreed"
QUIET = 0.3
"""Seconds without a new picture after which lamps count as still."""


def measure(plan: Plan) -> Iterator[Measured]:
    yield from asyncio.run(_starts(plan))
    yield from asyncio.run(_taps(plan))
    yield from asyncio.run(_lifts(plan))


@asynccontextmanager
async def running_table(
    *options: str, slow_down: Callable[[int], None] = lambda process: None
) -> AsyncIterator[TableProcess]:
    """Run a table with its own state folder; see `Plan.slow_down`. Raises `Stalled` if it does not start or stop."""
    with tempfile.TemporaryDirectory() as state:
        table = TableProcess(Path(state) / "table", *options, slow_down=slow_down)
        try:
            await table.start()
            yield table
        finally:
            await table.stop()


# --- at rest ----------------------------------------------------------------------------------------------------


async def _starts(plan: Plan) -> list[Measured]:
    """Measure the seconds until the first page is answered, then memory and CPU of an unused table."""
    seconds = []
    for number in range(plan.starts):
        began = monotonic()
        async with running_table("--simulate", slow_down=plan.slow_down) as table:
            line = Connection(table.port)
            (await line.get("/")).granted("/")
            seconds.append(monotonic() - began)
            line.close()
            if number == plan.starts - 1:
                at_rest = await _idle(table, plan.idle_seconds)
    return [
        Figure("start", "Start of the table → first page answered", median(seconds), "s", count=plan.starts),
        *at_rest,
    ]


async def _idle(table: TableProcess, seconds: float) -> list[Measured]:
    before = table.take_sample()
    await asyncio.sleep(seconds)
    after = table.take_sample()
    share = 100 * (after.busy - before.busy) / (after.at - before.at)
    return [
        Figure("idle.memory", "Memory of a table at rest", after.memory / MB, "MB", "size", goal=GOAL_MEMORY),
        Figure("idle.processor", "Share of one core at rest", share, "%", "share"),
    ]


# --- a tap ------------------------------------------------------------------------------------------------------


class Company:
    """A device that holds both seats of a game. `carry` puts a miniature on a space."""

    def __init__(self, port: int, carry: Callable[[Connection, str, str], Awaitable[None]]) -> None:
        self.line, self._carry, self._random = Connection(port), carry, Random(1)

    async def begin(self) -> None:
        """Claim the seats, start a game with all miniatures in place, and play until the open seat is to act.

        Raises `Stalled` if a request is refused, or if board and game never agree.
        """
        for seat in (SECRET, OPEN):
            (await self.line.post("/api/claim", seat=seat, pin=PIN, device="bench")).granted("/api/claim")
        (await self.line.post("/api/start", map=MAP, options={"random_setup": True})).granted("/api/start")
        for unit, space in (await self.line.picture(OPEN))["view"]["units"].items():
            await self._carry(self.line, unit, space)
        await self.wait_until(lambda picture: picture["board"]["state"] == AGREED, "board and game never agree")
        while OPEN not in (await self.line.picture(OPEN))["view"]["to_act"]:
            legal = (await self.line.picture(SECRET))["legal"]
            await self.act(SECRET, self._random.choice([act for act in legal if act["type"] == "end-turn"] or legal))

    async def act(self, seat: str, action: dict[str, Any]) -> float:
        """Submit an action, and return when it was sent. Raises `Stalled` if it is refused."""
        revision = (await self.line.picture(seat))["revision"]
        return (await self.line.act(seat, action, revision)).granted("/api/act").sent

    async def toggle_mark(self) -> float:
        """Set or remove a mark as the open seat, an action that moves no miniature; return when it was sent."""
        legal = (await self.line.picture(OPEN))["legal"]
        return await self.act(OPEN, self._random.choice([act for act in legal if act["type"] in ("mark", "unmark")]))

    async def wait_until(self, fact: Callable[[dict[str, Any]], bool], what: str) -> None:
        """Wait until the public picture meets a condition. Raises `Stalled`."""
        end = monotonic() + TIMEOUT
        while not fact(await self.line.picture("table")):
            if monotonic() > end:
                sentence = (await self.line.picture("table"))["board"]["sentence"]
                raise Stalled(f"Nothing could be measured: {what}. The table says: {sentence}")
            await asyncio.sleep(0.02)


async def _touch(line: Connection, miniature: str, space: str | None) -> None:
    (await line.post("/api/touch", miniature=miniature, space=space)).granted("/api/touch")


async def _taps(plan: Plan) -> list[Measured]:
    """Measure the seconds from a tap to each screen, for growing numbers of screens."""
    figures, points = list[Measured](), list[tuple[float, float, float | None]]()
    streams = max(32, 2 * max(plan.screens))  # some are reserved for seat holders
    async with running_table("--simulate", "--max-streams", str(streams), slow_down=plan.slow_down) as table:
        company = Company(table.port, _touch)
        await company.begin()
        screens: list[Screen] = []
        for count in plan.screens:
            while len(screens) < count:
                screens.append(Screen("table"))
                await screens[-1].open(table.port, f"127.0.0.{1 + len(screens)}", {})
            seconds = await _tapped(company, screens, plan.samples)
            goal = GOAL_TAP if count == GOAL_SCREENS else None
            noun = "screen" if count == 1 else "screens"
            figures.append(delays(f"tap.{count}", f"Tap → shown on {count} {noun}", seconds, goal=goal))
            points.append((float(count), 1000 * median(seconds), 1000 * quantile(seconds, 0.99)))
        for screen in screens:
            screen.close()
        company.line.close()
    return [*figures, Curve("tap.growth", "Tap → shown", "screens", "ms", tuple(points))]


async def _tapped(company: Company, screens: list[Screen], samples: int) -> list[float]:
    seconds: list[float] = []
    while len(seconds) < samples:
        before = (await company.line.picture("table"))["revision"]
        sent = await company.toggle_mark()
        for screen in screens:
            await screen.wait_for_revision(before + 1)
            seconds.append((screen.first_after(before) or sent) - sent)
    return seconds


# --- a miniature ----------------------------------------------------------------------------------------------------


async def _lifts(plan: Plan) -> list[Measured]:
    """Measure the time from lifting a miniature on the board's page until the page shows other lamps."""
    waits = settle().debounce_up_ms
    seconds: list[float] = []
    async with running_table("--simulate", slow_down=plan.slow_down) as table:
        company = Company(table.port, _touch)
        await company.begin()
        screen = Screen("board")
        await screen.open(table.port, "127.0.0.2", {})
        units = (await company.line.picture(OPEN))["view"]["units"]
        standing = cycle([(unit, space) for unit, space in units.items() if space is not None])
        for unit, space in islice(standing, max(1, plan.samples // 10)):
            before = await _at_rest(screen)
            sent = monotonic()
            await _touch(company.line, unit, None)
            seconds.append(await _relit(screen, before) - sent)
            await _touch(company.line, unit, space)
            await company.wait_until(
                lambda picture: picture["board"]["state"] == AGREED, "the board never agrees again"
            )
        screen.close()
        company.line.close()
    beyond = [value - waits / 1000 for value in seconds]
    return [delays("page.lift", "Lifted on a page → lamps respond there, without settling", beyond)]


async def _at_rest(screen: Screen) -> Any:
    """Wait until the lamps are still, and return them. Raises `Stalled` if they never are."""
    seen, end = screen.pictures, monotonic() + TIMEOUT
    while True:
        await asyncio.sleep(QUIET)
        if screen.pictures == seen:
            return json.loads(screen.latest)["lamps"]
        if monotonic() > end:
            raise Stalled("The lamps of the simulated board never rest.")
        seen = screen.pictures


async def _relit(screen: Screen, before: Any) -> float:
    async with asyncio.timeout(TIMEOUT):
        while json.loads(screen.latest)["lamps"] == before:
            screen.came.clear()
            await screen.came.wait()
    return monotonic()
