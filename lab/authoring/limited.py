"""A wrapper for checked games: stops calls that run endlessly, return endless results, are too slow for a small
computer, or break the contract.
"""

from __future__ import annotations

import re
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from inspect import cleandoc, get_annotations, getsourcefile, getsourcelines, signature
from itertools import chain
from pathlib import Path
from typing import Any, Final, cast, get_args, get_origin

from msgspec import Struct, structs

import engine.game
import games
from engine import plain
from engine.game import BadResult, Game
from engine.graph.fault import MapError
from engine.plain import Picture, PlainGame
from engine.refusal import RuleError
from engine.text import PLACE, Text
from firmware_host.core import sizes
from firmware_host.core.game_files import game_folder
from firmware_host.core.guarded import check_result
from firmware_host.core.time_limit import LIMIT, WATCH, TimeUp, waited
from lab.authoring.play import Unplayable

TELLS: Final = ("setup", "decide", "decide_for")
"""The methods that may yield their events one by one."""


SLOWER: Final = 10
"""How many times slower a small computer that runs a table is than an author's computer."""
SLOW: Final = LIMIT / SLOWER
"""Seconds of a call that would take too long there."""
LONGEST_VALUE: Final = 160
"""Maximum characters of a value in a message."""
_METHODS: Final = {
    name: method
    for kind in vars(engine.game).values()
    if getattr(kind, "_is_protocol", False)
    for name, method in vars(kind).items()
    if name[0] != "_" and callable(method)
}
_HOOKS: Final = {name: method for name, method in vars(PlainGame).items() if name[0] != "_" and callable(method)}
PARAMETERS: Final = {name: (*signature(method).parameters,)[1:] for name, method in (_HOOKS | _METHODS).items()}
"""Method of the contract, of a capability or of a `PlainGame` -> the names of its parameters."""
PLACED: Final = re.compile(r"\bline \d|:\d+[:.]")
"""Matches a place in a file."""
MEMBER: Final = re.compile(r"\b(?:asks for |)([a-z_]+)(?:\(\)| is | names |\. Is that)")
"""Matches the name of a game's member in a sentence."""
INHERITED: Final = {
    "options": "option_form", "read_options": "option_type", "seats": "players", "to_act": "position_type",
    "luck": "draws", "read_event": "event_types", "read_command": "command_types", "check": "refusals",
}  # fmt: skip
"""Method of `PlainGame` -> the value of the game that it returns or reads."""
CONTRACT: Final = {
    name: (f"{get_annotations(method)['return']}.", *cleandoc(method.__doc__ or "").partition("\n\n")[0].splitlines())
    for name, method in _METHODS.items()
}
"""Method of the contract or of a capability -> the type of its result, and the contract's description of it."""
SLOW_CALLS: Final = 3
"""A method with this many slow calls is reported as slow."""


