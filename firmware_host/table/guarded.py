"""Games behind a guard: no game can stop the table.

`guarded(game)` is the game as the table uses it. Each call of it has a time limit. It returns what the contract of
`engine.game` says, or raises a `RuleError`: the game's own where it refuses, else a `GameFault`. `isolated` does the
same for a piece of work that calls a game many times, such as folding an act into all pictures.
"""

from __future__ import annotations

import logging
import signal
import sqlite3
import threading
import traceback
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Any, Final, TypeVar, cast

from msgspec import ValidationError

from engine.cues import NO_SHOW, Show
from engine.events import Audience, Event, Told
from engine.game import REFEREE, TABLE, Command, Cue, Ending, Game, Placement, Progress
from engine.graph import Map
from engine.graph.fault import MapError
from engine.graph.overlay import Overlay
from engine.options import OptionForm
from engine.refusal import RuleError
from engine.seats import Seat
from engine.text import Text
from firmware_host.admin.logbook import MAKERS
from firmware_host.records.journal_file import JournalError
from firmware_host.table.errors import UserError
from firmware_host.table.time_limit import LIMIT, WATCH, TimeUp

T = TypeVar("T")

log = logging.getLogger("firmware_host")


class Stopped(BaseException):
    """Somebody wants this process to end while it is still starting; see `commands/run.py`."""


class GameFault(RuleError):
    """A game that has failed: by an exception, by a result that the contract does not allow, or by taking too long.

    `kind` is the type of the exception, and `place` where in the code; neither says what it was about.
    """

    code = "game-fault"

    def __init__(self, name: str, error: BaseException) -> None:
        late = isinstance(error, TimeUp)
        said = Text("The game {game} took too long, and nothing was done. Everybody can play on.")
        broken = Text("The game {game} has a fault, and nothing was done. Everybody can play on.")
        super().__init__((said if late else broken).with_(game=name))
        self.name, self.late = name, late
        self.kind, self.place = ("TimeUp" if late else type(error).__name__), _place(error)

    @property
    def reason(self) -> Text:
        """Why a game cannot be played on; public."""
        if self.late:
            return Text("it took too long")
        return Text("it has a fault ({kind})", kind=self.kind)

    def log(self) -> None:
        """Tell whoever keeps the table."""
        log.error("The game %s has failed: %s.", self.name, self.kind)
        log.error("%s in %s", self.kind, self.place, extra=MAKERS)


class BadResult(Exception):
    """A game has returned what the contract does not allow."""


def _place(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}"
    found = traceback.extract_tb(error.__traceback__)
    return f"{found[-1].filename}, line {found[-1].lineno}" if found else "?"


def isolated(
    name: str, work: Callable[..., T], *args: Any, limit: float = LIMIT, passing: tuple[type[Exception], ...] = ()
) -> T:
    """What `work` returns, which calls the game called `name`. Raises `GameFault`, and passes on refusals, errors of
    the table's own code, and those that are `passing`.
    """
    return _called(name, limit, (RuleError, MapError, *passing), work, *args)


def checked(name: str, work: Callable[..., T], *args: Any, limit: float = LIMIT) -> T:
    """The same where a refusal is a fault too."""
    return _called(name, limit, (GameFault,), work, *args)


def _called(name: str, limit: float, refusals: tuple[type[Exception], ...], work: Callable[..., T], *args: Any) -> T:
    try:
        return WATCH.run(name, limit, work, *args)
    except BaseException as error:
        outer = isinstance(error, TimeUp) and WATCH.watching
        if isinstance(error, (*refusals, *_OURS, Stopped)) or outer or _by_keyboard(error):
            raise
        raise GameFault(name, error) from error


_OURS: Final = (UserError, JournalError, sqlite3.Error)


def _by_keyboard(error: BaseException) -> bool:
    """Whether somebody has pressed Ctrl-C; a game may raise that as well, but not in the thread of a command."""
    if not isinstance(error, KeyboardInterrupt) or threading.current_thread() is not threading.main_thread():
        return False
    return signal.getsignal(signal.SIGINT) is signal.default_int_handler


# --- what the contract says of results --------------------------------------------------------------------------


def _need(good: object) -> None:
    if not good:
        raise BadResult


def _is(*kinds: type) -> Callable[[Any], Any]:
    def check(found: Any) -> Any:
        _need(isinstance(found, kinds))
        return found

    return check


