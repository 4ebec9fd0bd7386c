"""What the game reads from a map."""

from __future__ import annotations

import pytest

from games.sniper_elite.map_rules.faults import map_faults
from games.sniper_elite.map_rules.sites import sites_of
from tests.engine.graph.drawings import board, row, surveyed


@pytest.mark.rule("MP-MAP-18")
def test_soldiers_are_numbered_in_the_file_s_order() -> None:
    assert sites_of(surveyed(board())).starts == {
        "yellow-officer": "b2", "yellow-1": "a4", "yellow-2": "b3",
        "red-officer": "d1", "red-1": "c3", "red-2": "d2",
        "black-officer": "f1", "black-1": "e2", "black-2": "e3",
    }  # fmt: skip


@pytest.mark.rule("MP-MAP-19")
def test_entry_belongs_to_the_sector_it_leads_into() -> None:
    found = sites_of(surveyed(board()))
    assert found.entries == {"yellow": "a1", "red": "c4", "black": "f2", "white": "f4"}


@pytest.mark.rule("MP-MAP-14")
def test_objectives_are_found_by_their_number() -> None:
    found = sites_of(surveyed(board()))
    assert list(found.objectives.items())[:3] == [(1, "a2"), (2, "a3"), (3, "b4")]
    assert found.suits["yellow"] == "diamonds"
    assert found.numbers["b4"] == 3


def test_marks_are_kept_for_the_solo_game() -> None:
    sheet = board()
    sheet.members["marks"] = {"access": {"red": {"yellow": ["c1", "c2"]}}}
    assert sites_of(surveyed(sheet)).marks == {"access": {"red": {"yellow": ("c1", "c2")}}}


def test_valid_board_fits_the_game() -> None:
    assert map_faults(surveyed(board())) == []


def test_map_without_an_objective_is_refused() -> None:
    sheet = board()
    sheet.said("a2").pop("objective")
    assert map_faults(surveyed(sheet)) == ["Little: objectives without a space: 1. Give each number to one space."]


def test_strip_without_squads_is_too_small() -> None:
    (*_, small) = map_faults(surveyed(row("open", "open")))
    assert small == (
        "Little is too small for this game: it takes circles of three squads and objectives in two sectors."
    )


@pytest.mark.rule("R-74")
def test_map_whose_arrows_lead_onto_units_is_refused() -> None:
    sheet = board()
    for old, new in (("c3", "c4"), ("e2", "f2")):
        sheet.said(old).pop("start")
        sheet.said(new)["start"] = "soldier"
    assert map_faults(surveyed(sheet)) == [
        "Little has no free arrow for objectives in white and yellow: units stand there."
    ]
