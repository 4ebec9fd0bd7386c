"""Play many games between bots, and count who wins, how and how soon.

Each game and each bot has its own random source, made from the seed and the number of the game. So the same seed gives
the same games with any number of processes, here or on a cluster (`cluster.py`).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any

from msgspec import Struct

import games
from engine.chance import Chance
from engine.events import Told
from engine.game import TABLE, Ending, Endings, has_won
from engine.graph import Map
from engine.graph.fault import MapError
from engine.referee import Referee
from engine.refusal import RuleError
from engine.search.budget import Budget, timed
from firmware_host.core import ctrl_c
from firmware_host.core.errors import place_of
from firmware_host.seats.players import BotPlayer
from lab.processes import Unavailable, in_order

ROOT = Path(__file__).resolve().parents[1]
NORMAL_QUANTILE = 1.959963984540054
"""The two-sided 95 % quantile of the normal distribution."""
DEFAULT_LINES = 60
"""Default number of lines that a searching bot simulates per action."""
MOST_ACTS = 2000
"""Maximum number of actions of one seat in a row; a bot that exceeds it would never stop. A game for one seat is a
single row, of up to 141 actions in Stalingrad; with other seats no row was longer than 40. A table has a lower limit.
"""


class Match(Struct, frozen=True):
    """A game, its board and options, a bot for every seat, and a seed.

    A searching bot may simulate `lines` per action, or search for `thought` seconds if that is not 0; then the same
    seed does not give the same games.
    """

    game: str
    board: Map | None
    options: Any
    seats: dict[str, str]
    seed: int
    lines: int = DEFAULT_LINES
    thought: float = 0.0

    @property
    def budget(self) -> Budget:
        return timed(self.thought, time.monotonic) if self.thought else Budget(self.lines)


Seated = Callable[..., BotPlayer]
"""Puts a bot on its seat, with the arguments of `BotPlayer`."""


class Result(Struct, frozen=True):
    """The result of one game; `acts` counts the actions of all seats."""

    game: int
    ending: Ending
    acts: int


class Share(Struct, frozen=True):
    """How often one side won, with the 95 % Wilson interval."""

    wins: int
    share: float
    low: float
    high: float

    @property
    def cells(self) -> tuple[str, str]:
        return f"{self.share:.1%}", f"{self.low:.1%} to {self.high:.1%}"


class Summary(Struct, frozen=True):
    """Counts over many games.

    `wins` is side -> games that it won, alone or with others; `draws` counts games without a winner. `causes` is
    reason -> how many games ended by it; lengths are rounds.
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
    """A bot chose an illegal action or never stops acting, or its code or the game's code failed."""


class UsageExit(SystemExit):
    """The command line is wrong. Games never raise this, so it can't be confused with an exit caused by a game."""


@contextmanager
def named_faults(game: str, place: str = "") -> Iterator[None]:
    """Raise errors of a game's code as `BotFault`; pass on refusals and Ctrl-C.

    `place` is added to the message, for example " in game 3".
    """
    try:
        yield
    except (BotFault, RuleError, MapError, Unavailable, UsageExit):
        raise
    except BaseException as error:
        if ctrl_c.is_ctrl_c(error) or isinstance(error, GeneratorExit):
            raise
        raise BotFault(f"The game {game!r} failed{place}: {_place_of_error(error)}.") from error


# --- one game ---------------------------------------------------------------------------------------------------


def play_game(match: Match, number: int, seated: Seated = BotPlayer) -> Result:
    """Play game `number` of a match to its end. Raises `BotFault`. A game without `Endings` counts as a draw of 0
    rounds.
    """
    with named_faults(match.game, f" in game {number}"):
        for acts, (referee, _) in enumerate(moments(match, number, seated)):  # noqa: B007 (the first is the set-up)
            pass
        game = referee.game
        ending = game.ending(referee.pictures[TABLE]) if isinstance(game, Endings) else None
        return Result(number, Ending((), "over", 0) if ending is None else ending, acts)


