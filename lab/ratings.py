"""Rate the bots of a game from games against each other: Bradley-Terry ratings on the Elo scale.

The probability that the first side wins is logistic in the rating of its bot, minus the rating of the other bot, plus
the advantage of the first side on the map. A draw counts as half a win (Bradley and Terry 1952, with the order effect
of Davidson and Beaver 1977). Needs the extra `ratings`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from math import log
from random import Random
from typing import Any

import numpy as np
import scipy
from msgspec import Struct

from engine.game import Endings, Game, Scored, has_won, sides
from engine.graph import Map
from engine.refusal import NotUnderstood, no_such
from firmware_host.core import bots
from lab.arena import NORMAL_QUANTILE, Match, Result

AVERAGE = 1500.0
ELO = 400 / log(10)
"""Points per logit: 400 points are ten to one."""
SPREAD = 800.0
"""Standard deviation of the prior of ratings and advantages, in points.

It is so wide that it hardly changes a rating, but keeps the rating of a bot that won all its games finite.
"""
ITSELF = "the game"
"""The opponent in a game for one seat."""


class RatedBot(Struct, frozen=True):
    """A rated bot, on one side if the sides have different bots, or at all seats (None)."""

    seat: str | None
    bot: str


class Pairing(Struct, frozen=True):
    """Two entries that play each other on a map, the first on the first of its `sides`.

    Each pairing has its own seed, so that results are independent.
    """

    place: str
    first: RatedBot
    second: RatedBot
    match: Match
    sides: dict[str, tuple[str, ...]]


class Outcome(Struct, frozen=True):
    """Wins of the first entry and of the second (`losses`); a draw is half a win of each."""

    place: str
    first: RatedBot
    second: RatedBot
    wins: float
    losses: float


class Estimate(Struct, frozen=True):
    """Points with their 95 % interval."""

    points: float
    low: float
    high: float


class Ratings(Struct, frozen=True):
    """All ratings, the best first; the mean of each side is 1500.

    `leads` is how many points an entry is ahead of the next of its side. `advantages` is place -> how many points an
    average bot of the first side is ahead of an average one of the second.
    """

    entries: dict[RatedBot, Estimate]
    leads: dict[RatedBot, Estimate]
    advantages: dict[str, Estimate]


# --- who plays whom ---------------------------------------------------------------------------------------------


def make_pairings(
    game: Game, boards: Iterable[tuple[Map | None, Any]], names: Sequence[str], seed: int
) -> list[Pairing]:
    """Return all pairs of the named bots (no names: all bots without a search) on all boards with their options.

    Raises `NotUnderstood` if no two bots can play each other, or for boards with more than two seats.
    """
    if not isinstance(game, Endings):
        raise NotUnderstood(f"{game.title} does not report winners, so its bots cannot be rated.")
    pairings = []
    for board, options in boards:
        teams = sides(game, options)
        if len(teams) > 2:
            raise NotUnderstood(
                f"Ratings compare two sides, and {_place(game, board)} has {len(teams)} sides here: choose a map or "
                "--options with one or two."
            )
        if len(teams) == 1 and isinstance(game, Scored):
            raise NotUnderstood(f"{game.title} alone is played for a score, and is not won or lost: let two play.")
        for first, second in _pairs(game, teams, names):
            paired = zip(teams.values(), (first, second), strict=False)
            seated = {seat: entry.bot for seats, entry in paired for seat in seats}
            luck = "/".join([str(seed), _place(game, board), first.bot, second.bot])
            match = Match(game.name, board, options, seated, Random(luck).getrandbits(31))
            pairings.append(Pairing(_place(game, board), first, second, match, teams))
    if not pairings:
        raise NotUnderstood("No two of these bots can play each other: name more of them, or none for all.")
    return pairings


def _place(game: Game, board: Map | None) -> str:
    return game.name if board is None else board.slug


def _pairs(game: Game, teams: Mapping[str, Sequence[str]], names: Sequence[str]) -> Iterator[tuple[RatedBot, RatedBot]]:
    """Yield who plays whom; a bot of a side plays all its seats.

    If both sides have the same bots, each pair plays twice, with sides swapped.
    """
    unknown = [name for name in names if name not in bots.names(game)]
    if unknown:
        raise NotUnderstood(no_such("bot", unknown[0], bots.names(game)))
    bot_names = names or [name for name in bots.names(game) if not bots.find(game, name).thinks]
    names_of_sides = [*teams]
    able = [[name for name in bots.ranked(game, seats[0]) if _plays(game, name, seats)] for seats in teams.values()]
    one, *others = [[name for name in row if name in bot_names] for row in able]
    if not others:
        yield from ((RatedBot(names_of_sides[0], name), RatedBot(None, ITSELF)) for name in one)
    elif able[0] == able[1]:
        yield from ((RatedBot(None, a), RatedBot(None, b)) for a in one for b in one if a != b)
    else:
        yield from ((RatedBot(names_of_sides[0], a), RatedBot(names_of_sides[1], b)) for a in one for b in others[0])


def _plays(game: Game, name: str, seats: Sequence[str]) -> bool:
    return all(bots.find(game, name).plays(seat) for seat in seats)


# --- what came of it --------------------------------------------------------------------------------------------


def count_outcomes(played: Sequence[Pairing], results: Iterable[Result], count: int) -> list[Outcome]:
    """Return the outcome of `count` games of each pairing, from results in order."""
    coming, outcomes = iter(results), []
    for pairing in played:
        wins = sum(_result_of_first(result.ending.winners, pairing.sides) for result in islice(coming, count))
        outcomes.append(Outcome(pairing.place, pairing.first, pairing.second, wins, count - wins))
    return outcomes


def _result_of_first(winners: Sequence[str], teams: Mapping[str, Sequence[str]]) -> float:
    """Return 1 if only the first side won, 0 if only the other did, else ½.

    With one side, the game wins if the side does not.
    """
    won = [has_won(winners, side, seats) for side, seats in teams.items()]
    return float(won[0]) if len(won) == 1 else (1 + won[0] - won[1]) / 2


def rate(outcomes: Sequence[Outcome], spread: float = SPREAD) -> Ratings:
    """Return the most likely ratings, with intervals from the Fisher information."""
    places = list(dict.fromkeys(it.place for it in outcomes))
    firsts = list(dict.fromkeys(it.first for it in outcomes))
    seconds = list(dict.fromkeys(it.second for it in outcomes))
    sides = [firsts] if set(firsts) == set(seconds) else [firsts, seconds]
    rows = _rows(places, sides)
    design = np.array([rows[it.place] + rows[it.first] - rows[it.second] for it in outcomes])
    points, covariance = fit_logistic(
        design, np.array([it.wins for it in outcomes]), np.array([it.losses for it in outcomes]), ELO / spread
    )

    def estimate(row: Any, base: float = 0.0) -> Estimate:
        middle = base + ELO * float(row @ points)
        half = NORMAL_QUANTILE * ELO * float(np.sqrt(row @ covariance @ row))
        return Estimate(middle, middle - half, middle + half)

    rated: dict[RatedBot, Estimate] = {}
    leads: dict[RatedBot, Estimate] = {}
    for side in sides:
        best = sorted((it for it in side if it.bot != ITSELF), key=lambda it: float(rows[it] @ points), reverse=True)
        rated |= {entry: estimate(rows[entry], AVERAGE) for entry in best}
        leads |= {entry: estimate(rows[entry] - rows[after]) for entry, after in pairwise(best)}
    return Ratings(rated, leads, {place: estimate(rows[place]) for place in places})


def _rows(places: Sequence[str], sides: Sequence[Sequence[RatedBot]]) -> dict[Any, Any]:
    """Return place or entry -> its vector of model parameters; the ratings of a side add up to 0."""
    size = len(places) + sum(map(len, sides))
    rows: dict[Any, Any] = dict(zip(places, np.eye(size), strict=False))
    start = len(places)
    for side in sides:
        # Subtracting the mean makes a rating relative to the average of its side.
        centred = np.zeros((len(side), size))
        centred[:, start : start + len(side)] = np.eye(len(side)) - 1 / len(side)
        rows |= dict(zip(side, centred, strict=True))
        start += len(side)
    return rows


def fit_logistic(design: Any, wins: Any, losses: Any, tightness: float) -> tuple[Any, Any]:
    """Return the most likely parameters of a logistic model, and their covariance; `tightness` is 1 / prior SD."""
    games, ridge = wins + losses, tightness**2
    expit, log_expit = scipy.special.expit, scipy.special.log_expit  # SciPy imports its parts when they are used

    def cost(at: Any) -> float:
        logits = design @ at
        # `log_expit` stays finite where the logarithm of `expit` would overflow.
        return float(-wins @ log_expit(logits) - losses @ log_expit(-logits) + ridge * at @ at / 2)

    def slope(at: Any) -> Any:
        return design.T @ (games * expit(design @ at) - wins) + ridge * at

    def information(at: Any) -> Any:
        chance = expit(design @ at)
        return (design.T * (games * chance * (1 - chance))) @ design + ridge * np.eye(len(at))

    found = scipy.optimize.minimize(cost, np.zeros(design.shape[1]), jac=slope, hess=information, method="trust-exact")
    best = found.x
    # The inverse of the Fisher information approximates the covariance.
    return best, np.linalg.inv(information(best))
