"""Whatever the table believes: a board that matches the game agrees, and following the hints always leads there.

The belief is random, so it may be completely wrong. The person who follows the hints looks only at the table's messages
and at the occupied spaces.
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.referee import Referee
from firmware_host.board.tracking.belief import Belief, Left, Lift, Story, place_unit
from firmware_host.board.tracking.hints import (
    Correction,
    Hint,
    Orders,
    Question,
    Remove,
    SetUp,
    UnknownPiece,
    WrongPlace,
)
from firmware_host.core import maps
from firmware_host.core.capabilities import board_game
from firmware_host.core.settings import settle
from games import find
from lab.simulation.episodes import random_position
from lab.simulation.handling import WatchedTable
from tests.depth import cases

GAMES = ("sniper-elite", "snipers-and-assassins", "sniper-elite-solo")
TRIALS = cases(8, by_day=4)
LOOK = 2600
"""Milliseconds after which a person looks at the table's message."""
MOST_HINTS = 150


def laid(game: str, random: Random) -> WatchedTable:
    """Return a board of one of the game's maps, with a random position."""
    played = board_game(find(game))
    board = maps.load(random.choice(maps.offered(played)))
    chance, options = Chance(Random(random.random())), maps.options_on(played, board, None)
    position = random_position(played, board, random).position
    referee = Referee(played, played.position(board, options, position, chance))
    bench = WatchedTable(played, played.seats(options), board, referee, chance, settle())
    bench.wait(1000)
    return bench


def some_story(bench: WatchedTable, random: Random, down: Collection[str]) -> Story:
    """Return a story in which the pieces are on random spaces, lifted or nowhere."""
    units, spaces, now = [*bench.facts.standing], [*bench.board.enterable], bench.now / 1000
    random.shuffle(units)
    at = {space: units.pop() if units and random.random() < 0.7 else None for space in sorted(down)}
    air = frozenset(unit for unit in units if random.random() < 0.5)
    moved = [*air, *(unit for unit in at.values() if unit is not None and random.random() < 0.5)]
    flags = [random.random() < 0.2 for _ in range(3)]
    pairs = [(unit, space) for space, unit in at.items() if unit is not None]
    return Story(
        at,
        air,
        {unit: Lift(random.choice(spaces), now - 5 * random.random(), *flags) for unit in sorted(moved)},
        odd=4 * random.random(),
        accidents=frozenset(pair for pair in pairs if random.random() < 0.2),
        exchanged=frozenset(pair for pair in pairs if random.random() < 0.2),
        under=frozenset((unit, random.choice(sorted(down))) for unit in units if unit not in air and down),
    )


def believe(bench: WatchedTable, random: Random, down: Collection[str]) -> None:
    """Give the table a random belief; sometimes even about empty spaces."""
    spaces, now = [*bench.board.enterable], bench.now / 1000
    if random.random() < 0.3:
        down = {space for space in spaces if random.random() < 0.1}
    came = {space: now - 5 * random.random() for space in sorted(down)}
    belief = Belief(
        came,
        came,
        {space: Left(now - 5 * random.random(), now - 6, random.random() < 0.5) for space in spaces[:5]},
        tuple(some_story(bench, random, down) for _ in range(random.randint(1, 6))),
        frozenset(space for space in sorted(down) if random.random() < 0.5),
        spare=random.random() < 0.2,
        upset=random.random() < 0.2,
    )
    sensing = bench._sensing
    tracker = sensing._tracker
    assert tracker is not None
    sensing._tracker = replace(
        tracker, belief=belief, outcome=replace(tracker.outcome, due=0.0), started=random.random() < 0.8
    )
    bench._unthought = True


