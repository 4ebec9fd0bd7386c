"""Reading any file gives a drawing or a list of faults, and never crashes."""

from __future__ import annotations

from typing import Any

import pytest

from engine.graph.check import check
from engine.graph.coverage import MOST_FAULTS
from engine.graph.fault import MapError
from engine.graph.geojson import MAX_CORNERS, MAX_FEATURES, read_drawing
from maker.mapping.drawings import survey
from tests.depth import cases
from tests.engine.graph.drawings import board, box


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (None, "this is not a GeoJSON FeatureCollection. Save the map as one FeatureCollection."),
        ({"type": "Feature"}, "this is not a GeoJSON FeatureCollection. Save the map as one FeatureCollection."),
        (
            {"type": "FeatureCollection", "size": [1, 1]},
            'the collection has no list "features". Add one with the spaces of the map.',
        ),
        (
            {"type": "FeatureCollection", "size": [1, 1], "features": [{}] * (MAX_FEATURES + 1)},
            "there are more features than a board can have. Keep to 600.",
        ),
    ],
)
def test_document_that_is_not_a_map_is_reported_at_once(document: object, sentence: str) -> None:
    with pytest.raises(MapError) as broken:
        read_drawing(document)
    assert broken.value.faults == (sentence,)


@pytest.mark.parametrize(
    "size", [None, [], [0, 10], [10, -1], [10.5, 10], [True, 10], [10, 10**9], ["1", 2], [1, 2, 3]]
)
def test_board_without_a_valid_size_cannot_be_read(size: object) -> None:
    sheet = board()
    sheet.members["size"] = size
    with pytest.raises(MapError, match="must be \\[width, height\\] in whole tenths of a millimetre"):
        read_drawing(sheet.document())


def test_outlines_with_thousands_of_corners_are_refused() -> None:
    sheet = board()
    sheet.ring("a1")[:] = [[0, 0]] * (MAX_CORNERS + 1)
    with pytest.raises(MapError, match="more than 4000 corners"):
        read_drawing(sheet.document())
    sheet.features[0]["geometry"] = {"type": "MultiPolygon", "coordinates": [[sheet.ring("a1")]]}
    with pytest.raises(MapError, match="more than 4000 corners"):
        read_drawing(sheet.document())


@pytest.mark.parametrize("unit", [1e-5, 3.7, 1000])
def test_map_in_another_unit_is_one_fault(unit: float) -> None:
    sheet = board()
    for space in ("a1", "a2"):
        ring = sheet.ring(space)
        ring[:] = [[x * unit + unit / 3, y * unit + unit / 3] for x, y in ring]
    read_drawing(sheet.document())  # some corners are on the board
    sheet.features[2:] = []
    with pytest.raises(MapError, match="hardly any corner is on the board of ") as refused:
        read_drawing(sheet.document())
    assert len(refused.value.faults) == 1
    sheet.ring("a1")[0] = [0, 0]
    with pytest.raises(MapError, match="hardly any corner"):
        read_drawing(sheet.document())


@pytest.mark.parametrize("swapped", ["size", "axes"])
def test_swapped_size_or_axes_are_one_fault(swapped: str) -> None:
    sheet = board()
    width, height = sheet.members["size"]
    corners = [corner for feature in sheet.features[:2] for corner in sheet.ring(feature["properties"]["id"])]
    for number, corner in enumerate(corners):
        corner[:] = [width if number % 2 else 0, 0]
        corner[:] = corner if swapped == "size" else [*reversed(corner)]
    sheet.members["size"] = [height, width] if swapped == "size" else [width, height]
    sheet.features[2:] = []
    with pytest.raises(MapError, match="Swap the two numbers of") as refused:
        read_drawing(sheet.document())
    assert len(refused.value.faults) == 1


MEMBERS = [
    ("format", "board-map/9", '"format" is board-map/9, not "board-map/1". Write "board-map/1".'),
    ("name", None, '"name" is None. Give the map a name, a short text.'),
    ("slug", "../etc", '"slug" is ../etc. Give the map a slug, a short text.'),
    ("licence", 3, '"licence" is 3. Write a text or leave it out.'),
    ("sectors", "red", '"sectors" must list the names of the sectors in play. Write ["yellow", …, "white"].'),
    ("sectors", ["yellow", "red", "red"], '"sectors" names red more than once. Name each sector once.'),
]  # fmt: skip


@pytest.mark.parametrize(("member", "value", "sentence"), MEMBERS)
def test_invalid_collection_member_is_named(member: str, value: object, sentence: str) -> None:
    sheet = board()
    sheet.members[member] = value
    assert sentence in read_drawing(sheet.document()).faults


