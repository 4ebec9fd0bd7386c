"""What the studies have in common: their options, and the parts of `docs/balance.md`."""

from __future__ import annotations

import argparse
import multiprocessing
from pathlib import Path
from typing import Final

SEED: Final = 1
DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
PAGE: Final = DOCS / "balance.md"
HEADING: Final = "# Balance of"
"""How each part of the page begins."""
SOLO_PART, EXPERTS_PART = 0, 2
"""The parts made by `lab/balance.py` and `lab/experts.py`. The one between them is written by hand."""


def study_parser(description: str | None, games: int, what: str) -> argparse.ArgumentParser:
    """Return a parser with `--games` and `--jobs`; `what` says which games are counted."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=games, help=f"games {what} (default: {games})")
    add_jobs(parser)
    return parser


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add `--jobs`."""
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count(), help="number of parallel games")


def put_part(text: str, number: int, fresh: str) -> str:
    """Return a page with one part replaced, or added at the end."""
    first, *others = text.split(f"\n{HEADING}")
    parts = [first, *(HEADING + other for other in others)]
    parts[number : number + 1] = [fresh]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"
