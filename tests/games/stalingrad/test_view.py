"""What a view contains besides the position: counts, stars, the current value, and the lamps of the track board."""

from __future__ import annotations

import pytest

from tests.games.protocol_client import Json
from tests.games.stalingrad.table import playing

RULE = pytest.mark.rule
POSITION = {"turn", "phase", "card", "die", "aid", "players", "deck", "facedown", "discard", "unseen", "over"}


def lamps(players: int = 2, /, **parts: object) -> dict[str, list[str]]:
    """Return the lamps of a position."""
    found: dict[str, list[str]] = playing(players, **parts).view()["lamps"]
    return found


def test_view_extends_the_position() -> None:
    table = playing(2, p1={"kills": ["C05", "C03"], "hand": ["C01"]}, unseen=["C09"], facedown=["C10", "C11"])
    view = table.view(2)
    assert view.keys() == POSITION | {"counts", "switches", "to_act", "value", "lamps"}
    assert view["players"]["player-1"] == {**table.of(1), "stars": 6}
    assert view["counts"] == {"deck": 63, "facedown": 2, "unseen": 1, "hand": {"player-1": 1, "player-2": 0}}
    assert view["to_act"] == ["player-1"]
    assert table.state().keys() == POSITION


@RULE("ST-R-05", "ST-TGT-03", "ST-DNG-03")
@pytest.mark.parametrize(
    ("parts", "value"),
    [
        ({}, 5),
        ({"aid": "C34", "discard": ["C34"]}, 8),
        ({"aid": "C34", "discard": ["C34"], "p1": {"hunt": 7}}, 9),
        ({"card": "C02"}, 6),
        ({"card": "C05", "p1": {"shoot": 1}}, -1),
        ({"card": "C14"}, 2),
        ({"facedown": ["C01"]}, None),
        ({"phase": "escape"}, None),
        ({"deck": []}, None),
    ],
)
def test_value_of_the_next_draw_or_roll(parts: Json, value: int | None) -> None:
    assert playing(2, **parts).view()["value"] == value


@RULE("ST-X-01")
def test_strip_shows_stats_tokens_lost_turns_and_stars() -> None:
    found = lamps(3, p1={"xp": 12, "kills": ["C08", "C05"]}, p2={"skip": 2, "hunt": 9}, p3={"out": True})
    assert found == {
        "turn": ["player-1"],
        "out": ["player-3"],
        "stars": [f"player-1/stars/{number}" for number in range(1, 10)],
        "skip": ["player-2/skip/1", "player-2/skip/2"],
        "xp": ["player-1/xp/9", "player-2/xp/0"],
        "stat": [
            "player-1/hunt/5", "player-1/shoot/5", "player-1/evade/5",
            "player-2/hunt/9", "player-2/shoot/5", "player-2/evade/5",
        ],
    }  # fmt: skip


@RULE("ST-X-01")
def test_score_has_twenty_cells() -> None:
    best = ["C08", "C54", "C05", "C53", "C26", "C52"]
    assert lamps(2, p1={"kills": best})["stars"][-1] == "player-1/stars/20"


@RULE("ST-X-02")
def test_lamps_show_purchases_and_boosts() -> None:
    found = lamps(2, phase="escape", p1={"xp": 3, "shoot": 9})
    assert found["buy"] == ["player-1/hunt/6", "player-1/evade/6"]
    assert "buy" not in lamps(2, phase="escape", p1={"xp": 2})
    assert "buy" not in lamps(2, p1={"xp": 3})
    assert lamps(2, aid="C35", discard=["C35"])["boost"] == ["player-1/hunt/6", "player-1/hunt/7"]
    assert lamps(2, card="C02")["boost"] == ["player-1/shoot/6"]
    assert "boost" not in lamps(2, card="C05")
    assert "boost" not in lamps(2, card="C09")


@RULE("ST-X-03")
def test_pads_show_face_down_cards() -> None:
    found = lamps(2, facedown=["C01", "C02", "C03"])
    assert (found["pads"], found["flip"]) == (["pad/1", "pad/2", "pad/3"], ["pad/3"])
    found = lamps(2, facedown=["C01", "C02"], card="C03")
    assert (found["pads"], found["target"]) == (["pad/1", "pad/2"], ["pad/3"])
    assert not {"flip", "danger"} & found.keys()
    assert lamps(2, card="C09")["danger"] == ["pad/1"]


@RULE("ST-X-02")
def test_winner_s_strip_lights_up() -> None:
    found = lamps(3, deck=[], p1={"out": True}, p3={"kills": ["C05"]}, p2={"kills": ["C53"]})
    assert found["winner"] == ["player-2", "player-3"]
    assert found["out"] == ["player-1"]
    assert "turn" not in found
