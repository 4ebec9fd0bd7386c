"""Players of wood, one file each, found by name: a new bot edits no file but its own.

A bot's file offers `KIND`, which says what it plays and seats it. Files that begin with an underscore are no bots.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from msgspec import Struct

from engine.chance import Chance
from engine.game import Command, Game
from engine.refusal import NotUnderstood, no_such
from engine.told import Event


class Bot(Protocol):
    """A player at one seat of one game. It holds what its seat was told, and never the truth."""

    def told(self, event: Event) -> None:
        """Its seat was told of `event`: of each, in order, from the first picture on."""

    def choose(self, view: Any, legal: Sequence[Command], chance: Chance) -> Command:
        """One of `legal`, the acts of its seat, which sees `view`. All luck comes from `chance`."""


class Kind(Struct, frozen=True):
    """What a bot's file offers. `sit(game, seat, view)` seats one; `view` is the seat's picture before it was told
    anything. `game` None: any game, and `seats` empty: any seat.
    """

    sit: Callable[[Game, str, Any], Bot]
    game: str | None = None
    seats: tuple[str, ...] = ()

    def plays(self, game: Game, seat: str) -> bool:
        """Whether it can sit there."""
        return self.game in (None, game.name) and (not self.seats or seat in self.seats)


def names() -> list[str]:
    """The names of all bots."""
    return sorted(
        module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")
    )


def find(name: str) -> Kind:
    """The bot called `name`. Raises `NotUnderstood` with what is known and the nearest guess."""
    kind: Kind = _module(name).KIND
    return kind


def about(name: str) -> str:
    """What the bot called `name` does, in a line: the first of its module. Raises `NotUnderstood`."""
    return (_module(name).__doc__ or "").partition("\n")[0]


def _module(name: str) -> Any:
    known = names()
    if name not in known:
        raise NotUnderstood(no_such("bot", name, known))
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")


def fitting(game: Game, seat: str) -> list[str]:
    """The bots that can play a seat."""
    return [name for name in names() if find(name).plays(game, seat)]


def ranked(game: Game, seat: str) -> list[str]:
    """The bots that can play a seat, those made for the game first."""
    return sorted(fitting(game, seat), key=lambda name: find(name).game is None)


def fitting_seats(game: Game, options: Any, name: str) -> list[str]:
    """The seats of a game with these options that a bot can play. Raises `NotUnderstood` for a bot that is unknown."""
    return [seat.name for seat in game.seats(options) if find(name).plays(game, seat.name)]


def seated(name: str, game: Game, seat: str, view: Any) -> Bot:
    """A bot at its seat. Raises `NotUnderstood` for one that is not known or does not play that seat."""
    kind = find(name)
    if not kind.plays(game, seat):
        others = ", ".join(fitting(game, seat))
        raise NotUnderstood(f"The bot {name!r} cannot play for the {seat}; these can: {others}.")
    return kind.sit(game, seat, view)


def best(legal: Sequence[Command], worth: Callable[[Command], float], chance: Chance) -> Command:
    """The act that is worth the most; any of them where several are."""
    values = [worth(command) for command in legal]
    most = max(values)
    first: int = chance.order("best", [number for number, value in enumerate(values) if value == most], "bots")[0]
    return legal[first]
