"""The options that the studies have in common."""

from __future__ import annotations

import argparse
import multiprocessing
from typing import Final

SEED: Final = 1


def study_parser(description: str | None, games: int, what: str) -> argparse.ArgumentParser:
    """Return a parser with `--games`, `--jobs` and `--seed`; `what` says which games are counted."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=games, help=f"games {what} (default: {games})")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count(), help="number of parallel games")
    parser.add_argument("--seed", type=int, default=SEED)
    return parser
