"""What follows from an act, told event by event, and the truth after each; and the hits that the sniper takes.

The automated side decides on what it has just done, so each event is folded at once.
"""

from __future__ import annotations

from engine.chance import Chance
from engine.events import EVERYONE, Event, Told, only
from games.sniper_elite.rules.events import GameOver, Wounded
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.rules.events import Hit, LksUpdated, Opened
from games.sniper_elite_solo.rules.fold import fold
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.words import WINNERS


class Telling:
    """An act that is being decided: `truth` is the referee's picture after all that was `told` so far."""

    def __init__(self, truth: Picture, chance: Chance) -> None:
        self.truth = truth
        self.chance = chance
        self.told: list[Told] = []

    @property
    def over(self) -> bool:
        """Whether the game has ended; nothing may follow then."""
        return self.truth.over is not None

    def to_all(self, event: Event) -> None:
        """Everybody hears of `event`."""
        self._tell(Told(event, EVERYONE))

    def to_sniper(self, event: Event) -> None:
        """The player alone hears of `event`."""
        self._tell(Told(event, only(SNIPER)))

    def to_nobody(self, event: Event) -> None:
        """The referee alone hears of `event`."""
        self._tell(Told(event, only()))

    def _tell(self, told: Told) -> None:
        assert not self.over or isinstance(told.event, Opened), "nothing follows the end of a game"
        self.truth = fold(self.truth, told.event)
        self.told.append(told)


def hit(telling: Telling, cause: str, by: str | None = None) -> None:
    """The sniper takes a hit, if it counts (SO-HIT-01..05)."""
    p = telling.truth
    if p.hits >= p.numbers.hit_cap or p.wounded:
        return
    telling.to_all(Hit(cause, by, p.stack[-1] if p.stack else None))
    if p.stack:
        return
    telling.to_all(Wounded(p.wounds + 1))
    if p.wounds + 1 == 2:
        finish(telling, "wounds")


def update_lks(telling: Telling) -> None:
    """SO-LKS-01."""
    telling.to_all(LksUpdated(telling.truth.terrain.sector_of(str(telling.truth.space))))


def reveal(telling: Telling) -> None:
    """SO-LKS-02."""
    update_lks(telling)
    hit(telling, "reveal")


def finish(telling: Telling, reason: str) -> None:
    """The game is over, and all that was hidden is opened."""
    telling.to_all(GameOver(WINNERS[reason], reason))
    p = telling.truth
    assert p.deck is not None, "the referee knows the deck"
    telling.to_all(Opened(p.mine, tuple(slot.card for slot in p.slots), p.deck))
