"""Boards built from data have the same tables as a drawn map, or only the neighbours that a game defines."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from engine.graph.builder import build, grid, rectangle, rooms, sheet, space
from engine.graph.check import check
from engine.graph.drawing import drawing_of_map
from engine.graph.fault import MapError
from engine.graph.svg import draw
from maker.mapping.drawings import survey


def lanes() -> tuple[dict[str, object], list[tuple[str, str]]]:
    """Return two lanes of three squares with a goal at the left end of each, and bare ground between the lanes."""
    features, joined = [], []
    for number, lane in enumerate("AB"):
        names = [f"{lane}{step}" for step in ("L", 1, 2, 3)]
        for step, name in enumerate(names):
            kind = {"area": name} if step == 0 else {}
            outline = rectangle(400 * step, 600 * number, 400 * step + 400, 600 * number + 400)
            features.append(space(name, outline, "enclosed" if kind else "open", sector=lane, **kind))
        joined += pairwise(names)
    return sheet("lanes", "Lanes", (1600, 1000), features, ("A", "B")), joined


def test_grid_has_the_tables_of_a_drawn_map() -> None:
    document = grid("squares", "Squares", 4, 4)
    found = build(document)
    assert list(found.spaces) == [f"{column}{row}" for column in "abcd" for row in range(1, 5)]
    assert found.adjacent["a1"] == found.walk["a1"] == found.matching["a1"] == ("a2", "b1")
    assert found.spaces["b2"].spot == (600, 600)
    assert found.sights == {}
    assert check(drawing_of_map(found), "board").faults == ()


def test_given_neighbours_replace_shared_edges() -> None:
    document, joined = lanes()
    found = build(document, joined)
    assert found.adjacent["AL"] == found.walk["AL"] == ("A1",)
    assert found.walk["A1"] == ("AL", "A2")
    assert found.matching["A1"] == ("A2",)
    apart = build(grid("squares", "Squares", 2, 2), [("b2", "a1")])
    assert apart.adjacent == {"a1": ("b2",), "a2": (), "b1": (), "b2": ("a1",)}


def test_rooms_of_different_sizes_are_neighbours_where_they_touch() -> None:
    places = {"hall": (0, 0, 900, 1200), "den": (900, 0, 1500, 500), "loft": (900, 500, 1500, 1200)}
    outlines = rooms({**places, "cellar": (300, 1200, 1500, 1800), "shed": (0, 1200, 300, 1800)})
    assert outlines["den"] == rectangle(*places["den"])
    assert outlines["hall"] == [(0, 0), (900, 0), (900, 500), (900, 1200), (300, 1200), (0, 1200)]
    board = build(sheet("house", "House", (1500, 1800), [space(*room, sector="board") for room in outlines.items()]))
    assert {name: {*board.walk[name]} for name in board.spaces} == {
        "hall": {"den", "loft", "cellar", "shed"},
        "den": {"hall", "loft"},
        "loft": {"hall", "den", "cellar"},
        "cellar": {"hall", "loft", "shed"},
        "shed": {"hall", "cellar"},
    }


def test_without_given_neighbours_bare_ground_and_walls_are_faults() -> None:
    document, _ = lanes()
    with pytest.raises(MapError) as broken:
        build(document)
    assert [fault for fault in broken.value.faults if fault.startswith("there is a gap")]
    assert [fault for fault in broken.value.faults if "no way leads from an entry" in fault]


@pytest.mark.parametrize(
    ("joined", "sentence"),
    [
        ([("a1", "a2"), ("a2", "z9")], "neighbours a2-z9: there is no space z9. Name two that exist."),
        ([("a1", "a1"), ("a1", "a2")], "neighbours a1-a1: a space is not a neighbour of its own. Name two spaces."),
    ],
)
def test_impossible_neighbours_are_named(joined: list[tuple[str, str]], sentence: str) -> None:
    with pytest.raises(MapError) as broken:
        build(grid("pair", "Pair", 1, 2), joined)
    assert sentence in broken.value.faults


def test_source_hash_changes_with_the_board() -> None:
    document, joined = lanes()
    source = build(document, joined).source
    assert build(document, [pair[::-1] for pair in reversed(joined)]).source == source
    assert build({name: document[name] for name in sorted(document)}, joined).source == source
    assert build(document, [*joined, ("A1", "B1")]).source != source
    assert build({**document, "name": "Lanes and more"}, joined).source != source
    assert source == "e409487ad08d3b1483c271018ecbe7976f1bc34792206241a76dfd36c1146232"


def test_game_properties_are_kept() -> None:
    document = sheet("one", "One", (400, 400), [space("x", rectangle(0, 0, 400, 400), sector="board", gold=3)])
    assert build(document).spaces["x"].properties == {"gold": 3}


def test_space_too_small_for_a_base_is_refused_on_boards() -> None:
    small = grid("small", "Small", 2, 2, 200)
    assert build(small).enterable == ("a1", "a2", "b1", "b2")
    with pytest.raises(MapError, match="too small for a 28 mm base"):
        build(small, measure="board")


def test_built_board_is_drawn_completely() -> None:
    document, joined = lanes()
    picture = draw(build(document, joined))
    assert all(f'data-space="{name}"' in picture for name in ("AL", "A1", "B3"))


def test_document_can_be_written_to_a_file_as_a_drawing() -> None:
    document = json.loads(json.dumps(grid("squares", "Squares", 3, 2)))
    assert survey(document).map.adjacent == build(grid("squares", "Squares", 3, 2)).adjacent
