"""`make soak`: play bot games through the whole daemon, one after the other, and check that nothing accumulates.

The daemon runs in this process as `sniperboard run` builds it, with its journal on disk, its HTTP server and screens
that follow; games are started over HTTP. Only its clock is simulated: when there is nothing to do, it jumps to the
next due time, so that waiting bots and gliding lamps take no time. After the last game the journal must pass
`sniperboard games verify`. Exit codes: 0 nothing grew, and the journal is intact · 1 otherwise.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from itertools import cycle, product
from pathlib import Path
from typing import Any, NamedTuple

from firmware_host.app.daemon import Daemon
from firmware_host.core.settings import settle
from firmware_host.table.inbox import BoundedInbox
from lab.bench.lines import HOST, Connection, Screen

FOLLOWED = ("table", "table", "board")
MAPS = ("launch-facility", "submarine-pens")
LONGEST_WAIT = 0.002
"""Maximum real seconds for which the loop waits, so that other threads and the bots' processes get some time."""
GAME_S = 60.0
"""Simulated seconds between two starts of games, because a table limits their rate."""
OBJECTS, MEMORY = 1000, 8 << 20
"""Allowed growth of the number of objects, and of memory in bytes, between two idle moments."""
MB = 1 << 20


class SkippingInbox(BoundedInbox):
    """An inbox that does not wait: when it is empty, the simulated clock jumps to the time when the wait would end."""

    def __init__(self) -> None:
        super().__init__(self.clock)
        self._items: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._now = 1000.0

    def clock(self) -> float:
        """Return the simulated seconds."""
        return self._now

    def put(self, item: object) -> None:
        self._items.put(item)

    def empty(self) -> bool:
        return self._items.empty()

    def get(self, *, timeout: float) -> object:
        """Return the next item. Raises `queue.Empty`, after setting the clock forward by `timeout`."""
        try:
            return self._items.get(timeout=min(timeout, LONGEST_WAIT))
        except queue.Empty:
            self._now += timeout
            raise


class ResourceUse(NamedTuple):
    """The resources of a table at rest: bytes of memory, objects, threads, open files."""

    memory: int
    objects: int
    threads: int
    files: int

    @property
    def sentence(self) -> str:
        return f"{self.memory / MB:.1f} MB, {self.objects} objects, {self.threads} threads, {self.files} files"

    def grown(self, before: ResourceUse) -> list[str]:
        growth = []
        if self.memory - before.memory > MEMORY:
            growth.append(f"{(self.memory - before.memory) / MB:.1f} MB more in memory")
        if self.objects - before.objects > OBJECTS:
            growth.append(f"{self.objects - before.objects} objects more")
        if self.threads > before.threads:
            growth.append(f"{self.threads - before.threads} threads more")
        if self.files > before.files:
            growth.append(f"{self.files - before.files} files more")
        return growth


