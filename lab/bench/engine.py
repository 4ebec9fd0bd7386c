"""Measure the engine on one core: actions listed and submitted, games, deductions, pictures."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

import games
from engine.chance import Chance
from engine.game import REFEREE, TABLE, Deducing, Deduction, Game
from engine.graph import Map
from engine.referee import Referee
from firmware_host.core import bots, maps
from firmware_host.core.encoding import EncodedPicture, Fragment
from firmware_host.play.pictures import of_viewer
from lab.arena import Match, play_game
from lab.bench.figures import Figure, Measured, Plan, quantile
from web_panel.language import DEFAULT, language

COMMON_BOT = "random"
LONGEST = 3000
"""Maximum number of actions of a random game."""


class Pace(Struct):
    """Actions submitted and listed in random play, with the CPU seconds for each."""

    submitted: int = 0
    listed: int = 0
    submitting: float = 0.0
    listing: float = 0.0


def measure(plan: Plan) -> Iterator[Measured]:
    for name in games.names():
        game, board, options = first_board(name)
        pace = play_randomly(game, board, options, plan.seconds)
        submitted, listed = pace.submitted / pace.submitting, pace.listed / pace.listing
        yield Figure(f"{name}.submitted", f"{game.title}: actions submitted", submitted, "/s", "rate")
        yield Figure(f"{name}.listed", f"{game.title}: actions listed", listed, "/s", "rate")
        yield from _games(game, board, options, plan)
        if isinstance(game, Deducing):
            yield _deduced(game, game.deduction, board, options, plan)


def first_board(name: str) -> tuple[Game, Map | None, Any]:
    game = games.find(name)
    on = next(iter(maps.offered(game)), None)
    board = None if on is None else maps.load(on)
    return game, board, maps.options_on(game, board, {})


def start_game(game: Game, board: Map | None, options: Any, seed: int) -> tuple[Referee, Chance]:
    chance = Chance(Random(seed))
    referee = Referee(game, game.blank(board, options))
    referee.tell(game.setup(board, options, chance))
    return referee, chance


def play_randomly(game: Game, board: Map | None, options: Any, seconds: float) -> Pace:
    """Play random games for some CPU seconds, each once: list the legal actions, read one from JSON, submit it."""
    # Processor time, so that other programs on this machine do not count.
    pace, clock, seed = Pace(), time.process_time, 0
    # Reading this clock takes as long as a short list.
    reading = seconds_per_reading(clock)
    end = clock() + seconds
    while clock() < end:
        seed += 1
        random, (referee, chance) = Random(seed), start_game(game, board, options, seed)
        for _ in range(LONGEST):
            if not referee.to_act:
                break
            seat, began = referee.to_act[0], clock()
            legal = referee.legal(seat)
            pace.listing += clock() - began - reading
            sent = msgspec.json.encode(legal[random.randrange(len(legal))])
            began = clock()
            referee.submit(seat, game.read_command(seat, msgspec.json.decode(sent)), chance)
            pace.submitting += clock() - began - reading
            pace.submitted += 1
            pace.listed += len(legal)
    return pace


def seconds_per_reading(clock: Callable[[], float]) -> float:
    """Return how long one reading of a clock takes. This overhead is part of every measurement with that clock."""
    began = clock()
    for _ in range(9_999):
        clock()
    return (clock() - began) / 10_000


def _games(game: Game, board: Map | None, options: Any, plan: Plan) -> Iterator[Figure]:
    seats = [seat.name for seat in game.seats(options)]
    for id, what, chosen in (
        ("random", "random bots", dict.fromkeys(seats, COMMON_BOT)),
        ("strong", "the strongest bots", {seat: bots.strongest(game, seat) for seat in seats}),
    ):
        match = Match(game.name, board, options, chosen, seed=1)
        began = time.process_time()
        for number in range(1, plan.games + 1):
            play_game(match, number)
        rate = 60 * plan.games / (time.process_time() - began)
        yield Figure(f"{game.name}.games.{id}", f"{game.title}: games of {what}", rate, "/min", "rate")


def _deduced(game: Game, deduction: Callable[[Any], Deduction], board: Map | None, options: Any, plan: Plan) -> Figure:
    """Return the microseconds per public event."""
    us = [1e6 * seconds for seconds in time_deductions(game, deduction, board, options, plan.games)]
    what = f"{game.title}: possible positions of hidden pieces, after an event"
    return Figure(f"{game.name}.deduction", what, median(us), "µs", "time", quantile(us, 0.99), len(us))


def time_deductions(
    game: Game, deduction: Callable[[Any], Deduction], board: Map | None, options: Any, games: int
) -> list[float]:
    return [took for seed in range(1, games + 1) for took in _deduce(game, deduction, board, options, seed)]


def _deduce(
    game: Game, deduction: Callable[[Any], Deduction], board: Map | None, options: Any, seed: int
) -> Iterator[float]:
    referee, chance = start_game(game, board, options, seed)
    for _ in _act_at_random(referee, chance, seed, LONGEST):
        pass
    view = game.blank(board, options)[TABLE]
    deduced = deduction(view)
    for event in referee.told[TABLE]:
        began = time.process_time()
        deduced = deduced.after(view, event)
        yield time.process_time() - began
        view = game.fold(view, event)


def _act_at_random(referee: Referee, chance: Chance, seed: int, most: int) -> Iterator[None]:
    """Play a random game, and yield after each of at most `most` actions."""
    random = Random(seed)
    for _ in range(most):
        if not referee.to_act:
            return
        legal = referee.legal(referee.to_act[0])
        referee.submit(referee.to_act[0], legal[random.randrange(len(legal))], chance)
        yield


# --- pictures for the screens -------------------------------------------------------------------------------------


def measure_pictures(plan: Plan) -> Iterator[Measured]:
    """Yield milliseconds and KiB per action for every game: the pictures of all viewers in one language."""
    for name in games.names():
        game, board, options = first_board(name)
        times = time_pictures(game, board, options, plan.samples)
        what = f"{game.title}: updates of all {times.viewers} viewers after an action"
        high = quantile(times.took, 0.99)
        yield Figure(f"{name}.pictures", what, median(times.took), "ms", "time", high, len(times.took))
        yield Figure(f"{name}.bytes", f"{game.title}: the same, bytes", median(times.sizes), "KiB", "size")


class PictureTimes(NamedTuple):
    """The number of viewers, and the milliseconds and KiB of their pictures after each action."""

    viewers: int
    took: list[float]
    sizes: list[float]


def time_pictures(game: Game, board: Map | None, options: Any, most: int) -> PictureTimes:
    """Measure the pictures of a random game with at most `most` actions."""
    say = language(DEFAULT).say
    referee, chance = start_game(game, board, options, 1)
    viewers = [viewer for viewer in referee.pictures if viewer != REFEREE]
    times = PictureTimes(len(viewers), [], [])
    for _ in _act_at_random(referee, chance, 1, min(most, LONGEST)):
        began = time.process_time()
        texts = [EncodedPicture(Fragment(of_viewer(referee, viewer))).text(say) for viewer in viewers]
        times.took.append(1000 * (time.process_time() - began))
        times.sizes.append(sum(map(len, texts)) / 1024)
    return times


if __name__ == "__main__":
    # In its own process, in turn with python-chess (see lab/peers/README.md).
    for name in games.names():
        game, board, options = first_board(name)
        pace = play_randomly(game, board, options, float(sys.argv[1]))
        rates = {"submitted": pace.submitted / pace.submitting, "listed": pace.listed / pace.listing}
        for id, rate in rates.items():
            what = f"{game.title}, in turn with it: actions {id}"
            print(msgspec.json.encode(Figure(f"chess.{name}.{id}", what, rate, "/s", "rate")).decode())
