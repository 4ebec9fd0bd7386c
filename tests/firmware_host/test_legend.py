"""The legend of the map has every kind that is drawn, with a place that shows one, and every light."""

from __future__ import annotations

from typing import Any

import pytest

import games
from engine.cues import show_of
from engine.text import Text
from firmware_host.api.legend import SAMPLES, lamps, marks
from firmware_host.core import maps
from firmware_host.core.lamp_colours import LIGHTS, PALETTES, palette

BOTH = pytest.mark.parametrize("slug", ["launch-facility", "submarine-pens"])
LIT = [name for name in games.names() if lamps(name, "night")]


def within(point: tuple[int, int], box: Any) -> bool:
    left, top, wide, high = box
    return bool(left <= point[0] <= left + wide and top <= point[1] <= top + high)


@BOTH
def test_legend_has_exactly_the_kinds_of_the_map(slug: str) -> None:
    board = maps.load(slug)
    spaces = board.spaces.values()
    there = {space.kind for space in spaces if not space.difficult and not space.under}
    there |= {access.kind for access in board.accesses} | {"entry", "objective", "leader", "start"}
    there |= {"difficult" for space in spaces if space.difficult} | {"tunnel" for space in spaces if space.under}

    assert [mark["kind"] for mark in marks(slug)].count("open") == 1
    assert {mark["kind"] for mark in marks(slug)} == there


@BOTH
def test_excerpt_shows_its_kind(slug: str) -> None:
    board = maps.load(slug)
    boxes = {mark["kind"]: mark["box"] for mark in marks(slug)}

    for kind, box in boxes.items():
        if kind in ("door", "ladder"):
            assert any(access.kind == kind and within(access.at, box) for access in board.accesses)
        elif kind == "entry":
            assert any(within(entry.at, box) for entry in board.entries)
        else:
            shown = [space for space in board.spaces.values() if within(space.spot, box)]
            facts = {"objective": "objective", "leader": "start", "start": "start"}
            looks = {"difficult": "difficult", "tunnel": "under"}
            name = facts.get(kind)
            assert any(
                space.properties.get(name)
                if name
                else getattr(space, looks[kind])
                if kind in looks
                else space.kind == kind
                for space in shown
            ), kind


def test_unknown_map_has_no_marks() -> None:
    assert marks("") == marks("nowhere") == []


@pytest.mark.parametrize("game", LIT)
def test_every_light_is_explained_in_palette_colours(game: str) -> None:
    own = show_of(games.find(game)).lights
    for name in PALETTES:
        found = lamps(game, name)
        colours = palette(name, show_of(games.find(game)))

        assert [lamp["meaning"] for lamp in found if lamp["own"]] == [light.meaning for light in own.values()]
        assert [lamp["meaning"] for lamp in found if not lamp["own"]] == [light.meaning for light in LIGHTS.values()]
        for lamp, light in zip(found, [*own.values(), *LIGHTS.values()], strict=True):
            assert isinstance(lamp["meaning"], Text)
            assert len(lamp["levels"]) == SAMPLES
            assert max(lamp["levels"]) <= 9
            if light.role in colours:
                assert lamp["colour"] == "#{:02x}{:02x}{:02x}".format(*colours[light.role])


@pytest.mark.parametrize("game", LIT)
def test_no_two_lights_of_a_game_have_same_rhythm(game: str) -> None:
    strips = [tuple(lamp["levels"]) for lamp in lamps(game, "clear") if lamp["own"]]

    assert len(set(strips)) == len(strips)
