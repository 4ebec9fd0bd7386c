"""The map editor in a real Chromium: one of our maps drawn anew with mouse and keys, files out and in, the pages' craft."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from math import dist
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from engine.graph.derive import derive
from engine.graph.geojson import read
from engine.graph.model import Map
from engine.graph.sight import with_sights
from engine.graph.svg import draw
from firmware_host.board.png import png
from firmware_host.table import maps
from tests.web_panel.drafting import Draughtsman, bare, editing, part, redraw
from tests.web_panel.room import IN_CHROMIUM, Screen

pytestmark = IN_CHROMIUM

WORKS = {f"Y{number}" for number in range(1, 14)}
"""The torpedo works of the Submarine Pens and what lies before them: two rooms deep, a walkway, doors and ladders."""
NEAR = 2
"""Tenths of a millimetre that a corner may be off: what a pixel is worth, rounded."""


def made(document: Any) -> Map:
    """What the outlines, doors and ladders of a document make, whatever a game asks of it."""
    return with_sights(derive(read(document)))


def same_ring(one: list[list[int]], other: list[list[int]]) -> bool:
    return len(one) == len(other) and all(dist(a, b) <= NEAR for a, b in zip(one, other, strict=True))


def alike(drawn: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Whether what was drawn is what was to be drawn: words exactly, outlines as near as a hand comes."""
    for one, other in zip(drawn["features"], wanted["features"], strict=True):
        assert {**one["properties"], "spot": 0} == {**other["properties"], "spot": 0}
        if one["geometry"]["type"] == "Polygon":
            assert same_ring(one["geometry"]["coordinates"][0], other["geometry"]["coordinates"][0]), one["properties"]
        else:
            assert dist(one["geometry"]["coordinates"], other["geometry"]["coordinates"]) <= NEAR
    own, theirs = made(drawn), made(wanted)
    assert own.adjacent == theirs.adjacent
    assert own.walk == theirs.walk
    assert {a: {b: it.distance for b, it in row.items()} for a, row in own.sights.items()} == {
        a: {b: it.distance for b, it in row.items()} for a, row in theirs.sights.items()
    }


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    return tmp_path / "pens" / maps.DRAWING


def photographed(wanted: Mapping[str, Any], path: Path) -> Path:
    """A picture of a map, as a photo of its board."""
    path.write_bytes(png(draw(derive(read(wanted))), 1600))
    return path


@pytest.fixture
def screen(browser: Browser) -> Iterator[Screen]:
    one = Screen(browser, (1920, 1200))
    yield one
    assert one.faults == []


@pytest.mark.long
def test_a_part_of_a_board_is_drawn_over_its_photo_and_is_what_it_was(
    screen: Screen, sheet: Path, tmp_path: Path
) -> None:
    wanted = part("submarine-pens", WORKS)
    sheet.parent.mkdir()
    sheet.write_text(json.dumps(bare(wanted)), "utf-8")
    with editing(sheet, photographed(wanted, tmp_path / "photo.png")) as address:
        hand = Draughtsman(screen, address)
        expect(screen["photo-below"]).to_be_visible()
        redraw(hand, wanted)
        hand.save()

    drawn = json.loads(sheet.read_text("utf-8"))
    alike(drawn, wanted)
