"""How much a board may say, and for how long it has said more. Pure; time is handed in, in seconds."""

from __future__ import annotations

LONG = 3.0
"""Seconds of too much after which somebody is told: a board that falls off a table says a lot for a moment."""
CALM = 3.0
"""Seconds without too much after which all is well again."""


class Excess:
    """Whether there has been too much for long: again and again for `LONG`, and the last time less than `CALM` ago."""

    def __init__(self) -> None:
        self._first: float | None = None
        self._last = 0.0

    def happens(self, now: float) -> None:
        """There is too much."""
        if self._first is None or now - self._last >= CALM:
            self._first = now
        self._last = now

    def lasting(self, now: float) -> bool:
        """Whether there has been for long."""
        return self._first is not None and self._last - self._first >= LONG and now - self._last < CALM

    def over(self) -> float:
        """When it will be over if there is no more of it."""
        return self._last + CALM


class TokenBucket:
    """A token bucket: `rate` things a second, and `burst` at once. The debt is never more than `most_wait` seconds
    make good; the rest is forgiven.
    """

    def __init__(self, rate: float, burst: float, most_wait: float) -> None:
        self._rate, self._burst, self._most_wait = rate, burst, most_wait
        self._left, self._at = burst, 0.0
        self.excess = Excess()

    def spend(self, things: float, now: float) -> None:
        """So many things were said."""
        left = min(self._burst, self._left + (now - self._at) * self._rate) - things
        self._left, self._at = max(left, -self._rate * self._most_wait), now
        if left < 0 and things:
            self.excess.happens(now)

    def wait(self, now: float) -> float:
        """Seconds for which nothing more should be heard."""
        return max(0.0, self._at - self._left / self._rate - now)
