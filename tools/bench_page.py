"""`python -m tools.bench_page REPORT`: put a `sniperboard bench --report` into docs/performance.md.

Its tables go into a part of the page, its curves to docs/bench.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from lab.bench import plot, report
from lab.bench.report import Report
from maker.page_parts import DOCS, write_part

PAGE = DOCS / "performance.md"
PLOTS = DOCS / "bench"


def page_text(found: Report) -> str:
    pictures = "\n\n".join(f"![{curve.what}](bench/{plot.file_name(curve)})" for curve in found.curves)
    return f"{report.report_text(found)}\n\n{pictures}"


def main() -> int:
    if len(sys.argv) != 2:
        print("Name one report, as written by `sniperboard bench --report FILE`.", file=sys.stderr)
        return 2
    found = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Report)
    # Remove curves that the new report no longer has.
    for old in PLOTS.glob("*.svg"):
        old.unlink()
    for curve in found.curves:
        (PLOTS / plot.file_name(curve)).write_text(plot.draw_curve(curve), "utf-8")
    write_part(PAGE, "bench", page_text(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
