"""`sniperboard map …` on a terminal."""

from __future__ import annotations

import argparse
import io
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine.graph.compiled import load
from firmware_host.board.board_io import open_board
from firmware_host.core import maps
from firmware_host.core.settings import settle
from maker.commands.map import add_command
from tests.engine.graph.drawings import Sheet, board
from tests.engine.graph.test_svg import parts
from tests.firmware_host.test_maps import written


def run(*words: object) -> int:
    """Run a command and return its exit status."""
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers(required=True))
    arguments = parser.parse_args(["map", *(str(word) for word in words)])
    return int(arguments.run(arguments))


@pytest.fixture
def valid_map(tmp_path: Path) -> Path:
    return written(board(), tmp_path / "little.geojson")


def cramped() -> Sheet:
    sheet = board()
    sheet.said("a1")["spot"] = [150, 200]
    return sheet


def test_check_prints_warnings_and_size_of_valid_map(valid_map: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", valid_map) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("warning: at (400, 400) all of a1, a2, b1 and b2 meet")
    assert said[-1] == "Little: 24 spaces, no faults, 15 warnings."


def test_check_prints_every_fault_with_file_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(cramped(), tmp_path / "cramped.geojson")
    assert run("check", path) == 1
    assert capsys.readouterr().err == (
        f"{path}: a1: its spot (150, 200) is 15.0 mm from its outline. Move it further in, to 16 mm.\n"
    )
    assert run("check", path, "--loose") == 0


def test_compile_writes_tables_next_to_drawing_or_to_given_file(
    valid_map: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("compile", valid_map) == 0
    assert capsys.readouterr().out.startswith("Little: 24 spaces, 239 pairs in sight of each other, written to ")
    assert run("compile", valid_map, "--out", tmp_path / "other.json") == 0
    assert (tmp_path / "compiled.json").read_bytes() == (tmp_path / "other.json").read_bytes()
    assert load((tmp_path / "other.json").read_bytes()).distance("a1", "b1") == 1


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_compile_shows_progress_on_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = board()
    sheet.members["name"] = "Never compiled before"
    watched = Terminal()
    monkeypatch.setattr(sys, "stderr", watched)
    assert run("compile", written(sheet, tmp_path / "fresh.geojson")) == 0
    shares = [int(part) for part in re.findall(r"(\d+)%", watched.getvalue())]
    assert shares == sorted(shares)
    assert len(shares) > 1
    assert watched.getvalue().endswith("100%\n")


def test_compile_of_faulty_map_writes_nothing(tmp_path: Path) -> None:
    assert run("compile", written(cramped(), tmp_path / "cramped.geojson")) == 1
    assert not (tmp_path / "compiled.json").exists()


def test_compile_reports_unwritable_file(valid_map: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compile", valid_map, "--out", valid_map / "x.json") == 1
    assert "x.json: cannot be written: Not a directory. Give another file with --out." in capsys.readouterr().err


def test_sight_prints_distance_and_line(valid_map: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("sight", valid_map, "a1", "d1", "--out", tmp_path / "line.svg") == 0
    assert capsys.readouterr().out == (
        "a1 sees d1: distance 3 through b1, c1, along (400.0, 200.0) to (1200.0, 200.0).\n"
    )
    assert 'class="line sight ray"' in (tmp_path / "line.svg").read_text()


@pytest.mark.parametrize(
    ("a", "b", "sentence"),
    [
        ("a1", "a2", "a1 sees a2: distance 1, along (200.0, 400.0) to (200.0, 400.0).\n"),
        ("a1", "a1", "a1 sees a1: distance 1.\n"),
        ("d2", "f1", "d2 sees f1: distance 3 through e2, e1, along"),
        ("c1", "e1", "c1 does not see e1. Only open ground and water may lie between these two (MP-LOS-01). "),
    ],
)
def test_sight_prints_result(
    valid_map: Path, capsys: pytest.CaptureFixture[str], a: str, b: str, sentence: str
) -> None:
    assert run("sight", valid_map, a, b) == 0
    assert capsys.readouterr().out.startswith(sentence)


def test_sight_names_what_blocks_best_line(valid_map: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("sight", valid_map, "c1", "e1") == 0
    said = capsys.readouterr().out
    assert said.endswith("The best line, (1200.0, 200.0) to (1600.0, 200.0), crosses d1; d1 (enclosed) blocks it.\n")
    assert run("sight", valid_map, "b1", "f1") == 0
    assert capsys.readouterr().out.endswith("crosses c1, d1 and e1; d1 (enclosed) blocks it.\n")


def test_sight_of_unknown_space_suggests_another(valid_map: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("sight", valid_map, "a1", "b11") == 1
    assert capsys.readouterr().err == "Little: there is no space b11. Did you mean b1?\n"


def test_render_writes_drawing_to_terminal_or_file(
    valid_map: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("render", valid_map) == 0
    assert capsys.readouterr().out.startswith("<svg ")
    assert run("render", valid_map, "--out", tmp_path / "a.svg", "--sight", "a1", "d1") == 0
    assert "ray" in (tmp_path / "a.svg").read_text()


def size(picture: Path) -> tuple[int, int]:
    """Return the width and height in a PNG's header."""
    content = picture.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")


@pytest.mark.parametrize(
    ("words", "height"), [((), 400), (("--sight", "a1", "d1"), 400), (("--heat",), 430), (("--wiring",), 430)]
)
def test_render_draws_everything_as_png(valid_map: Path, tmp_path: Path, words: tuple[str, ...], height: int) -> None:
    assert run("render", valid_map, "--out", tmp_path / "a.PNG", "--width", 600, *words) == 0
    assert size(tmp_path / "a.PNG") == (600, height)


def test_sight_draws_png_and_prints_result(valid_map: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("sight", valid_map, "c1", "e1", "--out", tmp_path / "blind.png", "--width", 300) == 0
    assert capsys.readouterr().out.startswith("c1 does not see e1. ")
    assert size(tmp_path / "blind.png") == (300, 200)


def test_render_writes_each_overlay_as_svg(valid_map: Path, tmp_path: Path) -> None:
    for overlay in ("heat", "wiring"):
        assert run("render", valid_map, "--out", tmp_path / "a.svg", f"--{overlay}") == 0
        assert f'class="board-map {overlay}"' in (tmp_path / "a.svg").read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--out", "a.pdf"), "'a.pdf' is not the name of a picture. Use a name that ends in .svg or .png."),
        (("--width", "20"), "'20' is not a width. Give 100 to 12000 pixels."),
        (("--width", "wide"), "'wide' is not a width"),
        (("--heat", "--wiring"), "argument --wiring: not allowed with argument --heat"),
    ],
)
def test_render_refuses_invalid_arguments_before_drawing(
    valid_map: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(SystemExit):
        run("render", valid_map, *words)
    assert sentence in capsys.readouterr().err


def test_wiring_numbers_spaces_as_table_does(valid_map: Path, tmp_path: Path) -> None:
    found = maps.load(str(valid_map))
    table = open_board(settle({"board": "simulated"}), found, tmp_path, lambda: 0.0, lambda edge: None)
    assert table.spaces == found.enterable
    assert run("render", valid_map, "--wiring", "--out", tmp_path / "a.svg") == 0
    lamps = parts((tmp_path / "a.svg").read_text(), "lamp")[: len(table.spaces)]
    spots = [(int(lamp.get("cx") or 0), int(lamp.get("cy") or 0)) for lamp in lamps]
    assert spots == [found.spaces[name].spot for name in table.spaces]


@pytest.mark.parametrize("overlay", [(), ("--wiring",)])
def test_drawing_in_its_own_size_is_as_large_as_board(tmp_path: Path, overlay: tuple[str, ...]) -> None:
    assert run("render", "submarine-pens", "--out", tmp_path / "a.svg", *overlay) == 0
    board = maps.load("submarine-pens")
    root = ElementTree.fromstring((tmp_path / "a.svg").read_text())
    across, down = (float(size.removesuffix("mm")) for size in (root.attrib["width"], root.attrib["height"]))
    box = [float(number) for number in root.attrib["viewBox"].split()]
    assert box[:2] == [0, 0]
    assert (across / box[2], down / box[3]) == (0.1, 0.1), "one unit of the map is a tenth of a millimetre"
    assert across == board.size[0] / 10
    if overlay:
        lamps = parts((tmp_path / "a.svg").read_text(), "lamp")
        drawn = {
            tuple(round(float(lamp.get(axis) or 0) * across / box[2], 3) for axis in ("cx", "cy")) for lamp in lamps
        }
        spots = [board.spaces[name].spot for name in board.enterable]
        assert drawn >= {(spot[0] / 10, spot[1] / 10) for spot in spots}, "every lamp is at the spot of its space"


def test_list_names_every_installed_map(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    assert "launch-facility: " in capsys.readouterr().out
