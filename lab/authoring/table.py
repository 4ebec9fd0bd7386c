"""Plays a game at a whole table, without a web server: people on every seat, bots, a restart, and a past game."""

from __future__ import annotations

import logging
import math
import tempfile
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any, Final, NamedTuple

import msgspec

from engine.bots import Bot
from engine.chance import Chance
from engine.events import Event
from engine.game import TABLE, Command, Game
from engine.graph import Map
from engine.naming import tag_of
from engine.referee import Referee
from engine.refusal import RuleError
from engine.seats import seat_names, secret_seats
from firmware_host.board.board_io import BoardIO, open_board
from firmware_host.core import bots, maps
from firmware_host.core.capabilities import capabilities
from firmware_host.core.errors import UserError
from firmware_host.core.generic import past_facts
from firmware_host.core.guarded import GameFault, fault_in, unguarded
from firmware_host.core.settings import settle
from firmware_host.core.time_limit import LIMIT, WATCH, TimeUp
from firmware_host.records.journal import FILE, Journal
from firmware_host.seats.players import NO_TIME
from firmware_host.table.table import Table
from lab.authoring.contract import shortened
from lab.authoring.limited import class_place, error_place, failure
from lab.authoring.play import LONGEST_GAME, first_board

PIN: Final = "2468"
RESTART: Final = 20
"""After this many acts, the table is started again."""
SETTLING: Final = 1.0
"""Seconds, on the table's own clock, after which the board has processed a carried miniature."""
AT_BOARD: Final = 3
"""Number of games at the board."""
ACTS_FOLLOWED: Final = 40
"""Number of acts of a game that are followed at the board, and of those in which bots choose again."""
OTHER_GAMES: Final = (8, 9)
"""Seeds of the games after which bots choose again as in an earlier one."""
TIMEOUT: Final = 3600.0
"""Seconds, on the table's own clock, for bots to play a game."""


class TablePlay:
    """A table in a separate folder, with a simulated clock that only this class advances."""

    def __init__(self, folder: Path, game: Game) -> None:
        self.folder, self.game, self.now = folder, game, 100.0
        self._settings, self._numbers = settle({"state": str(folder)}), count()
        self.open()
        self.table.choose({"game": game.name})
        claims = self.table.seating.claims
        self.keys = {seat.name: claims.claim(seat.name, PIN, seat.name, ()) for seat in self.table.session.seats}

    def open(self) -> None:
        """Start the table with what the folder contains."""
        settings, folder, clock = self._settings, self.folder, self.clock

        def board(found: Map) -> BoardIO:
            return open_board(settings, found, folder, clock, lambda note: self.table.feed(note))

        self.table = Table(settings, Journal(folder / FILE), board, clock, Chance(Random(7)))
        self.table.board.mark_used(math.inf)
        self.table.open()

    def clock(self) -> float:
        """Return seconds."""
        return self.now

    def begin(self, *, on_screens: bool = True) -> None:
        """Start the game, played on screens only, or with all miniatures in their places."""
        self.table.start({})
        self.table.board.use_sensors(not on_screens)
        self.tick()

    def restart(self) -> None:
        """Stop the table as a power cut does, and start it again."""
        self.table.journal.close()
        self.open()
        self.tick()

    def tick(self) -> None:
        """Do what is due now."""
        self.table.tick()
        while self.table.thinking:
            self.table.tick()

    def wait(self) -> None:
        """Let the board process moved miniatures. Everything that is due in between happens at its own time."""
        end = self.now + SETTLING
        while (due := self.table.work_due()) <= end:
            self.now = max(self.now + 0.001, due)
            self.tick()
        self.now = end
        self.tick()

    def tidy(self) -> None:
        """Put every miniature on the space that it has in the game."""
        self.table.session.tidy()
        self.wait()

    def lifted(self, miniature: str, space: str) -> tuple[Any, ...]:
        """Return what everyone sees of a miniature while it is lifted from its space. Hints can be about a sensor."""
        self.table.board.touch(miniature, None)
        self.wait()
        outcome = self.table.board.io.outcome
        self.table.board.touch(miniature, space)
        self.wait()
        return outcome.held, outcome.left, outcome.reach

    def act(self, seat: str, action: dict[str, Any]) -> None:
        """Make an act on a seat's screen. Raises `UserError`."""
        self.table.submit(self.keys[seat], action, self.sees(seat)["revision"], f"{next(self._numbers):032x}")
        self.tick()

    def sees(self, viewer: str) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(self.table.followers.latest(viewer).picture.text(str))
        return found

    def all_screens(self) -> dict[str, Any]:
        parts = ("view", "legal", "log", "foresight", "generic", "public")
        return {viewer: {part: self.sees(viewer).get(part) for part in parts} for viewer in (*self.keys, TABLE)}

    def to_act(self) -> str | None:
        """Return a seat that is to act; None once the game is over."""
        play = self.table.session.play
        return None if play is None else next(iter(play.referee.to_act), None)


