"""Positions: omitted parts, impossible positions, and states that read back as positions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.games.protocol_client import AnswerError, Json, kinds
from tests.games.snipers_and_assassins.table import playing

RULE = pytest.mark.rule


def wrong(options: Json | None = None, /, count: int = 2, **parts: Any) -> str | None:
    """Return the rule that refuses a position, or None if the position is not understood."""
    with pytest.raises(AnswerError) as found:
        playing(count, options, **parts)
    assert (found.value.code == "refused") is (found.value.rule is not None)
    rule: str | None = found.value.rule
    return rule


def test_omitted_parts_are_as_at_the_start() -> None:
    state = playing().state()
    assert len(state.pop("deck")) == 28
    off = dict.fromkeys(("recover", "locked", "pushed_back"), False)
    none = dict.fromkeys(("jump", "shot", "improvement", "armor"))
    players = {
        seat: {"start": f"{row}L", "target": target, "leader": f"{row}R", "sniper": f"{row}L", "assassin": f"{row}L"}
        | {**off, **none, "mines": []}
        for seat, row, target in (("player-1", "A", "player-2"), ("player-2", "D", "player-1"))
    }
    rest = {
        "setup": None,
        "turn": "player-1",
        "first": "player-1",
        "round": 1,
        "acted": [],
        "over": None,
        "discard": [],
    }
    assert state == {**rest, "setup": None, "over": None, "players": players}


@pytest.mark.parametrize("count", range(3, 7))
@RULE("SA-R-41", "SA-R-42")
def test_usual_layout_of_more_than_two_players(count: int) -> None:
    players = playing(count).state()["players"]
    pathways = "ABCDEFGH"[: count + 2]
    for number in range(1, count + 1):
        one = players[f"player-{number}"]
        hunted = players[one["target"]]
        assert one["start"] == f"{pathways[number - 1]}L"
        assert one["target"] == f"player-{number % count + 1}"
        assert hunted["leader"] == f"{pathways[count + 2 - number]}R"


def test_view_has_the_size_of_the_deck_only() -> None:
    table = playing(card1="armor", p1={"armor": 2}, deck=["pads", "drop"])
    state = table.state()
    assert (state["players"]["player-1"]["armor"], state["deck"]) == (2, ["pads", "drop"])
    for viewer in ("player-1", "player-2", "table"):
        view = table.ask("view", seat=viewer)
        assert {name: view[name] for name in state} == {**state, "deck": 2}
    assert table.ask("events", seat="player-1") == []


@RULE("SA-SET-06")
def test_omitted_deck_has_the_remaining_cards() -> None:
    table = playing(card1="pads", discard=["pads", "spike"], chance=[["improvements", ["mask", "mask"]]])
    state = table.state()
    assert state["deck"][:2] == ["mask", "mask"]
    assert Counter(state["deck"])["spike"] == 1
    assert len(state["deck"]) == 25
    assert state["players"]["player-1"]["armor"] is None


def test_layout_fills_omitted_parts_of_a_position() -> None:
    layout = {
        "player-1": {"start": "BL", "target": "player-2", "leader": "CR"},
        "player-2": {"start": "CL", "target": "player-1", "leader": "AR"},
    }
    table = playing(2, {"layout": layout}, p2={"leader": "DR"})
    assert (table.at("S1"), table.of(2)["leader"]) == ("BL", "DR")


@RULE("SA-R-63", "SA-SET-05")
def test_position_can_describe_setup() -> None:
    table = playing(3, setup="start")
    state = table.state()
    assert (state["first"], state["deck"], state["turn"]) == (None, None, "player-1")
    assert state["players"]["player-1"]["sniper"] is None
    starts = {"p1": {"start": "AL"}, "p2": {"start": "BL"}, "p3": {"start": "CL"}}
    table = playing(3, setup="target", **starts)  # type: ignore[arg-type]
    assert table.at("A2") == "BL"
    assert kinds(table.offered(1)) == ["choose-target"] * 2
    full = {name: {**part, "target": f"player-{n % 3 + 1}"} for n, (name, part) in enumerate(starts.items(), 1)}
    table = playing(3, setup="leader", turn="player-3", **_led(full))
    assert kinds(table.act(3, "place-leader", space="ER"))[-1] == "turn-started"


def _led(players: dict[str, Json]) -> dict[str, Any]:
    leaders = {"p1": "AR", "p2": "BR"}
    return {name: {**part, "leader": leaders.get(name)} for name, part in players.items()}


@RULE("SA-R-42")
def test_impossible_starts_and_leaders_are_refused() -> None:
    assert wrong(p1={"start": "DL"}) == "SA-R-42"
    assert wrong(p1={"leader": "DR"}) == "SA-R-42"
    assert wrong(p1={"leader": "AL"}) == "SA-R-42"
    assert wrong(p1={"leader": "A5"}) == "SA-R-42"


@RULE("SA-R-41")
def test_impossible_targets_are_refused() -> None:
    assert wrong(p1={"target": "player-1"}) == "SA-R-41"
    assert wrong(count=3, p1={"target": "player-3"}) == "SA-R-41"
    chosen = {"p1": {"target": "player-2"}, "p2": {"target": "player-1"}}
    assert wrong(count=3, setup="target", turn="player-3", **chosen) == "SA-R-41", "player 3 could only hunt itself"


@RULE("SA-R-24")
def test_impossible_mines_are_refused() -> None:
    assert wrong(mines1=["AL"]) == "SA-R-24"
    assert wrong(mines1=["A1"], mines2=["A1"]) == "SA-R-24"
    assert wrong(mines1=["A1", "A1"]) == "SA-R-24"
    assert wrong(mines1=["A1", "A2", "A3", "A4", "A5", "A6"]) == "SA-R-24"


@RULE("SA-R-40", "SA-R-54", "SA-R-39")
def test_impossible_markers_in_hideouts_are_refused() -> None:
    assert wrong(S1="AR") == "SA-R-40"
    assert wrong(S1="BL") == "SA-R-40"
    assert wrong(A1="DL") == "SA-R-40"
    assert wrong(A1="DR") == "SA-R-40"
    won = playing(A1="DR", over={"winner": "player-1", "reason": "leader"})
    assert won.offered(1) == []
    assert wrong(S1="DR", over={"winner": "player-1", "reason": "leader"}) == "SA-R-40"


@RULE("SA-D-01")
def test_impossible_cards_are_refused() -> None:
    assert wrong(deck=["pads"] * 3) == "SA-D-01"
    assert wrong(card1="pads", deck=["pads"], discard=["pads"]) == "SA-D-01"
    assert wrong({"core_only": True}, card1="pads") == "SA-D-01"
    assert playing(deck=["pads"]).state()["deck"] == ["pads"], "fewer cards than in the box are allowed"


@pytest.mark.parametrize(
    "parts",
    [
        {"turn": "player-3"},
        {"round": 0},
        {"acted": ["leader"]},
        {"deck": ["knife"]},
        {"card1": "knife"},
        {"S1": "E5"},
        {"p1": {"shot": "hot"}},
        {"p1": {"jump": {"dir": "left", "option": 1}}},
        {"p1": {"armor": 4}, "card1": "armor"},
        {"p3": {"start": "BL"}},
        {"p1": {"target": "player-3"}},
        {"setup": "deal"},
        {"over": {"winner": "player-1", "reason": "boredom"}},
        {"whatever": 1},
    ],
)
def test_unknown_names_are_not_understood(parts: dict[str, Any]) -> None:
    assert wrong(**parts) is None


def test_null_counts_as_absent() -> None:
    parts = dict.fromkeys(("setup", "turn", "first", "round", "acted", "over", "discard"))
    nothing = dict.fromkeys(playing().of(1))
    table = playing(**parts, p1=nothing, p2=nothing, deck=["pads"])
    assert table.state() == playing(deck=["pads"]).state()
