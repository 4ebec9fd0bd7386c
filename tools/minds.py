"""Measures how the experts of Sniper Elite grow with what they may think, and what their games tell of the maps.

`python -m tools.minds --games 40` plays that many games on each map for each budget and side, and of the experts
against each other, and writes the second half of `docs/balance.md` with its plots. Games are kept in a file and not
played again, so that a run that was stopped goes on, and one with more games plays only those that are missing.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

import games
from engine.chance import Chance
from engine.game import REFEREE
from engine.referee import Referee
from engine.search.budget import Budget
from firmware_host.lab.arena import LINES, Share, wilson
from firmware_host.seats.players import BotPlayer
from firmware_host.table import maps
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.words import DEFENDERS, SNIPER
from tools.balance import HALF, PAGE
from tools.curves import Curve, bars, curves

GAME: Final = "sniper-elite"
BOARDS: Final = ("launch-facility", "submarine-pens")
EXPERTS: Final = {SNIPER: "phantom", DEFENDERS: "marshal"}
STRONG: Final = {SNIPER: "prowler", DEFENDERS: "warden"}
BUDGETS: Final = (0, 15, LINES)
DUEL: Final = 15
"""The budget of experts that play each other."""
SEED: Final = 1
KEPT: Final = Path(__file__).parent.parent / "build" / "minds.jsonl"
STRENGTH, OBJECTIVES = "minds.svg", "objectives.svg"


class Setting(Struct, frozen=True):
    """What games have in common: the bots, and how many lines an expert plays in its head for an act."""

    board: str
    sniper: str
    defenders: str
    lines: int

    @property
    def bots(self) -> dict[str, str]:
        """Seat -> bot."""
        return {SNIPER: self.sniper, DEFENDERS: self.defenders}


class Planned(Struct, frozen=True):
    """A game to be played, with the number that its luck comes from."""

    setting: Setting
    number: int
    seed: int = SEED


class Played(Struct, frozen=True):
    """How a game went: why it ended, the arrow, the objectives held and those completed, in order."""

    planned: Planned
    winner: str
    reason: str
    rounds: int
    entry: str
    held: tuple[int, ...]
    completed: tuple[int, ...]
    wounds: int


def play(planned: Planned) -> Played:
    """Play one game to its end."""
    game, it = games.find(GAME), planned.setting
    board, options = maps.load(it.board), game.read_options({})
    referee, luck = Referee(game, game.blank(board, options)), f"{planned.seed}/{planned.number}"
    chance = Chance(Random(f"{luck}/game"))
    players = {
        seat: BotPlayer(name, game, seat, referee.pictures[seat], Chance(Random(f"{luck}/{seat}")), Budget(it.lines))
        for seat, name in it.bots.items()
    }
    referee.tell(game.setup(board, options, chance))
    while referee.to_act:
        seat = referee.to_act[0]
        referee.submit(seat, players[seat].ask(referee), chance)
    return _told(planned, referee)


def _told(planned: Planned, referee: Referee) -> Played:
    entry, wounds, completed = "", 0, list[int]()
    held: tuple[int, ...] = ()
    for event in referee.told[REFEREE]:
        match event:
            case e.Entry(sector):
                entry = sector
            case e.Objectives(cards):
                held = cards
            case e.ObjectiveCompleted(objective):
                completed.append(objective)
            case e.Wounded(number):
                wounds = number
    truth = referee.truth
    return Played(planned, truth.over.winner, truth.over.reason, truth.round, entry, held, tuple(completed), wounds)


# --- many games -------------------------------------------------------------------------------------------------


def plan(counts: Sequence[int], budgets: Sequence[int], duels: int) -> list[Planned]:
    """Each expert against the strong bot of the other side with each budget, and the experts against each other.

    `counts` are games for each budget, the last for those that are left.
    """
    many = [*counts, *[counts[-1]] * len(budgets)]
    contests = [
        ({**STRONG, seat: EXPERTS[seat]}, lines, count)
        for seat in EXPERTS
        for lines, count in zip(budgets, many, strict=False)
    ]
    contests.append((EXPERTS, DUEL, duels))
    return [
        Planned(Setting(board, bots[SNIPER], bots[DEFENDERS], lines), number)
        for bots, lines, games_each in contests
        for board in BOARDS
        for number in range(1, games_each + 1)
    ]


def measure(planned: Sequence[Planned], kept: Path, jobs: int) -> list[Played]:
    """The games, played or kept; each is kept as soon as it is played."""
    found = {game.planned: game for game in _read(kept)}
    missing = [game for game in planned if game not in found]
    if not missing:
        return [found[game] for game in planned]
    kept.parent.mkdir(parents=True, exist_ok=True)
    fresh = multiprocessing.get_context("spawn")
    with kept.open("ab") as file, fresh.Pool(jobs) as pool:
        for game in pool.imap_unordered(play, missing):
            file.write(msgspec.json.encode(game) + b"\n")
            file.flush()
            found[game.planned] = game
    return [found[game] for game in planned]


def _read(kept: Path) -> Iterator[Played]:
    if kept.exists():
        for line in kept.read_bytes().splitlines():
            yield msgspec.json.decode(line, type=Played)


# --- the page -----------------------------------------------------------------------------------------------------


def won(played: Iterable[Played], seat: str) -> Share:
    """How often a seat won."""
    winners = [game.winner for game in played]
    return wilson(winners.count(seat), max(1, len(winners)))


def half(played: Sequence[Played], command: str) -> str:
    """The half of the page that tells of Sniper Elite, as Markdown."""
    lines = [
        f"{HALF} Sniper Elite",
        "",
        f"Measured by `{command}`.",
        "An expert plays its acts on in its head; its budget is how many lines it plays for an act, 0 for one that",
        "only weighs its acts. Intervals hold the true share 95 times out of 100.",
        "",
        "The full measure is 400 games at a second an act, estimated to take three hours a map for the sniper",
        "and five for the defenders, on one core, as they make some 25 and 45 acts a game:",
        "",
        "    sniperboard arena --games 400 --thought 1000 --map launch-facility --sniper phantom --defenders warden",
        "    sniperboard arena --games 400 --thought 1000 --map launch-facility --sniper prowler --defenders marshal",
        "",
        f"![How often the experts win, by their budget]({STRENGTH})",
        "",
        "| expert | against | map | lines an act | games | won | 95 % | rounds |",
        "|---|---|---|---|---|---|---|---|",
        *_strength(played),
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
    """The seat of the only expert."""
    seats = [seat for seat, name in it.bots.items() if name == EXPERTS[seat]]
    return seats[0] if len(seats) == 1 else None


def _strength(played: Iterable[Played]) -> Iterator[str]:
    for it, group in _grouped(played).items():
        seat = _expert(it)
        if seat is not None:
            other = it.bots[DEFENDERS if seat == SNIPER else SNIPER]
            rounds = sum(game.rounds for game in group) / len(group)
            yield (
                f"| {it.bots[seat]} | {other} | {it.board} | {it.lines} | {len(group)} | {_shown(won(group, seat))} | "
                f"{rounds:.1f} |"
            )


def _duels(played: Iterable[Played]) -> list[str]:
    duels = {it: group for it, group in _grouped(played).items() if _expert(it) is None}
    rows = []
    for it, group in duels.items():
        causes = [sum(game.reason == reason for game in group) for reason in ("objectives", "wounds", "countdown")]
        rows.append(
            f"| {it.board} | {len(group)} | {_shown(won(group, SNIPER))} | " + " | ".join(map(str, causes)) + " |"
        )
    if not rows:
        return []
    head = "| map | games | won by the sniper | 95 % | objectives | wounds | countdown |"
    return [f"## Experts against each other, {DUEL} lines an act", "", head, "|---|---|---|---|---|---|---|", *rows, ""]


def _lessons(played: Iterable[Played]) -> list[str]:
    """What the games of the expert sniper tell of each map."""
    ours = [game for game in played if game.planned.setting.sniper == EXPERTS[SNIPER] and game.planned.setting.lines]
    found = [
        "## What the expert sniper tells of the maps",
        "",
        "All games in which it searched, against both kinds of defenders.",
        "",
        f"![How often each objective is completed by a sniper that holds it]({OBJECTIVES})",
        "",
        "| map | enters by | games | won | 95 % |",
        "|---|---|---|---|---|",
    ]
    found += _rows(ours, lambda game: [game.entry], lambda game: game.winner == SNIPER)
    found += ["", "| map | objective | held | completed | 95 % |", "|---|---|---|---|---|"]
    for board in BOARDS:
        for number, share, count in objectives(ours, board):
            found.append(f"| {board} | {number} | {count} | {_shown(share)} |")
    return [*found, ""]


def _rows(
    played: Sequence[Played], of: Callable[[Played], Iterable[str]], good: Callable[[Played], bool]
) -> Iterator[str]:
    for board in BOARDS:
        groups: dict[str, list[bool]] = defaultdict(list)
        for game in played:
            if game.planned.setting.board == board:
                for name in of(game):
                    groups[name].append(good(game))
        for name, row in sorted(groups.items()):
            yield f"| {board} | {name} | {len(row)} | {_shown(wilson(sum(row), len(row)))} |"


def objectives(played: Iterable[Played], board: str) -> list[tuple[int, Share, int]]:
    """Each objective of a map: how often who held it completed it, and how often it was held."""
    groups: dict[int, list[bool]] = defaultdict(list)
    for game in played:
        if game.planned.setting.board == board:
            for number in game.held:
                groups[number].append(number in game.completed)
    return [(number, wilson(sum(row), len(row)), len(row)) for number, row in sorted(groups.items())]


def _shown(share: Share) -> str:
    return f"{share.share:.1%} | {share.low:.1%} to {share.high:.1%}"


def plots(played: Sequence[Played]) -> dict[str, str]:
    """File -> plot, as SVG."""
    found: dict[tuple[str, str], list[tuple[int, Share]]] = defaultdict(list)
    for it, group in _grouped(played).items():
        seat = _expert(it)
        if seat is not None:
            found[it.bots[seat], it.board].append((it.lines, won(group, seat)))
    lines = [Curve(f"{bot}, {board}", sorted(points)) for (bot, board), points in found.items()]
    ours = [game for game in played if game.planned.setting.sniper == EXPERTS[SNIPER] and game.planned.setting.lines]
    columns = [(f"{board[0].upper()} {n}", share) for board in BOARDS for n, share, _ in objectives(ours, board)]
    return {
        STRENGTH: curves("Games won by the experts, by lines an act", lines),
        OBJECTIVES: bars("Objectives completed, L: launch-facility, S: submarine-pens", columns),
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Play, and write the half of the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, nargs="+", default=(400,), help="games on each map and side, by budget")
    parser.add_argument("--duels", type=int, default=100, help="games on each map between the experts")
    parser.add_argument("--lines", type=int, nargs="+", default=BUDGETS, help="the budgets, in lines an act")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count(), help="games side by side")
    parser.add_argument("--keep", type=Path, default=KEPT, help="the file of the games that were played")
    asked = parser.parse_args(argv)
    played = measure(plan(asked.games, asked.lines, asked.duels), asked.keep, asked.jobs)
    games_each, budgets = (" ".join(map(str, row)) for row in (asked.games, asked.lines))
    command = f"python -m tools.minds --games {games_each} --duels {asked.duels} --lines {budgets}"
    solo = PAGE.read_text("utf-8").partition(f"\n{HALF} Sniper")[0].rstrip("\n")
    PAGE.write_text(f"{solo}\n\n{half(played, command)}", "utf-8")
    for name, drawn in plots(played).items():
        (PAGE.parent / name).write_text(drawn, "utf-8")


if __name__ == "__main__":
    main()
