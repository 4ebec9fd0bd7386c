"""A simulated board with a sensor that fails."""

from __future__ import annotations

from hardware.simulated import SimulatedBoard


def stick(board: SimulatedBoard, sensor: int, down: bool) -> None:
    """Make a sensor fail: always down (stuck) or never down (dead)."""
    state = board.is_down
    board.is_down = lambda other: down if other == sensor else state(other)  # type: ignore[method-assign]
    board._report_change(sensor)
