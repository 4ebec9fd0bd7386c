"""Fit the weights of `games/sniper_elite/bots/_outcome.py`: how likely the sniper is to win at the start of its turn.

`python -m lab.outcome --games 1000` plays that many games of the strong bots on each map. In each game, places,
wounds and secrets are changed once at random, and the game continues from there. Otherwise correlated facts would be
confused: a unit near an objective, for example, with the noise that brought it there. At random the bots make any act
or end their turn. A logistic regression on half of the games gives the weights; the other half tests them. Needs the
extra `ratings`.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

import games
from engine.chance import Chance
from engine.game import Command
from firmware_host.core import maps
from games.sniper_elite.bots._dealing import sample_truth
from games.sniper_elite.bots._guard_turn import END as DEFENDERS_END
from games.sniper_elite.bots._line import Line, without_marks
from games.sniper_elite.bots._outcome import NAMES, WEIGHTS, facts, probability
from games.sniper_elite.bots._sneak_turn import END as SNIPER_END
from games.sniper_elite.rules.words import SNIPER
from lab.belief import start_line
from lab.contests import BOARDS, GAME
from lab.ratings import fit_logistic
from lab.study import options

ODD, IDLE = 0.06, 0.04
"""How often any act is done instead of the best, and how often the turn is ended."""
LATEST: Final = 7
"""The last round in which something is changed."""
MOVED: Final = 0.6
"""How many of the units are put elsewhere."""
WOUNDS: Final = 2
"""So many wounds end the game."""
PENALTY: Final = 1.0
"""Of the regression: the sum of the squared weights counts so many times, half of it."""

Row = tuple[tuple[float, ...], bool]
"""The facts at the start of a turn of the sniper's, and whether it won in the end."""


def observed(board: str, seed: str) -> list[Row]:
    """Return the rows of one game, after the turn of the defenders in which places, wounds and secrets were changed."""
    luck = Random(seed)
    game = games.find(GAME)
    line = start_line(game, maps.load(board), Chance(luck))
    seen, rounds, shaken, last = list[tuple[float, ...]](), 0, luck.randrange(1, LATEST), ""
    while (seat := line.to_act) is not None:
        legal = game.legal(line.truth, seat)
        if DEFENDERS_END in legal and last != seat and 0 < shaken <= line.truth.round:
            shake(line, luck)
            rounds, shaken, legal = line.truth.round, 0, game.legal(line.truth, seat)
        elif SNIPER_END in legal and not shaken and line.truth.round > rounds:
            seen.append(facts(line.truth, line.known, line.guess, line.public))
            rounds = line.truth.round
        line.act(_erring(line, seat, legal, luck))
        last = seat
    assert line.truth.over is not None
    return [(row, line.truth.over.winner == SNIPER) for row in seen]


def shake(line: Line, luck: Random) -> None:
    """Deal the sniper's secrets again, change its wounds, and move some units."""
    ground = line.known.ground
    belief = line.guess.belief(line.known, line.public)
    truth = sample_truth(line.public, line.known, belief, luck, luck.random())
    units = dict(truth.units)
    for unit, space in truth.units.items():
        free = [name for name in ground.names if name not in units.values() and name != truth.mine.space]
        if space is not None and luck.random() < MOVED:
            units[unit] = luck.choice(free)
    change: dict[str, Any] = {"units": units, "wounds": luck.randrange(WOUNDS)}
    line.truth, line.public = replace(truth, **change), replace(line.public, **change)


def _erring(line: Line, seat: str, legal: Sequence[Command], luck: Random) -> Command:
    ends = [act for act in (SNIPER_END, DEFENDERS_END) if act in legal]
    kind = luck.random()
    if ends and kind < ODD:
        return luck.choice(without_marks(legal))
    if ends and kind < ODD + IDLE:
        return ends[0]
    return line.sneaks() if seat == SNIPER else line.guards()


def fitted(rows: Sequence[Row]) -> tuple[float, ...]:
    """Return the weights with the largest likelihood."""
    won = np.array([won for _, won in rows], float)
    weights, _ = fit_logistic(np.array([row for row, _ in rows]), won, 1 - won, PENALTY**0.5)
    return tuple(round(float(weight), 2) for weight in weights)


def surprise(weights: Sequence[float], rows: Sequence[Row]) -> float:
    """Return the mean surprise about the winners, in bits per row, if the weights are believed. A coin toss has 1."""
    judged = [probability(weights, row) if won else 1 - probability(weights, row) for row, won in rows]
    return float(-np.log2(judged).mean())


def compare(learnt: Sequence[Row], tested: Sequence[Row], names: Sequence[str], used: Sequence[float]) -> None:
    """Print the weights fitted to some rows next to those in use, and the surprise of both on other rows."""
    weights = fitted(learnt)
    for name, fresh, old in zip(names, weights, used, strict=True):
        print(f"{name:18} {fresh:6.2f}   in use {old:6.2f}")
    print(f"bits a row on {len(tested)} others: {surprise(weights, tested):.4f}, in use {surprise(used, tested):.4f}")


def observe_all(observe: Callable[..., list[Row]], wanted: Iterable[tuple[str, ...]], jobs: int) -> list[list[Row]]:
    """Return the rows of each game, in order; `wanted` has the arguments of `observe` for each."""
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        return pool.starmap(observe, wanted, chunksize=10)


def main(argv: Sequence[str] | None = None) -> None:
    """Print fitted and current weights, and test both on games that they were not fitted to."""
    asked = options(__doc__, 1000, "on each map").parse_args(argv)
    wanted = [(board, f"outcome/{number}") for board in BOARDS for number in range(asked.games)]
    played = observe_all(observed, wanted, asked.jobs)
    learnt, tested = ([row for game in played[start::2] for row in game] for start in (0, 1))
    compare(learnt, tested, NAMES, WEIGHTS)
    constant = sum(won for _, won in learnt) / len(learnt)
    share = sum(won for _, won in tested) / len(tested)
    base = -(share * np.log2(constant) + (1 - share) * np.log2(1 - constant))
    print(f"the share alone, {constant:.3f} won: {base:.4f}")


if __name__ == "__main__":
    main()
