"""A PNG shows the drawing with legible letters, and missing requirements are reported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.graph.fault import MapError
from engine.graph.svg import draw
from maker.png import render_png
from tests.engine.graph.drawings import board, surveyed

FONTS = Path("/usr/share/fonts/truetype/dejavu")


def test_same_drawing_gives_same_picture() -> None:
    drawing = draw(surveyed(board()))
    assert render_png(drawing, 300) == render_png(drawing, 300)


@pytest.mark.skipif(not FONTS.is_dir(), reason="the DejaVu fonts are not where Debian has them")
def test_picture_is_same_with_dejavu_alone_or_more_fonts() -> None:
    drawing = draw(surveyed(board()))
    assert render_png(drawing, 600, FONTS) == render_png(drawing, 600)


def test_letters_are_drawn() -> None:
    drawing = draw(surveyed(board()))
    assert render_png(drawing, 600) != render_png(drawing.replace("<text", "<desc").replace("</text", "</desc"), 600)


def test_missing_fonts_are_reported_with_remedy(tmp_path: Path) -> None:
    with pytest.raises(
        MapError, match=r"none of these fonts is installed: DejaVu Sans, .*apt-get install fonts-dejavu"
    ):
        render_png(draw(surveyed(board())), 300, tmp_path)


def test_missing_renderer_is_reported_with_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MapError, match=r"resvg, which is not installed\. Install it with: pip install -e"):
        render_png(draw(surveyed(board())), 300)


def test_playing_on_compiled_map_imports_neither_numpy_nor_renderer() -> None:
    asked = "; ".join(
        (
            "import sys; from firmware_host.app import cli; from firmware_host.core import maps",
            "found = maps.load('launch-facility')",
            "seen = sum(found.sight(a, b) is not None for a in found.spaces for b in found.spaces)",
            "print(seen > len(found.spaces), *sorted({'numpy', 'resvg_py'} & set(sys.modules)))",
        )
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
