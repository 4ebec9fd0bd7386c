"""Measure how the strength of the solo game's expert grows with its search budget, compared with the strong bot.

`python -m lab.solo_expert --games 100` plays that many games against the veteran deck on each map for each budget,
and writes the middle part of `docs/balance.md` with its plot. The same seed gives the same figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

import games
from firmware_host.core import maps
from games.sniper_elite.rules.words import SNIPER
from lab.arena import LINES, Match, Result, Share, play_all, wilson
from lab.balance import BOARDS, GAME, MEASURED
from lab.curves import Curve, curves
from lab.study import HEADING, PAGE, SEED, SOLO_EXPERT_PART, options, put_part

STRONG, EXPERT = "careful", "cunning"
BUDGETS: Final = (0, 15, LINES)
PLOT: Final = "solo-expert.svg"
TITLE: Final = f"{HEADING} the solo game, by its expert"


class Row(Struct, frozen=True):
    """A bot on a map, and how many lines it simulates per action; None if it does not search."""

    board: str
    lines: int | None

    @property
    def bot(self) -> str:
        """Return the name of the bot."""
        return STRONG if self.lines is None else EXPERT


Found = Mapping[Row, Sequence[Result]]


def measure(count: int, budgets: Sequence[int], jobs: int, seed: int = SEED) -> Found:
    """Play games 1 to `count` of each row. Games with the same number start from the same seed."""
    rows = [Row(board, lines) for board in BOARDS for lines in (None, *budgets)]
    return {row: tuple(play_all(_match(row, seed), count, jobs)) for row in rows}


def _match(row: Row, seed: int) -> Match:
    options = games.find(GAME).read_options({"deck": MEASURED})
    return Match(GAME, maps.load(row.board), options, {SNIPER: row.bot}, seed, row.lines or 0)


def won(results: Sequence[Result]) -> list[bool]:
    """Return for each game whether the sniper won."""
    return [SNIPER in result.ending.winners for result in results]


def part(found: Found, command: str) -> str:
    """Return the part of the page, as Markdown."""
    return "\n".join(
        [
            TITLE,
            "",
            f"Measured by `{command}`, against the {MEASURED} deck.",
            "The expert samples the hidden information and looks ahead. Its budget is the number of lines that it",
            "simulates per action (0: it only rates its actions); it stops early if one action is clearly the best.",
            f"The {STRONG} bot plays the same games from the same random seeds: *gained* counts games that only the",
            f"expert won, *lost* those that only the {STRONG} bot won. Intervals are 95 % confidence intervals.",
            "",
            f"![Share of games that the expert wins, by budget]({PLOT})",
            "",
            "| map | bot | lines per action | games | won | 95 % | gained | lost | actions | rounds |",
            "|---|---|---|---|---|---|---|---|---|---|",
            *(_line(found, row) for row in found),
            "",
        ]
    )


def _line(found: Found, row: Row) -> str:
    mine, other = won(found[row]), won(found[Row(row.board, None)])
    share, pairs = wilson(sum(mine), len(mine)), list(zip(mine, other, strict=True))
    acts = sum(result.acts for result in found[row]) / len(mine)
    rounds = sum(result.ending.rounds for result in found[row]) / len(mine)
    compared = " | | " if row.lines is None else f" {pairs.count((True, False))} | {pairs.count((False, True))} "
    return (
        f"| {row.board} | {row.bot} | {'' if row.lines is None else row.lines} | {len(mine)} | {share.cells} |"
        f"{compared}| {acts:.1f} | {rounds:.1f} |"
    )


def plot(found: Found) -> str:
    """Return the expert's curve on each map, as SVG."""
    points: dict[str, list[tuple[str, Share]]] = {board: [] for board in BOARDS}
    searched = sorted(
        ((row.lines, row.board, results) for row, results in found.items() if row.lines is not None),
        key=lambda it: it[:2],
    )
    for lines, board, results in searched:
        points[board].append((str(lines), wilson(sum(won(results)), len(results))))
    budgets = list(dict.fromkeys(str(lines) for lines, _, _ in searched))
    drawn = [Curve(f"{EXPERT}, {board}", row) for board, row in points.items()]
    return curves("Games won by the solo game's expert, by lines an act", budgets, drawn)


def main(argv: Sequence[str] | None = None) -> None:
    """Play the games and write the part of the page."""
    parser = options(__doc__, 400, "on each map for each budget")
    parser.add_argument("--lines", type=int, nargs="+", default=BUDGETS, help="the budgets, in lines an act")
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args(argv)
    found = measure(asked.games, asked.lines, asked.jobs, asked.seed)
    budgets = " ".join(map(str, asked.lines))
    command = f"python -m lab.solo_expert --games {asked.games} --lines {budgets} --seed {asked.seed}"
    PAGE.write_text(put_part(PAGE.read_text("utf-8"), SOLO_EXPERT_PART, part(found, command)), "utf-8")
    (PAGE.parent / PLOT).write_text(plot(found), "utf-8")


if __name__ == "__main__":
    main()
