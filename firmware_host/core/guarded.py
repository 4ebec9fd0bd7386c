"""Guards around games: no game can stop the table.

`guarded(game)` is the game as the table uses it. Each call of the game has a time limit. It returns a value that the
contract of `engine.game` allows, or raises a `RuleError`: the game's own refusal, or a `GameFault`. `isolated` does the
same for work that calls a game many times, such as folding an act into all pictures.
"""

from __future__ import annotations

import logging
import re
import sqlite3
import sys
import traceback
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, TypeVar, cast, get_args

import msgspec
from msgspec import ValidationError

from engine.cues import Show
from engine.events import Audience, Event, Told
from engine.game import REFEREE, TABLE, BadResult, Command, Cost, Cue, Ending, Fortune, Game, Placement, Posed, Progress
from engine.graph import Map
from engine.graph.fault import MapError
from engine.graph.overlay import Overlay
from engine.options import OptionForm
from engine.refusal import RuleError
from engine.seats import Seat
from engine.text import Text
from firmware_host.core import ctrl_c, sizes
from firmware_host.core.errors import JournalError, UserError, line_of
from firmware_host.core.logbook import MAKERS
from firmware_host.core.process_state import kept_process
from firmware_host.core.time_limit import (
    GAME_CHECKS,
    LIMIT,
    WATCH,
    LeftOut,
    Shrinking,
    TimeUp,
    TooMuchMemory,
    free_memory,
)

T = TypeVar("T")

log = logging.getLogger("firmware_host")


class Stopped(BaseException):
    """This process has to end while it is still starting; see `commands/run.py`.

    Its argument `asked` is whether a person or systemd has requested that, and certainly no game.
    """

    @property
    def asked(self) -> bool:
        return bool(self.args and self.args[0])


_OUTSIDE: Final = (TimeUp, ImportError, OSError, MemoryError, RecursionError)

STOPPED_CALLS: Final[Mapping[type[TimeUp], tuple[Text, Text]]] = {
    LeftOut: (
        Text("it stopped the table"),
        Text("The game {game} has stopped the table, so it is left out for now."),
    ),
    TooMuchMemory: (
        Text("it needed too much memory"),
        Text("The game {game} needed too much memory, and nothing was done. You can continue playing."),
    ),
    TimeUp: (
        Text("it took too long"),
        Text("The game {game} took too long, and nothing was done. You can continue playing."),
    ),
}
"""The reasons for stopping a call, the most specific first, each with its name and the sentence about the act."""
_NO_STOP: Final = (
    Text("it has a fault ({kind})"),
    Text("The game {game} has a fault, and nothing was done. You can continue playing."),
)


class GameFault(RuleError):
    """A game that has failed: an exception, a result that the contract does not allow, or a call that took too long.

    `kind` is the type of the exception, and `place` its place in the code; neither contains its message. `late` means
    that the call was stopped. `may_pass`: the cause may be outside the game, for example a missing package or full
    memory.
    """

    code = "game-fault"

    def __init__(self, name: str, error: BaseException) -> None:
        stopped = next((it for it in STOPPED_CALLS if isinstance(error, it)), None)
        self._reason, sentence = _NO_STOP if stopped is None else STOPPED_CALLS[stopped]
        super().__init__(sentence.with_(game=name))
        self.name, self.late, self.may_pass = name, stopped is not None, isinstance(error, _OUTSIDE)
        self.method = error.method if isinstance(error, BadResult) else ""
        """The method that returned a bad result, if that is known."""
        # The message of the error is left out: a game could put a secret into it.
        self.kind = (stopped or type(error)).__name__
        self.place = f"what {self.method} returns" if self.method else line_of(error)

    @property
    def reason(self) -> Text:
        """Why a game cannot continue; public."""
        if self.method:
            return Text("what its {method} returns is not valid", method=self.method)
        return self._reason.with_(kind=self.kind)

    @property
    def lines(self) -> tuple[str, str]:
        """The lines for the log: the public one, and the one with the place in the code."""
        return f"The game {self.name} has failed: {self.kind}.", f"{self.kind} in {self.place}"

    def log(self) -> None:
        """Log the fault: a public line, and a line with the place in the code for the game's authors."""
        public, place = self.lines
        log.error(public)
        log.error(place, extra=MAKERS)


