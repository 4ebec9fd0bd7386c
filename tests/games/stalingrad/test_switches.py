"""The four rulings that can be switched off."""

from __future__ import annotations

import pytest

from tests.games.protocol_client import Table, kinds
from tests.games.stalingrad.table import new, playing

RULE = pytest.mark.rule


@RULE("ST-R-01", "ST-R-32")
def test_hunt_aid_can_raise_evade_for_the_turn() -> None:
    me = {"hand": ["C21", "C34", "C61"]}
    table = playing(2, off=["ST-R-01"], p1=me, deck=["C09", "C10", "C37", "C39", "C40", "C69"])
    assert table.offered(1, "play") == [{"type": "play", "card": "C21"}, {"type": "play", "card": "C61"}]
    assert table.refused(1, "play", card="C34") == "ST-R-03"
    assert table.act(1, "play", card="C21")[0]["stat"] == "evade"
    assert (table.state()["aid"], table.view()["value"]) == ("C21", 5)
    assert table.act(1, "draw")[0]["count"] == 5
    for _ in range(2):
        table.act(1, "reveal")
        assert table.view()["value"] == 6
        assert table.act(1, "commit", [["evade", 6]], cards=[])[0]["value"] == 6
    for _ in range(3):
        table.act(1, "reveal")
    assert table.state()["aid"] == "C21"
    table.act(1, "end-turn")
    assert table.state()["aid"] is None


@RULE("ST-R-04", "ST-R-33")
def test_die_can_be_rolled_before_the_aids_are_chosen() -> None:
    table = playing(2, off=["ST-R-04"], p1={"hand": ["C21"]}, facedown=["C09", "C03"])
    told = table.act(1, "reveal", [["evade", 6]])
    assert kinds(told) == ["revealed", "xp-gained", "rolled"]
    assert told[-1] == {"type": "rolled", "seat": "player-1", "die": 6}
    assert table.state()["die"] == table.view(2)["die"] == 6
    spent, evaded = table.act(1, "commit", cards=["C21"])
    assert (spent["type"], evaded["die"], evaded["value"], evaded["evaded"]) == ("aid-spent", 6, 6, True)
    assert table.state()["die"] is None
    assert kinds(table.act(1, "reveal", [["shoot", 0]])) == ["revealed", "rolled"]
    assert table.act(1, "commit", cards=[])[0]["hit"] is False


@RULE("ST-R-33", "ST-DNG-05")
def test_wound_die_is_rolled_after_the_open_die() -> None:
    table = playing(2, off=["ST-R-04"], card="C09", die=9)
    assert table.refused(1, "commit", [["evade", 9], ["wound", 1]], cards=[]) == "ST-DNG-05"
    assert table.act(1, "commit", [["wound", 1]], cards=[])[1]["die"] == 1


@RULE("ST-R-33")
def test_wrong_kind_of_die_is_refused_when_revealing_a_card() -> None:
    assert playing(2, off=["ST-R-04"], facedown=["C03"]).refused(1, "reveal", [["evade", 1]]) == "ST-TGT-01"
    assert playing(2, off=["ST-R-04"], facedown=["C09"]).refused(1, "reveal", [["shoot", 1]]) == "ST-DNG-01"


THREE = {"p1": {"kills": ["C08"], "out": True}, "p2": {"kills": ["C03"]}, "p3": {"kills": ["C05"], "out": True}}


@RULE("ST-R-19", "ST-R-36")
def test_eliminated_players_win_or_rank_last() -> None:
    over = playing(3, **THREE).state()["over"]
    assert [rank["seat"] for rank in over["ranking"]] == ["player-1", "player-3", "player-2"]
    assert over["winners"] == ["player-1"]
    over = playing(3, off=["ST-R-19"], **THREE).state()["over"]
    assert [(rank["seat"], rank["place"], rank["out"]) for rank in over["ranking"]] == [
        ("player-2", 1, False),
        ("player-1", 2, True),
        ("player-3", 3, True),
    ]
    assert over["winners"] == ["player-2"]


# --- hidden hands -----------------------------------------------------------------------------------------------


def hidden() -> Table:
    """Return a game for two with hidden hands."""
    return playing(2, off=["ST-R-22"], card="C03", p1={"hand": ["C01", "C18"]}, p2={"hand": ["C20"]})


def hands(table: Table, number: int) -> list[object]:
    """Return the hands as a seat sees them."""
    return [player["hand"] for player in table.view(number)["players"].values()]


@RULE("ST-R-22")
def test_hands_are_open_or_visible_to_their_owner() -> None:
    open_hands = playing(2, p1={"hand": ["C01"]})
    assert hands(open_hands, 0) == hands(open_hands, 2) == [["C01"], []]
    table = hidden()
    assert hands(table, 1) == [["C01", "C18"], None]
    assert hands(table, 2) == [None, ["C20"]]
    assert hands(table, 0) == [None, None]
    assert table.view()["counts"]["hand"] == {"player-1": 2, "player-2": 1}
    assert table.of(1)["hand"] == ["C01", "C18"]


@RULE("ST-R-37")
def test_hidden_hands_show_gains_and_losses() -> None:
    table = playing(2, off=["ST-R-22"], facedown=["C17", "C03"], p1={"hand": ["C01"]})
    table.act(1, "reveal")
    table.act(1, "reveal")
    table.act(1, "commit", [["shoot", 0]], cards=["C01"])
    told = table.ask("events", seat="player-2")
    assert told == table.ask("events", seat="player-1") == table.ask("events", seat="table")
    assert [event["type"] for event in told][:2] == ["revealed", "aid-gained"]
    assert table.view(2)["counts"]["hand"]["player-1"] == 1
    assert (hands(table, 1), hands(table, 2)) == ([["C17"], None], [None, []])
    assert table.view(2)["discard"] == ["C01", "C03"]


@RULE("ST-R-37")
def test_elimination_reveals_the_hand() -> None:
    table = playing(2, off=["ST-R-22"], card="C14", p1={"hand": ["C01"]}, p2={"hand": ["C20"]})
    told = table.act(1, "commit", [["evade", 9], ["wound", 0]], cards=[])
    assert {"type": "eliminated", "seat": "player-1", "cards": ["C01"]} in told
    assert (hands(table, 0), hands(table, 1), hands(table, 2)) == ([None, None], [[], None], [None, ["C20"]])
    assert table.view()["counts"]["hand"] == {"player-1": 0, "player-2": 1}


@RULE("ST-R-22")
def test_refusal_does_not_depend_on_other_hands() -> None:
    for hand in (["C20"], ["C34"], []):
        table = playing(2, off=["ST-R-22"], p1={"hand": ["C01"]}, p2={"hand": hand})
        assert table.refused(2, "play", card="C34") == "ST-TRN-01"
        assert table.refused(1, "play", card="C34") == "ST-HNT-02"


def test_no_one_sees_the_deck_or_face_down_cards() -> None:
    for off in ((), ("ST-R-22",)):
        table = new(3, off=off)
        number = int(table.state()["turn"][-1])
        table.act(number, "draw")
        for seat in range(4):
            view = table.view(seat)
            assert (view["deck"], view["facedown"], view["unseen"]) == (None, None, None)
            assert view["counts"]["deck"] == 64
            assert view["counts"]["facedown"] == 5
        told = [event for seat in ("table", "player-1") for event in table.ask("events", seat=seat)]
        assert {event["type"] for event in told} == {"first-rolled", "turn-started", "drew"}
