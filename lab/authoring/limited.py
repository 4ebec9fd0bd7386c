"""A game as the checks call it: no call runs or tells without end, or takes as long as no small computer can wait."""

from __future__ import annotations

import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

from engine.game import Game
from engine.graph.fault import MapError
from engine.refusal import RuleError
from firmware_host.core import sizes
from firmware_host.core.game_files import game_folder
from firmware_host.core.time_limit import LIMIT, WATCH, TimeUp, waited
from lab.authoring.play import Unplayable

TELLS: Final = ("setup", "decide", "decide_for")
"""The methods that may yield their events one by one."""


SLOWER: Final = 10
"""How many times slower than a computer on which people write games a small one is that runs a table."""
SLOW: Final = LIMIT / SLOWER
"""Seconds of a call that would take too long there."""
OFTEN: Final = 3
"""So many slow calls of a method are no accident."""


class LimitedGame:
    """A game with all its public members. A call that takes too long, or tells too much, raises `Unplayable`, and so
    does a method that is often slow by the `clock`. `waits` returns the seconds in which no call could go on.
    """

    def __init__(self, game: Game, clock: Callable[[], float], waits: Callable[[], float], limit: float) -> None:
        self._limit = limit
        self._clock, self._waits, self._waited, self._slow = clock, waits, waits(), Counter[str]()
        # Real attributes of this object, so that `isinstance` with a protocol finds them.
        for name in dir(game):
            if name[0] != "_":
                value = getattr(game, name)
                method = callable(value) and not isinstance(value, type)
                vars(self)[name] = partial(self._limited, game.name, name, value) if method else value

    def _limited(self, game: str, name: str, method: Callable[..., Any], *args: Any) -> Any:
        began = self._clock()
        try:
            found = WATCH.run(game, self._limit, _called, name, method, args)
        except TimeUp as error:
            why = f"{name}() takes longer than {self._limit:g} seconds, or never returns"
            raise Unplayable(f"{why}. It was stopped at: {error_place(game, error)}.") from None
        except sizes.TooLarge as error:
            raise Unplayable(f"{name}() returns more than {sizes.MOST_TOLD} events, or never ends.") from error
        if (took := self._clock() - began) > SLOW:
            self._count(name, took)
        return found

    def _count(self, name: str, took: float) -> None:
        # To ask for the waits takes longer than most calls, so all since the last slow one are taken off.
        before, self._waited = self._waited, self._waits()
        took -= self._waited - before
        self._slow[name] += took > SLOW
        if self._slow[name] >= OFTEN:
            raise Unplayable(
                f"{name}() takes longer than {SLOW:.1f} seconds. A small computer is about {SLOWER} times slower, and "
                f"a table stops a call after {LIMIT:.0f} seconds. Compute less, or once a board with board.derived()."
            )


def _waits_for_the_processor() -> float:
    return waited(threading.get_native_id())


def limited(
    game: Game,
    clock: Callable[[], float] = time.monotonic,
    waits: Callable[[], float] = _waits_for_the_processor,
    limit: float = LIMIT,
) -> Game:
    """Return the game with a limit of seconds for each call, otherwise the game itself."""
    return cast(Game, LimitedGame(game, clock, waits, limit))


def _called(name: str, method: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    found = method(*args)
    return tuple(sizes.at_most(found, sizes.MOST_TOLD)) if name in TELLS else found


def error_place(game: str, error: BaseException) -> str:
    """Return the function and the last line of a game's folder in which an error arose; else the last line at all."""
    folder = game_folder(game)
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if Path(frame.filename).is_relative_to(folder)]
    last = (inside or frames)[-1]
    # An expression with `for` in it is a function without a name.
    name = next((frame.name for frame in reversed(inside or frames) if frame.name[0] != "<"), last.name)
    return f"{name}() in {Path(last.filename).name}, line {last.lineno}"


def failure(game: Game, error: BaseException) -> str:
    """Return what a game has raised, with the last line of the game in it."""
    why = f"{type(error).__name__}: {error}" if not isinstance(error, RuleError | MapError) else str(error)
    return f"{error_place(game.name, error)}, raises {why.strip().removesuffix(':')}"
