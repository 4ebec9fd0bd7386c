"""What this game finds wrong with a drawing. Each test changes the valid board once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import games
from engine.graph.fault import MapError
from engine.graph.geojson import read_drawing
from games.sniper_elite.map_rules.faults import check_drawing
from maker.mapping.drawings import survey
from tests.engine.graph.drawings import Sheet, board, row
from tests.engine.graph.test_check import bow_tie, loose_corner, overlap

GAME = games.find("sniper-elite")


def faults(sheet: Sheet, measure: str = "board") -> tuple[str, ...]:
    """Return all faults that make a sheet invalid for this game."""
    try:
        survey(sheet.document(), "", measure, [GAME])  # type: ignore[arg-type, list-item]
    except MapError as error:
        return error.faults
    return ()


def warnings(sheet: Sheet) -> list[str]:
    """Return the game's own warnings about a sheet."""
    return list(check_drawing(read_drawing(sheet.document())).warnings)


def test_valid_board_has_no_faults_or_warnings() -> None:
    assert faults(board()) == ()
    assert warnings(board()) == []


def test_error_names_the_file_before_every_fault() -> None:
    sheet = board()
    sheet.said("a2").pop("objective")
    sheet.said("e4").pop("objective")
    with pytest.raises(MapError) as broken:
        survey(sheet.document(), "maps/harbour/map.geojson", games=[GAME])  # type: ignore[list-item]
    assert str(broken.value).splitlines() == [
        "maps/harbour/map.geojson: objectives without a space: 1 and 9. Give each number to one space.",
    ]


@pytest.mark.rule("MP-MAP-14")
@pytest.mark.parametrize(
    ("name", "number", "sentence"),
    [
        ("a2", None, "objectives without a space: 1. Give each number to one space."),
        ("e4", None, "objectives without a space: 9. Give each number to one space."),
        ("b1", 4, "objective 4 is doubled: b1 at (400, 0) and c1 at (800, 0). Keep one and renumber the others."),
    ],
)
def test_missing_and_duplicate_objectives_are_named(name: str, number: int | None, sentence: str) -> None:
    sheet = board()
    sheet.said(name)["objective"] = number
    assert faults(sheet) == (sentence,)


@pytest.mark.rule("MP-MAP-18")
def test_each_squad_needs_one_officer_and_two_soldier_circles() -> None:
    sheet = board()
    sheet.said("b2")["start"] = "soldier"
    assert faults(sheet) == (
        "the yellow sector needs one officer's start circle, and has none. Choose them among its spaces.",
        "the yellow sector needs two soldiers' start circles, and has a4 at (0, 1200), b2 at (400, 400) and b3 at "
        "(400, 800). Choose them among its spaces.",
    )


@pytest.mark.rule("MP-MAP-18")
def test_neutral_sector_has_no_start_circle() -> None:
    sheet = board()
    sheet.said("d4")["start"] = "soldier"
    assert faults(sheet) == (
        "d4 at (1200, 1200): a start circle lies in the white sector, which has no squad. Move it to a squad's sector.",
    )


@pytest.mark.rule("MP-MAP-19")
def test_each_sector_needs_one_entry_on_the_rim() -> None:
    sheet = board()
    sheet.drop_entry("c4")
    sheet.entry("f3", (2300, 1000))
    assert faults(sheet) == (
        "entry f3 at (2300, 1000): it is not on the board's rim. Move its point to the rim.",
        "sectors without an entry: red. Draw an arrow into each, on the rim.",
        "more than one entry leads into the black sector: entry f2 at (2400, 600) and entry f3 at (2300, 1000). "
        "Keep one.",
    )


def test_objective_or_start_on_unenterable_space_is_a_fault() -> None:
    sheet = board()
    sheet.said("b4").update(kind="water", sector=None)
    sheet.said("b3").update(kind="obstruction", sector=None)
    assert faults(sheet)[:2] == (
        "b4 at (400, 1200): objective 3 is where nobody can go. Move it.",
        "b3 at (400, 800): a start circle lies where nobody can go. Move it to a squad's sector.",
    )


def unknown_kind(sheet: Sheet) -> None:
    sheet.said("c2")["kind"] = "swamp"


def missing_area(sheet: Sheet) -> None:
    sheet.said("d1").pop("area")


def half_a_tenth(sheet: Sheet) -> None:
    sheet.ring("a1")[1] = [400.5, 0]


@pytest.mark.parametrize("broken", [unknown_kind, missing_area, half_a_tenth, bow_tie, loose_corner, overlap])
def test_broken_feature_does_not_hide_other_faults(broken: Callable[[Sheet], object]) -> None:
    sheet = board()
    broken(sheet)
    alone = faults(sheet, "loose")
    assert len(alone) == 1
    sheet.said("a4")["objective"] = 9
    sheet.said("f2")["start"] = "officer"
    sheet.access("door", "e3", "f3", (1900, 1000))
    sheet.reshape("f4", [(2000, 1200), (2400, 1200), (2400, 1600), (2000, 1600), (2005, 1400)])
    found = faults(sheet, "loose")
    assert alone[0] in found
    for part in (
        "objective 9 is doubled",
        "the black sector needs one officer's start circle, and has",
        "door e3-f3 at (1900, 1000): it is not on the edge they share",
        "there is a gap enclosed by e4 and f4",
    ):
        assert [fault for fault in found if fault.startswith(part)], part
    assert len(found) == 5


def test_feature_without_geometry_does_not_hide_duplicate_objective() -> None:
    sheet = board()
    sheet.features[0]["geometry"] = None
    sheet.said("a4")["objective"] = 9
    assert faults(sheet, "loose") == (
        "feature 1, a1: it lacks its properties or its geometry. Give it both, or remove it.",
        "objective 9 is doubled: a4 at (0, 1200) and e4 at (1600, 1200). Keep one and renumber the others.",
    )


def test_smaller_boards_number_their_own_objectives() -> None:
    sheet = row("open", "open", "open")
    sheet.entry("a", (0, 50))
    sheet.said("a")["objective"] = 1
    sheet.said("b")["objective"] = 2
    assert faults(sheet, "loose") == ()
    sheet.said("b")["objective"] = 3
    assert faults(sheet, "loose") == ("objectives without a space: 2. Give each number to one space.",)


def test_shared_or_unknown_suit_causes_a_warning() -> None:
    sheet = board()
    sheet.members["suits"] |= {"red": "diamonds", "black": "spads"}
    assert warnings(sheet) == [
        '"suits" gives black the suit spads. Use diamonds, hearts, spades and clubs. Did you mean spades?',
        '"suits" gives yellow and red one suit, diamonds. Give each sector its own.',
    ]


def test_id_with_another_sector_s_letter_causes_a_warning() -> None:
    sheet = board()
    sheet.drop_entry("a1")
    sheet.said("a1")["id"] = "R1"
    sheet.entry("R1", (0, 200))
    assert "R1 at (0, 0) is yellow, but its ID says otherwise. Start the ID with Y." in warnings(sheet)


def test_mark_in_a_missing_sector_causes_a_warning() -> None:
    sheet = board()
    sheet.members["marks"] = {"access": {"red": {"Y": ["a1"], "grey": ["a2"]}}}
    assert warnings(sheet) == ['"marks" names the sector grey, which is not on the map.']
