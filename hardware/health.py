"""How each sensor is, learned from what it says in play: bounce, dwell, silence, chatter. Pure; it knows no game.

A sensor is measured against its neighbours: miniatures walk from space to space, so one that never changes while much
changes around it is dead or stuck. What was learned is a value that can be kept and taken up again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from hardware.ports import Edge, UnsettledContact

CHATTER = 0.8
"""Seconds of edges without a rest that no hand makes: a reed bounces for some milliseconds, and a hand lifts once."""
REST = 0.1
"""Seconds without an edge that end a restless phase of a sensor."""
GLANCE = 0.8
"""The same where hardware that debounces by itself shows its contacts only now and then (board-link/1: each 250 ms),
and one that chatters looks calm in half of the glances."""
AFTER = 1.0
"""Seconds for which a sensor counts as chattering after its last edge."""
SILENCE = 40
"""Arrivals around a sensor that has not changed itself."""
LONG_BOUNCE_MS = 15.0
"""Good contacts are at rest before that."""
GOOD, CHATTERING, SILENT, BOUNCING = "good", "chattering", "silent", "bouncing"
"""What a sensor may be, the worst but good first: `silent` is dead or stuck."""


class SensorRecord(Struct, frozen=True):
    """One sensor. Times are monotonic seconds of the present run; counts are of all runs.

    `raw` and `settled` edges, the longest bounce (first to last raw edge of one change, ms) and the longest time down
    (s), and how often something came to a neighbour since it changed itself. `last` is its last raw edge,
    `restless_since` the first of those that came without a rest before that.
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
        """For how many seconds it was restless when it last was."""
        return 0.0 if self.last is None or self.restless_since is None else self.last - self.restless_since

    @property
    def doubtful(self) -> bool:
        """Whether its state is worth a look: few ever are."""
        return self.around >= SILENCE or self.restless_for >= CHATTER


class Health(Struct, frozen=True):
    """All sensors; `near` is sensor -> its neighbours."""

    near: Mapping[int, tuple[int, ...]]
    records: Mapping[int, SensorRecord] = {}

    def felt(self, edge: Edge) -> Health:
        """A raw edge came."""
        return self._stirred(edge.sensor, edge.at, REST)

    def restless(self, contact: UnsettledContact) -> Health:
        """At a glance, the contact said otherwise than its hardware."""
        return self._stirred(contact.sensor, contact.at, GLANCE)

    def _stirred(self, sensor: int, at: float, rest: float) -> Health:
        record = self.of(sensor)
        going_on = record.last is not None and at - record.last < rest
        changed = replace(record, raw=record.raw + 1, restless_since=record.restless_since if going_on else at, last=at)
        return replace(self, records={**self.records, sensor: changed})

    def settled(self, edge: Edge, began: float) -> Health:
        """A change has settled; its chatter began at `began` (monotonic seconds)."""
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
        came = edge.down and self.state(edge.sensor, edge.at) != CHATTERING  # nothing comes where a contact chatters
        for other in self.near.get(edge.sensor, ()) if came else ():
            beside = records.get(other, SensorRecord())
            records[other] = replace(beside, around=beside.around + 1)
        return replace(self, records=records)

    def of(self, sensor: int) -> SensorRecord:
        """How one sensor is."""
        return self.records.get(sensor, SensorRecord())

    def state(self, sensor: int, now: float) -> str:
        """`good`, `chattering`, `silent` or `bouncing`."""
        record = self.of(sensor)
        if record.restless_for >= CHATTER and now < (record.last or now) + AFTER:
            return CHATTERING
        if record.around >= SILENCE:
            return SILENT
        return BOUNCING if record.bounce_ms > LONG_BOUNCE_MS else GOOD

    def suspects(self, now: float) -> Iterator[tuple[int, str]]:
        """The sensors that cannot be trusted now, each with its state; one that only bounces can be."""
        found = ((sensor, self.state(sensor, now)) for sensor, record in self.records.items() if record.doubtful)
        yield from sorted(it for it in found if it[1] in (CHATTERING, SILENT))

    def kept(self) -> dict[int, SensorRecord]:
        """What is worth keeping until the next run, whose clock is another."""
        return {
            sensor: replace(record, down_since=None, restless_since=None, last=None)
            for sensor, record in self.records.items()
        }
