"""END: how the game ends, and what is revealed then."""

from __future__ import annotations

from typing import Any

import pytest

from games.sniper_elite.rules import events
from tests.games.sniper_elite.duel import Duel, defenders_turn, sniper_turn
from tests.toys import grid


def over(duel: Duel) -> tuple[str, str] | None:
    """Return the winner and the reason."""
    return None if duel.table.over is None else (duel.table.over.winner, duel.table.over.reason)


def idle_until_the_end(duel: Duel) -> int:
    """Return the number of turns that the sniper can end before the clock runs out."""
    turns = 0
    while over(duel) is None:
        duel.sniper.ends_turn()
        turns += 1
        if over(duel) is None:
            duel.defenders.ends_turn()
    return turns


@pytest.mark.rule("MP-END-03", "MP-END-06", "MP-OBJ-06", "R-19")
def test_without_an_objective_the_tenth_turn_is_the_last() -> None:
    assert idle_until_the_end(sniper_turn("c4")) == 10


@pytest.mark.rule("MP-OBJ-04", "MP-OBJ-06", "MP-END-03", "MP-END-06", "R-20")
@pytest.mark.parametrize(("done_in", "last"), [(10, 19), (4, 13), (1, 10)])
def test_ex94_ex95_completed_objective_gives_nine_more_turns(done_in: int, last: int) -> None:
    duel = sniper_turn("b2", round=done_in, countdown=11 - done_in)
    duel.sniper.completes(1)
    assert done_in - 1 + idle_until_the_end(duel) == last


@pytest.mark.rule("MP-END-04")
def test_defenders_win_and_lose_together() -> None:
    duel = sniper_turn("c4", countdown=1)
    duel.sniper.ends_turn()
    for viewer in ("sniper", "defenders", "table"):
        assert duel.referee.told[viewer][-2] == events.GameOver("defenders", "countdown")


@pytest.mark.rule("MP-END-05", "MP-INFO-22")
@pytest.mark.parametrize("how", ["objectives", "wounds", "countdown"])
def test_end_reveals_route_objectives_cards_and_mines(how: str) -> None:
    secrets: dict[str, Any] = {"face_down": ["s-mine"], "mines": ["a1"], "log": [[3, "c2"], [2, "c1"]]}
    if how == "wounds":
        duel = defenders_turn("b2", wounds=1, units={"red-1": "b2"}, countdown=4, **secrets)
        duel.defenders.attack("red-1")
        route: tuple[tuple[int, str], ...] = ((3, "c2"), (2, "c1"))
    else:
        duel = sniper_turn("b2", completed=[8], countdown=1, **secrets)
        act = duel.sniper.ends_turn if how == "countdown" else lambda: duel.sniper.completes(1)
        act()
        route = ((3, "c2"), (2, "c1"), (1, "b2"))
    opened = events.Opened(route, (1, 8), ("s-mine",), ("a1",))
    for viewer in ("sniper", "defenders", "table"):
        assert duel.referee.told[viewer][-1] == opened
        assert duel.referee.pictures[viewer].opened == opened
    assert duel.truth.mine.log == route


@pytest.mark.rule("MP-END-06", "MP-TURN-09", "R-05")
def test_r05_off_sniper_who_never_enters_loses_after_ten_turns() -> None:
    duel = sniper_turn(None, entry="white", board=grid(), options={"switches": {"R-05": False}})
    assert idle_until_the_end(duel) == 10
    assert duel.table.opened is not None
    assert duel.table.opened.log[0] == (10, None)
