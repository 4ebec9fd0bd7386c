"""Puzzles: questions about positions of finished games. They are asked outside the loop, without any running game."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

from engine.chance import Chance
from engine.events import EVERYONE, Event, Told
from engine.game import TABLE, Deducing, Game, Posed
from engine.graph import Map
from engine.graph.fault import MapError
from engine.refusal import RuleError
from engine.seats import Seat
from engine.text import Text
from firmware_host.core import data_files, installed, maps, sizes
from firmware_host.core.capabilities import capabilities, deduced
from firmware_host.core.data_files import DataFileError, Puzzle
from firmware_host.core.guarded import fault_in, isolated
from firmware_host.core.remembered import Remembered
from firmware_host.records.history import History, PastAct, Step

SEED = 0
"""Seed of the random results that a position leaves open, so that they are the same each time."""

log = logging.getLogger("firmware_host")


class PuzzlePosition:
    """The position that a puzzle is about, after its events. Raises `RuleError`, `MapError` or `ValueError`."""

    def __init__(self, game: Game, kind: str, puzzle: Puzzle) -> None:
        self.game, self.kind, self.puzzle = game, kind, puzzle
        self.board: Map | None = None if puzzle.map is None else maps.load(puzzle.map)
        self.options = maps.options_on(game, self.board, puzzle.options)
        self.pictures = dict(game.position(self.board, self.options, puzzle.position, Chance(Random(SEED))))
        if len(puzzle.before) + len(puzzle.events) > sizes.MOST_TOLD:
            raise ValueError(f"it has more than {sizes.MOST_TOLD} events.")
        if puzzle.seat not in self.pictures:
            raise ValueError(f"there is no seat {puzzle.seat!r}.")
        self.events: list[Event] = [game.read_event(raw) for raw in puzzle.events]
        self.before: list[Event] = [game.read_event(raw) for raw in puzzle.before]
        self.possible: tuple[str, ...] | None = None
        if self.events and isinstance(game, Deducing):
            view = self.pictures[TABLE]
            deduction, view = deduced(game, game.deduction(view), view, self.events)
            self.possible = tuple(deduction.spaces(view))
        for viewer, view in self.pictures.items():
            for event in self.events:
                view = game.fold(view, event)
            self.pictures[viewer] = view

    @property
    def view(self) -> Any:
        """The picture of the asked player."""
        return self.pictures[self.puzzle.seat]

    def posed(self) -> Posed:
        """Return the question. Raises `RuleError`."""
        asking = capabilities(self.game).puzzling
        if asking is None:
            raise ValueError(f"{self.game.name} asks no puzzles.")
        about = self.puzzle.about if self.possible is None else {**self.puzzle.about, "possible": self.possible}
        return asking.puzzle(self.view, self.kind, about)

    @property
    def seat(self) -> Seat:
        """The seat of the asked player."""
        return next(seat for seat in self.game.seats(self.options) if seat.name == self.puzzle.seat)

    def as_history(self) -> tuple[History, Step]:
        """Return the position as the only step of a past game. Every viewer sees the picture of the asked player."""
        history = History(self.game, self.board, self.options, [PastAct("", 0.0, "[]")])
        # Nothing else is sent, because it could be the answer.
        pictures = dict.fromkeys(self.pictures, self.view)
        telling = tuple(Told(event, EVERYONE) for event in (*self.before, *self.events))
        possible = self.puzzle.about.get("possible")
        return history, Step(self.puzzle.seat, 0.0, telling, pictures, None if possible is None else tuple(possible))


@cache
def of_game(name: str) -> dict[str, tuple[str, Puzzle]]:
    """Return the puzzles of a game: id -> kind and puzzle. A broken file is left out and logged."""
    puzzle_of: dict[str, tuple[str, Puzzle]] = {}
    for path in data_files.files(name, data_files.PUZZLES, data_files.PUZZLE_FILES):
        try:
            puzzles = data_files.decoded_puzzles(
                sizes.whole_file(path), f"{name}: {path.name}", data_files.rules_digest(name)
            )
        except (OSError, sizes.TooLarge, DataFileError) as error:
            log.error("Puzzles are left out: %s", error)
            continue
        puzzle_of |= {puzzle.id: (path.stem, puzzle) for puzzle in puzzles}
    return puzzle_of


BROKEN = Remembered[tuple[str, str], PuzzlePosition | None]()
"""The puzzles that are left out."""


def position_of(name: str, puzzle_id: str) -> PuzzlePosition:
    """Return the position of a puzzle. Raises `LookupError` if there is none, or it cannot be asked."""
    kind, puzzle = of_game(name)[puzzle_id]
    position = BROKEN.get((name, puzzle_id), lambda: _position_or_none(name, kind, puzzle))
    if position is None:
        raise LookupError(puzzle_id)
    return position


def _position_or_none(name: str, kind: str, puzzle: Puzzle) -> tuple[PuzzlePosition | None, bool | None]:
    """Return a position, or None if the puzzle is left out; and whether to keep that result."""
    try:
        return isolated(name, _checked, name, kind, puzzle), None
    except (RuleError, MapError) as error:
        log.error("A puzzle of %s is left out: %s: %s", name, puzzle.id, error)
        return None, fault_in(error) is None


def _checked(name: str, kind: str, puzzle: Puzzle) -> PuzzlePosition:
    """Return a position whose question can be asked and answered. Raises `RuleError` or `MapError`."""
    try:
        position = PuzzlePosition(installed.find(name), kind, puzzle)
        posed = position.posed()
    except ValueError as error:
        raise DataFileError(puzzle.id, str(error)) from error
    spaces = () if position.board is None else position.board.spaces
    valid_answers = posed.choices or posed.offered or spaces
    if any(part not in valid_answers for answer in puzzle.answers for part in answer):
        raise DataFileError(puzzle.id, "its answer is not one that can be given.")
    return position


def faults(name: str) -> Iterator[Text]:
    """Yield a sentence for each puzzle of a game that is left out."""
    for puzzle_id in of_game(name):
        with suppress(LookupError):
            position_of(name, puzzle_id)
            continue
        yield Text("A puzzle of {game} is left out: {puzzle} cannot be asked.", game=name, puzzle=puzzle_id)
