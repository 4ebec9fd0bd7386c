"""The pictures of the screens match the tour and are small."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web_panel.conftest import Panel
from tools.screens import DOCS, page
from tools.showroom import shown_network
from tools.tour import tour

ROOM = 6_500_000
"""Bytes that all pictures together may take."""


def test_page_shows_every_scene_of_the_tour(tmp_path: Path) -> None:
    panel = Panel(tmp_path, network=shown_network())
    try:
        assert (DOCS / "screens.md").read_text("utf-8") == page(tour(panel)), "make screenshots"
    finally:
        panel.stop()


def test_every_picture_is_shown_and_all_are_small() -> None:
    shown = set(re.findall(r'src="screens/([^"]+)"', (DOCS / "screens.md").read_text("utf-8")))
    kept = {path.name: path.stat().st_size for path in (DOCS / "screens").iterdir()}

    assert kept.keys() == shown
    assert sum(kept.values()) < ROOM
