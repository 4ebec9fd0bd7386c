"""Measure well-known programs in the same run, each by its own script, and compare figures.

The speed of a processor may change within a minute, so two engines are measured alternately, a few times each.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

import msgspec
from msgspec.structs import replace

from firmware_host.core.children import PYTHON, environment
from lab.bench.figures import Figure, Measured, Missing, Plan

FOLDER = Path(__file__).resolve().parents[1] / "peers"
"""The folder of the scripts, in a copy of the source."""
NOT_INSTALLED = 3
"""The exit code of a script whose program is not installed."""
TIMEOUT = 300.0

CHESS = "python_chess.py"
OURS = (*PYTHON, "-m", "lab.bench.engine")
"""Our engine, measured alternately with python-chess, each in a new process."""

SCRIPTS: Final[Mapping[str, tuple[str, Callable[[Plan], float]]]] = {
    CHESS: ("python-chess", lambda plan: plan.seconds),
    "octoprint_idle.py": ("OctoPrint", lambda plan: plan.idle_seconds),
    "boardgame_io.mjs": ("boardgame.io", lambda plan: plan.samples),
}
"""File -> the program that it measures, and how much to measure, its only argument."""


class Ratio(msgspec.Struct, frozen=True):
    """Two figures to compare: ours, and one of a peer or of the machine itself."""

    what: str
    ours: str
    other: str


RATIOS: Final = (
    Ratio("an action on the disk, to a bare fdatasync", "disk.act", "disk.fdatasync"),
    Ratio("tap → 8 screens, to a move → 8 clients of boardgame.io, which stores nothing", "tap.8", "boardgame.tap"),
    Ratio("start, to OctoPrint", "start", "octoprint.start"),
    Ratio("memory at rest, to OctoPrint", "idle.memory", "octoprint.memory"),
)


def measure(plan: Plan, folder: Path = FOLDER) -> Iterator[Measured]:
    """Yield the figures of each script in the folder, if it exists."""
    for file, (name, much) in SCRIPTS.items():
        if not (folder / file).is_file():
            continue
        interpreter = sys.executable if file.endswith(".py") else "node"
        measure_peer = partial(
            _figures_of, file.partition(".")[0], name, (interpreter, str(folder / file), str(much(plan)))
        )
        ours = partial(_figures_of, "our_engine", "our engine", (*OURS, str(plan.seconds)))
        yield from _alternate((measure_peer, ours), plan.turns) if file == CHESS else measure_peer()


def _alternate(both: Sequence[Callable[[], Iterator[Measured]]], turns: int) -> Iterator[Measured]:
    """Measure a peer and our engine alternately, and yield the median of each figure."""
    rounds: list[list[Figure]] = []
    for _ in range(turns):
        figures: list[Figure] = []
        for figure in (figure for measure_one in both for figure in measure_one()):
            if not isinstance(figure, Figure):  # it is not here, or has failed
                yield figure
                return
            figures.append(figure)
        rounds.append(figures)
    for same in zip(*rounds, strict=True):
        yield replace(same[0], value=median([figure.value for figure in same]), count=len(same))


def _figures_of(id: str, name: str, command: Sequence[str]) -> Iterator[Measured]:
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, env=environment())
    except FileNotFoundError:
        yield Missing(id, name, f"{command[0]} is not installed.")
        return
    except subprocess.TimeoutExpired:
        yield Missing(id, name, "It took too long.")
        return
    if result.returncode:
        words = result.stderr.replace(str(Path.home()), "~")  # a report contains no names
        lines = words.strip().splitlines() or ["It failed without a word."]
        yield Missing(id, name, lines[-1] if result.returncode == NOT_INSTALLED else f"It failed: {lines[-1]}")
        return
    try:
        figures = [msgspec.json.decode(line, type=Figure) for line in result.stdout.splitlines()]
    except msgspec.MsgspecError as error:
        yield Missing(id, name, f"Its answer cannot be read: {error}.")
        return
    if not figures:
        yield Missing(id, name, "It says nothing.")
    yield from figures


def ratios(figures: dict[str, Figure]) -> Iterator[tuple[str, float]]:
    """Yield each comparison whose figures were both measured: its name, and ours divided by the other."""
    for ratio in (*_of_chess(figures), *RATIOS):
        if ratio.ours in figures and ratio.other in figures and figures[ratio.other].value:
            yield ratio.what, figures[ratio.ours].value / figures[ratio.other].value


def _of_chess(figures: dict[str, Figure]) -> Iterator[Ratio]:
    """Yield the comparisons of our engine's figures `chess.<game>.<what>` with the figures `chess.<what>`."""
    for id, figure in figures.items():
        if (parts := id.split("."))[0] == "chess" and len(parts) == 3:
            title = figure.what.partition(", in turn")[0]
            yield Ratio(f"{title}: actions {parts[2]}, to moves of python-chess", id, f"chess.{parts[2]}")
