"""One game being played: the referee, its journal, and the way back from a last move that revealed nothing.

An act is decided, folded and shown for every viewer, written and synced, and only then published. So no one has heard
of an act that a power cut undoes, and no act is written from which the game cannot continue.

The results of chance are fixed from the start (`records/promise.py`), by the number of the act among those that stand.
Neither a step back nor a restart draws again.
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
from engine.game import REFEREE, TABLE, BoardGame, Command, Cues, Game
from engine.graph import Map
from engine.naming import tag_of
from engine.options import hampered
from engine.referee import Mark, Referee
from engine.seats import board_seat, seat_for_board_command, seats_with_wand, secret_seats
from engine.text import Text
from firmware_host.core import installed, missions
from firmware_host.core.capabilities import capabilities, is_note, shown_on
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import BadResult, GameFault, checked, guarded, isolated
from firmware_host.core.missions import Mission
from firmware_host.core.time_limit import LIMIT
from firmware_host.play.pictures import forget
from firmware_host.records import chain, promise
from firmware_host.records.chain import ChainEntry
from firmware_host.records.journal import NOTHING, Journal, SavedAct, SavedGame
from firmware_host.records.promise import Opening
from firmware_host.records.results import Result
from firmware_host.records.telling import read_telling, written

T = TypeVar("T")

LastAct = tuple[str, Command, tuple[Told, ...]]

MOST_NOTES, MOST_STEPS_BACK = 1000, 500
"""Notes that a seat can make in a game, and acts that it can take back. Nothing else can be repeated without an end.
Each is stored, and with thousands of them a game is too large to be shown (`LARGEST_GAME`).
"""
NOTES_MADE = Text("A seat can make {most} marks in a game, and yours has made all of them.", most=MOST_NOTES)
STEPS_MADE = Text("A seat can take back {most} moves in a game, and yours has done so.", most=MOST_STEPS_BACK)
END_TURN = "end-turn"
"""The tag of the command that ends a turn; a button may give it."""


class TakeBack(Command, tag="take-back", frozen=True):
    """A command of every game: undo the last move, which revealed nothing."""


TAKE_BACK = TakeBack()


class Retraction(Struct, frozen=True):
    """The last act, with its `seat`, which may take it back on its screen. `at_board`: also at the board, by a button,
    or by putting a miniature back; `way` is that miniature, its space, and the space it would return to.
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
        self.options = options
        offered = capabilities(game)
        self.shown_on = shown_on(game, board, options)
        """The name of the map whose lamps can show the game, if any: its own, else its lamp board."""
        self.cues: Cues | None = None if self.shown_on is None else offered.cues
        """The game, if the lamps can show it."""
        self.on_board: BoardGame | None = None if board is None else offered.on_board
        """The game, if it is played with miniatures on the board."""
        self._retractable = offered.retractable
        self._journal = journal
        self._chance = chance
        self.number = 0
        self._acts: list[LastAct] = []
        self._numbers, self._free = list[int](), chain.Numbers((0,))
        """The number of each act, which selects its chance, and the free numbers; the set-up has 0."""
        self._start: tuple[Told, ...] = ()
        self._marks = list[tuple[int, Mark]]()
        """The index of each act that may be taken back, one after another, and the game before it; notes have none."""
        self._notes, self._steps_back = Counter[str](), Counter[str]()
        """How many notes each seat has made, and how many acts it has taken back."""
        self._stepped_back = False
        """Whether the last entry in the journal says that an act was taken back."""
        self._opening: Opening | None = None
        self._sealed: str | None = None
        self._doubtful = False
        """Whether a fault may have changed pictures in place."""
        self._answers = dict[str, tuple[tuple[Any, ...], Any]]()
        """Method -> what it was asked about last, and its answer."""
        self._miniatures: frozenset[str] | None = None
        """The names of the miniatures, from the first picture that is shown."""
        self.rehearse: Callable[[TableGame], object] = lambda play: None
        """Makes all that is shown of the current game, before it is written. May raise anything."""
        # What cannot be written has to fail here, not at the first commit.
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
        # From here on, everything that calls the game is guarded.
        play = isolated(game.name, cls, game, board, options, journal, chance)
        raw = checked(game.name, msgspec.to_builtins, options)
        slug, source = ("", "") if board is None else (board.slug, board.source)
        # The promise comes before the set-up, because it covers the chance of the set-up, too.
        play._opening = opening = promise.new_opening(chance, game.name, slug, source, raw)
        play.rehearse = rehearse
        play._start = isolated(game.name, play._setup_events)
        telling = checked(game.name, play._set_up, raw)
        sealed = msgspec.to_builtins(opening)
        play.number = journal.begin(game.name, slug, source, raw, telling, sealed, values)
        play._seal(journal.head(play.number))
        return play

    def _setup_events(self) -> tuple[Told, ...]:
        return tuple(self.game.setup(self.board, self.options, self._chance_of(0)))

    def _set_up(self, raw: Any) -> list[Any]:
        """Tell the set-up; return it for the journal. `raw` are the options as the journal has them."""
        telling = self._for_journal(self._start)
        # After a restart the options come from the journal, so they have to survive that.
        if _json(self.game.read_options(_decoded(raw))) != _json(self.options):
            raise BadResult
        self.referee.tell(self._start)
        self._show()
        return telling

    def _for_journal(self, telling: tuple[Told, ...]) -> list[Any]:
        """Return the events for the journal, after checking that they can be read back."""
        raw = written(telling)
        # An event that reads back differently would give another game after a restart.
        if _json(written(read_telling(self.game, _decoded(raw)))) != _json(raw):
            raise BadResult
        return raw

    def _show(self) -> None:
        """Make all that is shown of the current game. May raise anything."""
        seats = {seat.name for seat in self.seats}
        # A seat that does not exist could never act, and the game would hang.
        if not seats.issuperset(self.referee.to_act):
            raise BadResult
        # Piece tracking follows the same miniatures through the whole game.
        names = frozenset(self.standing)
        if names != (self._miniatures or names):
            raise BadResult("standing")
        self._miniatures = names
        if self.over:
            # Asked only so that a fault shows before the last act is written.
            self.results([(seat, "") for seat in seats])
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
        """Return the game as it was, from its `entries` in the journal, which are read if they are None. No chance is
        drawn: its results are written.
        """
        game = installed.find(saved.game)
        play = cls(game, board, game.read_options(saved.options), journal, chance)
        play.number = saved.id
        entries = journal.entries(saved.id) if entries is None else entries
        first, *acts = chain.acts_in_effect(entries)
        play._opening = promise.read_opening(first.entry.command)
        # The newest public seal, not the newest hash: secret acts may have followed it.
        play._seal([entry.hash for entry in promise.sealed_entries(entries)][-1])
        play._start = read_telling(game, first.entry.telling)
        for act in (standing.entry for standing in acts):
            play._acts.append((act.seat, game.read_command(act.seat, act.command), read_telling(game, act.telling)))
            play._notes[act.seat] += is_note(play.game, play._acts[-1][2])
        play._steps_back.update(entry.seat for entry in entries if entry.kind == "taken-back")
        play._numbers = [act.number for act in acts]
        play._free = chain.Numbers((0, *play._numbers))
        play._stepped_back = entries[-1].kind == "taken-back"
        play.referee, play._marks = play._fold_again()
        return play

    @property
    def moment(self) -> tuple[Referee, int, int]:
        """A value that differs after each act and after each step back."""
        return self.referee, len(self._acts), len(self.referee.told[REFEREE])

    @property
    def over(self) -> bool:
        """Whether no seat has to act any more."""
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
        """Return what the game says about these objects, which never change. The loop needs it on each tick, and what
        was asked for the act cannot fail later.
        """
        known = self._answers.get(name)
        if known is None or any(before is not now for before, now in zip(known[0], about, strict=True)):
            self._answers[name] = known = about, ask(*about)
        return cast(T, known[1])

    @property
    def at_board(self) -> str | None:
        """The seat that acts on the board, if any; see `engine.seats`."""
        return None if self.on_board is None else board_seat(self.seats, self.referee.to_act)

    def mover(self, command: Command) -> str | None:
        """Return the seat that gives a command made on the board; see `engine.seats`."""
        if self.on_board is None:
            return None
        return seat_for_board_command(self.seats, self.referee.to_act, self.referee.legal, command)

    @property
    def sealed(self) -> dict[str, str | None] | None:
        """What is promised of this game and sealed so far, and once it is over what opens both; public. None for a
        game of a version without sealed chance.
        """
        if (opening := self._opening) is None:
            return None
        seed, nonce = (opening.seed, opening.nonce) if self.over else (None, None)
        return {"promise": opening.promise, "seal": self._sealed, "seed": seed, "nonce": nonce}

    def act(self, seat: str, command: Command, request: str | None = None) -> tuple[Told, ...]:
        """A seat acts: decided, written (with a screen's `request`), told. Raises `Refused`, also as a `GameFault`, and
        `UserError` if the seat has made all of its notes.
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
            chance = self._chance_of(self._free.next)
            return isolated(self.game.name, self.referee.consider, seat, command, chance)

    def commit(self, seat: str, command: Command, telling: tuple[Told, ...], request: str | None = None) -> None:
        """Tell and write what `consider` has returned; nothing may happen in between. Raises `GameFault` and
        `CannotWrite`, and then nothing has changed.
        """
        marks = self._marks
        with self._restored_after(Exception):
            saved = checked(self.game.name, self._tell_act, seat, command, telling)
            self._journal.write(self.number, msgspec.structs.replace(saved, request=request))
        # The seal is public. If it changed with a secret act, everyone would notice that one.
        if _heard_by_all(telling):
            self._seal(self._journal.head(self.number))
        self._notes[seat] += self._marks is marks  # only notes leave them as they are
        # Taken after the commit, so that an act that failed leaves its chance to the next.
        self._numbers.append(self._free.take())
        self._stepped_back = False

    def _tell_act(self, seat: str, command: Command, telling: tuple[Told, ...]) -> SavedAct:
        """Tell an act to every viewer; return it for the journal."""
        raw = msgspec.to_builtins(command)
        saved = SavedAct(seat, raw, self._for_journal(telling))
        # From a command that does not survive the journal, the game could not be resumed.
        if _json(self.game.read_command(seat, _decoded(raw))) != _json(raw):
            raise BadResult
        self._acts.append((seat, command, telling))
        self._marks = self._told(self.referee, self._marks, len(self._acts) - 1)
        self._show()
        return saved

    def _told(self, referee: Referee, marks: list[tuple[int, Mark]], at: int) -> list[tuple[int, Mark]]:
        """Tell act `at` to `referee`; return the marks after it. An act that stays keeps all before it."""
        telling, before = self._acts[at][2], referee.mark()
        referee.tell(telling)
        if is_note(self.game, telling):
            return marks
        may = self._retractable is not None and self._retractable.retractable(referee.pictures[TABLE], telling)
        return [*marks, (at, before)] if may else []

    # --- undoing what has failed -----------------------------------------------------------------

    @contextmanager
    def _restored_after(self, kind: type[Exception]) -> Iterator[None]:
        """Undo the body if it raises an error of this kind, which is passed on."""
        referee, mark, acts, marks = self.referee, self.referee.mark(), [*self._acts], self._marks
        try:
            yield
        except kind:
            self.referee, self._acts, self._marks = referee, acts, marks
            referee.rewind(mark)
            self.doubt()
            raise

    def doubt(self) -> bool:
        """Fold the pictures again, now or before the next act, because a game or bot has failed and may have changed
        them in place. Return whether they are correct now.
        """
        self._doubtful = True
        return self.is_sound()

    def is_sound(self) -> bool:
        """Return whether the pictures are correct, after repairing them if possible."""
        with suppress(GameFault):
            self._repair(LIMIT / 2)
        return not self._doubtful

    def _repair(self, limit: float = LIMIT) -> None:
        """Raises `GameFault` if the game cannot fold its events again. The table waits meanwhile: with the failed call,
        this takes less time than systemd waits (WatchdogSec).
        """
        if not self._doubtful:
            return
        pictures, marks = self.referee.pictures, self._marks
        forget(self.referee)
        try:
            folded, self._marks = checked(self.game.name, self._fold_again, limit=limit)
            self.referee.pictures = folded.pictures
            checked(self.game.name, self._show)
        except GameFault:
            self.referee.pictures, self._marks = pictures, marks
            raise
        self._doubtful = False

    def check(self) -> None:
        """Make all that is shown of the current game. Raises `GameFault`."""
        checked(self.game.name, self._show)

    def retraction(self) -> Retraction | None:
        """Return the last act that is not a note, if its seat may take it back: it revealed nothing. Then the one
        before it is the last.

        Never while another seat may act in secret, because the end of the offer would reveal that it has.
        """
        if self._retractable is None or not self._marks or self.over:
            return None
        at, before = self._marks[-1]
        seat, command, telling = self._acts[at]
        hidden = secret_seats(self.seats) - {seat}
        if (
            self._steps_back[seat] >= MOST_STEPS_BACK
            or not hidden.isdisjoint(self._asked_once("known", self.game.to_act, self.referee.pictures[seat]))
            or not self._asked_once("retractable", self._retractable.retractable, self.public, telling)
        ):
            return None
        # Everyone sees the board, so the offer there would show when a secret seat has acted.
        if self.on_board is None or seat not in seats_with_wand(self.seats):
            return Retraction(seat, command)
        stood = self._asked_once("stood", self.on_board.standing, before.pictures[TABLE])
        return Retraction(seat, command, True, self._way_back(stood))

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
        at, _ = self._marks[-1]
        followed = self._stepped_back or at < len(self._acts) - 1
        entry = chain.acts_in_effect(self._journal.entries(self.number))[at + 1].index if followed else None
        with self._restored_after(Exception):
            _, _, telling = self._acts.pop(at)
            checked(self.game.name, self._step_back, at)
            self._journal.take_back(self.number, seat, request, entry)
        self._steps_back[seat] += 1
        self._free.give_back(self._numbers.pop(at))
        self._stepped_back = True
        if _heard_by_all(telling):
            self._seal(self._journal.head(self.number))

    def end_of_turn(self, seat: str) -> Command | None:
        """Return the command that ends the turn of `seat`, if it is legal now."""
        legal = self.referee.legal(seat)
        return next((command for command in legal if tag_of(command) == END_TURN), None)

    @property
    def setting_up(self) -> bool:
        """Whether the miniatures are still being set up."""
        return self.on_board is not None and self.on_board.opening(self.public)

    def put_away(self, values: Mapping[str, Any] = NOTHING) -> None:
        """End the game in the journal, together with `values`. Raises `CannotWrite`, and then nothing has changed."""
        self._journal.end(self.number, values)

    def _chance_of(self, act: int) -> Chance:
        """Return the chance for the act with this number; the set-up is 0."""
        if self._opening is not None:
            # Each act has its own chance, so repeating an act after a step back draws the same.
            self._chance.draw_from(self._opening.draws(act))
        return self._chance

    def results(self, people: Iterable[tuple[str, str]], bots: Mapping[str, str] = NOTHING) -> list[Result]:
        """Return the results of these people (seat, name) and bots (seat -> name) in a finished game."""
        ending = missions.ending_of(self.game, self.public)
        players = [*((seat, name, "") for seat, name in people), *((seat, "", bot) for seat, bot in bots.items())]
        weaker = self._hampered()
        results = [
            Result(
                self.number,
                self.game.name,
                seat,
                name,
                None if ending is None else seat in ending.winners,
                bot,
                hampered=seat in weaker,
            )
            for seat, name, bot in players
        ]
        mission = missions.fitting(self.game, self.board, self.options, bots)
        return results if mission is None else [self._with_stars(mission, it) for it in results]

    def _hampered(self) -> set[str]:
        with suppress(GameFault):  # a game whose form fails has been played all the same
            return hampered(self.game.options(), msgspec.to_builtins(self.options))
        return set()

    def _with_stars(self, mission: Mission, result: Result) -> Result:
        """Return the result of a player of a mission. A bot earns no stars."""
        if result.bot:
            return result
        stars: tuple[bool, ...] = ()
        if result.won:
            with suppress(GameFault):  # a game that cannot count its figures has been played all the same
                stars = mission.stars(missions.counts(self.game, self.public, self.referee.told[REFEREE]))
        return msgspec.structs.replace(result, mission=mission.name, stars=stars)

    def _seal(self, link: str) -> None:
        self._sealed = None if self._opening is None else self._opening.seal(link)

    def _step_back(self, at: int) -> None:
        """Show the game as it was before the last act that is not a note; the notes from `at` stay."""
        *self._marks, (_, before) = self._marks
        self.referee = self.referee.before(before)
        for _, _, telling in self._acts[at:]:
            self.referee.tell(telling)
        self._show()

    def _fold_again(self) -> tuple[Referee, list[tuple[int, Mark]]]:
        """Return the game folded from its events, and its marks."""
        referee, marks = Referee(self.game, self.game.blank(self.board, self.options)), list[tuple[int, Mark]]()
        referee.tell(self._start)
        for at in range(len(self._acts)):
            marks = self._told(referee, marks, at)
        return referee, marks


def _json(value: Any) -> bytes:
    return msgspec.json.encode(value)


def _decoded(raw: Any) -> Any:
    """Return a value as the journal will return it."""
    return msgspec.json.decode(_json(raw))


def _heard_by_all(telling: Iterable[Told]) -> bool:
    return EVERYONE in [told.audience for told in telling]
