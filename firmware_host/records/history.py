"""A finished game, act by act: what everybody was told, what was true, and what the defenders could make of it. Pure.

Only what stands is in it: an act that was taken back never happened. `past.py` says which games may be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

import games
from engine.events import Told
from engine.game import TABLE, Cue, Deducing, Deduction, Game
from engine.graph import Map
from engine.referee import Referee
from engine.seats import Seat
from firmware_host.records.chain import Entry
from firmware_host.records.journal import SavedGame
from firmware_host.records.telling import read
from firmware_host.table.capabilities import capabilities


class Step(Struct, frozen=True):
    """The game after one act, the set-up being the first: who acted, when, what was told, and both pictures of it.

    `possible` are the spaces that the public facts leave open; None where the game works out none, or is over.
    """

    seat: str
    at: float
    telling: tuple[Told, ...]
    known: Any
    truth: Any
    possible: tuple[str, ...] | None


class History(Struct, frozen=True):
    """A game as it went, from the set-up to the last act. `board` is None for a game without a map."""

    game: Game
    board: Map | None
    steps: tuple[Step, ...]

    @property
    def over(self) -> bool:
        """Whether it was played to its end by the rules."""
        return not self.game.to_act(self.steps[-1].truth)

    def shown(self, number: int) -> dict[str, Any]:
        """One step for the screens, JSON-ready: the defenders' picture beside the truth. `at` counts from the start."""
        step = self.steps[number]
        return {
            "seat": step.seat,
            "at": round(step.at - self.steps[0].at, 1),
            "told": [self._line(told) for told in step.telling],
            "known": self.game.view(step.known),
            "truth": self.game.view(step.truth),
            "possible": step.possible,
        }

    def _line(self, told: Told) -> dict[str, Any]:
        kind = type(told.event).__struct_config__.tag
        return {"type": kind, "sentence": self.game.sentence(told.event), "to": told.audience.seats}

    def cues(self, number: int) -> list[Cue]:
        """What the lamps show of a step: where the miniatures stood, the news, and over all what was hidden then."""
        step = self.steps[number]
        if self.board is None:
            return []
        offered = capabilities(self.game)
        news = [] if offered.cues is None else offered.cues.cues(step.known)
        hidden = [] if offered.uncovering is None else offered.uncovering.uncovered(step.truth)
        return [*self._stood(step), *news, *hidden]

    def _stood(self, step: Step) -> list[Cue]:
        on_board = capabilities(self.game).on_board
        if on_board is None:
            return []
        standing: dict[str, list[str]] = {}
        for miniature, space in on_board.standing(step.known).items():
            if space is not None:
                standing.setdefault(on_board.squad(miniature), []).append(space)
        return [Cue(STOOD, tuple(spaces), squad) for squad, spaces in standing.items()]


STOOD = "stood"
"""The cue of the spaces where a squad's miniatures stood."""


def standing(entries: Sequence[Entry]) -> list[Entry]:
    """The set-up and every act that was not taken back."""
    found: list[Entry] = []
    for entry in entries:
        if entry.kind == "taken-back":
            found.pop()
        elif entry.kind in ("start", "act"):
            found.append(entry)
    return found


def unfold(saved: SavedGame, entries: Sequence[Entry], board: Map | None) -> History:
    """The game told again from what was written. Raises `NotUnderstood` and `ValidationError` for what is unknown."""
    game = games.find(saved.game)
    options = game.read_options(saved.options)
    referee = Referee(game, game.blank(board, options))
    return History(game, board, tuple(_steps(referee, game.seats(options), standing(entries))))


def _steps(referee: Referee, seats: Sequence[Seat], entries: Sequence[Entry]) -> Iterator[Step]:
    """`known` is the picture of the first seat that is told nothing secret, where there is one; else the table's."""
    game = referee.game
    viewer = next((seat.name for seat in seats if not seat.secret), TABLE)
    known = game.deduction(referee.pictures[TABLE]) if isinstance(game, Deducing) else None
    for entry in entries:
        telling = read(game, entry.telling)
        if known is not None:
            known = _deduced(game, known, referee.pictures[TABLE], telling)
        referee.tell(telling)
        hiding = known is not None and bool(game.to_act(referee.truth))
        spaces = known.spaces(referee.pictures[TABLE]) if known is not None and hiding else None
        yield Step(entry.seat, entry.at, telling, referee.pictures[viewer], referee.truth, spaces)


def _deduced(game: Game, known: Deduction, view: Any, telling: Sequence[Told]) -> Deduction:
    """What is known once the public part of a telling was heard; `view` is the public picture before it."""
    for told in telling:
        if told.audience.includes(TABLE):
            known, view = known.after(view, told.event), game.fold(view, told.event)
    return known


def outcome(history: History) -> dict[str, Any]:
    """How a game went, in public facts: who won and why (None where nobody did), and how many rounds it took."""
    state = history.game.state(history.steps[-1].known)
    return {"over": state["over"], "rounds": state["round"], "acts": len(history.steps) - 1}
