"""The chance of one game, fixed from the start by a promise (`records/promise.py`), and what is sealed of the game."""

from __future__ import annotations

from engine.chance import Chance
from firmware_host.records.promise import Opening


class SealedChance:
    """`opening` is None for a game of a version without sealed chance, which draws from `chance` as it is."""

    def __init__(self, chance: Chance, opening: Opening | None) -> None:
        self._chance, self._opening = chance, opening
        self._sealed: str | None = None

    def of_act(self, number: int) -> Chance:
        """Return the chance for the act with this number; the set-up is 0."""
        if self._opening is not None:
            # Each act has its own chance, so repeating an act after a step back draws the same.
            self._chance.draw_from(self._opening.draws(number))
        return self._chance

    def seal(self, link: str) -> None:
        """Seal everything up to the entry with the hash `link`. The seal is public."""
        self._sealed = None if self._opening is None else self._opening.seal(link)

    def facts(self, over: bool) -> dict[str, str | None] | None:
        """Return what is promised and sealed so far, and once the game is over what opens both; public. None for a game
        without sealed chance.
        """
        if (opening := self._opening) is None:
            return None
        seed, nonce = (opening.seed, opening.nonce) if over else (None, None)
        return {"promise": opening.promise, "seal": self._sealed, "seed": seed, "nonce": nonce}
