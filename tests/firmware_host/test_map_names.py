"""Maps use the language of the screens: names of spaces, and nothing else."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from engine.graph.fault import MapError
from firmware_host.api.legend import map_svg
from firmware_host.core import maps
from firmware_host.core.maps import LONGEST_NAME, read_names, translate_names
from web_panel.language import DEFAULT, codes

DRAWN = maps.drawn()


@pytest.mark.parametrize("slug", DRAWN)
@pytest.mark.parametrize("code", [code for code in codes() if code != DEFAULT])
def test_every_space_of_installed_maps_has_name_in_every_language(slug: str, code: str) -> None:
    board = maps.load(slug)
    known = read_names(maps.FOLDER / slug / f"names.{code}.toml", board)

    assert known.keys() == {space.name for space in board.spaces.values() if space.name}
    told = translate_names(board, code)
    assert [space.name for space in told.spaces.values()] == [
        known.get(str(space.name)) for space in board.spaces.values()
    ]
    assert (told.adjacent, told.sights, told.slug) == (board.adjacent, board.sights, board.slug)


def test_drawing_has_names_of_its_language_and_same_ids() -> None:
    english, polish = map_svg("launch-facility"), map_svg("launch-facility", "pl")

    assert 'data-name="Gatekeeper"' in english
    assert 'data-name="Gatekeeper"' not in polish
    assert 'data-name="Odźwierny"' in polish
    assert english.count("data-space=") == polish.count("data-space=")
    assert map_svg("launch-facility", "xx") == english


BROKEN = {
    "nonsense": ("names = [", "cannot be read"),
    "no table": ("[other]\n", "cannot be read"),
    "not a text": ('[names]\n"Gantry" = 3\n', "cannot be read"),
    "unknown": ('[names]\n"Gantree" = "Suwnica"\n', "'Gantree' is not the name of a space on this map"),
    "empty": ('[names]\n"Gantry" = " "\n', "write 1 to 40 characters"),
    "too long": (f'[names]\n"Gantry" = "{"a" * (LONGEST_NAME + 1)}"\n', "write 1 to 40 characters"),
}


@pytest.mark.parametrize("text", BROKEN)
def test_faulty_names_file_is_reported_and_map_keeps_own_names(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    written, why = BROKEN[text]
    folder = tmp_path / "launch-facility"
    folder.mkdir()
    (folder / "names.pl.toml").write_text(written, "utf-8")
    board = maps.load("launch-facility")

    with pytest.raises(MapError, match=r"names\.pl\.toml") as caught:
        read_names(folder / "names.pl.toml", board)
    assert why in str(caught.value)
    with caplog.at_level(logging.ERROR, "firmware_host"):
        assert translate_names(board, "pl", tmp_path) == board
    assert why in caplog.text
