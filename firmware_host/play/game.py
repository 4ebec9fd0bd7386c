"""One game being played: the referee and its journal, which always agree.

An act is decided, folded and shown for every viewer, written and synced, and only then published. So a power cut can
only undo acts that no one has heard of, and the game can continue from every act that is written. The random results of
an act are fixed from the start of the game (`records/promise.py`). They depend on the number of the act among those
that were not taken back (`records/course.py`), so neither a step back nor a restart changes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct

from engine.chance import Chance
from engine.events import EVERYONE, Told
from engine.game import REFEREE, TABLE, BadResult, BoardGame, Command, Cues, Game
from engine.graph import Map
from engine.naming import tag_of
from engine.referee import Referee
from engine.seats import board_seat, seat_for_board_command, seats_with_wand
from engine.text import Text
from firmware_host.core import installed
from firmware_host.core.capabilities import capabilities, is_note, shown_on
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import GameFault, checked, guarded, isolated
from firmware_host.core.time_limit import LIMIT
from firmware_host.play.pictures import forget, keep_logs
from firmware_host.records import promise
from firmware_host.records.chain import ChainEntry, read_telling, written
from firmware_host.records.course import Course, read_course
from firmware_host.records.journal import NOTHING, Journal, SavedAct, SavedGame
from firmware_host.records.promise import SealedChance

T = TypeVar("T")

MOST_NOTES, MOST_STEPS_BACK = 1000, 500
"""Maximum numbers of notes and of steps back for each seat of a game.

