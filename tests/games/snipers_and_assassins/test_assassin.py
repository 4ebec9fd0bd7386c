"""ASN, CLM and WIN: the Assassin's options, Claymores, and how the game is won."""

from __future__ import annotations

import pytest

from tests.games.snipers_and_assassins.table import kinds, playing

RULE = pytest.mark.rule


@RULE("SA-ASN-01", "SA-R-02", "SA-R-04")
def test_an_assassin_walks_two_or_jumps_one_pathway() -> None:
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


@RULE("SA-R-28", "SA-R-24", "SA-R-27")
def test_mines_and_hideouts() -> None:
    table = playing()
    assert [action["space"] for action in table.offered(1, "plant")] == ["A1"], "also from a Hideout"
    assert table.refused(1, "plant", space="AL") == "SA-R-27"
    assert table.refused(1, "walk", to="A1", mine={"when": "before", "space": "AL"}) == "SA-R-28"
    table = playing(A1="A1")
    assert table.refused(1, "plant", space="AL") == "SA-R-27"
    table.act(1, "walk", to="AL", mine={"when": "after", "space": "A1"})
    assert (table.at("A1"), table.of(1)["mines"]) == ("AL", ["A1"])


@RULE("SA-R-24", "SA-TRN-02")
def test_one_mine_a_turn_and_one_on_a_space() -> None:
    table = playing(A1="B6", mines2=["B5"])
    assert table.refused(1, "plant", space="B5") == "SA-R-24", "whoever's it is"
    table.act(1, "plant", space="B7")
    assert table.refused(1, "plant", space="B5") == "SA-TRN-02"


@RULE("SA-R-24")
def test_mines_are_listed_in_the_order_of_the_board() -> None:
    table = playing(A1="B6", mines1=["B12", "A2", "C1"])
    table.act(1, "plant", space="B7")
    assert table.of(1)["mines"] == ["A2", "B7", "B12", "C1"]


@RULE("SA-R-40", "SA-R-54", "SA-R-04")
def test_two_hideouts_are_open_to_an_assassin() -> None:
    assert playing(A1="A1").refused(1, "walk", to="AL", mine=None) is None, "a field that is not wanted is left out"
    assert "AL" in {action["to"] for action in playing(A1="A2").offered(1, "walk")}, "home"
    assert playing(A1="B1").refused(1, "walk", to="BL") == "SA-R-40", "neutral"
    assert playing(A1="A12").refused(1, "walk", to="AR") == "SA-R-40", "the own Leader's"
    assert playing(A1="D1").refused(1, "walk", to="DL") == "SA-R-40", "the other's start"
    assert playing().refused(1, "jump", to="B1") == "SA-R-04"
    table = playing(A1="A2")
    assert kinds(table.act(1, "walk", to="AL")) == ["moved"], "standing at home does nothing"


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


@RULE("SA-R-39", "SA-ASN-02")
def test_a_mine_can_be_left_behind_on_the_way_to_the_leader() -> None:
    table = playing(A1="D12")
    events = table.act(1, "walk", to="DR", mine={"when": "before", "space": "D12"})
    assert kinds(events) == ["mine-planted", "moved", "game-over"]


@RULE("SA-CLM-01", "SA-R-37", "SA-R-51")
def test_claymores_strike_in_seat_order() -> None:
    table = playing(A1="A1", S1="A5", S2="A9", A2="A6", p1={"pushed_back": True}, deck=["pads", "drop"])
    events = table.act(1, "claymore")
    assert events[:2] == [
        {"type": "moved", "marker": "assassin-1", "from": "A1", "to": "AL"},
        {"type": "claymore", "marker": "assassin-1", "pathway": "A", "hit": ["sniper-1", "sniper-2", "assassin-2"]},
    ]
    assert kinds(events)[2:] == ["sniper-replaced", "improvement-drawn"] * 2 + ["retreated"]


@RULE("SA-R-37")
def test_what_claymores_need() -> None:
    back = {"pushed_back": True}
    right = {"start": "AR", "leader": "BL"}
    assert playing(A1="A1").refused(1, "claymore") == "SA-R-37", "not driven back"
    assert playing(A1="A2", p1=back).refused(1, "claymore") == "SA-R-37", "too far"
    assert playing(A1="AL", p1=back).refused(1, "claymore") == "SA-R-37", "in the Hideout"
    assert playing(A1="B1", p1=back).refused(1, "claymore") == "SA-R-37", "another pathway"
    assert playing(A1="A12", p1=back).refused(1, "claymore") == "SA-R-37", "the wrong end"
    table = playing(A1="A12", S1="B3", S2="B4", p1={**back, **right})
    assert table.offered(1, "claymore")
    assert table.act(1, "claymore")[1]["hit"] == []


@RULE("SA-R-38")
def test_who_goes_on_is_no_longer_driven_back() -> None:
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
