"""`python -m tools.bench_page REPORT`: put a `sniperboard bench --report` into docs/performance.md.

Its tables go between two marks of the page, its curves to docs/bench.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import msgspec

from lab.bench import plot, report
from lab.bench.report import Report

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
PLOTS = ROOT / "docs" / "bench"
MADE = re.compile(r"(<!-- bench -->\n).*?(<!-- end of bench -->)", re.DOTALL)


def written(found: Report, page: str) -> str:
    """Return the page with the report's tables and pictures."""
    pictures = "\n\n".join(f"![{curve.what}](bench/{plot.file_name(curve)})" for curve in found.curves)
    # A function as the replacement, so that backslashes in the report are kept.
    return MADE.sub(lambda marks: f"{marks[1]}\n{report.report_text(found)}\n\n{pictures}\n\n{marks[2]}", page)


def main() -> int:
    """Write the page and its pictures; return the exit code."""
    if len(sys.argv) != 2:
        print("Name one report, as written by `sniperboard bench --report FILE`.", file=sys.stderr)
        return 2
    found = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Report)
    PLOTS.mkdir(exist_ok=True)
    # Remove curves that the new report no longer has.
    for old in PLOTS.glob("*.svg"):
        old.unlink()
    for curve in found.curves:
        (PLOTS / plot.file_name(curve)).write_text(plot.draw_curve(curve), "utf-8")
    PAGE.write_text(written(found, PAGE.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
