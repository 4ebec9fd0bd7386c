"""Contests of the experts of Sniper Elite. Each game is played once, and its result is kept in a file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

import games
from engine.game import REFEREE
from engine.graph import Map
from engine.referee import Referee
from firmware_host.core import maps
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.words import DEFENDERS, SNIPER
from lab.arena import LINES, Match, play_to_end
from lab.processes import in_order

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
LONGEST: Final = 3600.0
"""Seconds that a bot may think about an act at the most."""
ROOT: Final = Path(__file__).resolve().parent.parent
KEPT: Final = ROOT / "build" / "experts.jsonl"
"""The file of played games, from which a longer run continues."""


class Setting(Struct, frozen=True):
    """What games have in common: the bots, and the search budget of an expert per action.

    The budget is `lines` that it simulates, or `thought` seconds if that is not 0.
    """

    board: str
    sniper: str
    defenders: str
    lines: int
    thought: float = 0.0

    @property
    def budget_text(self) -> str:
        """Return the budget in words."""
        return f"{self.thought:g} s" if self.thought else f"{self.lines} lines"

    @property
    def bots(self) -> dict[str, str]:
        """Return seat -> bot."""
        return {SNIPER: self.sniper, DEFENDERS: self.defenders}


class Planned(Struct, frozen=True):
    """A game to play, with the number that its random seed is made from, and the code that plays it (see `digest`)."""

    setting: Setting
    number: int
    seed: int = SEED
    code: str = ""


class Played(Struct, frozen=True):
    """The result of a game: why it ended, the arrow, the objectives held and the objectives completed, in order."""

    planned: Planned
    winner: str
    reason: str
    rounds: int
    entry: str
    held: tuple[int, ...]
    completed: tuple[int, ...]
    wounds: int


def play_planned(planned: Planned) -> Played:
    """Play one game to its end. Raises `BotFault`."""
    return _play_on({planned.setting.board: maps.load(planned.setting.board)}, planned)


def _play_on(boards: Mapping[str, Map], planned: Planned) -> Played:
    it, options = planned.setting, games.find(GAME).read_options({})
    match = Match(GAME, boards[it.board], options, it.bots, planned.seed, it.lines, it.thought)
    referee, _ = play_to_end(match, planned.number)
    return _result(planned, referee)


def _result(planned: Planned, referee: Referee) -> Played:
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
    """An expert (or DUEL), its budget, and how many games it plays on each map."""

    name: str
    lines: int
    thought: float
    games: int

    @classmethod
    def read(cls, text: str) -> Contest:
        """Parse NAME:BUDGET:GAMES. The budget is in lines, or in seconds if it ends in s. Raises `ValueError`."""
        name, budget, count = text.split(":")
        if name not in (*EXPERTS.values(), DUEL):
            raise ValueError(name)
        if budget.endswith("s"):
            lines, thought = 0, float(budget[:-1])
        else:
            lines, thought = int(budget), 0.0
        if lines < 0 or (budget.endswith("s") and not 0 < thought <= LONGEST) or int(count) < 1:
            raise ValueError(text)
        return cls(name, lines, thought, int(count))

    @property
    def bots(self) -> dict[str, str]:
        """Return seat -> bot: an expert against the strong bot of the other side, or both experts."""
        return {seat: name if self.name in (name, DUEL) else STRONG[seat] for seat, name in EXPERTS.items()}


@cache
def digest() -> str:
    """Return a digest of the engine, the game with its bots, and the maps: results of other code do not count."""
    found = hashlib.sha256()
    for folder, suffix in (("engine", "py"), (f"games/{GAME.replace('-', '_')}", "py"), ("maps", "geojson")):
        for path in sorted((ROOT / folder).rglob(f"*.{suffix}")):
            found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def plan_games(contests: Iterable[Contest]) -> list[Planned]:
    """Return the games of all contests, alternating between the maps."""
    return [
        Planned(Setting(board, it.bots[SNIPER], it.bots[DEFENDERS], it.lines, it.thought), number, code=digest())
        for it in contests
        for number in range(1, it.games + 1)
        for board in BOARDS
    ]


def play_missing(planned: Iterable[Planned], kept: Path, jobs: int) -> list[Played]:
    """Return the results of games. Play those that `kept` lacks, and append each to that file as soon as it ends.

    Raises `BotFault` and `Unavailable`.
    """
    wanted = list(dict.fromkeys(planned))
    found = {game.planned: game for game in _read(kept)}
    missing = [game for game in wanted if game not in found]
    if not missing:
        return [found[game] for game in wanted]
    kept.parent.mkdir(parents=True, exist_ok=True)
    with kept.open("ab") as file:
        file.write(b"\n")  # a run that was killed may have left half a line
        for game in in_order(_play_on, {board: maps.load(board) for board in BOARDS}, missing, jobs):
            file.write(msgspec.json.encode(game) + b"\n")
            file.flush()
            found[game.planned] = game
    return [found[game] for game in wanted]


def _read(kept: Path) -> Iterator[Played]:
    if kept.exists():
        for line in kept.read_bytes().splitlines():
            with suppress(msgspec.DecodeError):
                yield msgspec.json.decode(line, type=Played)
