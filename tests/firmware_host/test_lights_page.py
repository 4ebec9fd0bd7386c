"""docs/lights.md says what the code says."""

from __future__ import annotations

from pathlib import Path

from firmware_host.lights import LIGHTS, PALETTES
from firmware_host.scene import CHANNEL_MA, IDLE_MA

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "lights.md").read_text("utf-8")


def rows_below(heading: str) -> list[tuple[str, ...]]:
    """The table in a section of the page, without its head."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines[2:]]


def test_the_page_shows_every_cue_as_it_is() -> None:
    told = {(name, light.role, light.rhythm.name, str(light.weight), light.meaning) for name, light in LIGHTS.items()}
    assert set(rows_below("Cues")) == told


def test_the_page_shows_every_rhythm_as_it_is() -> None:
    told = {
        (rhythm.name, rhythm.levels, f"{rhythm.step_ms} ms") for rhythm in (light.rhythm for light in LIGHTS.values())
    }
    assert {row[:3] for row in rows_below("Rhythms")} == told


def test_the_page_shows_every_palette_as_it_is() -> None:
    for role, *shown in rows_below("Palettes"):
        assert shown == ["#{:02x}{:02x}{:02x}".format(*palette[role]) for palette in PALETTES.values()]
    assert {row[0] for row in rows_below("Palettes")} == set(PALETTES["night"])


def test_the_page_tells_the_currents_that_are_reckoned_with() -> None:
    assert f"{CHANNEL_MA:.0f} mA for each" in " ".join(PAGE.split())
    assert f"{IDLE_MA:.0f} mA for a lamp at rest" in " ".join(PAGE.split())
