"""The law of sight on small maps: the worked examples of the rule book (EX-67 to EX-86) and each rule by name."""

from __future__ import annotations

import pytest

from engine.graph.model import Map, Sight
from tests.engine.graph.drawings import Sheet, box, looked, row
from tests.engine.graph.test_derive import hall

IN_A_ROW = [
    ("EX-67", "open", ["water"], "elevated", 2),
    ("EX-68", "elevated", ["obstruction"], "open", None),
    ("EX-69", "elevated", [], "open", 1),
    ("EX-70", "open", ["enclosed"], "open", None),
    ("EX-71", "open", ["open", "open"], "open", 3),
    ("EX-72", "open", ["open"], "enclosed", 2),
    ("EX-73", "open", ["open", "enclosed"], "enclosed", None),
    ("EX-74", "enclosed", ["enclosed", "enclosed"], "enclosed", 3),
    ("EX-75", "enclosed", ["enclosed"], "open", None),
    ("EX-76", "enclosed", ["open"], "open", 2),
    ("EX-77", "enclosed", ["open", "open"], "enclosed", 3),
    ("EX-78", "open", ["open"], "elevated", 2),
    ("EX-79", "open", ["elevated"], "elevated", None),
    ("EX-80", "elevated", ["elevated", "open", "enclosed", "open"], "elevated", 5),
    ("EX-81", "elevated", ["open", "obstruction"], "elevated", None),
    ("EX-82", "elevated", ["elevated"], "open", None),
    ("EX-83", "enclosed", [], "elevated", None),
    ("EX-84", "enclosed", ["open"], "elevated", 2),
]


@pytest.mark.rule(
    *("MP-LOS-01", "MP-LOS-02", "MP-LOS-03", "MP-LOS-04", "MP-LOS-05", "MP-LOS-06", "MP-LOS-07", "MP-LOS-08"),
    *("MP-LOS-09", "MP-LOS-10", "MP-LOS-11", "MP-LOS-14", "MP-LOS-15", "MP-MAP-16", "MP-MAP-17", "MP-MAP-29"),
    *("MP-DIST-01", "MP-DIST-02", "MP-DIST-05", "MP-DIST-06"),
)
@pytest.mark.parametrize(("example", "first", "crossed", "last", "distance"), IN_A_ROW)
def test_worked_examples_of_spaces_in_a_row(
    example: str, first: str, crossed: list[str], last: str, distance: int | None
) -> None:
    found = looked(row(first, *crossed, last))
    end = "abcdefghij"[len(crossed) + 1]
    assert found.distance("a", end) == distance, example
    seen = found.sight("a", end)
    assert (None if seen is None else seen.through) == (None if distance is None else tuple("bcdef"[: len(crossed)]))


@pytest.mark.rule("MP-LOS-11", "R-69")
def test_room_sees_walkway_that_shares_a_ladder_ex_85() -> None:
    sheet = row("enclosed", "elevated")
    sheet.access("ladder", "a", "b", (100, 50))
    assert looked(sheet).distance("a", "b") == 1
    sheet = row("enclosed", "enclosed", "elevated")
    sheet.access("ladder", "b", "c", (200, 50))
    assert looked(sheet).distance("a", "c") is None


@pytest.mark.rule("MP-LOS-12", "MP-MAP-27")
def test_tunnel_and_walkway_above_have_no_sight_ex_86() -> None:
    assert looked(hall()).sight("w1", "t") is None


@pytest.mark.rule("MP-LOS-12", "MP-DIST-04", "R-70", "R-71")
def test_lines_pass_a_walkway_outdoors_and_a_tunnel_indoors() -> None:
    sheet = row("enclosed", "elevated", "enclosed", "open", "elevated")
    sheet.said("c")["area"] = "other"
    assert looked(sheet).sight("a", "c") is None
    sheet.space("t", box(100, 0, 200, 100), "enclosed", area="tunnel", under=True)
    found = looked(sheet)
    assert _through(found, "a", "c") == ("t",)
    assert _through(found, "b", "e") == ("c", "d")
    assert _through(found, "a", "d") is None
    assert _through(found, "t", "c") == ()
    assert _through(found, "t", "d") is None
    assert _through(found, "a", "t") == ()


@pytest.mark.rule("MP-LOS-12")
def test_space_over_a_tunnel_does_not_block_its_mouth() -> None:
    sheet = row("open", "open", "elevated", "elevated")
    sheet.space("t", box(200, 0, 300, 100), "enclosed", area="tunnel", under=True)
    found = looked(sheet)
    assert _through(found, "t", "a") == ("b",)
    assert _through(found, "t", "d") is None
    assert _through(found, "a", "d") is None


