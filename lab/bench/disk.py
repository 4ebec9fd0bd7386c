"""Measure the journal: an action until it is on the disk, compared with a bare write, and resuming a game."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from uuid import uuid4

import games
from engine.chance import Chance
from engine.game import Game
from firmware_host.play.game import TableGame
from firmware_host.records import chain
from firmware_host.records.journal import FILE, Journal
from lab.bench.engine import first_board
from lab.bench.figures import Figure, Measured, Plan, delays

ACTS = 400
"""Number of actions of the resumed game."""


def measure(plan: Plan) -> Iterator[Measured]:
    """Measure the default game, in the folder for temporary files (`TMPDIR`)."""
    game, board, options = first_board(games.DEFAULT)
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / FILE)
        play = TableGame.begin(game, board, options, journal, Chance(Random(1)))
        random, committed, sizes = Random(1), list[float](), list[int]()
        for _ in range(ACTS):
            if play.over:
                break
            seat = play.referee.to_act[0]
            legal = play.referee.legal(seat)
            command = legal[random.randrange(len(legal))]
            events = play.consider(seat, command)
            sizes.append(len(repr(chain.written(events))))
            began = time.perf_counter()
            # With an id, as a phone sends it.
            play.commit(seat, command, events, f"{'0' * 64} {uuid4()}")
            committed.append(time.perf_counter() - began)
        yield delays("disk.act", "An action: decided → on the disk", committed[: plan.samples], kind="wait")
        size = sum(sizes) // len(sizes)
        what = f"A bare write of {size} bytes and fdatasync"
        yield delays("disk.fdatasync", what, time_bare_writes(Path(folder), size, plan), kind="wait")
        journal.close()
        yield _resumed(game, Path(folder))


def time_bare_writes(folder: Path, size: int, plan: Plan) -> list[float]:
    """Return the seconds of each bare write with fdatasync, a lower bound for any journal."""
    times, data = list[float](), bytes(size)
    with (folder / "bare").open("wb", buffering=0) as file:
        for _ in range(plan.samples):
            began = time.perf_counter()
            file.write(data)
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - began)
    return times


def _resumed(game: Game, folder: Path) -> Figure:
    _, board, _ = first_board(game.name)
    began = time.perf_counter()
    journal = Journal(folder / FILE)
    saved = journal.running()
    assert saved is not None, "the game was started and is still running"
    play = TableGame.resume(saved, board, journal, Chance(Random(1)))
    seconds = time.perf_counter() - began
    journal.close()
    return Figure("disk.resume", f"A game of {len(play.referee.told['referee'])} events resumed", seconds, "s")
