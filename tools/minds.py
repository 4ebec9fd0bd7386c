"""Measures how the experts of Sniper Elite grow with what they may think, and what their games tell of the maps.

`python -m tools.minds phantom:15:40 marshal:1s:8` plays 40 games on each map of an expert that plays 15 lines in its
head for each act, and 8 of one that thinks for a second, against the strong bots of the other side, and writes the
second half of `docs/balance.md` with its plots. Games are kept in a file and not played again, so that a run that was
stopped goes on, and one with more games plays only those that are missing.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

import games
from engine.chance import Chance
from engine.game import REFEREE
from engine.referee import Referee
from engine.search.budget import Budget, timed
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
DUEL: Final = "duel"
"""The experts against each other."""
FULL: Final = tuple(
    f"{name}:{budget}:{count}"
    for name in (*EXPERTS.values(), DUEL)
    for budget, count in (("0", 400), ("15", 400), (f"{LINES}", 400), ("1s", 400))
    if name != DUEL or budget == "15"
)
"""The full measure."""
SEED: Final = 1
KEPT: Final = Path(__file__).parent.parent / "build" / "minds.jsonl"
STRENGTH, OBJECTIVES = "minds.svg", "objectives.svg"


class Setting(Struct, frozen=True):
    """What games have in common: the bots, and what an expert may think about an act: `lines` that it plays in its
    head, or `thought` seconds where those are given.
    """

    board: str
    sniper: str
    defenders: str
    lines: int
    thought: float = 0.0

    @property
    def budget(self) -> Budget:
        """For each act."""
        return timed(self.thought, time.monotonic) if self.thought else Budget(self.lines)

    @property
    def allowance(self) -> str:
        """The budget in words."""
        return f"{self.thought:g} s" if self.thought else f"{self.lines} lines"

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
        seat: BotPlayer(name, game, seat, referee.pictures[seat], Chance(Random(f"{luck}/{seat}")), it.budget)
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


class Contest(NamedTuple):
    """An expert, or DUEL, its budget, and how many games are played on each map."""

    name: str
    lines: int
    thought: float
    games: int

    @classmethod
    def read(cls, text: str) -> Contest:
        """From NAME:BUDGET:GAMES, the budget a number of lines, or seconds with an s. Raises `ValueError`."""
        name, budget, count = text.split(":")
        if name not in (*EXPERTS.values(), DUEL):
            raise ValueError(name)
        timed_out = budget.endswith("s")
        lines, thought = (0, float(budget[:-1])) if timed_out else (int(budget), 0.0)
        if lines < 0 or thought < 0 or int(count) < 1:
            raise ValueError(text)
        return cls(name, lines, thought, int(count))

    @property
    def bots(self) -> dict[str, str]:
        """Seat -> bot: against the strong bot of the other side, or each other."""
        return {seat: name if self.name in (name, DUEL) else STRONG[seat] for seat, name in EXPERTS.items()}


def plan(contests: Iterable[Contest]) -> list[Planned]:
    """The games of all contests, on all maps by turns."""
    return [
        Planned(Setting(board, it.bots[SNIPER], it.bots[DEFENDERS], it.lines, it.thought), number)
        for it in contests
        for number in range(1, it.games + 1)
        for board in BOARDS
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
        "An expert plays its acts on in its head. Its budget is how many lines it plays for an act, 0 for one that",
        "only weighs its acts, or how many seconds it may think about an act; where an act is clearly the best it ends",
        "before. Intervals hold the true share 95 times out of 100.",
        "",
        f"![How often the experts win, by their budget]({STRENGTH})",
        "",
        "| expert | against | map | budget of an act | games | won | 95 % | rounds |",
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


def _searched(it: Setting) -> bool:
    """Whether the expert sniper was there, and searched."""
    return it.sniper == EXPERTS[SNIPER] and bool(it.lines or it.thought)


def _strength(played: Iterable[Played]) -> Iterator[str]:
    for it, group in _grouped(played).items():
        seat = _expert(it)
        if seat is not None:
            other = it.bots[DEFENDERS if seat == SNIPER else SNIPER]
            rounds = sum(game.rounds for game in group) / len(group)
            share = _shown(won(group, seat))
            yield f"| {it.bots[seat]} | {other} | {it.board} | {it.allowance} | {len(group)} | {share} | {rounds:.1f} |"


def _duels(played: Iterable[Played]) -> list[str]:
    duels = {it: group for it, group in _grouped(played).items() if _expert(it) is None}
    rows = []
    for it, group in duels.items():
        causes = [sum(game.reason == reason for game in group) for reason in ("objectives", "wounds", "countdown")]
        rows.append(
            f"| {it.board} | {it.allowance} | {len(group)} | {_shown(won(group, SNIPER))} | "
            + " | ".join(map(str, causes))
            + " |"
        )
    if not rows:
        return []
    head = "| map | budget of an act | games | won by the sniper | 95 % | objectives | wounds | countdown |"
    return ["## Experts against each other", "", head, "|---|---|---|---|---|---|---|---|", *rows, ""]


def _lessons(played: Iterable[Played]) -> list[str]:
    """What the games of the expert sniper tell of each map."""
    ours = [game for game in played if _searched(game.planned.setting)]
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
        if seat is not None and not it.thought:
            found[it.bots[seat], it.board].append((it.lines, won(group, seat)))
    lines = [Curve(f"{bot}, {board}", sorted(points)) for (bot, board), points in found.items()]
    ours = [game for game in played if _searched(game.planned.setting)]
    columns = [(f"{board[0].upper()} {n}", share) for board in BOARDS for n, share, _ in objectives(ours, board)]
    return {
        STRENGTH: curves("Games won by the experts, by lines an act", lines),
        OBJECTIVES: bars("Objectives completed, L: launch-facility, S: submarine-pens", columns),
    }


HELP: Final = (
    "an expert (phantom, marshal) or `duel`, lines or seconds (1s) that it may think about an act, and how many games "
    "on each map; all of them, 400 games each, take a day and a half of one core"
)


def main(argv: Sequence[str] | None = None) -> None:
    """Play, and write the half of the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("contests", nargs="*", metavar="NAME:BUDGET:GAMES", default=FULL, help=HELP)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count(), help="games side by side")
    parser.add_argument("--keep", type=Path, default=KEPT, help="the file of the games that were played")
    parser.add_argument("--into", type=Path, default=PAGE.parent, help="the folder of the page and the plots")
    asked = parser.parse_args(argv)
    try:
        contests = [Contest.read(text) for text in asked.contests]
    except ValueError:
        parser.error(f"a contest reads NAME:BUDGET:GAMES, as in {FULL[0]} or {FULL[3]}")
    played = measure(plan(contests), asked.keep, asked.jobs)
    command = " ".join(("python -m tools.minds", *asked.contests))
    asked.into.mkdir(parents=True, exist_ok=True)
    solo = PAGE.read_text("utf-8").partition(f"\n{HALF} Sniper")[0].rstrip("\n")
    (asked.into / PAGE.name).write_text(f"{solo}\n\n{half(played, command)}", "utf-8")
    for name, drawn in plots(played).items():
        (asked.into / name).write_text(drawn, "utf-8")
    print("\n".join(_strength(played)))


if __name__ == "__main__":
    main()