class Soak:
    """A daemon with its journal below `folder`, and a client that starts its games."""

    def __init__(self, folder: Path) -> None:
        self._inbox = inbox = SkippingInbox()
        settings = settle({"state": str(folder), "host": HOST, "port": 0, "bot_pause_ms": 100})
        self._daemon = Daemon(settings, inbox.clock, inbox=inbox)
        self._daemon.start()
        self._port = int(self._daemon.addresses[0].rstrip("/").rpartition(":")[2])
        self._line, self._screens = Connection(self._port), [Screen(viewer) for viewer in FOLLOWED]
        self._pairs: Iterator[tuple[str, str]] = iter(())
        self.games = 0

    async def open(self) -> None:
        """Open all screens, and ask for the bots."""
        for screen in self._screens:
            await screen.open(self._port, HOST, {})
        lobby = (await self._line.get("/api/lobby")).granted("/api/lobby").json()
        quick = {seat: [it["name"] for it in bots if it["level"] != "expert"] for seat, bots in lobby["bots"].items()}
        self._pairs = cycle(product(quick["sniper"], quick["defenders"]))  # an expert's search needs a real clock

    async def play(self) -> None:
        """Play one game, with another pair of bots than the last. One game in eight is abandoned."""
        start = self._inbox.clock()
        for seat, bot in zip(("sniper", "defenders"), next(self._pairs), strict=True):
            await self._post("/api/release", seat=seat)
            await self._post("/api/bot", seat=seat, bot=bot)
        await self._post("/api/start", options={"random_setup": True}, map=MAPS[self.games % len(MAPS)])
        self.games += 1
        await self._reached(b"over" if self.games % 8 else b"playing")
        await self._post("/api/abandon")
        await self._reached(b"lobby")
        while self._inbox.clock() < start + GAME_S:  # an idle table skips this time at once
            await asyncio.sleep(LONGEST_WAIT)

    async def _post(self, path: str, **body: Any) -> None:
        (await self._line.post(path, **body)).granted(path)

    async def _reached(self, stage: bytes) -> None:
        first, expected = self._screens[0], b'"stage":"%s"' % stage
        await first.wait_until(lambda: expected in first.latest, f"never shows {stage.decode()}")

    async def state(self) -> ResourceUse:
        """Return the current resource use, once requests have ended and bounded caches are empty."""
        await self._line.get("/api/lobby")
        await asyncio.sleep(0.2)
        for cached in [it for it in gc.get_objects() if isinstance(it, _lru_cache_wrapper)]:
            if cached.cache_parameters()["maxsize"] is not None:
                cached.cache_clear()
        gc.collect()
        memory = int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
        files = len(list(Path("/proc/self/fd").iterdir()))
        return ResourceUse(memory, len(gc.get_objects()), threading.active_count(), files)

    @property
    def pictures(self) -> int:
        """Return how many pictures the screens received."""
        return sum(screen.pictures for screen in self._screens)

    def stop(self) -> None:
        self._line.close()
        for screen in self._screens:
            screen.close()
        self._daemon.stop()


def verify_journal(folder: Path) -> tuple[bool, str]:
    """Return whether every game of the journal matches its record, and the messages of the check."""
    command = [sys.executable, "-m", "firmware_host", "games", "verify", "--state", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1])
    return done.returncode == 0, done.stderr.strip()


def main() -> int:
    parser = argparse.ArgumentParser(prog="make soak", description="Game after game through the whole daemon.")
    parser.add_argument("--games", type=int, default=10_000, help="default: %(default)s")
    parser.add_argument("--every", type=int, default=100, help="games between two looks (default: %(default)s)")
    parser.add_argument("--json", type=Path, default=Path("soak.json"), help="what was seen (default: %(default)s)")
    chosen = parser.parse_args()
    sys.setswitchinterval(0.001)  # the loop never waits, so let other threads run often
    with tempfile.TemporaryDirectory() as place:
        states = asyncio.run(play_games(Path(place), chosen.games, chosen.every))
        print("Verifying the journal.", flush=True)
        intact, why = verify_journal(Path(place))
    # After a tenth of the games, all caches are full.
    grown = states[-1].grown(states[len(states) // 10])
    chosen.json.write_text(json.dumps([state._asdict() for state in states]), "utf-8")
    faults = [*grown, *([] if intact else [f"The journal is damaged: {why}"])]
    print("\n".join(faults) if faults else "Nothing grew, and the journal is intact.", file=sys.stderr)
    return 1 if faults else 0


async def play_games(folder: Path, games: int, every: int) -> list[ResourceUse]:
    """Play this number of games, and record the resource use after every `every` games."""
    states, began, table = [], time.monotonic(), Soak(folder)
    try:
        await table.open()
        while table.games < games:
            for _ in range(min(every, games - table.games)):
                await table.play()
            states.append(await table.state())
            pace = 60 * table.games / (time.monotonic() - began)
            seen = f"{table.games} games, {pace:.0f} a minute, {table.pictures} pictures"
            print(f"{seen}; {states[-1].sentence}", flush=True)
    finally:
        table.stop()
    return states


if __name__ == "__main__":
    raise SystemExit(main())
