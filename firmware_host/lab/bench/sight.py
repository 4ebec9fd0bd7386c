"""Compiling a map: who sees whom on the maps that are drawn, and how that grows with the number of spaces."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterator
from math import ceil, sqrt

from engine.graph.builder import build, grid
from engine.graph.sight import with_sights
from firmware_host.lab.bench.figures import Curve, Figure, Measured, Missing, Plan
from firmware_host.table import maps

WIDEST = 26
"""Columns of a grid at the most: they are letters."""


def measure(plan: Plan) -> Iterator[Measured]:
    """Seconds for each drawn map, and a curve over open grids, on which everybody sees far."""
    if importlib.util.find_spec("numpy") is None:
        yield Missing("sight", "Compiling a map", "NumPy is not installed (the extra `maps`).")
        return
    for name in maps.drawn()[: plan.maps]:
        board = maps.load(name)
        began = time.process_time()
        with_sights(board)
        seconds = time.process_time() - began
        yield Figure(f"sight.{name}", f"{board.name}: sight of {len(board.spaces)} spaces", seconds, "s")
    points = []
    for spaces in plan.spaces:
        columns = min(WIDEST, ceil(sqrt(spaces)))
        board = build(grid("bench", "Bench", columns, ceil(spaces / columns)))
        began = time.process_time()
        with_sights(board)
        points.append((float(len(board.spaces)), time.process_time() - began, None))
    yield Curve("sight.growth", "Sight of an open grid", "spaces", "s", tuple(points))
