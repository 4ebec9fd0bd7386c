"""Measure the bots' estimate of where the sniper is (`games/sniper_elite/bots/_belief.py`).

`python -m lab.belief --games 100` plays that many games on each map, as the lines of a search play them
(`games/sniper_elite/bots/_line.py`). Before each turn of the defenders it compares the probability of the sniper's
true space with that of an estimate in which all possible spaces are equally likely. The constants of `_belief.py`
were chosen one after the other, by this gain and by the games won, on games with other seeds.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from math import log2
from random import Random

import games
from engine.chance import Chance
from engine.game import Game
from engine.graph import Map
from firmware_host.core import maps
from games.sniper_elite.bots._belief import Guess
from games.sniper_elite.bots._following import in_public
from games.sniper_elite.bots._line import Line
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import DEFENDERS, SNIPER
from lab.contests import BOARDS, GAME


def start_line(game: Game, board: Map, chance: Chance) -> Line:
    """Return a game after its setup, with an estimate that favours no space."""
    options = game.read_options({})
    truth = game.blank(board, options)[SNIPER]
    public = in_public(truth)
    known = Whereabouts.begin(public)
    line = Line(game, truth, public, known, Guess([1.0] * known.ground.size), chance)
    for event in game.setup(board, options, chance):
        line.hear(event)
    return line


def gains(board: str, seed: str) -> Iterator[float]:
    """Yield, before each turn of the defenders, how many bits the estimate is better than a uniform one."""
    line, last = start_line(games.find(GAME), maps.load(board), Chance(Random(seed))), ""
    while (seat := line.to_act) is not None:
        space = line.truth.mine.space
        if seat == DEFENDERS and last == SNIPER and space is not None:
            belief = line.guess.belief(line.known, line.public)
            yield log2(belief.likely[line.known.ground.index[space]]) + log2(belief.possible.bit_count())
        last = seat
        line.act(line.goes_on(seat))


def main(argv: Sequence[str] | None = None) -> None:
    """Print the mean for each map."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=100, help="games on each map")
    asked = parser.parse_args(argv)
    for board in BOARDS:
        found = [gain for number in range(asked.games) for gain in gains(board, f"belief/{number}")]
        print(f"{board}: {sum(found) / len(found):.3f} bits a turn, {len(found)} turns")


if __name__ == "__main__":
    main()
