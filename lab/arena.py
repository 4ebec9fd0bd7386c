"""Bots against bots, game after game, on every core: who wins, how and how soon.

Each game has its own chance and each bot its own, all from the seed and the game's number, so that the same seed
gives the same games however many of them are played side by side, and wherever: a `Task` says which games, to a process
of this computer (`play_each`) as to a cluster (`cluster.py`). Words on the terminal: `commands/arena.py`.
"""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any

from msgspec import Struct

import games
from engine.chance import Chance
from engine.game import TABLE, Ending, Endings
from engine.graph import Map
from engine.graph.fault import MapError
from engine.referee import Referee
from engine.refusal import RuleError
from engine.search.budget import Budget, timed
from firmware_host.core import ctrl_c
from firmware_host.seats.players import BotPlayer
from lab.processes import Unavailable, in_order

ROOT = Path(__file__).resolve().parents[1]
CONFIDENT = 1.959963984540054
"""The normal distribution's two-sided 95 %."""
LINES = 60
"""What a bot that thinks plays in its head for an act, if nobody says otherwise."""
MOST_ACTS = 2000
"""So many acts in a row of one seat are no play any more: the bot would go on for ever. A game for one seat is a single
row, of up to 141 acts in Stalingrad; where others play, none of more than 40 has been seen. A table has a lower limit.
"""


class Match(Struct, frozen=True):
    """What is played: a game and its options on its board, with a bot at every seat, from a seed. A bot that thinks may
    play `lines` in its head for an act; or think for `thought` seconds, and then the same seed does not give the same
    games.
    """

    game: str
    board: Map | None
    options: Any
    seats: dict[str, str]
    seed: int
    lines: int = LINES
    thought: float = 0.0

    @property
    def budget(self) -> Budget:
        """What a bot that thinks may spend on an act."""
        return timed(self.thought, time.monotonic) if self.thought else Budget(self.lines)


class Result(Struct, frozen=True):
    """How one game went; `acts` counts those of all seats."""

    game: int
    ending: Ending
    acts: int


class Share(Struct, frozen=True):
    """How often one side won, with the Wilson interval that holds the true share 95 times out of 100."""

    wins: int
    share: float
    low: float
    high: float

    @property
    def cells(self) -> str:
        """Return share and interval as two cells of a Markdown table."""
        return f"{self.share:.1%} | {self.low:.1%} to {self.high:.1%}"


class Summary(Struct, frozen=True):
    """Many games together. `wins` counts for a seat the games that it won, alone or with others; `draws` those that
    nobody won. `causes` is why they ended -> how often; lengths are rounds.
    """

    games: int
    wins: dict[str, Share]
    draws: int
    causes: dict[str, int]
    mean_rounds: float
    median_rounds: float
    shortest: int
    longest: int
    mean_acts: float


class BotFault(Exception):
    """A bot wanted what its seat may not do, or would act for ever, or its code or that of the game failed."""


class UsageExit(SystemExit):
    """The command line is wrong. No game raises this, so it is never taken for a game's own exit."""


@contextmanager
def named_faults(game: str, place: str = "") -> Iterator[None]:
    """Raise what the code of a game raises as a `BotFault`, and pass on its refusals and a pressed Ctrl-C.

    `place` says when it was, for example " in game 3".
    """
    try:
        yield
    except (BotFault, RuleError, MapError, Unavailable, UsageExit):
        raise
    except BaseException as error:
        if ctrl_c.is_ctrl_c(error) or isinstance(error, GeneratorExit):
            raise
        what = type(error).__name__
        raise BotFault(f"The game {game!r} failed{place}: {what} in {_where(error)}.") from error


# --- one game ---------------------------------------------------------------------------------------------------


def play(match: Match, number: int) -> Result:
    """Play game `number` of a match. Raises `BotFault`."""
    with named_faults(match.game, f" in game {number}"):
        referee, acts = play_out(match, number)
        return _result(referee, number, acts)


