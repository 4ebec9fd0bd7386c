"""The rules of the solo game have short texts, and its cards are explained in advance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import games.sniper_elite_solo
from firmware_host.core.rulebook import load
from games.sniper_elite_solo import GAME
from games.sniper_elite_solo.rules.cards import CARDS, AnyStep
from games.sniper_elite_solo.rules.sentences import TITLES
from games.sniper_elite_solo.show import foresight
from tests.games.sniper_elite.duel import plain
from tests.games.sniper_elite_solo.ground import HOME, Table, of, slots

HERE = Path(games.sniper_elite_solo.__file__).parent
BOOK = load(HERE / "book")
rule = pytest.mark.rule


def test_every_rule_has_a_text_of_reasonable_length() -> None:
    assert all(name.startswith(("SO-", "EN-")) for name in BOOK.entries)
    assert all(15 < len(entry.text) < 600 for entry in BOOK.entries.values())
    assert [entry.id for entry in BOOK.entries.values() if entry.untested] == ["SO-D-13", "EN-X-01"]


def test_card_titles_match_the_data() -> None:
    assert {name: card.title for name, card in CARDS.items()} == TITLES


# --- explanations -----------------------------------------------------------------------------------------------


@rule("SO-KEY-15")
@pytest.mark.parametrize("viewer", ["sniper", "table"])
@pytest.mark.parametrize("name", CARDS)
def test_every_step_of_every_card_has_an_explanation(name: str, viewer: str) -> None:
    table = Table("c3", lks="white", options={"cards": "SP" if name.startswith("SP") else "LF"})
    steps = foresight.explain_card(table.referee.pictures[viewer], name)
    assert len(steps) >= len(CARDS[name].steps)
    for step in steps:
        assert step.text[:1].isupper()
        assert step.text.endswith(".")
        assert "{" not in step.text
        assert set(step.units) <= set(HOME)
        assert set(step.spaces) <= set(table.board.spaces)
    assert any(step.applies for step in steps)


def explained(table: Table, raw: dict[str, Any]) -> list[foresight.Explained]:
    """Return the explanation of a step."""
    return list(foresight.explain_steps(table.truth, [msgspec.convert(raw, AnyStep)]))


def test_explanation_matches_what_the_step_does() -> None:
    table = Table("b3", only={"yellow-1": "b4", "yellow-2": "c4", "red-1": "a8"}, lks="yellow")
    scan = {"do": "scan", "who": ["in_lks"]}
    said = explained(table, scan)[0]
    assert str(said.text) == (
        "Every defender in the last known sector scans: a hit if you are on its space or beside it."
    )
    assert said.units == ("yellow-1",)
    assert "b3" in said.spaces
    assert of(table.runs(scan), "scanned")[0]["units"] == list(said.units)
    attack = {"do": "attack", "spaces": ["occupied_by(in_lks)", "access_in_lks_beside(all)"]}
    assert explained(table, attack)[0].spaces == ("b4",)
    assert of(table.runs(attack), "attacked")[0]["spaces"] == ["b4"]
    move = explained(table, {"do": "move", "who": ["outside_lks"], "n": 2, "to": "lks"})[0]
    assert str(move.text) == (
        "Every defender outside the last known sector moves up to 2 spaces towards the last known sector."
    )
    assert move.units == ("yellow-2", "red-1")
    search = explained(table, {"do": "search", "who": ["all"]})[0]
    assert set(search.spaces) >= {"b2", "b3", "b4", "c4", "d4", "a8", "a6"}
    assert "a5" not in search.spaces


def test_assignment_is_explained_for_the_updated_sector() -> None:
    table = Table("c1", lks="yellow")
    said = explained(table, {"do": "assignment", "marks": "perimeter", "per_colour": 2})[0]
    told = table.runs({"do": "assignment", "marks": "perimeter", "per_colour": 2})
    assert {space for spaces in of(told, "assignment")[0]["marks"].values() for space in spaces} == set(said.spaces)


def test_explanation_marks_the_branch_that_applies_and_hides_objectives() -> None:
    table = Table("c1", lks="red", possible=[4, 5, 6])
    branches = {
        "do": "if",
        "cond": "sniper_on:open",
        "then": [{"do": "update_lks"}],
        "else": [{"do": "reveal_position"}],
    }
    yes, no = explained(table, branches)
    assert (yes.applies, no.applies) == (True, False)
    assert str(yes.text) == "If you are on open ground: Your sector becomes known."
    gone = explained(table, {"do": "eliminate", "which": "lowest_in_lks"})[0]
    assert gone.spaces == ("a5", "a7", "b6")


def test_foresight_explains_the_open_cards() -> None:
    table = Table("c1", **slots("SC-01", "SC-02", "LF-01"))
    assert list(plain(GAME.foresight(table.referee.pictures["sniper"], "sniper"))["cards"]) == ["SC-01", "SC-02"]
