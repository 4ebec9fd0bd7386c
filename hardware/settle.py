"""Debouncing: raw edges in, settled edges out. Pure: no threads and no clock, time is handed in.

A contact that closes or opens chatters for some milliseconds. An edge is believed once its sensor has been steady for
a while; what the chatter did in between is never reported.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from hardware.ports import Edge

JOT = 1e-9
"""Seconds by which two sums of the same floats may differ."""


class Settle(Struct, frozen=True):
    """The state of all sensors, debounced. Each step gives the next one; this one stays as it was.

    A sensor is down after `down_ms` of steady down and up after `up_ms` of steady up. `down` are the sensors that
    are settled down; `wavering` holds the last raw edge of each sensor that says otherwise and is not yet believed;
    `stirred` is sensor -> its last raw edge's time, chatter included; `began` is sensor -> when that chatter began.
    """

    down_ms: int = 10
    up_ms: int = 25
    down: frozenset[int] = frozenset()
    wavering: Mapping[int, Edge] = {}
    stirred: Mapping[int, float] = {}
    began: Mapping[int, float] = {}

    def feel(self, edge: Edge) -> tuple[Settle, list[Edge]]:
        """Take a raw edge, in the order of their coming, and say what had settled before it.

        An edge that says what was last said by its sensor is no news and changes nothing.
        """
        state, settled = self.due(edge.at)
        return state._note(edge), settled

    def due(self, now: float) -> tuple[Settle, list[Edge]]:
        """What has settled by `now`, in the order of settling; each edge keeps the time of its last contact."""
        ripe = [edge for edge in self.wavering.values() if self._settles(edge) <= now + JOT]
        if not ripe:
            return self, []
        ripe.sort(key=lambda edge: (self._settles(edge), edge.sensor))
        came = {edge.sensor for edge in ripe if edge.down}
        left = {edge.sensor for edge in ripe if not edge.down}
        waiting = {sensor: edge for sensor, edge in self.wavering.items() if sensor not in came | left}
        return replace(self, down=(self.down - left) | came, wavering=waiting), ripe

    def next_due(self) -> float | None:
        """When the next edge settles if nothing moves before; None when all is steady."""
        return min((self._settles(edge) for edge in self.wavering.values()), default=None)

    def _settles(self, edge: Edge) -> float:
        return edge.at + (self.down_ms if edge.down else self.up_ms) / 1000

    def _note(self, edge: Edge) -> Settle:
        last = self.wavering.get(edge.sensor)
        if edge.down == (last.down if last is not None else edge.sensor in self.down):
            return self
        others = {sensor: other for sensor, other in self.wavering.items() if sensor != edge.sensor}
        if edge.down != (edge.sensor in self.down):
            others[edge.sensor] = edge
        quiet = edge.at - self.stirred.get(edge.sensor, float("-inf")) > max(self.down_ms, self.up_ms) / 1000
        began = {**self.began, edge.sensor: edge.at} if quiet else self.began
        return replace(self, wavering=others, stirred={**self.stirred, edge.sensor: edge.at}, began=began)
