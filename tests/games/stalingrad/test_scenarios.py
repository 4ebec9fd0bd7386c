"""The rule book's worked scenarios, played through the protocol. ST-T-01 … ST-T-18."""

from __future__ import annotations

import pytest

from tests.games.protocol_client import Json, Table, kinds
from tests.games.stalingrad.table import playing

RULE = pytest.mark.rule
REST = ["C69", "C64"]
"""Cards without effect, so that the deck is not used up."""


def stats(hunt: int, shoot: int, evade: int, **more: object) -> Json:
    """Return a player with these stats."""
    return {"hunt": hunt, "shoot": shoot, "evade": evade, **more}


def revealed(*deck: str, **player: object) -> Table:
    """Return a game for two in which player 1 has drawn and revealed one card."""
    me = {"hunt": 1, **player}
    table = playing(2, p1=me, deck=[*deck, *REST])
    table.act(1, "draw")
    table.act(1, "reveal")
    return table


@RULE("ST-HNT-01")
def test_t01_draw_uses_hunt() -> None:
    table = playing(2, p1=stats(5, 5, 5))
    assert table.act(1, "draw") == [{"type": "drew", "seat": "player-1", "count": 5}]
    assert len(table.state()["facedown"]) == 5


@RULE("ST-HNT-02", "ST-STA-03", "ST-R-05", "ST-R-08")
def test_t02_hunt_aid_raises_the_draw_up_to_nine() -> None:
    table = playing(2, p1=stats(8, 5, 5, hand=["C34"]))
    table.act(1, "play", card="C34")
    table.act(1, "draw")
    assert len(table.state()["facedown"]) == 9
    assert table.of(1)["hand"] == []


@RULE("ST-R-02", "ST-R-03")
def test_t03_hunt_aid_is_for_hunt_or_any_stat() -> None:
    table = playing(2, p1=stats(5, 5, 5, hand=["C01", "C61"]))
    assert table.refused(1, "play", card="C01") == "ST-R-03"
    assert table.offered(1, "play") == [{"type": "play", "card": "C61"}]
    assert table.act(1, "play", card="C61")[0]["stat"] == "hunt"


@RULE("ST-TGT-01", "ST-TGT-03", "ST-TGT-04", "ST-XP-01", "ST-XP-02", "ST-XP-03", "ST-SHO-04")
def test_t04_kill_with_the_bonus_of_the_target() -> None:
    table = revealed("C02", shoot=5)
    shot, killed, gained = table.act(1, "commit", [["shoot", 6]], cards=[])
    assert (shot["value"], shot["hit"]) == (6, True)
    assert (killed["stars"], gained["xp"]) == (1, 1)
    assert table.of(1)["kills"] == ["C02"]


@RULE("ST-TGT-05", "ST-R-07")
def test_t05_miss_discards_the_target() -> None:
    table = revealed("C08", shoot=5)
    (shot,) = table.act(1, "commit", [["shoot", 3]], cards=[])
    assert (shot["value"], shot["hit"]) == (2, False)
    assert table.state()["discard"] == ["C08"]
    assert (table.of(1)["kills"], table.of(1)["xp"]) == ([], 0)


@RULE("ST-STA-03", "ST-R-05")
def test_t06_sum_is_limited_to_nine_before_the_roll() -> None:
    table = revealed("C02", shoot=8, hand=["C67"])
    spent, shot, *_ = table.act(1, "commit", [["shoot", 9]], cards=["C67"])
    assert (spent["cards"], shot["value"], shot["hit"]) == (["C67"], 9, True)
    assert (table.of(1)["hand"], table.of(1)["kills"]) == ([], ["C02"])


@RULE("ST-R-06")
def test_t07_zero_always_fails() -> None:
    table = revealed("C02", shoot=9)
    (shot,) = table.act(1, "commit", [["shoot", 0]], cards=[])
    assert (shot["die"], shot["value"], shot["hit"]) == (0, 9, False)
    assert table.state()["discard"] == ["C02"]


@RULE("ST-DNG-01", "ST-DNG-03", "ST-DNG-04", "ST-DNG-06", "ST-XP-04", "ST-R-10", "ST-SHO-05")
def test_t08_danger_gives_experience_and_is_evaded() -> None:
    table = playing(2, p1=stats(1, 5, 5), deck=["C09", *REST])
    table.act(1, "draw")
    assert kinds(table.act(1, "reveal")) == ["revealed", "xp-gained"]
    (evaded,) = table.act(1, "commit", [["evade", 4]], cards=[])
    assert (evaded["value"], evaded["evaded"]) == (4, True)
    assert table.of(1)["xp"] == 1
    assert table.state()["discard"] == ["C09"]


@RULE("ST-WND-02", "ST-WND-05", "ST-DNG-05", "ST-R-11", "ST-R-12")
def test_t09_serious_wound_discards_the_rest_and_loses_a_turn() -> None:
    table = playing(2, p1=stats(3, 5, 5), deck=["C14", "C02", "C03", *REST])
    table.act(1, "draw")
    table.act(1, "reveal")
    told = table.act(1, "commit", [["evade", 3], ["wound", 6]], cards=[])
    assert kinds(told) == ["evade-rolled", "wounded", "discarded-unseen", "turn-ended", "turn-started"]
    assert told[0]["value"] == 2
    assert (told[1]["wound"], told[1]["skip"], told[2]["count"]) == ("serious", 1, 2)
    state = table.state()
    assert {"C02", "C03"} <= {*state["unseen"]}
    assert (state["facedown"], state["players"]["player-1"]["skip"], state["turn"]) == ([], 1, "player-2")
    assert table.of(1)["xp"] == 1


