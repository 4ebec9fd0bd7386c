"""What is derived from a drawing: neighbours, connections, entries, spots."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.graph import Entry, Map
from engine.graph.check import check
from engine.graph.compiled import dump
from engine.graph.derive import derive
from engine.graph.drawing import drawing_of_map
from tests.engine.graph.drawings import Sheet, board, box, drawn, surveyed


@pytest.mark.rule("MP-MAP-01", "MP-MAP-02", "MP-MAP-05")
def test_only_the_neutral_sector_may_have_separate_pieces() -> None:
    sheet = board()
    sheet.said("b1")["sector"] = "white"
    found = surveyed(sheet)
    assert {space.sector for space in found.spaces.values()} == {"yellow", "red", "black", "white"}
    assert [name for name, space in found.spaces.items() if space.sector == "white"] == ["b1", "d4", "e4", "f4"]


@pytest.mark.rule("MP-MAP-07")
def test_adjacent_spaces_share_an_edge_not_only_a_corner() -> None:
    found = surveyed(board())
    assert found.adjacent["b2"] == ("a2", "b1", "b3", "c2")
    assert found.adjacent["a1"] == ("a2", "b1")


@pytest.mark.rule("MP-MAP-07")
def test_part_of_an_edge_is_enough_to_be_adjacent() -> None:
    sheet = Sheet((200, 200))
    sheet.space("a", [(0, 0), (100, 0), (100, 99), (100, 100), (100, 200), (0, 200)])
    sheet.space("b", box(100, 0, 200, 99))
    sheet.space("c", [(100, 99), (200, 99), (200, 200), (100, 200), (100, 100)])
    assert drawn(sheet).adjacent == {"a": ("b", "c"), "b": ("a", "c"), "c": ("a", "b")}


@pytest.mark.rule("MP-MAP-08", "MP-MAP-09", "MP-MAP-10", "MP-MAP-12", "R-21")
def test_adjacent_spaces_of_one_type_match_across_walls() -> None:
    sheet = board()
    sheet.said("d3").update(kind="enclosed", area="shed")
    sheet.said("d4").update(kind="elevated")
    sheet.said("e4").update(kind="elevated")
    sheet.access("door", "d3", "c3", (1200, 1000))
    sheet.access("ladder", "e4", "f4", (2000, 1400))
    found = surveyed(sheet)
    assert found.matching["d2"] == ("d1", "d3")
    assert found.walk["d2"] == ("d1",)
    assert found.matching["d4"] == ("e4",)
    assert found.matching["c1"] == ("b1", "c2")


@pytest.mark.rule("MP-MAP-23", "MP-MAP-15")
def test_difficult_ground_is_open_ground_ex_111() -> None:
    sheet = board()
    sheet.said("a2")["difficult"] = True
    found = surveyed(sheet)
    assert found.spaces["a2"].difficult
    assert "a2" in found.matching["a1"]
    assert "a2" in found.walk["a1"]


@pytest.mark.rule("MP-MAP-11")
def test_doors_cross_walls_and_rooms_of_one_house_connect() -> None:
    found = surveyed(board())
    assert found.adjacent["d1"] == ("c1", "d2", "e1")
    assert found.walk["d1"] == ("c1", "d2")
    assert found.walk["d2"] == ("d1",)
    assert found.walk["c1"] == ("b1", "c2", "d1")


@pytest.mark.rule("MP-MAP-13", "MP-MAP-24", "MP-MAP-30")
def test_walkways_are_left_by_ladders_only() -> None:
    sheet = board()
    for name in ("b4", "c4"):
        sheet.said(name)["kind"] = "elevated"
    sheet.access("ladder", "b4", "b3", (600, 1200))
    found = surveyed(sheet)
    assert found.walk["b4"] == ("b3", "c4")
    assert found.walk["c4"] == ("b4",)


@pytest.mark.rule("MP-MAP-16", "MP-MAP-17", "MP-MAP-29")
def test_water_and_obstructions_are_neighbours_but_cannot_be_entered() -> None:
    sheet = board()
    for name, kind in (("b1", "water"), ("c3", "obstruction")):
        sheet.said(name).update(kind=kind, sector=None, start=None)
    sheet.said("c4")["start"] = "soldier"
    found = surveyed(sheet)
    assert "b1" in found.adjacent["a1"]
    for name in ("b1", "c3"):
        assert not found.spaces[name].enterable
        assert found.walk[name] == found.matching[name] == ()
        assert all(name not in others for others in (*found.walk.values(), *found.matching.values()))


def hall() -> Sheet:
    """Return a walkway of two spaces over a tunnel, with open floor around it.

    From left to right: o1 | w1 over t | w2 | o2. Room r is above t in the drawing.
    """
    sheet = Sheet((500, 200))
    sheet.space("o1", box(0, 100, 100, 200))
    sheet.space("w1", box(100, 100, 200, 200), "elevated")
    sheet.space("w2", box(200, 100, 300, 200), "elevated")
    sheet.space("o2", box(300, 100, 500, 200))
    sheet.space("r", [(0, 0), (500, 0), (500, 100), (300, 100), (200, 100), (100, 100), (0, 100)], "enclosed")
    sheet.space("t", box(100, 100, 200, 200), "enclosed", under=True, area="tunnel")
    return sheet


@pytest.mark.rule("MP-MAP-26", "MP-MAP-27", "MP-MAP-28")
def test_tunnel_adjoins_spaces_around_it_but_not_above_it() -> None:
    found = drawn(hall())
    assert found.adjacent["t"] == ("o1", "w2", "r")
    assert found.adjacent["w1"] == ("o1", "w2", "r")
    assert found.matching["t"] == ("r",)
    assert found.spaces["t"].under


@pytest.mark.rule("MP-MAP-25")
def test_rooms_are_entered_by_doors_only() -> None:
    sheet = hall()
    assert drawn(sheet).walk["r"] == ()
    sheet.access("door", "r", "t", (150, 100))
    sheet.access("ladder", "r", "w2", (250, 100))
    assert drawn(sheet).walk["r"] == ("w2", "t")


def test_entry_points_and_game_properties_are_kept() -> None:
    sheet = board()
    sheet.said("a2")["treasure"] = ["gold", 7]
    sheet.members["weather"] = {"wind": "north"}
    found = surveyed(sheet)
    assert found.entries[1] == Entry("c4", (1000, 1600))
    assert found.spaces["a2"].properties == {"objective": 1, "treasure": ["gold", 7]}
    assert found.members == {"suits": sheet.members["suits"], "weather": {"wind": "north"}}


def test_drawing_made_from_a_map_gives_the_same_map() -> None:
    sheet = board()
    sheet.said("a2")["spot"] = [210, 590]
    found = surveyed(sheet)
    again = derive(drawing_of_map(found))
    assert replace(again, walk=found.walk) == found
    assert check(drawing_of_map(found), "board").faults == ()


def test_derived_value_is_computed_once_outside_the_map() -> None:
    calls = []

    def count(found: Map) -> int:
        calls.append(found)
        return len(found.spaces)

    one, other = surveyed(board()), surveyed(board())
    assert [one.derived(count), one.derived(count), other.derived(count)] == [24, 24, 24]
    assert [call is one for call in calls] == [True, False]
    assert dump(one) == dump(replace(one))


@pytest.mark.parametrize(
    ("ring", "spot"),
    [
        (box(0, 0, 400, 400), (200, 200)),
        (box(0, 0, 1000, 200), (500, 100)),
        ([(0, 0), (300, 0), (300, 900), (900, 900), (900, 1200), (0, 1200)], (176, 1024)),
        ([(0, 0), (900, 0), (0, 900)], (264, 264)),
    ],
)
def test_missing_spot_is_placed_deepest_inside(ring: list[tuple[int, int]], spot: tuple[int, int]) -> None:
    sheet = Sheet((1200, 1200))
    sheet.space("a", ring)
    assert drawn(sheet).spaces["a"].spot == spot
    sheet.said("a")["spot"] = [50, 51]
    assert drawn(sheet).spaces["a"].spot == (50, 51)
