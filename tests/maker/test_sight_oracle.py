"""Compare the sight table with a slow second computation, and every witness line with the map."""

from __future__ import annotations

import numpy as np
import pytest

from engine.graph.model import Map
from maker.mapping.crossings import Borders, Lines
from maker.mapping.sight import with_sights
from maker.mapping.witness import convex_hull, nearest_points
from tests.depth import DEPTH
from tests.engine.graph.drawings import Sheet, board, drawn, looked, surveyed
from tests.engine.graph.random_maps import random_map
from tests.maker import oracle, witnesses

SEEDS = [*range(12 * DEPTH), 112, 188, 259, 262, 311]
"""The last few have a room bent around a yard next to a walkway, which a line can leave and enter again."""


def distances(found: Map) -> dict[tuple[str, str], int]:
    return {(a, b): sight.distance for a, seen in found.sights.items() for b, sight in seen.items()}


@pytest.mark.rule("MP-LOS-01", "MP-LOS-06", "MP-LOS-07", "MP-LOS-09", "MP-LOS-11", "MP-LOS-12", "MP-DIST-01")
@pytest.mark.parametrize("seed", SEEDS)
def test_sights_of_a_random_map_match_the_definition(seed: int) -> None:
    found = with_sights(random_map(seed))
    assert distances(found) == oracle.distances(found)
    assert list(witnesses.faults(found)) == []


@pytest.mark.rule("MP-LOS-17")
def test_table_is_symmetric() -> None:
    assert witnesses.symmetric(with_sights(surveyed(board())))


def test_same_map_always_gives_the_same_lines() -> None:
    assert with_sights(random_map(5)) == with_sights(random_map(5))


def test_wrong_line_is_found_by_the_checks() -> None:
    sheet = Sheet((300, 200))
    sheet.space("a", [(0, 0), (100, 0), (100, 100), (100, 200), (0, 200)])
    sheet.space("n", [(100, 0), (200, 0), (200, 100), (100, 100)])
    sheet.space("s", [(100, 100), (200, 100), (200, 200), (100, 200)])
    sheet.space("b", [(200, 0), (300, 0), (300, 200), (200, 200), (200, 100)])
    found = looked(sheet)
    seen = found.sights["a"]["b"]
    for line in (
        ((100.0, 100.0005), (200.0, 100.0005)),
        ((101.0, 50.0), (200.0, 50.0)),
        ((100.0, 50.0), (200.0, 150.0)),
    ):
        found.sights["a"]["b"] = type(seen)(seen.distance, line, ("n",))
        assert list(witnesses.faults(found))


def test_progress_rises_to_one() -> None:
    told: list[float] = []
    with_sights(surveyed(board()), told.append)
    assert told == sorted(told)
    assert 0 < told[0] <= told[-1] == 1.0


def test_fractions_order_borders_too_close_for_floating_point() -> None:
    sheet = Sheet((90_000, 90_000))
    for number in range(12):
        sheet.space(f"f{number}", [(1, 45_000), (90_000, 45_000 + number), (90_000, 45_001 + number)])
    fan = Borders(drawn(sheet))
    past_the_tip = Lines(np.array([1 + 1e-8]), np.array([90_000.0]), np.array([0.0]), np.array([-1.0]))
    crossed = fan.crossed_borders(past_the_tip, *fan.sides(past_the_tip))
    assert crossed.ground.tolist() == [*range(11, -1, -1), -1]


def test_nearest_points_of_two_shapes_are_on_corners_and_sides() -> None:
    square = convex_hull([(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0), (1.0, 1.0)])
    assert square == [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]
    assert nearest_points(square, [(3.0, 1.0)]) == ((2.0, 1.0), (3.0, 1.0))
    assert nearest_points([(3.0, 3.0)], square) == ((3.0, 3.0), (2.0, 2.0))
    assert nearest_points([(0.0, -4.0), (0.0, -1.0)], square) == ((0.0, -1.0), (0.0, 0.0))
