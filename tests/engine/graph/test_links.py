"""A board shows every step that its drawing lists: spaces that don't touch are joined by a line."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from math import dist

from engine.graph.builder import build, grid, rectangle, sheet, space
from engine.graph.model import Map
from engine.graph.palette import BASE_RADIUS
from engine.graph.svg import draw
from tests.engine.graph.test_svg import parts

Line = list[tuple[float, float]]


def streets(*pairs: tuple[str, str]) -> Map:
    """Return four squares in a row, too far apart to touch, with these neighbours."""
    squares = [
        space(name, rectangle(left, 400, left + 400, 800), sector="board")
        for name, left in (("a", 100), ("b", 800), ("c", 1500), ("d", 2200))
    ]
    return build(sheet("streets", "Streets", (2700, 1200), squares, ("board",)), pairs)


def drawn_lines(board: Map) -> list[Line]:
    """Return the points of each line between spaces."""
    shapes = [part.get("d", "") for part in parts(draw(board), "link") if "bed" not in part.get("class", "")]
    lines = [line for shape in shapes for line in shape.split("M") if line]
    return [[(float(x), float(y)) for x, y in re.findall(r"([\d.]+) ([\d.]+)", line)] for line in lines]


def test_neighbours_that_do_not_touch_are_joined_from_ring_to_ring() -> None:
    board = streets(("a", "b"), ("c", "b"))
    lines = drawn_lines(board)
    assert len(lines) == 2
    for line, (one, other) in zip(lines, pairwise("abc"), strict=True):
        ends = (board.spaces[one].spot, board.spaces[other].spot)
        far = [min(dist(end, spot) for end in (line[0], line[-1])) for spot in ends]
        assert all(BASE_RADIUS <= it <= BASE_RADIUS + 10 for it in far)


def test_line_goes_around_spaces_that_it_passes_and_stays_on_the_board() -> None:
    board = streets(("a", "b"), ("a", "d"))
    long = max(drawn_lines(board), key=len)
    assert all(dist(place, board.spaces[name].spot) > BASE_RADIUS for place in long for name in "bc")
    assert all(0 < y < board.size[1] for _, y in long)


def test_spaces_that_touch_need_no_line() -> None:
    squares = grid("squares", "Squares", 3, 1)
    assert drawn_lines(build(squares)) == []
    assert drawn_lines(build(squares, [("a1", "b1"), ("b1", "c1")])) == []
    assert len(drawn_lines(build(squares, [("a1", "b1"), ("a1", "c1")]))) == 1


def test_names_of_spaces_are_not_under_a_line() -> None:
    # Without the line, the name of `a` would be in the corner to which it leads.
    squares = [
        space(name, rectangle(x, y, x + 400, y + 400), sector="board")
        for name, (x, y) in (("a", (0, 800)), ("b", (800, 0)))
    ]
    board = build(sheet("slope", "Slope", (1200, 1200), squares, ("board",)), [("a", "b")])
    texts = {text.text: text for text in ET.fromstring(draw(board)).iter("{http://www.w3.org/2000/svg}text")}
    at = tuple(float(texts["a"].get(axis, "0")) for axis in ("x", "y"))
    assert all(dist(at, place) > 30 for line in drawn_lines(board) for place in line)
