"""MOVE: how the sniper moves."""

from __future__ import annotations

import pytest

from games.sniper_elite.rules import events
from games.sniper_elite.rules.commands import Move
from tests.games.sniper_elite.duel import Duel, sniper_turn, viewers
from tests.toys import grid

ALONE = {"red-1": "a8"}


def paths(duel: Duel) -> set[tuple[str, ...]]:
    """Return all legal movements."""
    return {offer.path for offer in duel.sniper.menu(Move)}


@pytest.mark.rule("MP-MOVE-01")
def test_sniper_moves_one_two_or_three_spaces() -> None:
    duel = sniper_turn("c4", units=ALONE)
    assert {len(path) for path in paths(duel)} == {1, 2, 3}
    assert len(paths(duel)) == 4 + 4 * 3 + 4 * 3 * 3 - 1, "and b1 is one step too far"
    for not_a_move in ((), ("c5", "c6", "c7", "c8")):
        with duel.refuses("MP-MOVE-01"):
            duel.sniper.moves(*not_a_move)
    assert duel.sniper.moves("c5", "c6", "c7") == [events.SniperMoved(("c5", "c6", "c7"))]
    assert duel.truth.mine.space == "c7"
    assert viewers(duel, events.SniperMoved) == {"sniper"}


@pytest.mark.rule("MP-MOVE-02")
@pytest.mark.parametrize("path", [["d5"], ["c6"], ["c5", "d6"], ["c4"]])
def test_each_step_goes_to_a_space_sharing_an_edge(path: list[str]) -> None:
    duel = sniper_turn("c4", units=ALONE)
    with duel.refuses("MP-MOVE-02"):
        duel.sniper.moves(*path)


@pytest.mark.rule("MP-MOVE-04")
def test_sniper_can_leave_a_space_that_a_unit_entered() -> None:
    duel = sniper_turn("c4", units={"red-1": "c4"})
    assert duel.sniper.moves("c5") == [events.SniperMoved(("c5",))]
    assert duel.defenders.knows == []
    duel = sniper_turn("c4", units={"red-1": "c4"})
    with duel.refuses("MP-MOVE-05"):
        duel.sniper.moves("c5", "c4")


@pytest.mark.rule("MP-MOVE-05", "R-07")
@pytest.mark.parametrize("path", [["c5", "c4"], ["c5", "c6", "c5"], ["b4", "c4"]])
def test_no_space_is_visited_twice_in_a_turn(path: list[str]) -> None:
    duel = sniper_turn("c4", units=ALONE)
    with duel.refuses("MP-MOVE-05"):
        duel.sniper.moves(*path)
    assert all(len(set(path)) == len(path) and "c4" not in path for path in paths(duel))


@pytest.mark.rule("MP-MOVE-05")
def test_position_can_give_the_spaces_visited_this_turn() -> None:
    duel = sniper_turn("c4", units=ALONE, been=["c5", "c4"])
    assert not any("c5" in path or "c4" in path for path in paths(duel))
    with duel.refuses("MP-MOVE-05"):
        duel.sniper.moves("c5")
    duel = sniper_turn("c4", units=ALONE, been=["c5"])
    with duel.refuses("MP-MOVE-05"):
        duel.sniper.moves("d4", "c4")


@pytest.mark.rule("MP-MOVE-06")
def test_walls_are_crossed_at_doors_and_ladders_only() -> None:
    board = grid(kinds={"c5": "enclosed", "b4": "elevated"}, doors=[("c5", "c6"), ("b4", "a4")])
    duel = sniper_turn("c4", board=board, units=ALONE)
    for barred in ("c5", "b4"):
        with duel.refuses("MP-MOVE-06"):
            duel.sniper.moves(barred)
    inside = sniper_turn("c5", board=board, units=ALONE)
    with inside.refuses("MP-MOVE-06"):
        inside.sniper.moves("c4")
    inside.sniper.moves("c6")
    up = sniper_turn("a4", board=board, units=ALONE)
    up.sniper.moves("b4")


@pytest.mark.rule("MP-MOVE-08")
def test_step_from_the_arrow_is_the_first_of_three() -> None:
    duel = sniper_turn(None, entry="white", units=ALONE)
    assert all(path[0] == "f8" for path in paths(duel))
    assert {len(path) for path in paths(duel)} == {1, 2, 3}
    with duel.refuses("MP-MOVE-08"):
        duel.sniper.moves("f7")
    with duel.refuses("MP-MOVE-01"):
        duel.sniper.moves("f8", "f7", "f6", "f5")
    duel.sniper.moves("f8", "f7", "f6")
    assert duel.truth.mine.space == "f6"


@pytest.mark.rule("MP-MOVE-09", "R-08")
def test_two_difficult_spaces_can_be_crossed_unless_r08_is_off() -> None:
    board = grid(difficult=["c5", "c6"])
    assert ("c5", "c6") in paths(sniper_turn("c4", board=board, units=ALONE))
    strict = sniper_turn("c4", board=board, units=ALONE, options={"switches": {"R-08": False}})
    assert ("c5",) in paths(strict)
    assert ("c5", "b5") in paths(strict)
    assert ("c5", "c6") not in paths(strict)
    with strict.refuses("MP-MOVE-09"):
        strict.sniper.moves("c5", "c6")
    with strict.refuses("MP-MOVE-09"):
        strict.sniper.moves("c5", "b5", "b6")


@pytest.mark.rule("MP-MOVE-10")
@pytest.mark.parametrize("kind", ["water", "obstruction"])
def test_water_and_obstructions_are_never_entered(kind: str) -> None:
    duel = sniper_turn("c4", board=grid(kinds={"c5": kind}), units=ALONE)
    with duel.refuses("MP-MOVE-10", kind):
        duel.sniper.moves("c5")
    assert not any("c5" in path for path in paths(duel))


@pytest.mark.rule("MP-MOVE-11")
@pytest.mark.parametrize(("path", "noisy"), [(["c5"], False), (["c5", "c6"], True), (["c5", "c6", "c7"], True)])
def test_one_space_is_quiet_and_two_or_three_are_noisy(path: list[str], noisy: bool) -> None:
    duel = sniper_turn("c4", units={"red-1": "d5"})
    duel.sniper.moves(*path)
    assert (duel.defenders.knows == [events.Alerted(("red-1",))]) == noisy
    assert bool(duel.defenders.knows) == noisy


@pytest.mark.rule("MP-MOVE-12")
def test_moving_never_moves_the_miniature() -> None:
    duel = sniper_turn("c4", units={"red-1": "c6"}, miniature="c4")
    duel.sniper.moves("d4", "d5")
    assert duel.table.miniature == "c4"
