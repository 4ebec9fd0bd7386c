"""HIT and RUN: run-ins, surprises and stealth, deaths and retreats, and their order."""

from __future__ import annotations

import pytest

from tests.games.protocol_client import kinds
from tests.games.snipers_and_assassins.table import playing

RULE = pytest.mark.rule


@RULE("SA-R-11", "SA-R-12", "SA-IMP-03", "SA-RUN-02")
def test_got_the_drop_protects_mover_and_target() -> None:
    table = playing(S1="B5", S2="B7", card2="drop")
    assert kinds(table.act(1, "b-walk", to="B7"))[1:3] == ["run-in", "sniper-replaced"]
    assert (table.at("S1"), table.at("S2")) == ("AL", "B7")
    table = playing(S1="B5", S2="B7", card1="drop", card2="drop")
    assert table.act(1, "b-walk", to="B7")[1:] == [{"type": "run-in", "marker": "sniper-1", "with": ["sniper-2"]}]
    table = playing(A1="B5", A2="B7", card1="drop")
    table.act(1, "walk", to="B7")
    assert (table.at("A1"), table.at("A2")) == ("B7", "B5"), "the Assassin is protected too"


@RULE("SA-R-14", "SA-R-50")
def test_got_the_drop_hits_jumping_and_stealthy_enemies() -> None:
    table = playing(S1="B5", S2="C5", card2="drop")
    assert kinds(table.act(1, "b-jump", to="C5"))[1:3] == ["surprise", "sniper-replaced"]
    assert (table.at("S1"), table.at("S2")) == ("AL", "C5")
    table = playing(S1="B5", A2="C6", card2="drop", p1={"jump": {"dir": "down", "option": 2}})
    assert kinds(table.act(1, "d-continue", to="C6"))[2:4] == ["stealth", "sniper-replaced"]
    table = playing(S1="B5", S2="C5", card1="drop", card2="drop")
    assert kinds(table.act(1, "b-jump", to="C5")) == ["jumped", "surprise"]


@RULE("SA-R-13")
def test_got_the_drop_stops_no_shot_mine_or_claymore() -> None:
    table = playing(S1="B5", S2="B7", card2="drop")
    assert table.act(1, "a", order="shoot-move", to="B5", target="sniper-2")[0]["result"] == "kill"
    table = playing(S1="B5", card1="drop", mines2=["B6"])
    table.act(1, "b-walk", to="B6")
    assert table.at("S1") == "AL"
    table = playing(A1="A1", S2="A7", A2="A9", card2="drop", p1={"pushed_back": True})
    table.act(1, "claymore")
    assert (table.at("S2"), table.at("A2")) == ("DL", "A7")


@RULE("SA-R-49", "SA-R-51")
def test_run_in_includes_everyone_and_hits_the_mover_once() -> None:
    table = playing(3, S1="B5", S2="B7", A2="B7", S3="B7", A3="B7", deck=["pads", "mask", "scope"])
    events = table.act(1, "b-walk", to="B7")
    assert events[1]["with"] == ["sniper-2", "assassin-2", "sniper-3", "assassin-3"]
    hit = [event["marker"] for event in events if event["type"] in ("sniper-replaced", "retreated")]
    assert hit == ["sniper-2", "assassin-2", "sniper-3", "assassin-3", "sniper-1"]


@RULE("SA-R-10")
def test_own_markers_share_a_space() -> None:
    table = playing(S1="B5", A1="B6")
    assert kinds(table.act(1, "b-walk", to="B6")) == ["moved"]
    table = playing(S1="B5", A1="B6", mines2=["B6"])
    table.act(1, "b-walk", to="B6")
    assert (table.at("S1"), table.at("A1")) == ("AL", "B6")


@RULE("SA-R-44")
def test_hits_are_resolved_right_after_each_option() -> None:
    table = playing(S1="B5", S2="B7", A1="B8", deck=["pads"])
    table.act(1, "a", order="shoot-move", to="B6", target="sniper-2")
    assert kinds(table.act(1, "walk", to="B7")) == ["moved"], "the Sniper is gone already"


@RULE("SA-HIT-03", "SA-R-36")
def test_empty_deck_is_refilled_from_the_discards() -> None:
    table = playing(S1="B5", S2="B7", card2="pads", deck=[], discard=["drop", "mask"])
    events = table.act(
        1, "a", order="shoot-move", to="B5", target="sniper-2", chance=[["improvements", ["mask", "pads", "drop"]]]
    )
    assert events[1:] == [
        {"type": "sniper-replaced", "marker": "sniper-2", "from": "B7", "to": "DL"},
        {"type": "improvement-discarded", "seat": "player-2", "card": "pads"},
        {"type": "deck-shuffled", "count": 3},
        {"type": "deck", "cards": ["mask", "pads", "drop"]},
        {"type": "improvement-drawn", "seat": "player-2", "card": "mask"},
    ]
    state = table.state()
    assert (state["deck"], state["discard"]) == (["pads", "drop"], [])
    table = playing(S1="B5", S2="B7", deck=[], discard=[])
    events = table.act(1, "a", order="shoot-move", to="B5", target="sniper-2")
    assert kinds(events) == ["shot", "sniper-replaced"], "no card is drawn then"
    table = playing(S1="B5", S2="B7", card2="pads", deck=[])
    wrong = [["improvements", ["scope"]]]
    assert table.refused(1, "a", order="shoot-move", to="B5", target="sniper-2", chance=wrong) == "SA-R-36"
