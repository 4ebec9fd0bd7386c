"""How strong each bot of a game is, from all of them against each other: Bradley-Terry ratings on Elo's scale.

A game is between two sides. The chance that the first side wins is logistic in the rating of its bot, minus that of the
other side's, plus the advantage of the first side on the map; a draw counts as half a win (Bradley and Terry 1952, with
the order effect of Davidson and Beaver 1977). Needs the extra `ratings`; the table never imports this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from math import log
from random import Random
from typing import Any

import numpy as np
from msgspec import Struct
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from engine.game import Endings, Game, Scored
from engine.graph import Map
from engine.refusal import NotUnderstood, no_such
from firmware_host.core import bots
from lab.arena import CONFIDENT, Match, Result

AVERAGE = 1500.0
ELO = 400 / log(10)
"""Points for a logit: 400 points are ten to one."""
SPREAD = 800.0
"""Points; the standard deviation of the normal distribution from which ratings and advantages are taken to come.

So wide that it moves no rating noticeably that games tell of, it keeps that of a bot finite which won all of its games.
"""
ITSELF = "the game"
"""Whom a bot plays against where a game has one seat."""


class Entry(Struct, frozen=True):
    """Who is rated: a bot, at a seat where the sides have different bots, else (None) wherever it sits."""

    seat: str | None
    bot: str


class Pairing(Struct, frozen=True):
    """Two entries that play each other on a map, the first at the first seat.

    The seed of `match` is its own: with the same luck for all, results would depend on each other.
    """

    place: str
    first: Entry
    second: Entry
    match: Match


class Outcome(Struct, frozen=True):
    """What came of a pairing: wins of the first, and of the second, a draw being half a win of each."""

    place: str
    first: Entry
    second: Entry
    wins: float
    losses: float


class Estimate(Struct, frozen=True):
    """Points, with the interval that holds the true ones 95 times out of 100."""

    points: float
    low: float
    high: float


class Ratings(Struct, frozen=True):
    """The entries' ratings, those of a side 1500 on average, the best first; how many points each is ahead of the next
    of its side, whose interval tells whether they differ; and for each place how many points ahead an average bot of
    the first side is of an average one of the second.
    """

    entries: dict[Entry, Estimate]
    leads: dict[Entry, Estimate]
    advantages: dict[str, Estimate]


# --- who plays whom ---------------------------------------------------------------------------------------------


def pairings(game: Game, boards: Iterable[tuple[Map | None, Any]], names: Sequence[str], seed: int) -> list[Pairing]:
    """All pairs of the bots called `names` (none: of all bots) on all boards, each with its options.

    Raises `NotUnderstood` for bots of whom no two can play each other, and for boards with more than two seats.
    """
    if not isinstance(game, Endings):
        raise NotUnderstood(f"{game.title} does not tell who has won, and so nobody can be rated.")
    found = []
    for board, options in boards:
        seats = [seat.name for seat in game.seats(options)]
        if len(seats) > 2:
            raise NotUnderstood(
                f"Ratings compare two sides, and {_place(game, board)} has {len(seats)} seats here: choose a map or "
                "--options with one or two."
            )
        if len(seats) == 1 and isinstance(game, Scored):
            raise NotUnderstood(f"{game.title} alone is played for a score, and is not won or lost: let two play.")
        for first, second in _pairs(game, seats, names):
            seated = {seat: entry.bot for seat, entry in zip(seats, (first, second), strict=False)}
            luck = "/".join([str(seed), _place(game, board), first.bot, second.bot])
            match = Match(game.name, board, options, seated, Random(luck).getrandbits(31))
            found.append(Pairing(_place(game, board), first, second, match))
    if not found:
        raise NotUnderstood("No two of these bots can play each other: name more of them, or none for all.")
    return found


def _place(game: Game, board: Map | None) -> str:
    return game.name if board is None else board.slug


def _pairs(game: Game, seats: Sequence[str], names: Sequence[str]) -> Iterator[tuple[Entry, Entry]]:
    """Who plays whom. Where both seats have the same bots, each two of them play with either at the first seat."""
    unknown = [name for name in names if name not in bots.names(game)]
    if unknown:
        raise NotUnderstood(no_such("bot", unknown[0], bots.names(game)))
    wanted = names or [name for name in bots.names(game) if not bots.find(game, name).thinks]
    able = [bots.ranked(game, seat) for seat in seats]
    one, *others = [[name for name in row if name in wanted] for row in able]
    if not others:
        yield from ((Entry(seats[0], name), Entry(None, ITSELF)) for name in one)
    elif able[0] == able[1]:
        yield from ((Entry(None, a), Entry(None, b)) for a in one for b in one if a != b)
    else:
        yield from ((Entry(seats[0], a), Entry(seats[1], b)) for a in one for b in others[0])


# --- what came of it --------------------------------------------------------------------------------------------


def outcomes(played: Sequence[Pairing], results: Iterable[Result], count: int) -> list[Outcome]:
    """What came of `count` games of each pairing, whose results come in order."""
    coming, found = iter(results), []
    for pairing in played:
        wins = sum(_score(result.ending.winners, list(pairing.match.seats)) for result in islice(coming, count))
        found.append(Outcome(pairing.place, pairing.first, pairing.second, wins, count - wins))
    return found


def _score(winners: Sequence[str], seats: Sequence[str]) -> float:
    """1 where the first seat has won alone, 0 where the other has, ½ where both have or neither.

    A game with one seat wins where that seat does not.
    """
    if len(seats) == 1:
        return float(seats[0] in winners)
    return (1 + (seats[0] in winners) - (seats[1] in winners)) / 2


def rate(found: Sequence[Outcome], spread: float = SPREAD) -> Ratings:
    """The ratings at which the outcomes are likeliest, with intervals from their Fisher information."""
    places = list(dict.fromkeys(it.place for it in found))
    firsts = list(dict.fromkeys(it.first for it in found))
    seconds = list(dict.fromkeys(it.second for it in found))
    sides = [firsts] if set(firsts) == set(seconds) else [firsts, seconds]
    rows = _rows(places, sides)
    design = np.array([rows[it.place] + rows[it.first] - rows[it.second] for it in found])
    points, covariance = _fit(
        design, np.array([it.wins for it in found]), np.array([it.losses for it in found]), ELO / spread
    )

    def estimate(row: Any, base: float = 0.0) -> Estimate:
        middle = base + ELO * float(row @ points)
        half = CONFIDENT * ELO * float(np.sqrt(row @ covariance @ row))
        return Estimate(middle, middle - half, middle + half)

    rated: dict[Entry, Estimate] = {}
    leads: dict[Entry, Estimate] = {}
    for side in sides:
        best = sorted((it for it in side if it.bot != ITSELF), key=lambda it: float(rows[it] @ points), reverse=True)
        rated |= {entry: estimate(rows[entry], AVERAGE) for entry in best}
        leads |= {entry: estimate(rows[entry] - rows[after]) for entry, after in pairwise(best)}
    return Ratings(rated, leads, {place: estimate(rows[place]) for place in places})


def _rows(places: Sequence[str], sides: Sequence[Sequence[Entry]]) -> dict[Any, Any]:
    """Place or entry -> how it is made of the model's parameters, a vector; those of a side add up to 0."""
    size = len(places) + sum(map(len, sides))
    rows: dict[Any, Any] = dict(zip(places, np.eye(size), strict=False))
    start = len(places)
    for side in sides:
        centred = np.zeros((len(side), size))
        centred[:, start : start + len(side)] = np.eye(len(side)) - 1 / len(side)
        rows |= dict(zip(side, centred, strict=True))
        start += len(side)
    return rows


def _fit(design: Any, wins: Any, losses: Any, tightness: float) -> tuple[Any, Any]:
    """The likeliest parameters of a logistic model, and their covariance; `tightness` is 1 / their deviation before."""
    games, ridge = wins + losses, tightness**2

    def cost(at: Any) -> float:
        told = design @ at
        return float(-wins @ log_expit(told) - losses @ log_expit(-told) + ridge * at @ at / 2)

    def slope(at: Any) -> Any:
        return design.T @ (games * expit(design @ at) - wins) + ridge * at

    def information(at: Any) -> Any:
        chance = expit(design @ at)
        return (design.T * (games * chance * (1 - chance))) @ design + ridge * np.eye(len(at))

    found = minimize(cost, np.zeros(design.shape[1]), jac=slope, hess=information, method="trust-exact").x
    return found, np.linalg.inv(information(found))
