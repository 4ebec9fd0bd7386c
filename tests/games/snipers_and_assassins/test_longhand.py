"""Compare the engine with a second implementation: legal commands, events and positions after every act of random play.

Both take their rules from the rule book, and each has tests of its own. They share no code.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from engine.chance import Chance
from engine.events import Told
from engine.referee import Referee
from engine.refusal import Refused
from games.snipers_and_assassins import GAME
from games.snipers_and_assassins.rules.picture import SWITCH_IDS
from tests.depth import seeds
from tests.games.random_play import RandomGame
from tests.games.snipers_and_assassins.longhand.menu import Options, State, menu
from tests.games.snipers_and_assassins.longhand.play import Luck, follow
from tests.games.snipers_and_assassins.longhand.random_positions import random_position

COUNTS = pytest.mark.parametrize("count", range(2, 7))
LONGEST = 120
FROM_POSITION = 8
"""Acts played from the start, and from a random position."""


def plain(value: Any) -> Any:
    """Return a value as decoded JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def in_one_order(acts: list[Any]) -> list[str]:
    """Return acts as sorted text. An act that is listed twice stays twice."""
    return sorted(msgspec.json.encode(act, order="sorted").decode() for act in acts)


def luck_of(telling: tuple[Told, ...]) -> Luck:
    """Return the random results in the events."""
    raw = [plain(told.event) for told in telling]
    started = [event["seat"] for event in raw if event["type"] == "turn-started"]
    return {"decks": [event["cards"] for event in raw if event["type"] == "deck"], "first": [*started, None][0]}


class Both:
    """A random game and its copy in the second implementation, from a random position or from the start."""

    def __init__(self, count: int, seed: int, scattered: bool = False) -> None:
        random = Random(f"{count} {seed}")
        self.count, self.options = count, some_options(count, random)
        self.board = GAME.make_map(f"pathways-{count}")
        self.play = RandomGame(GAME, self.board, seed, self.options)
        if scattered:
            self.play.referee = possible(self.options, count, random)
        self.s: State = plain(GAME.state(self.play.referee.truth))
        self.seen: Counter[str] = Counter()

    def compare_menus(self) -> None:
        """Assert that both list the same legal acts for each seat."""
        for seat in self.s["players"]:
            mine, theirs = (
                in_one_order(menu(self.s, self.options, seat)),
                in_one_order(plain(self.play.referee.legal(seat))),
            )
            assert mine == theirs, [*set(mine) ^ set(theirs)][:5]

    def act(self) -> None:
        """Play one act in both, and assert that events and positions are the same."""
        seat, command, telling = self.play.step()
        act = plain(command)
        self.s, told = follow(self.options, self.s, seat, act, luck_of(telling))
        assert told == [plain(one.event) for one in telling], act
        assert [one.audience.seats for one in telling] == [() if one["type"] == "deck" else None for one in told]
        assert self.s == plain(GAME.state(self.play.referee.truth)), act
        self.seen[f"act {act['type']}"] += 1
        for event in told:
            self.seen[
                f"{event['type']} {event.get('result', event.get('kind', event.get('reason', '')))}".rstrip()
            ] += 1


def some_options(count: int, random: Random) -> Options:
    """Return a random combination of options."""
    first = random.choice([None, f"player-{random.randint(1, count)}"])
    switches = {ruling: random.random() < 0.7 for ruling in SWITCH_IDS.values()}
    variants = {"healing": random.random() < 0.4, "core_only": random.random() < 0.3}
    return {"players": count, "first": first, **variants, "switches": switches}


def possible(options: Options, count: int, random: Random) -> Referee:
    """Return a game from a position that the engine accepts. Few are refused."""
    board, chosen = GAME.make_map(f"pathways-{count}"), GAME.read_options(options)
    for _ in range(20):
        try:
            return Referee(GAME, GAME.position(board, chosen, random_position(options, count, random), Chance(random)))
        except Refused as error:
            why = error
    raise why


def compared(both: Both, acts: int) -> Counter[str]:
    """Play some acts of a game, comparing the legal acts before each. Return the counts of what happened."""
    for _ in range(acts):
        both.compare_menus()
        if not both.play.referee.to_act:
            break
        both.act()
    both.compare_menus()
    return both.seen


@COUNTS
def test_longhand_and_engine_play_the_same_game(count: int) -> None:
    for seed in seeds(6):
        compared(Both(count, seed), LONGEST)


def test_longhand_and_engine_agree_from_random_positions() -> None:
    seen = Counter[str]()
    for count in range(2, 7):
        for seed in seeds(120, by_day=40):
            seen += compared(Both(count, seed, scattered=True), FROM_POSITION)
    assert {*seen} >= COMMON, COMMON - {*seen}


COMMON = {
    *(f"shot {result}" for result in ("kill", "deflected", "dodge", "hit", "mine")),
    *(f"status {kind}" for kind in ("shot", "locked", "recover", "jump")),
    *("run-in", "surprise", "retreated", "mine-planted", "mine-exploded", "sniper-replaced", "claymore"),
    *(
        "improvement-drawn",
        "improvement-discarded",
        "deck-shuffled",
        "held",
        "game-over leader",
        "game-over rounds",
        "stealth",
    ),
    *(f"act {kind}" for kind in ("a", "b-walk", "b-jump", "c-walk", "c-jump", "d1", "d2", "d-continue", "d-fast")),
    *(f"act {kind}" for kind in ("walk", "jump", "plant", "claymore", "hold", "end-turn")),
}
"""What must have happened at least once."""
