"""The state of the board for screens: the sensors by space, in sentences, and all of it as a value for any thread.

`hardware/health.py` measures the sensors. What was learned of them is stored next to the board's wiring.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from engine.graph import Map
from engine.text import Text
from firmware_host.board.tracking.suspicion import sentence
from firmware_host.board.wiring import Wiring
from hardware.files import read_json, replace_file
from hardware.health import Health, SensorRecord
from hardware.ports import Edge, Frame

FILE = "health.json"


class SensorReport(Struct, frozen=True):
    """One space's sensor: its number, state, counts and times (ms, s), and what to do.

    `sentence` is empty if the sensor is good.
    """

    space: str
    sensor: int | None
    state: str
    changes: int = 0
    bounce_ms: float = 0.0
    dwell_s: float = 0.0
    around: int = 0
    sentence: str = ""


def health_of(board: Map, wiring: Wiring, records: dict[int, SensorRecord] | None = None) -> Health:
    """Return the health of a board's sensors, with the records of earlier runs."""
    number = wiring.numbers
    near = {
        sensor: tuple(number[other] for other in board.walk[space] if other in number)
        for space, sensor in number.items()
    }
    return Health(near, records or {})


def lines(health: Health, board: Map, wiring: Wiring, manual: Collection[str], now: float) -> list[SensorReport]:
    """Return a report for each enterable space, in the map's order; none for a board without sensors."""
    if not board.has_sensors:
        return []
    return [_line(health, space, wiring.sensor_of(space), space in manual, now) for space in board.enterable]


def _line(health: Health, space: str, sensor: int | None, manual: bool, now: float) -> SensorReport:
    if sensor is None:
        return SensorReport(space, None, "manual", sentence=Text("It has no sensor: it is played on the screens."))
    record = health.of(sensor)
    # Nothing is known of a sensor yet without any record of the sensor itself or of moves around it.
    state = "manual" if manual else "new" if not record.raw and not record.around else health.state(sensor, now)
    facts = (record.settled, round(record.bounce_ms, 1), round(record.dwell, 1), record.around)
    return SensorReport(space, sensor, state, *facts, sentence(space, state, record.around))


def read_records(path: Path) -> dict[int, SensorRecord]:
    """Return the records of earlier runs, or {} if they cannot be read."""
    try:
        return read_json(path, dict[int, SensorRecord])
    except (OSError, ValueError):
        return {}


def store_records(path: Path, health: Health) -> None:
    """Store the records. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, msgspec.json.encode(health.to_save()))


class BoardSnapshot(Struct, frozen=True):
    """The board at the end of a turn of the loop. Public.

    `health` has the records of its sensors, `down` the spaces where something stands, `frame` the colours of the lamps,
    `edges` the newest raw edges; `sensors` and `lamps` name the drivers, `faults` is what is wrong with them.
    """

    map: Map
    wiring: Wiring
    health: Health
    manual: frozenset[str]
    sensors_used: bool
    sensors: str
    lamps: str
    down: tuple[str, ...]
    frame: Frame
    quiet: bool
    faults: tuple[str, ...]
    state: str
    edges: tuple[Edge, ...]

    def lines(self, now: float) -> list[SensorReport]:
        """Return a report for each space's sensor."""
        return lines(self.health, self.map, self.wiring, self.manual, now)

    def live(self) -> dict[str, Any]:
        """Return the current state of sensors and lamps."""
        return {
            "sensors": {"driver": self.sensors, "count": self.wiring.count, "down": list(self.down)},
            "lamps": {"driver": self.lamps, "count": len(self.frame), "lit": lit(self.wiring, self.frame)},
            "quiet": self.quiet,
            "ills": list(self.faults),
            "heeded": self.sensors_used,
            "manual": sorted(self.manual),
        }

    def report(self, now: float) -> dict[str, Any]:
        """Return sensors, wiring and the newest edges, for finding faults."""
        # Leave out sensors that work well, to keep the report short.
        doubtful = [line for line in self.lines(now) if line.state != "good"]
        return {
            "state": self.state,
            "wiring": (self.wiring.sensors, self.wiring.lamps),
            "health": [f"{line.space} {line.state} {line.changes} {line.bounce_ms} {line.around}" for line in doubtful],
            "edges": [f"{now - edge.at:.3f} {edge.sensor} {'down' if edge.down else 'up'}" for edge in self.edges],
        }


def lit(wiring: Wiring, frame: Frame) -> dict[str, str]:
    """Return space -> colour of its lamp as hex digits."""
    digits = bytes(chain.from_iterable(frame)).hex()
    # There can be more lamps than the wiring names. They lie under no space.
    colours = zip(wiring.lamps, range(0, len(digits), 6), strict=False)
    return {space: digits[at : at + 6] for space, at in colours if space}
