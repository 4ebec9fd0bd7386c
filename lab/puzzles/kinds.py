"""The parts of a kind of puzzle, and common functions of all kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from engine.bots import Bot
from engine.chance import Chance
from engine.events import EVERYONE, Event, Told
from engine.game import REFEREE, TABLE, Command, Game
from engine.graph import Map
from engine.naming import tag_of
from engine.referee import Referee
from engine.search.budget import Budget
from firmware_host.core import bots
from firmware_host.core.capabilities import is_note
from firmware_host.core.data_files import Puzzle
from firmware_host.play.puzzles import PuzzlePosition

LEVELS = ("easy", "medium", "strong")
Answers = tuple[tuple[str, ...], ...]
TURN_ENDED = "turn-ended"
MOST_BEFORE = 16
"""Events that led to a position, at most."""
SOLVED = 0.75
"""Minimum score for a level to count as solving a puzzle."""


class RecordedMoment(NamedTuple):
    """A recorded game after one act: every viewer's picture, and the act's public events. `told` is viewer -> all of
    its events so far; `blank` are the pictures before them.
    """

    game: Game
    board: Map | None
    options: Any
    pictures: Mapping[str, Any]
    events: tuple[Event, ...]
    told: Mapping[str, Sequence[Event]]
    blank: Mapping[str, Any]

    def puzzle(self, seat: str, about: Mapping[str, Any] = {}, events: Sequence[Event] = ()) -> Puzzle:
        """Return a puzzle about this moment, without answers or a grade."""
        # Events that the question is about begin earlier than the last turn.
        before = () if events else self._lately()
        raw = msgspec.to_builtins((self.game.state(self.pictures[REFEREE]), events, about, before))
        state, later, plain_about, earlier = msgspec.json.decode(msgspec.json.encode(raw))
        slug = None if self.board is None else self.board.slug
        return Puzzle("", seat, state, (("?",),), 1, slug, {}, tuple(later), plain_about, tuple(earlier))

    def _lately(self) -> list[Event]:
        """Return the last public events: those of the last turn, and of the current one so far."""
        told = [it for it in self.told[TABLE] if not is_note(self.game, [Told(it, EVERYONE)])]
        ends = [number for number, it in enumerate(told, 1) if tag_of(it) == TURN_ENDED]
        return told[max(0, len(told) - MOST_BEFORE, *ends[-2:-1]) :]

    def choices(self, seat: str, legal: Sequence[Command]) -> list[Command | None]:
        """Return what the bot of each of the `LEVELS` chooses among some acts of a seat; None without such a bot."""
        return [self._choice(level, seat, legal) for level in LEVELS]

    def _choice(self, level: str, seat: str, legal: Sequence[Command]) -> Command | None:
        names = [name for name in bots.ranked(self.game, seat) if bots.find(self.game, name).level == level]
        if not names:
            return None
        bot: Bot = bots.bot_at_seat(names[0], self.game, seat, self.blank[seat])
        bots.set_budget(bot, Budget(0))
        for event in self.told[seat]:
            bot.told(event)
        return bot.choose(self.pictures[seat], legal, Chance(Random(0)))


class PuzzleDraft(NamedTuple):
    """A puzzle that was found at a moment. `solved` returns the score of each of the `LEVELS`, from 0 to 1."""

    puzzle: Puzzle
    solved: Callable[[PuzzlePosition], Sequence[float]]


class PuzzleKind(NamedTuple):
    """A kind of puzzle: `find` yields drafts of a recorded game, `solve` and `verify` calculate the answers in two
    independent ways (if there are no answers, the position is unsuitable for this kind). Puzzles with mostly the same
    `marks` count as similar.
    """

    find: Callable[[Sequence[RecordedMoment]], Iterator[PuzzleDraft]]
    solve: Callable[[PuzzlePosition], Answers]
    verify: Callable[[PuzzlePosition], Answers]
    marks: Callable[[Puzzle], frozenset[Any]]


def moments_of(game: Game, board: Map | None, options: Any, tellings: Sequence[Sequence[Told]]) -> list[RecordedMoment]:
    """Return the moments of a recorded game, from the events of the set-up and of each act."""
    blank = dict(game.blank(board, options))
    referee, moments = Referee(game, blank), list[RecordedMoment]()
    for telling in tellings:
        referee.tell(telling)
        public = tuple(told.event for told in telling if told.audience.includes(TABLE))
        events_of = {viewer: tuple(events) for viewer, events in referee.told.items()}
        moments.append(RecordedMoment(game, board, options, dict(referee.pictures), public, events_of, blank))
    return moments


def score(puzzle: Puzzle, answers: Answers, answer: Sequence[str]) -> float:
    return msgspec.structs.replace(puzzle, answers=answers).score(frozenset(answer))
