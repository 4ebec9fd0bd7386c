"""SNP: the Sniper's options, where they lead, and the order of their events."""

from __future__ import annotations

import pytest

from tests.games.protocol_client import kinds
from tests.games.snipers_and_assassins.table import Table, playing

RULE = pytest.mark.rule


def ends(table: Table, kind: str, **fields: object) -> set[str]:
    """Return where an option with these fields can lead, without a target unless the fields name one."""
    acts = [action for action in table.offered(1, kind) if action.get("target") == fields.get("target")]
    return {action["to"] for action in acts if all(action.get(name) == value for name, value in fields.items())}


@RULE("SA-SNP-01", "SA-R-01")
def test_option_a_shoots_and_moves_one_in_either_order() -> None:
    table = playing(S1="B6", A2="B8")
    assert ends(table, "a", order="shoot-move", target="assassin-2") == {"B5", "B6", "B7"}
    assert ends(table, "a", order="move-shoot", target="assassin-2") == {"B5", "B7"}
    assert ends(table, "a") == set(), "A without a shot is a C"
    assert kinds(table.act(1, "a", order="shoot-move", to="B7", target="assassin-2")) == ["shot", "status", "moved"]
    table = playing(S1="B6", A2="B8")
    assert kinds(table.act(1, "a", order="move-shoot", to="B5", target="assassin-2")) == ["moved", "shot", "status"]


@RULE("SA-SNP-02", "SA-R-30", "SA-R-61")
def test_recovery_lasts_one_turn_and_the_assassin_still_acts() -> None:
    table = playing(S1="B6", A1="A4", p1={"recover": True})
    assert table.refused(1, "c-walk", to="B7") == "SA-R-30"
    table.act(1, "walk", to="A5")
    assert kinds(table.act(1, "end-turn"))[0] == "held"
    assert table.of(1)["recover"] is False
    table.end(2)
    assert ends(table, "c-walk")


@RULE("SA-SNP-03", "SA-R-04")
def test_option_c_walks_three_or_jumps_and_walks_one() -> None:
    table = playing(S1="B6")
    assert ends(table, "c-walk") == {"B3", "B4", "B5", "B7", "B8", "B9"}
    assert ends(table, "c-jump") == {"A5", "A6", "A7", "C5", "C6", "C7"}
    assert kinds(table.act(1, "c-jump", to="C7")) == ["jumped", "moved"]
    table = playing(S1="B6")
    assert kinds(table.act(1, "c-jump", to="C6")) == ["jumped"]
    assert table.refused(1, "c-walk", to="C7") == "SA-TRN-02"


@RULE("SA-SNP-04", "SA-SNP-05", "SA-R-32", "SA-R-59")
def test_double_jump_with_a_shot() -> None:
    table = playing(S1="B6", A2="C8")
    assert ends(table, "d1") == ends(table, "d2") == {"C6"}, "there is only one more pathway upwards"
    assert table.refused(1, "d1", to="A6") == "SA-R-32"
    assert table.refused(1, "d2", to="D6") == "SA-SNP-04"
    events = table.act(1, "d1", to="C6", target="assassin-2")
    assert kinds(events) == ["jumped", "shot", "status", "status"]
    assert events[-1]["value"] == {"dir": "down", "option": 1}
    assert table.of(1)["jump"] == {"dir": "down", "option": 1}
    table.end(1, 2)
    assert {action["type"] for action in table.offered(1)} & {"a", "b-walk", "d1"} == set()
    assert table.refused(1, "b-walk", to="C7") == "SA-R-32"
    assert table.refused(1, "d-continue", to="D7") == "SA-SNP-04", "option 1 has no step"
    assert kinds(table.act(1, "d-continue", to="D6")) == ["jumped"]
    assert table.of(1)["jump"] is None


@RULE("SA-R-33", "SA-R-31")
def test_sniper_can_be_hit_between_two_jumps() -> None:
    table = playing(S1="B6", S2="B8", p2={"jump": {"dir": "down", "option": 2}, "recover": True})
    table.act(1, "a", order="shoot-move", to="B6", target="sniper-2")
    assert table.at("S2") == "DL"
    assert (table.of(2)["jump"], table.of(2)["recover"]) == (None, False)


