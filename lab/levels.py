"""Measure how far apart the bots' levels are, and write the figures into `docs/levels.md`.

A match is two games on the same map with the same seed and the sides swapped, so each level plays each side once.
`python -m lab.levels --games 400` plays 400 games (200 matches) for each pair of neighbouring levels, the same number
on each map. `--game` measures one game and keeps the sections of the others. The same seed gives the same figures,
with any number of processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

import games
from engine.bots import LEVELS
from engine.game import Game
from firmware_host.core import bots, maps
from lab.arena import DEFAULT_LINES, Match, Share, play_match, wilson_interval
from lab.terminal import SEED, study_parser
from maker.page_parts import DOCS, markdown_table, write_part

NO_BOARD: Final = "none"
"""Used instead of a board's name for a game without a map."""


class MeasuredGame(Struct, frozen=True):
    """A game whose levels are measured, its boards and the two sides."""

    game: str
    boards: tuple[str, ...]
    sides: tuple[str, str]

    @property
    def rules(self) -> Game:
        return games.find(self.game)

    def match(self, board: str, bots: dict[str, str], seed: int, lines: int = DEFAULT_LINES) -> Match:
        played_on = None if board == NO_BOARD else maps.load(board)
        return Match(self.game, played_on, self.rules.read_options({}), bots, seed, lines)


CONTESTS: Final = (
    MeasuredGame("sniper-elite", ("launch-facility", "submarine-pens"), ("sniper", "defenders")),
    MeasuredGame("snipers-and-assassins", ("pathways-2",), ("player-1", "player-2")),
    MeasuredGame("stalingrad", (NO_BOARD,), ("player-1", "player-2")),
)
PAGE = DOCS / "levels.md"
TOTALS_HEAD = ("level", "against", "games", "won", "95 %", "matches won, drawn, lost", "decisive matches won", "95 %")


class Pairing(Struct, frozen=True):
    """The results of a level against the next lower one.

    `won` is (board, side) -> for each match, whether the stronger level won its game on that side.
    """

    contest: MeasuredGame
    stronger: str
    weaker: str
    won: Mapping[tuple[str, str], tuple[bool, ...]]

    def games(self, side: str | None = None, board: str | None = None) -> Share:
        """Return the share of games won by the stronger level, on one side or both, on one board or all."""
        results = [
            won for (on, at), row in self.won.items() if side in (None, at) and board in (None, on) for won in row
        ]
        return wilson_interval(sum(results), len(results))

    def matches(self) -> Counter[int]:
        """Return games won by the stronger level in a match (0, 1 or 2) -> number of matches."""
        one, other = self.contest.sides
        # Games of the same number have the same seed, so two of them are a match.
        pairs = (zip(self.won[board, one], self.won[board, other], strict=True) for board in self.contest.boards)
        return Counter(first + second for row in pairs for first, second in row)


def levels_of(contest: MeasuredGame) -> list[str]:
    """Return the levels for which a game has bots, the weakest first."""
    game, seat = contest.rules, contest.sides[0]
    kinds = [bots.find(game, bot) for bot in bots.own_names(game)]
    return [name for name in LEVELS if any(kind.level == name and kind.plays(seat) for kind in kinds)]


def bot_of_level(game: Game, seat: str, name: str) -> str:
    return next(bot for bot in bots.ranked(game, seat) if bots.find(game, bot).level == name)


