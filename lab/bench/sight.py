"""Compiling a map: who sees whom on the maps that are drawn."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterator

from firmware_host.core import maps
from lab.bench.figures import Figure, Measured, Missing, Plan
from maker.mapping.sight import with_sights


def measure(plan: Plan) -> Iterator[Measured]:
    """Seconds for each drawn map."""
    if importlib.util.find_spec("numpy") is None:
        yield Missing("sight", "Compiling a map", "NumPy is not installed (the extra `maps`).")
        return
    for name in maps.drawn()[: plan.maps]:
        board = maps.load(name)
        began = time.process_time()
        with_sights(board)
        seconds = time.process_time() - began
        yield Figure(f"sight.{name}", f"{board.name}: sight lines of {len(board.spaces)} spaces", seconds, "s")
