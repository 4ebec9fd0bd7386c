"""Maps are found by name or path, played from their tables, and never silently from stale ones."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from engine.graph.compiled import dump
from engine.graph.fault import MapError
from firmware_host.core import maps
from maker.mapping import drawings
from tests.engine.graph.drawings import Sheet, board, row


def written(sheet: Sheet, path: Path) -> Path:
    """Write the sheet to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(sheet.document()))
    return path


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    """A folder of maps with one compiled map, `harbour`."""
    drawing = written(board(), tmp_path / "harbour" / maps.DRAWING)
    drawing.with_name(maps.COMPILED).write_bytes(dump(drawings.compile_drawing(drawing, "board")))
    return tmp_path


def test_named_map_has_all_its_tables(harbour: Path) -> None:
    found = maps.load("harbour", harbour)
    assert found.distance("a1", "c1") == 2
    assert maps.drawn(harbour) == ["harbour"]
    assert maps.names(harbour)[0] == "harbour"
    assert (found.name, len(found.spaces)) == ("Little", 24)


def test_same_map_is_read_once(harbour: Path) -> None:
    assert maps.load("harbour", harbour) is maps.load("harbour", harbour)


def test_unknown_name_is_reported_with_known_maps_and_nearest_one(harbour: Path) -> None:
    with pytest.raises(MapError) as broken:
        maps.load("habour", harbour)
    assert str(broken.value) == (
        f"habour: there is no such map. Known: {', '.join(maps.names(harbour))}; or give the path of a .geojson file. "
        "Did you mean harbour?"
    )


def test_map_changed_since_compilation_is_reported_with_command(harbour: Path) -> None:
    sheet = board()
    sheet.said("a1")["name"] = "Pier"
    written(sheet, harbour / "harbour" / maps.DRAWING)
    with pytest.raises(MapError, match=r"has changed since it was compiled\. Run: sniperboard map compile harbour"):
        maps.load("harbour", harbour)


def test_uncompiled_map_is_reported_with_command(harbour: Path) -> None:
    (harbour / "harbour" / maps.COMPILED).unlink()
    written(row("open", "water"), harbour / "harbour" / maps.DRAWING)
    with pytest.raises(MapError, match=r"the map is not compiled yet\. Run: sniperboard map compile harbour"):
        maps.load("harbour", harbour)


def test_drawing_given_by_path_is_checked_loosely_and_compiled(tmp_path: Path) -> None:
    sheet = row("open", "water", "open", "open")
    sheet.entry("a", (0, 50))
    sheet.access("door", "b", "c", (200, 50))
    path = written(sheet, tmp_path / "strip.geojson")
    with pytest.raises(MapError, match="door b-c at \\(200, 50\\): nobody can enter b"):
        maps.load(str(path))
    sheet.drop_access("b")
    sheet.entry("c", (300, 100))["properties"]["entry"] = "c"
    sheet.drop_entry("a")
    sheet.said("a")["kind"] = "water"
    sheet.said("a")["sector"] = None
    found = maps.load(str(written(sheet, path)))
    assert found.distance("a", "d") == 3
    assert maps.load(str(path)) is found


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "this is not JSON: the file is empty. Save"),
        (b'{\n"type": NaN}', r"this is not JSON: JSON is malformed: invalid character \(NaN, line 2\)"),
        (b"[" * 100_000, "this is not JSON"),
        (b"\xff\xfe", "this is not JSON"),
        (b"[]", "this is not a GeoJSON FeatureCollection"),
        (b" " * (maps.BIGGEST_FILE + 1), "the file is larger than 16 MB"),
    ],
    ids=["empty", "nan", "deep", "bytes", "list", "huge"],
)
def test_file_that_is_no_map_is_reported(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "x.geojson"
    path.write_bytes(content)
    with pytest.raises(MapError, match=sentence):
        maps.load(str(path))


@pytest.mark.parametrize("name", ["missing.geojson", ".", "a\0b.geojson", "\udc80/x", "/dev/zero"])
def test_unreadable_path_is_reported(tmp_path: Path, name: str) -> None:
    with pytest.raises(MapError, match=r"cannot be read: .*\. Check the path\."):
        maps.load(name if name.startswith("/") else f"{tmp_path}/{name}")


def test_number_of_cached_maps_is_limited(tmp_path: Path) -> None:
    path = tmp_path / "x.geojson"
    for number in range(maps.MAP_CACHE_SIZE + 2):
        sheet = row("open")
        sheet.entry("a", (0, 50))
        sheet.members["name"] = f"Strip {number}"
        maps.load(str(written(sheet, path)))
    assert len(maps._maps_in_memory) <= maps.MAP_CACHE_SIZE


def test_folder_of_map_means_its_drawing(harbour: Path) -> None:
    assert maps.drawing_of(str(harbour / "harbour")) == harbour / "harbour" / maps.DRAWING
    assert maps.drawing_of(str(harbour) + "/") == harbour


def test_byte_order_mark_is_skipped_and_utf_16_is_reported(tmp_path: Path) -> None:
    text = json.dumps(board().document())
    assert drawings.survey_file(text.encode("utf-8-sig"), "", "loose").map.name == "Little"
    for coding in ("utf-16", "utf-16-be"):
        content = text.encode(coding) if coding == "utf-16" else b"\xfe\xff" + text.encode(coding)
        with pytest.raises(MapError, match=r"but UTF-16\. Save the drawing as UTF-8"):
            drawings.survey_file(content, "", "loose")
    with pytest.raises(MapError, match=r"this is not JSON in UTF-8\. Save the drawing as UTF-8\."):
        drawings.survey_file(text.replace("Little", "Caf\xe9").encode("latin-1"), "", "loose")
    with pytest.raises(MapError, match=r"this is a picture, a PDF or compressed, not GeoJSON\."):
        drawings.survey_file(gzip.compress(text.encode()), "", "loose")
    with pytest.raises(MapError, match=r"two versions of the file are merged in it\."):
        drawings.survey_file(f"<<<<<<< HEAD\n{text}".encode(), "", "loose")
    with pytest.raises(MapError, match=r"this is HTML, SVG or other XML, not GeoJSON\."):
        drawings.survey_file("\ufeff\n<!doctype html><p>An error page".encode(), "", "loose")


def test_duplicate_member_of_object_is_refused() -> None:
    text = json.dumps(board().document()).replace('"kind": "open"', '"kind": "water", "kind": "open"', 1)
    with pytest.raises(MapError, match=r'a1: an object has more than one member "kind"\. Keep the one that is meant\.'):
        drawings.survey_file(text.encode(), "", "loose")
