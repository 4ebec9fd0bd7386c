"""`sniperboard bench`: measure the performance of the table on this machine.

This module only handles the terminal; the measurements are in `lab/bench`. Exit codes: 0 measured · 1 a name is
invalid, or a file cannot be written · 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.refusal import no_such
from maker.output_files import replace_file

if TYPE_CHECKING:
    from lab.bench.figures import Measured

NOT_SO, STOPPED = 1, 130
SLOWEST = 10
NAMES = ("engine", "pictures", "sight", "growth", "disk", "edges", "table", "slow")
"""Names of the groups, listed here so that --help does not import the measuring code."""


def add_command(subparsers: Any) -> None:
    """Add `bench`. It sets `run`, a function from parsed arguments to exit status."""
    parser = subparsers.add_parser(
        "bench",
        help="measure the performance of the table on this machine",
        epilog="Absolute figures of different machines cannot be compared; the ratios to other programs and to the "
        "disk can.",
    )
    parser.add_argument(
        "--only", default="", metavar="GROUPS", help=f"comma-separated groups out of {', '.join(NAMES)} (default: all)"
    )
    parser.add_argument(
        "--slow",
        type=float,
        default=0.0,
        metavar="N",
        help="also measure the whole table on a processor N times slower, up to 10 (Linux, as root)",
    )
    parser.add_argument("--quick", action="store_true", help="measure very little, only to check that it works")
    parser.add_argument(
        "--no-peers", action="store_true", help="do not measure other programs, even if they are installed"
    )
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the figures to a JSON file")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="write the curves as SVG files to this folder")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    unknown = [name for name in _group_names(arguments.only) if name not in NAMES]
    if unknown:
        return _fail(NOT_SO, no_such("group", unknown[0], NAMES))
    if arguments.slow and not 1 <= arguments.slow <= SLOWEST:
        return _fail(NOT_SO, f"--slow takes a number from 1 to {SLOWEST}.")
    try:
        return _run(arguments)
    except OSError as error:
        if error.filename is None:
            raise  # standard output: handled for all commands in cli.py
        return _fail(NOT_SO, f"{error.filename}: {error.strerror}.")
    except KeyboardInterrupt:
        return _fail(STOPPED, "Stopped; nothing was written.")


def _group_names(only: str) -> Sequence[str]:
    return [name.strip() for name in only.split(",") if name.strip()]


def _run(arguments: argparse.Namespace) -> int:
    from msgspec.structs import replace

    from lab.bench import peers, plot, report
    from lab.bench.figures import QUICK, Plan
    from lab.bench.report import GROUPS

    for place in filter(None, (arguments.report, arguments.plots)):
        place.parent.mkdir(parents=True, exist_ok=True)
    plan = replace(QUICK if arguments.quick else Plan(), slow=arguments.slow)
    chosen = _group_names(arguments.only) or NAMES
    groups = {name: collect(GROUPS[name].title, GROUPS[name].measure(plan)) for name in NAMES if name in chosen}
    others = [] if arguments.no_peers else collect("Others", peers.measure(plan))
    bench_report = report.make_report(groups, others, report.this_machine(), version("sniperboard"))
    print(report.report_text(bench_report))
    if arguments.report is not None:
        _write(arguments.report, report.encode_report(bench_report))
    if arguments.plots is not None:
        arguments.plots.mkdir(parents=True, exist_ok=True)
        for curve in bench_report.curves:
            _write(arguments.plots / plot.file_name(curve), plot.draw_curve(curve).encode())
    return 0


def _write(file: Path, content: bytes) -> None:
    """Write the whole file or nothing. Raises `OSError` with the file's name."""
    try:
        replace_file(file, content)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error


def collect(title: str, measured: Iterable[Measured]) -> list[Measured]:
    """Return the measurements, with progress on a terminal. If one hangs, return those before it."""
    from firmware_host.core.errors import JournalError
    from lab.bench.figures import Missing
    from lab.bench.lines import Stalled

    if sys.stderr.isatty():
        print(f"{title} …", file=sys.stderr, flush=True)
    measurements: list[Measured] = []
    try:
        measurements.extend(measured)
    except Stalled as stuck:
        measurements.append(Missing(title, title, f"It got stuck: {stuck}"))
    except TimeoutError:
        measurements.append(Missing(title, title, "It took too long."))
    except JournalError as error:
        measurements.append(Missing(title, title, str(error)))
    except OSError as error:  # for example a full disk
        measurements.append(Missing(title, title, f"It cannot be measured here: {error.strerror}."))
    return measurements


def _fail(code: int, sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return code
