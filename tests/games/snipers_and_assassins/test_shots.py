"""SHT and MIN: shots, possible targets, shot markers, mines, healing."""

from __future__ import annotations

import pytest

from tests.games.protocol_client import AnswerError, Json, kinds
from tests.games.snipers_and_assassins.table import Table, playing

RULE = pytest.mark.rule


def shoot(table: Table, target: str = "assassin-2", to: str = "B5") -> list[Json]:
    """Return an act with which player 1's Sniper shoots without moving."""
    return table.act(1, "a", order="shoot-move", to=to, target=target)


@RULE("SA-SHT-01", "SA-R-05", "SA-R-06")
@pytest.mark.parametrize(
    ("space", "inside"), [("B1", False), ("B2", True), ("B8", True), ("A2", True), ("C8", True), ("C9", False),
                          ("D5", False), ("B5", True)]
)  # fmt: skip
def test_shot_reaches_three_spaces_through_everything(space: str, inside: bool) -> None:
    table = playing(S1="B5", A2=space, S2="B6", A1="B7", mines1=["B4", "C7"])
    acts = [action for action in table.offered(1, "a") if action["target"] == "assassin-2"]
    assert any(action["to"] == "B5" for action in acts) is inside


@RULE("SA-R-07", "SA-R-08")
def test_invalid_targets() -> None:
    table = playing(S1="A3", A1="A4", S2="A2", A2="B3")
    targets = {action["target"] for action in table.offered(1, "a")}
    assert targets == {"sniper-2", "assassin-2"}
    assert table.refused(1, "a", order="shoot-move", to="A3", target="assassin-1") == "SA-R-08"
    assert table.refused(1, "a", order="shoot-move", to="A3", target="sniper-1") == "SA-R-08"
    assert table.refused(1, "a", order="shoot-move", to="A3", target="sniper-3") is None
    table = playing(S1="D2")
    assert table.refused(1, "a", order="shoot-move", to="D2", target="sniper-2") == "SA-R-07"
    assert table.offered(1, "a") == []


@RULE("SA-R-21", "SA-R-22")
def test_shot_or_locked_assassin_can_only_hold() -> None:
    for status, rule in (({"shot": "fresh", "locked": True}, "SA-R-21"), ({"locked": True}, "SA-R-22")):
        table = playing(A1="A1", p1={**status, "pushed_back": True})
        assert table.refused(1, "walk", to="A2") == rule
        assert table.refused(1, "plant", space="A2") == rule
        assert table.refused(1, "claymore") == rule
        assert {"type": "hold", "marker": "assassin-1"} in table.offered(1)
    table = playing(A1="A1", p1={"shot": "stale", "pushed_back": True})
    assert {"walk", "jump", "plant", "claymore"} <= set(kinds(table.offered(1))), "a stale shot marker has no effect"


@RULE("SA-R-43")
def test_turn_without_acts_can_end() -> None:
    table = playing(p1={"recover": True, "locked": True})
    assert kinds(table.offered(1)) == ["hold", "hold", "end-turn"]
    assert kinds(table.act(1, "end-turn")) == ["held", "held", "turn-ended", "turn-started"]


@RULE("SA-MIN-03", "SA-R-25")
def test_mines_hit_only_snipers_of_any_player() -> None:
    table = playing(A1="B5", S1="B5", mines1=["B6"], deck=["pads"])
    assert kinds(table.act(1, "walk", to="B6")) == ["moved"]
    assert table.act(1, "b-walk", to="B6")[1:] == [
        {"type": "mine-exploded", "space": "B6", "markers": ["sniper-1"]},
        {"type": "sniper-replaced", "marker": "sniper-1", "from": "B6", "to": "AL"},
        {"type": "improvement-drawn", "seat": "player-1", "card": "pads"},
    ]
    assert (table.of(1)["mines"], table.at("A1")) == ([], "B6")


@RULE("SA-R-29")
def test_sniper_landing_on_mine_and_marker_meets_only_the_mine() -> None:
    table = playing(S1="B5", S2="C5", mines1=["C5"], deck=["pads"])
    assert "surprise" not in kinds(table.act(1, "b-jump", to="C5"))
    assert (table.at("S1"), table.at("S2")) == ("AL", "C5")


@RULE("SA-R-26", "SA-R-60", "SA-MIN-02")
def test_planted_mine_hits_every_enemy_sniper_there() -> None:
    table = playing(3, A1="B5", S2="B5", S3="B5", A3="B5", deck=["pads", "mask"])
    events = table.act(1, "walk", to="B6", mine={"when": "before", "space": "B5"})
    assert events[:2] == [
        {"type": "mine-planted", "seat": "player-1", "space": "B5"},
        {"type": "mine-exploded", "space": "B5", "markers": ["sniper-2", "sniper-3"]},
    ]
    assert kinds(events)[2:] == ["sniper-replaced", "improvement-drawn"] * 2 + ["moved"]
    assert (table.of(1)["mines"], table.at("A3")) == ([], "B5")


@RULE("SA-R-66")
def test_healing_assassin_is_no_target_until_its_second_turn() -> None:
    table = playing(2, {"healing": True}, S1="B6", A2="B8", p2={"shot": "stale"})
    assert shoot(table, to="B6")[0]["result"] == "hit"
    found = [table.of(2)["shot"]]
    for number in (1, 2):
        table.end(number)
        found.append(table.of(2)["shot"])
    assert found == ["healing", "healing", "healed"]
    assert table.refused(1, "a", order="shoot-move", to="B6", target="assassin-2") == "SA-R-66"
    assert table.offered(1, "a") == []
    table.end(1)
    assert table.of(2)["shot"] is None
    table.end(2)
    assert table.offered(1, "a")


@RULE("SA-R-66")
def test_only_shots_start_healing_and_only_with_the_switch() -> None:
    table = playing(2, {"healing": True}, A1="B5", A2="C5", S1="C4")
    table.act(1, "jump", to="C5")
    assert table.of(2)["shot"] is None
    table = playing(2, {"healing": True}, S1="B5", A2="B8", mines1=["B8"])
    shoot(table)
    assert table.of(2)["shot"] == "healing"
    with pytest.raises(AnswerError) as found:
        playing(p2={"shot": "healing"})
    assert found.value.code == "not-understood"
