"""Limit how much a board may send, and detect a long excess. Pure; the caller passes seconds in."""

from __future__ import annotations

REPORT_AFTER = 3.0
"""Seconds of excess before it is reported. A board that falls off a table sends a lot for a moment."""
CALM_AFTER = 3.0
"""Seconds without excess after which the excess has ended."""


class Excess:
    """Detects a long excess: it has recurred for `REPORT_AFTER` seconds, with pauses of less than `CALM_AFTER`
    seconds."""

    def __init__(self) -> None:
        self._first: float | None = None
        self._last = 0.0

    def happens(self, now: float) -> None:
        if self._first is None or now - self._last >= CALM_AFTER:
            self._first = now
        self._last = now

    def lasting(self, now: float) -> bool:
        """Return whether the excess has lasted for long."""
        return self._first is not None and self._last - self._first >= REPORT_AFTER and now - self._last < CALM_AFTER

    def over(self) -> float:
        """Return when the excess ends if it doesn't recur."""
        return self._last + CALM_AFTER


class TokenBucket:
    """A token bucket: `rate` events per second, and `burst` at once.

    The debt is limited to what `most_wait` seconds repay; the rest is dropped.
    """

    def __init__(self, rate: float, burst: float, most_wait: float) -> None:
        self._rate, self._burst, self._most_wait = rate, burst, most_wait
        self._left, self._at = burst, 0.0
        self.excess = Excess()

    def spend(self, things: float, now: float) -> None:
        """Take `things` tokens from the bucket."""
        # Refill for the elapsed time, up to the burst size.
        left = min(self._burst, self._left + (now - self._at) * self._rate) - things
        self._left, self._at = max(left, -self._rate * self._most_wait), now
        if left < 0 and things:
            self.excess.happens(now)

    def seconds_to_wait(self, now: float) -> float:
        """Return the seconds for which nothing more should be read."""
        return max(0.0, self._at - self._left / self._rate - now)