def isolated(
    name: str, work: Callable[..., T], *args: Any, limit: float = LIMIT, passing: tuple[type[Exception], ...] = ()
) -> T:
    """Return the result of `work`, which calls the game called `name`.

    Raises `GameFault`. Refusals, errors of the table's own code and `passing` errors are passed on.
    """
    return _called(name, limit, (RuleError, MapError, *passing), work, *args)


def checked(name: str, work: Callable[..., T], *args: Any, limit: float = LIMIT) -> T:
    """Return the result of `work`. A refusal counts as a fault, too. Raises `GameFault`."""
    return _called(name, limit, (GameFault,), work, *args)


def fault_in(error: BaseException | None) -> GameFault | None:
    """Return the fault of a game that is this error or its cause; None if there is none.

    A `MapError` can be caused by one.
    """
    # The table's own errors have one or two causes. The number is limited, because a game can raise an error from
    # itself: `raise error from error`.
    for _ in range(4):
        if error is not None and not isinstance(error, GameFault):
            error = error.__cause__
    return error if isinstance(error, GameFault) else None


def checked_installed(name: str, work: Callable[..., T], *args: Any, limit: Shrinking = GAME_CHECKS) -> T:
    """Call `checked` with the time limit for checks of installed games, which import them."""
    with kept_process(), shrinking(limit) as seconds:
        return checked(name, work, *args, limit=seconds)


@contextmanager
def shrinking(limit: Shrinking) -> Iterator[float]:
    """Yield the limit in seconds for a call of a game, and reduce the limit if that call takes too long."""
    try:
        yield limit.seconds
    except GameFault as fault:
        if fault.late:
            limit.shrink()
        raise


def _called(name: str, limit: float, refusals: tuple[type[Exception], ...], work: Callable[..., T], *args: Any) -> T:
    try:
        return WATCH.run(name, limit, work, *args)
    except BaseException as error:
        # A game can raise anything, also `SystemExit`. An outer time limit, the table's own errors and Ctrl-C are not
        # faults of the game.
        outer = isinstance(error, TimeUp) and WATCH.watching
        if isinstance(error, refusals) or _is_from_table(error) or outer or ctrl_c.is_ctrl_c(error):
            raise
        fault = GameFault(name, error)
        if isinstance(error, TooMuchMemory):
            # Drop the traceback, whose frames would keep the data with which the call has filled the memory.
            traceback.clear_frames(error.__traceback__)
            error.__traceback__ = error.__context__ = None
            free_memory()
        raise fault from error


_TABLE_ERRORS: Final = (UserError, JournalError, sqlite3.Error)
_TABLE_MODULES: Final = {"firmware_host", "engine", *sys.stdlib_module_names}


def _is_from_table(error: BaseException) -> bool:
    """Return whether the table's own code has raised one of its errors, without a call of a game in between.

    A game can raise such errors, too, for example if it has its own database. `Stopped` comes from a signal, in any
    code.
    """
    if not isinstance(error, (Stopped, *_TABLE_ERRORS)):
        return False
    modules = [str(frame.f_globals.get("__name__")) for frame, _ in traceback.walk_tb(error.__traceback__)]
    # If a game raises one of these errors itself, it must not be mistaken for the table.
    own = [module.partition(".")[0] in _TABLE_MODULES for module in modules]
    return own[-1] if isinstance(error, Stopped) else all(own)


# --- what the contract says of results --------------------------------------------------------------------------


def _require(good: object) -> None:
    if not good:
        raise BadResult


def _instance(value: Any, *kinds: type) -> Any:
    _require(isinstance(value, kinds))
    return value


