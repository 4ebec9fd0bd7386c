"""Compare the engine with a second implementation: legal commands, events and positions after every act of random play.

Both take their rules from the rule book, and each has tests of its own. They share no code.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest

from engine.events import Told
from games.snipers_and_assassins import GAME
from games.snipers_and_assassins.rules.picture import SWITCH_IDS
from tests.depth import seeds
from tests.games.random_play import RandomGame
from tests.games.second_referee import Copied, assert_same_acts, compared, possible
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


def luck_of(telling: tuple[Told, ...]) -> Luck:
    """Return the random results in the events."""
    raw = [plain(told.event) for told in telling]
    started = [event["seat"] for event in raw if event["type"] == "turn-started"]
    return {"decks": [event["cards"] for event in raw if event["type"] == "deck"], "first": [*started, None][0]}


class Both(Copied):
    """A random game and its copy in the second implementation, from a random position or from the start."""

    def __init__(self, count: int, seed: int, scattered: bool = False) -> None:
        random = Random(f"{count} {seed}")
        self.count, self.options = count, some_options(count, random)
        self.board = GAME.make_map(f"pathways-{count}")
        self.play = RandomGame(GAME, self.board, seed, self.options)
        if scattered:
            begin = partial(random_position, self.options, count, random)
            self.play.referee = possible(GAME, self.board, self.options, begin, random)
        self.s: State = plain(GAME.state(self.play.referee.truth))
        self.seen = Counter()

    def compare_menus(self) -> None:
        """Assert that both list the same legal acts for each seat."""
        for seat in self.s["players"]:
            assert_same_acts(menu(self.s, self.options, seat), self.play.referee.legal(seat))

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
