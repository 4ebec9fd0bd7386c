"""The workshop of a running table with a Pico whose cable is pulled."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from firmware_host.admin import pin as pins
from firmware_host.board.wiring import FILE, Wiring, read_wiring
from firmware_host.core import maps
from firmware_host.seats.identity import Requester
from firmware_host.workshop.calibration import NOTES, Found
from firmware_host.workshop.job import WHITE
from tests.hardware.pico import Pico, needs_micropython
from tests.patience import PATIENCE
from tools.showroom import ADMIN_PIN, Showroom

BOARD = maps.load("launch-facility")
SHIPPED = read_wiring(maps.FOLDER / BOARD.slug / FILE, BOARD)
LAMPS = len(SHIPPED.lamps)
LEFT = 3
"""Spaces that an earlier session has not found."""


class Bench(Showroom):
    """A table over modelled hardware, and its maker."""

    def __init__(self, folder: Path, **house: Any) -> None:
        self.kept = folder / "boards" / BOARD.slug
        self.kept.mkdir(parents=True)
        before = enumerate(map(str, SHIPPED.lamps[:-LEFT]))
        known = [Found(lamp, space, SHIPPED.sensors.index(space)) for lamp, space in before]
        (self.kept / NOTES).write_bytes(msgspec.json.encode(known))
        super().__init__(folder, **house)
        pins.write_pin(folder, ADMIN_PIN)
        self.maker = Requester(admin_key=self.interface.admin.access.sign_in(ADMIN_PIN, Requester()))
        self.interface.workshop.enter("a phone", self.maker)

    @property
    def sees(self) -> dict[str, Any]:
        return self.interface.workshop.state(self.maker)

    def until(self, seen: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Wait until the workshop shows this."""
        end = time.monotonic() + PATIENCE
        while not seen(now := self.sees):
            assert time.monotonic() < end, now
        return now

    def progress(self, done: int) -> None:
        self.until(lambda now: now["job"]["progress"] == [done, LAMPS])

    @property
    def wiring(self) -> Wiring:
        return read_wiring(self.kept / FILE, BOARD)


@needs_micropython
def test_pulled_cable_loses_nothing_and_spare_input_is_detected(tmp_path: Path) -> None:
    pico, port = Pico(tmp_path / "pico", sensors=128, lamps=LAMPS), tmp_path / "port"
    pico.believes(0, False)
    port.symlink_to(pico.name)
    bench = Bench(tmp_path / "state", board="board_link", board_link={"port": str(port)})
    try:
        bench.until(lambda now: "128 sensors" in " ".join(now["connected"]))
        bench.interface.workshop.start_job("calibrate", bench.maker)
        bench.until(lambda _: pico.seen()[LAMPS - 3] == WHITE)
        pico.touch(LAMPS - 3, True)
        bench.progress(LAMPS - 2)
        pico.unplug()
        bench.until(lambda now: now["standing_still"] and "The board is away" in now["ills"][0])
        pico.touch(LAMPS - 3, False)
        pico.plug_in()
        port.unlink()
        port.symlink_to(pico.name)
        bench.until(lambda now: not now["standing_still"] and now["down"] == [])
        pico.touch(LAMPS - 2, True)
        bench.progress(LAMPS - 1)
        pico.touch(127, True)
        bench.until(lambda now: now["job"]["ended"])
        assert bench.wiring.sensor_of(str(SHIPPED.lamps[-1])) == 127
        bench.interface.workshop.leave(bench.maker)
        assert bench.loop.call(lambda table: table.board.io.wiring) == bench.wiring
    finally:
        bench.stop()
        pico.unplug()
