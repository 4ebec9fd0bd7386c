"""`sniperboard map` overwrites only files that it made before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_host.core import maps
from tests.engine.graph.drawings import board
from tests.firmware_host.test_cli_map import run, valid_map
from tests.firmware_host.test_maps import written

__all__ = ["valid_map"]

COMMANDS = [
    pytest.param(("compile",), "out.json", id="compile"),
    pytest.param(("render",), "out.svg", id="render"),
    pytest.param(("sight", "a1", "b1", "--width", "100"), "out.png", id="sight"),
]
Words = tuple[str, ...]


def made(words: Words, drawing: Path, out: Path) -> int:
    """Run one command that writes."""
    return run(words[0], drawing, *words[1:], "--out", out)


@pytest.mark.parametrize(("words", "name"), COMMANDS)
def test_own_file_is_made_again(words: Words, name: str, valid_map: Path, tmp_path: Path) -> None:
    assert made(words, valid_map, tmp_path / name) == 0
    first = (tmp_path / name).read_bytes()
    assert made(words, valid_map, tmp_path / name) == 0
    assert (tmp_path / name).read_bytes() == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["little.geojson", name]


@pytest.mark.parametrize(("words", "name"), COMMANDS)
@pytest.mark.parametrize(
    "content", [b"", b"dear diary", b'{"form": "letter", "map": {}}', b"<svg>my own</svg>", b"\x89PNG\r\n\x1a\nmine"]
)
def test_foreign_file_is_left_alone(
    words: Words, name: str, content: bytes, valid_map: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(content)
    assert made(words, valid_map, tmp_path / name) == 1
    assert (tmp_path / name).read_bytes() == content
    assert "so it is not overwritten. Give another file with --out, or move this one" in capsys.readouterr().err


def test_drawing_is_never_overwritten(valid_map: Path, tmp_path: Path) -> None:
    other = written(board(), tmp_path / "other.geojson")
    before = valid_map.read_bytes()
    assert run("compile", valid_map, "--out", valid_map) == 1
    assert run("compile", valid_map, "--out", other) == 1
    assert run("compile", valid_map, "--out", tmp_path / "." / valid_map.name) == 1
    assert valid_map.read_bytes() == other.read_bytes() == before


def test_drawing_named_like_a_picture_is_not_overwritten(tmp_path: Path) -> None:
    drawing = written(board(), tmp_path / "map.svg")
    before = drawing.read_bytes()
    assert run("render", drawing, "--out", drawing) == 1
    assert drawing.read_bytes() == before


def test_tables_of_another_map_are_left_alone(
    valid_map: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = board()
    sheet.members["slug"] = "other"
    assert run("compile", valid_map) == 0
    before = (tmp_path / maps.COMPILED).read_bytes()
    assert run("compile", written(sheet, tmp_path / "other.geojson")) == 1
    assert (tmp_path / maps.COMPILED).read_bytes() == before
    assert "exists, but is not a compiled table of the map other, so it is not overwritten." in capsys.readouterr().err


def test_tables_next_to_a_map_are_its_own(valid_map: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawing = written(board(), tmp_path / maps.DRAWING)
    assert run("compile", valid_map) == 1
    assert not (tmp_path / maps.COMPILED).exists()
    assert f"the tables of {drawing} belong here, not those of {valid_map}." in capsys.readouterr().err
    assert run("compile", drawing) == 0


@pytest.mark.parametrize(("words", "name"), COMMANDS)
def test_links_folders_and_devices_are_left_alone(
    words: Words, name: str, valid_map: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / name
    out.symlink_to(tmp_path / "elsewhere")
    assert made(words, valid_map, out) == 1
    assert out.is_symlink()
    assert "is a link and is not overwritten." in capsys.readouterr().err
    out.unlink()
    out.mkdir()
    assert made(words, valid_map, out) == 1
    out.rmdir()
    os.mkfifo(out)
    assert made(words, valid_map, out) == 1
    assert out.is_fifo()


@pytest.mark.parametrize("word", ["", ".", "/"])
def test_output_needs_a_file_name(word: str, valid_map: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run("compile", valid_map, "--out", word)
    assert "is not a file name" in capsys.readouterr().err


def test_circular_links_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loop = tmp_path / "loop.geojson"
    loop.symlink_to(loop)
    for words in (("check", loop), ("compile", loop), ("sight", loop, "a1", "b1"), ("render", loop)):
        assert run(*words) == 1
        assert "loop.geojson: cannot be read: " in capsys.readouterr().err
