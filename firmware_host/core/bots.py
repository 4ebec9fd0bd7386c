"""Finds bots by name: those in a game's folder `bots`, and those in `engine/bots/`, which can play any game.

A game's own bot replaces a general one of the same name. Files that begin with an underscore are no bots, and a file
that cannot be used is left out.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Hashable
from functools import lru_cache
from types import ModuleType
from typing import Any, cast

import engine.bots
import games
from engine.bots import LEVELS, Bot, Kind, Thinking
from engine.game import Game
from engine.refusal import NotUnderstood, no_such
from engine.search.budget import Budget
from engine.text import Text
from firmware_host.core import sizes
from firmware_host.core.guarded import BadResult, GameFault, checked_installed, unguarded


def names(game: Game) -> list[str]:
    """Return the names of all bots that play a game."""
    return sorted({*own_names(game), *general_names()})


def find(game: Game, name: str) -> Kind:
    """Return the bot of a game called `name`. Raises `NotUnderstood`, with the known names and the nearest one."""
    if name not in names(game):
        raise NotUnderstood(no_such("bot", name, names(game)))
    kind: Kind = _module(game, name).KIND
    return kind


def describe(game: Game, name: str) -> str:
    """Return the first line of the docstring of a bot's module. Raises `NotUnderstood`."""
    find(game, name)
    return (_module(game, name).__doc__ or "").partition("\n")[0][: sizes.LONGEST_LABEL]


def quote(name: str) -> Text:
    """Return a bot's name for use in a sentence: in quotes, and translated."""
    return Text("'{bot}'", bot=Text(name))


def names_for(game: Game, seat: str) -> list[str]:
    """Return the bots that can play a seat."""
    return [name for name in names(game) if find(game, name).plays(seat)]


def ranked(game: Game, seat: str) -> list[str]:
    """Return the bots that can play a seat: those made for the game first, the easiest first."""
    made_for_it = own_names(game)
    # False sorts before True: the game's own bots come first.
    return sorted(names_for(game, seat), key=lambda name: (name not in made_for_it, _strength(game, name)))


def strongest(game: Game, seat: str) -> str:
    """Return the strongest bot made for a seat that answers at once; any other if there is none."""
    found = ranked(game, seat)
    made_for_it = [name for name in found if name in own_names(game) and not find(game, name).thinks]
    return made_for_it[-1] if made_for_it else found[0]


def next_weaker(game: Game, seat: str, name: str) -> str | None:
    """Return the next weaker bot than the one called `name` that can play its seat, if any."""
    found = ranked(game, seat)
    return found[found.index(name) - 1] if name in found[1:] else None


def set_budget(bot: Bot, budget: Budget) -> None:
    """Set the search budget of a bot; a bot that does not search ignores it."""
    if isinstance(bot, Thinking):
        bot.budget = budget


def _strength(game: Game, name: str) -> int:
    level = find(game, name).level
    # A bot without a level sorts after all others.
    return len(LEVELS) if level is None else LEVELS.index(level)


def seated(name: str, game: Game, seat: str, view: Any) -> Bot:
    """Return a bot at its seat. Raises `NotUnderstood` if it is unknown or does not play that seat."""
    kind = find(game, name)
    if not kind.plays(seat):
        others = ", ".join(names_for(game, seat))
        raise NotUnderstood(f"The bot {name!r} cannot play for the {seat}; these can: {others}.")
    return kind.sit(game, seat, view)


def _module(game: Game, name: str) -> ModuleType:
    file = name.replace("-", "_")
    # A game's own bot replaces a general one of the same name.
    if name in listed_names(game):
        return importlib.import_module(f"games.{games.folder(game.name)}.bots.{file}")
    return importlib.import_module(f"engine.bots.{file}")


def own_names(game: Game) -> list[str]:
    """Return the names of the usable bots in a game's folder."""
    return [name for name in listed_names(game) if fault(game, name) is None]


def listed_names(game: Game) -> list[str]:
    """Return the names of all bots in a game's folder."""
    package = _package(games.folder(game.name), tuple(games.__path__))
    return [] if package is None else _listed(package)


def package(folder: str) -> ModuleType | None:
    """Return the package of the bots in a game's folder, if any. Raises anything if it is faulty."""
    if importlib.util.find_spec(f"games.{folder}.bots") is None:
        return None
    return importlib.import_module(f"games.{folder}.bots")


# The search path is part of the key, so that folders of games that are added later are found.
@lru_cache(maxsize=64)
def _package(folder: str, _: tuple[str, ...]) -> ModuleType | None:
    """Return the package of a game's bots; None if there is none, or if it cannot be imported."""

    try:
        return checked_installed(folder.replace("_", "-"), package, folder)
    except GameFault:
        return None


def fault(game: Game, name: str) -> GameFault | None:
    """Return why a bot of a game's folder cannot be used; None if it can.

    Each bot is imported once, also a faulty one, because one that hangs would take its time again.
    """
    return _fault(cast(Hashable, unguarded(game)), name)


@lru_cache(maxsize=256)
def _fault(game: Any, name: str) -> GameFault | None:
    try:
        checked_installed(game.name, check, game, name)
    except GameFault as found:
        return found
    return None


def check(game: Game, name: str) -> None:
    """Import a bot of a game's folder. Raises anything if it cannot be used."""
    module = _module(game, name)
    kind = module.KIND
    sound = isinstance(kind, Kind) and callable(kind.sit) and kind.level in (None, *LEVELS)
    if not sound or not isinstance(module.__doc__, str | None) or not all(isinstance(seat, str) for seat in kind.seats):
        raise BadResult


def general_names() -> list[str]:
    """Return the names of the bots that play any game."""
    return _listed(engine.bots)


def _listed(package: ModuleType) -> list[str]:
    found = (module.name for module in pkgutil.iter_modules(package.__path__))
    return [name.replace("_", "-") for name in found if not name.startswith("_")]
