"""Compare the solo game with a second, slow implementation: legal commands, events and positions after every act.

The two share no code. Officers' challenges are left out.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

import games.sniper_elite_solo
from engine.events import Told
from engine.game import Command
from firmware_host.core import maps
from games.sniper_elite.rules.commands import Complete, EndSniperTurn, Loot, Shoot, ShootSecond
from games.sniper_elite_solo import GAME
from tests.depth import DEPTH, seeds
from tests.games.random_play import RandomGame
from tests.games.second_referee import Copied, assert_same_acts, compared, possible
from tests.games.sniper_elite.duel import plain
from tests.games.sniper_elite.longhand.nest import BAGS
from tests.games.sniper_elite_solo.ground import BOARD, CROSSES
from tests.games.sniper_elite_solo.longhand.defenders import follow
from tests.games.sniper_elite_solo.longhand.menu import KINDS, House, State, menu
from tests.games.sniper_elite_solo.longhand.play import Luck
from tests.games.sniper_elite_solo.longhand.random_positions import random_position

DATA = Path(games.sniper_elite_solo.__file__).parent / "rules" / "data"


@cache
def house(name: str) -> House:
    """Return the fixture map or one of the included maps."""
    if name == "tm1":
        return House(BOARD, {unit.removesuffix("-officer"): space for unit, space in CROSSES.items()})
    return House(maps.load(name))


@cache
def cards() -> dict[str, Any]:
    """Return the solo cards of both decks as data."""
    raw = [card for name in ("cards", "veterans") for card in json.loads((DATA / f"{name}.json").read_text())]
    return {card["id"]: card for card in raw}


def some_nest(random: Random) -> dict[str, Any] | None:
    """Return a random option of Eagle's Nest, None in three games out of ten."""
    if random.random() < 0.3:
        return None
    return {"ally": random.choice([None, *BAGS]), "gear": random.random() < 0.5}


def luck_of(telling: tuple[Told, ...]) -> Luck:
    """Return the random results in the game's events."""
    luck: Luck = defaultdict(list)
    for kind, value in plain(GAME.luck(telling)):
        luck[kind].append(value[0] if kind == "snafu" else value)
    return luck


def events_of(telling: tuple[Told, ...]) -> list[tuple[str, Any]]:
    """Return the events with their audience, as longhand writes them."""
    loud = [told for told in telling if told.audience.seats != ()]
    return [("all" if told.audience.seats is None else told.audience.seats[0], plain(told.event)) for told in loud]


class EagerGame(RandomGame):
    """A random game whose sniper shoots, loots and completes objectives as soon as possible."""

    sorts: tuple[type[Command], ...] = (Complete, Loot, ShootSecond, Shoot)

    def choose(self, seat: str) -> Command:
        """Return a random command of the first legal type, else any command."""
        legal = self.referee.legal(seat)
        for sort in self.sorts:
            if found := [command for command in legal if isinstance(command, sort)]:
                return self.random.choice(found)
        return super().choose(seat)


class IdleGame(EagerGame):
    """A random game whose sniper ends every turn at once, so that the defenders play card after card."""

    sorts = (EndSniperTurn,)


class Both(Copied):
    """A random game and its copy in longhand, from the start or from a random position."""

    def __init__(self, name: str, seed: int, scattered: bool = False, kind: type[RandomGame] = RandomGame) -> None:
        nest = some_nest(Random(f"nest {name} {seed}"))
        self.house = house(name).playing(nest)
        self.options = {"deck": "veteran" if seed % 2 else None, "nest": nest}
        self.play = kind(GAME, self.house.board, seed, self.options)
        self.s: State = plain(GAME.state(self.play.referee.truth))
        if scattered:
            random = Random(f"{name} {seed}")
            begin = partial(random_position, self.house, random, self.s)
            self.play.referee = possible(GAME, self.house.board, self.options, begin, random)
            self.s = plain(GAME.state(self.play.referee.truth))
        self.seen = Counter()

    def compare_menus(self) -> None:
        """Assert that both list the same legal commands."""
        assert_same_acts(menu(self.house, self.s), self.play.referee.legal("sniper"))

    def act(self) -> None:
        """Play one act in both, and assert that events and positions are the same."""
        _, command, telling = self.play.step()
        before = self.s
        self.s, told = follow(self.house, cards(), before, plain(command), luck_of(telling))
        assert told == events_of(telling), (command, before)
        assert self.s == plain(GAME.state(self.play.referee.truth)), (command, before)
        self.seen.update(self.words(plain(command), [event for _, event in told]))

    def words(self, command: Any, told: list[Any]) -> Iterator[str]:
        """Yield what happened, for counting."""
        yield f"{command['type']} {command.get('card', command.get('option', ''))}".rstrip()
        for event in told:
            yield f"{event['type']} {event.get('cause', event.get('reason', ''))}".rstrip()
            if event["type"] == "ability-used":
                yield f"ability-used {event['ally']}"
            if event["type"] in ("solo-card", "killed"):
                yield f"{event['type']} {event.get('card', event.get('by'))}"


@pytest.mark.parametrize("name", ["tm1", *maps.drawn()])
def test_longhand_agrees_on_random_games(name: str) -> None:
    seen = Counter[str]()
    for seed in seeds(5):
        seen += compared(Both(name, seed), 400)
    assert sum(seen[f"game-over {reason}"] for reason in ("objectives", "wounds", "deck")) == len(seeds(5))


RARE = {
    *[f"solo-card {card}" for card in cards()],
    *[f"hit {why}" for why in ("noisy-move", "end-turn", "deploy", "scan", "search", "attack", "noise", "reveal")],
    *[f"killed {by}" for by in ("shot", "mine", "trench-gun")],
    *[f"game-over {reason}" for reason in ("objectives", "wounds", "deck")],
    *[f"after-hit {option}" for option in ("noise", "recoil", "aim")],
    *[f"play {card}" for card in KINDS],
    *[f"ability-used {ally}" for ally in BAGS],
    *["shoot-second", "attracted", "deck-shuffled", "loot-kept", "place-return", "snafu", "second-forfeited"],
}
"""What must have happened at least once. Much of it is rare in random games from the start."""
PROVED = (
    "SO-D-04", "SO-DEF-02", "SO-KEY-06", "SO-KEY-13", "SO-R-10", "SO-R-15", "SO-R-16", "SO-R-22", "SO-R-27",
    "SO-R-28", "SO-R-29", "SO-R-31", "SO-R-49", "SO-R-51", "SO-R-52", "SO-R-56", "SO-R-57", "SO-R-58", "SO-R-62",
    "SO-R-65", "SO-SHT-04",
)  # fmt: skip
"""Rules that both implement, and that no other test is marked with."""


@pytest.mark.rule(*PROVED)
def test_longhand_agrees_on_random_positions() -> None:
    seen = Counter[str]()
    for name in ("tm1", *maps.drawn()):
        for seed in seeds(60, by_day=25):
            seen += compared(Both(name, seed, scattered=True), 12)
        for seed in seeds(20, by_day=8):
            seen += compared(Both(name, seed, scattered=True, kind=IdleGame), 6)
    for seed in seeds(250, by_day=100):
        seen += compared(Both("tm1", seed, scattered=True, kind=EagerGame), 4)
    if DEPTH > 1:
        assert {*seen} >= RARE, RARE - {*seen}
