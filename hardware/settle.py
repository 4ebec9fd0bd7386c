"""Debouncing: convert raw edges into settled edges. Pure: no threads, and the caller passes times in.

A closing or opening contact bounces for some milliseconds. An edge counts once its sensor has been steady for a while.
Bounces in between are never reported.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from hardware.ports import Edge

ROUNDING = 1e-9
"""Seconds by which two sums of the same floats may differ."""


def earliest(*times: float | None) -> float | None:
    """Return the first of several times, of which some can be None (nothing is due); None if all are."""
    return min((time for time in times if time is not None), default=None)


class Settle(Struct, frozen=True):
    """The debounced state of all sensors. Each step returns a new state; this one doesn't change.

    A sensor is down after `down_ms` of steady down, and up after `up_ms` of steady up.

    - `down`: the sensors that are settled down.
    - `wavering`: the last raw edge of each sensor that differs from its settled state.
    - `stirred`: sensor -> time of its last raw edge, including bounces.
    - `began`: sensor -> when those bounces began.
    """

    down_ms: int = 10
    up_ms: int = 25
    down: frozenset[int] = frozenset()
    wavering: Mapping[int, Edge] = {}
    stirred: Mapping[int, float] = {}
    began: Mapping[int, float] = {}

    def feed(self, edge: Edge) -> tuple[Settle, list[Edge]]:
        """Process a raw edge. Return the new state, and the edges that had settled before it.

        Edges must arrive in order. An edge that repeats its sensor's last one changes nothing.
        """
        state, settled = self.due(edge.at)
        return state._with_edge(edge), settled

    def due(self, now: float) -> tuple[Settle, list[Edge]]:
        """Return the new state, and the edges that have settled by `now`.

        Each edge has the time of its last contact.
        """
        ripe = [edge for edge in self.wavering.values() if self._settles_at(edge) <= now + ROUNDING]
        if not ripe:
            return self, []
        # Several sensors may settle in one step; the game must see them in their true order.
        ripe.sort(key=lambda edge: (self._settles_at(edge), edge.sensor))
        came = {edge.sensor for edge in ripe if edge.down}
        left = {edge.sensor for edge in ripe if not edge.down}
        waiting = {sensor: edge for sensor, edge in self.wavering.items() if sensor not in came | left}
        return replace(self, down=(self.down - left) | came, wavering=waiting), ripe

    def next_due(self) -> float | None:
        """Return when the next edge settles if nothing changes before, or None if all is steady."""
        return min((self._settles_at(edge) for edge in self.wavering.values()), default=None)

    def _settles_at(self, edge: Edge) -> float:
        return edge.at + (self.down_ms if edge.down else self.up_ms) / 1000

    def _with_edge(self, edge: Edge) -> Settle:
        last = self.wavering.get(edge.sensor)
        # Compare with the sensor's last raw state, settled or not.
        if edge.down == (last.down if last is not None else edge.sensor in self.down):
            return self
        others = {sensor: other for sensor, other in self.wavering.items() if sensor != edge.sensor}
        # An edge back to the settled state was only a bounce: there is nothing left to wait for.
        if edge.down != (edge.sensor in self.down):
            others[edge.sensor] = edge
        # After a rest, the edge begins a new series of bounces; its length is a health figure.
        quiet = edge.at - self.stirred.get(edge.sensor, float("-inf")) > max(self.down_ms, self.up_ms) / 1000
        began = {**self.began, edge.sensor: edge.at} if quiet else self.began
        return replace(self, wavering=others, stirred={**self.stirred, edge.sensor: edge.at}, began=began)