@RULE("ST-WND-03", "ST-R-15")
def test_t10_major_wound_loses_two_turns() -> None:
    deck = ["C14", "C37", "C39", "C40", "C41", *REST]
    table = playing(2, p1=stats(1, 5, 5), p2=stats(1, 5, 5), deck=deck)
    table.act(1, "draw")
    table.act(1, "reveal")
    table.act(1, "commit", [["evade", 5], ["wound", 8]], cards=[])
    left = [table.of(1)["skip"]]
    for _ in range(3):
        for kind in ("draw", "reveal", "end-turn"):
            told = table.act(2, kind)
        left.append(table.of(1)["skip"])
    assert left == [2, 1, 0, 0]
    assert told[-1] == {"type": "turn-started", "seat": "player-1"}
    assert table.offered(1)


@RULE("ST-WND-04", "ST-GOL-01", "ST-R-18", "ST-R-19")
def test_t11_elimination_ends_a_game_of_two_and_stars_decide() -> None:
    me, other = stats(1, 5, 5, kills=["C05"]), stats(1, 5, 5, kills=["C02", "C03"])
    table = playing(2, p1=me, p2=other, deck=["C12", "C37"])
    table.act(1, "draw")
    table.act(1, "reveal")
    told = table.act(1, "commit", [["evade", 5], ["wound", 0]], cards=[])
    assert kinds(told)[-3:] == ["eliminated", "turn-ended", "game-over"]
    assert [rank["seat"] for rank in told[-1]["ranking"]] == ["player-1", "player-2"]
    assert (told[-1]["winners"], told[-1]["reason"]) == (["player-1"], "last")


@RULE("ST-R-09", "ST-SHO-03")
def test_t12_gained_aid_can_be_used_at_once() -> None:
    table = playing(2, p1=stats(2, 5, 5), deck=["C65", "C08", *REST])
    table.act(1, "draw")
    table.act(1, "reveal")
    assert table.of(1)["hand"] == ["C65"]
    table.act(1, "reveal")
    _, shot, killed, _ = table.act(1, "commit", [["shoot", 5]], cards=["C65"])
    assert (shot["value"], killed["stars"], table.of(1)["hand"]) == (5, 5, [])


@RULE("ST-R-03", "ST-CMP-02", "ST-TGT-02")
def test_t13_aid_for_any_stat_helps_to_shoot() -> None:
    table = revealed("C06", shoot=5, hand=["C61"])
    spent, shot, killed, _ = table.act(1, "commit", [["shoot", 7]], cards=["C61"])
    assert (spent["stat"], shot["value"], killed["stars"]) == ("shoot", 8, 2)


@RULE("ST-XP-05", "ST-ESC-01", "ST-ESC-02", "ST-R-13", "ST-R-14", "ST-R-30", "ST-R-38")
def test_t14_two_points_are_bought_up_to_nine() -> None:
    me = stats(5, 9, 5, xp=7, hand=["C17", "C18", "C19", "C20"])
    table = playing(2, p1=me, phase="escape")
    assert table.refused(1, "buy", stat="shoot") == "ST-STA-03"
    table.act(1, "buy", stat="hunt")
    assert table.refused(1, "end-turn") == "ST-ESC-01"
    assert table.act(1, "buy", stat="evade")[0] == {
        "type": "stat-raised", "seat": "player-1", "stat": "evade", "value": 6, "xp": 1,
    }  # fmt: skip
    assert table.refused(1, "buy", stat="shoot") == "ST-XP-05"
    table.act(1, "discard", card="C17")
    table.act(1, "end-turn")
    player = table.of(1)
    assert [player[name] for name in ("hunt", "shoot", "evade", "xp")] == [6, 9, 6, 1]
    assert player["hand"] == ["C18", "C19", "C20"]


@RULE("ST-R-16", "ST-GOL-02")
def test_t15_turn_that_uses_up_the_deck_is_the_last() -> None:
    table = playing(2, p1=stats(5, 5, 5), deck=["C37", "C39"])
    assert table.act(1, "draw")[0]["count"] == 2
    table.act(1, "reveal")
    table.act(1, "reveal")
    ended, over = table.act(1, "end-turn")
    assert (ended["type"], over["type"], over["reason"]) == ("turn-ended", "game-over", "deck")


@RULE("ST-R-20")
def test_t16_kills_break_a_tie() -> None:
    table = playing(2, p1={"kills": ["C05", "C03"]}, p2={"kills": ["C26", "C06", "C02"]}, deck=[])
    over = table.state()["over"]
    assert [(rank["seat"], rank["stars"], rank["kills"]) for rank in over["ranking"]] == [
        ("player-2", 6, 3),
        ("player-1", 6, 2),
    ]
    assert over["winners"] == ["player-2"]


@RULE("ST-WND-01")
def test_t17_minor_wound_only_ends_the_turn() -> None:
    table = revealed("C13", evade=5)
    told = table.act(1, "commit", [["evade", 9], ["wound", 4]], cards=[])
    assert (told[0]["value"], told[1]["wound"], table.of(1)["skip"]) == (4, "minor", 0)
    assert kinds(told) == ["evade-rolled", "wounded", "turn-ended", "turn-started"]


@RULE("ST-R-03")
def test_t18_aid_for_evade_does_not_help_to_shoot() -> None:
    table = revealed("C03", hand=["C66"])
    assert table.refused(1, "commit", cards=["C66"]) == "ST-R-03"
    assert table.offered(1) == [{"type": "commit", "cards": []}]
