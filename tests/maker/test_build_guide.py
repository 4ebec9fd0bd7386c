"""The build guide: each step has a picture, what can go wrong, and a test; its pictures are those of the kit."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from maker.drawings import kit_pictures
from maker.drawings.kit_pictures import FLOOR_KEY, FOLDER, draw_chip, draw_feeds, draw_floor, draw_maps, draw_rings
from maker.kit import chain, parts
from maker.kit.choices import Choices
from tests.maker.test_stack import Laid, laid

DOCS = FOLDER.parent
GUIDE = (DOCS / "build-guide.md").read_text("utf-8")
PICTURE = re.compile(r'!\[[^\]]+\]\(([^)]+)\)|<img src="([^"]+)" alt="[^"]+"')


def steps() -> dict[str, str]:
    """Return the guide's steps by title."""
    found = re.split(r"^## (.+)\n", GUIDE, flags=re.MULTILINE)[1:]
    return dict(zip(found[::2], found[1::2], strict=True))


def pictures(text: str) -> list[str]:
    return [one or other for one, other in PICTURE.findall(text)]


@pytest.mark.parametrize("title", steps())
def test_each_step_has_a_picture_what_can_go_wrong_and_a_test_in_this_order(title: str) -> None:
    text = steps()[title]
    wrong, test = text.index("**What can go wrong**"), text.index("**Test before you go on**")
    assert 0 < wrong < test
    assert pictures(text)


def test_steps_are_numbered_and_their_pictures_exist() -> None:
    assert [int(title.split(".")[0]) for title in steps()] == list(range(1, 11))
    assert [name for name in pictures(GUIDE) if not (DOCS / name).exists()] == []
    assert {path.name for path in FOLDER.iterdir()} == {
        Path(name).name for name in pictures(GUIDE) if name[:4] == "kit/"
    }


@pytest.fixture(scope="module")
def kit() -> Laid:
    return laid(kit_pictures.MAP, Choices())


def test_floor_shows_every_screw_of_the_parts_list(kit: Laid) -> None:
    board, holes, found = kit
    spacer, holding, cables = (draw_floor(board, found).count(f'fill="{colour}"') - 1 for colour, _ in FLOOR_KEY)
    bought = {
        part.name: part.count for part in parts.list_parts(parts.count_parts(board, holes, found, Choices()), Choices())
    }
    assert (spacer, spacer + holding, cables) == (bought["spacers"], bought["screws from below"], 1)


def test_floor_is_seen_from_below(kit: Laid) -> None:
    board, _, found = kit
    x, y = found.cables
    assert f'cx="{board.size[0] / 10 - x:.1f}" cy="{y:.1f}" r="{chain.CABLE_HOLE / 2:g}"' in draw_floor(board, found)


def test_every_space_has_a_ring_and_one_has_a_base(kit: Laid) -> None:
    board, holes, _ = kit
    drawn = draw_rings(board, holes)
    assert drawn.count("stroke-opacity:.55") == len(board.enterable)
    assert drawn.count("stroke-dasharray:16 12") == 1


def test_each_sensor_of_a_chip_is_drawn_with_its_input_and_length(kit: Laid) -> None:
    board, holes, found = kit
    cuts = {cut.start: cut for cut in chain.list_wires(holes, found, Choices()) if cut.colour == "white"}
    for chip in (found.chips[0], found.chips[-1]):
        drawn = re.sub("<[^>]+>", "|", draw_chip(board, found, chip.number))
        inputs = [hole for hole in chip.inputs if hole is not None]
        assert inputs
        for letter, hole in zip("ABCDEFGH", chip.inputs, strict=True):
            if hole is not None:
                cut = cuts[f"sensor {hole.sensor} ({hole.space})"]
                assert cut.end == f"chip {chip.number} input {letter}"
                assert f"|S{hole.sensor} ({hole.space}) → {letter}|" in drawn
                assert f"|{cut.length} mm|" in drawn


def test_every_feed_is_drawn_with_its_length(kit: Laid) -> None:
    board, holes, found = kit
    feeds = [cut for cut in chain.list_wires(holes, found, Choices()) if cut.what == "feed"]
    drawn = re.findall(r"lamp \d+ \(\w+\), \d+ mm", draw_feeds(board, holes, found))
    assert {*drawn} == {f"{cut.end.removesuffix(' 5 V and GND')}, {cut.length} mm" for cut in feeds}
    assert len(feeds) == 6, "the guide says so"


def test_maps_are_drawn_with_their_spaces_and_size() -> None:
    assert re.findall(r">([^<>]+: \d+ spaces, [^<>]+)</text>", draw_maps()) == [
        "Launch Facility: 127 spaces, 841 × 594 mm",
        "Submarine Pens: 121 spaces, 841 × 594 mm",
    ]


@pytest.mark.nightly
def test_pictures_of_the_kit_are_current(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kit_pictures, "FOLDER", tmp_path)
    kit_pictures.main()

    def small(path: Path) -> Image.Image:
        # Fonts and renderers differ a little from machine to machine.
        return Image.open(io.BytesIO(path.read_bytes())).convert("RGB").resize((100, 70), Image.Resampling.BOX)

    for path in FOLDER.iterdir():
        difference = ImageStat.Stat(ImageChops.difference(small(path), small(tmp_path / path.name)))
        assert max(difference.mean) < 3, f"{path.name}: python -m maker.drawings.kit_pictures"
