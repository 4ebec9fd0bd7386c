"""The act being resolved: its events, the truth after each, and the sniper's hits.

Each event is applied at once, because the automated side reacts to what it has just done.
"""

from __future__ import annotations

from engine.chance import Chance
from engine.events import Event, Told, only
from engine.telling import Telling
from games.sniper_elite.rules.events import GameOver, Wounded
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.rules.events import Hit, LksUpdated, Opened
from games.sniper_elite_solo.rules.fold import fold
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.words import WINNERS


class Act(Telling[Picture]):
    """An act being resolved. `truth` is the referee's picture after all events in `told`."""

    def __init__(self, truth: Picture, chance: Chance) -> None:
        super().__init__(truth, chance, fold)

    @property
    def over(self) -> bool:
        """Whether the game has ended. No event can follow."""
        return self.truth.over is not None

    def tell(self, event: Event) -> None:
        """Send `event` to every viewer."""
        assert not self.over or isinstance(event, Opened), "no event may follow the end of a game"
        super().tell(event)

    def to_sniper(self, event: Event) -> None:
        """Send `event` to the player only."""
        self._add(Told(event, only(SNIPER)))


def hit(act: Act, cause: str, by: str | None = None) -> None:
    """Give the sniper a hit, if the hit counts (SO-HIT-01..05)."""
    p = act.truth
    if p.hits >= p.numbers.hit_cap or p.wounded:
        return
    act.tell(Hit(cause, by, p.stack[-1] if p.stack else None))
    if p.stack:
        return
    act.tell(Wounded(p.wounds + 1))
    if p.wounds + 1 == 2:
        finish(act, "wounds")


def update_lks(act: Act) -> None:
    """Set the last known sector to the sniper's sector (SO-LKS-01)."""
    act.tell(LksUpdated(act.truth.terrain.sector_of[str(act.truth.space)]))


def reveal(act: Act) -> None:
    """Reveal the sniper's position (SO-LKS-02)."""
    update_lks(act)
    hit(act, "reveal")


def finish(act: Act, reason: str) -> None:
    """End the game and reveal everything that was hidden."""
    act.tell(GameOver(WINNERS[reason], reason))
    p = act.truth
    assert p.deck is not None, "the referee knows the deck"
    act.tell(Opened(p.mine, tuple(slot.card for slot in p.slots), p.deck))