class _Logged(logging.Handler):
    """Keeps what the table logs as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not str(record.msg).startswith("A file of a game cannot be used"):  # other parts of the check report it
            self.said.append(record.getMessage())


def table_faults(game: Game) -> Iterator[str]:
    """Yield errors that occur when the game is played at a table: at random by people, also on the board, and by
    bots."""
    logged, log = _Logged(), logging.getLogger("firmware_host")
    log.addHandler(logged)
    try:
        for play in (_by_people, _at_the_board):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    yield from play(TablePlay(Path(folder), game))
                except (UserError, GameFault) as error:
                    yield _failed(game, error, logged)
        yield from _bots_at_a_table(game, logged)
    finally:
        log.removeHandler(logged)
    yield from (f"The log of the table says: {line}" for line in dict.fromkeys(logged.said))


def _failed(game: Game, error: Exception, logged: _Logged) -> str:
    """Return what has failed, for the author of the game. The log says less, so its lines about it are left out."""
    fault = fault_in(error)
    if fault is None or fault.__cause__ is None:
        return f"At a table: {error}"
    logged.said = [line for line in logged.said if line not in fault.lines]
    if fault.method:
        return f"At a table: what {fault.method}() returns is not valid."
    return f"At a table: {failure(game, fault.__cause__)}"


def _bots_at_a_table(game: Game, logged: _Logged) -> Iterator[str]:
    """Let bots play. What goes wrong there follows from what a bot does, if that is found."""
    before, found = len(logged.said), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        try:
            found += _by_bots(TablePlay(Path(folder), game))
        except (UserError, GameFault) as error:
            found.append(_failed(game, error, logged))
    if (cause := bot_fault(game)) is not None:
        del logged.said[before:]
        found = [cause]
    yield from found


def bot_fault(game: Game) -> str | None:
    """Let the bots of a table play without a table. Return what the first one does wrong."""
    fault, choices = _bots_play(game, seed=7)
    for seed in OTHER_GAMES if fault is None else ():
        _bots_play(game, seed, ACTS_FOLLOWED)  # what a bot finds outside of its arguments is of this game then
        if (fault := _chosen_otherwise(game, choices[:ACTS_FOLLOWED])) is not None:
            break
    return fault


class Choice(NamedTuple):
    """The events that a bot received before a choice, and the acts to choose from.

    `first` is its first picture, and `seed` the seed of its chance.
    """

    bot: str
    seat: str
    first: Any
    events: tuple[Event, ...]
    view: Any
    legal: list[Command]
    seed: str
    command: Any = None

    def again(self, bot: Bot) -> Command:
        for event in self.events:
            bot.told(event)
        return bot.choose(self.view, self.legal, Chance(Random(self.seed)))


def _bots_play(game: Game, seed: int, most: int = LONGEST_GAME) -> tuple[str | None, list[Choice]]:
    """Return what a bot does wrong in the first acts of a game, and all choices."""
    board, chance, choices = first_board(game), Chance(Random(seed)), list[Choice]()
    options = maps.options_on(game, board, None)
    referee = Referee(game, game.blank(board, options))
    first = dict(referee.pictures)
    names = {seat: bots.strongest(game, seat) for seat in seat_names(game.seats(options))}
    seated = {seat: _seated(game, name, seat, first[seat]) for seat, name in names.items()}
    heard = dict.fromkeys(names, 0)
    referee.tell(tuple(game.setup(board, options, chance)))
    for number in range(most):
        if not (waiting := referee.to_act):
            break
        seat, bot = waiting[0], seated[waiting[0]]
        who = f"The bot {names[seat]}, at the seat {seat},"
        told, heard[seat] = tuple(referee.told[seat][heard[seat] :]), len(referee.told[seat])
        view, legal = referee.pictures[seat], referee.legal(seat)
        choice = Choice(names[seat], seat, first[seat], told, view, legal, f"{seed} {number}")
        try:
            command = WATCH.run(game.name, LIMIT, choice.again, bot)
        except TimeUp as error:
            where = error_place(game.name, error)
            why = f"takes longer than {LIMIT:g} seconds for an act, or never acts. It was stopped at: {where}."
            return f"{who} {why}", choices
        except Exception as error:
            return f"{who} fails: {failure(game, error, _choose_of(bot))}", choices
        where = _choose_of(bot)
        if command not in legal:
            why = _why(referee, seat, command)
            return f"{who} returns {shortened(command)}, which legal() does not offer: {why} See {where}.", choices
        choices.append(choice._replace(command=command))
        try:
            referee.submit(seat, command, chance)
        except RuleError as error:
            return f"{who} returns {shortened(command)}, which is refused: {error} See {where}.", choices
    return None, choices


def _chosen_otherwise(game: Game, choices: Sequence[Choice]) -> str | None:
    """Return which bot chooses something else now from the same picture, events and chance."""
    seated = {it.seat: _seated(game, it.bot, it.seat, it.first) for it in choices}
    for it in choices:
        if it.again(bot := seated[it.seat]) != it.command:
            return (
                f"The bot {it.bot}, at the seat {it.seat}, chooses another act after another game, although it is told "
                f"the same. It may use only its picture, its events and `chance`. See {_choose_of(bot)}."
            )
    return None


def _seated(game: Game, name: str, seat: str, view: Any) -> Bot:
    bot = bots.bot_at_seat(name, unguarded(game), seat, view)  # as a table does
    bots.set_budget(bot, NO_TIME)
    return bot


def _choose_of(bot: Bot) -> str:
    """Return the place of a bot's `choose`; of its class, if that is no bot."""
    if not (hasattr(bot, "choose") and hasattr(bot, "told")):
        return f"class {type(bot).__name__} in {class_place(type(bot))}"
    code = bot.choose.__code__ if isinstance(bot.choose, FunctionType) else bot.choose.__func__.__code__  # type: ignore[attr-defined]
    return f"choose() in {Path(code.co_filename).name}, line {code.co_firstlineno}"