def _text(value: Any, most: int, *kinds: type) -> Any:
    """Check a text of at most `most` characters, or a value of one of `kinds`."""
    _require(isinstance(value, (str, *kinds)))
    return sizes.check_text(value, most) if isinstance(value, str) else value


def _as_dict(value: Any, most: int) -> dict[Any, Any]:
    """Return a mapping as a dict.

    Later reads of the game's own mapping would run code of the game without a time limit.
    """
    return dict(sizes.at_most(_instance(value, Mapping).items(), most))


def _sized(value: Any, *kinds: type, most: int = sizes.LARGEST_FACTS) -> Any:
    """Check that data is small enough for a screen."""
    sizes.json_size(_instance(value, *kinds), most)
    return _as_dict(value, sizes.LARGEST_FACTS) if isinstance(value, Mapping) else value


def _json(value: Any, *kinds: type) -> Any:
    """Check data that a page sends unchanged."""
    value = _sized(value, *kinds)
    sizes.check_json_data(value)
    return value


def _typed(value: Any, kind: Any) -> Any:
    """Check the types of an object's members. The game created it, so no decoder has checked them yet."""
    written = msgspec.json.encode(value, enc_hook=sizes.of_text)
    msgspec.json.decode(written, type=kind, dec_hook=lambda kind, value: kind(_instance(value, str)))
    return value


def _details(value: Any) -> Any:
    details = _sized(value, Mapping, most=sizes.LARGEST_DETAILS)
    if "yours" in details:  # a mapping from seats to sentences
        details["yours"] = _as_dict(details["yours"], sizes.MOST_SEATS)
        _require(all(type(seat) is str and type(it) in (str, Text) for seat, it in details["yours"].items()))
    return details


def _struct(value: Any, kind: Any) -> Any:
    # A subclass could contain code of the game, which would run later, outside of guarded calls. This applies to seats
    # and other values, too.
    _require(type(value) in (get_args(kind) or (kind,)))
    return _typed(_sized(value, kind), kind)


def _overlay(value: Any) -> Overlay:
    """Return an overlay with plain values only: it is drawn later, when no time limit stops code of the game."""
    sizes.json_size(_instance(value, Overlay))
    plain = msgspec.json.decode(msgspec.json.encode(value, enc_hook=sizes.of_text), type=Overlay)
    _require(0 <= plain.depth <= sizes.LARGEST_NUMBER)
    return plain


def _all(value: Any, kind: type, into: Callable[[Any], Any], most: int) -> Any:
    """Check that all values are of one kind, and return them in the type that the contract names (`into`)."""
    # A string is iterable as well, and would pass as a list of its letters.
    _require(not isinstance(value, str))
    values = sizes.at_most(value, most)
    # A list of many acts contains few types.
    _require(all(issubclass(value_type, kind) for value_type in {*map(type, values)}))
    if kind is str:
        for text in values:
            sizes.check_text(text, sizes.LONGEST_SENTENCE)
    # A generator is used up by the check, and the caller needs the type that the contract names.
    return value if type(value) is into else into(values)


def _pairs(value: Any, one: type, other: type) -> Any:
    pairs = sizes.at_most(value, sizes.MOST_LINES)
    _require(all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs))
    _require(all(isinstance(first, one) and isinstance(second, other) for first, second in pairs))
    return _json(pairs, list)


def _fortunes(value: Any) -> Any:
    return _typed(_all(value, Fortune, list, sizes.MOST_LINES), list[Fortune])


def _telling(value: Any) -> Any:
    telling = tuple(sizes.at_most(value, sizes.MOST_TOLD))
    for told in telling:
        if not (type(told) is Told and isinstance(told.event, Event) and type(told.audience) is Audience):
            raise BadResult(found=told, wanted="an event with its audience: Told(event, only(seat))")
        seats = told.audience.seats
        _require(seats is None or (type(seats) is tuple and all(isinstance(seat, str) for seat in seats)))
        sizes.at_most(seats or (), sizes.MOST_SEATS)
    sizes.json_size([told.event for told in telling])
    return telling


