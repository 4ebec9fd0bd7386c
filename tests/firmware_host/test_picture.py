"""A PNG is the drawing with legible letters, and what is missing for it is said."""

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


def test_the_same_drawing_gives_the_same_picture() -> None:
    drawing = draw(surveyed(board()))
    assert render_png(drawing, 300) == render_png(drawing, 300)


@pytest.mark.skipif(not FONTS.is_dir(), reason="the DejaVu fonts are not where Debian has them")
def test_a_machine_with_dejavu_alone_makes_the_same_picture_as_one_with_more_fonts() -> None:
    drawing = draw(surveyed(board()))
    assert render_png(drawing, 600, FONTS) == render_png(drawing, 600)


def test_letters_are_drawn() -> None:
    drawing = draw(surveyed(board()))
    assert render_png(drawing, 600) != render_png(drawing.replace("<text", "<desc").replace("</text", "</desc"), 600)


def test_without_any_font_nothing_is_drawn_and_the_remedy_is_said(tmp_path: Path) -> None:
    with pytest.raises(
        MapError, match=r"none of these fonts is installed: DejaVu Sans, .*apt-get install fonts-dejavu"
    ):
        render_png(draw(surveyed(board())), 300, tmp_path)


def test_without_the_renderer_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MapError, match=r"resvg, which is not installed\. Install it with: pip install -e"):
        render_png(draw(surveyed(board())), 300)


def test_playing_on_a_compiled_map_imports_neither_numpy_nor_the_renderer() -> None:
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
