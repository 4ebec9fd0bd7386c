"""Measure the whole table on a slower processor: Linux limits its share of one core, the measuring process is free.

A limit of 1 ms in 10 ms is about a Raspberry Pi Zero 2 W. Setting it needs root and control groups. The table has one
processor, and the measuring process the others: Linux gives each processor its own part of the limited time, so threads
on two of them would wait for time that is left on the other. The table has priority over other programs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from lab.bench import edges, table
from lab.bench.figures import Figure, Measured, Missing, Plan

PERIOD_US: Final = 10_000
"""The period is short, so that one action takes several periods. The kernel's minimum share of a period is 1 ms."""
ROOTS: Final = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/cpu"))
"""The folders of control groups, version 2 and version 1."""


def measure(plan: Plan) -> Iterator[Measured]:
    """Measure a running table, and a board over a serial line. Yield nothing without a `plan.slow`."""
    if not plan.slow:
        return
    try:
        with slow_group(plan.slow) as slow_down:
            plan = replace(plan, slow_down=slow_down)
            for measured in chain(edges.measure(plan), table.measure(plan)):
                yield _slowed(measured, plan.slow)
    except OSError as error:
        why = f"The processor cannot be limited here: {error.strerror}. It needs Linux, control groups and root."
        yield Missing("slow", "The whole table on a slower processor", why)


@contextmanager
def slow_group(factor: float) -> Iterator[Callable[[int], None]]:
    """Create a control group whose processes together get one core's time divided by `factor`. Yield a function that
    adds a process that has just started. Raises `OSError`.
    """
    name = f"sniperboard-bench-{os.getpid()}"
    # Version 2 lists its controllers in a file; the root of version 1 has only folders.
    root = ROOTS[0] if (ROOTS[0] / "cgroup.controllers").exists() else ROOTS[1]
    group, quota = root / name, round(PERIOD_US / factor)
    processors = os.sched_getaffinity(0)
    of_table = max(processors)

    def add(process: int) -> None:
        (group / "cgroup.procs").write_text(str(process), "ascii")
        os.sched_setaffinity(process, {of_table})

    group.mkdir()
    try:
        if root == ROOTS[0]:
            (group / "cpu.max").write_text(f"{quota} {PERIOD_US}", "ascii")
            (group / "cpu.weight").write_text("10000", "ascii")
        else:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US), "ascii")
            (group / "cpu.cfs_quota_us").write_text(str(quota), "ascii")
            (group / "cpu.shares").write_text("262144", "ascii")
        os.sched_setaffinity(0, processors - {of_table} or processors)
        yield add
    finally:
        os.sched_setaffinity(0, processors)
        group.rmdir()


def _slowed(measured: Measured, factor: float) -> Measured:
    """Return a measurement with a name of its own. Goals are those of the quick processor."""
    named = replace(measured, id=f"slow.{measured.id}", what=f"{measured.what}, {factor:g} times slower")
    return replace(named, goal=None) if isinstance(named, Figure) else named
