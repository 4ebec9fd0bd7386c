"""IMP: the effects of the Improvements, and when they are discarded."""

from __future__ import annotations

import pytest

from tests.games.protocol_client import kinds
from tests.games.snipers_and_assassins.table import playing

RULE = pytest.mark.rule


@RULE("SA-IMP-01", "SA-IMP-02")
def test_card_affects_only_its_owner() -> None:
    table = playing(S1="B4", S2="D4", A2="D5", card2="scope")
    assert table.offered(1, "a") == []
    table = playing(A1="B5", card1="pads")
    assert "B8" not in {action["to"] for action in table.offered(1, "walk")}, "the Assassin's walk is unchanged"


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
