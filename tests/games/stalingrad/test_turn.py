"""The turn and its end: order, wounds, lost turns, and who wins."""

from __future__ import annotations

import pytest

from tests.games.stalingrad.table import Json, Table, kinds, playing

RULE = pytest.mark.rule


def caught(players: int, die: int, **parts: object) -> tuple[Table, list[Json]]:
    """A player fails to evade the danger that lies open, and the wound die shows `die`."""
    table = playing(players, card="C14", **parts)
    number = int(str(parts.get("turn", "player-1"))[-1])
    return table, table.act(number, "commit", [["evade", 0], ["wound", die]], cards=[])


@RULE("ST-TRN-01", "ST-HNT-01", "ST-SHO-01", "ST-SHO-02", "ST-ESC-02")
def test_a_turn_goes_from_hunt_to_shoot_to_escape() -> None:
    table = playing(2, p1={"hunt": 2}, deck=["C37", "C39", "C40"])
    phases = [table.state()["phase"]]
    for kind in ("draw", "reveal", "reveal"):
        told = table.act(1, kind)
        phases.append(table.state()["phase"])
    assert phases == ["hunt", "reveal", "reveal", "escape"]
    assert told == [{"type": "revealed", "seat": "player-1", "card": "C39"}]
    assert table.state()["discard"] == ["C37", "C39"]
    assert kinds(table.act(1, "end-turn")) == ["turn-ended", "turn-started"]
    assert table.state()["phase"] == "hunt"


@RULE("ST-SHO-01")
def test_a_card_is_finished_before_the_next() -> None:
    table = playing(2, facedown=["C03", "C37"])
    table.act(1, "reveal")
    assert table.state()["card"] == "C03"
    assert table.refused(1, "reveal") == "ST-SHO-01"
    table.act(1, "commit", cards=[])
    assert table.act(1, "reveal")[0]["card"] == "C37"


@RULE("ST-R-27", "ST-TGT-02", "ST-DNG-02", "ST-R-29")
def test_aids_are_free_to_choose_and_last_for_one_roll() -> None:
    table = playing(2, card="C03", facedown=["C06"], p1={"hand": ["C01", "C59"]})
    menu = [action["cards"] for action in table.offered(1)]
    assert menu == [[], ["C01"], ["C59"], ["C01", "C59"]]
    spent, shot = table.act(1, "commit", [["shoot", 9]], cards=["C59", "C01"])
    assert spent == {"type": "aid-spent", "seat": "player-1", "cards": ["C01", "C59"], "stat": "shoot"}
    assert shot["value"] == 8
    table.act(1, "reveal")
    assert table.act(1, "commit", [["shoot", 9]], cards=[])[0]["value"] == 5
    danger = playing(2, card="C09", p1={"hand": ["C21", "C61"]})
    spent, evaded = danger.act(1, "commit", [["evade", 9]], cards=["C21", "C61"])
    assert (spent["stat"], evaded["value"], evaded["evaded"]) == ("evade", 9, True)


@RULE("ST-R-28", "ST-R-29", "ST-HNT-02")
def test_one_aid_before_the_draw_and_for_this_draw_alone() -> None:
    harmless = ["C37", "C39", "C40", "C41", "C42", "C43", "C44", "C47", "C69"]
    table = playing(1, p1={"hand": ["C35", "C61"]}, deck=[*harmless, "C57", "C64", "C01", "C02", "C03"])
    table.act(1, "play", card="C35")
    assert table.offered(1) == [{"type": "draw"}]
    assert table.refused(1, "play", card="C61") == "ST-R-28"
    assert table.act(1, "draw")[0]["count"] == 7
    for _ in range(7):
        table.act(1, "reveal")
    table.act(1, "end-turn")
    assert table.state()["aid"] is None
    assert table.act(1, "draw")[0]["count"] == 5


