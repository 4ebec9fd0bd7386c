"""Measure the strength of the analysis: an easy bot that plays the best act of the analysis, against the strong bot.

`python -m lab.advice --games 100` plays that many games for each side of Sniper Elite, half of them on each map. The
expert plays the same number of games, with the same draws. If the analysis names no act, the easy bot plays its own.
Exit code 1: the expert wins significantly more often, so the advice is bad.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from engine.bots import Advising
from engine.chance import Chance
from engine.game import Command, Game
from engine.referee import Referee
from engine.search.budget import Budget
from firmware_host.core import bots
from firmware_host.core.bots import judge_of
from firmware_host.seats.players import BotPlayer
from lab.arena import Match, Share, play_game, wilson_interval
from lab.levels import CONTESTS, MeasuredGame, bot_of_level
from lab.processes import in_order
from lab.terminal import study_parser
from maker.page_parts import markdown_table

ELITE: Final = CONTESTS[0]


class AdvisedPlayer(BotPlayer):
    """A bot that plays the best act of the analysis, or its own act if the analysis names none."""

    def __init__(self, name: str, game: Game, seat: str, view: Any, luck: Chance, budget: Budget) -> None:
        super().__init__(name, game, seat, view, luck, budget)
        judge = judge_of(game, seat, view)
        assert judge is not None, "the analysis judges this seat"
        bots.set_budget(judge, budget)
        self._judge: Advising = judge

    def ask(self, referee: Referee) -> Command:
        """Return the act that the analysis would advise."""
        for event in referee.told[self._seat][self._heard :]:
            self._judge.told(event)
        own = super().ask(referee)
        legal, view = referee.legal(self._seat), referee.pictures[self._seat]
        advice = self._judge.weigh(view, legal, own, self._luck)
        return advice.judged[0].command if advice.judged else bots.unjudged_choice(self._judge, view, legal) or own


def player_at_seat(name: str, game: Game, seat: str, *rest: Any, advised: str) -> BotPlayer:
    """Return a bot at its seat; the one at the seat `advised` follows the analysis."""
    return (AdvisedPlayer if seat == advised else BotPlayer)(name, game, seat, *rest)


def won(matches: Sequence[tuple[Match, str, bool]], game: tuple[int, int]) -> bool:
    """Return whether a side wins a game: (match, side, whether it follows the analysis), numbered as in the arena."""
    match, side, follows = matches[game[0]]
    sit = partial(player_at_seat, advised=side) if follows else BotPlayer
    return side in play_game(match, game[1], sit).ending.winners


def measure(contest: MeasuredGame, side: str, games: int, jobs: int, seed: int, lines: int) -> dict[str, Share]:
    """Return how often the advised easy bot and the expert win on one side against the strong bot."""
    share_of = {}
    for name, level, follows in (("advised", "easy", True), ("expert", "expert", False)):
        names = {seat: bot_of_level(contest.rules, seat, level if seat == side else "strong") for seat in contest.sides}
        matches = [(contest.match(board, names, seed, lines), side, follows) for board in contest.boards]
        numbers = [(at, number) for at in range(len(matches)) for number in range(1, games // len(matches) + 1)]
        results = [*in_order(won, matches, numbers, jobs)]
        share_of[name] = wilson_interval(sum(results), len(results))
    return share_of


def main(arguments: list[str] | None = None) -> int:
    """Print a table. Return 1 if the expert wins significantly more often than the advised bot."""
    parser = study_parser(__doc__, 100, "for each side and bot")
    parser.add_argument("--lines", type=int, default=60, help="lines of play for each act (default: 60)")
    chosen = parser.parse_args(arguments)
    rows, worse = [], False
    for side in ELITE.sides:
        shares = measure(ELITE, side, chosen.games, chosen.jobs, chosen.seed, chosen.lines)
        for name, share in shares.items():
            rows.append([side, name, chosen.games, *share.cells])
        worse = worse or shares["advised"].high < shares["expert"].low
    print(markdown_table(("side", "bot", "games", "won against the strong bot", "95 %"), rows))
    return int(worse)


if __name__ == "__main__":
    raise SystemExit(main())
