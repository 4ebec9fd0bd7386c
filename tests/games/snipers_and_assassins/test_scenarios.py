"""The rule book's worked scenarios, played through the protocol. SA-T-01 … SA-T-21."""

from __future__ import annotations

import pytest

from games.snipers_and_assassins import GAME
from tests.games.protocol_client import kinds, seat
from tests.games.snipers_and_assassins.table import Table, new, playing

RULE = pytest.mark.rule


@RULE("SA-BRD-01", "SA-SET-02", "SA-SET-03", "SA-SET-04")
def test_t01_first_setup() -> None:
    table = new()
    assert [table.at(marker) for marker in ("S1", "A1", "S2", "A2")] == ["AL", "AL", "DL", "DL"]
    assert table.of(2)["leader"] == "DR"
    assert table.of(1)["leader"] == "AR"
    assert sum(space.kind == "open" for space in GAME.make_map("pathways-2").spaces.values()) == 48


@RULE("SA-BRD-04")
def test_t02_three_players_add_a_pathway() -> None:
    board = GAME.make_map("pathways-3")
    assert len(board.sectors) == 5
    assert [sum(space.kind == kind for space in board.spaces.values()) for kind in ("open", "enclosed")] == [60, 10]


@RULE("SA-SHT-02", "SA-HIT-01", "SA-HIT-02", "SA-HIT-03")
def test_t03_shot_kills_a_sniper_and_it_is_replaced() -> None:
    table = playing(S1="B4", S2="C5", card2="pads", deck=["drop"])
    table.act(1, "a", order="shoot-move", to="B5", target="sniper-2")
    assert table.at("S2") == "DL"
    assert table.at("S1") == "B5"
    assert table.of(2)["improvement"] == "drop"
    assert table.state()["discard"] == ["pads"]


def can_shoot(table: Table, space: str, **parts: object) -> bool:
    """Return whether player 1's Sniper on B4 can shoot at one on this space without moving."""
    other = playing(S1="B4", S2=space, **parts)
    return {"type": "a", "order": "shoot-move", "to": "B4", "target": "sniper-2"} in other.offered(1, "a")


@RULE("SA-SHT-01", "SA-R-05", "SA-BRD-03")
def test_t04_range_of_a_shot() -> None:
    table = playing()
    reached = [can_shoot(table, space) for space in ("C7", "D4", "B7", "B8", "C8")]
    assert reached == [True, False, True, False, False]


@RULE("SA-IMP-02", "SA-R-05")
def test_t05_scope_reaches_two_pathways_over() -> None:
    table = playing()
    assert [can_shoot(table, space, card1="scope") for space in ("D4", "D8", "D9")] == [True, True, False]


@RULE("SA-SHT-03", "SA-SHT-04", "SA-R-20", "SA-R-21")
def test_t06_first_shot_is_dodged_and_the_second_hits() -> None:
    table = playing(S1="B6", A2="B8")
    shot = {"order": "shoot-move", "to": "B6", "target": "assassin-2"}
    assert table.act(1, "a", **shot)[0]["result"] == "dodge"
    table.end(1)
    assert table.of(2)["shot"] == "fresh"
    assert table.refused(2, "walk", to="B9") == "SA-R-21"
    table.end(2)
    assert kinds(table.act(1, "a", **shot)) == ["shot", "retreated"]
    assert table.at("A2") == "B6"
    assert table.of(2)["shot"] is None


@RULE("SA-HIT-04", "SA-R-17", "SA-R-18", "SA-RUN-01")
def test_t07_retreat_goes_towards_the_own_start_side() -> None:
    table = playing(A2="C9", A1="C10")
    assert "run-in" in kinds(table.act(1, "walk", to="C9"))
    assert (table.at("A2"), table.at("A1")) == ("C7", "C7")


@RULE("SA-RUN-03")
def test_t08_jump_onto_a_marker_is_a_surprise() -> None:
    table = playing(S1="B5", S2="C5")
    table.act(1, "b-jump", to="C5")
    assert (table.at("S2"), table.at("S1")) == ("DL", "C5")


@RULE("SA-RUN-01", "SA-R-45")
def test_t09_run_in_kills_both_snipers() -> None:
    table = playing(S1="B5", S2="B7")
    table.act(1, "b-walk", to="B7")
    assert (table.at("S1"), table.at("S2")) == ("AL", "DL")


@RULE("SA-RUN-02", "SA-IMP-03")
def test_t10_got_the_drop_protects_its_holder() -> None:
    table = playing(S1="B5", S2="B7", card1="drop")
    table.act(1, "b-walk", to="B7")
    assert (table.at("S1"), table.at("S2")) == ("B7", "DL")


