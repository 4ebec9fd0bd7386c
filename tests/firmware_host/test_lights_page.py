"""docs/lights.md and its pictures match the code."""

from __future__ import annotations

from firmware_host.core import lamp_colours as lights
from firmware_host.core.lamp_colours import PALETTES
from tools import lights_page

LIGHTS = {
    name: light for show in lights_page.included_shows() for name, light in {**lights.LIGHTS, **show.lights}.items()
}


def test_docs_match_code() -> None:
    stale = [path.name for path, text in lights_page.files().items() if path.read_text("utf-8") != text]
    assert stale == [], "update it: python -m tools.lights_page"


def test_page_lists_every_cue_rhythm_and_palette() -> None:
    page = lights_page.page()
    for name, light in LIGHTS.items():
        assert f"| {name} | {light.role} | {light.rhythm.name} | {light.weight} | {light.meaning} |" in page
        assert f"| {light.rhythm.name} | {light.rhythm.levels} | {light.rhythm.step_ms} ms |" in page
    assert all(f"lights/{palette}.svg" in page for palette in PALETTES)


def test_picture_shows_colour_of_each_cue() -> None:
    picture = lights_page.palette_svg("night")
    assert all(f">{name}</text>" in picture for name in LIGHTS)
    assert "#ff0000" in picture, "danger, at its full"
