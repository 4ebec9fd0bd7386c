"""A kit for a small map, made once for the tests of a process."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from engine.graph.model import Map
from firmware_host.board.wiring import default_wiring
from maker.kit.choices import Choices
from maker.kit_output import folder
from maker.mapping import drawings
from tests.engine.graph.drawings import board as little_drawing
from tests.firmware_host.test_maps import written


@pytest.fixture(scope="session")
def small_map(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(little_drawing(), tmp_path_factory.mktemp("drawn") / "little.geojson")


@pytest.fixture(scope="session")
def board(small_map: Path) -> Map:
    return drawings.survey_named(str(small_map), "loose").map


@pytest.fixture(scope="session")
def kit(small_map: Path, board: Map) -> Callable[[Choices], dict[str, bytes]]:
    """Make the kit of some choices, once for each of them."""
    wiring, drawing = default_wiring(board), small_map.read_bytes()
    return cache(lambda choices: folder.make_kit(board, wiring, choices, drawing))


@pytest.fixture(scope="session")
def made(kit: Callable[[Choices], dict[str, bytes]]) -> dict[str, bytes]:
    return kit(Choices())
