"""The condition of each sensor, learned during play: bounce, dwell, silence, chatter. Pure.

This module knows no game. A sensor is compared with its neighbours: miniatures move from space to space, so a sensor
that never changes while much changes around it is dead or stuck. The result is a value that can be saved and restored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from engine.text import Text
from hardware.ports import Edge, UnsettledContact

CHATTER_AFTER = 0.8
"""Seconds of continuous edges that no person can cause.

A reed bounces for some milliseconds, and a person lifts a piece only once in a while.
"""
REST_SECONDS = 0.1
"""Seconds without an edge that end a sensor's restless phase."""
DEBOUNCED_REST = 0.8
"""Like `REST_SECONDS`, for hardware that debounces by itself.

Such hardware reports its raw contacts only now and then (board-link/1: every 250 ms), and a chattering one looks steady
in half of the reports.
"""
CHATTERING_FOR = 1.0
"""Seconds after its last edge for which a sensor counts as chattering."""
SILENT_AFTER = 40
"""A sensor is silent after this many arrivals around it without a change of its own."""
LONG_BOUNCE_MS = 15.0
"""Good contacts bounce for a shorter time."""
GOOD, CHATTERING, SILENT, BOUNCING = "good", "chattering", "silent", "bouncing"
"""The states of a sensor: good, then from worst to best. `silent` means dead or stuck."""
FEW, SHARE = 24, 4
"""Up to this many sensors, or this fraction of all (1/SHARE), may be down together. A game has a dozen miniatures."""


def count_warning(bitmap: int, sensors: int) -> Text | None:
    """Return a message if more sensors are down than people can have covered, else None."""
    count = bitmap.bit_count()
    if count <= max(FEW, sensors // SHARE):
        return None
    return Text(
        "{count} sensors are down at once, which miniatures cannot cause. Check the chain's power, CLOCK and "
        "LOAD. Until then, the sensors are ignored.",
        count=count,
    )


class SensorRecord(Struct, frozen=True):
    """The record of one sensor. Times are monotonic seconds of this run; counts cover all runs.

    - `raw`, `settled`: the number of edges.
    - `bounce_ms`: the longest bounce, from the first to the last raw edge of one change, in ms.
    - `dwell`: the longest time down, in s.
    - `around`: how often something arrived at a neighbour since this sensor changed.
    - `last`: the last raw edge.
    - `restless_since`: the first raw edge of the last series without a rest.
    """

    raw: int = 0
    settled: int = 0
    bounce_ms: float = 0.0
    dwell: float = 0.0
    around: int = 0
    down_since: float | None = None
    restless_since: float | None = None
    last: float | None = None

    @property
    def restless_for(self) -> float:
        """The duration of its last restless phase, in seconds."""
        return 0.0 if self.last is None or self.restless_since is None else self.last - self.restless_since

    @property
    def doubtful(self) -> bool:
        """Whether the state of the sensor has to be checked; for most sensors, it need not be."""
        return self.around >= SILENT_AFTER or self.restless_for >= CHATTER_AFTER


class Health(Struct, frozen=True, dict=True):  # `dict=True` gives a frozen struct a namespace for cached values
    """The records of all sensors. `near` maps each sensor to its neighbours."""

    near: Mapping[int, tuple[int, ...]]
    records: Mapping[int, SensorRecord] = {}

    def apply_edge(self, edge: Edge) -> Health:
        """Return the health after a raw edge."""
        return self._with_edge(edge.sensor, edge.at, REST_SECONDS)

    def restless(self, contact: UnsettledContact) -> Health:
        """Return the health after a report that a raw contact differs from its debounced state."""
        return self._with_edge(contact.sensor, contact.at, DEBOUNCED_REST)

    def _with_edge(self, sensor: int, at: float, quiet_after: float) -> Health:
        record = self.of(sensor)
        going_on = record.last is not None and at - record.last < quiet_after
        # A quick series keeps its start, so that `restless_for` grows until there is a rest.
        changed = replace(record, raw=record.raw + 1, restless_since=record.restless_since if going_on else at, last=at)
        return replace(self, records={**self.records, sensor: changed})

    def settled(self, edge: Edge, began: float) -> Health:
        """Return the health after a settled change, whose bounce began at `began` (monotonic seconds)."""
        record = self.of(edge.sensor)
        bounce = max(record.bounce_ms, (edge.at - began) * 1000)
        dwell = (
            record.dwell if edge.down or record.down_since is None else max(record.dwell, edge.at - record.down_since)
        )
        changed = replace(
            record,
            settled=record.settled + 1,
            bounce_ms=bounce,
            dwell=dwell,
            around=0,
            down_since=edge.at if edge.down else None,
        )
        records = {**self.records, edge.sensor: changed}
        came = edge.down and self.state(edge.sensor, edge.at) != CHATTERING  # a chattering contact is not an arrival
        # A change counts as an arrival for the neighbours; the sensor's own count was reset above.
        for other in self.near.get(edge.sensor, ()) if came else ():
            beside = records.get(other, SensorRecord())
            records[other] = replace(beside, around=beside.around + 1)
        return replace(self, records=records)

    def of(self, sensor: int) -> SensorRecord:
        return self.records.get(sensor, SensorRecord())

    def state(self, sensor: int, now: float) -> str:
        """Return `good`, `chattering`, `silent` or `bouncing`."""
        record = self.of(sensor)
        # Chatter ends after a rest; a silent sensor stays silent until it reports a change.
        if record.restless_for >= CHATTER_AFTER and now < (record.last or now) + CHATTERING_FOR:
            return CHATTERING
        if record.around >= SILENT_AFTER:
            return SILENT
        # Long bounces are a warning only: settling hides them from the game.
        return BOUNCING if record.bounce_ms > LONG_BOUNCE_MS else GOOD

    def suspects(self, now: float) -> Iterator[tuple[int, str]]:
        """Yield the sensors that are unreliable now, each with its state. A sensor that only bounces is reliable."""
        states = ((sensor, self.state(sensor, now)) for sensor in self._doubtful)
        yield from (it for it in states if it[1] in (CHATTERING, SILENT))

    @cached_property
    def _doubtful(self) -> list[int]:
        """The sensors whose state needs a check. The table asks several times a turn; most turns have no edge."""
        return sorted(sensor for sensor, record in self.records.items() if record.doubtful)

    def to_save(self) -> dict[int, SensorRecord]:
        """Return what to save for the next run, without times, because its clock differs."""
        return {
            sensor: replace(record, down_since=None, restless_since=None, last=None)
            for sensor, record in self.records.items()
        }
