"""The part of `docs/balance.md` about the experts of Sniper Elite, and its plots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from games.sniper_elite.rules.words import DEFENDERS, SNIPER
from lab.arena import Share, wilson_interval
from lab.contests import BOARDS, EXPERTS, Played, Setting
from lab.curves import Curve, draw_columns, draw_curves
from lab.study import HEADING
from lab.tables import markdown_table

Row = tuple[str, Share, int]
"""A name, how often it went well, and in how many games it was."""
STRENGTH, OBJECTIVES = "experts.svg", "objectives.svg"


def win_share(played: Iterable[Played], seat: str) -> Share:
    """Return the share of games that a seat won."""
    winners = [game.winner for game in played]
    return wilson_interval(winners.count(seat), max(1, len(winners)))


def experts_part(played: Sequence[Played], command: str) -> str:
    """Return the part of the page about Sniper Elite, as Markdown."""
    lines = [
        f"{HEADING} Sniper Elite",
        "",
        f"Measured by `{command}`.",
        "An expert looks ahead. Its budget is the number of lines that it simulates per action (0: it only rates its",
        "actions), or the seconds that it may use per action; it stops early if one action is clearly the best.",
        "Intervals are 95 % confidence intervals.",
        "",
        f"![Share of games that the experts win, by budget]({STRENGTH})",
        "",
        strength_table(played),
        "",
        *_duels(played),
        *_lessons(played),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _grouped(played: Iterable[Played]) -> dict[Setting, list[Played]]:
    found: dict[Setting, list[Played]] = defaultdict(list)
    for game in played:
        found[game.planned.setting].append(game)
    return found


def _expert(it: Setting) -> str | None:
    """Return the seat of the only expert, or None."""
    seats = [seat for seat, name in it.bots.items() if name == EXPERTS[seat]]
    return seats[0] if len(seats) == 1 else None


def _searched(it: Setting) -> bool:
    """Return whether the expert sniper played and searched."""
    return it.sniper == EXPERTS[SNIPER] and bool(it.lines or it.thought)


def strength_table(played: Iterable[Played]) -> str:
    """Return how often each expert won against the strong bot, as a table."""
    rows = []
    for it, group in _grouped(played).items():
        seat = _expert(it)
        if seat is not None:
            other = it.bots[DEFENDERS if seat == SNIPER else SNIPER]
            rounds = sum(game.rounds for game in group) / len(group)
            share = win_share(group, seat).cells
            rows.append((it.bots[seat], other, it.board, it.budget_text, len(group), *share, f"{rounds:.1f}"))
    return markdown_table(("expert", "against", "map", "budget per action", "games", "won", "95 %", "rounds"), rows)


def _duels(played: Iterable[Played]) -> list[str]:
    duels = {it: group for it, group in _grouped(played).items() if _expert(it) is None}
    rows = []
    for it, group in duels.items():
        causes = [sum(game.reason == reason for game in group) for reason in ("objectives", "wounds", "countdown")]
        rows.append((it.board, it.budget_text, len(group), *win_share(group, SNIPER).cells, *causes))
    if not rows:
        return []
    head = ("map", "budget per action", "games", "won by the sniper", "95 %", "objectives", "wounds", "countdown")
    return ["## Experts against each other", "", markdown_table(head, rows), ""]


def _lessons(played: Iterable[Played]) -> list[str]:
    """Return what the games of the expert sniper say about each map."""
    ours = [game for game in played if _searched(game.planned.setting)]
    found = [
        "## The maps, as played by the expert sniper",
        "",
        "All games in which it searched, against any defenders.",
        "",
        f"![Share of games in which a sniper with an objective completes it]({OBJECTIVES})",
    ]
    for shares, *head in (
        (entry_shares, "enters by", "games", "won"),
        (objective_shares, "objective", "held", "completed"),
    ):
        rows = [(board, name, count, *share.cells) for board in BOARDS for name, share, count in shares(ours, board)]
        found += ["", markdown_table(("map", *head, "95 %"), rows)]
    return [*found, "", "Significant differences (intervals that do not overlap):", "", *_findings(ours), ""]


def _findings(ours: Sequence[Played]) -> Iterator[str]:
    """Yield a sentence about each map."""
    for board in BOARDS:
        by, after = _extremes(entry_shares(ours, board)), _extremes(objective_shares(ours, board))
        arrows = (
            f"does better by the {by[0]} arrow than by the {by[1]} one"
            if by
            else "does not do significantly better by any arrow"
        )
        goals = f"objective {after[0]} is easier than {after[1]}" if after else "no objective is significantly easier"
        yield f"- {board}: the sniper {arrows}; {goals}."


def _extremes(rows: Sequence[Row]) -> tuple[str, str] | None:
    """Return the best and the worst, if their intervals don't overlap."""
    if not rows:
        return None
    # The best by its lower limit and the worst by its upper one: both are cautious.
    best, worst = max(rows, key=lambda row: row[1].low), min(rows, key=lambda row: row[1].high)
    return (best[0], worst[0]) if best[1].low > worst[1].high else None


def entry_shares(played: Iterable[Played], board: str) -> list[Row]:
    """Return for each entry arrow of a map how often a sniper who used it won."""
    return _shares(played, board, lambda game: [(game.entry, game.winner == SNIPER)])


def objective_shares(played: Iterable[Played], board: str) -> list[Row]:
    """Return for each objective of a map how often a sniper who held it completed it."""
    return _shares(played, board, lambda game: [(str(number), number in game.completed) for number in game.held])


def _shares(played: Iterable[Played], board: str, of: Callable[[Played], Iterable[tuple[str, bool]]]) -> list[Row]:
    groups: dict[str, list[bool]] = defaultdict(list)
    for game in played:
        if game.planned.setting.board == board:
            for name, good in of(game):
                groups[name].append(good)
    return [(name, wilson_interval(sum(row), len(row)), len(row)) for name, row in sorted(groups.items())]


def draw_plots(played: Sequence[Played]) -> dict[str, str]:
    """Return file -> plot, as SVG."""
    found: dict[tuple[str, str], list[tuple[str, Share]]] = defaultdict(list)
    budgets: dict[str, None] = {}
    for it, group in sorted(_grouped(played).items(), key=lambda pair: (pair[0].thought, pair[0].lines)):
        seat = _expert(it)
        if seat is not None:
            budgets[it.budget_text] = None
            found[it.bots[seat], it.board].append((it.budget_text, win_share(group, seat)))
    lines = [Curve(f"{bot}, {board}", points) for (bot, board), points in found.items()]
    ours = [game for game in played if _searched(game.planned.setting)]
    columns = [(f"{board[0].upper()} {n}", share) for board in BOARDS for n, share, _ in objective_shares(ours, board)]
    return {
        STRENGTH: draw_curves("Games won by the experts, by what they may think about an act", list(budgets), lines),
        OBJECTIVES: draw_columns("Objectives completed, L: launch-facility, S: submarine-pens", columns),
    }
