"""Described positions: omitted parts, derived values, impossible positions, and finished games."""

from __future__ import annotations

from typing import Any

import pytest

from games.stalingrad.rules.cards import CARDS
from tests.games.protocol_client import AnswerError, Json, Table
from tests.games.stalingrad.table import impossible, playing

ALL = list(CARDS)


def test_empty_position_is_the_first_turn_of_player_1() -> None:
    state = playing(2).state()
    assert (state["turn"], state["phase"], sorted(state["deck"])) == ("player-1", "hunt", ALL)
    nothing: Json = dict.fromkeys(state)
    table = Table()
    assert table.ask("position", game="stalingrad", position=nothing) == {"to_act": ["player-1"]}
    table.ask("position", game="stalingrad", position={"players": {"player-1": None, "player-2": {"hunt": None}}})
    assert table.of(2)["hunt"] == 5


def test_unnamed_cards_are_in_the_deck_or_unseen() -> None:
    state = playing(2, discard=["C02", "C01"], unseen=["C03"]).state()
    assert sorted(state["deck"]) == ALL[3:]
    assert state["discard"] == ["C01", "C02"]
    state = playing(2, deck=["C09", "C02"]).state()
    assert state["deck"] == ["C09", "C02"]
    assert state["unseen"] == [card for card in ALL if card not in ("C09", "C02")]
    assert playing(2, deck=ALL[1:], unseen=ALL[:1]).state()["unseen"] == ["C01"]
    assert impossible(2, deck=ALL[2:], unseen=ALL[:1])


@pytest.mark.parametrize(
    ("parts", "phase"),
    [
        ({"card": "C03", "facedown": ["C01"]}, "target"),
        ({"card": "C09"}, "danger"),
        ({"facedown": ["C01"]}, "reveal"),
        ({}, "hunt"),
        ({"phase": "escape"}, "escape"),
    ],
)
def test_phase_follows_from_the_cards_on_the_table(parts: Json, phase: str) -> None:
    assert playing(2, **parts).state()["phase"] == phase


AID: Json = {"aid": "C34", "discard": ["C34"]}
NINE = [f"C{number}" for number in range(17, 26)]

FAULTS: list[Json] = [
    {"turn": "player-3"},
    {"turn": "table"},
    {"p3": {}},
    {"phase": "shoot"},
    {"phase": "over"},
    {"phase": "over", "card": "C03"},
    {"phase": "reveal"},
    {"phase": "reveal", "card": "C03", "facedown": ["C01"]},
    {"phase": "target"},
    {"phase": "target", "card": "C09"},
    {"phase": "danger", "card": "C03"},
    {"phase": "hunt", "card": "C03"},
    {"phase": "hunt", "facedown": ["C01"]},
    {"phase": "escape", "facedown": ["C01"]},
    {"card": "C01"},
    {"card": "C37"},
    {"card": "C70"},
    {"die": 3},
    {"die": 3, "card": "C03"},
    {"aid": "C34"},
    {"aid": "C01", "discard": ["C01"]},
    {"aid": "C17", "discard": ["C17"]},
    {"aid": "C37", "discard": ["C37"]},
    {"aid": "C99", "discard": []},
    {"facedown": [*NINE, "C26"]},
    {"facedown": NINE, "card": "C03"},
    {"discard": ["C01", "C01"]},
    {"discard": ["C01"], "p1": {"hand": ["C01"]}},
    {"card": "C03", "p1": {"kills": ["C03"]}},
    {"deck": ["C01"], "facedown": ["C01"]},
    {"p1": {"hand": ["C02"]}},
    {"p1": {"kills": ["C01"]}},
    {"p1": {"hunt": 0}},
    {"p1": {"shoot": 10}},
    {"p1": {"evade": 5.5}},
    {"p1": {"xp": -1}},
    {"p1": {"skip": 3}},
    {"p1": {"skip": 1}},
    {"p1": {"stars": 1}},
    {"p1": {"out": 1}},
    {"p1": {"out": True}, "p2": {"out": True}},
    {"p2": {"out": True, "xp": 1}},
    {"p2": {"out": True, "skip": 1}},
    {"p2": {"out": True, "hand": ["C01"]}},
    {"deck": [], "facedown": [], "card": "C03", "phase": "over"},
    {"p2": {"out": True}, "facedown": ["C01"]},
    {"p2": {"out": True}, "card": "C03"},
    {"p2": {"out": True}, "aid": "C17", "discard": ["C17"]},
    {"p2": {"out": True}, "die": 1},
    {"deck": [1]},
    {"deck": "C01"},
    {"hand": []},
    {"over": {"winners": [], "ranking": [], "reason": "deck"}},
    {"over": {"winners": []}},
]


