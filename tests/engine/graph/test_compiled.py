"""A compiled map is complete, always has the same bytes, and is refused if it is something else."""

from __future__ import annotations

import msgspec
import pytest

from engine.graph.compiled import digest, dump, load
from engine.graph.fault import MapError
from engine.graph.model import Map
from maker.mapping.sight import with_sights
from tests.engine.graph.drawings import board, surveyed
from tests.engine.graph.random_maps import random_map


@pytest.mark.parametrize("seed", range(3))
def test_map_survives_the_round_trip(seed: int) -> None:
    found = with_sights(random_map(seed))
    assert load(dump(found)) == found


def test_same_map_gives_the_same_bytes() -> None:
    sheet = board()
    sheet.members["marks"] = {"access": {"red": {"yellow": ["c1"]}}}
    sheet.members["name"] = 'A "name" },{ with \\ signs'
    found = with_sights(surveyed(sheet))
    assert dump(found) == dump(load(dump(found)))


def test_each_space_and_sight_list_has_its_own_line() -> None:
    lines = dump(with_sights(surveyed(board()))).decode().splitlines()
    assert sum(line.startswith('"a1":') for line in lines) == 2


@pytest.mark.parametrize("text", [b"", b"{}", b'{"form":"compiled-map/0","map":{}}', b"\xff", b"[" * 100_000])
def test_invalid_compiled_map_is_reported(text: bytes) -> None:
    with pytest.raises(MapError, match=r"compiled.json: .*Compile the map again\."):
        load(text, "maps/harbour/compiled.json")


def test_unknown_format_version_is_reported() -> None:
    text = dump(surveyed(board())).replace(b"compiled-map/2", b"compiled-map/0")
    with pytest.raises(MapError, match="it has the form 'compiled-map/0'"):
        load(text)


def test_first_format_version_can_be_read() -> None:
    sheet = board()
    sheet.members["marks"] = {"access": {"red": {"yellow": ["c1"]}}}
    found = with_sights(surveyed(sheet))
    assert load(dump_of_first_form(found)) == found
    with pytest.raises(MapError, match=r"this is not a compiled map .*Compile the map again\."):
        load(dump_of_first_form(found).replace(b'"entry_points"', b'"points"'))


def dump_of_first_form(found: Map) -> bytes:
    """Return the map in the first format, from before games read maps themselves."""
    old = msgspec.to_builtins(found)
    entries = old.pop("entries")
    sectors = [found.spaces[entry["space"]].sector for entry in entries]
    old["entries"] = dict(zip(sectors, (entry["space"] for entry in entries), strict=True))
    old["entry_points"] = dict(zip(sectors, (entry["at"] for entry in entries), strict=True))
    for space in old["spaces"].values():
        space |= space.pop("properties", {})
    old |= {"starts": {}, "objectives": {}, **old.pop("members")}
    return msgspec.json.encode({"form": "compiled-map/1", "map": old})


def test_source_is_identified_by_its_sha256() -> None:
    assert digest(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
