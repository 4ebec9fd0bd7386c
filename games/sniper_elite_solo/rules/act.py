"""The act being resolved: its events, the truth after each, and the sniper's hits.

Each event is applied at once, because the automated side reacts to what it has just done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from engine.chance import Chance
from engine.events import EVERYONE, Audience, Event, Told, only
from engine.game import Command
from games.sniper_elite.rules.events import GameOver, Wounded
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.rules.events import Hit, LksUpdated, Opened
from games.sniper_elite_solo.rules.fold import fold
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.words import WINNERS


class Act:
    """An act being resolved. `truth` is the referee's picture after all events in `told`."""

    def __init__(self, truth: Picture, chance: Chance) -> None:
        self.truth = truth
        self.chance = chance
        self.told: list[Told] = []

    @property
    def over(self) -> bool:
        """Whether the game has ended. No event can follow."""
        return self.truth.over is not None

    def to_all(self, event: Event) -> None:
        """Send `event` to every viewer."""
        self._send(event, EVERYONE)

    def to_sniper(self, event: Event) -> None:
        """Send `event` to the player only."""
        self._send(event, only(SNIPER))

    def to_referee(self, event: Event) -> None:
        """Send `event` to the referee only."""
        self._send(event, only())

    def _send(self, event: Event, audience: Audience) -> None:
        assert not self.over or isinstance(event, Opened), "no event may follow the end of a game"
        self.truth = fold(self.truth, event)
        self.told.append(Told(event, audience))


class Rule(Struct, frozen=True):
    """The rule for one kind of command.

    `offers(view)` lists the legal commands in a stable order. `check(view, command)` returns the command in the form
    that `offers` lists, or raises `Refused`. `decide(act, command)` resolves it. `question` is the question that the
    command answers, None if it is part of a normal turn.
    """

    command: type[Command]
    offers: Callable[[Picture], Iterable[Command]]
    check: Callable[[Picture, Any], Command]
    decide: Callable[[Act, Any], None]
    question: str | None = None


def hit(act: Act, cause: str, by: str | None = None) -> None:
    """Give the sniper a hit, if the hit counts (SO-HIT-01..05)."""
    p = act.truth
    if p.hits >= p.numbers.hit_cap or p.wounded:
        return
    act.to_all(Hit(cause, by, p.stack[-1] if p.stack else None))
    if p.stack:
        return
    act.to_all(Wounded(p.wounds + 1))
    if p.wounds + 1 == 2:
        finish(act, "wounds")


def update_lks(act: Act) -> None:
    """Set the last known sector to the sniper's sector (SO-LKS-01)."""
    act.to_all(LksUpdated(act.truth.terrain.sector_of[str(act.truth.space)]))


def reveal(act: Act) -> None:
    """Reveal the sniper's position (SO-LKS-02)."""
    update_lks(act)
    hit(act, "reveal")


def finish(act: Act, reason: str) -> None:
    """End the game and reveal everything that was hidden."""
    act.to_all(GameOver(WINNERS[reason], reason))
    p = act.truth
    assert p.deck is not None, "the referee knows the deck"
    act.to_all(Opened(p.mine, tuple(slot.card for slot in p.slots), p.deck))
