"""Fault injection: apply a script of faults to the edges of a working board. Pure.

The caller passes times in. Sensors are numbered. Times are milliseconds since the start in a script, and monotonic
seconds in edges. The same seed gives the same faults. `docs/faults.md` explains how to write a script.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from hardware.ports import Edge

Range = tuple[int, int]
Step = tuple[int, bool | None]
"""Milliseconds to wait, and the state to report then: down, up, or None for the true state."""


class Fault(Struct, frozen=True, forbid_unknown_fields=True):
    """One fault of one sensor, or of all.

    Without a sensor, `dead`, `stuck` and `chatter` apply to one that the seed selects. `at` and `until` limit the fault
    (ms since the start). `every` is the waiting time and `length` the duration ([minimum, maximum] in ms; the defaults
    are in `DEFAULT_TIMES`). `chance` is its probability each time, for `bounce` and `ghost`.
    """

    kind: str
    sensor: int | None = None
    at: int = 0
    until: int | None = None
    every: Range | None = None
    length: Range | None = None
    chance: float = 1.0


class Script(Struct, frozen=True, forbid_unknown_fields=True):
    """All faults, and the seed for random choices."""

    faults: tuple[Fault, ...] = ()
    seed: int = 1


DEFAULT_TIMES: Mapping[str, tuple[Range, Range]] = {
    "bounce": ((1, 4), (0, 15)),
    "weak": ((400, 3000), (3, 90)),
    "ghost": ((0, 20), (2, 50)),
    "chatter": ((2, 40), (2, 40)),
    "dead": ((0, 0), (0, 0)),
    "stuck": ((0, 0), (0, 0)),
}
"""Kind -> default waiting time and duration, in ms."""
FOREVER = 10**12


def script_errors(fault: Fault, count: int) -> Iterator[str]:
    """Yield the errors of a fault for a board of `count` sensors."""
    if fault.kind not in DEFAULT_TIMES:
        yield f"there is no kind {fault.kind!r}; known are {', '.join(DEFAULT_TIMES)}"
    if fault.sensor is not None and not 0 <= fault.sensor < count:
        yield f"there is no sensor {fault.sensor}; this board has 0 to {count - 1}"
    if fault.at < 0 or (fault.until is not None and fault.until <= fault.at):
        yield "it must end after it begins, and not begin before 0"
    for name, values in (("every", fault.every), ("length", fault.length)):
        if values is not None and not 0 <= values[0] <= values[1]:
            yield f"{name} is [least, most] in milliseconds"
    if not 0 <= fault.chance <= 1:
        yield "chance is between 0 and 1"


class FaultInjector:
    """Applies a script to a board of `count` sensors, starting at `start`.

    `near` maps each sensor to its neighbours.
    """

    def __init__(self, script: Script, count: int, near: Mapping[int, tuple[int, ...]], start: float) -> None:
        self._random = Random(script.seed)
        self._count, self._near, self._start = count, near, start
        self._true: set[int] = set()
        self._said: set[int] = set()
        self._forced: dict[int, bool] = {}
        self._order = 0
        # A heap of future edges. `_order` keeps edges of the same time in their order.
        self._coming: list[tuple[float, int, int, bool | None, Iterator[Step], float]] = []
        self._faults = [self._with_sensor(fault) for fault in script.faults]
        for fault in self._faults:
            sensors = range(count) if fault.sensor is None else [fault.sensor]
            for sensor in sensors if fault.kind in ("weak", "chatter", "dead", "stuck") else ():
                self._schedule(sensor, self._steps(fault), start + fault.at / 1000, self._end(fault))

    def _with_sensor(self, fault: Fault) -> Fault:
        """Select a random sensor for a fault that concerns a single sensor but names none."""
        if fault.sensor is not None or fault.kind not in ("dead", "stuck", "chatter"):
            return fault
        return replace(fault, sensor=self._random.randrange(self._count))

    def apply_edge(self, edge: Edge) -> list[Edge]:
        """Return what is reported at once for a true edge, after everything that was due before."""
        # Faults that were due earlier come first, so that reports stay in order of time.
        due = self.take_due(edge.at)
        (self._true.add if edge.down else self._true.discard)(edge.sensor)
        due += self._say(edge.sensor, None, edge.at)
        # A dead or stuck sensor neither bounces nor causes ghosts.
        if edge.sensor not in self._forced:
            for fault in self._faults_at(edge):
                self._answer(fault, edge)
        return due

    def take_due(self, now: float) -> list[Edge]:
        """Return the edges that faults cause by `now`, in order."""
        due: list[Edge] = []
        while self._coming and self._coming[0][0] <= now:
            at, _, sensor, what, steps, end = heapq.heappop(self._coming)
            # The fault has ended: the sensor reports its true state again.
            if at >= end:
                self._forced.pop(sensor, None)
            due += self._say(sensor, what if at < end else None, at)
            self._schedule(sensor, steps, at, end)
        return due

    def due(self) -> float | None:
        """Return when a fault next causes an edge (monotonic seconds), or None."""
        return self._coming[0][0] if self._coming else None

    def _say(self, sensor: int, what: bool | None, at: float) -> list[Edge]:
        down = self._forced.get(sensor, sensor in self._true if what is None else what)
        if down == (sensor in self._said):
            return []
        (self._said.add if down else self._said.discard)(sensor)
        return [Edge(sensor, down, at)]

    def _end(self, fault: Fault) -> float:
        return self._start + (FOREVER if fault.until is None else fault.until) / 1000

    def _faults_at(self, edge: Edge) -> list[Fault]:
        """Return the faults that respond to a true edge."""
        return [
            fault
            for fault in self._faults
            if fault.kind in ("bounce", "ghost")
            and fault.sensor in (None, edge.sensor)
            and self._start + fault.at / 1000 <= edge.at < self._end(fault)
            and self._random.random() < fault.chance
        ]

    def _answer(self, fault: Fault, edge: Edge) -> None:
        beside = self._near.get(edge.sensor, ())
        if fault.kind == "bounce":
            self._schedule(edge.sensor, self._bounce_steps(fault, edge.down), edge.at, self._end(fault))
        elif edge.down and beside:
            self._schedule(self._random.choice(beside), self._blip_steps(fault), edge.at, self._end(fault))

    def _schedule(self, sensor: int, steps: Iterator[Step], after: float, end: float) -> None:
        step = next(steps, None)
        if step is not None and after < end:
            self._order += 1
            # The last step is due at the end of the fault, and restores the true state.
            at = min(after + step[0] / 1000, end)
            heapq.heappush(self._coming, (at, self._order, sensor, step[1], steps, end))

    def _random_time(self, fault: Fault, which: int) -> int:
        milliseconds = (fault.every, fault.length)[which]
        return self._random.randint(*(DEFAULT_TIMES[fault.kind][which] if milliseconds is None else milliseconds))

    def _steps(self, fault: Fault) -> Iterator[Step]:
        """Yield the steps of a fault that acts by itself."""
        if fault.kind in ("dead", "stuck"):
            yield from self._force_steps(fault)
        while fault.kind == "weak":
            yield self._random_time(fault, 0), False
            yield self._random_time(fault, 1), None
        while fault.kind == "chatter":
            yield self._random_time(fault, 0), True
            yield self._random_time(fault, 1), False

    def _force_steps(self, fault: Fault) -> Iterator[Step]:
        yield 0, fault.kind == "stuck"
        assert fault.sensor is not None, "one was chosen"
        self._forced[fault.sensor] = fault.kind == "stuck"
        yield FOREVER, None

    def _bounce_steps(self, fault: Fault, down: bool) -> Iterator[Step]:
        left = self._random_time(fault, 1)
        # Toggle away and back, so that the bounce ends in the true state. A bounce is a pair of steps; a pair that
        # would not fit is left out.
        while (step := self._random_time(fault, 0)) * 2 <= left:
            yield step, not down
            yield step, None
            left -= 2 * step
            if step == 0:
                return

    def _blip_steps(self, fault: Fault) -> Iterator[Step]:
        yield self._random_time(fault, 0), True
        yield self._random_time(fault, 1), None
