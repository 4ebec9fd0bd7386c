"""Finds bots by name: those in a game's folder `bots`, and those in `engine/bots/`, which can play any game.

A game's own bot replaces a general one of the same name. Files that begin with an underscore are not bots, and a file
that cannot be used is left out.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import islice
from random import Random
from types import ModuleType, NoneType
from typing import Any, cast

from msgspec import Struct

import engine.bots
import games
from engine.bots import LEVELS, Advising, Bot, Kind, Thinking
from engine.chance import Chance
from engine.game import REFEREE, TABLE, Command, Game, Pictures
from engine.refusal import NotUnderstood, no_such
from engine.search.budget import Budget
from engine.text import Text
from firmware_host.core import sizes
from firmware_host.core.guarded import GameFault, checked, checked_installed, unguarded


class CheckedBot(Struct, frozen=True):
    """The kind of a bot and the docstring of its module, read when the module was imported."""

    kind: Kind
    docstring: str


class OwnBots(Struct, frozen=True):
    """The bots in a game's folder by name: those that can be used, and why others cannot.

    A fault under the name "" concerns all of them.
    """

    usable: dict[str, CheckedBot]
    faults: dict[str, GameFault]


def names(game: Game) -> list[str]:
    """Return the names of all bots that play a game."""
    return sorted({*own_names(game), *general_names()})


def find(game: Game, name: str) -> Kind:
    """Return the bot of a game called `name`. Raises `NotUnderstood`, with the known names and the nearest one."""
    return _bot(game, name).kind


def describe(game: Game, name: str) -> str:
    """Return the first line of the docstring of a bot's module. Raises `NotUnderstood`."""
    return _bot(game, name).docstring.partition("\n")[0][: sizes.LONGEST_LABEL]


def quoted_name(name: str) -> Text:
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
    by_strength = ranked(game, seat)
    made_for_it = [name for name in by_strength if name in own_names(game) and not find(game, name).thinks]
    return made_for_it[-1] if made_for_it else by_strength[0]


def next_weaker(game: Game, seat: str, name: str) -> str | None:
    """Return the next weaker bot than the one called `name` that can play its seat, if any."""
    by_strength = ranked(game, seat)
    return by_strength[by_strength.index(name) - 1] if name in by_strength[1:] else None


def set_budget(bot: Bot, budget: Budget) -> None:
    """Set the search budget of a bot; a bot that does not search ignores it."""
    if isinstance(bot, Thinking):
        bot.budget = budget


def _strength(game: Game, name: str) -> int:
    level = find(game, name).level
    # A bot without a level sorts after all others.
    return len(LEVELS) if level is None else LEVELS.index(level)


def bot_at_seat(name: str, game: Game, seat: str, view: Any) -> Bot:
    """Return a bot at its seat. Raises `NotUnderstood` if it is unknown or does not play that seat."""
    kind = find(game, name)
    if not kind.plays(seat):
        others = ", ".join(names_for(game, seat))
        raise NotUnderstood(f"The bot {name!r} cannot play for the {seat}; these can: {others}.")
    return kind.sit(game, seat, view)


def judge_of(game: Game, seat: str, view: Any) -> Advising | None:
    """Return the strongest bot that can judge the acts of a seat, created for that seat; None if there is none."""
    for name in reversed(ranked(game, seat)):
        bot = bot_at_seat(name, game, seat, view)
        if isinstance(bot, Advising):
            return bot
    return None


def unjudged_choice(judge: Advising, view: Any, legal: Sequence[Command]) -> Command | None:
    """Return what a bot would do in a decision that it can't judge; None if that depends on chance."""
    first, *others = (judge.choose(view, legal, Chance(Random(seed))) for seed in range(3))
    return first if all(other == first for other in others) else None


def can_judge(game: Game, pictures: Pictures) -> bool:
    """Return whether a bot judges the acts of a seat; `pictures` are the viewers' pictures before any event."""
    seats = [seat for seat in pictures if seat not in (TABLE, REFEREE)]
    try:
        return checked(game.name, lambda: any(judge_of(game, seat, pictures[seat]) for seat in seats))
    except GameFault:
        return False


def _bot(game: Game, name: str) -> CheckedBot:
    if (own := own_bots(game).usable.get(name)) is not None:
        return own
    if name not in general_names():
        raise NotUnderstood(no_such("bot", name, names(game)))
    module = importlib.import_module(f"engine.bots.{name.replace('-', '_')}")
    return CheckedBot(module.KIND, module.__doc__ or "")


def own_names(game: Game) -> list[str]:
    """Return the names of the usable bots in a game's folder."""
    return list(own_bots(game).usable)


def own_bots(game: Game) -> OwnBots:
    """Return the bots in a game's folder; cached."""
    # The search path is part of the cache key, so that game folders that are added later are found.
    return _import_own_bots(cast(Hashable, unguarded(game)), tuple(games.__path__))


# Import each bot only once, even a faulty one: a bot that hangs would take its time again.
@lru_cache(maxsize=64)
def _import_own_bots(game: Any, _: tuple[str, ...]) -> OwnBots:
    loaded, folder = OwnBots({}, {}), games.folder(game.name)
    try:
        package = checked_installed(game.name, _package, folder)
    except GameFault as fault:
        return OwnBots({}, {"": fault})
    for name in [] if package is None else _module_names(package):
        try:
            loaded.usable[name] = checked_installed(game.name, _checked_bot, folder, name)
        except GameFault as fault:
            loaded.faults[name] = fault
    return loaded


def _package(folder: str) -> ModuleType | None:
    if importlib.util.find_spec(f"games.{folder}.bots") is None:
        return None
    package = importlib.import_module(f"games.{folder}.bots")
    if not hasattr(package, "__path__"):
        raise TypeError("bots must be a folder with a module for each bot")
    return package


def _checked_bot(folder: str, name: str) -> CheckedBot:
    """Return a bot of a game. Raises anything if it cannot be used."""
    base = name.replace("-", "_")
    file = f"bots/{base}.py"
    if importlib.util.find_spec(f"games.{folder}.bots.{base}") is None:
        raise ImportError(f"no module can have a hyphen in its name: rename bots/{name}.py to {file}")
    module = importlib.import_module(f"games.{folder}.bots.{base}")
    kind, docstring = getattr(module, "KIND", None), module.__doc__
    # The table reads the kind in its own thread, outside of guarded calls, so no member may contain code of the game.
    if type(kind) is not Kind or not callable(kind.sit) or type(docstring) not in (str, NoneType):
        raise TypeError(f"KIND in {file} must be a Kind of engine.bots whose sit() makes a bot")
    if type(kind.level) not in (str, NoneType) or kind.level not in (None, *LEVELS):
        raise ValueError(no_such("level", str(kind.level), LEVELS))
    if type(kind.seats) is not tuple or any(type(seat) is not str for seat in kind.seats):
        names: object = kind.seats
        one = f': ("{names}",)' if isinstance(names, str) else ""
        raise TypeError(f"the seats of KIND in {file} must be a tuple of their names{one}")
    if type(kind.thinks) is not bool or type(kind.slow) is not bool:
        raise TypeError(f"thinks and slow of KIND in {file} must be True or False")
    return CheckedBot(kind, docstring or "")


def general_names() -> list[str]:
    """Return the names of the bots that play any game."""
    return _module_names(engine.bots)


def _module_names(package: ModuleType) -> list[str]:
    module_names = (module.name for module in pkgutil.iter_modules(package.__path__))
    bot_names = (name.replace("_", "-") for name in module_names if not name.startswith("_") and sizes.is_utf8(name))
    return [*islice(bot_names, sizes.MOST_FILES)]
