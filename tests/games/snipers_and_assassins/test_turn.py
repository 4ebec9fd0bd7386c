"""TRN: the turn of both markers, its end, rounds, and the draw."""

from __future__ import annotations

import pytest

from tests.games.protocol_client import kinds
from tests.games.snipers_and_assassins.table import playing

RULE = pytest.mark.rule


@RULE("SA-TRN-01", "SA-TRN-02", "SA-TRN-03")
@pytest.mark.parametrize("order", [("sniper", "assassin"), ("assassin", "sniper")])
def test_both_markers_act_once_in_either_order(order: tuple[str, str]) -> None:
    table = playing(S1="B5", A1="C5")
    acts = {"sniper": ("c-walk", "B6"), "assassin": ("walk", "C6")}
    for kind in order:
        table.act(1, acts[kind][0], to=acts[kind][1])
    assert table.state()["acted"] == ["sniper", "assassin"]
    assert table.offered(1) == [{"type": "end-turn"}]
    assert table.refused(1, "hold", marker="sniper-1") == "SA-TRN-02"
    assert kinds(table.act(1, "end-turn")) == ["turn-ended", "turn-started"]
    assert table.state()["acted"] == []


@RULE("SA-R-46", "SA-R-62")
def test_game_is_a_draw_after_300_rounds() -> None:
    table = playing(round=300)
    table.end(1)
    assert table.act(2, "end-turn")[-1] == {"type": "game-over", "winner": None, "reason": "rounds"}
    state = table.state()
    assert (state["turn"], state["round"], state["acted"]) == ("player-2", 300, [])
    assert state["over"] == {"winner": None, "reason": "rounds"}
    assert table.refused(1, "end-turn") == "SA-R-46"
    assert playing(round=299, turn="player-2").act(2, "end-turn")[-1]["round"] == 300