class LimitedGame:
    """A game with all its public members. A call that takes too long, returns too much or breaks the contract raises
    `Unplayable`, and so does a method that is often slow by the `clock`. `waits` returns the seconds that calls spent
    waiting for the processor.
    """

    def __init__(self, game: Game, clock: Callable[[], float], waits: Callable[[], float], limit: float) -> None:
        self._limit, self._wrong = limit, dict[str, str]()
        self._clock, self._waits, self._waited, self._slow = clock, waits, waits(), Counter[str]()
        self._game = game
        # Real attributes of this object, so that `isinstance` with a protocol finds them.
        for name in dir(game):
            if name[0] != "_":
                value = getattr(game, name)
                method = callable(value) and not isinstance(value, type)
                vars(self)[name] = partial(self._limited, game.name, name, value) if method else value

    def _limited(self, game: str, name: str, method: Callable[..., Any], *args: Any) -> Any:
        began = self._clock()
        try:
            found = WATCH.run(game, self._limit, self._called, name, method, args)
        except TimeUp as error:
            why = f"{name}() takes longer than {self._limit:g} seconds, or never returns"
            raise Unplayable(f"{why}. It was stopped at: {error_place(game, error)}.") from None
        except sizes.TooLarge as error:
            many = f"{sizes.MOST_TOLD} events" if name in TELLS else f"{sizes.MOST_ACTS} values"
            raise Unplayable(f"{name}() returns more than {many}, or never ends.") from error
        except BadResult as error:  # of a method that only the game itself calls
            own = error.method
            raise Unplayable(self._said(own, getattr(self._game, own, None), error.found, error)) from error
        if (took := self._clock() - began) > SLOW:
            self._count(name, took)
        try:
            # Any value can be the picture of a game that inherits nothing.
            if name == "fold" and (found is None or (isinstance(args[0], Picture) and not isinstance(found, Picture))):
                raise BadResult(name, found, "a picture")
            if name == "fold" and isinstance(found, Picture) and type(found.at) is not type(args[0].at):
                why = f"{found.at!r:.80} as the position, not a {type(args[0].at).__name__}. Does each case return one?"
                raise Unplayable(f"{_place(name, method)} has {why}")
            if isinstance(found, str) and not isinstance(found, Text) and CONTRACT.get(name, "")[0].startswith("Text"):
                where = _place(name, method)
                raise Unplayable(f"{where} returns {found!r}, a str, which is not translated. Return a Text.")
            if isinstance(found, Text) and not found.values and (place := PLACE.search(found)):
                why = f"a text without a value for {place[0]}. Write Text(…, {place[1]}=…)."
                raise Unplayable(f"{_place(name, method)} returns {str(found)!r}, {why}")
            return check_result(name, found)
        except Unplayable:
            raise
        except Exception as error:
            raise Unplayable(self._said(name, method, found, error)) from error

    def _called(self, name: str, method: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        try:
            found = method(*args)
        except TypeError as error:
            *_, (caller, _) = traceback.walk_tb(error.__traceback__)
            failed, _, takes = str(error).partition("() ")
            failed = name if caller.f_code.co_filename == __file__ else failed.rpartition(".")[2]
            # If the call itself has failed, the last line is the one that makes it, here or in `PlainGame`.
            if caller.f_code.co_filename not in (__file__, plain.__file__) or failed not in PARAMETERS:
                raise
            place, called = _place(failed, getattr(self._game, failed, None)), ", ".join(PARAMETERS[failed])
            raise Unplayable(f"{place} {takes}. The table calls {failed}({called}).") from error
        most = sizes.MOST_TOLD if name in TELLS else sizes.MOST_ACTS
        return tuple(sizes.at_most(found, most)) if isinstance(found, Iterator) else found

    def _said(self, name: str, method: Any, found: Any, error: Exception) -> str:
        # Always the same sentence, although the values differ.
        return self._wrong.setdefault(name, _wrong_result(name, method, found, error))

    def _count(self, name: str, took: float) -> None:
        # Reading the waits takes longer than most calls, so they are read, and subtracted, only after slow calls.
        before, self._waited = self._waited, self._waits()
        took -= self._waited - before
        self._slow[name] += took > SLOW
        if self._slow[name] >= SLOW_CALLS:
            raise Unplayable(
                f"{name}() takes longer than {SLOW:.1f} seconds. A small computer is about {SLOWER} times slower, and "
                f"a table stops a call after {LIMIT:.0f} seconds. Compute less, or once a board with board.derived()."
            )


def limited(
    game: Game,
    clock: Callable[[], float] = time.monotonic,
    waits: Callable[[], float] = lambda: waited(threading.get_native_id()),
    limit: float = LIMIT,
) -> Game:
    """Return the game with a limit of seconds for each call, otherwise the game itself."""
    return cast(Game, LimitedGame(game, clock, waits, limit))


def _wrong_result(name: str, method: Any, found: Any, error: Exception) -> str:
    """Return a message with the value that a method has returned, and the type that the contract requires."""
    wanted, about = "", (CONTRACT.get(name) or ("",))
    if isinstance(error, BadResult) and error.wanted:
        found, wanted = error.found, f"{error.wanted}."
    value, where = repr(found), _place(name, method)
    value = value if len(value) <= LONGEST_VALUE else f"{value[: LONGEST_VALUE - 1]}…"
    for one in found if isinstance(found, list | tuple) else (found,):
        for field in structs.fields(one) if isinstance(one, Struct) else ():
            if get_origin(field.type) is tuple and isinstance(given := getattr(one, field.name), list | str | set):
                said = f"{field.name} of {type(one).__name__} must be a tuple, not a {type(given).__name__}."
                return f"{where} returns {value}: {said}"
    if isinstance(error, sizes.TooLarge):
        return f"{where} returns {error}, which a table does not accept: {value}"
    why = f" ({error})" if isinstance(error, ValueError) else ""
    return f"{where} returns {value}, which is not {' '.join((wanted or about[0], *about[1:]))}{why}"


def _place(name: str, method: Any) -> str:
    """Return the file and line of a method, for the beginning of a sentence."""
    code = getattr(method, "__code__", None)
    if code is None or code.co_filename == plain.__file__:
        return f"{name}()"
    return f"{name}() in {Path(code.co_filename).name}, line {code.co_firstlineno},"


def error_place(game: str, error: BaseException, called: str = "") -> str:
    """Return the function and line of an error: the last one in the game's folder, or else that which was `called`, or
    the last of all.
    """
    folder = game_folder(game)
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if Path(frame.filename).is_relative_to(folder)]
    if called and not inside:
        return called
    last = (inside or frames)[-1]
    # Comprehensions are functions without a name.
    name = next((frame.name for frame in reversed(inside or frames) if frame.name[0] != "<"), last.name)
    return f"{name}() in {Path(last.filename).name}, line {last.lineno}"