@pytest.mark.rule("MP-LOS-09", "R-87")
def test_walkways_see_each_other_along_one_free_line() -> None:
    assert looked(row("elevated", "obstruction", "elevated")).sight("a", "c") is None
    sheet = Sheet((300, 100))
    sheet.space("a", [(0, 0), (100, 0), (100, 60), (100, 100), (0, 100)], "elevated")
    sheet.space("pillar", box(100, 0, 200, 60), "obstruction")
    sheet.space("b", box(100, 60, 200, 100))
    sheet.space("c", [(200, 0), (300, 0), (300, 100), (200, 100), (200, 60)], "elevated")
    assert _through(looked(sheet), "a", "c") == ("b",)


def _through(found: Map, a: str, b: str) -> tuple[str, ...] | None:
    seen = found.sight(a, b)
    return None if seen is None else seen.through


@pytest.mark.rule("MP-LOS-13", "MP-DIST-03")
def test_space_sees_itself_at_distance_one() -> None:
    assert looked(row("enclosed", "open")).sight("a", "a") == Sight(1, None, ())


@pytest.mark.rule("MP-LOS-17")
def test_sight_is_the_same_from_both_ends() -> None:
    found = looked(row("open", "open", "water", "enclosed"))
    there, back = found.sight("a", "d"), found.sight("d", "a")
    assert there is not None and back is not None
    assert there.line is not None and back.line is not None
    assert back == Sight(3, (there.line[1], there.line[0]), there.through[::-1])
    assert found.distance("d", "a") == found.distance("a", "d") == 3


@pytest.mark.rule("MP-LOS-15", "MP-LOS-16")
def test_sight_depends_on_the_map_only() -> None:
    assert set(Map.__struct_fields__).isdisjoint({"units", "sniper", "dogs"})


def ell(bend: str) -> Sheet:
    """Return a house around a corner, a yard inside the corner, and a space of kind `bend` in the bend.

    h1 y1 y2
    h2 xx y3
    h3 h4 h5    where every line from h1 to h5 crosses xx
    """
    sheet = Sheet((300, 300))
    names = [["h1", "y1", "y2"], ["h2", "xx", "y3"], ["h3", "h4", "h5"]]
    for j, line in enumerate(names):
        for i, name in enumerate(line):
            kind = "enclosed" if name[0] == "h" else "open" if name[0] == "y" else bend
            said = {"area": "house"} if name[0] == "h" else {"area": "shed"} if kind == "enclosed" else {}
            sheet.space(name, box(100 * i, 100 * j, 100 * i + 100, 100 * j + 100), kind, **said)
    return sheet


@pytest.mark.rule("MP-LOS-07")
def test_spaces_of_one_house_see_each_other_across_the_yard() -> None:
    assert _through(looked(ell("open")), "h1", "h5") == ("y1", "xx", "y3")


@pytest.mark.rule("MP-LOS-07", "MP-DIST-04", "R-68")
def test_spaces_of_one_house_see_each_other_around_corners() -> None:
    found = looked(ell("elevated"))
    assert _through(found, "h1", "h5") == ("h2", "xx", "h4")
    assert _through(found, "y2", "h3") is None


@pytest.mark.rule("MP-LOS-04", "MP-LOS-07", "R-68")
def test_obstruction_in_every_line_blocks_even_one_house() -> None:
    found = looked(ell("obstruction"))
    assert found.sight("h1", "h5") is None
    assert _through(found, "h1", "h4") == ("h2", "h3")
    assert looked(row("enclosed", "obstruction", "enclosed")).sight("a", "c") is None


@pytest.mark.rule("MP-LOS-06", "MP-LOS-08")
def test_line_cannot_be_partly_indoors() -> None:
    sheet = row("enclosed", "open", "enclosed", "enclosed")
    sheet.said("d")["area"] = sheet.said("c")["area"] = "other"
    found = looked(sheet)
    assert found.distance("a", "c") == 2
    assert found.sight("a", "d") is None


@pytest.mark.rule("MP-LOS-06")
def test_adjoining_houses_see_through_each_other() -> None:
    sheet = row("enclosed", "enclosed", "enclosed")
    for name in "abc":
        sheet.said(name)["area"] = name
    assert looked(sheet).distance("a", "c") == 2


@pytest.mark.rule("MP-LOS-14", "MP-LOS-01")
def test_line_may_pass_next_to_a_house() -> None:
    sheet = Sheet((300, 200))
    sheet.space("a", box(0, 0, 100, 200))
    sheet.space("house", [(100, 0), (200, 0), (200, 100), (100, 100)], "enclosed")
    sheet.space("lane", box(100, 100, 200, 200))
    sheet.space("b", box(200, 0, 300, 200))
    sheet.reshape("a", [(0, 0), (100, 0), (100, 100), (100, 200), (0, 200)])
    sheet.reshape("b", [(200, 0), (300, 0), (300, 200), (200, 200), (200, 100)])
    assert _through(looked(sheet), "a", "b") == ("lane",)


