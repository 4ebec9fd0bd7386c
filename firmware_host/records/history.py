"""Tells a finished game again, act by act: what was told, and the picture that each viewer had then. Pure.

Only what stands is in it: an act that was taken back never happened. `past.py` says which games may be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from engine.events import Told
from engine.game import REFEREE, TABLE, Cue, Deducing, Deduction, Game, Pictures
from engine.graph import Map
from engine.referee import Referee
from engine.seats import Seat
from engine.text import Text
from firmware_host.core import installed
from firmware_host.core.capabilities import capabilities, shown_on
from firmware_host.core.game_files import own_screen
from firmware_host.core.generic import past_facts
from firmware_host.records import chain
from firmware_host.records.chain import ChainEntry
from firmware_host.records.journal import SavedGame
from firmware_host.records.telling import read

SPACING = 32
"""Steps from one checkpoint to the next; see `History.steps`."""


class Step(Struct, frozen=True):
    """The game after one act, the set-up being the first: who acted, when, what was told, and every viewer's picture.

    `possible` are the spaces that the public facts leave open; None where the game works out none, or is over.
    """

    seat: str
    at: float
    telling: tuple[Told, ...]
    pictures: Pictures
    possible: tuple[str, ...] | None

    @property
    def public(self) -> Any:
        """The picture that everybody had."""
        return self.pictures[TABLE]

    @property
    def truth(self) -> Any:
        """The whole truth."""
        return self.pictures[REFEREE]


class Act(NamedTuple):
    """One act that stands; `telling` is the JSON text of what it told."""

    seat: str
    at: float
    telling: str


class _Checkpoint(NamedTuple):
    """Where the game stood before a step: every viewer's picture, and what the public facts had told."""

    pictures: Pictures
    known: Deduction | None