@RULE("ST-WND-01", "ST-WND-02", "ST-WND-03", "ST-WND-04", "ST-R-06")
@pytest.mark.parametrize(
    ("die", "wound", "skip"),
    [(die, "minor", 0) for die in (1, 2, 3, 4)]
    + [(die, "serious", 1) for die in (5, 6, 7)]
    + [(8, "major", 2), (9, "major", 2), (0, "out", 0)],
)
def test_the_wound_table(die: int, wound: str, skip: int) -> None:
    table, told = caught(3, die)
    assert told[1] == {"type": "wounded", "seat": "player-1", "die": die, "wound": wound, "skip": skip}
    assert (table.of(1)["skip"], table.of(1)["out"]) == (skip, wound == "out")
    assert table.state()["turn"] == "player-2"


@RULE("ST-R-12", "ST-WND-05")
def test_a_wound_skips_the_escape_phase() -> None:
    me = {"hand": ["C17", "C18", "C22", "C23"], "xp": 5}
    table, told = caught(2, 1, p1=me, facedown=["C02"])
    assert kinds(told) == ["evade-rolled", "wounded", "discarded-unseen", "turn-ended", "turn-started"]
    assert (len(table.of(1)["hand"]), table.of(1)["xp"]) == (4, 5)
    assert "C02" in table.state()["unseen"]


@RULE("ST-R-11")
def test_what_goes_away_unseen_brings_nothing_to_anybody() -> None:
    table, told = caught(2, 1, facedown=["C02", "C09", "C17"])
    assert told[2] == {"type": "discarded-unseen", "seat": "player-1", "count": 3}
    assert (table.of(1)["xp"], table.of(1)["hand"], table.of(1)["kills"]) == (0, [], [])
    assert table.view()["unseen"] is None
    assert table.view()["counts"]["unseen"] == 3


@RULE("ST-R-23", "ST-WND-04")
def test_whoever_goes_out_loses_hand_and_tokens_and_keeps_the_kills() -> None:
    me = {"hand": ["C18", "C01"], "kills": ["C03"], "xp": 4}
    table, told = caught(3, 0, p1=me)
    assert {"type": "eliminated", "seat": "player-1", "cards": ["C01", "C18"]} in told
    player = table.of(1)
    assert (player["hand"], player["xp"], player["kills"], player["out"]) == ([], 0, ["C03"], True)
    assert table.state()["discard"] == ["C01", "C14", "C18"]


@RULE("ST-R-15", "ST-R-25")
def test_lost_turns_are_spent_one_at_a_time_and_the_order_goes_round() -> None:
    _, told = caught(3, 9, p2={"skip": 2}, p3={"skip": 2})
    assert [(event["seat"], event.get("skip")) for event in told[3:]] == [
        ("player-2", 1), ("player-3", 1), ("player-1", 1), ("player-2", 0), ("player-3", 0), ("player-1", 0),
        ("player-2", None),
    ]  # fmt: skip
    assert told[-1]["type"] == "turn-started"


@RULE("ST-R-15", "ST-WND-04")
def test_whoever_is_out_is_passed_over() -> None:
    table = playing(4, phase="escape", p2={"out": True}, p3={"skip": 1})
    assert table.act(1, "end-turn")[1:] == [
        {"type": "turn-skipped", "seat": "player-3", "skip": 0},
        {"type": "turn-started", "seat": "player-4"},
    ]


@RULE("ST-R-34")
def test_a_single_player_spends_lost_turns_at_once() -> None:
    _, told = caught(1, 8)
    assert kinds(told)[2:] == ["turn-ended", "turn-skipped", "turn-skipped", "turn-started"]


@RULE("ST-R-34", "ST-R-26")
def test_a_single_player_who_goes_out_has_the_stars() -> None:
    table, told = caught(1, 0, p1={"kills": ["C05"]})
    over = {
        "winners": ["player-1"],
        "ranking": [{"seat": "player-1", "place": 1, "stars": 4, "kills": 1, "out": True}],
        "reason": "out",
    }
    assert told[-1] == {"type": "game-over", **over}
    assert table.state()["over"] == over
    assert table.ask("legal", seat="player-1") == []


@RULE("ST-R-35", "ST-GOL-02")
def test_a_wound_on_the_turn_that_used_up_the_deck_ends_the_game() -> None:
    table, told = caught(2, 9, deck=[], phase="danger")
    assert kinds(told)[-2:] == ["turn-ended", "game-over"]
    assert told[-1]["reason"] == "deck"
    assert table.of(1)["skip"] == 2


