"""Requirements for every map in `maps/`, found by scanning the folder, and the rulebook's facts about its maps."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from engine.graph.compiled import dump
from engine.graph.model import Map
from firmware_host.core import maps
from games.sniper_elite.map_rules import sites_of
from maker.mapping import drawings
from maker.mapping.drawings import Survey
from tests.maker import witnesses

FOLDERS = sorted(path.parent.name for path in Path(maps.FOLDER).glob("*/map.geojson"))
NEVER_WITHOUT = ("submarine-pens",)
"""The map with every kind of space: by day the tables of this one are compiled again, at night those of all."""
every = pytest.mark.parametrize("name", FOLDERS)


@cache
def surveyed(name: str) -> Survey:
    """Return the drawing of a map, checked and with derived tables."""
    return drawings.survey_drawing(maps.drawing_of(name), "board")


@cache
def board(name: str) -> Map:
    """Return the map as it is played."""
    return maps.load(name)


@every
def test_drawing_has_no_fault_and_no_warning(name: str) -> None:
    assert surveyed(name).warnings == ()


@every
def test_folder_has_the_name_of_its_map(name: str) -> None:
    assert surveyed(name).map.slug == name


@pytest.mark.parametrize(
    "name", [name if name in NEVER_WITHOUT else pytest.param(name, marks=pytest.mark.nightly) for name in FOLDERS]
)
def test_tables_match_the_drawing(name: str) -> None:
    compiled = board(name)
    again = drawings.compile_drawing(maps.drawing_of(name), "board")
    assert dump(again) == dump(compiled), f"run: sniperboard map compile {name}"


@pytest.mark.rule("MP-LOS-17")
@every
def test_sight_is_symmetric(name: str) -> None:
    assert witnesses.symmetric(board(name))


@pytest.mark.nightly
@pytest.mark.rule("MP-DIST-01", "MP-LOS-01")
@every
def test_witness_lines_match_the_table_when_nudged(name: str) -> None:
    assert list(witnesses.faults(board(name))) == []


@pytest.mark.rule("MP-MAP-01", "MP-MAP-14", "MP-MAP-18", "MP-MAP-19")
@every
def test_board_is_complete(name: str) -> None:
    found = board(name)
    sites = sites_of(found)
    assert set(found.sectors) == set(sites.entries) == {"yellow", "red", "black", "white"}
    assert len(found.entries) == 4
    assert sorted(sites.objectives) == list(range(1, 10))
    assert len(sites.starts) == 9
    assert all((space.sector in found.sectors) == space.enterable for space in found.spaces.values())
    assert {space.sector for space in found.spaces.values() if not space.enterable} <= {None}


@every
def test_author_and_license_of_the_drawing_are_given(name: str) -> None:
    assert board(name).licence
    assert board(name).author


def launch_facility(found: Map) -> None:
    """Check an outdoor map.

    It has buildings, a submarine, three rail cars, water and rough open ground, but no heights and no obstructions.
    """
    spaces = found.spaces.values()
    assert {space.kind for space in spaces} == {"open", "enclosed", "water"}
    assert {space.kind for space in spaces if space.difficult} == {"open"}
    assert {access.kind for access in found.accesses} == {"door"}
    black = {space.area or "" for space in spaces if space.sector == "black" and space.kind == "enclosed"}
    assert "submarine" in black
    assert len({area for area in black if area.endswith(("wagon", "van", "car"))}) == 3


def submarine_pens(found: Map) -> None:
    """Check a hall: walkways, ladders, rooms in three sectors, red tunnels, water, obstructions, difficult ground."""
    spaces = found.spaces.values()
    assert {space.kind for space in spaces if space.difficult} == {"open"}
    assert {space.kind for space in spaces} == {"open", "enclosed", "elevated", "water", "obstruction"}
    assert {space.sector for space in spaces if space.kind == "enclosed"} == {"yellow", "black", "red"}
    assert [(space.kind, space.sector) for space in spaces if space.under] == [("enclosed", "red")] * 2
    assert {access.kind for access in found.accesses} == {"door", "ladder"}


FACTS = {"launch-facility": launch_facility, "submarine-pens": submarine_pens}


@pytest.mark.rule("MP-MAP-21", "MP-MAP-22", "MP-MAP-23", "MP-MAP-24", "MP-MAP-25", "MP-MAP-26", "MP-MAP-29")
@pytest.mark.parametrize("name", [name for name in FOLDERS if name in FACTS])
def test_rulebook_map_matches_the_rulebook(name: str) -> None:
    FACTS[name](board(name))
