"""Measure the processor time that each bot takes for an action, in games among bots of its kind.

python -m lab.bot_times [--seconds 8] [BOT …]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from random import Random

import games
from engine.chance import Chance
from engine.game import Game
from engine.referee import Referee
from firmware_host.core import bots
from firmware_host.seats.players import BotPlayer
from lab.bench.engine import first_board


class _Timed(BotPlayer):
    """A bot that notes the seconds of each action."""

    def __init__(self, name: str, game: Game, seat: str, view: object, chance: Chance, taken: list[float]) -> None:
        super().__init__(name, game, seat, view, chance)
        choose = self._bot.choose

        def timed(view: object, legal: object, chance: Chance) -> object:
            began = time.thread_time()
            found = choose(view, legal, chance)  # type: ignore[arg-type]
            taken.append(time.thread_time() - began)
            return found

        self._bot.choose = timed  # type: ignore[assignment,method-assign]


def times(game: Game, name: str, seconds: float) -> list[float]:
    """Return the seconds of each action of a bot, without those of its first game, which fills the caches."""
    chance, end, found = Chance(Random(1)), time.monotonic() + seconds, list[float]()
    while not found or time.monotonic() < end:
        taken = list[float]()
        for _ in _acts(game, name, chance, taken):
            pass
        found = [*found, *taken]
    return sorted(found)


def _acts(game: Game, name: str, chance: Chance, taken: list[float]) -> Iterator[None]:
    """Play a game of at most 600 actions."""
    _, board, options = first_board(game.name)
    referee, plays = Referee(game, game.blank(board, options)), bots.find(game, name).plays
    referee.tell(game.setup(board, options, chance))
    seats = [seat.name for seat in game.seats(options)]
    players = {
        seat: _Timed(
            name if plays(seat) else bots.strongest(game, seat),
            game,
            seat,
            game.blank(board, options)[seat],
            chance,
            taken if plays(seat) else [],
        )
        for seat in seats
    }
    for _ in range(600):
        if not referee.to_act:
            return
        seat = referee.to_act[0]
        referee.tell(referee.consider(seat, players[seat].ask(referee), chance))
        yield


def main() -> None:
    """Print a line for each bot that doesn't look ahead."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="seconds for each bot (default: 8)")
    parser.add_argument("bots", nargs="*", help="names of bots (default: all)")
    chosen = parser.parse_args()
    for game in map(games.find, games.names()):
        for name in bots.names(game):
            if (not chosen.bots or name in chosen.bots) and not bots.find(game, name).thinks:
                times(game, name, 0.0)
                found = [1000 * seconds for seconds in times(game, name, chosen.seconds)]
                middle, most, longest = (found[int(share * (len(found) - 1))] for share in (0.5, 0.99, 1.0))
                print(f"{game.name:22} {name:10} {middle:7.2f} {most:7.2f} {longest:7.2f} ms", flush=True)


if __name__ == "__main__":
    main()