def _glossary(value: Any) -> Any:
    return _typed(_json(value, Mapping), dict[str, dict[str, dict[str, Any]]])


SEAT_NAME: Final = re.compile(r"[a-z0-9][\w-]*", re.ASCII | re.IGNORECASE)
"""The name of a seat is part of an address and of a cookie."""
RESERVED: Final = frozenset({
    TABLE, REFEREE, "board", "house", "admin", "aids", "away", "campaign", "club", "docs", "games", "health", "kiosk",
    "learn", "legend", "network", "puzzles", "rules", "trust", "workshop",
})  # fmt: skip
"""No seat may have these names: other viewers, the admin's cookie, and pages."""


def _seats(value: Any) -> Any:
    seats = tuple(sizes.at_most(value, sizes.MOST_SEATS))
    # A game without seats could never be played.
    _require(seats and all(type(seat) is Seat and type(seat.parts) is tuple for seat in seats))
    for seat in seats:
        for name in (seat.name, *sizes.at_most(seat.parts, sizes.MOST_SEATS)):
            sizes.check_text(name, sizes.LONGEST_NAME)
        sizes.check_text(seat.title, sizes.LONGEST_LABEL)
    names = {seat.name for seat in seats}
    if len(names) < len(seats):
        raise ValueError("two seats have the same name")
    for name in names:
        if name in RESERVED or not SEAT_NAME.fullmatch(name):
            raise ValueError(
                f"the seat {name!r} has the name of a page, or other characters than letters, digits, _, -"
            )
    return _typed(seats, tuple[Seat, ...])


MAP_NAME: Final = re.compile(r"\w[\w .-]*")
"""The name of a board is part of a path in the state folder."""


def _map(value: Any) -> Any:
    # Check the size first: many outlines can be one large tuple, which would be written once for each space.
    return _sized(value, Map, most=sizes.LARGEST_MAP)


def _map_names(value: Any) -> Any:
    names = _all(value, str, tuple, sizes.MOST_BOARDS)
    for name in names:
        if type(name) is not str or not MAP_NAME.fullmatch(name):
            raise ValueError(f"the board {name!r} has other characters than letters, digits, spaces, _, -, .")
    return names


def _pictures(value: Any) -> Any:
    pictures = _as_dict(value, sizes.MOST_SEATS + 2)
    for name in pictures:
        sizes.check_text(name, sizes.LONGEST_NAME)
    _require({TABLE, REFEREE} <= pictures.keys())
    return pictures


def _standing(value: Any) -> Any:
    standing = _as_dict(value, sizes.MOST_MINIATURES)
    for name, space in standing.items():
        sizes.check_text(name, sizes.LONGEST_NAME)
        sizes.check_text("" if space is None else space, sizes.LONGEST_NAME)
    return standing


def _placements(value: Any) -> Any:
    placements = _all(value, Placement, list, sizes.MOST_ACTS)
    _require({*map(type, placements)} <= {Placement})
    # A long list contains few types.
    for field, kinds in _OF_PLACEMENTS:
        _require({*map(type, map(field, placements))} <= kinds)
    _require(all(issubclass(kind, Command) for kind in {type(placement.command) for placement in placements}))
    return placements


_OF_PLACEMENTS: Final = (
    (attrgetter("unit"), {str, Text}),
    (attrgetter("to"), {str, Text}),
    (attrgetter("start"), {str, Text, type(None)}),
)
"""The fields of a placement that contain names, with their types."""


def _routes(value: Any) -> Any:
    for turn in _sized(value, list, tuple):
        for space in _instance(turn, list, tuple):
            sizes.check_text(space, sizes.LONGEST_NAME)
    return value