@pytest.mark.rule("MP-DIST-04", "MP-DIST-07", "R-71")
def test_line_over_the_fewest_spaces_counts_even_without_a_path() -> None:
    sheet = Sheet((300, 200))
    sheet.space("a", [(0, 0), (100, 0), (100, 100), (100, 200), (0, 200)], "enclosed")
    sheet.space("n1", box(100, 0, 150, 100))
    sheet.space("n2", box(150, 0, 200, 100))
    sheet.space("s", [(100, 100), (150, 100), (200, 100), (200, 200), (100, 200)], "water")
    sheet.space("b", [(200, 0), (300, 0), (300, 200), (200, 200), (200, 100)])
    found = looked(sheet)
    assert found.walk["a"] == ()
    assert _through(found, "a", "b") == ("s",)


@pytest.mark.rule("MP-DIST-08")
def test_each_additional_space_adds_one_to_the_distance() -> None:
    found = looked(row(*["open"] * 8))
    assert [found.distance("a", name) for name in "abcdefgh"] == [1, 1, 2, 3, 4, 5, 6, 7]


@pytest.mark.rule("MP-LOS-11", "R-69")
def test_bent_room_and_walkway_see_each_other_across_the_yard() -> None:
    sheet = Sheet((100, 400))
    sheet.space("w", box(0, 0, 100, 100), "elevated")
    sheet.space("r", [(0, 100), (100, 100), (100, 400), (0, 400), (0, 300), (50, 300), (50, 200), (0, 200)], "enclosed")
    sheet.space("y", box(0, 200, 50, 300))
    assert _through(looked(sheet), "w", "r") == ("y",)


# Degenerate lines


@pytest.mark.rule("MP-LOS-01", "MP-MAP-07", "R-67")
def test_no_line_passes_the_point_where_two_houses_touch() -> None:
    sheet = Sheet((200, 200))
    for name, i, j, kind in (
        ("a", 0, 0, "open"),
        ("h", 1, 0, "enclosed"),
        ("k", 0, 1, "enclosed"),
        ("b", 1, 1, "open"),
    ):
        sheet.space(name, box(100 * i, 100 * j, 100 * i + 100, 100 * j + 100), kind)
    found = looked(sheet)
    assert found.sight("a", "b") is None
    assert found.distance("h", "k") == 2


@pytest.mark.rule("MP-LOS-01", "MP-MAP-04", "R-67")
def test_no_line_runs_along_the_wall_between_two_rooms() -> None:
    sheet = Sheet((300, 200))
    sheet.space("a", [(0, 0), (100, 0), (100, 100), (100, 200), (0, 200)])
    sheet.space("h", box(100, 0, 200, 100), "enclosed")
    sheet.space("k", box(100, 100, 200, 200), "enclosed")
    sheet.space("b", [(200, 0), (300, 0), (300, 200), (200, 200), (200, 100)])
    assert looked(sheet).sight("a", "b") is None


@pytest.mark.rule("MP-DIST-01", "MP-MAP-03", "MP-MAP-04")
def test_line_along_borders_counts_the_spaces_next_to_it() -> None:
    sheet = Sheet((400, 200))
    sheet.space("a", [(0, 0), (100, 0), (100, 100), (100, 200), (0, 200)])
    for i in (1, 2):
        sheet.space(f"n{i}", box(100 * i, 0, 100 * i + 100, 100))
        sheet.space(f"s{i}", box(100 * i, 100, 100 * i + 100, 200))
    sheet.space("b", [(300, 0), (400, 0), (400, 200), (300, 200), (300, 100)])
    assert looked(sheet).distance("a", "b") == 3


@pytest.mark.rule("MP-LOS-01", "R-67")
@pytest.mark.parametrize(("height", "distance"), [(5001, None), (5002, 2)])
def test_slit_narrower_than_a_nudge_gives_no_sight(height: int, distance: int | None) -> None:
    sheet = Sheet((12000, 12000))
    sheet.space("a", [(0, 0), (1000, 0), (1000, 5000), (1000, 6000), (1000, 12000), (0, 12000)])
    sheet.space("low", [(1000, 0), (11000, 0), (11000, 5002), (6000, 4000), (1000, 5000)], "obstruction")
    gap = [(1000, 5000), (6000, 4000), (11000, 5002), (11000, 6000), (5999, height), (1000, 6000)]
    sheet.space("gap", gap)
    high = [(1000, 6000), (5999, height), (11000, 6000), (11000, 12000), (1000, 12000)]
    sheet.space("high", high, "obstruction")
    sheet.space("b", [(11000, 0), (12000, 0), (12000, 12000), (11000, 12000), (11000, 6000), (11000, 5002)])
    assert looked(sheet).distance("a", "b") == distance


def test_undrawn_ground_neither_counts_nor_blocks() -> None:
    sheet = Sheet((300, 200))
    sheet.space("a", box(0, 0, 100, 200))
    sheet.space("b", box(200, 0, 300, 200))
    sheet.space("c", box(100, 100, 200, 200), "obstruction")
    sheet.reshape("a", [(0, 0), (100, 0), (100, 100), (100, 200), (0, 200)])
    sheet.reshape("b", [(200, 0), (300, 0), (300, 200), (200, 200), (200, 100)])
    assert looked(sheet).distance("a", "b") == 1
