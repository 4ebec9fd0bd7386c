"""Setup, the dice for the first turn, and forced results."""

from __future__ import annotations

from typing import Any

import pytest

from games.stalingrad.rules.cards import CARDS
from tests.games.protocol_client import AnswerError, Json, Table, kinds
from tests.games.stalingrad.table import new, playing

RULE = pytest.mark.rule


@RULE("ST-STA-01", "ST-STA-02", "ST-SET-01")
def test_stats_start_at_five() -> None:
    state = new(3).state()
    fresh = {"hunt": 5, "shoot": 5, "evade": 5, "xp": 0, "hand": [], "kills": [], "skip": 0, "out": False}
    assert [*state["players"].values()] == [fresh] * 3
    assert sorted(state["deck"]) == list(CARDS)
    assert (state["facedown"], state["discard"], state["unseen"], state["over"]) == ([], [], [], None)


@RULE("ST-SET-01", "ST-R-06")
def test_highest_die_starts_and_zero_counts_as_ten() -> None:
    table = new(3, chance=[["deck", []], ["first", 9], ["first", 0], ["first", 1]])
    assert table.ask("events", seat="table") == [
        {"type": "first-rolled", "dice": {"player-1": 9, "player-2": 0, "player-3": 1}},
        {"type": "turn-started", "seat": "player-2"},
    ]


@RULE("ST-R-21")
def test_tied_players_roll_again() -> None:
    dice = [["first", die] for die in (7, 2, 7, 7, 4, 8, 8, 3, 5)]
    table = new(4, chance=[["deck", ["C37"]], *dice])
    assert [event.get("dice") for event in table.ask("events", seat="player-3")] == [
        {"player-1": 7, "player-2": 2, "player-3": 7, "player-4": 7},
        {"player-1": 4, "player-3": 8, "player-4": 8},
        {"player-3": 3, "player-4": 5},
        None,
    ]
    assert table.state()["turn"] == "player-4"
    table = playing(4, turn="player-4", phase="escape")
    assert table.act(4, "end-turn")[-1] == {"type": "turn-started", "seat": "player-1"}


@RULE("ST-R-34")
def test_single_player_does_not_roll_for_the_start() -> None:
    table = new(1, chance=[["deck", ["C01"]], ["first", 3]])
    assert table.ask("events", seat="table") == [{"type": "turn-started", "seat": "player-1"}]
    assert table.state()["deck"][0] == "C01"


@RULE("ST-SET-01")
def test_deck_can_be_forced_in_part() -> None:
    state = new(2, chance=[["deck", ["C17", "C05"]]]).state()
    assert state["deck"][:2] == ["C17", "C05"]
    assert sorted(state["deck"]) == list(CARDS)
    assert new(2, seed=4).state() == new(2, seed=4).state() != new(2, seed=5).state()


def answer(chance: Any, position: Json | None = None) -> tuple[str, str | None]:
    """Return why a game does not start with this chance."""
    with pytest.raises(AnswerError) as found:
        if position is None:
            new(2, chance=chance)
        else:
            playing(2, chance=chance, **position)
    return found.value.code, found.value.rule


@RULE("ST-SET-01")
@pytest.mark.parametrize(
    "chance", [[["first", 1]], [["deck", ["C01", "C01"]]], [["deck", []], ["shoot", 3]], [["deck", []], ["deck", []]]]
)
def test_impossible_setup_chance_is_refused(chance: Any) -> None:
    assert answer(chance) == ("refused", "ST-SET-01")


@pytest.mark.parametrize(
    "chance",
    [
        [["first", 10]], [["first", -1]], [["first", True]], [["first", 1.0]], [["first", [1]]], [["first", None]],
        [["deck", ["C70"]]], [["deck", "C01"]], [["deck", [1]]], [["deck", None]], [["dice", 3]], [["retold", 3]],
        [["evade-retold", 3]], [["deck"]], [7], "deck",
    ],
)  # fmt: skip
def test_invalid_chance_is_not_understood(chance: Any) -> None:
    assert answer(chance) == ("not-understood", None)


@RULE("ST-SET-01")
def test_position_draws_an_omitted_deck() -> None:
    table = playing(2, chance=[["deck", ["C69", "C68"]]], discard=["C01"], p1={"kills": ["C02"]})
    deck = table.state()["deck"]
    assert (deck[:2], len(deck)) == (["C69", "C68"], 67)
    assert answer([["deck", ["C01"]]], {"discard": ["C01"]}) == ("refused", "ST-SET-01")
    assert answer([["first", 1]], {}) == ("refused", "ST-SET-01")


def test_invalid_position_is_reported_before_impossible_chance() -> None:
    assert answer([["first", 1]], {"p1": {"hunt": 10}}) == ("not-understood", None)


@RULE("ST-TGT-01", "ST-DNG-01", "ST-DNG-05")
@pytest.mark.parametrize(
    ("rule", "card", "chance"),
    [
        ("ST-TGT-01", "C03", [["evade", 1]]),
        ("ST-TGT-01", "C03", [["wound", 1]]),
        ("ST-DNG-01", "C09", [["shoot", 1]]),
        ("ST-DNG-05", "C09", [["evade", 9], ["evade", 9]]),
    ],
)
def test_wrong_forced_die_is_refused(rule: str, card: str, chance: Any) -> None:
    assert playing(2, card=card).refused(1, "commit", chance, cards=[]) == rule


def test_unused_chance_is_kept_for_later_acts() -> None:
    table = playing(2, chance=None, card="C09", facedown=["C10"])
    table.act(1, "commit", [["evade", 1], ["evade", 9], ["wound", 1]], cards=[])
    table.act(1, "reveal")
    assert kinds(table.act(1, "commit", cards=[]))[:2] == ["evade-rolled", "wounded"]
    assert table.state()["turn"] == "player-2"


def test_described_position_starts_without_events() -> None:
    table: Table = playing(2)
    assert table.ask("events", seat="player-1") == []