def _cues(value: Any) -> Any:
    cues = sizes.at_most(value, sizes.MOST_PLACES)
    # The lamps go through all spaces of all cues for each frame, outside of guarded calls.
    _require(sum(len(cue.spaces) for cue in cues) <= sizes.MOST_PLACES)
    for cue in cues:
        _require(isinstance(cue, Cue) and type(cue.spaces) is tuple)
        for name in (cue.name, "" if cue.colour is None else cue.colour, *cue.spaces):
            sizes.check_text(name, sizes.LONGEST_NAME)
    # The lamps look these names up later; objects of a subclass may be impossible to hash.
    return [Cue(cue.name, cue.spaces, cue.colour) for cue in cues]


def _teams(value: Any) -> dict[str, tuple[str, ...]]:
    sides = _as_dict(value, sizes.MOST_SEATS)
    return {_text(side, sizes.LONGEST_NAME): _all(of, str, tuple, sizes.MOST_SEATS) for side, of in sides.items()}


_SENTENCE, _LABEL, _NAME = ((_text, most) for most in (sizes.LONGEST_SENTENCE, sizes.LONGEST_LABEL, sizes.LONGEST_NAME))
_YES, _FACTS = (_instance, bool), (_sized, Mapping)
_NAMES = (_all, str, tuple, sizes.MOST_PLACES)
RESULTS: Final[Mapping[str, tuple[Any, ...]]] = {
    "options": (_struct, OptionForm),
    "seats": (_seats,),
    "blank": (_pictures,),
    "position": (_pictures,),
    "setup": (_telling,),
    "decide": (_telling,),
    "decide_for": (_telling,),
    "to_act": _NAMES,
    "legal": (_all, Command, list, sizes.MOST_ACTS),
    "part": (_text, sizes.LONGEST_NAME, type(None)),
    "check": (_sized, Command),
    "luck": (_sized, list),
    "read_luck": (_sized, list),
    "read_command": (_sized, Command),
    "read_event": (_instance, Event),
    "state": _FACTS,
    "view": _FACTS,
    "sentence": _SENTENCE,
    "outcome": (_text, sizes.LONGEST_SENTENCE, type(None)),
    "cues": (_cues,),
    "uncovered": (_cues,),
    "marks": (_cues,),
    "standing": (_standing,),
    "stood": (_standing,),
    "optional": (_all, str, frozenset, sizes.MOST_PLACES),
    "colour": _NAME,
    "squad": _NAME,
    "called": _NAME,
    "owner": _NAME,
    "alike": _YES,
    "placements": (_placements,),
    "opening": _YES,
    "begins": _YES,
    "markers": (_all, str, tuple, sizes.MOST_MINIATURES),
    "retractable": _YES,
    "is_note": _YES,
    "is_highlight": _YES,
    "glossary": (_glossary,),
    "details": (_details,),
    "caption": _LABEL,
    "summary": (_pairs, str, str),
    "open_cards": (_pairs, str, str),
    "foresight": _FACTS,
    "progress": (_struct, Progress),
    "ending": (_struct, Ending | None),
    "score": (_json, int, type(None)),
    "figures": (_pairs, str, int),
    "fortunes": (_fortunes,),
    "route": (_routes,),
    "cost": (_typed, Cost | None),
    "puzzle": (_struct, Posed),
    "map_names": (_map_names,),
    "make_map": (_map,),
    "map_options": (_json, Mapping),
    "map_art": (_overlay,),
    "map_faults": (_all, str, list, sizes.MOST_LINES),
    "map_facts": _FACTS,
    "lamp_board": _NAME,
    "teams": (_teams,),
    "twins": (_sized, Mapping, type(None)),
}
"""The checks of results, by method of the contract or of a capability: a function and its further arguments.

Other methods may return anything.
"""
REFUSALS: Final[Mapping[str, tuple[type[Exception], ...]]] = {
    **dict.fromkeys(("read_options", "blank", "setup", "position", "check", "decide", "decide_for"), (RuleError,)),
    **dict.fromkeys(("read_luck", "read_command", "odds"), (RuleError,)),
    "read_event": (RuleError, ValidationError),
    "make_map": (RuleError, MapError),
}
"""The errors with which a method may refuse, by method. Any other method may not refuse."""
CONTRACT: Final = frozenset(name for name, value in vars(Game).items() if callable(value) and name[0] != "_")
"""The methods of every game."""


