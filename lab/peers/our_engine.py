"""Measure random games of Sniper Elite in our engine, as `python_chess.py` does for chess."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # this copy of the source, installed or not

import games
from lab.bench import engine

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0


def main() -> int:
    """Play, and print two figures."""
    game, board, options = engine.first_board(games.DEFAULT)
    pace = engine.random_play(game, board, options, SECONDS)
    submitted, listed = pace.submitted / pace.submitting, pace.listed / pace.listing
    print_figure("chess.ours.submitted", f"{game.title}, in turn with it: actions submitted", submitted)
    print_figure("chess.ours.listed", f"{game.title}, in turn with it: actions listed", listed)
    return 0


def print_figure(id: str, what: str, value: float) -> None:
    """Print a figure as a line of JSON."""
    print(json.dumps({"id": id, "what": what, "value": value, "unit": "/s", "kind": "rate"}))


if __name__ == "__main__":
    raise SystemExit(main())
