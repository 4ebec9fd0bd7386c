"""IMP: the effects of the Improvements, and when they are discarded."""

from __future__ import annotations

import pytest

from games.snipers_and_assassins.rules import cards
from tests.games.protocol_client import kinds
from tests.games.snipers_and_assassins.table import playing

RULE = pytest.mark.rule


@RULE("SA-D-01")
def test_improvement_deck_is_complete() -> None:
    counts = {name: card.copies for name, card in cards.CARDS.items()}
    assert counts == {"scope": 5, "drop": 4, "spring": 4, "armor": 5, "mask": 3, "reload": 3, "pads": 2, "spike": 2}
    assert len(cards.box(core_only=False)) == 28
    assert len(cards.box(core_only=True)) == 18
    assert set(cards.box(core_only=True)) == {"scope", "drop", "spring", "armor"}


@RULE("SA-IMP-01", "SA-IMP-02")
def test_card_affects_only_its_owner() -> None:
    table = playing(S1="B4", S2="D4", A2="D5", card2="scope")
    assert table.offered(1, "a") == []
    table = playing(A1="B5", card1="pads")
    assert "B8" not in {action["to"] for action in table.offered(1, "walk")}, "the Assassin's walk is unchanged"


@RULE("SA-R-57")
def test_mask_survives_the_first_mine() -> None:
    table = playing(S1="B5", A2="B7", card1="mask", mines2=["B7"], deck=["pads"], p2={"shot": "stale"})
    events = table.act(1, "b-walk", to="B7")
    assert events == [
        {"type": "moved", "marker": "sniper-1", "from": "B5", "to": "B7"},
        {"type": "mine-exploded", "space": "B7", "markers": ["sniper-1"]},
        {"type": "improvement-discarded", "seat": "player-1", "card": "mask"},
        {"type": "run-in", "marker": "sniper-1", "with": ["assassin-2"]},
        {"type": "retreated", "marker": "assassin-2", "from": "B7", "to": "B5"},
        {"type": "sniper-replaced", "marker": "sniper-1", "from": "B7", "to": "AL"},
        {"type": "improvement-drawn", "seat": "player-1", "card": "pads"},
    ]
    table = playing(S2="B6", A1="B5", card2="mask")
    assert kinds(table.act(1, "plant", space="B6")) == ["mine-planted", "mine-exploded", "improvement-discarded"]
    assert (table.at("S2"), table.of(1)["mines"], table.of(2)["improvement"]) == ("B6", [], None)


@RULE("SA-R-57", "SA-R-56")
def test_spike_turns_one_dodge_into_a_hit() -> None:
    table = playing(S1="B5", A2="B8", card1="spike")
    assert kinds(table.act(1, "a", order="shoot-move", to="B5", target="assassin-2")) == [
        "shot",
        "improvement-discarded",
        "retreated",
    ]
    assert table.of(1)["improvement"] is None
    table = playing(S1="B5", A2="B8", card1="spike", p2={"shot": "stale"})
    table.act(1, "a", order="shoot-move", to="B5", target="assassin-2")
    assert table.of(1)["improvement"] == "spike"
    assert table.of(2)["shot"] is None


@RULE("SA-SNP-02")
def test_reload_saves_recovery_after_option_b() -> None:
    table = playing(S1="B5", A2="B8", card1="reload")
    assert kinds(table.act(1, "b-walk", to="B6", target="assassin-2")) == ["moved", "shot", "status"]
    assert (table.of(1)["recover"], table.of(1)["improvement"]) == (False, "reload")