@RULE("ST-R-35", "ST-R-18")
def test_one_player_left_is_the_reason_before_the_deck() -> None:
    _, told = caught(2, 0, deck=[], facedown=["C02"])
    assert kinds(told)[2:4] == ["discarded-unseen", "eliminated"]
    assert told[-1]["reason"] == "last"


@RULE("ST-R-16", "ST-R-17")
@pytest.mark.parametrize("hunt", [3, 5])
def test_a_deck_that_is_used_up_ends_the_game_after_the_turn(hunt: int) -> None:
    table = playing(2, p1={"hunt": hunt, "xp": 3}, deck=["C37", "C39", "C40"])
    assert table.act(1, "draw")[0]["count"] == 3
    for _ in range(3):
        table.act(1, "reveal")
    assert kinds(table.act(1, "buy", stat="hunt")) == ["stat-raised"]
    assert table.act(1, "end-turn")[-1]["reason"] == "deck"


@RULE("ST-R-13", "ST-R-30", "ST-ESC-02", "ST-XP-05")
def test_stats_are_bought_three_tokens_at_a_time() -> None:
    table = playing(2, phase="escape", p1={"xp": 8, "shoot": 8})
    told = table.act(1, "buy", stat="shoot") + table.act(1, "buy", stat="evade")
    assert [(event["value"], event["xp"]) for event in told] == [(9, 5), (6, 2)]
    assert table.offered(1, "buy") == []
    table.act(1, "end-turn")
    assert table.of(1)["xp"] == 2


@RULE("ST-R-14", "ST-R-38", "ST-ESC-01")
def test_the_hand_goes_down_to_three_in_any_order_with_the_purchases() -> None:
    table = playing(2, phase="escape", p1={"xp": 3, "hand": ["C01", "C17", "C18", "C19", "C20"]})
    assert kinds(table.offered(1)) == ["buy"] * 3 + ["discard"] * 5
    assert table.act(1, "discard", card="C18") == [{"type": "discarded", "seat": "player-1", "card": "C18"}]
    table.act(1, "buy", stat="hunt")
    table.act(1, "discard", card="C01")
    assert table.refused(1, "discard", card="C17") == "ST-ESC-01"
    assert table.offered(1) == [{"type": "end-turn"}]
    table.act(1, "end-turn")
    assert table.of(1)["hand"] == ["C17", "C19", "C20"]


@RULE("ST-R-20", "ST-R-39", "ST-GOL-01")
def test_equal_players_share_a_place_and_the_next_is_left_free() -> None:
    four = {"p1": {"kills": ["C03"]}, "p2": {"kills": ["C05"]}, "p3": {"kills": ["C06"]}, "p4": {"kills": ["C53"]}}
    over = playing(4, deck=[], **four).state()["over"]
    assert [(rank["seat"], rank["place"]) for rank in over["ranking"]] == [
        ("player-2", 1), ("player-4", 1), ("player-1", 3), ("player-3", 3),
    ]  # fmt: skip
    assert over["winners"] == ["player-2", "player-4"]


@RULE("ST-R-10", "ST-XP-04")
def test_the_token_of_a_danger_is_kept_whatever_comes() -> None:
    table = playing(2, facedown=["C14"])
    assert table.act(1, "reveal")[1] == {"type": "xp-gained", "seat": "player-1", "xp": 1}
    table.act(1, "commit", [["evade", 9], ["wound", 1]], cards=[])
    assert table.of(1)["xp"] == 1


@RULE("ST-R-07")
def test_there_is_no_floor_and_a_one_can_fail() -> None:
    table = playing(2, card="C08", p1={"shoot": 1})
    assert table.view()["value"] == -2
    assert table.act(1, "commit", [["shoot", 1]], cards=[])[0] == {
        "type": "shoot-rolled", "seat": "player-1", "card": "C08", "die": 1, "value": -2, "hit": False,
    }  # fmt: skip


@RULE("ST-R-08")
def test_aids_beyond_the_cap_are_spent_all_the_same() -> None:
    table = playing(2, card="C03", p1={"shoot": 9, "hand": ["C65"]})
    assert table.act(1, "commit", [["shoot", 9]], cards=["C65"])[1]["value"] == 9
    assert table.of(1)["hand"] == []
