"""The drawn map is complete, well-formed, small, and safe against anything in a map file."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
import shapely

from engine.graph.builder import build, grid, rectangle, sheet, space
from engine.graph.model import Map
from engine.graph.palette import BASE_RADIUS
from engine.graph.svg import draw
from tests.engine.graph.drawings import board, drawn, row, surveyed
from tests.engine.graph.test_derive import hall


def parts(picture: str, word: str) -> list[ET.Element]:
    """Return the elements with a class."""
    return [part for part in ET.fromstring(picture).iter() if word in (part.get("class") or "").split()]


def test_every_space_is_a_path_with_an_id_and_classes() -> None:
    found = surveyed(board())
    spaces = {part.get("data-space"): part for part in parts(draw(found), "space")}
    assert set(spaces) == set(found.spaces)
    assert spaces["d1"].get("class") == "space enclosed red even"
    assert spaces["d1"].get("id") == "s-d1"
    assert spaces["d1"].get("data-spot") == "1400,200"
    assert spaces["d1"].get("d") == "M1200 0L1600 0L1600 400L1200 400Z"


def test_drawing_uses_tenths_of_a_millimetre() -> None:
    root = ET.fromstring(draw(surveyed(board())))
    assert (root.get("viewBox"), root.get("width"), root.get("height")) == ("0 0 2400 1600", "240mm", "160mm")


def test_drawing_has_no_scripts_or_external_resources() -> None:
    picture = draw(surveyed(board()))
    assert "href" not in picture
    assert "<script" not in picture
    assert "@import" not in picture


KNOWN = {
    "fill", "fill-opacity", "font-family", "font-style", "font-weight", "opacity", "stroke", "stroke-dasharray",
    "stroke-linecap", "stroke-linejoin", "stroke-opacity", "stroke-width", "text-anchor", "text-rendering",
    "vector-effect",
}  # fmt: skip
"""Properties that drawing programs know. Inkscape warns of those for pages, such as `background`."""


def test_style_has_only_properties_of_drawings() -> None:
    style = draw(surveyed(board())).partition("<style>")[2].partition("</style>")[0]
    assert set(re.findall(r"[{;]([a-z-]+):", style)) <= KNOWN


def test_text_from_the_file_is_escaped() -> None:
    sheet = board()
    sheet.said("a1").update(id='"><script>', name="</text><script>")
    sheet.features = [part for part in sheet.features if "entry" not in part["properties"]]
    picture = draw(drawn(sheet))
    assert "<script" not in picture
    assert parts(picture, "space")[0].get("data-space") == '"><script>'


@pytest.mark.rule("MP-MAP-03", "MP-MAP-10", "MP-MAP-12", "MP-MAP-15", "MP-MAP-18", "MP-MAP-19")
def test_everything_players_need_is_drawn() -> None:
    sheet = board()
    sheet.said("a2")["difficult"] = True
    for name, kind in (("b1", "water"), ("c1", "elevated")):
        sheet.said(name).update(kind=kind, sector="red" if kind == "elevated" else None)
    picture = draw(drawn(sheet))
    counts = {word: len(parts(picture, word)) for word in ("start", "entry", "objective", "alarm", "sill", "wall")}
    assert counts == {"start": 9, "entry": 4, "objective": 9, "alarm": 1, "sill": 1, "wall": 1}
    for word in ("path", "shore", "brink", "partition", "border", "ladder"):
        assert bool(parts(picture, word)) == (word != "ladder"), word


def test_ladder_is_drawn_across_its_edge() -> None:
    sheet = row("open", "elevated")
    sheet.access("ladder", "a", "b", (100, 50))
    assert len(parts(draw(drawn(sheet)), "ladder")) == 2


@pytest.mark.rule("MP-MAP-28")
def test_tunnel_has_a_window() -> None:
    windows = parts(draw(drawn(hall())), "window")
    assert [window.get("data-space") for window in windows] == ["t"]


def test_text_avoids_the_ring_where_there_is_room() -> None:
    found = surveyed(board())
    words = parts(draw(found), "id")
    spots = shapely.MultiPoint([space.spot for space in found.spaces.values()]).buffer(BASE_RADIUS - 1)
    for word in words:
        size, text = float(word.get("font-size") or 0), word.text or ""
        x, y = float(word.get("x") or 0), float(word.get("y") or 0)
        box = shapely.box(x - 0.3 * size * len(text), y - 0.7 * size, x + 0.3 * size * len(text), y)
        assert not spots.intersects(box), text


@pytest.mark.parametrize(("name", "beside"), [("gallery", True), ("a1", False)])
def test_word_is_beside_the_ring_of_a_low_room(name: str, beside: bool) -> None:
    outlines = {name: rectangle(0, 0, 1000, 400), "hall": rectangle(0, 400, 1000, 1400)}
    rooms = [space(*room, sector="board") for room in outlines.items()]
    found = build(sheet("house", "House", (1000, 1400), rooms))
    labels = {part.text: part for part in parts(draw(found), "id")}
    x, y = (float(labels[name].get(axis, "")) for axis in "xy")
    assert (abs(y - 0.36 * 66 - 200) < 1) == beside
    assert abs(x - 500) > BASE_RADIUS
    assert labels["hall"].get("x") == "500"


def test_names_of_a_grid_are_equally_large() -> None:
    sizes = {text.get("font-size") for text in parts(draw(build(grid("town", "Town", columns=20, rows=5))), "id")}
    assert len(sizes) == 1


def test_map_with_an_unknown_sector_is_drawn() -> None:
    sheet = row("open")
    sheet.members |= {"sectors": ["green"], "suits": {}}
    sheet.said("a").update(sector="green", start="officer")
    assert parts(draw(drawn(sheet)), "green")


def big() -> Map:
    """Return a map with the size and the space names of a real board."""
    sheet = board()
    sheet.members["size"] = [6000, 4800]
    sheet.features.clear()
    for i in range(12):
        for j in range(10):
            corners = [
                (500 * i, 480 * j),
                (500 * i + 500, 480 * j),
                (500 * i + 500, 480 * j + 480),
                (500 * i, 480 * j + 480),
            ]
            sheet.space(f"W{10 * i + j}", corners, name="Broken Fence", difficult=(i + j) % 5 == 0)
    return drawn(sheet)


def test_full_board_stays_below_150_kilobytes() -> None:
    assert len(draw(big()).encode()) < 150_000


def test_same_map_gives_the_same_drawing_bytes() -> None:
    assert draw(surveyed(board())) == draw(surveyed(board()))
