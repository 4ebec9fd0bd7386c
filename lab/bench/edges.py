"""Measure the time from a sensor's edge to the lamps, on the simulated board and on a board over a serial line.

The table with the simulated board runs in this process, so that its driver can be watched. The other table runs in its
own process, and this process plays the board at the other end of the line.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import queue
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from random import Random
from secrets import token_hex
from time import monotonic
from typing import Any

from engine.chance import Chance
from engine.graph import Map
from firmware_host.api.held_seat import HeldSeat
from firmware_host.board.board_io import BoardIO, open_board
from firmware_host.core import maps
from firmware_host.core.settings import settle
from firmware_host.records.journal import FILE, Journal
from firmware_host.seats.drafts import Drafts
from firmware_host.table.loop import Loop
from firmware_host.table.table import Table
from hardware.ports import Edge, Note
from hardware.simulated import SimulatedBoard
from lab.bench.figures import Measured, Missing, Plan, delays
from lab.bench.lines import PATIENCE, Connection, Stalled
from lab.bench.serial_board import SerialBoard
from lab.bench.table import AGREED, MAP, OPEN, PIN, QUIET, SECRET, Company, quiet_act, running_table

GOAL = 5.0
"""Wanted 99th percentile in milliseconds."""
LOOKS = 0.01
"""Seconds between two checks whether board and game agree."""


def measure(plan: Plan) -> Iterator[Measured]:
    """Measure both boards."""
    samples = max(1, plan.samples // 4)
    what = "Edge → lamps of the simulated board, without settling"
    yield delays("edge.simulated", what, _simulated(samples), goal=GOAL)
    if importlib.util.find_spec("serial") is None:
        why = "pyserial is not installed (the extra `board`)."
        yield Missing("edge.serial", "Edge → lamps over a serial line", why)
    else:
        yield delays("edge.serial", "Edge → lamps over a serial line", asyncio.run(_serial(samples)), goal=GOAL)


# --- the simulated board ----------------------------------------------------------------------------------------


def _simulated(samples: int) -> list[float]:
    """Return the seconds, without settling, for each lifted miniature."""
    with tempfile.TemporaryDirectory() as state:
        table = SimulatedTable(Path(state))
        try:
            table.begin()
            return table.lifted(samples)
        finally:
            table.stop()


class SimulatedTable:
    """A table with a simulated board in this process, without a panel."""

    def __init__(self, state: Path) -> None:
        settings = settle({"state": str(state), "map": MAP})
        self._settles = settings.debounce_up_ms / 1000

        def make_table(report: Callable[[Note], None]) -> Table:
            def make_io(board: Map) -> BoardIO:
                return open_board(settings, board, state, monotonic, partial(self._hear, report))

            return Table(settings, Journal(state / FILE), make_io, monotonic, Chance(Random(1)))

        self._loop = Loop(make_table, monotonic)
        self._random = Random(1)
        self._felt = 0.0
        """Time of the last edge."""
        self._frames: queue.SimpleQueue[float] = queue.SimpleQueue()
        """Times of new frames of the lamps."""

    def begin(self) -> None:
        """Start a game with all miniatures in place, and play until the open seat is to act. Raises `Stalled`."""
        self._loop.start()
        self._keys = {seat: self._loop.call(partial(_claimed, seat)) for seat in (SECRET, OPEN)}
        self._loop.call(lambda table: table.start({"map": MAP, "options": {"random_setup": True}}))
        self._loop.call(lambda table: table.session.tidy())
        self._agree()
        while OPEN not in self._picture(OPEN)["view"]["to_act"]:
            picture = self._picture(SECRET)
            act = quiet_act(picture["legal"], self._random)
            self._loop.call(partial(_acted, self._keys[SECRET], act, picture["revision"]))
        self._loop.call(self._watch)

    def _hear(self, report: Callable[[Note], None], note: Note) -> None:
        if isinstance(note, Edge):
            self._felt = note.at
        report(note)

    def _watch(self, table: Table) -> None:
        board = table.board.io.lamps
        assert isinstance(board, SimulatedBoard)
        board.watch(lambda frame, at: self._frames.put(at))

    def _picture(self, seat: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(HeldSeat(self._loop, self._keys[seat], Drafts()).picture(str))
        return found

    def lifted(self, samples: int) -> list[float]:
        """Return the seconds from each edge to the lamps, without settling. Raises `Stalled`."""
        units = self._picture(OPEN)["view"]["units"]
        standing = cycle([(unit, space) for unit, space in units.items() if space is not None])
        found = []
        for unit, space in islice(standing, samples):
            self._rest()
            self._loop.call(partial(_touched, unit, None))
            felt = self._felt
            # Debouncing waits on purpose, so its time does not count.
            found.append(self._next_frame() - felt - self._settles)
            self._loop.call(partial(_touched, unit, space))
            self._agree()
        return found

    def _rest(self) -> None:
        """Wait until the lamps are still. Raises `Stalled` if they never are."""
        end = monotonic() + PATIENCE
        try:
            while True:
                self._frames.get(timeout=QUIET)
                if monotonic() > end:
                    raise Stalled("The lamps of the simulated board never rest.")
        except queue.Empty:
            return

    def _next_frame(self) -> float:
        try:
            return self._frames.get(timeout=PATIENCE)
        except queue.Empty:
            raise Stalled("The lamps of the simulated board do not answer.") from None

    def _agree(self) -> None:
        """Wait until board and game agree."""
        end = monotonic() + PATIENCE
        while (board := self._picture(OPEN)["board"])["state"] != AGREED:
            if monotonic() > end:
                raise Stalled(f"Board and game never agree. The table says: {board['sentence']}")
            time.sleep(LOOKS)

    def stop(self) -> None:
        """Stop the table."""
        self._loop.stop()


def _claimed(seat: str, table: Table) -> str:
    return table.seating.claims.claim(seat, PIN, "bench", ())


def _acted(key: str, act: dict[str, Any], revision: int, table: Table) -> None:
    table.submit(key, act, revision, token_hex())


def _touched(miniature: str, space: str | None, table: Table) -> None:
    table.board.touch(miniature, space)


# --- a board over a serial line -----------------------------------------------------------------------------------


async def _serial(samples: int) -> list[float]:
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
            async with running_table("--config", str(config)) as table:
                company = Company(table.port, put)
                await company.begin()
                seconds = await _answered(company, board, sensors, samples)
                company.line.close()
        finally:
            board.stop()
    return seconds


async def _answered(company: Company, board: SerialBoard, sensors: dict[str, int], samples: int) -> list[float]:
    units = (await company.picture(OPEN))["view"]["units"]
    standing = cycle([sensors[space] for space in units.values() if space is not None])
    found = []
    for sensor in islice(standing, samples):
        await _dark(board)
        said = board.touch(sensor, False)
        async with asyncio.timeout(PATIENCE):
            await board.came.wait()
        found.append(board.shown_at - said)
        board.touch(sensor, True)
        await company.until(lambda picture: picture["board"]["state"] == AGREED, "the board never agrees again")
    return found


async def _dark(board: SerialBoard) -> None:
    """Wait until no new frame comes. Raises `Stalled` if they never stop."""
    end = monotonic() + PATIENCE
    while True:
        board.came.clear()
        try:
            async with asyncio.timeout(QUIET):
                await board.came.wait()
        except TimeoutError:
            return
        if monotonic() > end:
            raise Stalled("The lamps of the board over the serial line never rest.")
