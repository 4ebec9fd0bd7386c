"""One game being played: the referee, its journal, and the way back out of a last move that told nobody anything.

An act is decided, written and synced, and only then told: nobody can have heard of an act that a power cut undoes.
What chance brings to it is settled from the start (`records/promise.py`), by its number among those that stand: neither
a step back nor a pulled plug draws again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

import games
from engine.chance import Chance
from engine.events import EVERYONE, Told
from engine.game import TABLE, BoardGame, Command, Cues, Game
from engine.graph import Map
from engine.referee import Referee
from engine.seats import at_board, mover
from engine.text import Text
from firmware_host.records import chain, promise
from firmware_host.records.journal import NOTHING, Journal, SavedAct, SavedGame
from firmware_host.records.promise import Opening
from firmware_host.records.results import Result
from firmware_host.records.telling import read, written
from firmware_host.table.capabilities import capabilities, is_note, shown_on
from firmware_host.table.errors import UserError

LastAct = tuple[str, Command, tuple[Told, ...]]

END_TURN = "end-turn"
"""The tag of the command by which a game's turn ends; what a button may give."""


class TakeBack(Command, tag="take-back", frozen=True):
    """A command of every game: the last move never happened, for it told nobody anything."""


TAKE_BACK = TakeBack()


class TableGame:
    """A running or finished game. `board` is None where it is played without a map."""

    def __init__(self, game: Game, board: Map | None, options: Any, journal: Journal, chance: Chance) -> None:
        self.game = game
        self.board = board
        self.options = options
        offered = capabilities(game)
        self.shown_on = shown_on(game, board, options)
        """The name of the map whose lamps can show the game, if any: its own, else that of its board of lamps."""
        self.cues: Cues | None = None if self.shown_on is None else offered.cues
        """The game, where the lamps can show it."""
        self.on_board: BoardGame | None = None if board is None else offered.on_board
        """The game, where it is played with miniatures on the board."""
        self._retractable = offered.retractable
        self._journal = journal
        self._chance = chance
        self.number = 0
        self._acts: list[LastAct] = []
        self._numbers, self._free = list[int](), chain.Numbers((0,))
        """The number of each act, by which chance knows it, and those that are free; the set-up has 0."""
        self._start: tuple[Told, ...] = ()
        self._before: Mapping[str, str | None] | None = None
        """Where the miniatures stood before the last act that is no note; None where no act may be taken back."""
        self._opening: Opening | None = None
        self._sealed: str | None = None
        self.seats = game.seats(options)
        self.referee = Referee(game, game.blank(board, options))

    @classmethod
    def begin(
        cls,
        game: Game,
        board: Map | None,
        options: Any,
        journal: Journal,
        chance: Chance,
        kept: Mapping[str, Any] = NOTHING,
    ) -> TableGame:
        """A fresh game, set up and written, with what is `kept` of it."""
        play = cls(game, board, options, journal, chance)
        raw = msgspec.to_builtins(options)
        slug, source = ("", "") if board is None else (board.slug, board.source)
        play._opening = opening = promise.made(chance, game.name, slug, source, raw)
        telling = tuple(game.setup(board, options, play._chance_of(0)))
        sealed = msgspec.to_builtins(opening)
        play.number = journal.begin(game.name, slug, source, raw, written(telling), sealed, kept)
        play._seal(journal.head(play.number))
        play._start = telling
        play.referee.tell(telling)
        return play

    @classmethod
    def resume(cls, saved: SavedGame, board: Map | None, journal: Journal, chance: Chance) -> TableGame:
        """The game as it was, told again from the journal. Chance is not asked: its results were written."""
        game = games.find(saved.game)
        play = cls(game, board, game.read_options(saved.options), journal, chance)
        play.number = saved.id
        entries = journal.entries(saved.id)
        first, *acts = chain.standing(entries)
        play._opening = promise.read(first.entry.command)
        play._seal([entry.hash for entry in promise.sealed(entries)][-1])
        play._start = read(game, first.entry.telling)
        for act in (one.entry for one in acts):
            play._acts.append((act.seat, game.read_command(act.seat, act.command), read(game, act.telling)))
        play._numbers = [act.number for act in acts]
        play._free = chain.Numbers((0, *play._numbers))
        last = play._last()
        play._retell(step_back=last is not None and "taken-back" not in [it.kind for it in entries[acts[last].index :]])
        return play

    @property
    def over(self) -> bool:
        """Whether nobody has anything left to decide."""
        return not self.referee.to_act

    @property
    def public(self) -> Any:
        """The picture of whoever looks on."""
        return self.referee.pictures[TABLE]

    @property
    def standing(self) -> Mapping[str, str | None]:
        """Miniature -> the space where the game has it."""
        return {} if self.on_board is None else self.on_board.standing(self.public)

    @property
    def at_board(self) -> str | None:
        """The seat for which hands, buttons and picking act, if any; see `engine.seats.at_board`."""
        return None if self.on_board is None else at_board(self.seats, self.referee.to_act)

    def mover(self, command: Command) -> str | None:
        """The seat that gives a command which was made on the board; see `engine.seats.mover`."""
        return None if self.on_board is None else mover(self.seats, self.referee.to_act, self.referee.legal, command)

    @property
    def sealed(self) -> dict[str, str | None] | None:
        """What is promised of this game and sealed so far, and once it is over what opens both; public.

        None for a game that was begun by a version that promised nothing.
        """
        opening = self._opening
        if opening is None:
            return None
        seed, nonce = (opening.seed, opening.nonce) if self.over else (None, None)
        return {"promise": opening.promise, "seal": self._sealed, "seed": seed, "nonce": nonce}

    def act(self, seat: str, command: Command, kept: Mapping[str, Any] = NOTHING) -> tuple[Told, ...]:
        """A seat acts: decided, written (and what is `kept` with it), told. Raises `Refused`."""
        telling = self.consider(seat, command)
        self.commit(seat, command, telling, kept)
        return telling

    def consider(self, seat: str, command: Command) -> tuple[Told, ...]:
        """What would follow from an act now; nothing is written or told yet. Raises `Refused`."""
        return self.referee.consider(seat, command, self._chance_of(self._free.next))

    def commit(self, seat: str, command: Command, telling: tuple[Told, ...], kept: Mapping[str, Any] = NOTHING) -> None:
        """Write and tell what `consider` said; nothing may have happened in between."""
        self._journal.write(self.number, SavedAct(seat, msgspec.to_builtins(command), written(telling)), kept)
        if _heard_by_all(telling):
            self._seal(self._journal.head(self.number))
        self._numbers.append(self._free.take())
        self._acts.append((seat, command, telling))
        if not is_note(self.game, telling):
            self._before = self.standing
        self.referee.tell(telling)

    def retractable(self) -> LastAct | None:
        """The last act that is no note, if it may be taken back: one step back is all there is until the next."""
        at = self._last()
        if self._retractable is None or self._before is None or at is None or self.over:
            return None
        last = self._acts[at]
        return last if self._retractable.retractable(self.public, last[2]) else None

    def may_take_back(self, seat: str) -> bool:
        """Whether the last act was the seat's, and told nobody else anything that stays told."""
        last = self.retractable()
        return last is not None and last[0] == seat

    def take_back(self, seat: str, kept: Mapping[str, Any] = NOTHING) -> None:
        """The last act of `seat` never happened. Raises `UserError` if it told somebody something."""
        if not self.may_take_back(seat):
            raise UserError("not-now", Text("There is no move to take back: the last one has told somebody something."))
        at = self._last()
        assert at is not None, "there is one that may be taken back"
        noted = at < len(self._acts) - 1
        entry = chain.standing(self._journal.entries(self.number))[at + 1].index if noted else None
        self._journal.take_back(self.number, seat, kept, entry)
        if _heard_by_all(self._acts[at][2]):
            self._seal(self._journal.head(self.number))
        del self._acts[at]
        self._free.give_back(self._numbers.pop(at))
        self._retell()

    def way_back(self) -> tuple[str, str, str] | None:
        """The miniature whose last move may be taken back, where it stands, and where it would go."""
        if self.retractable() is None or self._before is None:
            return None
        for miniature, space in self.standing.items():
            before = self._before.get(miniature)
            if space is not None and before is not None and before != space:
                return miniature, space, before
        return None

    def end_of_turn(self, seat: str) -> Command | None:
        """The command by which `seat` ends its turn, if it may do so now."""
        legal = self.referee.legal(seat)
        return next((command for command in legal if type(command).__struct_config__.tag == END_TURN), None)

    @property
    def setting_up(self) -> bool:
        """Whether the miniatures are still being set up."""
        return self.on_board is not None and self.on_board.opening(self.public)

    def put_away(self) -> None:
        """The game is not played on."""
        self._journal.end(self.number)

    def _chance_of(self, act: int) -> Chance:
        """What chance brings to the act of that number; the set-up is 0."""
        if self._opening is not None:
            self._chance.draw_from(self._opening.draws(act))
        return self._chance

    def results(self, people: Iterable[tuple[str, str]]) -> list[Result]:
        """Who of these people (seat, name) has won the game that is over."""
        offered = capabilities(self.game).endings
        ending = None if offered is None else offered.ending(self.public)
        return [
            Result(self.number, self.game.name, seat, name, None if ending is None else seat in ending.winners)
            for seat, name in people
        ]

    def _seal(self, link: str) -> None:
        self._sealed = None if self._opening is None else self._opening.seal(link)

    def _last(self) -> int | None:
        """Where in `_acts` is the last one that is no note."""
        return next((at for at in reversed(range(len(self._acts))) if not is_note(self.game, self._acts[at][2])), None)

    def _retell(self, step_back: bool = False) -> None:
        """Fold everything anew; `step_back` is whether the last act may be taken back, as far as the chain goes."""
        self.referee = Referee(self.game, self.game.blank(self.board, self.options))
        self.referee.tell(self._start)
        before: Mapping[str, str | None] | None = None
        for _, _, telling in self._acts:
            if not is_note(self.game, telling):
                before = self.standing
            self.referee.tell(telling)
        self._before = before if step_back else None


def _heard_by_all(telling: Iterable[Told]) -> bool:
    return EVERYONE in [told.audience for told in telling]