@pytest.mark.parametrize("parts", FAULTS)
def test_impossible_position_is_not_understood(parts: Json) -> None:
    assert impossible(2, **parts)


@pytest.mark.rule("ST-R-33")
def test_open_die_needs_the_switch() -> None:
    off = ["ST-R-04"]
    assert impossible(2, off=off, card="C03")
    assert impossible(2, off=off, die=3)
    assert impossible(2, off=off, card="C03", die=10)
    assert playing(2, off=off, card="C03", die=0).state()["die"] == 0


@pytest.mark.rule("ST-R-32")
def test_aid_of_the_turn_fits_the_switch() -> None:
    assert playing(2, phase="escape", **AID).state()["aid"] == "C34"
    assert impossible(2, off=["ST-R-01"], **AID)
    assert playing(2, off=["ST-R-01"], aid="C17", discard=["C17"]).state()["aid"] == "C17"
    assert playing(2, off=["ST-R-01"], aid="C59", discard=["C59"]).state()["aid"] == "C59"


def test_tokens_and_kills_need_not_add_up() -> None:
    assert playing(2, p1={"xp": 40, "kills": ["C05"]}).of(1)["xp"] == 40
    assert playing(3, turn="player-2", p1={"out": True, "kills": ["C05"]}).of(1)["kills"] == ["C05"]


def test_current_player_is_not_out_or_waiting() -> None:
    assert impossible(3, p1={"out": True})
    assert impossible(3, turn="player-2", p2={"skip": 1})
    assert playing(3, turn="player-2", p1={"skip": 2}).state()["turn"] == "player-2"


# --- finished games ---------------------------------------------------------------------------------------------


@pytest.mark.rule("ST-GOL-02", "ST-R-18", "ST-R-34")
@pytest.mark.parametrize(
    ("players", "parts", "reason"),
    [
        (2, {"deck": []}, "deck"),
        (2, {"deck": [], "phase": "over", "turn": "player-2"}, "deck"),
        (2, {"p1": {"out": True}, "phase": "escape", **AID}, "last"),
        (2, {"p1": {"out": True}, "turn": "player-1", "deck": []}, "last"),
        (3, {"p1": {"out": True}, "p2": {"out": True}, "p3": {"skip": 1}, "phase": "reveal"}, "last"),
        (1, {"p1": {"out": True}}, "out"),
        (1, {"p1": {"out": True}, "deck": [], "phase": "over"}, "out"),
        (1, {"deck": [], "p1": {"skip": 1}}, "deck"),
    ],
)  # fmt: skip
def test_position_can_be_over(players: int, parts: Json, reason: str) -> None:
    table = playing(players, **parts)
    state = table.state()
    assert (state["turn"], state["phase"], state["aid"], state["over"]["reason"]) == (None, "over", None, reason)
    assert table.offered(1) == []
    again = Table()
    assert again.ask("position", game="stalingrad", options={"players": players}, position=state) == {"to_act": []}
    assert again.state() == state


def test_empty_deck_during_a_turn_does_not_end_the_game() -> None:
    for parts in ({"phase": "escape"}, {"card": "C03"}, {"facedown": ["C01"]}):
        assert playing(2, deck=[], **parts).state()["over"] is None


def test_described_end_has_to_match() -> None:
    over = playing(2, deck=[], p1={"kills": ["C05"]}).state()["over"]
    assert playing(2, deck=[], p1={"kills": ["C05"]}, over=over).state()["over"] == over
    for wrong in (
        {**over, "reason": "last"},
        {**over, "winners": ["player-1", "player-2"]},
        {**over, "ranking": over["ranking"][::-1]},
        {**over, "ranking": [{**rank, "out": 0} for rank in over["ranking"]]},
    ):
        assert impossible(2, deck=[], p1={"kills": ["C05"]}, over=wrong)
    assert impossible(2, over=over)


@pytest.mark.parametrize("raw", [7, [], "over", {"turn": 1}, {"players": []}, {"players": {"player-1": 3}}])
def test_invalid_position_is_not_understood(raw: Any) -> None:
    with pytest.raises(AnswerError) as found:
        Table().ask("position", game="stalingrad", position=raw)
    assert found.value.code == "not-understood"
