"""Measures how far the levels of the bots of Sniper Elite are apart, and writes `docs/levels.md`.

A match is two games on the same map with the same luck, the sides swapped between them: each level plays once as the
sniper and once as the defenders. `python -m tools.levels --games 400` plays 400 games, 200 matches, for each pair of
neighbouring levels, half of them on each map. The same seed gives the same figures, however many processes play.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

import games
from engine.bots import LEVELS
from engine.game import Game
from firmware_host.lab.arena import Match, Share, play_all, wilson
from firmware_host.seats import bots
from firmware_host.table import maps

GAME = "sniper-elite"
BOARDS = ("launch-facility", "submarine-pens")
SIDES = ("sniper", "defenders")
SEED = 1
WANTED = 0.75
"""The share of games that a level should win against the next lower one."""
PAGE = Path(__file__).parent.parent / "docs" / "levels.md"


class Pairing(Struct, frozen=True):
    """How a level fared against the next lower one.

    `won` is (board, side) -> for each match whether the stronger level won the game that it played on that side.
    """

    stronger: str
    weaker: str
    won: Mapping[tuple[str, str], tuple[bool, ...]]

    def games(self, side: str | None = None, board: str | None = None) -> Share:
        """The games won by the stronger level, on one side or both, on one board or all."""
        found = [won for (on, at), row in self.won.items() if side in (None, at) and board in (None, on) for won in row]
        return wilson(sum(found), len(found))

    def matches(self) -> Counter[int]:
        """Games won by the stronger level in a match -> how many matches; one of each is not decisive."""
        pairs = (zip(self.won[board, SIDES[0]], self.won[board, SIDES[1]], strict=True) for board in BOARDS)
        return Counter(first + second for row in pairs for first, second in row)


def level(game: Game, seat: str, name: str) -> str:
    """The bot of a level at a seat."""
    return next(bot for bot in bots.ranked(game, seat) if bots.find(game, bot).level == name)


def measure(count: int, jobs: int, seed: int = SEED) -> list[Pairing]:
    """`count` games of each level against the next lower one."""
    pairs = zip(LEVELS[1:], LEVELS[:-1], strict=True)
    return [_pairing(stronger, weaker, count // (2 * len(BOARDS)), jobs, seed) for stronger, weaker in pairs]


def _pairing(stronger: str, weaker: str, count: int, jobs: int, seed: int) -> Pairing:
    game, won = games.find(GAME), {}
    for board in BOARDS:
        for side in SIDES:
            names = {seat: level(game, seat, stronger if seat == side else weaker) for seat in SIDES}
            match = Match(GAME, maps.load(board), game.read_options({}), names, seed)
            won[board, side] = tuple(side in result.ending.winners for result in play_all(match, count, jobs))
    return Pairing(stronger, weaker, won)


# --- the page -----------------------------------------------------------------------------------------------------


def page(found: list[Pairing], count: int, seed: int) -> str:
    """The figures as Markdown."""
    return "\n".join(
        [
            "# Levels of the bots",
            "",
            "Sniper Elite has three bots for each side. The lobby shows the level beside the name.",
            "",
            "The other games show levels too, which only say the order: solo's steady and careful bots are hardly",
            "apart (see `docs/balance.md`), the race's hunter won 22 of 40 games against the racer, which won 6 (two",
            "players, seed 2), and Stalingrad has one bot of its own.",
            "",
            "| level | sniper | defenders |",
            "|---|---|---|",
            *map(_names, LEVELS),
            "",
            "The sides are not alike, so two levels are compared in matches of two games on the same map with the same",
            "luck, the sides swapped: each level is the sniper once and the defenders once. A match is decisive if one",
            "level wins both games. *Games* is the stricter measure, and the one that decides: the share of all games",
            f"that the stronger level won, {WANTED:.0%} being wanted. Intervals are Wilson's and hold the true share",
            "95 times out of 100.",
            "",
            f"Measured by `python -m tools.levels --games {count} --seed {seed}`. One line of the second table again:",
            "",
            f"    sniperboard arena --games {count // 4} --seed {seed} --map {BOARDS[0]} "
            f"--sniper {level(games.find(GAME), 'sniper', 'strong')} --defenders "
            f"{level(games.find(GAME), 'defenders', 'medium')}",
            "",
            "| level | against | games | won | 95 % | matches won, drawn, lost | decisive matches won | 95 % |",
            "|---|---|---|---|---|---|---|---|",
            *map(_total, found),
            "",
            "## By side and map",
            "",
            "| level | against | map | as | won | 95 % |",
            "|---|---|---|---|---|---|",
            *(line for pairing in found for line in _cells(pairing)),
            "",
        ]
    )


def _names(name: str) -> str:
    return f"| {name} | " + " | ".join(level(games.find(GAME), seat, name) for seat in SIDES) + " |"


def _total(pairing: Pairing) -> str:
    share, matches = pairing.games(), pairing.matches()
    decisive = wilson(matches[2], max(1, matches[0] + matches[2]))
    total = sum(map(len, pairing.won.values()))
    return (
        f"| {pairing.stronger} | {pairing.weaker} | {total} | {_shown(share)} | "
        f"{matches[2]}, {matches[1]}, {matches[0]} | {_shown(decisive)} |"
    )


def _cells(pairing: Pairing) -> Iterator[str]:
    for side in SIDES:
        for board in (*BOARDS, None):
            share = pairing.games(side, board)
            yield f"| {pairing.stronger} | {pairing.weaker} | {board or 'both'} | {side} | {_shown(share)} |"


def _shown(share: Share) -> str:
    return f"{share.share:.1%} | {share.low:.1%} to {share.high:.1%}"


def main() -> None:
    """Play and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=400, help="games of each level against the next lower one")
    parser.add_argument("--jobs", type=int, default=2, help="games side by side")
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args()
    PAGE.write_text(page(measure(asked.games, asked.jobs, asked.seed), asked.games, asked.seed), "utf-8")


if __name__ == "__main__":
    main()