@RULE("SA-SNP-02", "SA-R-30")
def test_t11_option_b_shot_costs_the_next_turn() -> None:
    table = playing(S1="B4", A2="C4")
    table.act(1, "b-walk", to="B6", target="assassin-2")
    assert table.of(1)["recover"] is True
    table.end(1, 2)
    assert table.of(2)["shot"] == "stale"
    acts = [action for action in table.offered(1) if action.get("marker") == "sniper-1" or "target" in action]
    assert acts == [{"type": "hold", "marker": "sniper-1"}]
    assert not {"a", "b-walk", "b-jump", "c-walk", "c-jump", "d1", "d2"} & set(kinds(table.offered(1)))


@RULE("SA-MIN-02")
def test_t12_sniper_on_a_mine_dies() -> None:
    table = playing(S1="B4", mines2=["B6"])
    table.act(1, "b-walk", to="B6")
    assert table.at("S1") == "AL"
    assert table.of(2)["mines"] == []


@RULE("SA-MIN-01")
def test_t13_walking_over_a_mine_is_safe() -> None:
    table = playing(S1="B4", mines2=["B6"])
    table.act(1, "c-walk", to="B7")
    assert table.at("S1") == "B7"
    assert table.of(2)["mines"] == ["B6"]


@RULE("SA-MIN-04", "SA-MIN-05", "SA-R-23")
def test_t14_shot_on_a_mine_and_retreat_onto_another() -> None:
    table = playing(S1="B5", A2="B8", mines1=["B6"], mines2=["B8"])
    table.act(1, "a", order="shoot-move", to="B5", target="assassin-2")
    assert table.at("A2") == "B6"
    assert table.of(1)["mines"] == table.of(2)["mines"] == []
    assert (table.of(2)["locked"], table.of(2)["shot"]) == (True, None)


@RULE("SA-SNP-04", "SA-SNP-06", "SA-R-15")
def test_t15_double_jump_with_stealth() -> None:
    table = playing(S1="A5", A2="C6")
    table.act(1, "d2", to="B5")
    assert table.at("S1") == "B5"
    table.end(1, 2)
    table.act(1, "d-continue", to="C6")
    assert (table.at("S1"), table.at("A2")) == ("C6", "C4")


@RULE("SA-IMP-04", "SA-R-34")
def test_t16_steel_coiled_spring() -> None:
    table = playing(S1="A5", card1="spring")
    table.act(1, "d-fast", option=2, to="C6")
    assert table.at("S1") == "C6"


@RULE("SA-IMP-05", "SA-R-35")
def test_t17_body_armor_deflects_three_shots() -> None:
    table = playing(S2="B6", S1="B5", card2="armor")
    results = []
    for _ in range(4):
        results.append(table.act(1, "a", order="shoot-move", to="B5", target="sniper-2")[0]["result"])
        table.end(1, 2)
    assert results == ["deflected", "deflected", "deflected", "kill"]


@RULE("SA-CLM-01", "SA-R-37")
def test_t18_claymores_hit_every_marker_on_the_pathway() -> None:
    table = playing(A1="A1", p1={"pushed_back": True}, S2="A9", S1="A5", A2="A6")
    table.act(1, "claymore")
    assert [table.at(marker) for marker in ("A1", "S2", "S1", "A2")] == ["AL", "DL", "AL", "A4"]


@RULE("SA-ASN-02")
def test_t19_mine_is_planted_before_leaving() -> None:
    table = playing(A1="B4")
    table.act(1, "walk", to="B6", mine={"when": "before", "space": "B4"})
    assert (table.at("A1"), table.of(1)["mines"]) == ("B6", ["B4"])


@RULE("SA-MIN-02", "SA-R-26")
def test_t20_mine_hits_an_adjacent_sniper() -> None:
    table = playing(A1="B4", S2="B6")
    table.act(1, "walk", to="B5", mine={"when": "after", "space": "B6"})
    assert (table.at("A1"), table.at("S2"), table.of(1)["mines"]) == ("B5", "DL", [])


@RULE("SA-WIN-01", "SA-R-39")
def test_t21_assassin_wins_on_the_leader() -> None:
    table = playing(A1="D11")
    events = table.act(1, "walk", to="DR")
    assert events[-1] == {"type": "game-over", "winner": seat(1), "reason": "leader"}
    assert table.state()["over"] == {"winner": seat(1), "reason": "leader"}
