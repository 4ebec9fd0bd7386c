"""Compare the engine with a second implementation: legal commands, events and positions after every act of random play.

Both could share a misunderstanding of the rule book, so each has tests of its own. They share no code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.events import Told
from engine.graph import Map
from engine.referee import Referee
from firmware_host.core import maps
from games.sniper_elite import GAME
from games.sniper_elite.game import SWITCHES
from games.sniper_elite.rules.words import SEATS
from tests.depth import DEPTH, seeds
from tests.games.random_play import RandomGame
from tests.games.second_referee import Copied, assert_same_acts, compared, possible
from tests.games.sniper_elite.duel import canonical, plain
from tests.games.sniper_elite.longhand.menu import KINDS, House, State, menu
from tests.games.sniper_elite.longhand.nest import BAGS
from tests.games.sniper_elite.longhand.play import Luck, follow
from tests.games.sniper_elite.longhand.random_positions import random_position
from tests.toys import grid

RULES = grid(
    kinds={"d4": "enclosed", "d5": "enclosed", "c5": "enclosed", "e5": "elevated", "e6": "elevated", "b5": "water"},
    difficult=["c2", "d2", "e8"],
    doors=[("d4", "c4"), ("d5", "d6"), ("e5", "f5"), ("e6", "e7")],
)


@cache
def board(name: str) -> Map:
    """Return the grid or an included map."""
    return RULES if name == "grid" else maps.load(name)


def some_options(random: Random) -> dict[str, Any]:
    """Return a valid combination of difficulty options and switches."""
    letters = {side: [letter for letter in "ABCD" if random.random() < 0.35] for side in ("sniper", "defenders")}
    if "A" in letters["sniper"] and "A" in letters["defenders"]:
        letters[random.choice(["sniper", "defenders"])].remove("A")
    experienced = {f"experienced_{side}": chosen for side, chosen in letters.items()}
    nest = (
        None
        if random.random() < 0.3
        else {"ally": random.choice([None, *BAGS, "ghost", "ghost"]), "gear": random.random() < 0.5}
    )
    switches = {ruling: random.random() < 0.6 for ruling in SWITCHES}
    return {"random_setup": random.random() < 0.3, "switches": switches, **experienced, "nest": nest}


def luck_of(telling: tuple[Told, ...]) -> Luck:
    """Return the random results in the events."""
    words = {"drew": ("draw", "tokens"), "loot-drawn": ("loot", "cards"), "hand": ("loadout", "cards")}
    words["specialists-chosen"] = ("specialists", "squads")
    raw = [plain(told.event) for told in telling]
    return {words[event["type"]][0]: event[words[event["type"]][1]] for event in raw if event["type"] in words}


def events_of(telling: tuple[Told, ...]) -> list[tuple[str, Any]]:
    """Return the events as the second implementation writes them."""
    return [("all" if told.audience.seats is None else told.audience.seats[0], plain(told.event)) for told in telling]


class Both(Copied):
    """A random game and its copy in the second implementation, from a random position or from the start."""

    def __init__(self, name: str, seed: int, scattered: bool = False) -> None:
        random = Random(f"{name} {seed}")
        options = some_options(random)
        self.play, self.house = RandomGame(GAME, board(name), seed, options), House(board(name), options)
        if scattered:
            begin = partial(random_position, self.house, random)
            self.play.referee = possible(GAME, self.house.board, options, begin, random)
        self.s: State = plain(GAME.state(self.play.referee.truth))
        self.seen = Counter()

    def compare_menus(self) -> None:
        """Assert that both list the same legal acts for each seat."""
        for seat in SEATS:
            assert_same_acts(
                map(canonical, menu(self.house, self.s, seat)), map(canonical, self.play.referee.legal(seat))
            )
        self.compare_position()

    def compare_position(self) -> None:
        """Assert that the position of the state is the same game for all viewers."""
        now, options = self.play.referee, GAME.read_options(self.house.options)
        again = Referee(GAME, GAME.position(self.house.board, options, self.s, Chance(Random(0))))
        for viewer, picture in again.pictures.items():
            assert GAME.view(picture) == GAME.view(now.pictures[viewer])
        assert again.to_act == now.to_act
        assert [again.legal(seat) for seat in SEATS] == [now.legal(seat) for seat in SEATS]

    def act(self) -> None:
        """Play one act in both, and assert that events and positions are the same."""
        seat, command, telling = self.play.step()
        before, luck = self.s, luck_of(telling)
        self.s, told = follow(self.house, before, seat, plain(command), luck)
        assert told == events_of(telling), command
        assert self.s == plain(GAME.state(self.play.referee.truth)), command
        self.seen.update(self.words(seat, plain(command), [event for _, event in told]))

    def words(self, seat: str, command: Any, told: list[Any]) -> Iterator[str]:
        """Yield what happened, for counting."""
        yield f"{seat} {command['type']} {command.get('card', command.get('use', ''))}".rstrip()
        for event in told:
            named = [event[name] for name in ("why", "by", "reason", "trigger") if name in event]
            ally = event["ally"] if event["type"] == "ability-used" else ""
            yield f"{event['type']} {(named or [ally])[0]}".rstrip()


LONGEST = 400
RARE = {
    *["bag-gained", "barked", "distracted", "mine-triggered", "objective-completed", "second-forfeited", "wounded"],
    *["killed shot", "killed mine", "killed trench-gun", "revealed shot", "revealed trench-gun", "revealed spot"],
    *["game-over objectives", "game-over wounds", "game-over countdown", "deployed", "scouted", "dog-placed"],
    *["defenders attack jaeger", "defenders attack sniper", "defenders save", "defenders decline"],
    *[f"ghost-revealed {why}" for why in ("found", "objective", "special_ability", "position", "game-over")],
    *[f"ability-used {ally}" for ally in BAGS],
    *["sniper shoot-second", *(f"sniper play {card}" for card in KINDS)],
}
"""What must have happened at least once. Much of it is rare in random play from the start."""


@pytest.mark.parametrize("batch", range(4))
def test_longhand_and_engine_agree_in_random_games(batch: int) -> None:
    seen = Counter[str]()
    for seed in seeds(10):
        seen += compared(Both("grid", 1000 * seed + batch), LONGEST, every=3)
    assert sum(seen[f"game-over {reason}"] for reason in ("objectives", "wounds", "countdown")) >= 10


@pytest.mark.parametrize("name", maps.drawn())
def test_longhand_and_engine_agree_on_every_map(name: str) -> None:
    for seed in seeds(4):
        assert compared(Both(name, seed), LONGEST, every=3)
        assert compared(Both(name, seed, scattered=True), 30, every=3)


def test_longhand_and_engine_agree_from_random_positions() -> None:
    seen = Counter[str]()
    for seed in seeds(240, by_day=100):
        seen += compared(Both("grid", seed, scattered=True), 30, every=3)
    if DEPTH > 1:
        assert {*seen} >= RARE, RARE - {*seen}