@RULE("SA-R-34", "SA-R-58", "SA-IMP-04")
def test_double_jump_with_the_spring_takes_one_turn() -> None:
    table = playing(S1="A6", A2="B8", card1="spring")
    assert table.offered(1, "d1") == table.offered(1, "d2") == []
    assert table.refused(1, "d1", to="B6") == "SA-IMP-04"
    assert ends(table, "d-fast", option=1) == {"C6"}
    assert ends(table, "d-fast", option=2) == {"C5", "C6", "C7"}
    events = table.act(1, "d-fast", option=1, to="C6", target="assassin-2")
    assert kinds(events) == ["jumped", "shot", "status", "jumped"]
    assert [event["to"] for event in events if event["type"] == "jumped"] == ["B6", "C6"]
    table = playing(S1="A6", S2="C7", card1="spring")
    events = table.act(1, "d-fast", option=2, to="C7")
    assert kinds(events)[:5] == ["jumped", "jumped", "moved", "stealth", "sniper-replaced"]
    assert playing(S1="A6").refused(1, "d-fast", option=1, to="C6") == "SA-IMP-04"
    assert playing(S1="A6", card1="spring").refused(1, "d-fast", option=2, to="C6", target="assassin-2") is None


@RULE("SA-R-47", "SA-R-40", "SA-R-03", "SA-R-07")
def test_sniper_walks_out_of_its_hideout() -> None:
    table = playing()
    assert ends(table, "b-walk") == {"A1", "A2"}
    assert ends(table, "c-walk") == {"A1", "A2", "A3"}
    assert table.offered(1, "b-jump") == []
    assert table.refused(1, "b-jump", to="B1") == "SA-R-47"
    assert table.refused(1, "c-walk", to="AR") == "SA-R-40"
    assert playing(S1="A1").refused(1, "c-walk", to="AL") == "SA-R-40"
    assert table.refused(1, "a", order="shoot-move", to="AL", target="sniper-2") == "SA-R-40"
    table = playing(A2="A3")
    assert ends(table, "a", order="move-shoot", target="assassin-2") == {"A1"}
    assert table.refused(1, "a", order="shoot-move", to="A1", target="assassin-2") == "SA-R-07"


@RULE("SA-R-09", "SA-R-16")
def test_only_ends_and_jumps_are_landings() -> None:
    table = playing(S1="B4", S2="B5", A2="B6")
    assert kinds(table.act(1, "c-walk", to="B7")) == ["moved"], "the marker passes others without effect"
    table = playing(S1="B5", A2="C5", mines1=["D5"])
    assert kinds(table.act(1, "c-jump", to="C6")) == ["jumped", "surprise", "retreated", "moved"]
    table = playing(S1="B5", S2="C6", deck=["pads"], card2="drop")
    assert kinds(table.act(1, "c-jump", to="C6"))[:3] == ["jumped", "moved", "run-in"], "the step surprises no one"


@RULE("SA-R-53")
def test_shot_at_a_target_that_left_costs_nothing() -> None:
    table = playing(S1="B5", S2="C5", deck=["pads"])
    events = table.act(1, "b-jump", to="C5", target="sniper-2")
    assert kinds(events) == ["jumped", "surprise", "sniper-replaced", "improvement-drawn"]
    assert table.of(1)["recover"] is False
    table = playing(S1="B5", A2="C5", p2={"start": "CL", "leader": "DR"})
    assert kinds(table.act(1, "b-jump", to="C5", target="assassin-2")) == [
        "jumped",
        "surprise",
        "retreated",
        "shot",
        "status",
        "status",
    ], "it is still in range"


@RULE("SA-R-64")
def test_pads_lengthen_walks_of_b_and_c() -> None:
    table = playing(S1="B6", A2="B9", card1="pads")
    assert ends(table, "b-walk") == {"B3", "B4", "B5", "B7", "B8", "B9"}
    assert ends(table, "c-walk") == {"B2", "B3", "B4", "B5", "B7", "B8", "B9", "B10"}
    assert ends(table, "c-jump") == {"A5", "A6", "A7", "C5", "C6", "C7"}
    assert ends(table, "a", order="move-shoot", target="assassin-2") == {"B7"}
    assert playing(S1="B6").refused(1, "b-walk", to="B9") == "SA-SNP-02"