Only these two could be repeated without an end. Each is stored, and with thousands of them, a game would be too large
to be shown (`LARGEST_GAME`).
"""
NOTES_MADE = Text("A seat can make {most} marks in a game, and yours has made all of them.", most=MOST_NOTES)
STEPS_MADE = Text("A seat can take back {most} moves in a game, and yours has done so.", most=MOST_STEPS_BACK)
END_TURN = "end-turn"
"""The tag of the command that ends a turn; a button may give it."""


class TakeBack(Command, tag="take-back", frozen=True):
    """A command of every game: undo the last move, which revealed nothing."""


TAKE_BACK = TakeBack()


class Retraction(Struct, frozen=True):
    """The last act, with its `seat`, which may take it back on its screen.

    `at_board`: also at the board, by a button, or by putting a miniature back; `way` has the miniature, its space, and
    the space to which it would return.
    """

    seat: str
    command: Command
    at_board: bool = False
    way: tuple[str, str, str] | None = None


class TableGame:
    """A running or finished game. `board` is None for a game without a map."""

    def __init__(self, game: Game, board: Map | None, options: Any, journal: Journal, chance: Chance) -> None:
        self.game = game = guarded(game)
        self.board = board
        self.was_put_away = False
        self.options = options
        offered = capabilities(game)
        self.shown_on = shown_on(game, board, options)
        """The name of the map whose lamps can show the game, if any: its own, else its lamp board."""
        self.cues: Cues | None = None if self.shown_on is None else offered.cues
        """The game, if the lamps can show it."""
        self.on_board: BoardGame | None = None if board is None else offered.on_board
        """The game, if it is played with miniatures on the board."""
        self._journal = journal
        self._chance = SealedChance(chance, None)
        self.number = 0
        self._start: tuple[Told, ...] = ()
        self.course = Course()
        self._steps_back, self._notes = Counter[str](), Counter[str]()
        """How many acts each seat has taken back, and how many notes it has made."""
        self._doubtful = False
        """Whether a fault may have changed pictures in place."""
        self._answers = dict[str, tuple[tuple[Any, ...], Any]]()
        """For each method of the game: the arguments of the last call, and the result."""
        self._miniatures: frozenset[str] | None = None
        """The names of the miniatures, as in the first picture that is shown."""
        self.rehearse: Callable[[TableGame], object] = lambda play: None
        """Called before an act is written, to create everything that is shown of the current game.

        It may raise any error.
        """
        # Encode the game now, so that it does not fail at the first commit.
        _json(options)
        self.seats = game.seats(options)
        self.referee = Referee(game, game.blank(board, options))
        if not {seat.name for seat in self.seats} <= self.referee.pictures.keys():
            raise BadResult("blank")

    @classmethod
    def begin(
        cls,
        game: Game,
        board: Map | None,
        options: Any,
        journal: Journal,
        chance: Chance,
        values: Mapping[str, Any] = NOTHING,
        rehearse: Callable[[TableGame], object] = lambda play: None,
    ) -> TableGame:
        """Return a new game, set up and written together with `values`. For `rehearse`, see `__init__`. Raises
        `GameFault`, and then nothing is written.
        """
        # From here on, all code that calls the game is guarded.
        play = isolated(game.name, cls, game, board, options, journal, chance)
        raw = checked(game.name, msgspec.to_builtins, options)
        slug, source = ("", "") if board is None else (board.slug, board.source)
        # The promise comes before the set-up, because it covers the chance of the set-up, too.
        opening = promise.new_opening(chance, game.name, slug, source, raw)
        play._chance, play.rehearse = SealedChance(chance, opening), rehearse
        play._start = isolated(game.name, lambda: tuple(play.game.setup(board, options, play._chance.of_act(0))))
        telling = checked(game.name, play._set_up, raw)
        sealed = msgspec.to_builtins(opening)
        play.number = journal.begin(game.name, slug, source, raw, telling, sealed, values)
        play._chance.seal(journal.last(play.number).hash)
        return play

    def _set_up(self, raw: Any) -> list[Any]:
        """Send the events of the set-up to the viewers, and return them for the journal.

        `raw` has the options as they are in the journal.
        """
        telling = self._for_journal(self._start)
        # After a restart, the options are read from the journal, so check that they can be read back.
        if _json(self.game.read_options(_decoded(raw))) != _json(self.options):
            raise BadResult
        self.referee.tell(self._start)
        self._show()
        return telling

    def _for_journal(self, telling: tuple[Told, ...]) -> list[Any]:
        """Return the events for the journal, after checking that they can be read back."""
        raw = written(telling)
        # If an event changed when it is read back, the game would be another one after a restart.
        if _json(written(read_telling(self.game, _decoded(raw)))) != _json(raw):
            raise BadResult
        return raw

    def _show(self) -> None:
        """Create everything that is shown of the current game. May raise any error."""
        seats = {seat.name for seat in self.seats}
        # A seat that does not exist could never act, and the game would hang.
        if not seats.issuperset(self.referee.to_act):
            raise BadResult
        # Piece tracking follows the same miniatures through the whole game.
        names = frozenset(self.standing)
        if names != (self._miniatures or names):
            raise BadResult("standing")
        self._miniatures = names
        self.rehearse(self)

    @classmethod
    def resume(
        cls,
        saved: SavedGame,
        board: Map | None,
        journal: Journal,
        chance: Chance,
        entries: Sequence[ChainEntry] | None = None,
    ) -> TableGame:
        """Return the game as it was, from its `entries` in the journal; None reads them.

        The random results are taken from the entries.
        """
        game = installed.find(saved.game)
        play = cls(game, board, game.read_options(saved.options), journal, chance)
        play.number = saved.id
        entries = journal.entries(saved.id) if entries is None else entries
        play._chance = SealedChance(chance, promise.read_opening(entries[0].command))
        # The newest public seal, not the newest hash: secret acts may have followed it.
        play._chance.seal([entry.hash for entry in promise.sealed_entries(entries)][-1])
        play._start = read_telling(game, entries[0].telling)
        play._steps_back.update(entry.seat for entry in entries if entry.kind == "taken-back")
        play.course = read_course(game, entries)
        play._notes.update(act.seat for act in play.course.acts if act.note)
        play.referee, play.course = play._folded_again()
        return play

    @property
    def moment(self) -> tuple[Referee, int, int]:
        """A value that differs after each act and after each step back."""
        return self.referee, len(self.course.acts), len(self.referee.told[REFEREE])

    @property
    def over(self) -> bool:
        """Whether the game is over: no seat has to act."""
        return not self.referee.to_act

    @property
    def public(self) -> Any:
        """The public picture."""
        return self.referee.pictures[TABLE]

    @property
    def to_act(self) -> tuple[str, ...]:
        """The seats that are to act, as far as everyone knows."""
        return self._asked_once("to_act", self.game.to_act, self.public)

    @property
    def standing(self) -> Mapping[str, str | None]:
        """Miniature -> its space in the game."""
        return {} if self.on_board is None else self._asked_once("standing", self.on_board.standing, self.public)

    def _asked_once(self, name: str, ask: Callable[..., T], *about: Any) -> T:
        """Return the result of a method of the game for these objects, and keep it for the next call.

        The objects never change. The loop needs the result on each tick; one from before an act was written cannot fail
        later.
        """
        known = self._answers.get(name)
        if known is None or any(before is not now for before, now in zip(known[0], about, strict=True)):
            self._answers[name] = known = about, ask(*about)
        return cast(T, known[1])

    @property
    def at_board(self) -> str | None:
        """The seat that acts on the board, if any; see `engine.seats`."""
        return None if self.on_board is None else board_seat(self.seats, self.referee.to_act)

    @property
    def acting_on_board(self) -> frozenset[str]:
        """The seats that are to act with miniatures, as far as everyone knows."""
        on_board = [] if self.on_board is None else [seat.name for seat in self.seats if seat.on_board]
        return frozenset(on_board).intersection(self.to_act)

    def seat_for_command(self, command: Command) -> str | None:
        """Return the seat that gives a command made on the board; see `engine.seats`."""
        if self.on_board is None:
            return None
        return seat_for_board_command(self.seats, self.referee.to_act, self.referee.legal, command)

    @property
    def sealed(self) -> dict[str, str | None] | None:
        """The commitment of this game and the latest seal; see `SealedChance.facts`."""
        return self._chance.facts(self.over)

    def act(self, seat: str, command: Command, request: str | None = None) -> tuple[Told, ...]:
        """Decide an act, write it (with a screen's `request`), send its events to the viewers, and return them.

        Raises `Refused`, also as a `GameFault`, and `UserError` if the seat has made all of its notes.
        """
        telling = self.consider(seat, command)
        if self._notes[seat] >= MOST_NOTES and checked(self.game.name, is_note, self.game, telling):
            raise UserError("not-now", NOTES_MADE)
        self.commit(seat, command, telling, request)
        return telling

    def consider(self, seat: str, command: Command) -> tuple[Told, ...]:
        """Return the events of an act, without telling or writing anything. Raises `Refused`."""
        self._repair()
        with self._restored_after(GameFault):
            chance = self._chance.of_act(self.course.free_number)
            return isolated(self.game.name, self.referee.consider, seat, command, chance)

    def commit(self, seat: str, command: Command, telling: tuple[Told, ...], request: str | None = None) -> None:
        """Send and write the events that `consider` has returned; nothing else may happen in between.

        Raises `GameFault` and `CannotWrite`, and then nothing has changed.
        """
        with self._restored_after(Exception):
            saved = checked(self.game.name, self._tell_act, seat, command, telling)
            link = self._journal.write(self.number, msgspec.structs.replace(saved, request=request))
        self._notes[seat] += self.course.acts[-1].note
        self._seal_after(telling, link)

    def _tell_act(self, seat: str, command: Command, telling: tuple[Told, ...]) -> SavedAct:
        """Send the events of an act to the viewers, and return the act for the journal."""
        raw = msgspec.to_builtins(command)
        saved = SavedAct(seat, raw, self._for_journal(telling))
        # Check that the command can be read back: without it, the game could not be resumed.
        if _json(self.game.read_command(seat, _decoded(raw))) != _json(raw):
            raise BadResult
        self.course = self.course.after(self.referee, seat, command, telling)
        self._show()
        return saved

    def _seal_after(self, telling: Iterable[Told], link: str) -> None:
        """Seal the game up to the hash of an act with these events, or of the step back from such an act."""
        # The seal is public. If it changed after a secret act, everyone would notice that act.
        if any(told.audience == EVERYONE for told in telling):
            self._chance.seal(link)

    # --- undoing what has failed -----------------------------------------------------------------

    @contextmanager
    def _restored_after(self, kind: type[Exception]) -> Iterator[None]:
        """Restore the game if the `with` block raises an error of this kind. The error is passed on."""
        referee, mark, course = self.referee, self.referee.mark(), self.course
        try:
            yield
        except kind:
            self.referee, self.course = referee, course
            referee.rewind(mark)
            self.refold()
            raise

    def refold(self) -> None:
        """Build the pictures again from the events, now or before the next act.

        A game or bot that failed may have changed them in place.
        """
        self._doubtful = True
        self.is_sound()

    def is_sound(self) -> bool:
        """Return whether the pictures are correct, after repairing them if possible."""
        with suppress(GameFault):
            self._repair(LIMIT / 2)
        return not self._doubtful

    def _repair(self, limit: float = LIMIT) -> None:
        """Fold the pictures again if they may be wrong. Raises `GameFault` if the game fails at that. The table waits
        meanwhile: with the failed call, this takes less time than systemd waits (WatchdogSec).
        """
        if not self._doubtful:
            return
        pictures, course = self.referee.pictures, self.course
        forget(self.referee)
        try:
            folded, self.course = checked(self.game.name, self._folded_again, limit=limit)
            self.referee.pictures = folded.pictures
            checked(self.game.name, self._show)
        except GameFault:
            self.referee.pictures, self.course = pictures, course
            raise
        self._doubtful = False

    def check(self) -> None:
        """Check that everything that is shown of the current game can be created. Raises `GameFault`."""
        checked(self.game.name, self._show)

    def retraction(self) -> Retraction | None:
        """Return the act that may be taken back, if any (see `Course.retractable`)."""
        found = self._asked_once("retraction", self._find_retraction, self.course)
        return None if found is None or self._steps_back[found.seat] >= MOST_STEPS_BACK else found

    def _find_retraction(self, course: Course) -> Retraction | None:
        last = course.retractable(self.referee, self.seats)
        if last is None:
            return None
        # Don't offer it at the board: everyone sees the board, so the offer would show when a secret seat has acted.
        if self.on_board is None or last.seat not in seats_with_wand(self.seats):
            return Retraction(last.seat, last.command)
        stood = self.on_board.standing(course.marks[-1][1].pictures[TABLE])
        return Retraction(last.seat, last.command, True, self._way_back(stood))

    def _way_back(self, stood: Mapping[str, str | None]) -> tuple[str, str, str] | None:
        """Return the first miniature that has moved since it `stood` elsewhere, its space, and the space before."""
        for miniature, space in self.standing.items():
            home = stood.get(miniature)
            if space is not None and home is not None and home != space:
                return miniature, space, home
        return None

    def take_back(self, seat: str, request: str | None = None) -> None:
        """Undo the last act of `seat`. Raises `UserError` if it revealed something."""
        if self._steps_back[seat] >= MOST_STEPS_BACK:
            raise UserError("not-now", STEPS_MADE)
        if (offered := self.retraction()) is None or offered.seat != seat:
            raise UserError("not-now", Text("There is no move to take back. The last one has revealed something."))
        self._repair()
        with self._restored_after(Exception):
            telling = self.course.acts[self.course.marks[-1][0]].telling
            entry = checked(self.game.name, self._step_back)
            link = self._journal.take_back(self.number, seat, request, entry)
        self._steps_back[seat] += 1
        self._seal_after(telling, link)

    def _step_back(self) -> int | None:
        """Remove the last act that is not a note.

        Return the index that the journal has to store for it, if it needs one.
        """
        before = self.referee
        self.course, self.referee, entry = self.course.taken_back(before)
        keep_logs(before, self.referee)
        self._show()
        return entry

    def end_of_turn(self, seat: str) -> Command | None:
        """Return the command that ends the turn of `seat`, if it is legal now."""
        legal = self.referee.legal(seat)
        return next((command for command in legal if tag_of(command) == END_TURN), None)

    def put_away(self, values: Mapping[str, Any] = NOTHING) -> None:
        """End the game in the journal, together with `values`. Raises `CannotWrite`, and then nothing has changed."""
        self._journal.end(self.number, values)
        self.was_put_away = True

    def _folded_again(self) -> tuple[Referee, Course]:
        """Return the game folded from its events."""
        referee = Referee(self.game, self.game.blank(self.board, self.options))
        referee.tell(self._start)
        return referee, self.course.fold_again(referee)


def _json(value: Any) -> bytes:
    return msgspec.json.encode(value)


def _decoded(raw: Any) -> Any:
    """Return a value as it will be read back from the journal."""
    return msgspec.json.decode(_json(raw))
