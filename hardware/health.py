"""How each sensor is, learned from what it says in play: bounce, dwell, silence, chatter. Pure; it knows no game.

A sensor is measured against its neighbours: miniatures walk from space to space, so one that never changes while much
changes around it is dead or stuck. What was learned is a value that can be kept and taken up again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from hardware.ports import Edge, Unrest

CHATTER = 0.8
"""Seconds of edges without a rest that no hand makes: a reed bounces for some milliseconds, and a hand lifts once."""
REST = 0.1
"""Seconds without an edge that end a sensor's unrest."""
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


class Pulse(Struct, frozen=True):
    """One sensor. Times are monotonic seconds of the present run; counts are of all runs.

    `raw` and `settled` edges, the longest bounce (first to last raw edge of one change, ms) and the longest time down
    (s), and how often something came to a neighbour since it changed itself. `last` is its last raw edge, `unrest` the
    first of those that came without a rest before that.
    """

    raw: int = 0
    settled: int = 0
    bounce_ms: float = 0.0
    dwell: float = 0.0
    around: int = 0
    down_since: float | None = None
    unrest: float | None = None
    last: float | None = None

    @property
    def unrested(self) -> float:
        """For how many seconds its last unrest went on."""
        return 0.0 if self.last is None or self.unrest is None else self.last - self.unrest

    @property
    def doubtful(self) -> bool:
        """Whether its state is worth a look: few ever are."""
        return self.around >= SILENCE or self.unrested >= CHATTER


class Health(Struct, frozen=True):
    """All sensors; `near` is sensor -> its neighbours."""

    near: Mapping[int, tuple[int, ...]]
    pulses: Mapping[int, Pulse] = {}

    def felt(self, edge: Edge) -> Health:
        """A raw edge came."""
        return self._stirred(edge.sensor, edge.at, REST)

    def restless(self, unrest: Unrest) -> Health:
        """At a glance, the contact said otherwise than its hardware."""
        return self._stirred(unrest.sensor, unrest.at, GLANCE)

    def _stirred(self, sensor: int, at: float, rest: float) -> Health:
        pulse = self.of(sensor)
        going_on = pulse.last is not None and at - pulse.last < rest
        changed = replace(pulse, raw=pulse.raw + 1, unrest=pulse.unrest if going_on else at, last=at)
        return replace(self, pulses={**self.pulses, sensor: changed})

    def settled(self, edge: Edge, began: float) -> Health:
        """A change has settled; its chatter began at `began` (monotonic seconds)."""
        pulse = self.of(edge.sensor)
        bounce = max(pulse.bounce_ms, (edge.at - began) * 1000)
        dwell = pulse.dwell if edge.down or pulse.down_since is None else max(pulse.dwell, edge.at - pulse.down_since)
        changed = replace(
            pulse,
            settled=pulse.settled + 1,
            bounce_ms=bounce,
            dwell=dwell,
            around=0,
            down_since=edge.at if edge.down else None,
        )
        pulses = {**self.pulses, edge.sensor: changed}
        came = edge.down and self.state(edge.sensor, edge.at) != CHATTERING  # nothing comes where a contact chatters
        for other in self.near.get(edge.sensor, ()) if came else ():
            beside = pulses.get(other, Pulse())
            pulses[other] = replace(beside, around=beside.around + 1)
        return replace(self, pulses=pulses)

    def of(self, sensor: int) -> Pulse:
        """How one sensor is."""
        return self.pulses.get(sensor, Pulse())

    def state(self, sensor: int, now: float) -> str:
        """`good`, `chattering`, `silent` or `bouncing`."""
        pulse = self.of(sensor)
        if pulse.unrested >= CHATTER and now < (pulse.last or now) + AFTER:
            return CHATTERING
        if pulse.around >= SILENCE:
            return SILENT
        return BOUNCING if pulse.bounce_ms > LONG_BOUNCE_MS else GOOD

    def suspects(self, now: float) -> Iterator[tuple[int, str]]:
        """The sensors that cannot be trusted now, each with its state; one that only bounces can be."""
        found = ((sensor, self.state(sensor, now)) for sensor, pulse in self.pulses.items() if pulse.doubtful)
        yield from sorted(it for it in found if it[1] in (CHATTERING, SILENT))

    def kept(self) -> dict[int, Pulse]:
        """What is worth keeping until the next run, whose clock is another."""
        return {
            sensor: replace(pulse, down_since=None, unrest=None, last=None) for sensor, pulse in self.pulses.items()
        }
