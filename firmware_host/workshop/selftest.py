"""`sniperboard hw selftest`: the terminal around `firmware_host/workshop/testing.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from firmware_host.workshop.testing import SensorMark, Testing
from firmware_host.workshop.workbench import Typed, Workbench
from hardware.ports import Edge

AWHILE = 3600.0


def selftest(bench: Workbench, spaces: Iterable[str], say: Callable[[str], None]) -> list[SensorMark]:
    """Test the sensors of these spaces, in this order; `quit` ends it early, any other line goes on to the next."""
    say("White: set the magnet down. Amber: turn it once around. Green: lift it. Return: next space; `quit`: enough.")
    job = Testing(bench.wiring, spaces, bench.down, bench.now)
    while True:
        while job.news:
            say(job.news.popleft().sentence)
        if job.ended:
            break
        bench.light(job.lamps(bench.now))
        heard = bench.next(job.due(bench.now) or bench.now + AWHILE)
        if isinstance(heard, Edge):
            job.felt(heard, bench.down, bench.now)
        elif isinstance(heard, Typed):
            if heard.text == "quit":
                say(f"Left after {len(job.marks)} spaces.")
                break
            job.told("next", None, bench.now)
        job.elapsed(bench.now)
    bench.dark()
    return list(job.marks.values())
