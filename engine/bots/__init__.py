"""Computer players: what one is, and those that can play any game. A game's own are in its folder `bots`.

A bot's file offers `KIND`, which says which seats it plays and seats it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from msgspec import Struct

from engine.chance import Chance
from engine.events import Event
from engine.game import Command, Game


class Bot(Protocol):
    """A player at one seat of one game. It holds what its seat was told, and never the truth."""

    def told(self, event: Event) -> None:
        """Its seat was told of `event`: of each, in order, from the first picture on."""

    def choose(self, view: Any, legal: Sequence[Command], chance: Chance) -> Command:
        """One of `legal`, the acts of its seat, which sees `view`. All luck comes from `chance`."""


class Kind(Struct, frozen=True):
    """What a bot's file offers. `sit(game, seat, view)` seats one; `view` is the seat's picture before it was told
    anything. `seats` empty: any seat.
    """

    sit: Callable[[Game, str, Any], Bot]
    seats: tuple[str, ...] = ()

    def plays(self, seat: str) -> bool:
        """Whether it can sit there."""
        return not self.seats or seat in self.seats


def best(legal: Sequence[Command], worth: Callable[[Command], float], chance: Chance) -> Command:
    """The act that is worth the most; any of them where several are."""
    values = [worth(command) for command in legal]
    most = max(values)
    first: int = chance.order("best", [number for number, value in enumerate(values) if value == most], "bots")[0]
    return legal[first]