def _why(referee: Referee, seat: str, command: Any) -> str:
    """Return why a command is refused."""
    if not isinstance(command, Command):
        return "It is no command."
    try:
        referee.game.check(referee.pictures[seat], seat, command)
    except RuleError as error:
        return str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}."
    return "check() accepts it."


def _by_people(table: TablePlay) -> Iterator[str]:
    table.begin()
    random = Random(1)
    for number in range(LONGEST_GAME):
        if (seat := table.to_act()) is None:
            break
        menu = table.sees(seat)["legal"]
        if not menu:
            yield f"The screen of {seat} has no act, although {seat} is to act."
            return
        table.act(seat, random.choice(menu))
        if number == RESTART:
            before = table.all_screens()
            table.restart()
            if wrong := [viewer for viewer, seen in table.all_screens().items() if seen != before[viewer]]:
                yield f"After a restart of the table, {', '.join(wrong)} must see the same as before, and does not."
    else:
        yield f"A game at a table didn't end after {LONGEST_GAME} random acts."
    play = table.table.session.play
    if play is not None:
        # The last step, as the page of past games shows it.
        msgspec.json.encode(past_facts(table.game, play.referee.pictures, table.table.session.seats), enc_hook=str)


def _at_the_board(table: TablePlay) -> Iterator[str]:
    """Lift the miniature that moved last, before and after each secret act: the board shows everyone the same."""
    if capabilities(table.game).on_board is None:
        return
    random = Random(2)
    for _ in range(AT_BOARD):
        table.begin(on_screens=False)
        if (found := _shown_at_board(table, random)) is not None:
            yield found
            return
        if table.table.session.running:
            table.table.abandon()


def _shown_at_board(table: TablePlay, random: Random) -> str | None:
    """Return a sentence if the board shows a secret act of this random game."""
    play, moved = table.table.session.play, None
    hidden = frozenset[str]() if play is None else secret_seats(play.seats)
    if play is None or play.on_board is None or not hidden or len(play.seats) == 1:
        return None
    table.tidy()
    for _ in range(ACTS_FOLLOWED):
        menus = {seat: menu for seat in play.referee.to_act if (menu := table.sees(seat)["legal"])}
        if not menus:
            return None
        # A secret act follows each move, because after most other acts the move can't be undone.
        acting = hidden & menus.keys() if moved is not None else ()
        seat, public, before = random.choice(sorted(acting or menus)), play.public, play.standing
        shown = table.lifted(*moved) if moved is not None and acting else None
        moves = {tag_of(it.command) for it in play.on_board.placements(public)}
        act = random.choice([act for act in menus[seat] if act["type"] in moves] or menus[seat])
        table.act(seat, act)
        if shown is not None and moved is not None and play.public is public and table.lifted(*moved) != shown:
            return (
                f"The board shows that {seat} has acted in secret ({act['type']}) when {moved[0]} is lifted. Name "
                f"{seat} in to_act() on the pictures of the others, too."
            )
        places = ((it, space) for it, space in play.standing.items() if space is not None and space != before[it])
        if (moved := next(places, None)) is not None:
            table.tidy()
    return None


def _by_bots(table: TablePlay) -> Iterator[str]:
    """Let the strongest bots that answer at once play a game."""
    for seat, key in table.keys.items():
        bot = bots.strongest(table.game, seat)
        table.table.seating.hand_over(key, bot)
    table.begin()
    end = table.now + TIMEOUT
    while table.to_act() is not None and table.now < end:
        table.now = max(table.now + 0.001, min(table.table.due(), end))
        table.tick()
    if (waiting := table.to_act()) is not None:
        yield f"Bots have not finished a game at a table; {waiting} is to act."
