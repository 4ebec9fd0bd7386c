"""Bytes that the server holds for its clients at the same time, bounded for all of them and for each address.

Only the server's thread comes here.
"""

from __future__ import annotations

from collections import Counter


class Budget:
    """At most `total` bytes, `reserved` of them for who is trusted, and at most `each` for one address."""

    def __init__(self, total: int, reserved: int, each: int) -> None:
        self._total, self._reserved, self._each = total, reserved, each
        self._held: Counter[str] = Counter()

    @property
    def held(self) -> int:
        """Bytes that are held now."""
        return self._held.total()

    def take(self, address: str, size: int, trusted: bool) -> bool:
        """Hold `size` more bytes for an address; False where that is too much, and then nothing is held."""
        most = self._total if trusted else self._total - self._reserved
        if self.held + size > most or self._held[address] + size > self._each:
            return False
        self._held[address] += size
        return True

    def give_back(self, address: str, size: int) -> None:
        """`size` bytes of that address are not held any more."""
        self._held[address] -= size
        self._held += Counter()  # forgets whoever holds none
