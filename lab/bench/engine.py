"""The engine on one core: actions listed and submitted, whole games, and what everybody can work out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from msgspec import Struct

import games
from engine.chance import Chance
from engine.game import TABLE, Deducing, Deduction, Game
from engine.graph import Map
from engine.referee import Referee
from firmware_host.core import bots, maps
from lab.arena import Match, play
from lab.bench.figures import Figure, Measured, Plan, middle, quantile

COMMON_BOT = "random"
LONGEST = 3000
"""Acts after which a random game is left."""


class Pace(Struct):
    """Random play so far: actions submitted and listed, with the seconds of processor for each."""

    submitted: int = 0
    listed: int = 0
    submitting: float = 0.0
    listing: float = 0.0


def measure(plan: Plan) -> Iterator[Measured]:
    """Every game on the first of its boards."""
    for name in games.names():
        game, board, options = played(name)
        pace = random_play(game, board, options, plan.seconds)
        submitted, listed = pace.submitted / pace.submitting, pace.listed / pace.listing
        yield Figure(f"{name}.submitted", f"{game.title}: actions submitted", submitted, "/s", "rate")
        yield Figure(f"{name}.listed", f"{game.title}: actions listed", listed, "/s", "rate")
        yield from _games(game, board, options, plan)
        if isinstance(game, Deducing):
            yield _deduced(game, game.deduction, board, options, plan)


def played(name: str) -> tuple[Game, Map | None, Any]:
    """A game with the first of its boards and the options that nobody has changed."""
    game = games.find(name)
    on = next(iter(maps.offered(game)), None)
    board = None if on is None else maps.load(on)
    return game, board, maps.options_on(game, board, {})


def started(game: Game, board: Map | None, options: Any, seed: int) -> tuple[Referee, Chance]:
    """A new game."""
    chance = Chance(Random(seed))
    referee = Referee(game, game.blank(board, options))
    referee.tell(game.setup(board, options, chance))
    return referee, chance


def random_play(game: Game, board: Map | None, options: Any, seconds: float) -> Pace:
    """Random games for so many seconds of processor: legal acts are listed, and any of them is submitted."""
    pace, clock, seed = Pace(), time.process_time, 0
    end = clock() + seconds
    while clock() < end:
        seed += 1
        random, (referee, chance) = Random(seed), started(game, board, options, seed)
        for _ in range(LONGEST):
            if not referee.to_act:
                break
            seat, began = referee.to_act[0], clock()
            legal = referee.legal(seat)
            listed, command = clock(), legal[random.randrange(len(legal))]
            referee.submit(seat, command, chance)
            pace.submitting += clock() - listed
            pace.listing += listed - began
            pace.submitted += 1
            pace.listed += len(legal)
    return pace


def _games(game: Game, board: Map | None, options: Any, plan: Plan) -> Iterator[Figure]:
    """Games a minute, by random bots and by the strongest."""
    seats = [seat.name for seat in game.seats(options)]
    for id, what, chosen in (
        ("random", "random bots", dict.fromkeys(seats, COMMON_BOT)),
        ("strong", "the strongest bots", {seat: bots.strongest(game, seat) for seat in seats}),
    ):
        match = Match(game.name, board, options, chosen, seed=1)
        began = time.process_time()
        for number in range(1, plan.games + 1):
            play(match, number)
        rate = 60 * plan.games / (time.process_time() - began)
        yield Figure(f"{game.name}.games.{id}", f"{game.title}: games of {what}", rate, "/min", "rate")


def _deduced(game: Game, deduction: Callable[[Any], Deduction], board: Map | None, options: Any, plan: Plan) -> Figure:
    """Microseconds for each event that everybody is told of."""
    took = followed(game, deduction, board, options, plan.games)
    us = [1e6 * value for value in took]
    return Figure(
        f"{game.name}.deduction",
        f"{game.title}: possible positions of hidden pieces, after an event",
        middle(us),
        "µs",
        "time",
        quantile(us, 0.99),
        len(us),
    )


def followed(
    game: Game, deduction: Callable[[Any], Deduction], board: Map | None, options: Any, games: int
) -> list[float]:
    """Seconds of processor for each event that everybody is told of, in so many random games."""
    return [took for seed in range(1, games + 1) for took in _follow(game, deduction, board, options, seed)]


def _follow(
    game: Game, deduction: Callable[[Any], Deduction], board: Map | None, options: Any, seed: int
) -> Iterator[float]:
    """Seconds of processor for each event of a random game."""
    referee, chance = started(game, board, options, seed)
    random = Random(seed)
    for _ in range(LONGEST):
        if not referee.to_act:
            break
        legal = referee.legal(referee.to_act[0])
        referee.submit(referee.to_act[0], legal[random.randrange(len(legal))], chance)
    view = game.blank(board, options)[TABLE]
    known = deduction(view)
    for event in referee.told[TABLE]:
        began = time.process_time()
        known = known.after(view, event)
        yield time.process_time() - began
        view = game.fold(view, event)