A1 = "feature 1, space a1 at (0, 0): "
SPACES = [
    ({"id": "a 1"}, 'feature 1, space a 1 at (0, 0): "id" is a 1. '
     "Give the space a short id without blanks, such as Y7."),
    ({"id": None}, 'feature 1, space without id at (0, 0): "id" is None. '
     "Give the space a short id without blanks, such as Y7."),
    ({"kind": "lava"}, A1 + '"kind" is lava, which is unknown. Use open, enclosed, elevated, water and obstruction.'),
    ({"kind": ""}, A1 + '"kind" is "", which is unknown. Use open, enclosed, elevated, water and obstruction.'),
    ({"sector": "yelow"}, A1 + '"sector" is yelow. Give the space one of yellow, red, black and white. '
     "Did you mean yellow?"),
    ({"sector": None, "secter": "red"}, A1 + '"secter" means nothing. Rename it to "sector".'),
    ({"sector": "rde"}, A1 + '"sector" is rde. Give the space one of yellow, red, black and white. Did you mean red?'),
    ({"sector": None}, A1 + '"sector" is missing. Give the space one of yellow, red, black and white.'),
    ({"kind": "enclosed"}, A1 + '"area" is None. Name the building or room that this enclosed space belongs to.'),
    ({"under": 1}, A1 + '"under" is 1. Write true or false.'),
    ({"difficult": "yes"}, A1 + '"difficult" is yes. Write true or false.'),
    ({"spot": [1]}, A1 + "there is a list for its spot, and no pair of numbers. Write [x, y]."),
    ({"spot": [0.5, 1]}, A1 + "(0.5, 1), its spot, is not in whole tenths of a millimetre. Snap it to integers."),
    ({"name": 5}, A1 + '"name" is 5. Write a text or leave it out.'),
]  # fmt: skip


@pytest.mark.parametrize(("said", "sentence"), SPACES)
def test_invalid_property_is_named(said: dict[str, object], sentence: str) -> None:
    sheet = board()
    sheet.said("a1").update(said)
    assert sentence in read_drawing(sheet.document()).faults


RINGS: list[tuple[object, str]] = [
    ([[0, 0], [400, 0], [400, 400.5], [0, 0]], "(400, 400.5), a corner, is not in whole tenths of a millimetre. "
     "Snap it to integers."),
    ([[0, 0], [float("nan"), 0], [400, 400], [0, 0]], "(nan, 0), a corner, is not in whole tenths of a millimetre. "
     "Snap it to integers."),
    ([[0, 0], [10**400, 0], [400, 400], [0, 0]], "lies off the board of 2400 x 1600. Move it onto the board."),
    ([[0, 0], [1e300, 0], [400, 400], [0, 0]], "lies off the board of 2400 x 1600. Move it onto the board."),
    ([[0, 0], [-1, 0], [400, 400], [0, 0]], "(-1, 0), a corner, lies off the board of 2400 x 1600. "
     "Move it onto the board."),
    ([[0, 0], [400], [400, 400], [0, 0]], "there is a list for a corner, and no pair of numbers. Write [x, y]."),
    ([[0, 0], ["400", 0], [400, 400], [0, 0]], "(400, 0), a corner, is not a pair of numbers. Write [x, y], "
     "without quotation marks."),
    ([[0, 0], [[400], 0], [400, 400], [0, 0]], "(a list, 0), a corner, is not a pair of numbers."),
    ([[0, 0], [True, 0], [400, 400], [0, 0]], "(True, 0), a corner, is not a pair of numbers."),
    ([[0, 0], [400, 0], [400, 400]], "fewer than 3 corners or is not closed. Repeat the first corner at the end."),
    ([[0, 0], [400, 0], [400, 400], [0, 400]], "is not closed. Repeat the first corner at the end."),
    ([], "its ring has fewer than 3 corners"),
]  # fmt: skip


@pytest.mark.parametrize(("ring", "sentence"), RINGS)
def test_invalid_ring_is_named(ring: list[Any], sentence: str) -> None:
    sheet = board()
    sheet.ring("a1")[:] = ring
    assert any(
        fault.startswith("feature 1, space a1") and sentence in fault for fault in read_drawing(sheet.document()).faults
    )


def test_space_off_the_board_is_one_fault() -> None:
    sheet = board()
    sheet.ring("a1")[:] = [[-x - 1, y] for x, y in sheet.ring("a1")]
    with pytest.raises(MapError) as caught:
        survey(sheet.document())
    assert [fault for fault in caught.value.faults if "off the board" in fault] == [
        "feature 1, space a1 at (-1, 0): (-1, 0), a corner, lies off the board of 2400 x 1600. Move it onto the board."
    ]


