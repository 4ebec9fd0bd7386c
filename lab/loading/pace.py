"""A steady rate that several tasks share."""

from __future__ import annotations

import asyncio
from time import monotonic


class SteadyRate:
    """Turns at a steady rate; up to one second of delay is made up for."""

    def __init__(self, a_second: float) -> None:
        self._every = 1 / a_second
        self._next = 0.0

    async def turn(self) -> None:
        """Wait for the next turn."""
        now = monotonic()
        self._next = max(self._next, now - 1.0) + self._every if self._next else now
        if (wait := self._next - now) > 0:
            await asyncio.sleep(wait)
