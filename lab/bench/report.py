"""Write measurements as tables for people and as a JSON file."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from lab.bench import disk, edges, engine, growth, peers, slow, table
from lab.bench.figures import Curve, Figure, Measured, Missing, Plan
from maker.page_parts import markdown_table

FORMAT: Final = "sniperboard-bench/1"


class Group(Struct, frozen=True):
    """Figures that are measured together, under one heading."""

    title: str
    measure: Callable[[Plan], Iterator[Measured]]


GROUPS: Final[Mapping[str, Group]] = {
    "engine": Group("Engine, one core", engine.measure),
    "pictures": Group("Updates for the screens", engine.measure_pictures),
    "sight": Group("Compiling maps", growth.measure_drawn_maps),
    "growth": Group("Growing with the map", growth.measure),
    "disk": Group("Journal", disk.measure),
    "edges": Group("From sensor to lamps", edges.measure),
    "table": Group("The whole table", table.measure),
    "slow": Group("The whole table on a slower processor", slow.measure),
}


class MeasuredMachine(Struct, frozen=True):
    """A description of a machine without its name and addresses."""

    model: str
    cores: int
    architecture: str
    system: str
    python: str


def this_machine() -> MeasuredMachine:
    system = platform.system()
    with suppress(OSError):
        system = platform.freedesktop_os_release().get("PRETTY_NAME", system)
    return MeasuredMachine(_model(), os.cpu_count() or 1, platform.machine(), system, platform.python_version())


def _model() -> str:
    """Return the model of a Pi, else the name of the processor, else an empty string."""
    with suppress(OSError):
        return Path("/proc/device-tree/model").read_text("utf-8", "replace").strip("\0 \n")
    with suppress(OSError):
        match = re.search(r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text("utf-8", "replace"), re.MULTILINE)
        return match[1].strip() if match else ""
    return ""


class Report(Struct, frozen=True, tag_field="format", tag=FORMAT):
    date: str
    machine: MeasuredMachine
    version: str
    groups: dict[str, tuple[Figure, ...]]
    curves: tuple[Curve, ...]
    missing: tuple[Missing, ...]
    peers: tuple[Figure, ...]

    def figures(self) -> dict[str, Figure]:
        every = [*(figure for group in self.groups.values() for figure in group), *self.peers]
        return {figure.id: figure for figure in every}


def make_report(
    groups: Mapping[str, Sequence[Measured]], others: Sequence[Measured], machine: MeasuredMachine, version: str
) -> Report:
    every = [*(figure for measured in groups.values() for figure in measured), *others]
    return Report(
        date=date.today().isoformat(),
        machine=machine,
        version=version,
        groups={
            name: tuple(figure for figure in measured if isinstance(figure, Figure))
            for name, measured in groups.items()
        },
        curves=tuple(curve for curve in every if isinstance(curve, Curve)),
        missing=tuple(missing for missing in every if isinstance(missing, Missing)),
        peers=tuple(figure for figure in others if isinstance(figure, Figure)),
    )


def encode_report(report: Report) -> bytes:
    return msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n"


# --- words --------------------------------------------------------------------------------------------------------


def report_text(report: Report) -> str:
    parts = (_machine, _groups, _grown, _compared, _lacking)
    return "\n".join(line for part in parts for line in part(report))


def _machine(report: Report) -> Iterator[str]:
    it = report.machine
    model = f"{it.model}, " if it.model else ""
    yield f"{report.date}, sniperboard {report.version}, {model}{it.cores} cores {it.architecture}, {it.system}, " + (
        f"Python {it.python}"
    )


def _groups(report: Report) -> Iterator[str]:
    for name, figures in report.groups.items():
        if figures:
            yield from _table(GROUPS[name].title, ("what", "measured", "99th percentile", "goal"), map(_row, figures))
    if report.peers:
        yield from _table(
            "Other programs, in the same run", ("what", "measured", "99th percentile", "goal"), map(_row, report.peers)
        )


def _row(figure: Figure) -> tuple[str, ...]:
    high = "" if figure.of_100 is None else f"{format_number(figure.of_100)} {figure.unit}"
    goal = "" if figure.goal is None else f"{format_number(figure.goal)} {figure.unit}"
    return figure.what, f"{format_number(figure.value)} {figure.unit}", high, goal


def _grown(report: Report) -> Iterator[str]:
    """Yield the points of all curves; curves with the same x values share a table."""
    axes = dict.fromkeys((curve.x, _along(curve)) for curve in report.curves)
    for axis, xs in axes:
        rows = [_points(curve) for curve in report.curves if (curve.x, _along(curve)) == (axis, xs)]
        yield from _table(f"Growth with the number of {axis}", (axis, *(f"{x:g}" for x in xs)), rows)


def _along(curve: Curve) -> tuple[float, ...]:
    return tuple(x for x, _, _ in curve.points)


def _points(curve: Curve) -> tuple[str, ...]:
    """Return a curve as a row, with the 99th percentile behind each value, if it was measured."""
    highs = ["" if high is None else f" ({format_number(high)})" for _, _, high in curve.points]
    what = curve.what if not any(highs) else f"{curve.what} (99th percentile)"
    values = [
        f"{format_number(value)}{high} {curve.unit}" for (_, value, _), high in zip(curve.points, highs, strict=True)
    ]
    return what, *values


def _compared(report: Report) -> Iterator[str]:
    rows = [(what, f"{value:.2f}") for what, value in peers.ratios(report.figures())]
    if rows:
        yield from _table("Compared", ("what", "ours ÷ other"), rows)


def _lacking(report: Report) -> Iterator[str]:
    if report.missing:
        yield from _table("Not measured", ("what", "why"), ((it.what, it.why) for it in report.missing))


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield from (f"\n**{title}**\n", markdown_table(head, rows))


def format_number(value: float) -> str:
    """Return a number with three significant digits."""
    if value >= 100 or value == 0:
        return f"{value:,.0f}"
    return f"{value:.3g}"