def check_result(name: str, result: Any) -> Any:
    """Return the result of the method `name` as the type that the contract names. Raises an error of any type if the
    contract doesn't allow it.
    """
    check, *about = RESULTS.get(name, (_instance, object))
    return check(result, *about)


def _check_refusal(error: RuleError) -> None:
    """Raise an error, of any type, if a refusal cannot be sent to a screen."""
    sizes.check_text(error.sentence, sizes.LONGEST_SENTENCE)
    sizes.check_text(error.code, sizes.LONGEST_NAME)
    sizes.check_text("" if error.rule is None else error.rule, sizes.LONGEST_NAME)


# --- the guard --------------------------------------------------------------------------------------------------


class GuardedGame:
    """A guarded game. It has all public attributes of the game itself, which `unguarded` returns."""

    def __init__(self, game: Game) -> None:
        self.unguarded = game
        self.name = game.name
        # Set real attributes, so that `isinstance` with a protocol finds them.
        for name in dir(game):
            if name[0] != "_" and name != "name":
                value = getattr(game, name)
                # A method can also be a class, as in `options = OptionForm`. All other classes are the game's own
                # types.
                method = callable(value) and (name in RESULTS or not isinstance(value, type))
                vars(self)[name] = _guard(self, name, value) if method else value
        if hasattr(game, "squad"):  # the former name of `colour` in the contract
            vars(self).setdefault("colour", vars(self)["squad"])
        if hasattr(self, "show"):
            vars(self)["show"] = _plain_show(self.show)

    def __repr__(self) -> str:
        return f"the guarded game {self.name}"


def _plain_show(show: Any) -> Show:
    """Return a show whose mappings are dicts. The lamps read it many times a second, outside of guarded calls."""
    if not isinstance(show, Show):
        raise BadResult("show")
    lights, palettes, sounds = (_as_dict(each, sizes.MOST_PLACES) for each in (show.lights, show.palettes, show.sounds))
    palettes = {name: _as_dict(palette, sizes.MOST_PLACES) for name, palette in palettes.items()}
    _require(all(type(name) is str for names in (lights, palettes, sounds, *palettes.values()) for name in names))
    _require(all(type(colour) is tuple for palette in palettes.values() for colour in palette.values()))
    return Show(lights, palettes, sounds)


def _guard(game: GuardedGame, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    # Other methods may not refuse. Only the fault of a nested guarded call is passed on.
    refusals = REFUSALS.get(name, (GameFault,))

    def work(*args: Any) -> Any:
        try:
            result = method(*args)
        except RuleError as error:
            _check_refusal(error)
            raise
        except MapError as error:
            # The faults of a map reach screens too, so they are limited like a result.
            sizes.check_text("".join([error.where, *error.faults]), sizes.LONGEST_FAULTS)
            raise
        except _TABLE_ERRORS as error:  # only the table's own code may raise these
            raise BadResult from error
        try:
            return check_result(name, result)
        except RuleError as error:  # `decide` may be a generator, which refuses only when it is iterated
            _check_refusal(error)
            raise
        except Exception as error:
            raise BadResult(name) from error

    def guarded_method(*args: Any) -> Any:
        return _called(game.name, LIMIT, refusals, work, *args)

    return guarded_method


def guarded(game: Game) -> Game:
    """Return the game as the table uses it, the same object each time. Raises `GameFault` if it is not a game."""
    if isinstance(game, GuardedGame):
        return cast(Game, game)
    return _guarded(cast(Hashable, game))


@lru_cache(maxsize=64)
def _guarded(game: Any) -> Game:
    return cast(Game, checked(str(getattr(game, "name", "?"))[:60], GuardedGame, game))


def unguarded(game: Game) -> Game:
    """Return the game itself, for bots: they call it often, and calls of bots are guarded anyway."""
    return game.unguarded if isinstance(game, GuardedGame) else game
