"""Fit the weights of `games/sniper_elite_solo/bots/_outcome.py`: how likely the sniper is to win when its turn begins.

`python -m lab.solo_outcome --games 500` plays that many games of the steady bot on each map against each deck. The
start of each turn is changed at random and played to the end of the game. A logistic regression on half of the games
gives the weights; the other half tests them. Needs the extra `ratings`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

import games
from engine.chance import Chance
from engine.referee import Referee
from engine.search.line import Line
from firmware_host.core import maps
from firmware_host.seats.players import BotPlayer
from games.sniper_elite.rules.cards import FULL_DECK
from games.sniper_elite.rules.words import SNIPER, SQUADS
from games.sniper_elite_solo.bots._dealing import Memory, sample_truth
from games.sniper_elite_solo.bots._outcome import WEIGHTS, features
from games.sniper_elite_solo.bots._searching import SoloLine
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.words import NEUTRAL, START_STACK
from lab.balance import BOARDS, DECKS, GAME
from lab.outcome import Row, compare, observe_all
from lab.study import options

MANY: Final = 4
"""A game is played on so many times as far as a line goes, which is further than any game lasts."""
STAYS, WOUNDED = 0.8, 0.35
"""How likely a defender stays on the board, and how likely the sniper has a wound."""


def observed(board: str, deck: str, seed: str) -> list[Row]:
    """Return the rows of one game: the facts at the start of each turn, and whether the sniper won from there."""
    game, luck = games.find(GAME), Random(seed)
    rows = []
    for view in _turns(board, deck, luck):
        start = shaken(view, luck)
        line = SoloLine(game, sample_truth(start, Memory(), luck), Chance(luck))
        for _ in range(MANY):
            line.play_until(_never)
        if line.truth.over is not None:
            rows.append((tuple(features(start).values()), line.truth.over.winner == SNIPER))
    return rows


def _never(line: Line) -> bool:
    return False


def _turns(board: str, deck: str, luck: Random) -> Iterator[Picture]:
    """Yield what the sniper sees at the start of each turn on the map, in one game."""
    game = games.find(GAME)
    drawn, options = maps.load(board), game.read_options({"deck": deck})
    referee, chance = Referee(game, game.blank(drawn, options)), Chance(luck)
    player = BotPlayer("steady", game, SNIPER, referee.pictures[SNIPER], chance)
    referee.tell(game.setup(drawn, options, chance))
    rounds = 1
    while referee.to_act:
        view: Picture = referee.pictures[SNIPER]
        if view.round > rounds:
            rounds = view.round
            yield view
        referee.submit(SNIPER, player.ask(referee), chance)


def shaken(view: Picture, luck: Random) -> Picture:
    """Return the picture with some facts changed at random, so that correlated facts can be told apart."""
    units = {unit: space if luck.random() < STAYS else None for unit, space in view.units.items()}
    free = [space for space in view.terrain.enterable if space not in units.values()]
    wounds = int(luck.random() < WOUNDED)
    stack = START_STACK[: luck.randint(0, 4 if wounds else len(START_STACK))]
    hand = tuple(sorted(luck.sample(sorted(set(FULL_DECK)), luck.randint(0, 3)), key=FULL_DECK.index))
    changed = replace(
        view,
        units=units,
        space=luck.choice((view.space, luck.choice(free))),
        lks=luck.choice((view.lks, *SQUADS, NEUTRAL)),
        wounds=wounds,
        stack=stack,
        bag={
            "aim": max(2, min(11, view.bag["aim"] + luck.randint(-2, 3))),
            "noise": view.bag["noise"],
            "recoil": view.recoil - stack.count("recoil"),
        },
        hand=hand,
        used=(),
        deck_size=luck.choice((view.deck_size, luck.randint(0, view.deck_size))),
        pending=None,
    )
    return replace(changed, loot_size=len(changed.loadout) - len(hand))


def main(argv: Sequence[str] | None = None) -> None:
    """Print fitted and current weights, and test both on games that they were not fitted to."""
    asked = options(__doc__, 500, "on each map against each deck").parse_args(argv)
    wanted = [(board, deck, f"outcome/{number}") for number in range(asked.games) for board in BOARDS for deck in DECKS]
    played = observe_all(observed, wanted, asked.jobs)
    half = len(played) // 2
    learnt, tested = ([row for rows in part for row in rows] for part in (played[:half], played[half:]))
    compare(learnt, tested, tuple(WEIGHTS), tuple(WEIGHTS.values()))


if __name__ == "__main__":
    main()
