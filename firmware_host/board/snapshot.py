"""The board's public state as a value that any thread may read."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from engine.graph import Map
from firmware_host.board.sensor_health import SensorReport, lines
from firmware_host.board.wiring import Wiring
from hardware.health import Health
from hardware.ports import Edge, Frame


class BoardSnapshot(Struct, frozen=True):
    """The board at the end of a turn of the loop. Public.

    `health` is what was learned of its sensors, `down` the spaces where something stands, `frame` what the lamps show,
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

    def bench(self, now: float) -> dict[str, Any]:
        """Return sensors, wiring and the newest edges, for finding faults."""
        # Sensors that work well would only make the report long.
        doubtful = [line for line in self.lines(now) if line.state != "good"]
        return {
            "state": self.state,
            "wiring": (self.wiring.sensors, self.wiring.lamps),
            "health": [f"{line.space} {line.state} {line.changes} {line.bounce_ms} {line.around}" for line in doubtful],
            "edges": [f"{now - edge.at:.3f} {edge.sensor} {'down' if edge.down else 'up'}" for edge in self.edges],
        }


def lit(wiring: Wiring, frame: Frame) -> dict[str, str]:
    """Return space -> colour of its lamp as hex digits."""
    return {
        space: f"{red:02x}{green:02x}{blue:02x}"
        # There can be more lamps than the wiring names. They lie under no space.
        for space, (red, green, blue) in zip(wiring.lamps, frame, strict=False)
        if space
    }
