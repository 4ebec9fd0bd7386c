"""The order of refusals, and which commands are not understood before any rule is checked."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.protocol_client import AnswerError, Json, Table
from tests.games.stalingrad.table import new, playing

OVER: Json = {"deck": [], "p1": {"out": False}}
OUT: Json = {"turn": "player-2", "p1": {"out": True}}
OTHERS: Json = {"turn": "player-2", "phase": "escape"}
TARGET: Json = {"card": "C03", "p1": {"hand": ["C01", "C18", "C34"]}}
DANGER: Json = {"card": "C09", "p1": {"hand": ["C01", "C18", "C34"]}}
REVEAL: Json = {"facedown": ["C37"]}
FULL = ["C17", "C18", "C19", "C20"]
PLAYED: Json = {"aid": "C34", "discard": ["C34"], "p1": {"hand": ["C35"]}}

LADDER: list[tuple[str, str, Json, Json]] = [
    ("ST-GOL-02", "draw", {}, OVER),
    ("ST-GOL-02", "reveal", {}, OVER),
    ("ST-GOL-02", "play", {"card": "C01"}, {"p1": {"out": True}}),
    ("ST-WND-04", "draw", {}, {**OUT, "n": 3}),
    ("ST-WND-04", "buy", {"stat": "hunt"}, {**OUT, "n": 3}),
    ("ST-TRN-01", "draw", {}, OTHERS),
    ("ST-TRN-01", "reveal", {}, {"turn": "player-2", "card": "C03"}),
    ("ST-TRN-01", "commit", {"cards": ["C01"]}, {"turn": "player-2", "facedown": ["C37"]}),
    ("ST-SHO-01", "reveal", {}, TARGET),
    ("ST-SHO-01", "reveal", {}, DANGER),
    ("ST-SHO-01", "commit", {"cards": ["C01"]}, REVEAL),
    ("ST-TRN-01", "reveal", {}, {}),
    ("ST-TRN-01", "reveal", {}, {"phase": "escape"}),
    ("ST-TRN-01", "commit", {"cards": []}, {}),
    ("ST-TRN-01", "commit", {"cards": []}, {"phase": "escape"}),
    ("ST-TRN-01", "play", {"card": "C34"}, TARGET),
    ("ST-TRN-01", "play", {"card": "C34"}, {**PLAYED, "phase": "escape"}),
    ("ST-TRN-01", "draw", {}, REVEAL),
    ("ST-TRN-01", "buy", {"stat": "hunt"}, {}),
    ("ST-TRN-01", "discard", {"card": "C18"}, DANGER),
    ("ST-TRN-01", "end-turn", {}, REVEAL),
    ("ST-R-28", "play", {"card": "C35"}, PLAYED),
    ("ST-R-28", "play", {"card": "C01"}, PLAYED),
    ("ST-HNT-02", "play", {"card": "C34"}, {"p1": {"hand": ["C35"]}}),
    ("ST-HNT-02", "play", {"card": "C01"}, {"p1": {"hand": ["C35"]}}),
    ("ST-R-03", "play", {"card": "C18"}, {"p1": {"hand": ["C18"]}}),
    ("ST-TGT-02", "commit", {"cards": ["C18", "C20"]}, TARGET),
    ("ST-TGT-02", "commit", {"cards": ["C02"]}, TARGET),
    ("ST-DNG-02", "commit", {"cards": ["C01", "C17"]}, DANGER),
    ("ST-R-03", "commit", {"cards": ["C01", "C34"]}, TARGET),
    ("ST-R-03", "commit", {"cards": ["C01", "C18"]}, DANGER),
    ("ST-XP-05", "buy", {"stat": "hunt"}, {"phase": "escape", "p1": {"hunt": 9, "xp": 2}}),
    ("ST-STA-03", "buy", {"stat": "hunt"}, {"phase": "escape", "p1": {"hunt": 9, "xp": 3}}),
    ("ST-ESC-01", "discard", {"card": "C17"}, {"phase": "escape", "p1": {"hand": FULL[:3]}}),
    ("ST-ESC-01", "discard", {"card": "C21"}, {"phase": "escape", "p1": {"hand": FULL}}),
    ("ST-ESC-01", "end-turn", {}, {"phase": "escape", "p1": {"hand": FULL}}),
]


@pytest.mark.rule("ST-TRN-01", "ST-SHO-01", "ST-R-28", "ST-R-38", "ST-DNG-02", "ST-TGT-02")
@pytest.mark.parametrize(("rule", "kind", "fields", "parts"), LADDER)
def test_first_rule_that_forbids_is_named(rule: str, kind: str, fields: Json, parts: dict[str, Any]) -> None:
    wanted = dict(parts)
    table = playing(wanted.pop("n", 2), **wanted)
    assert table.refused(1, kind, **fields) == rule


SENSELESS: list[tuple[str, Json]] = [
    ("fly", {}),
    ("draw", {"count": 3}),
    ("play", {}),
    ("play", {"card": "C70"}),
    ("play", {"card": "c01"}),
    ("play", {"card": None}),
    ("play", {"card": ["C01"]}),
    ("commit", {}),
    ("commit", {"cards": None}),
    ("commit", {"cards": "C01"}),
    ("commit", {"cards": ["C01", "C01"]}),
    ("commit", {"cards": ["C01", 1]}),
    ("commit", {"cards": ["C00"]}),
    ("buy", {"stat": "luck"}),
    ("buy", {"stat": "Hunt"}),
    ("buy", {}),
    ("discard", {}),
    ("discard", {"card": "X"}),
    ("end-turn", {"now": True}),
]


@pytest.mark.parametrize(("kind", "fields"), SENSELESS)
def test_invalid_commands_are_reported_before_any_rule(kind: str, fields: Json) -> None:
    for parts in (OVER, {}, TARGET):
        assert playing(**parts).refused(1, kind, **fields) is None


def error(table: Table, do: str, **fields: Any) -> tuple[str, str | None]:
    with pytest.raises(AnswerError) as found:
        table.ask(do, **fields)
    return found.value.code, found.value.rule


def test_table_never_acts() -> None:
    table = new()
    assert table.ask("legal", seat="table") == []
    assert error(table, "act", seat="table", action={"type": "draw"}) == ("not-understood", None)


@pytest.mark.parametrize("seat", ["player-3", "player-7", "player-0", "sniper", "referee", ""])
def test_other_seats_are_unknown(seat: str) -> None:
    table = new(2)
    for do in ("legal", "view", "events"):
        assert error(table, do, seat=seat) == ("not-understood", None)


def test_game_has_no_map_and_no_bag() -> None:
    table = new()
    assert error(table, "new", game="stalingrad", map="launch-facility") == ("not-understood", None)
    assert error(table, "position", game="stalingrad", map="launch-facility", position={}) == ("not-understood", None)
    assert error(table, "odds", bag={"aim": 1}, draw=1, need=1) == ("not-understood", None)
    assert table.ask("new", game="stalingrad", map=None) == {"to_act": [table.state()["turn"]]}
    assert "stalingrad" in table.ask("hello")["games"]
    assert table.ask("map", map="launch-facility")["spaces"]


@pytest.mark.rule("ST-R-26")
@pytest.mark.parametrize(
    "raw",
    [
        {"players": 0}, {"players": 7}, {"players": 2.5}, {"players": 2.0}, {"players": True}, {"players": "2"},
        {"teams": 2}, {"switches": {"ST-R-02": False}}, {"switches": {"ST-R-01": 0}}, {"switches": []}, [], "two",
    ],
)  # fmt: skip
def test_other_options_are_not_understood(raw: Any) -> None:
    assert error(Table(), "new", game="stalingrad", options=raw) == ("not-understood", None)


@pytest.mark.parametrize(
    "raw", [None, {}, {"players": None, "switches": None}, {"switches": {"ST-R-01": None, "ST-R-22": None}}]
)
def test_null_options_count_as_absent(raw: Any) -> None:
    table = Table()
    table.ask("new", game="stalingrad", options=raw)
    assert [*table.state()["players"]] == ["player-1", "player-2"]
    assert table.view()["switches"] == dict.fromkeys(("ST-R-01", "ST-R-04", "ST-R-19", "ST-R-22"), True)