class History:
    """A game that can be told again from any step on. It keeps the acts as text and a picture every few steps, never
    the pictures of all steps: its size does not grow with what a step shows.

    `board` is None for a game without a map; `shown_on` is the name of the map whose lamps can show it, if any.
    `breathe` is called between steps; other threads can work then.
    """

    def __init__(
        self,
        game: Game,
        board: Map | None,
        options: Any,
        acts: Sequence[Act],
        breathe: Callable[[], None] = lambda: None,
    ) -> None:
        self.game, self.board = game, board
        self.shown_on = shown_on(game, board, options)
        self.seats: tuple[Seat, ...] = game.seats(options)
        self._acts, self._breathe = tuple(acts), breathe
        blank = dict(game.blank(board, options))
        self._blank = _Checkpoint(blank, None)
        self._checkpoints: list[_Checkpoint] = []

    def __len__(self) -> int:
        """How many steps it has."""
        return len(self._acts)

    @property
    def known(self) -> str:
        """The viewer who stands for what could be known: the first seat that is told no secret, else the table."""
        return next((seat.name for seat in self.seats if not seat.secret), TABLE)

    @property
    def over(self) -> bool:
        """Whether it was played to its end by the rules."""
        return not self.game.to_act(self.last[REFEREE])

    @property
    def ended_at(self) -> float:
        """When the last act was made, in seconds since 1970."""
        return self._acts[-1].at

    def told(self) -> Iterator[Told]:
        """Everything that was told, in order."""
        for act in self._acts:
            self._breathe()
            yield from self._telling(act)

    @cached_property
    def last(self) -> Pictures:
        """Every viewer's picture after the last act, folded without what could be worked out at each step."""
        referee = Referee(self.game, self._blank.pictures)
        for act in self._acts:
            self._breathe()
            _tell(referee, self._telling(act))
        return dict(referee.pictures)

    def steps(self, first: int = 0) -> Iterator[Step]:
        """The steps from number `first` on. Begins at the nearest checkpoint, and leaves one every `SPACING` steps."""
        begin = min(first // SPACING, max(len(self._checkpoints) - 1, 0)) * SPACING
        checkpoint = self._checkpoint(begin)
        referee, known = Referee(self.game, checkpoint.pictures), checkpoint.known
        for number, act in enumerate(self._acts[begin:], begin):
            if number == len(self._checkpoints) * SPACING:
                self._checkpoints.append(_Checkpoint(dict(referee.pictures), known))
            self._breathe()
            telling = self._telling(act)
            if known is not None:
                known = _deduced(self.game, known, referee.pictures[TABLE], telling)
            _tell(referee, telling)
            if number >= first:
                yield Step(act.seat, act.at, telling, dict(referee.pictures), self._possible(referee, known))

    def _checkpoint(self, number: int) -> _Checkpoint:
        """Where the game stood before step `number`, for a multiple of `SPACING` that was reached before, or 0."""
        if self._checkpoints:
            return self._checkpoints[number // SPACING]
        game, pictures = self.game, self._blank.pictures
        return _Checkpoint(pictures, game.deduction(pictures[TABLE]) if isinstance(game, Deducing) else None)

    def _possible(self, referee: Referee, known: Deduction | None) -> tuple[str, ...] | None:
        hiding = known is not None and bool(self.game.to_act(referee.truth))
        return known.spaces(referee.pictures[TABLE]) if known is not None and hiding else None

    def _telling(self, act: Act) -> tuple[Told, ...]:
        return read(self.game, msgspec.json.decode(act.telling))

    # --- for the screens ------------------------------------------------------------------------------------------

    def head(self) -> dict[str, Any]:
        """What the screens need once, JSON-ready: the seats, and the viewer of `known`."""
        seats = [{"name": seat.name, "title": seat.title, "secret": seat.secret} for seat in self.seats]
        return {"seats": seats, "known": self.known}

    def shown(self, step: Step, page: str = "past") -> dict[str, Any]:
        """A step with a picture for each viewer, JSON-ready.

        `at` counts seconds from the start; `views` is viewer -> picture. Where the `page` that shows it is none of
        the game's own, `generic` is viewer -> what that page shows (see `past_facts`).
        """
        own = own_screen(self.game.name, page) is not None
        generic = {} if own else {"generic": past_facts(self.game, step.pictures, self.seats)}
        return {
            "seat": step.seat,
            "at": round(step.at - self._acts[0].at, 1),
            "told": [self._line(told) for told in step.telling],
            "views": {viewer: self.game.view(picture) for viewer, picture in step.pictures.items()},
            "possible": step.possible,
            **generic,
        }

    def moment(self, step: Step) -> dict[str, Any]:
        """One step for the table's screen, JSON-ready: what could be known then beside the truth."""
        shown = self.shown(step, "table")
        views = shown.pop("views")
        return {**shown, "known": views[self.known], "truth": views[REFEREE]}

    def _line(self, told: Told) -> dict[str, Any]:
        kind = type(told.event).__struct_config__.tag
        return {"type": kind, "sentence": self.game.sentence(told.event), "to": told.audience.seats}

    def cues(self, step: Step) -> list[Cue]:
        """What the lamps show of a step: where the miniatures stood, the news, and over all what was hidden then."""
        offered = capabilities(self.game)
        if self.shown_on is None:
            return []
        news = [] if offered.cues is None else offered.cues.cues(step.public)
        hidden = [] if offered.uncovering is None else offered.uncovering.uncovered(step.truth)
        return [*self._stood(step), *news, *hidden]

    def _stood(self, step: Step) -> list[Cue]:
        on_board = capabilities(self.game).on_board
        if on_board is None:
            return []
        standing: dict[str, list[str]] = {}
        for miniature, space in on_board.standing(step.public).items():
            if space is not None:
                standing.setdefault(on_board.colour(miniature), []).append(space)
        return [Cue(STOOD, tuple(spaces), squad) for squad, spaces in standing.items()]


STOOD = "stood"
"""The cue of the spaces where a squad's miniatures stood."""


def unfold(
    saved: SavedGame, entries: Sequence[ChainEntry], board: Map | None, breathe: Callable[[], None] = lambda: None
) -> History:
    """The game told again from what was written. Raises `NotUnderstood` and `ValidationError` for what is unknown."""
    game = installed.find(saved.game)
    standing = (one.entry for one in chain.standing(entries))
    acts = [Act(entry.seat, entry.at, chain.text(entry.telling)) for entry in standing]
    return History(game, board, game.read_options(saved.options), acts, breathe)


def _tell(referee: Referee, telling: Sequence[Told]) -> None:
    """Fold a telling into every picture, and let go of it: all tellings of a long game take much memory."""
    referee.tell(telling)
    for viewer in referee.told:
        referee.told[viewer].clear()
        referee.private[viewer].clear()


def _deduced(game: Game, known: Deduction, view: Any, telling: Sequence[Told]) -> Deduction:
    """What is known once the public part of a telling was heard; `view` is the public picture before it."""
    for told in telling:
        if told.audience.includes(TABLE):
            known, view = known.after(view, told.event), game.fold(view, told.event)
    return known


def figures(history: History) -> list[tuple[Text, int]]:
    """What is counted of a game and how often it happened (see `Figures`); nothing where the game counts nothing."""
    counting = capabilities(history.game).figures
    return [] if counting is None else [*counting.figures(told.event for told in history.told())]


def outcome(history: History) -> dict[str, Any]:
    """How a game went, in public facts: how it ended in words (`outcome`, None where it did not), and its acts.

    `over` and `rounds` are those of the game's state, for games that have them; else None. `score` is what a single
    player has reached (see `Scored`); None where there is none.
    """
    scored = capabilities(history.game).scored
    public = history.last[TABLE]
    state = history.game.state(public)
    facts = {"over": state.get("over"), "rounds": state.get("round"), "acts": len(history) - 1}
    facts["score"] = None if scored is None else scored.score(public)
    return {"outcome": history.game.outcome(public), **facts}
