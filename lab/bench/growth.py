"""How everything grows with the spaces of a map: compiling it, starting on it, acts, pictures, who can be where.

The maps are made (`made.py`): open squares, on which everybody sees far, which is the most that a map can ask for.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

import games
from engine.chance import Chance
from engine.game import Deducing, Game
from engine.graph import Map, compiled
from engine.referee import Referee
from firmware_host.core import maps
from firmware_host.protocols.boards import DEFAULT_GAME
from lab.bench.engine import followed, random_play
from lab.bench.figures import Curve, Measured, Missing, Plan, middle, quantile
from lab.bench.made import made_map
from lab.bench.pictures import laid_out
from maker.mapping.sight import with_sights

STARTS: Final = 9
"""How often a game is started on each map."""


class Grows(NamedTuple):
    """What is drawn over the number of spaces, by the end of its id."""

    what: str
    unit: str


CURVES: Final = {
    "sight": Grows("Sight lines of a map of open squares", "s"),
    "start": Grows("Compiled map read → first actions of a game on it", "ms"),
    "submitted": Grows("Actions submitted", "/s"),
    "listed": Grows("Actions listed", "/s"),
    "pictures": Grows("Updates of all viewers after an action", "ms"),
    "bytes": Grows("The same, bytes", "KiB"),
    "deduction": Grows("Possible positions of hidden pieces, after an event, on average", "µs"),
}

Point = tuple[float, float | None]
"""A value, and what 99 of 100 do not exceed."""


def measure(plan: Plan) -> Iterator[Measured]:
    """A curve for each of `CURVES`."""
    if importlib.util.find_spec("numpy") is None:
        yield Missing("growth", "How it grows with the map", "NumPy is not installed (the extra `maps`).")
        return
    game = games.find(DEFAULT_GAME)
    found: dict[str, list[tuple[float, float, float | None]]] = {id: [] for id in CURVES}
    for wanted in plan.spaces:
        bare = made_map(wanted)
        began = time.process_time()
        board = with_sights(bare)
        seconds = time.process_time() - began
        for id, (value, high) in {"sight": (seconds, None), **_on(game, board, plan)}.items():
            found[id].append((float(len(board.spaces)), value, high))
    for id, (what, unit) in CURVES.items():
        if found[id]:
            yield Curve(f"growth.{id}", what, "spaces", unit, tuple(found[id]))


def _on(game: Game, board: Map, plan: Plan) -> dict[str, Point]:
    """What is measured on one map."""
    options = maps.options_on(game, board, {})
    starts = [1000 * took for took in _starts(game, board)]
    pace, pictures = random_play(game, board, options, plan.seconds), laid_out(game, board, options, plan.samples)
    points: dict[str, Point] = {
        "start": (middle(starts), quantile(starts, 0.99)),
        "submitted": (pace.submitted / pace.submitting, None),
        "listed": (pace.listed / pace.listing, None),
        "pictures": (middle(pictures.took), quantile(pictures.took, 0.99)),
        "bytes": (middle(pictures.sizes), None),
    }
    if isinstance(game, Deducing):
        took = [1e6 * seconds for seconds in followed(game, game.deduction, board, options, plan.games)]
        points["deduction"] = (sum(took) / len(took), quantile(took, 0.99))
    return points


def _starts(game: Game, board: Map) -> Iterator[float]:
    """Seconds of processor from the bytes of a compiled map to the first list of acts; nothing is kept in between."""
    text = compiled.dump(board)
    for seed in range(STARTS):
        began = time.process_time()
        fresh = compiled.load(text)
        options, chance = maps.options_on(game, fresh, {}), Chance(Random(seed))
        referee = Referee(game, game.blank(fresh, options))
        referee.tell(game.setup(fresh, options, chance))
        referee.legal(referee.to_act[0])
        yield time.process_time() - began
