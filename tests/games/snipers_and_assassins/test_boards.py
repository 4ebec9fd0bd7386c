"""The generated boards, as printed, wired and shown on screens."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine.game import DecoratesMaps
from firmware_host.api.legend import map_svg
from firmware_host.app import cli
from firmware_host.core.maps import decoration
from games.snipers_and_assassins import GAME
from games.snipers_and_assassins.map_rules.pathways import BOARDS, HUES
from tests.depth import DEPTH
from tests.toys import grid

EACH_BOARD = pytest.mark.parametrize("slug", GAME.map_names())
SVG = "{http://www.w3.org/2000/svg}"


@EACH_BOARD
def test_board_drawing_has_true_size_title_key_and_lanes(slug: str) -> None:
    assert isinstance(GAME, DecoratesMaps)
    board, drawing = GAME.make_map(slug), ElementTree.fromstring(map_svg(slug))
    assert drawing.get("width") == f"{board.size[0] / 10:g}mm"
    assert drawing.get("height") == f"{board.size[1] / 10:g}mm"
    lanes = [path for path in drawing.iter(f"{SVG}path") if "lane" in path.get("class", "").split()]
    assert len(lanes) == 12 * (BOARDS.players_on(slug) + 1)
    words = [text.text or "" for text in drawing.iter(f"{SVG}text")]
    assert "SNIPERS AND ASSASSINS" in words
    assert f"{BOARDS.players_on(slug)} players" in words
    assert {*board.spaces} <= {*words}, "every space has its name on it"
    assert len([path for path in drawing.iter(f"{SVG}path") if path.get("id", "").startswith("s-")]) == len(
        board.spaces
    )


@EACH_BOARD
def test_decorations_are_on_the_sheet_and_on_no_space(slug: str) -> None:
    board = GAME.make_map(slug)
    rows = {space.spot[1] for space in board.spaces.values()}
    for text in ElementTree.fromstring(f"<g>{''.join(GAME.map_art(board).beneath)}</g>").iter("text"):
        y = float(text.get("y", "0"))
        assert 0 < y - float(text.get("font-size", "0")) < y < board.size[1]
        assert all(abs(y - row) > 200 for row in rows)


@EACH_BOARD
def test_town_covers_no_space_and_no_lane(slug: str) -> None:
    board = GAME.make_map(slug)
    town = ElementTree.fromstring(f"<g>{''.join(GAME.map_art(board).beneath)}</g>")
    spaces = [space.spot for space in board.spaces.values()]
    lanes = {x for name, (x, _) in zip(board.spaces, spaces, strict=True) if name[1:].isdecimal()}
    grounds = [path.get("d", "") for path in town.iter("path") if {"roof", "garden"} & {*path.get("class", "").split()}]
    corners = [
        [float(part) for part in pair.split()] for ground in grounds for pair in re.split("[MLZ]+", ground) if pair
    ]
    assert len(corners) == 4 * 13 * (BOARDS.players_on(slug) + 1), "each gap has a house or a garden"
    for x, y in corners:
        assert all(abs(x - other) > 200 or abs(y - down) > 200 for other, down in spaces)
        assert all(abs(x - lane) > 40 for lane in lanes)


def test_pathways_differ_in_lightness() -> None:
    assert len({*HUES}) == len(HUES) == 8
    for one, other in pairwise(HUES):
        assert one != other
    for floor, den in HUES:
        assert lightness(den) > lightness(floor) + 0.1, "a Hideout is lighter than the spaces of its pathway"


def lightness(colour: str) -> float:
    """Return the lightness, from 0 (black) to 1."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def test_other_maps_have_no_decorations() -> None:
    assert decoration(grid()).beneath == ()


@pytest.mark.parametrize("slug", GAME.map_names() if DEPTH > 1 else GAME.map_names()[::4])
def test_map_commands_accept_the_boards(slug: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["map", "check", slug]) == 0
    plain, wired = tmp_path / "plain.svg", tmp_path / "wired.svg"
    assert cli.main(["map", "render", slug, "--out", str(plain)]) == 0
    assert cli.main(["map", "render", slug, "--wiring", "--out", str(wired)]) == 0
    assert plain.read_text("utf-8") == map_svg(slug)
    spaces = 14 * (BOARDS.players_on(slug) + 2)
    text = "".join(ElementTree.fromstring(wired.read_text("utf-8")).itertext())
    assert str(spaces - 1) in text, "the wiring numbers every lamp"
    capsys.readouterr()
    assert cli.main(["map", "list"]) == 0
    assert slug in capsys.readouterr().out
