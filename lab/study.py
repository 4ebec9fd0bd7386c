"""What the studies have in common: their options, the folder of their pages, and tables."""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

SEED: Final = 1
DOCS: Final = Path(__file__).resolve().parent.parent / "docs"


def study_parser(description: str | None, games: int, what: str) -> argparse.ArgumentParser:
    """Return a parser with `--games`, `--jobs` and `--seed`; `what` says which games are counted."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=games, help=f"games {what} (default: {games})")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count(), help="number of parallel games")
    parser.add_argument("--seed", type=int, default=SEED)
    return parser


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as Markdown, without a newline at its end."""
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in (head, ["---"] * len(head), *rows))
