"""The included maps are the drawings of their layouts."""

from __future__ import annotations

import pytest

from firmware_host.core import maps
from maker.mapping.drawing import draw_layout


@pytest.mark.parametrize("name", ["launch-facility", "submarine-pens"])
def test_layout_draws_the_map(name: str) -> None:
    stored = (maps.FOLDER / name / maps.DRAWING).read_text("utf-8")
    assert stored == draw_layout(name), f"run: python -m maker.mapping.drawing {name}"