def play_out(match: Match, number: int) -> tuple[Referee, int]:
    """The referee of game `number` once it is over, and how many acts all seats made. Raises `BotFault`."""
    game = games.find(match.game)
    referee, acts, last, row = Referee(game, game.blank(match.board, match.options)), 0, "", 0
    chance = _chance(match, number, "game")
    players = {
        seat: BotPlayer(name, game, seat, referee.pictures[seat], _chance(match, number, seat), match.budget)
        for seat, name in match.seats.items()
    }
    referee.tell(game.setup(match.board, match.options, chance))
    while referee.to_act:
        seat = referee.to_act[0]
        last, row = seat, row + 1 if seat == last else 1
        if row > MOST_ACTS:
            raise BotFault(
                f"The bot {match.seats[seat]!r} of {seat} acts for ever in game {number}: {MOST_ACTS} acts in a row."
            )
        try:
            command = players[seat].ask(referee)
        except BaseException as error:
            if ctrl_c.is_ctrl_c(error):
                raise
            name, what = match.seats[seat], type(error).__name__
            raise BotFault(f"The bot {name!r} of {seat} failed in game {number}: {what} in {_where(error)}.") from error
        try:
            referee.submit(seat, command, chance)
        except RuleError as error:
            raise BotFault(f"The bot {match.seats[seat]!r} wanted {command} in game {number}: {error}") from error
        acts += 1
    return referee, acts


def _where(error: BaseException) -> str:
    """The file and the line that raised it; the file is relative to the project where it is a part of it."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    file = Path(place.filename)
    shown = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
    return f"{shown}, line {place.lineno}"


def _chance(match: Match, number: int, who: str) -> Chance:
    return Chance(Random(f"{match.seed}/{number}/{who}"))


def _result(referee: Referee, number: int, acts: int) -> Result:
    """A game that tells no figures counts as a draw of no rounds."""
    game = referee.game
    found = game.ending(referee.pictures[TABLE]) if isinstance(game, Endings) else None
    return Result(number, Ending((), "over", 0) if found is None else found, acts)


# --- many games -------------------------------------------------------------------------------------------------


class Task(Struct, frozen=True):
    """What one process plays at a time: some games, by their numbers, of the match with this index."""

    match: int
    games: tuple[int, ...]


def tasks(matches: int, count: int, jobs: int) -> list[Task]:
    """Games 1 to `count` of each match, in order, in tasks that keep `jobs` processes evenly busy."""
    size = max(1, min(8, matches * count // (4 * jobs)))
    starts = range(1, count + 1, size)
    return [
        Task(match, tuple(range(start, min(start + size, count + 1)))) for match in range(matches) for start in starts
    ]


def play_task(matches: Sequence[Match], task: Task) -> list[Result]:
    """The results of a task. Raises `BotFault`."""
    return [play(matches[task.match], number) for number in task.games]


def play_all(match: Match, count: int, jobs: int) -> Iterator[Result]:
    """The results of games 1 to `count`, in order, `jobs` games at a time."""
    return play_each([match], count, jobs)


def play_each(matches: Sequence[Match], count: int, jobs: int) -> Iterator[Result]:
    """The same for several matches, all games of one after all games of another.

    Raises `BotFault` and `Unavailable`.
    """
    if jobs == 1:
        yield from (play(match, number) for match in matches for number in range(1, count + 1))
        return
    for results in in_order(_play_taken, tasks(len(matches), count, jobs), jobs, partial(_take, matches)):
        yield from results


_taken: list[Match] = []
"""The matches of this worker process: sent once, as a map is far larger than a result."""


def _take(matches: Sequence[Match]) -> None:
    ctrl_c.listen()
    _taken[:] = matches


def _play_taken(task: Task) -> list[Result]:
    return play_task(_taken, task)


# --- together ---------------------------------------------------------------------------------------------------


def summary(results: Sequence[Result], seats: Mapping[str, str]) -> Summary:
    """At least one result and all of them together."""
    endings = [result.ending for result in results]
    wins, rounds = Counter(winner for it in endings for winner in it.winners), [it.rounds for it in endings]
    return Summary(
        games=len(results),
        wins={seat: wilson(wins[seat], len(results)) for seat in seats},
        draws=sum(not it.winners for it in endings),
        causes=dict(Counter(it.reason for it in endings).most_common()),
        mean_rounds=mean(rounds),
        median_rounds=median(rounds),
        shortest=min(rounds),
        longest=max(rounds),
        mean_acts=mean(result.acts for result in results),
    )


def wilson(wins: int, of: int) -> Share:
    """A share with its Wilson score interval."""
    share, z2 = wins / of, CONFIDENT**2
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = CONFIDENT * sqrt(share * (1 - share) / of + z2 / (4 * of**2)) / (1 + z2 / of)
    return Share(wins, share, max(0.0, middle - half), min(1.0, middle + half))
