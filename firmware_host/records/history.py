"""A finished game, act by act: what was told, and the picture that each viewer had of it then. Pure.

Only what stands is in it: an act that was taken back never happened. `past.py` says which games may be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from engine.events import Told
from engine.game import REFEREE, TABLE, Cue, Deducing, Deduction, Game, Pictures
from engine.graph import Map
from engine.referee import Referee
from engine.seats import Seat
from engine.text import Text
from firmware_host.records import chain
from firmware_host.records.chain import ChainEntry
from firmware_host.records.journal import SavedGame
from firmware_host.records.telling import read
from firmware_host.table import installed
from firmware_host.table.capabilities import capabilities, shown_on
from firmware_host.table.game_files import own_screen
from firmware_host.table.generic import past_facts


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


class History(Struct, frozen=True):
    """A game as it went, from the set-up to the last act. `board` is None for a game without a map; `shown_on` is the
    name of the map whose lamps can show it, if any.
    """

    game: Game
    board: Map | None
    shown_on: str | None
    seats: tuple[Seat, ...]
    steps: tuple[Step, ...]

    @property
    def known(self) -> str:
        """The viewer who stands for what could be known: the first seat that is told no secret, else the table."""
        return next((seat.name for seat in self.seats if not seat.secret), TABLE)

    @property
    def over(self) -> bool:
        """Whether it was played to its end by the rules."""
        return not self.game.to_act(self.steps[-1].truth)

    def course(self) -> dict[str, Any]:
        """The whole game for the screens, JSON-ready: the seats, the viewer of `known`, and every step with a picture
        for each viewer.
        """
        seats = [{"name": seat.name, "title": seat.title, "secret": seat.secret} for seat in self.seats]
        return {"seats": seats, "known": self.known, "steps": [self._shown(step) for step in self.steps]}

    def moment(self, number: int) -> dict[str, Any]:
        """One step for the table's screen, JSON-ready: what could be known then beside the truth."""
        shown = self._shown(self.steps[number], "table")
        views = shown.pop("views")
        return {**shown, "known": views[self.known], "truth": views[REFEREE]}

    def _shown(self, step: Step, page: str = "past") -> dict[str, Any]:
        """`at` counts seconds from the start; `views` is viewer -> picture. Where the `page` that shows it is none of
        the game's own, `generic` is viewer -> what that page shows (see `past_facts`).
        """
        own = own_screen(self.game.name, page) is not None
        generic = {} if own else {"generic": past_facts(self.game, step.pictures, self.seats)}
        return {
            "seat": step.seat,
            "at": round(step.at - self.steps[0].at, 1),
            "told": [self._line(told) for told in step.telling],
            "views": {viewer: self.game.view(picture) for viewer, picture in step.pictures.items()},
            "possible": step.possible,
            **generic,
        }

    def _line(self, told: Told) -> dict[str, Any]:
        kind = type(told.event).__struct_config__.tag
        return {"type": kind, "sentence": self.game.sentence(told.event), "to": told.audience.seats}

    def cues(self, number: int) -> list[Cue]:
        """What the lamps show of a step: where the miniatures stood, the news, and over all what was hidden then."""
        step = self.steps[number]
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
                standing.setdefault(on_board.squad(miniature), []).append(space)
        return [Cue(STOOD, tuple(spaces), squad) for squad, spaces in standing.items()]


STOOD = "stood"
"""The cue of the spaces where a squad's miniatures stood."""


def unfold(saved: SavedGame, entries: Sequence[ChainEntry], board: Map | None) -> History:
    """The game told again from what was written. Raises `NotUnderstood` and `ValidationError` for what is unknown."""
    game = installed.find(saved.game)
    options = game.read_options(saved.options)
    referee = Referee(game, game.blank(board, options))
    steps = tuple(_steps(referee, [one.entry for one in chain.standing(entries)]))
    return History(game, board, shown_on(game, board, options), game.seats(options), steps)


def _steps(referee: Referee, entries: Sequence[ChainEntry]) -> Iterator[Step]:
    game = referee.game
    known = game.deduction(referee.pictures[TABLE]) if isinstance(game, Deducing) else None
    for entry in entries:
        telling = read(game, entry.telling)
        if known is not None:
            known = _deduced(game, known, referee.pictures[TABLE], telling)
        referee.tell(telling)
        hiding = known is not None and bool(game.to_act(referee.truth))
        spaces = known.spaces(referee.pictures[TABLE]) if known is not None and hiding else None
        yield Step(entry.seat, entry.at, telling, dict(referee.pictures), spaces)


def _deduced(game: Game, known: Deduction, view: Any, telling: Sequence[Told]) -> Deduction:
    """What is known once the public part of a telling was heard; `view` is the public picture before it."""
    for told in telling:
        if told.audience.includes(TABLE):
            known, view = known.after(view, told.event), game.fold(view, told.event)
    return known


def figures(history: History) -> list[tuple[Text, int]]:
    """What is counted of a game and how often it happened (see `Figures`); nothing where the game counts nothing."""
    counting = capabilities(history.game).figures
    told = (it.event for step in history.steps for it in step.telling)
    return [] if counting is None else [*counting.figures(told)]


def outcome(history: History) -> dict[str, Any]:
    """How a game went, in public facts: how it ended in words (`outcome`, None where it did not), and its acts.

    `over` and `rounds` are those of the game's state, for games that have them; else None. `score` is what a single
    player has reached (see `Scored`); None where there is none.
    """
    scored = capabilities(history.game).scored
    public = history.steps[-1].public
    state = history.game.state(public)
    facts = {"over": state.get("over"), "rounds": state.get("round"), "acts": len(history.steps) - 1}
    facts["score"] = None if scored is None else scored.score(public)
    return {"outcome": history.game.outcome(public), **facts}
