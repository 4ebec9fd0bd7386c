"""A game as the checks call it: no call runs or tells without end."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

from engine.game import Game
from firmware_host.core import sizes
from firmware_host.core.game_files import game_folder
from firmware_host.core.time_limit import LIMIT, WATCH, TimeUp
from lab.authoring.play import Unplayable

TELLS: Final = ("setup", "decide", "decide_for")
"""The methods that may yield their events one by one."""


class LimitedGame:
    """A game with all its public members. A call that takes too long, or tells too much, raises `Unplayable`."""

    def __init__(self, game: Game) -> None:
        # Real attributes of this object, so that `isinstance` with a protocol finds them.
        for name in dir(game):
            if name[0] != "_":
                value = getattr(game, name)
                method = callable(value) and not isinstance(value, type)
                vars(self)[name] = partial(_limited, game.name, name, value) if method else value


def limited(game: Game) -> Game:
    """Return the game with a limit for each call, otherwise the game itself."""
    return cast(Game, LimitedGame(game))


def _limited(game: str, name: str, method: Callable[..., Any], *args: Any) -> Any:
    try:
        return WATCH.run(game, LIMIT, _called, name, method, args)
    except TimeUp as error:
        why = f"{name}() takes longer than {LIMIT:.0f} seconds, or never returns"
        raise Unplayable(f"{why}. It was stopped at: {last_line(game, error)}.") from None
    except sizes.TooLarge as error:
        raise Unplayable(f"{name}() returns more than {sizes.MOST_TOLD} events, or never ends.") from error


def _called(name: str, method: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    found = method(*args)
    return tuple(sizes.at_most(found, sizes.MOST_TOLD)) if name in TELLS else found


def last_line(game: str, error: BaseException) -> str:
    """Return the function and the last line of a game's folder in which an error arose; else the last line at all."""
    folder = game_folder(game)
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if Path(frame.filename).is_relative_to(folder)]
    last = (inside or frames)[-1]
    return f"{last.name}() in {Path(last.filename).name}, line {last.lineno}"
