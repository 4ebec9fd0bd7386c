"""The engine against the rules in longhand: after every act of random play menu, news and position are the same.

What both take from the ledger has tests of its own. But neither has a line of the other.
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
from tests.depth import seeds
from tests.games.random_play import RandomGame
from tests.games.snipers_and_assassins.longhand.menu import State, menu
from tests.games.snipers_and_assassins.longhand.play import Luck, Options, follow
from tests.games.snipers_and_assassins.longhand.strewn import strewn

COUNTS = pytest.mark.parametrize("count", range(2, 7))
LONGEST = 120
STREWN = 8
"""Acts from the beginning, and from a position with everything strewn about."""


def plain(value: Any) -> Any:
    """As it goes over the wire."""
    return msgspec.json.decode(msgspec.json.encode(value))


def in_one_order(acts: list[Any]) -> list[str]:
    """Acts as text; one that is listed twice stays twice."""
    return sorted(msgspec.json.encode(act, order="sorted").decode() for act in acts)


def luck_of(telling: tuple[Told, ...]) -> Luck:
    """What chance brought, from what was told of it."""
    raw = [plain(told.event) for told in telling]
    started = [event["seat"] for event in raw if event["type"] == "turn-started"]
    return {"decks": [event["cards"] for event in raw if event["type"] == "deck"], "first": [*started, None][0]}


class Both:
    """A random game, and the same in longhand; with everything strewn about, or from the beginning."""

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
        """Both say the same of what each seat may do."""
        for seat in self.s["players"]:
            mine, theirs = in_one_order(menu(self.s, seat)), in_one_order(plain(self.play.referee.legal(seat)))
            assert mine == theirs, [*set(mine) ^ set(theirs)][:5]

    def act(self) -> None:
        """One act, followed by both, which say the same of what was told and of the position after it."""
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
    """Options in any mix."""
    first = random.choice([None, f"player-{random.randint(1, count)}"])
    return {"players": count, "healing": random.random() < 0.4, "core_only": random.random() < 0.3, "first": first}


def possible(options: Options, count: int, random: Random) -> Referee:
    """A game from a position that the engine lets through; few are turned down."""
    board, chosen = GAME.make_map(f"pathways-{count}"), GAME.read_options(options)
    for _ in range(20):
        try:
            return Referee(GAME, GAME.position(board, chosen, strewn(options, count, random), Chance(random)))
        except Refused as error:
            why = error
    raise why


def compared(both: Both, acts: int) -> Counter[str]:
    """Some acts of a game, with the menus before each."""
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


def test_they_play_the_same_game_with_everything_strewn_about() -> None:
    seen = Counter[str]()
    for count in range(2, 7):
        for seed in seeds(120):
            seen += compared(Both(count, seed, scattered=True), STREWN)
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
"""What must have happened to compare it."""
