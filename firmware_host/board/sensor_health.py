"""The sensors' health by space, in sentences. It is public and stored next to the board's wiring.

`hardware/health.py` measures it; here are the sentences for people.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec
from msgspec import Struct

from engine.graph import Map
from engine.text import Text
from firmware_host.board.tracking.suspicion import sentence
from firmware_host.board.wiring import Wiring
from hardware.files import read_json, replace_file
from hardware.health import Health, SensorRecord

FILE = "health.json"


class SensorReport(Struct, frozen=True):
    """One space's sensor: its number, state, counts and times (ms, s), and what to do; `sentence` is empty if good."""

    space: str
    sensor: int | None
    state: str
    changes: int
    bounce_ms: float
    dwell_s: float
    around: int
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
        return SensorReport(
            space, None, "manual", 0, 0.0, 0.0, 0, Text("It has no sensor: it is played on the screens.")
        )
    record = health.of(sensor)
    # Without any record of its own or of moves around it, nothing is known of the sensor yet.
    state = "manual" if manual else "new" if not record.raw and not record.around else health.state(sensor, now)
    facts = (record.settled, round(record.bounce_ms, 1), round(record.dwell, 1), record.around)
    return SensorReport(space, sensor, state, *facts, sentence(space, state, record.around))


def read_records(path: Path) -> dict[int, SensorRecord]:
    """Return the records of earlier runs, or {} if they cannot be read."""
    try:
        return read_json(path, dict[int, SensorRecord])
    except (OSError, ValueError):
        return {}


def remember(path: Path, health: Health) -> None:
    """Store the records. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, msgspec.json.encode(health.kept()))
