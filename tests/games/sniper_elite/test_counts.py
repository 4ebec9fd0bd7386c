"""Counting, as chess programs do: how many ways there are to act, and how many the defenders can tell apart.

The counts to a fixed depth are made twice, and the second time with none of the engine's rules: for moves from the toy
map's own tables, for all acts with everything that chance can bring to them by the rules in longhand.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from engine.chance import Chance
from engine.events import Event
from engine.game import TABLE
from engine.graph import Map
from engine.refusal import Refused
from games.sniper_elite import GAME
from games.sniper_elite.rules.commands import EndDefendersTurn, EndSniperTurn, Move
from games.sniper_elite.rules.picture import Picture
from tests.games.sniper_elite.counts import FILE, POSITIONS, begun, by_engine, by_hand, line
from tests.games.sniper_elite.counts import counted as counted_ways
from tests.games.sniper_elite.duel import sniper_turn
from tests.games.sniper_elite.longhand.play import lucks
from tests.toys import grid, t1

UNITS = {"red-1": "a1", "black-1": "d2"}
Seen = tuple[Event, ...]


def walked(board: Map, start: str, turns: int, objectives: list[int]) -> list[tuple[str, Seen]]:
    """(where the sniper is, what the table was told) after every way to move through `turns` turns, by the engine."""
    duel = sniper_turn(start, board, units=UNITS, hand=[], objectives=objectives)
    return list(_walked(duel.referee.pictures, turns, ()))


def _walked(pictures: dict[str, Picture], turns: int, told: Seen) -> Iterator[tuple[str, Seen]]:
    if turns == 0:
        yield str(pictures["referee"].mine.space), told
        return
    moves = [act for act in GAME.legal(pictures["sniper"], "sniper") if isinstance(act, Move)]
    for move in (None, *moves):
        now, heard = dict(pictures), told
        for act in (*([move] if move else ()), EndSniperTurn(), EndDefendersTurn()):
            now, heard = _done(now, act, heard)
        yield from _walked(now, turns - 1, heard)


def _done(pictures: dict[str, Picture], act: object, told: Seen) -> tuple[dict[str, Picture], Seen]:
    telling = tuple(GAME.decide(pictures["referee"], act, None))  # type: ignore[arg-type]
    after = dict(pictures)
    for item in telling:
        for viewer in after:
            if viewer == "referee" or item.audience.includes(viewer):
                after[viewer] = GAME.fold(after[viewer], item.event)
        if item.audience.includes(TABLE):
            told = (*told, item.event)
    return after, told


def counted(board: Map, start: str, turns: int) -> list[tuple[str, tuple[frozenset[str], ...]]]:
    """(where the sniper is, who heard noise in each turn) for every way, by hand from the map's tables."""
    ways = [(start, tuple[frozenset[str], ...]())]
    for _ in range(turns):
        ways = [
            (path[-1] if path else here, (*heard, _heard(board, here, path)))
            for here, heard in ways
            for path in [(), *_paths(board, here)]
        ]
    return ways


def _paths(board: Map, here: str) -> Iterator[tuple[str, ...]]:
    one = [(space,) for space in board.walk[here]]
    two = [(*path, space) for path in one for space in board.walk[path[-1]]]
    three = [(*path, space) for path in two for space in board.walk[path[-1]]]
    for path in (*one, *two, *three):
        simple = len({here, *path}) == len(path) + 1
        slow = any(board.spaces[space].difficult for space in path)
        if simple and not (slow and len(path) > 2) and not set(path) & set(UNITS.values()):
            yield path


def _heard(board: Map, here: str, path: tuple[str, ...]) -> frozenset[str]:
    if len(path) < 2:
        return frozenset()
    return frozenset(u for u, at in UNITS.items() if any(at in board.adjacent[space] for space in (here, *path)))


BOARDS = {"T1": (t1, "a3", 3, [1, 2]), "grid": (grid, "c4", 2, [1, 8])}
"""Name -> the map, where the sniper begins, how many turns are counted, and objectives of two suits."""


@pytest.mark.rule("MP-MOVE-01", "MP-MOVE-02", "MP-MOVE-05", "MP-MOVE-09", "MP-INFO-03", "MP-INFO-04")
@pytest.mark.parametrize("name", BOARDS)
def test_the_ways_to_move_and_what_the_defenders_tell_apart_are_as_counted_by_hand(name: str) -> None:
    make, start, turns, objectives = BOARDS[name]
    board = make()
    engine, hand = walked(board, start, turns, objectives), counted(board, start, turns)
    assert len(engine) == len(hand) > 100
    assert sorted(where for where, _ in engine) == sorted(where for where, _ in hand)
    assert len({told for _, told in engine}) == len({heard for _, heard in hand}) > 3


@pytest.mark.parametrize("name", POSITIONS)
def test_all_ways_to_play_on_are_as_many_as_in_longhand_and_as_were_written_down(name: str) -> None:
    house, truth, position = begun(name)
    for depth in range(1, POSITIONS[name][0] + 1):
        engine, hand = counted_ways(by_engine(house, truth, depth)), counted_ways(by_hand(house, position, depth))
        assert engine == hand
        assert line(name, depth, engine) in FILE.read_text("utf-8").splitlines()


@pytest.mark.rule("MP-SHOOT-06")
def test_the_odds_of_all_draws_together_are_one_and_no_other_draw_is_possible() -> None:
    bag = {"aim": 2, "noise": 1, "recoil": 3, "suppression": 1}
    for number in range(1, 8):
        ways = lucks({"bag": bag}, "sniper", {"type": "shoot", "draw": number})
        assert sum(share for _, share in ways) == 1
        drawn = [luck["draw"] for luck, _ in ways]
        assert len({*map(str, drawn)}) == len(drawn)
        for tokens in product(range(3), range(2), range(4), range(2)):
            draw = dict(zip(bag, tokens, strict=True))
            if draw in drawn:
                assert Chance(Random(0), [("draw", draw)]).tokens("draw", bag, number, "MP-SHOOT-06") == draw
            else:
                with pytest.raises(Refused):
                    Chance(Random(0), [("draw", draw)]).tokens("draw", bag, number, "MP-SHOOT-06")