def moments(match: Match, number: int, seated: Seated = BotPlayer) -> Iterator[tuple[Referee, tuple[Told, ...]]]:
    """Play a game to its end; yield it after the set-up and after each act, with its new events. Raises `BotFault`."""
    game = games.find(match.game)
    referee, last, row = Referee(game, game.blank(match.board, match.options)), "", 0
    chance = _chance(match, number, "game")
    players = {
        seat: seated(name, game, seat, referee.pictures[seat], _chance(match, number, seat), match.budget)
        for seat, name in match.seats.items()
    }
    telling = tuple(game.setup(match.board, match.options, chance))
    referee.tell(telling)
    yield referee, telling
    while referee.to_act:
        # If several seats may act, the first one acts, so that a seed always gives the same game.
        seat = referee.to_act[0]
        last, row = seat, row + 1 if seat == last else 1
        if row > MOST_ACTS:
            raise BotFault(
                f"The bot {match.seats[seat]!r} of {seat} acts for ever in game {number}: {MOST_ACTS} acts in a row."
            )
        yield referee, _act(match, number, referee, players[seat], seat, chance)


def _act(match: Match, number: int, referee: Referee, player: BotPlayer, seat: str, chance: Chance) -> tuple[Told, ...]:
    """Let a bot act, and return the events. Raises `BotFault`."""
    name = match.seats[seat]
    try:
        command = player.ask(referee)
    except BaseException as error:
        if ctrl_c.is_ctrl_c(error):
            raise
        why = _place_of_error(error)
        raise BotFault(f"The bot {name!r} of {seat} failed in game {number}: {why}.") from error
    try:
        return referee.submit(seat, command, chance)
    except RuleError as error:
        raise BotFault(f"The bot {name!r} wanted {command} in game {number}: {error}") from error


def _place_of_error(error: BaseException) -> str:
    """Return what an error is and where it arose; files of the project are relative to it."""
    return place_of(error).replace(f"{ROOT}/", "")


def _chance(match: Match, number: int, who: str) -> Chance:
    # From a string, `Random` derives the same state in every process, unlike from `hash`.
    return Chance(Random(f"{match.seed}/{number}/{who}"))


# --- many games -------------------------------------------------------------------------------------------------


def play_match(match: Match, count: int, jobs: int) -> Iterator[Result]:
    """Yield the results of games 1 to `count`, in order, `jobs` games at a time."""
    return play_matches([match], count, jobs)


def play_matches(matches: Sequence[Match], count: int, jobs: int) -> Iterator[Result]:
    """Yield the results of games 1 to `count` of each match, one match after the other. Raises `BotFault` and
    `Unavailable`.
    """
    return in_order(play_numbered, matches, game_numbers(len(matches), count), jobs)


def game_numbers(matches: int, count: int) -> list[tuple[int, int]]:
    """Return (index of the match, number of the game) for games 1 to `count` of each match, in order."""
    return [(match, number) for match in range(matches) for number in range(1, count + 1)]


def play_numbered(matches: Sequence[Match], game: tuple[int, int]) -> Result:
    """Play one of the `game_numbers`. Raises `BotFault`."""
    return play_game(matches[game[0]], game[1])


# --- together ---------------------------------------------------------------------------------------------------


def summarize(results: Sequence[Result], teams: Mapping[str, Sequence[str]]) -> Summary:
    """Return the summary of at least one result; for `teams`, see `engine.game.sides`."""
    endings = [result.ending for result in results]
    rounds = [it.rounds for it in endings]
    wins = {side: sum(has_won(it.winners, side, seats) for it in endings) for side, seats in teams.items()}
    return Summary(
        games=len(results),
        wins={side: wilson_interval(wins[side], len(results)) for side in teams},
        draws=sum(not it.winners for it in endings),
        causes=dict(Counter(it.reason for it in endings).most_common()),
        mean_rounds=mean(rounds),
        median_rounds=median(rounds),
        shortest=min(rounds),
        longest=max(rounds),
        mean_acts=mean(result.acts for result in results),
    )


def wilson_interval(wins: int, of: int) -> Share:
    share, z2 = wins / of, NORMAL_QUANTILE**2
    # Unlike the simple interval, this one stays within 0 and 1, also after a few games.
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = NORMAL_QUANTILE * sqrt(share * (1 - share) / of + z2 / (4 * of**2)) / (1 + z2 / of)
    return Share(wins, share, max(0.0, middle - half), min(1.0, middle + half))