def _all(kind: type, into: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Some values of one kind, as a tuple or a list."""

    def check(found: Any) -> Any:
        made = found if type(found) in (list, tuple) else into(found)
        _need(not isinstance(found, str) and all(isinstance(one, kind) for one in made))
        return made

    return check


def _pairs(one: type, other: type) -> Callable[[Any], Any]:
    def check(found: Any) -> Any:
        made = list(found)
        _need(all(isinstance(pair, tuple) and len(pair) == 2 for pair in made))
        _need(all(isinstance(first, one) and isinstance(second, other) for first, second in made))
        return made

    return check


def _telling(found: Any) -> Any:
    made = tuple(found)
    for told in made:
        _need(isinstance(told, Told) and isinstance(told.event, Event) and isinstance(told.audience, Audience))
        seats = told.audience.seats
        _need(seats is None or (isinstance(seats, tuple) and all(isinstance(seat, str) for seat in seats)))
    return made


def _seats(found: Any) -> Any:
    made = tuple(found)
    _need(made and all(isinstance(seat, Seat) and isinstance(seat.name, str) and seat.name for seat in made))
    _need(all(isinstance(seat.title, str) for seat in made))
    known = {seat.name for seat in made}
    _need(len(known) == len(made) and not known & {TABLE, REFEREE})
    return made


def _pictures(found: Any) -> Any:
    _need(isinstance(found, Mapping) and {TABLE, REFEREE} <= {*found})
    return found


def _standing(found: Any) -> Any:
    _need(isinstance(found, Mapping))
    _need(all(isinstance(name, str) and isinstance(space, str | None) for name, space in found.items()))
    return found


def _cues(found: Any) -> Any:
    made = list(found)
    for cue in made:
        _need(isinstance(cue, Cue) and isinstance(cue.name, str) and isinstance(cue.squad, str | None))
        _need(isinstance(cue.spaces, tuple) and all(isinstance(space, str) for space in cue.spaces))
    return made


_TEXT, _YES, _FACTS = _is(str), _is(bool), _is(Mapping)
_NAMES = _all(str, tuple)
RESULTS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "options": _is(OptionForm),
    "seats": _seats,
    "blank": _pictures,
    "position": _pictures,
    "setup": _telling,
    "decide": _telling,
    "to_act": _NAMES,
    "legal": _all(Command, list),
    "part": _is(str, type(None)),
    "check": _is(Command),
    "luck": _is(list),
    "read_luck": _is(list),
    "read_command": _is(Command),
    "read_event": _is(Event),
    "state": _FACTS,
    "view": _FACTS,
    "sentence": _TEXT,
    "outcome": _is(str, type(None)),
    "cues": _cues,
    "uncovered": _cues,
    "standing": _standing,
    "stood": _standing,
    "optional": _all(str, frozenset),
    "squad": _TEXT,
    "called": _TEXT,
    "owner": _TEXT,
    "alike": _YES,
    "placements": _all(Placement, list),
    "opening": _YES,
    "begins": _YES,
    "markers": _NAMES,
    "retractable": _YES,
    "is_note": _YES,
    "glossary": _FACTS,
    "details": _FACTS,
    "caption": _TEXT,
    "summary": _pairs(str, str),
    "open_cards": _pairs(str, str),
    "foresight": _FACTS,
    "progress": _is(Progress),
    "ending": _is(Ending, type(None)),
    "score": _is(int, type(None)),
    "figures": _pairs(str, int),
    "map_names": _NAMES,
    "make_map": _is(Map),
    "map_options": _FACTS,
    "map_art": _is(Overlay),
    "map_faults": _all(str, list),
    "map_facts": _FACTS,
    "lamp_board": _TEXT,
}
"""What each method of the contract and of the capabilities returns; others may return anything."""
CONTRACT: Final = frozenset(name for name, value in vars(Game).items() if callable(value) and name[0] != "_")
"""What every game has."""


# --- the guard --------------------------------------------------------------------------------------------------


class GuardedGame:
    """A game behind the guard. It has all public attributes of the game itself, which is `unguarded`."""

    def __init__(self, game: Game) -> None:
        self.unguarded = game
        self.name = game.name
        for name in dir(game):
            if name[0] != "_" and name != "name":
                value = getattr(game, name)
                vars(self)[name] = (
                    _guard(self, name, value) if callable(value) and not isinstance(value, type) else value
                )
        if not isinstance(getattr(self, "show", NO_SHOW), Show):
            raise BadResult

    def __repr__(self) -> str:
        return f"the guarded game {self.name}"


def _guard(game: GuardedGame, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    check = RESULTS.get(name)
    spoken = (RuleError, MapError, ValidationError) if name == "read_event" else (RuleError, MapError)

    def work(*args: Any) -> Any:
        found = method(*args)
        return found if check is None else check(found)

    def guarded_method(*args: Any) -> Any:
        return _called(game.name, LIMIT, spoken, work, *args)

    return guarded_method


def guarded(game: Game) -> Game:
    """The game as the table uses it, the same object for the same game. Raises `GameFault` for one that is no game."""
    if isinstance(game, GuardedGame):
        return cast(Game, game)
    return _guarded(cast(Hashable, game))


@lru_cache(maxsize=64)
def _guarded(game: Any) -> Game:
    return cast(Game, checked(str(getattr(game, "name", "?"))[:60], GuardedGame, game))


def unguarded(game: Game) -> Game:
    """The game itself: for bots, whose own calls are guarded, and which call it often."""
    return game.unguarded if isinstance(game, GuardedGame) else game
