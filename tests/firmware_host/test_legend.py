"""The legend of the map: every kind that is drawn is there with a place that shows one, and so is every light."""

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
def test_the_legend_has_each_kind_of_the_map_and_no_other(slug: str) -> None:
    board = maps.load(slug)
    spaces = board.spaces.values()
    there = {space.kind for space in spaces if not space.difficult and not space.under}
    there |= {access.kind for access in board.accesses} | {"entry", "objective", "leader", "start"}
    there |= {"difficult" for space in spaces if space.difficult} | {"tunnel" for space in spaces if space.under}

    assert [mark["kind"] for mark in marks(slug)].count("open") == 1
    assert {mark["kind"] for mark in marks(slug)} == there


@BOTH
def test_an_excerpt_shows_what_it_is_said_to_show(slug: str) -> None:
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


def test_a_map_that_is_not_there_has_no_marks() -> None:
    assert marks("") == marks("nowhere") == []


@pytest.mark.parametrize("game", LIT)
def test_every_light_is_explained_in_the_colours_of_the_palette(game: str) -> None:
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
def test_no_two_lights_of_a_game_look_alike_without_their_colours(game: str) -> None:
    strips = [tuple(lamp["levels"]) for lamp in lamps(game, "clear") if lamp["own"]]

    assert len(set(strips)) == len(strips)