class Follower:
    """Follows the table's hints, and cannot tell miniatures apart."""

    def __init__(self, bench: WatchedTable, random: Random) -> None:
        self.bench, self.random, self.down = bench, random, {*bench.facts.homes}

    def touch(self, space: str, down: bool) -> None:
        """Close or open a sensor."""
        self.bench.feed(self.bench.now + self.random.randint(5, 30), space, down)
        (self.down.add if down else self.down.discard)(space)

    def wait(self, least: int, most: int) -> None:
        """Let some milliseconds pass."""
        self.bench.wait(self.bench.now + self.random.randint(least, most))

    def disorder(self) -> None:
        """Take some pieces off and put others down anywhere."""
        for _ in range(self.random.randint(1, 5)):
            space = self.random.choice(self.bench.board.enterable)
            self.touch(space, space not in self.down)

    def until_agreed(self) -> list[Hint | None]:
        """Follow hints until the board agrees, and return them."""
        followed: list[Hint | None] = []
        while not self.bench.agreed:
            followed.append(self.bench.hint)
            assert len(followed) < MOST_HINTS, followed[-4:]
            self.follow(self.bench.hint)
            self.wait(LOOK, LOOK)
        return followed

    def follow(self, hint: Hint | None) -> None:
        """Follow one hint exactly. If there is none, put down what is still lifted."""
        match hint:
            case None:
                missing = sorted(self.bench.facts.homes.keys() - self.down)
                assert missing, f"nothing is said, and there is too much on the board: {sorted(self.down)}"
                self.touch(missing[0], True)
            case Question():
                self.bench.pick(self.bench.now, self.random.choice(hint.between).tap)
            case Correction():
                self.carry(hint.start, hint.to)
            case Orders():
                order = self.random.choice([order for order in hint.orders if not order.waits])
                self.carry(order.start, order.to)
            case WrongPlace():
                for space in hint.spaces:
                    free = [goal for goal in hint.legal if goal not in self.down]
                    self.carry(space, free[0] if free else None)
            case SetUp():
                for space in set(hint.spaces) - self.down:
                    self.touch(space, True)
            case Remove() | UnknownPiece():
                for space in hint.spaces:
                    self.carry(space, None)
            case _:
                raise AssertionError(f"no sensor is faulty: {hint}")

    def carry(self, start: str | None, goal: str | None) -> None:
        """Carry a piece from a space, or a lifted one, to another space or off the board. One of several on a space may
        leave undetected. An occupied goal is cleared first.
        """
        if start is not None:
            assert start in self.down, f"nothing stands on {start}"
            if len(self.bench.facts.sharing.get(start, ())) < 2 or self.random.random() < 0.5:
                self.touch(start, False)
            self.wait(150, 900)
        if goal is None:
            return
        if goal not in self.down:
            self.touch(goal, True)
        elif len(self.bench.facts.sharing.get(goal, ())) < 2:
            self.touch(goal, False)
            self.wait(300, 500)
            self.touch(goal, True)


@pytest.mark.parametrize("game", GAMES)
def test_board_equal_to_game_agrees_whatever_is_believed(game: str) -> None:
    for seed in range(TRIALS):
        random = Random(f"{game} {seed}")
        bench = laid(game, random)
        believe(bench, random, {*bench.facts.homes})
        bench.wait(bench.now + 1000)
        assert bench.agreed, (seed, bench.hint)
        assert bench.hint is None, seed
        assert bench._sensing.outcome.held == (), seed


@pytest.mark.parametrize("game", GAMES)
def test_following_hints_ends_in_agreement_whatever_is_believed(game: str) -> None:
    for seed in range(TRIALS):
        random = Random(f"{game} {seed}")
        bench = laid(game, random)
        person = Follower(bench, random)
        person.disorder()
        person.wait(30, 300)
        believe(bench, random, person.down)
        person.wait(LOOK, LOOK)
        person.until_agreed()
        missing, extra = bench.facts.homes.keys() - person.down, person.down - bench.facts.homes.keys()
        assert not missing, seed
        assert extra <= bench.facts.optional, seed


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_in_the_air_has_been_lifted(game: str) -> None:
    for seed in range(TRIALS):
        random = Random(f"not there {game} {seed}")
        bench = laid(game, random)
        believe(bench, random, {*bench.facts.homes})
        tracker = bench._sensing._tracker
        assert tracker is not None
        assert tracker.belief is not None
        for unit in bench.facts.standing:
            for space in tracker.belief.came:
                known = place_unit(tracker.belief, bench.facts, unit, space, bench.now / 1000)
                assert all(story.air <= story.lifts.keys() for story in known.stories), (seed, unit, space)