def measure(contest: MeasuredGame, count: int, experts: int, jobs: int, seed: int = SEED) -> list[Pairing]:
    """Play `count` games of each level of a game against the next lower one; `experts` of the experts, 0 for none."""
    # `count` covers all sides and boards together.
    cells = len(contest.sides) * len(contest.boards)
    levels = levels_of(contest)
    pairs = zip(levels[1:], levels[:-1], strict=True)
    return [
        _measure_pairing(contest, stronger, weaker, (experts if stronger == "expert" else count) // cells, jobs, seed)
        for stronger, weaker in pairs
        if experts or stronger != "expert"
    ]


def _measure_pairing(contest: MeasuredGame, stronger: str, weaker: str, count: int, jobs: int, seed: int) -> Pairing:
    game, won = contest.rules, {}
    for board in contest.boards:
        for side in contest.sides:
            names = {seat: bot_of_level(game, seat, stronger if seat == side else weaker) for seat in contest.sides}
            results = play_match(contest.match(board, names, seed), count, jobs)
            won[board, side] = tuple(side in result.ending.winners for result in results)
    return Pairing(contest, stronger, weaker, won)


# --- the page -----------------------------------------------------------------------------------------------------


def game_section(contest: MeasuredGame, pairings: Sequence[Pairing], count: int, seed: int) -> str:
    each = len(next(iter(pairings[-1].won.values())))
    experts = each * len(contest.sides) * len(contest.boards)
    apart = f" --experts {experts}" if pairings[-1].stronger == "expert" else ""
    lines = [
        markdown_table(("level", *contest.sides), [_names(contest, name) for name in levels_of(contest)]),
        "",
        f"Measured by `python -m lab.levels --game {contest.game} --games {count}{apart} --seed {seed}`. "
        "To reproduce one row of the last table:",
        "",
        f"    {_replay_command(pairings[-1], each, seed)}",
        "",
        markdown_table(TOTALS_HEAD, map(_total_row, pairings)),
        "",
        markdown_table(
            ("level", "against", "map", "as", "won", "95 %"),
            (row for pairing in pairings for row in _board_cells(pairing)),
        ),
    ]
    return "\n".join(lines)


def _replay_command(last: Pairing, each: int, seed: int) -> str:
    """Return the command that plays the strongest level against the next one on the first board and side."""
    contest = last.contest
    names = zip(contest.sides, (last.stronger, last.weaker), strict=True)
    seats = " ".join(f"--{seat} {bot_of_level(contest.rules, seat, name)}" for seat, name in names)
    game = "" if contest is CONTESTS[0] else f"--game {contest.game} "  # the arena's own default is the first
    board = "" if contest.boards[0] == NO_BOARD else f"--map {contest.boards[0]} "
    return f"sniperboard arena {game}--games {each} --seed {seed} {board}{seats}"


def _names(contest: MeasuredGame, name: str) -> tuple[str, ...]:
    return name, *(bot_of_level(contest.rules, seat, name) for seat in contest.sides)


def _total_row(pairing: Pairing) -> tuple[object, ...]:
    share, matches = pairing.games(), pairing.matches()
    decisive = wilson_interval(matches[2], max(1, matches[0] + matches[2]))
    total = sum(map(len, pairing.won.values()))
    counted = f"{matches[2]}, {matches[1]}, {matches[0]}"
    return pairing.stronger, pairing.weaker, total, *share.cells, counted, *decisive.cells


def _board_cells(pairing: Pairing) -> Iterator[tuple[str, ...]]:
    boards = pairing.contest.boards
    for side in pairing.contest.sides:
        for board in (*boards, None) if len(boards) > 1 else boards:
            share = pairing.games(side, board)
            yield pairing.stronger, pairing.weaker, board or "both", side, *share.cells


def main() -> None:
    parser = study_parser(__doc__, 400, "of each level against the next lower one")
    parser.add_argument("--experts", type=int, default=0, help="games of the experts, who take long; 0: none")
    parser.add_argument("--game", choices=[contest.game for contest in CONTESTS], help="the only game to measure")
    chosen = parser.parse_args()
    for contest in CONTESTS:
        if chosen.game in (None, contest.game):
            pairings = measure(contest, chosen.games, chosen.experts, chosen.jobs, chosen.seed)
            write_part(PAGE, contest.game, game_section(contest, pairings, chosen.games, chosen.seed))


if __name__ == "__main__":
    main()
