"""The turn and its end: order, wounds, lost turns, and who wins."""

from __future__ import annotations

import pytest

from tests.games.protocol_client import Json, Table, kinds
from tests.games.stalingrad.table import playing

RULE = pytest.mark.rule


def caught(players: int, die: int, **parts: object) -> tuple[Table, list[Json]]:
    """Return a game after a player failed to evade the open danger, with `die` as the wound die."""
    table = playing(players, card="C14", **parts)
    number = int(str(parts.get("turn", "player-1"))[-1])
    return table, table.act(number, "commit", [["evade", 0], ["wound", die]], cards=[])


@RULE("ST-TRN-01", "ST-HNT-01", "ST-SHO-01", "ST-SHO-02", "ST-ESC-02")
def test_turn_goes_from_hunt_to_shoot_to_escape() -> None:
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


@RULE("ST-R-27", "ST-TGT-02", "ST-DNG-02", "ST-R-29")
def test_aids_are_optional_and_last_for_one_roll() -> None:
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


@RULE("ST-R-11")
def test_unseen_cards_have_no_effect() -> None:
    table, told = caught(2, 1, facedown=["C02", "C09", "C17"])
    assert told[2] == {"type": "discarded-unseen", "seat": "player-1", "count": 3}
    assert (table.of(1)["xp"], table.of(1)["hand"], table.of(1)["kills"]) == (0, [], [])
    assert table.view()["unseen"] is None
    assert table.view()["counts"]["unseen"] == 3


@RULE("ST-R-23", "ST-WND-04")
def test_eliminated_player_keeps_only_kills() -> None:
    me = {"hand": ["C18", "C01"], "kills": ["C03"], "xp": 4}
    table, told = caught(3, 0, p1=me)
    assert {"type": "eliminated", "seat": "player-1", "cards": ["C01", "C18"]} in told
    player = table.of(1)
    assert (player["hand"], player["xp"], player["kills"], player["out"]) == ([], 0, ["C03"], True)
    assert table.state()["discard"] == ["C01", "C14", "C18"]


@RULE("ST-R-34", "ST-R-26")
def test_eliminated_single_player_keeps_the_stars() -> None:
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
def test_wound_on_the_last_turn_ends_the_game() -> None:
    table, told = caught(2, 9, deck=[], phase="danger")
    assert kinds(told)[-2:] == ["turn-ended", "game-over"]
    assert told[-1]["reason"] == "deck"
    assert table.of(1)["skip"] == 2


@RULE("ST-R-16", "ST-R-17")
@pytest.mark.parametrize("hunt", [3, 5])
def test_empty_deck_ends_the_game_after_the_turn(hunt: int) -> None:
    table = playing(2, p1={"hunt": hunt, "xp": 3}, deck=["C37", "C39", "C40"])
    assert table.act(1, "draw")[0]["count"] == 3
    for _ in range(3):
        table.act(1, "reveal")
    assert kinds(table.act(1, "buy", stat="hunt")) == ["stat-raised"]
    assert table.act(1, "end-turn")[-1]["reason"] == "deck"


@RULE("ST-R-20", "ST-R-39", "ST-GOL-01")
def test_equal_players_share_a_place() -> None:
    four = {"p1": {"kills": ["C03"]}, "p2": {"kills": ["C05"]}, "p3": {"kills": ["C06"]}, "p4": {"kills": ["C53"]}}
    over = playing(4, deck=[], **four).state()["over"]
    assert [(rank["seat"], rank["place"]) for rank in over["ranking"]] == [
        ("player-2", 1), ("player-4", 1), ("player-1", 3), ("player-3", 3),
    ]  # fmt: skip
    assert over["winners"] == ["player-2", "player-4"]
