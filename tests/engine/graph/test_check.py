"""The check names every fault of a drawing with its place and its fix. Each test changes the valid board once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.graph.check import check
from engine.graph.geojson import read_drawing
from tests.engine.graph.drawings import SIDE, Sheet, board, box


def faults(sheet: Sheet, measure: str = "board") -> tuple[str, ...]:
    """Return the faults of a sheet."""
    return check(read_drawing(sheet.document()), measure).faults  # type: ignore[arg-type]


def warnings(sheet: Sheet) -> list[str]:
    """Return the warnings about a sheet, without those about corner contacts of its squares."""
    return [said for said in check(read_drawing(sheet.document())).warnings if "corner contact" not in said]


def test_valid_board_has_only_warnings_about_corner_contacts() -> None:
    assert faults(board()) == ()
    assert warnings(board()) == []


def bow_tie(sheet: Sheet) -> None:
    sheet.reshape("a1", [(0, 0), (400, 0), (0, 400), (400, 400)])


def pinch(sheet: Sheet) -> None:
    sheet.reshape("a1", [(0, 0), (400, 0), (200, 200), (400, 400), (0, 400), (200, 200)])


def spike(sheet: Sheet) -> None:
    sheet.reshape("a1", [(0, 0), (400, 0), (400, 400), (0, 400), (0, 100), (0, 200)])


def overlap(sheet: Sheet) -> None:
    sheet.reshape("b2", [(400, 400), (800, 400), (900, 600), (800, 800), (400, 800)])


def inner_space(sheet: Sheet) -> None:
    sheet.space("w", box(50, 50, 350, 350), "water")


def same_space(sheet: Sheet) -> None:
    sheet.space("w", box(0, 0, 400, 400), "water")


def sliver(sheet: Sheet) -> None:
    sheet.reshape("b2", [(400, 400), (800, 400), (795, 600), (800, 800), (400, 800)])


def crack_at_the_rim(sheet: Sheet) -> None:
    sheet.reshape("b1", [(405, 0), (800, 0), (800, 400), (400, 400)])


def loose_corner(sheet: Sheet) -> None:
    sheet.reshape("a1", [(0, 0), (400, 0), (400, 200), (400, 400), (0, 400)])


def tunnel_under_the_open(sheet: Sheet) -> None:
    sheet.space("t", box(400, 400, 800, 800), "open", sector="yellow", under=True)


GEOMETRY: list[tuple[Callable[[Sheet], object], str]] = [
    (bow_tie, "a1: its outline crosses or touches itself at (200, 200). Draw it without the loop."),
    (pinch, "a1: its outline comes to (200, 200) more than once. Give each corner once."),
    (spike, "a1: its outline crosses or touches itself at (0, 100). Draw it without the loop."),
    (overlap, "b2 and c2 overlap at (850, 500). Let them share one border."),
    (inner_space, "a1 and w overlap at (133, 133). Let them share one border."),
    (same_space, "a1 and w overlap at (133, 133). Let them share one border."),
    (
        sliver,
        "there is a gap enclosed by b2 and c2, with corners (800, 400), (795, 600) and (800, 800). "
        "Let the outlines meet, or draw a space there (water or an obstruction, if nobody may enter).",
    ),
    (
        crack_at_the_rim,
        "there is a gap at the rim between a1 and b1, with corners (400, 0), (400, 400) and (405, 0). "
        "Let the outlines meet, or draw a space there (water or an obstruction, if nobody may enter).",
    ),
    (
        loose_corner,
        "b1 has no corner at (400, 200), where a corner of a1 lies on its edge from (400, 400) to (400, 0). "
        "Add the corner (400, 200) to b1.",
    ),
    (
        tunnel_under_the_open,
        "b2 and t overlap at (533, 533). A space under others may lie beneath elevated ones only: "
        "let the two share one border.",
    ),
]


@pytest.mark.parametrize(("change", "sentence"), GEOMETRY, ids=lambda value: getattr(value, "__name__", ""))
def test_spaces_that_do_not_tile_the_ground_are_named(change: Callable[[Sheet], object], sentence: str) -> None:
    sheet = board()
    change(sheet)
    assert faults(sheet, "loose") == (sentence,)


def test_missing_inner_space_is_a_gap() -> None:
    sheet = board()
    sheet.drop("b3")
    sheet.said("b1")["start"] = "soldier"
    (gap,) = faults(sheet)
    assert gap.startswith("there is a gap enclosed by a3, b4, c3 and b2, with corners (400, 800), ")


def test_missing_rim_space_of_a_full_board_is_a_gap() -> None:
    at_a_side = board()
    at_a_side.drop("b1")
    assert faults(at_a_side) == (
        "there is a gap at the rim between a1, b2 and c1, with corners (400, 0), (400, 400), (800, 400) and (800, 0). "
        "Let the outlines meet, or draw a space there (water or an obstruction, if nobody may enter).",
    )
    at_a_corner = board()
    at_a_corner.drop("a1")
    at_a_corner.drop_entry("a1")
    at_a_corner.entry("a2", (0, 600))
    assert len(faults(at_a_corner)) == 1
    assert "there is a gap at the rim between a2 and b1, with corners" in faults(at_a_corner)[0]


def test_wide_bay_cut_corner_and_margin_are_allowed() -> None:
    bay = board()
    bay.drop("b1")
    bay.drop("b2")
    assert not any("gap" in fault for fault in faults(bay))
    assert "the spaces leave 8.3 % of the board bare." in warnings(bay)
    corner = board()
    corner.reshape("f1", [(2000, 0), (2300, 0), (2400, 100), (2400, 400), (2000, 400)])
    assert faults(corner) == ()
    for size in ((6 * SIDE + 9, 4 * SIDE), (6 * SIDE, 4 * SIDE + 9), (6 * SIDE + 9, 4 * SIDE + 9)):
        margin = Sheet(size, ("yellow", "red", "black", "white"))
        margin.features.extend(board().features)
        assert not any("gap" in fault for fault in faults(margin))


@pytest.mark.parametrize("width", [1, 9, 400])
def test_bare_ground_that_separates_spaces_is_a_gap(width: int) -> None:
    for rim in (0, 50):
        sheet = board()
        sheet.members["size"] = [6 * SIDE, 4 * SIDE + width + rim]
        for feature in sheet.features:
            corners = feature["geometry"]["coordinates"]
            for corner in corners[0] if feature["geometry"]["type"] == "Polygon" else [corners]:
                said = feature["properties"]
                if any(name[1] in "34" for name in (said.get("id"), said.get("entry")) if name):
                    corner[1] += width
        assert faults(sheet, "loose")[0] == (
            "there is a gap between a1, b1, a2, c1, b2, d1, c2 and 5 more and all other spaces, for instance from a2 "
            f"at (0, 800) to a3 at (0, {800 + width}). "
            "Let the outlines meet, or draw a space there (water or an obstruction, if nobody may enter)."
        )


def test_rim_slit_too_narrow_for_a_base_is_a_gap() -> None:
    sheet = board()
    sheet.members["size"] = [6 * SIDE, 6 * SIDE]
    for row_, (top, bottom) in enumerate(((0, 400), (400, 800), (800, 1200)), start=1):
        sheet.reshape(f"b{row_}", box(400, top, 600, bottom))
    sheet.reshape("b4", [(400, 1200), (600, 1200), (800, 1200), (800, 1600), (400, 1600)])
    assert [fault for fault in faults(sheet, "loose") if "gap at the rim between b1, b2, b3, b4" in fault]


def test_entry_must_lead_into_an_enterable_space() -> None:
    sheet = board()
    sheet.space("~1", box(0, 1600, 400, 1700), "water")
    sheet.members["size"] = [2400, 1700]
    sheet.entry("~1", (0, 1650))
    sheet.entry("c44", (0, 100))
    assert faults(sheet) == (
        "entry ~1 at (0, 1650): nobody can enter that space. Lead into one that can be entered.",
        "entry c44 at (0, 100): there is no space c44. Name one that exists. Did you mean c4?",
    )


ACCESSES = [
    ("door", "d1", "e1", (1500, 200), "it is not on the edge they share, from (1600, 0) to (1600, 400). "
     "Move it there."),
    ("door", "d1", "f1", (1600, 200), "the two share no edge. Move it, or let their outlines meet."),
    ("door", "d1", "e2", (1600, 400), "the two share no edge. Move it, or let their outlines meet."),
    ("ladder", "d1", "e1", (1600, 200), "neither of the two is elevated. Use a door."),
    ("door", "a3", "a4", (200, 1200), "one of the two is elevated and the other is not. Use a ladder."),
    ("door", "d1", "x9", (1600, 200), "there is no space x9. Name two that exist."),
]  # fmt: skip


@pytest.mark.rule("MP-MAP-11", "MP-MAP-13")
@pytest.mark.parametrize(("kind", "one", "other", "at", "sentence"), ACCESSES)
def test_impossible_door_or_ladder_is_named(
    kind: str, one: str, other: str, at: tuple[int, int], sentence: str
) -> None:
    sheet = board()
    sheet.said("a4")["kind"] = "elevated"
    sheet.access("ladder", "a4", "b4", (400, 1400))
    sheet.access(kind, one, other, at)
    assert faults(sheet) == (f"{kind} {one}-{other} at ({at[0]}, {at[1]}): {sentence}",)


def test_nothing_leads_into_water() -> None:
    sheet = board()
    sheet.said("b1").update(kind="water", sector=None)
    sheet.access("door", "b1", "a1", (400, 200))
    assert faults(sheet) == ("door b1-a1 at (400, 200): nobody can enter b1. Remove it.",)


def test_house_without_door_cannot_be_reached() -> None:
    sheet = board()
    sheet.drop_access("d1")
    assert faults(sheet) == ("no way leads from an entry to d1 and d2 (the first at (1200, 0)). Add a door or ladder.",)


def test_walkway_without_ladder_cannot_be_reached() -> None:
    sheet = board()
    sheet.said("b1")["kind"] = "elevated"
    assert faults(sheet) == ("no way leads from an entry to b1 (the first at (400, 0)). Add a door or ladder.",)


def test_duplicate_space_id_is_named() -> None:
    sheet = board()
    sheet.said("b1")["id"] = "a1"
    assert faults(sheet)[0] == "a1: more than one space has this id, at (0, 0) and (400, 0). Give each its own."


def test_outline_with_doubled_corner_is_named_next_to_space_of_same_id() -> None:
    """As some programs export a ring, with its first corner a third time; the space was also copied."""
    sheet = board()
    sheet.reshape("a1", [(0, 0), (400, 0), (400, 400), (0, 400), (0, 0)])
    sheet.said("b1")["id"] = "a1"
    said = faults(sheet)
    assert "a1: more than one space has this id, at (0, 0) and (400, 0). Give each its own." in said
    assert "a1: its outline comes to (0, 0) more than once. Give each corner once." in said


def narrow() -> Sheet:
    """Return the board with a strip of spaces too narrow for a base between a1 and b1."""
    sheet = board()
    sheet.reshape("a1", box(0, 0, 380, 400))
    sheet.reshape("b1", [(640, 0), (800, 0), (800, 400), (640, 400)])
    sheet.space("n", [(380, 0), (640, 0), (640, 400), (400, 400), (380, 400)], sector="yellow")
    sheet.reshape("a2", [(0, 400), (380, 400), (400, 400), (400, 800), (0, 800)])
    sheet.reshape("b2", [(400, 400), (640, 400), (800, 400), (800, 800), (400, 800)])
    return sheet


def test_space_too_small_for_a_base_is_a_board_fault() -> None:
    sheet = narrow()
    assert [said for said in faults(sheet) if said.startswith("n:")] == [
        "n: it is too small for a 28 mm base: its deepest point (510, 200) is 13.0 mm from its outline. "
        "Make it wider, to 16 mm there."
    ]
    assert faults(sheet, "loose") == ()


def test_crowded_spot_is_a_board_fault() -> None:
    sheet = board()
    sheet.said("b1")["spot"] = [550, 250]
    sheet.said("b2")["spot"] = [600, 590]
    assert faults(sheet) == (
        "b1: its spot (550, 250) is 15.0 mm from its outline. Move it further in, to 16 mm.",
        "the spots of b1 (550, 250) and b2 (600, 590) are only 34.4 mm apart. Move one of them, to 35 mm.",
    )
    assert faults(sheet, "loose") == ()


@pytest.mark.parametrize(
    ("other", "spots"),
    [("b1", [[220, 200], [569, 200]]), ("b1", [[230, 160], [570, 239]]), ("a2", [[200, 220], [200, 569]])],
)
def test_spots_less_than_35_mm_apart_are_too_close(other: str, spots: list[list[int]]) -> None:
    sheet = board()
    sheet.said("a1")["spot"], sheet.said(other)["spot"] = spots
    (fault,) = faults(sheet)
    assert fault.startswith("the spots of a1 ")
    assert "only 34.9 mm apart" in fault


@pytest.mark.parametrize(("other", "spots"), [("b1", [[220, 200], [570, 200]]), ("a2", [[200, 220], [200, 570]])])
def test_spots_exactly_35_mm_apart_are_accepted(other: str, spots: list[list[int]]) -> None:
    sheet = board()
    sheet.said("a1")["spot"], sheet.said(other)["spot"] = spots
    assert faults(sheet) == ()


def test_spot_exactly_16_mm_from_the_outline_is_accepted() -> None:
    sheet = board()
    sheet.said("b1")["spot"] = [560, 240]
    assert faults(sheet) == ()
    sheet.said("b1")["spot"] = [559, 240]
    assert faults(sheet) == ("b1: its spot (559, 240) is 15.9 mm from its outline. Move it further in, to 16 mm.",)


def test_spot_needs_32_mm_and_base_28_mm_of_width() -> None:
    sheet = narrow()
    sheet.reshape("n", [(320, 0), (640, 0), (640, 400), (400, 400), (320, 400)])
    sheet.reshape("a1", box(0, 0, 320, 400))
    sheet.reshape("a2", [(0, 400), (320, 400), (400, 400), (400, 800), (0, 800)])
    assert not [said for said in faults(sheet) if said.startswith("n")]
    sheet.said("n")["spot"] = [479, 200]
    assert "n: its spot (479, 200) is 15.9 mm from its outline. Move it further in, to 16 mm." in faults(sheet)
    sheet = narrow()
    sheet.reshape("n", [(360, 0), (640, 0), (640, 400), (400, 400), (360, 400)])
    sheet.reshape("a1", box(0, 0, 360, 400))
    sheet.reshape("a2", [(0, 400), (360, 400), (400, 400), (400, 800), (0, 800)])
    assert "n: its spot (500, 200) is 14.0 mm from its outline. Make the space wider, to 16 mm." in faults(sheet)


def test_space_narrower_than_32_mm_cannot_hold_its_spot() -> None:
    sheet = narrow()
    sheet.reshape("n", [(340, 0), (640, 0), (640, 400), (400, 400), (340, 400)])
    sheet.reshape("a1", box(0, 0, 340, 400))
    sheet.reshape("a2", [(0, 400), (340, 400), (400, 400), (400, 800), (0, 800)])
    assert "n: its spot (490, 200) is 15.0 mm from its outline. Make the space wider, to 16 mm." in faults(sheet)


def test_spot_outside_its_space_is_a_fault_on_any_map() -> None:
    sheet = board()
    sheet.said("b1")["spot"] = [400, 200]
    assert faults(sheet, "loose") == (
        "b1: its spot (400, 200) lies outside its outline. Move it inside, or leave it out.",
    )


def test_unreadable_feature_causes_no_follow_up_faults() -> None:
    sheet = board()
    sheet.said("c2")["kind"] = "opne"
    assert faults(sheet) == (
        'feature 10, space c2 at (800, 400): "kind" is opne, which is unknown. '
        "Use open, enclosed, elevated, water and obstruction. Did you mean open?",
    )


# Warnings


def test_four_spaces_meeting_in_a_point_cause_a_warning() -> None:
    said = check(read_drawing(board().document())).warnings
    assert said[0] == (
        "at (400, 400) all of a1, a2, b1 and b2 meet: corner contact is neither adjacency nor a line. "
        "Shift a corner if players could think otherwise."
    )
    assert len(said) == 15


@pytest.mark.parametrize(
    ("name", "said", "sentence"),
    [
        ("a1", {"under": True}, 'a1 at (0, 0) is "under", but no elevated space lies above it.'),
        ("b1", {"area": "hut"}, 'feature 5, space b1 at (400, 0): "area" means nothing for the kind open and is left '
         "out. Remove it."),
    ],
)  # fmt: skip
def test_possible_mistake_causes_a_warning(name: str, said: dict[str, object], sentence: str) -> None:
    sheet = board()
    sheet.said(name).update(said)
    assert sentence in warnings(sheet)


def test_entry_away_from_the_rim_is_named() -> None:
    sheet = board()
    sheet.entry("f3", (2300, 1000))
    assert faults(sheet) == ("entry f3 at (2300, 1000): it is not on the board's rim. Move its point to the rim.",)


def test_door_between_connected_spaces_causes_a_warning() -> None:
    sheet = board()
    sheet.access("door", "a1", "a2", (200, 400))
    assert warnings(sheet) == ["door a1-a2 at (200, 400): one can walk there without it."]


def test_duplicate_door_causes_a_warning() -> None:
    sheet = board()
    sheet.access("door", "d1", "c1", (1200, 100))
    assert warnings(sheet) == ["door c1-d1 at (1200, 200): it is drawn again at (1200, 100). Keep one."]


def test_feature_without_its_type_causes_a_warning() -> None:
    sheet = board()
    document = sheet.document()
    del document["features"][0]["type"]
    said = check(read_drawing(document)).warnings
    assert 'feature 1, a1: it is no "type": "Feature". Write it: tools look for it.' in said


def test_entry_away_from_its_space_causes_a_warning() -> None:
    sheet = board()
    sheet.drop_entry("a1")
    sheet.entry("a1", (0, SIDE + 200))
    assert warnings(sheet) == [
        "entry a1 at (0, 600): it does not touch the space it leads into. Move it to the outline."
    ]
