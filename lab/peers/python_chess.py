"""Measure random games in python-chess: moves listed, and moves submitted as text."""

from __future__ import annotations

import json
import sys
import time
from random import Random
from typing import Any

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
LONGEST = 200
"""Maximum number of moves of a game."""


def main() -> int:
    try:
        import chess  # type: ignore[import-not-found,unused-ignore]
    except ModuleNotFoundError:
        print("python-chess is not installed (`pip install chess`).", file=sys.stderr)
        return 3
    clock, seed, listed, submitted, listing, submitting = time.process_time, 0, 0, 0, 0.0, 0.0
    # A reading of this clock is part of everything that is measured with it.
    began = clock()
    for _ in range(10_000):
        clock()
    reading = (clock() - began) / 10_001
    end = clock() + SECONDS
    while clock() < end:
        seed += 1
        random, board = Random(seed), chess.Board()
        for _ in range(LONGEST):
            began = clock()
            moves: list[Any] = list(board.legal_moves)
            listing += clock() - began - reading
            if not moves:
                break
            listed += len(moves)
            move = random.choice(moves).uci()
            began = clock()
            board.push_uci(move)
            submitting += clock() - began - reading
            submitted += 1
    print_figure("chess.submitted", "python-chess: moves submitted", submitted / submitting)
    print_figure("chess.listed", "python-chess: moves listed", listed / listing)
    return 0


def print_figure(id: str, what: str, value: float) -> None:
    print(json.dumps({"id": id, "what": what, "value": value, "unit": "/s", "kind": "rate"}))


if __name__ == "__main__":
    raise SystemExit(main())