def placed(game: Game, sentence: str) -> str:
    """Return a sentence with the place of the member that it names first, if it has no place yet."""
    if PLACED.search(sentence):
        return sentence
    kind = type(games.find(game.name))
    for name in MEMBER.findall(sentence):
        member = getattr(kind, name, None)
        code = getattr(member, "__code__", None)
        if member is not None and member is getattr(PlainGame, name, None):
            name, code = INHERITED.get(name, ""), None
        if name in vars(kind) and (code is None or sentence.startswith("The table never asks for ")):
            return f"{sentence} See {name} in {class_place(kind, name)}."
        if code is not None and Path(code.co_filename).is_relative_to(game_folder(game.name)):
            return f"{sentence} See {_place(name, member).removesuffix(',')}."
    types = (get_args(getattr(kind, types, None)) for types in ("event_types", "command_types"))
    classes = (one for one in chain.from_iterable(types) if re.match(rf"{one.__name__}\b.* in its ", sentence))
    return "".join([sentence, *(f" See class {one.__name__} in {class_place(one)}." for one in classes)])


def class_place(kind: type, name: str = "") -> str:
    """Return the line in which a class is defined, or in which it assigns a value to a name."""
    lines, first = getsourcelines(kind)
    line = next(
        (at for at, it in enumerate(lines, first) if name and re.match(rf"\s+(def )?{name}\s*[(:=]", it)), first
    )
    return f"{Path(str(getsourcefile(kind))).name}, line {line}"


def failure(game: Game, error: BaseException, called: str = "") -> str:
    """Return the error that a game has raised, with the last line of the game in its traceback; see `error_place`."""
    why = f"{type(error).__name__}: {error}" if not isinstance(error, RuleError | MapError) else str(error)
    why = f"{why.strip().removesuffix(':').removesuffix('.')}. Correct this line, or the values that it gets."
    return f"{error_place(game.name, error, called)}, raises {why}"
