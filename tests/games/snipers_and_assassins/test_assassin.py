"""ASN, CLM and WIN: the Assassin's options, Claymores, and how the game is won."""

from __future__ import annotations

import pytest

from tests.games.snipers_and_assassins.table import playing

RULE = pytest.mark.rule


@RULE("SA-ASN-01", "SA-R-02", "SA-R-04")
def test_assassin_walks_two_or_jumps_one_pathway() -> None:
    table = playing(A1="B6")
    assert {action["to"] for action in table.offered(1, "walk")} == {"B4", "B5", "B7", "B8"}
    assert {action["to"] for action in table.offered(1, "jump")} == {"A6", "C6"}
    assert table.refused(1, "walk", to="B9") == "SA-ASN-01"
    assert table.refused(1, "walk", to="B6") == "SA-ASN-01"
    assert table.refused(1, "jump", to="D6") == "SA-ASN-01"
    assert table.act(1, "jump", to="C6") == [{"type": "jumped", "marker": "assassin-1", "from": "B6", "to": "C6"}]
    assert table.refused(1, "walk", to="C7") == "SA-TRN-02"


@RULE("SA-ASN-02", "SA-R-27", "SA-R-28")
def test_where_a_mine_can_be_planted() -> None:
    table = playing(A1="B6")
    to_b7 = [action.get("mine") for action in table.offered(1, "walk") if action["to"] == "B7"]
    assert to_b7 == [
        None,
        {"when": "before", "space": "B6"},
        {"when": "after", "space": "B6"},
        {"when": "after", "space": "B8"},
    ]
    assert table.refused(1, "walk", to="B7", mine={"when": "before", "space": "B5"}) == "SA-R-28"
    assert table.refused(1, "walk", to="B7", mine={"when": "after", "space": "B7"}) == "SA-R-27"
    assert table.refused(1, "walk", to="B7", mine={"when": "after", "space": "C7"}) == "SA-R-27"
    assert [action["space"] for action in table.offered(1, "plant")] == ["B5", "B7"]
    assert table.refused(1, "plant", space="B6") == "SA-R-27"
    assert table.act(1, "plant", space="B5") == [{"type": "mine-planted", "seat": "player-1", "space": "B5"}]
    assert table.state()["acted"] == ["assassin"]


@RULE("SA-WIN-01", "SA-WIN-02", "SA-R-39")
def test_only_the_assassin_takes_out_the_leader() -> None:
    table = playing(A1="D12", S1="D12")
    assert table.refused(1, "c-walk", to="DR") == "SA-R-40"
    assert {action["to"] for action in table.offered(1, "walk")} == {"D10", "D11", "DR"}
    assert table.refused(1, "walk", to="DR", mine={"when": "after", "space": "D12"}) == "SA-R-39"
    events = table.act(1, "walk", to="DR")
    assert events[-1] == {"type": "game-over", "winner": "player-1", "reason": "leader"}
    assert table.state()["turn"] == "player-1"
    assert table.ask("legal", seat="player-1") == table.ask("legal", seat="player-2") == []
    assert table.refused(2, "end-turn") == table.refused(1, "end-turn") == "SA-WIN-01"


@RULE("SA-R-38")
def test_moving_on_ends_driven_back_status() -> None:
    for to, still in (("B5", True), ("B7", False)):
        table = playing(A1="B6", p1={"pushed_back": True})
        table.act(1, "walk", to=to)
        assert table.of(1)["pushed_back"] is still
    table = playing(A1="B6", p1={"pushed_back": True})
    table.act(1, "jump", to="A6")
    assert table.of(1)["pushed_back"] is False
    table = playing(A1="B6", p1={"pushed_back": True, "start": "AR", "leader": "BL"})
    table.act(1, "walk", to="B7")
    assert table.of(1)["pushed_back"] is True, "its side is on the right"
