"""Measure the processor time that each bot takes for an action, in games among bots of its kind.

python -m lab.bot_times [--seconds 8] [BOT …]
"""

from __future__ import annotations

import argparse
import time

import games
from engine.chance import Chance
from engine.game import REFEREE, TABLE, Game
from firmware_host.core import bots
from firmware_host.seats.players import BotPlayer
from lab.bench.engine import first_board, start_game


class _Timed(BotPlayer):
    def __init__(self, name: str, game: Game, seat: str, view: object, chance: Chance, seconds: list[float]) -> None:
        super().__init__(name, game, seat, view, chance)
        choose = self._bot.choose

        def timed(view: object, legal: object, chance: Chance) -> object:
            began = time.thread_time()
            act = choose(view, legal, chance)  # type: ignore[arg-type]
            seconds.append(time.thread_time() - began)
            return act

        self._bot.choose = timed  # type: ignore[assignment,method-assign]


def times(game: Game, name: str, seconds: float) -> list[float]:
    """Return the seconds of each action of a bot. Its first game is left out, because it fills the caches."""
    end, seconds_each, seed = time.monotonic() + seconds, list[float](), 1
    while not seconds_each or time.monotonic() < end:
        seconds_each += _times_in_game(game, name, seed)
        seed += 1
    return sorted(seconds_each)


def _times_in_game(game: Game, name: str, seed: int) -> list[float]:
    """Play a game of at most 600 actions, and return the seconds of each of the bot's."""
    _, board, options = first_board(game.name)
    (referee, chance), plays, seconds = (
        start_game(game, board, options, seed),
        bots.find(game, name).plays,
        list[float](),
    )
    players = {
        seat: _Timed(name, game, seat, view, chance, seconds)
        if plays(seat)
        else BotPlayer(bots.strongest(game, seat), game, seat, view, chance)
        for seat, view in game.blank(board, options).items()
        if seat not in (TABLE, REFEREE)
    }
    for _ in range(600):
        if referee.to_act:
            seat = referee.to_act[0]
            referee.submit(seat, players[seat].ask(referee), chance)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="seconds for each bot (default: 8)")
    parser.add_argument("bots", nargs="*", help="names of bots (default: all)")
    chosen = parser.parse_args()
    for game in map(games.find, games.names()):
        for name in bots.names(game):
            if (not chosen.bots or name in chosen.bots) and not bots.find(game, name).thinks:
                times(game, name, 0.0)
                milliseconds = [1000 * seconds for seconds in times(game, name, chosen.seconds)]
                middle, most, longest = (
                    milliseconds[int(share * (len(milliseconds) - 1))] for share in (0.5, 0.99, 1.0)
                )
                print(f"{game.name:22} {name:10} {middle:7.2f} {most:7.2f} {longest:7.2f} ms", flush=True)


if __name__ == "__main__":
    main()
