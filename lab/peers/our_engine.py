"""Measure random games of each game in our engine, as `python_chess.py` does for chess."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # this copy of the source, installed or not

import games
from lab.bench import engine

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0


def main() -> int:
    for name in games.names():
        game, board, options = engine.first_board(name)
        pace = engine.random_play(game, board, options, SECONDS)
        for what, rate in (
            ("submitted", pace.submitted / pace.submitting),
            ("listed", pace.listed / pace.listing),
        ):
            print_figure(f"chess.{name}.{what}", f"{game.title}, in turn with it: actions {what}", rate)
    return 0


def print_figure(id: str, what: str, value: float) -> None:
    print(json.dumps({"id": id, "what": what, "value": value, "unit": "/s", "kind": "rate"}))


if __name__ == "__main__":
    raise SystemExit(main())
