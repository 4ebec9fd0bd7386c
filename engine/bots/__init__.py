"""Computer players: what one is, and those that can play any game. A game's own are in its folder `bots`.

A bot's file offers `KIND`, which says which seats it plays and seats it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, Protocol, get_args, runtime_checkable

from msgspec import Struct

from engine.chance import Chance
from engine.events import Event
from engine.game import Command, Game
from engine.search.budget import Budget

Level = Literal["easy", "medium", "strong", "expert"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""How well bots play, the weakest first; not every game has one of each. `docs/levels.md` says for which games it is
measured."""


class Bot(Protocol):
    """A player at one seat of one game. It holds what its seat was told, and never the truth."""

    def told(self, event: Event) -> None:
        """Its seat was told of `event`: of each, in order, from the first picture on."""

    def choose(self, view: Any, legal: Sequence[Command], chance: Chance) -> Command:
        """One of `legal`, the acts of its seat, which sees `view`. All luck comes from `chance`."""


@runtime_checkable
class Thinking(Bot, Protocol):
    """A bot that plays its acts on in its head, the better the longer it may. At a table it sits in a process of its
    own (`firmware_host/seats/searching.py`).
    """

    budget: Budget
    """How long it may think about its next act; a few lines of play until somebody says more."""


class Kind(Struct, frozen=True):
    """What a bot's file offers. `sit(game, seat, view)` seats one; `view` is the seat's picture before it was told
    anything. `seats` empty: any seat. `level` is how well it plays among the bots of its game, None if nobody measured.
    `thinks`: what sits there is a `Thinking` bot.
    """

    sit: Callable[[Game, str, Any], Bot]
    seats: tuple[str, ...] = ()
    level: Level | None = None
    thinks: bool = False

    def plays(self, seat: str) -> bool:
        """Whether it can sit there."""
        return not self.seats or seat in self.seats


def best(legal: Sequence[Command], worth: Callable[[Command], float], chance: Chance) -> Command:
    """The act that is worth the most; any of them where several are."""
    values = [worth(command) for command in legal]
    most = max(values)
    first: int = chance.order("best", [number for number, value in enumerate(values) if value == most], "bots")[0]
    return legal[first]


def slipping(
    legal: Sequence[Command],
    worth: Callable[[Command], float],
    end: Command | None,
    chance: Chance,
    slips: int = 0,
    least: float = 0.0,
) -> Command:
    """The best act; so many times of ten that it `slips`, any act worth more than `least`.

    The turn's `end` instead, if it may be chosen and no act is worth more than `least`. None: it may not.
    """
    values = [worth(command) for command in legal]
    useful = [command for command, value in zip(legal, values, strict=True) if command != end and value > least]
    if end is not None and not useful:
        return end
    if slips and useful and chance.roll("slip", range(10), "bots") < slips:
        found: Command = chance.order("act", useful, "bots")[0]
        return found
    most = max(values)
    ways = [command for command, value in zip(legal, values, strict=True) if value == most]
    first: Command = chance.order("best", ways, "bots")[0]
    return first
