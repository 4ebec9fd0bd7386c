"""The overlays of a map: a line of sight, the heat map, the wiring. Each is complete and leaves the map unchanged."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from msgspec.structs import replace

from engine.graph.model import Map
from engine.graph.overlay import Overlay
from engine.graph.svg import draw
from maker.mapping.heat import SCALE, count_visible, heat_overlay, lightness, scale_colour
from maker.mapping.sight import with_sights
from maker.mapping.sightline import sight_overlay
from maker.mapping.wiring import wiring_overlay
from tests.engine.graph.drawings import Sheet, board, drawn, looked, row, surveyed
from tests.engine.graph.random_maps import random_map
from tests.engine.graph.test_derive import hall
from tests.engine.graph.test_svg import parts


def elements_of(found: Map, overlay: Overlay, word: str) -> list[ET.Element]:
    """Return the elements of a class in a map drawn with an overlay."""
    return parts(draw(found, overlay), word)


def words(found: Map, overlay: Overlay, kind: str) -> list[str]:
    """Return the texts of a class in a map drawn with an overlay."""
    return [part.text or "" for part in elements_of(found, overlay, kind)]


def overlays(found: Map) -> list[Overlay]:
    """Return one overlay of each kind."""
    names = list(found.spaces)
    return [heat_overlay(found), wiring_overlay(found, found.enterable), sight_overlay(found, names[0], names[-1])]


# Every overlay


def test_overlays_leave_each_space_in_place() -> None:
    found = looked(row("open", "water", "enclosed", "elevated"))
    plain = [(part.get("data-space"), part.get("d")) for part in parts(draw(found), "space")]
    for overlay in overlays(found):
        assert [(part.get("data-space"), part.get("d")) for part in elements_of(found, overlay, "space")] == plain


@pytest.mark.parametrize("seed", range(4))
def test_overlays_of_any_map_are_well_formed_and_deterministic(seed: int) -> None:
    # The ladders of random maps say which spaces they join, but not where.
    found = replace(with_sights(random_map(seed)), accesses=())
    for one, other in zip(overlays(found), overlays(found), strict=True):
        assert ET.fromstring(draw(found, one)).get("class") == f"board-map {one.name}"
        assert draw(found, one) == draw(found, other)


def test_every_overlay_escapes_text_from_the_drawing() -> None:
    sheet = row("open", "enclosed", "open")
    sheet.said("a")["id"] = '"><script>'
    for overlay in overlays(looked(sheet)):
        assert "<script" not in draw(looked(sheet), overlay)


def test_legend_below_the_board_scales_with_it() -> None:
    found = looked(row("open", "open"))
    for overlay in (heat_overlay(found), wiring_overlay(found, found.enterable)):
        assert ET.fromstring(draw(found, overlay)).get("viewBox") == "0 0 200 110"
        assert ET.fromstring(draw(found, overlay)).get("height") == "11mm"
    assert ET.fromstring(draw(found, sight_overlay(found, "a", "b"))).get("viewBox") == "0 0 200 100"


def test_map_without_enterable_spaces_has_no_numbers() -> None:
    found = looked(row("water"))
    assert words(found, heat_overlay(found), "count") == words(found, wiring_overlay(found, ()), "lamp-number") == []


# A line of sight


def test_line_of_sight_shows_crossed_spaces_and_distance() -> None:
    found = looked(row("open", "water", "open"))
    line = sight_overlay(found, "a", "c")
    assert [part.get("d") for part in elements_of(found, line, "ray")] == ["M100 50L200 50"]
    assert len(elements_of(found, line, "crossed")) == 1
    assert words(found, line, "distance") == ["2"]


def test_without_sight_the_best_line_and_its_blockers_are_drawn() -> None:
    found = looked(row("open", "water", "enclosed", "open"))
    line = sight_overlay(found, "a", "d")
    assert elements_of(found, line, "ray") == []
    assert [part.get("d") for part in elements_of(found, line, "dash")] == ["M100 50L300 50"]
    assert [len(elements_of(found, line, kind)) for kind in ("crossed", "blocker")] == [1, 1]
    assert words(found, line, "distance") == ["no sight"]


def test_without_any_line_the_two_spots_are_joined() -> None:
    found = looked(hall())
    spots = [found.spaces[name].spot for name in ("w1", "t")]
    line = sight_overlay(found, "w1", "t")
    assert [part.get("d") for part in elements_of(found, line, "dash")] == ["M{} {}L{} {}".format(*spots[0], *spots[1])]


def test_space_seen_from_itself_has_no_line() -> None:
    found = looked(row("open"))
    assert words(found, sight_overlay(found, "a", "a"), "distance") == ["1"]


@pytest.mark.parametrize(("a", "b"), [("a1", "a2"), ("a1", "b1"), ("a4", "b4"), ("a1", "f4"), ("c1", "e1")])
def test_tag_of_a_line_stays_on_the_board(a: str, b: str) -> None:
    found = with_sights(surveyed(board()))
    tag = next(part for part in elements_of(found, sight_overlay(found, a, b), "tag") if part.tag.endswith("rect"))
    left, top, wide, high = (float(tag.get(name) or 0) for name in ("x", "y", "width", "height"))
    assert 0 < left < left + wide < found.size[0]
    assert 0 < top < top + high < found.size[1]


# Heat


def yard() -> Sheet:
    """Return a map on which a, b and c see each other.

    D is an obstruction, e behind it sees no other space, and f is water.
    """
    return row("open", "open", "open", "obstruction", "open", "water")


def test_each_space_counts_the_enterable_spaces_it_sees() -> None:
    assert count_visible(looked(yard())) == {"a": 2, "b": 2, "c": 2, "e": 0}


@pytest.mark.parametrize("seed", range(3))
def test_counts_match_the_sight_of_every_pair(seed: int) -> None:
    found = with_sights(random_map(seed))
    stand = found.enterable
    asked = {a: sum(a != b and found.distance(a, b) is not None for b in stand) for a in stand}
    assert count_visible(found) == asked


def test_spaces_have_the_colour_and_number_of_their_counts() -> None:
    found = looked(yard())
    colours = painted(draw(found, heat_overlay(found)))
    assert colours["a"] == colours["b"] == "#fff0a8"
    assert colours["e"] == "#16204e"
    assert not {"d", "f"} & {*colours}
    assert words(found, heat_overlay(found), "count") == ["2", "2", "2", "0"]


def test_tunnel_window_has_the_tunnel_s_colour() -> None:
    found = looked(hall())
    window = next(part for part in elements_of(found, heat_overlay(found), "window"))
    assert (window.get("data-space"), window.get("data-spot")) == ("t", "150,150")
    assert painted(draw(found, heat_overlay(found)))["t"] == heat_overlay(found).paint["t"]


def painted(drawing: str) -> dict[str, str]:
    """Return the colours of spaces in the style sheet, which pages allow."""
    assert 'style="' not in drawing
    return dict(re.findall(r'\.space\[data-space="(\w+)"\]\[data-spot\]\{fill:(#\w+)\}', drawing))


def test_legend_shows_the_scale_with_the_fewest_and_most() -> None:
    found = looked(yard())
    assert [tick for tick in words(found, heat_overlay(found), "tick") if tick] == ["0", "2", "median 2"]
    assert words(found, heat_overlay(found), "note") == [
        "how many of the 3 others each space sees",
        "fewest: e 0, a 2, b 2, c 2",
        "most: c 2, b 2, a 2, e 0",
    ]


def test_map_with_equal_counts_has_a_scale() -> None:
    found = looked(row("open", "open"))
    assert words(found, heat_overlay(found), "count") == ["1", "1"]


def test_scale_gets_steadily_lighter() -> None:
    lights = [lightness(scale_colour(step / 60)) for step in range(61)]
    assert lights == sorted(set(lights))
    assert [scale_colour(0), scale_colour(1)] == [SCALE[0], SCALE[-1]]


def test_scale_does_not_rely_on_red_and_green() -> None:
    """The scale never relies on red against green: both components rise from the lowest to the highest count."""
    for part in (0, 1):
        rising = [scale_colour(step / 60)[part] for step in range(61)]
        assert rising == sorted(rising)


def test_numbers_stand_out_from_the_colour_below_them() -> None:
    found = with_sights(surveyed(board()))
    counts = count_visible(found)
    least, most = min(counts.values()), max(counts.values())
    for part, count in zip(elements_of(found, heat_overlay(found), "count"), counts.values(), strict=True):
        ground = lightness(scale_colour((count - least) / (most - least)))
        ink = 0.0045 if "dark" in (part.get("class") or "") else 0.83
        high, low = max(ground, ink), min(ground, ink)
        assert (high + 0.05) / (low + 0.05) > 3.5


# Wiring


def test_lamps_are_numbered_from_zero_along_the_chain() -> None:
    found = drawn(row("open", "water", "open", "elevated"))
    overlay = wiring_overlay(found, ["d", "a", "c"])
    lamps = [(part.get("cx"), part.get("cy")) for part in elements_of(found, overlay, "lamp")][:3]
    assert lamps == [("350", "50"), ("50", "50"), ("250", "50")]
    assert words(found, overlay, "lamp-number")[:3] == ["0", "1", "2"]
    assert {part.get("d") for part in elements_of(found, overlay, "wire")} == {"M350 50L50 50L250 50"}


def test_ends_of_the_chain_are_marked_and_named() -> None:
    found = drawn(row("open", "open", "open"))
    overlay = wiring_overlay(found, found.enterable)
    assert elements_of(found, overlay, "first")[0].get("cx") == "50"
    assert elements_of(found, overlay, "last")[0].get("cx") == "250"
    assert words(found, overlay, "note") == [
        "3 spaces, each with a sensor and a lamp",
        "sensor 2 and lamp 2 are here",
        "the chain begins at a",
        "and ends at c",
        "spot to spot: 0.02 m in all",
        "longest hop: 1 cm, a (0) to b (1)",
    ]


def test_only_long_hops_have_an_arrow() -> None:
    sheet = Sheet((1200, 400))
    for number, left in enumerate((0, 200, 400)):
        right = 1200 if number == 2 else left + 200
        sheet.space("abc"[number], [(left, 0), (right, 0), (right, 400), (left, 400)])
    found = drawn(sheet)
    assert [part.get("d", "").count("M") for part in elements_of(found, wiring_overlay(found, "abc"), "arrow")] == [1]


def test_chain_of_one_lamp_has_no_wire() -> None:
    found = drawn(row("open"))
    assert elements_of(found, wiring_overlay(found, ["a"]), "wire") == []
    assert words(found, wiring_overlay(found, ["a"]), "lamp-number")[0] == "0"


def test_chain_through_an_unknown_space_raises_key_error() -> None:
    with pytest.raises(KeyError):
        wiring_overlay(drawn(row("open")), ["z"])