def test_whole_numbers_may_be_written_as_floats() -> None:
    sheet = board()
    sheet.ring("a1")[1] = [400.0, 0.0]
    assert survey(sheet.document()).map.spaces["a1"].outline[1] == (400, 0)


def test_heights_are_left_out_with_one_warning_for_each_feature() -> None:
    sheet = board()
    flat = survey(sheet.document()).map
    sheet.ring("a1")[:] = [[*corner, 0, None] for corner in sheet.ring("a1")]
    sheet.said("a2")["spot"] = [200, 600, 7]
    high = read_drawing(sheet.document())
    said = "its points have a height, which is left out. Write [x, y] without a third number."
    assert high.warnings == (A1 + said, f"feature 2, space a2 at (0, 400): {said}")
    assert high.faults == ()
    assert survey(sheet.document()).map.spaces["a1"] == flat.spaces["a1"]


@pytest.mark.parametrize("sectors", [[], None, "yellow"])
def test_map_without_sectors_is_reported_once(sectors: object) -> None:
    sheet = board()
    sheet.members["sectors"] = sectors
    assert read_drawing(sheet.document()).faults == (
        '"sectors" must list the names of the sectors in play. Write ["yellow", …, "white"].',
    )


def test_polygons_with_holes_and_other_shapes_are_named() -> None:
    sheet = board()
    sheet.features[0]["geometry"]["coordinates"].append([[1, 1], [2, 1], [2, 2], [1, 1]])
    second = sheet.features[1]["geometry"]
    second |= {"type": "MultiPolygon", "coordinates": [second["coordinates"], second["coordinates"]]}
    assert read_drawing(sheet.document()).faults[:2] == (
        A1 + "its polygon must have exactly one ring. Draw the outline without holes.",
        "feature 2, a2: it is MultiPolygon and neither space, access nor entry. "
        'Draw a Polygon for a space, a Point with "access" or "entry" for those, or remove it.',
    )


def test_shapes_of_several_parts_with_only_one_are_read() -> None:
    sheet = board()
    sheet.access("door", "a1", "a2", (200, 400))
    plain = read_drawing(sheet.document())
    for feature in sheet.features:
        shape = feature["geometry"]
        shape |= {"type": f"Multi{shape['type']}", "coordinates": [shape["coordinates"]]}
    assert read_drawing(sheet.document()) == plain


def test_points_with_missing_properties_are_named() -> None:
    sheet = board()
    sheet.access("window", "a1", "a2", (200, 400))
    sheet.access("door", "a1", "a2", (200, 400))["properties"]["between"] = ["a1"]
    sheet.entry("a1", (0, 0))["properties"]["entry"] = 5
    assert read_drawing(sheet.document()).faults == (
        'feature 30, access a1-a2 at (200, 400): "access" is window, which is unknown. Use door and ladder.',
        'feature 31, door a1 at (200, 400): "between" must name the two spaces of the access. Write ["Y7", "Y8"].',
        'feature 32, entry 5 at (0, 0): "entry" is 5. Name the space that the arrow leads into.',
    )


def test_access_between_anything_but_two_spaces_is_a_fault() -> None:
    for between in (7, None, "a1", {"a1": 1}, ["a1", 5], [["a1"], "a2"]):
        sheet = board()
        sheet.access("door", "a1", "a2", (200, 400))["properties"]["between"] = between
        (fault,) = read_drawing(sheet.document()).faults
        assert '"between" must name the two spaces' in fault, between


def test_deeply_nested_document_is_read() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    sheet = board()
    sheet.features[0]["geometry"]["coordinates"] = deep
    sheet.members["marks"] = {"set": {"red": {"yellow": deep}}}
    assert len(read_drawing(sheet.document()).faults) == 1
    while deep:
        deep = deep.pop()


def test_all_faults_are_kept_and_a_hundred_shown() -> None:
    sheet = board()
    for number in range(101):
        left, top = 40 * (number % 10), 30 * (number // 10)
        sheet.space(f"x{number}", box(left, top, left + 30, top + 20), "lava")
    with pytest.raises(MapError) as broken:
        survey(sheet.document(), "map.geojson")
    assert len([fault for fault in broken.value.faults if '"kind" is lava' in fault]) == 101
    assert len(str(broken.value).splitlines()) == 101
    assert str(broken.value).endswith(f"map.geojson: … and {len(broken.value.faults) - 100} more faults.")


def test_overlaps_of_many_spaces_are_reported_up_to_a_limit() -> None:
    sheet = board()
    for number in range(cases(200, by_day=40)):
        sheet.space(f"x{number}", box(number, 0, 400 + number, 400), "water")
    faults = check(read_drawing(sheet.document())).faults
    assert len([fault for fault in faults if "overlap at" in fault]) == MOST_FAULTS + 1
