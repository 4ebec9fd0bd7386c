"""The map editor in a real Chromium: a shipped map redrawn with mouse and keys, import and export, accessibility."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import dist
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, expect

from engine.graph.builder import rectangle, space
from engine.graph.builder import sheet as sheet_of
from engine.graph.check import check
from engine.graph.derive import derive
from engine.graph.geojson import read_drawing
from engine.graph.model import Map
from engine.graph.svg import draw
from firmware_host.core import maps
from maker.mapping.sight import with_sights
from maker.png import render_png
from tests.depth import DEPTH
from tests.web_panel.drafting import SEEN, Draughtsman, bare, editing, redraw
from tests.web_panel.looks import OUT_OF_REACH, PALE, expect_readable
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_toast, expect_value, middle

pytestmark = IN_CHROMIUM

NEAR = 1
"""Tolerance of a corner in tenths of a millimetre: the size of a pixel while drawing."""
COMPILING = 60_000
"""Milliseconds that compiling a map may take on a busy machine."""


def same_ring(one: list[list[int]], other: list[list[int]]) -> bool:
    return len(one) == len(other) and all(dist(a, b) <= NEAR for a, b in zip(one, other, strict=True))


def words(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties of a feature without places; a door leads both ways."""
    return {**said, "spot": "spot" in said, "between": sorted(said.get("between", ()))}


def alike(drawn: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Check that the drawing matches the original: texts exactly, places within the tolerance."""
    for one, other in zip(drawn["features"], wanted["features"], strict=True):
        said = one["properties"]
        assert words(said) == words(other["properties"])
        assert dist(said.get("spot", (0, 0)), other["properties"].get("spot", (0, 0))) <= NEAR
        if one["geometry"]["type"] == "Polygon":
            assert same_ring(one["geometry"]["coordinates"][0], other["geometry"]["coordinates"][0]), said
        else:
            assert dist(one["geometry"]["coordinates"], other["geometry"]["coordinates"]) <= NEAR, said


def play_alike(drawn: Map, wanted: Map) -> None:
    """Check that two maps, compiled, are the same for a game."""
    assert drawn.adjacent == wanted.adjacent
    assert drawn.matching == wanted.matching
    assert drawn.walk == wanted.walk
    assert distances(drawn) == distances(wanted)


def distances(board: Map) -> dict[str, dict[str, int]]:
    return {a: {b: seen.distance for b, seen in row.items()} for a, row in board.sights.items()}


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    return tmp_path / "pens" / maps.DRAWING


def ours(slug: str) -> Path:
    return maps.FOLDER / slug / maps.DRAWING


def photo_of_map(wanted: Mapping[str, Any], path: Path) -> Path:
    """Return a picture of a map that serves as a photo of its board."""
    path.write_bytes(render_png(draw(derive(read_drawing(wanted))), 800))
    return path


@pytest.fixture
def screen(browser: Browser) -> Screen:
    return Screen(browser, (1024, 768))


def red_part(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the red sector of a map, with its doors, ladders, tunnels and entries."""
    red = {it["properties"]["id"] for it in document["features"] if it["properties"].get("sector") == "red"}

    def is_inside(said: Mapping[str, Any]) -> bool:
        names = said.get("between") or [said.get("id") or said.get("entry")]
        return red.issuperset(names)

    return {**document, "features": [it for it in document["features"] if is_inside(it["properties"])]}


@pytest.mark.nightly
def test_part_of_map_drawn_over_photo_plays_alike(screen: Screen, tmp_path: Path) -> None:
    wanted = red_part(json.loads(ours("submarine-pens").read_text("utf-8")))
    sheet = tmp_path / maps.DRAWING
    sheet.write_text(json.dumps(bare(wanted)), "utf-8")
    with editing(sheet, photo_of_map(wanted, tmp_path / "photo.png")) as address:
        hand = Draughtsman(screen, address)
        expect(screen["photo-below"]).to_be_visible()
        redraw(hand, wanted)
        hand.save()

    drawn = json.loads(sheet.read_text("utf-8"))
    alike(drawn, wanted)
    play_alike(with_sights(derive(read_drawing(drawn))), with_sights(derive(read_drawing(wanted))))


@pytest.mark.nightly
@pytest.mark.parametrize("slug", maps.drawn())
def test_whole_map_redrawn_over_photo_matches_original(screen: Screen, tmp_path: Path, slug: str) -> None:
    wanted = json.loads(ours(slug).read_text("utf-8"))
    sheet = tmp_path / slug / maps.DRAWING
    sheet.parent.mkdir()
    sheet.write_text(json.dumps(bare(wanted)), "utf-8")
    with editing(sheet, photo_of_map(wanted, tmp_path / "photo.png")) as address:
        hand = Draughtsman(screen, address)
        expect(screen["photo-below"]).to_be_visible()
        redraw(hand, wanted)
        hand.save(COMPILING)
        screen.says("verdict", "No problems")

    alike(json.loads(sheet.read_text("utf-8")), wanted)
    play_alike(maps.load(slug, tmp_path), maps.load(slug))


# --- files --------------------------------------------------------------------------------------------------------


def exported(hand: Draughtsman, path: Path) -> Path:
    hand.screen.press("more")
    with hand.page.expect_download() as got:
        hand.screen.press("svg-out")
    got.value.save_as(path)
    return path


IMPORTED = """() => [...toasted, document.querySelector("[data-testid=svg-report]")?.textContent ?? ""]
  .some((it) => it.includes("Imported"))"""


def taken_in(hand: Draughtsman, path: Path) -> None:
    hand.screen["svg-file"].set_input_files(path)
    expect_value(hand.page, IMPORTED)


@pytest.mark.parametrize("slug", maps.drawn() if DEPTH > 1 else ["submarine-pens"])
def test_map_survives_editor_and_svg_byte_for_byte(screen: Screen, tmp_path: Path, slug: str) -> None:
    copy = tmp_path / "copy.geojson"
    copy.write_bytes(ours(slug).read_bytes())
    with editing(copy) as address:
        hand = Draughtsman(screen, address)
        svg = exported(hand, tmp_path / "out.svg")
        taken_in(hand, svg)
        hand.save()

    assert copy.read_bytes() == ours(slug).read_bytes()
    assert not [*tmp_path.glob("*.bak")]


INKSCAPE = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
 width="200mm" height="100mm" viewBox="0 0 200 100">
<g inkscape:groupmode="layer" inkscape:label="Open red" transform="translate(10 0)">
 <path inkscape:label="R7" d="m -10 0 h 60 v 50 l -60,0.3 z"/>
 <rect id="beside" x="50.4" y="0" width="50" height="50"/>
</g>
<g inkscape:groupmode="layer" inkscape:label="Water"><path d="M0 50 L60 50 C 60 80 30 100 0 100 Z"/></g>
<polygon class="elevated black" points="110,0 200,0 200,50 110,50"/>
<g inkscape:label="notes"><rect id="frame" x="1" y="1" width="9" height="9"/><text>hello</text></g>
<path class="open" id="ring" d="M0 0H90V90H0Z M10 10H20V20H10Z"/>
<path class="open" id="line" d="M0 0L5 5"/>
<script>document.title = "taken over"</script>
</svg>"""


def test_svg_of_drawing_program_is_imported_with_report(screen: Screen, sheet: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "inkscape.svg"
    foreign.write_text(INKSCAPE, "utf-8")
    with editing(sheet) as address:
        hand = Draughtsman(screen, address)
        screen.press("map-done")
        taken_in(hand, foreign)
        report = screen["svg-report"]
        expect(report).to_contain_text("Imported: 4 spaces")
        expect(report).to_contain_text("1 shape has a hole or several parts and was skipped: ring")
        expect(report).to_contain_text("1 line is not a closed outline and was skipped: line")
        expect(report).to_contain_text("1 shape doesn't say its kind and was skipped: frame")
        expect(report).to_contain_text("1 text or picture was skipped")
        screen.press("svg-report-close")
        assert "taken over" not in hand.page.title()
        hand.save()

    drawing = read_drawing(json.loads(sheet.read_text("utf-8")))
    kinds = {space.id: (space.kind, space.sector) for space in drawing.spaces}
    assert kinds == {
        "R7": ("open", "red"), "R1": ("open", "red"), "~1": ("water", None), "K1": ("elevated", "black"),
    }  # fmt: skip
    assert drawing.size == (2000, 1000)
    board = derive(drawing)
    assert set(board.adjacent["R1"]) == {"R7", "K1"}  # 0.4 mm apart, so they are joined
    assert board.adjacent["~1"] == ("R7",)
    assert 12 < len(board.spaces["~1"].outline) < 60  # the curve, as corners


# --- drawing ------------------------------------------------------------------------------------------------------

SQUARE = 1000


def squares(columns: int, rows: int) -> dict[str, Any]:
    """Return a small board of open squares, each of 100 mm, with an arrow into the first."""
    width, height = columns * SQUARE, rows * SQUARE
    spaces = [
        space(f"Y{row * columns + column + 1}", rectangle(x, y, x + SQUARE, y + SQUARE), sector="yellow")
        for row, y in enumerate(range(0, height, SQUARE))
        for column, x in enumerate(range(0, width, SQUARE))
    ]
    arrow = {"type": "Feature", "properties": {"entry": "Y1"}, "geometry": {"type": "Point", "coordinates": [0, 500]}}
    return sheet_of("squares", "Squares", (width, height), [*spaces, arrow], ("yellow", "white"))


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path, drawing = tmp_path / "squares.geojson", squares(3, 2)
    for feature in drawing["features"][::6]:  # a space and the arrow, as QGIS saves them
        shape = feature["geometry"]
        shape |= {"type": f"Multi{shape['type']}", "coordinates": [shape["coordinates"]]}
    path.write_text(json.dumps(drawing), "utf-8")
    return path


def drawn_in(path: Path) -> Map:
    return derive(read_drawing(json.loads(path.read_text("utf-8"))))


def test_borders_stay_shared_and_every_step_can_be_undone(screen: Screen, board: Path) -> None:
    with editing(board) as address:
        hand = Draughtsman(screen, address)
        page = hand.page
        hand.show([(0, 0), (3000, 2000)])
        hand.press((500, 500))
        hand.pull((1000, 1000), (1200, 900))  # a corner of four spaces
        hand.press((500, 500))
        hand.pull((600, 950), (620, 1100))  # the dot on the border of two
        hand.tool("split")
        hand.press((2400, 0))
        hand.press((2400, 1000))
        hand.tool("door")
        hand.press((2400, 500))
        hand.tool("select")
        hand.press((2400, 500))
        screen.says("selection", "Door Y3 – Y7")
        hand.press((500, 500))
        hand.press((1200, 900))
        expect(screen["corner-x"]).to_have_value("120")
        page.keyboard.press("Shift+ArrowRight")
        expect(screen["corner-x"]).to_have_value("121")
        screen["corner-y"].fill("95,5")
        screen["corner-y"].press("Enter")
        hand.press((500, 1600))
        page.keyboard.down("Shift")
        hand.press((1600, 1600))
        page.keyboard.up("Shift")
        screen.press("merge")
        hand.save()
        after = board.read_bytes()
        found = drawn_in(board)
        assert (1210, 955) in found.spaces["Y2"].outline
        assert (620, 1100) in found.spaces["Y1"].outline
        assert set(found.adjacent["Y4"]) >= {"Y1", "Y2"}
        assert "Y5" not in found.spaces
        assert found.adjacent["Y7"] == ("Y2", "Y3", "Y6")
        assert [access.between for access in found.accesses] == [("Y3", "Y7")]
        assert check(read_drawing(json.loads(after)), "loose").faults == ()

        while screen["undo"].is_enabled():
            page.keyboard.press("Control+z")
        hand.save()
        assert drawn_in(board) == derive(read_drawing(json.loads(json.dumps(squares(3, 2)))))
        while screen["redo"].is_enabled():
            page.keyboard.press("Control+y")
        hand.save()
    assert board.read_bytes() == after


def test_close_corners_stay_separate_and_right_button_draws_nothing(screen: Screen, board: Path) -> None:
    wanted = squares(2, 1)
    first, second = (it["geometry"]["coordinates"][0] for it in wanted["features"][:2])
    first.insert(2, [SQUARE, SQUARE - 1])  # 0.1 mm from the lower corner, which the second space doesn't have
    second[:] = [[SQUARE, 0], [2 * SQUARE, 0], [2 * SQUARE, SQUARE], [SQUARE, SQUARE - 1], [SQUARE, 0]]
    board.write_text(json.dumps(bare(wanted)), "utf-8")
    with editing(board) as address:
        hand = Draughtsman(screen, address)
        redraw(hand, wanted)
        hand.tool("draw")
        hand.page.keyboard.press("0")
        hand.page.mouse.click(*hand.look().px((1500, 500)), button="right")
        hand.press((1600, 600))
        expect(hand.page.locator(".dot")).to_have_count(1)
        hand.save()
    alike(json.loads(board.read_text("utf-8")), wanted)


def test_mistake_is_reported_and_field_is_restored(screen: Screen, board: Path) -> None:
    with editing(board) as address:
        hand = Draughtsman(screen, address)
        page = hand.page
        hand.show([(0, 0), (3000, 2000)])
        hand.press((500, 500))
        for field, wrong, right, sentence in (
            ("space-id", "a b", "Y1", "can't be a label"),
            ("space-objective", "12", "", "1 to 9"),
        ):
            screen[field].fill(wrong)
            screen[field].press("Enter")
            expect_toast(page, sentence)
            expect(screen[field]).to_have_value(right)
        screen["space-objective"].fill("4")
        screen["space-objective"].press("Enter")
        hand.wait("[data-kept=yes]")
        page.keyboard.press("Control+z")  # the focus is still in the field
        expect(screen["space-objective"]).to_have_value("")
        hand.tool("draw")
        hand.press((1500, 500))
        hand.press((1700, 500))
        page.keyboard.press("Enter")
        expect_toast(page, "three corners")
        expect(page.locator(".dot")).to_have_count(2)


def test_empty_board_says_where_to_begin(screen: Screen, sheet: Path) -> None:
    with editing(sheet) as address:
        Draughtsman(screen, address)
        screen.press("map-done")
        screen.says("hint", "choose Draw")
        screen.says("checks", "Draw the first space")
        expect(screen["fault"]).to_have_count(0)


def test_one_finger_draws_and_two_fingers_zoom(browser: Browser, board: Path) -> None:
    empty = squares(3, 2)
    empty["features"] = empty["features"][:1]
    board.write_text(json.dumps(empty), "utf-8")
    screen = Screen(browser, (1024, 768), has_touch=True)
    with editing(board) as address:
        hand = Draughtsman(screen, address)
        hand.tool("draw")
        for place in ((1000, 0), (2000, 0), (1980, 980), (1012, 1006), (1000, 0)):
            screen.page.touchscreen.tap(*hand.view.px(place))
        hand.wait("[data-spaces='2']")
        before = hand.look().scale
        (x, y), session = hand.view.px((1500, 1000)), screen.page.context.new_cdp_session(screen.page)
        for kind, apart in (("touchStart", 60), ("touchMove", 90), ("touchMove", 120)):
            points = [{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect_value(screen.page, f"({SEEN})()[2] < {before * 0.6}")
        hand.wait("[data-spaces='2']")
        hand.save()
    found = drawn_in(board)
    assert found.adjacent == {"Y1": ("Y2",), "Y2": ("Y1",)}
    assert len(found.spaces["Y2"].outline) == 4


def test_unsaved_drawing_is_restored_and_changed_file_is_kept(screen: Screen, board: Path) -> None:
    with editing(board) as address:
        hand = Draughtsman(screen, address)
        hand.press((500, 500))
        page = hand.page
        page.keyboard.press("Delete")
        hand.wait("[data-kept=yes]")
        page.close()
    again = Screen(page.context.browser, (1280, 800))  # type: ignore[arg-type]
    theirs = json.dumps(squares(3, 1))
    with editing(board) as address:
        hand = Draughtsman(again, address)
        again.says("state", "Stored as a draft")
        hand.wait("[data-spaces='5']")
        hand.checked()
        again.says("verdict", "to fix")
        board.write_text(theirs, "utf-8")
        again.press("save")
        again.says("confirm-dialog", "changed by another program")
        again.says("confirm-no", "Cancel")
        again.says("confirm-yes", "Save mine")
        again.press("confirm-yes")
        hand.wait("[data-saved=yes]")
    assert len(drawn_in(board).spaces) == 5
    assert board.with_name(f"{board.name}.1.bak").read_text("utf-8") == theirs
    assert not board.with_name(f"{board.name}.draft").exists()


def test_page_asks_before_it_replaces_what_was_drawn_on_another_one(browser: Browser, board: Path) -> None:
    with editing(board) as address:
        tablet, computer = (Draughtsman(Screen(browser, (1024, 768)), address) for _ in range(2))
        for hand in (tablet, tablet, computer):
            hand.press((500, 500))
            hand.page.keyboard.press("Delete")
            if hand is tablet:
                hand.wait("[data-kept=yes]")
        computer.screen.says("confirm-dialog", "changed on another page")
        computer.screen.says("confirm-no", "Cancel")
        computer.screen.says("confirm-yes", "Save mine")
        computer.screen.press("confirm-yes")
        computer.wait("[data-kept=yes]")
    assert board.with_name(f"{board.name}.1.bak").exists()


def test_message_links_to_its_place_and_space_shows_its_sight(screen: Screen, board: Path) -> None:
    drawing = squares(3, 2)
    drawing["features"][1]["properties"] |= {"kind": "obstruction"}
    del drawing["features"][1]["properties"]["sector"]
    drawing["features"][4]["properties"]["id"] = "Y3"
    board.write_text(json.dumps(drawing), "utf-8")
    with editing(board) as address:
        hand = Draughtsman(screen, address)
        hand.checked()
        screen["fault"].filter(has_text="more than one space has this id").click()
        expect(hand.page.locator(".fault-mark")).to_have_count(2)
        hand.still()
        hand.show([(0, 0), (3000, 2000)])
        hand.press((1500, 1500))
        screen["space-id"].fill("Y5")
        screen["space-id"].press("Enter")
        hand.checked()
        hand.tool("look")
        hand.press((500, 500))
        hand.wait("[data-eye=Y1]")
        lit = hand.page.evaluate(SEEN_FROM)
        hand.page.keyboard.down("Shift")
        hand.press((2500, 500))
        hand.page.keyboard.up("Shift")
        screen.says("hint", "Y1 does not see Y3")
        hand.save()
    found = with_sights(drawn_in(board))
    assert dict(lit) == {other: found.distance("Y1", other) for other in found.spaces if found.sight("Y1", other)}
    assert "Y3" not in dict(lit)


SEEN_FROM = "[...document.querySelectorAll('.seen')].map(it => [it.dataset.seen, +it.dataset.distance])"
WHOLE = [[0, 0], [1, 0], [1, 1], [0, 1]]
"""The corners of a new photo before they are aligned with the board, as fractions of its sides."""
SHOWN_AT = """([corners, places]) => {
  const matrix = new DOMMatrix(getComputedStyle(document.querySelector(".photo")).transform);
  const { left, top } = document.querySelector(".sheet-holder").getBoundingClientRect();
  return corners.every(([x, y], i) => {
    const p = matrix.transformPoint(new DOMPoint(x, y));
    return Math.hypot(left + p.x / p.w - places[i][0], top + p.y / p.w - places[i][1]) < 4;
  });
}"""
"""Whether points of the photo are shown at these positions of the screen, to four pixels."""


def photo_of(size: tuple[int, int], corners: list[tuple[int, int]], path: Path) -> Path:
    """Return a photo on which the board is white and its corners are at these points."""
    with Image.new("RGB", size, "black") as picture:
        ImageDraw.Draw(picture).polygon(corners, fill="white")
        picture.save(path)
    return path


def align(hand: Draughtsman, size: tuple[int, int], corners: list[tuple[int, int]]) -> None:
    """Drag the ring of each corner to its position on the photo."""
    page, frame = hand.page, hand.page.locator(".align-frame").bounding_box()
    assert frame is not None
    for number, (x, y) in enumerate(corners):
        page.mouse.move(*middle(hand.screen[f"knob-{number}"]))
        page.mouse.down()
        page.mouse.move(frame["x"] + x / size[0] * frame["width"], frame["y"] + y / size[1] * frame["height"])
        page.mouse.up()
    hand.screen.press("align-done")
    hand.wait("[data-kept=yes]")


def kept_corners(sheet: Path) -> list[list[float]]:
    kept = json.loads(sheet.with_name(f"{sheet.name}.draft").read_text("utf-8"))
    assert "document" not in kept  # nothing is drawn, and nothing is unsaved
    corners: list[list[float]] = kept["photo"]["corners"]
    return corners


def near_by(some: list[list[float]], others: list[list[float]], most: float) -> bool:
    return all(dist(one, other) < most for one, other in zip(some, others, strict=True))


@pytest.mark.nightly
def test_skewed_photo_is_straightened_by_its_corners_with_undo(screen: Screen, sheet: Path, tmp_path: Path) -> None:
    size, corners = (1600, 1131), [(300, 100), (1500, 220), (1380, 1010), (140, 860)]
    wanted = [[x / size[0], y / size[1]] for x, y in corners]
    with editing(sheet) as address:
        hand = Draughtsman(screen, address)
        screen.press("map-cancel")
        screen["photo-file"].set_input_files(photo_of(size, corners, tmp_path / "askew.png"))
        align(hand, size, corners)
        hand.still()
        hand.look()
        board = [[*hand.view.px(place)] for place in ((0, 0), (8410, 0), (8410, 5940), (0, 5940))]
        expect_value(screen.page, SHOWN_AT, arg=[corners, board])
        assert near_by(kept_corners(sheet), wanted, 0.003)

        for key, there, outline in (("z", WHOLE, [(0, 0), (1600, 0), (1600, 1131), (0, 1131)]), ("y", wanted, corners)):
            screen.page.keyboard.press(f"Control+{key}")
            hand.wait("[data-kept=yes]")
            expect_value(screen.page, SHOWN_AT, arg=[outline, board])
            assert near_by(kept_corners(sheet), there, 0.003)

        screen["photo-file"].set_input_files(photo_of(size, corners[::-1], tmp_path / "another.png"))
        screen.press("align-cancel")
        for step in (None, "undo", "redo"):
            if step:
                screen.press(step)
            hand.wait("[data-kept=yes]")
            assert kept_corners(sheet) == WHOLE  # the corners of another photo are unknown, whatever is undone


@pytest.mark.parametrize(("width", "code"), [(768, "pl"), (1280, "en"), (1920, "pl")][: 1 if DEPTH == 1 else 3])
def test_editor_is_accessible(browser: Browser, board: Path, width: int, code: str) -> None:
    screen = Screen(browser, (width, 900), locale=code)
    with editing(board) as address:
        hand = Draughtsman(screen, address)
        hand.checked()
        page = hand.page
        expect_no_faults(page, "board")
        screen.press("list-Y2")
        hand.still()
        expect_no_faults(page, "space")
        for opens, closes in (("more", None), ("map", "map-cancel"), ("help", "help-close"), ("photo", "photo-close")):
            screen.press(opens)
            expect_no_faults(page, opens)
            if closes:
                screen.press(closes)


def expect_no_faults(page: Page, scene: str) -> None:
    for faults in (OUT_OF_REACH, PALE):
        expect_value(page, faults, [], where=scene)
    expect_readable(page, scene, "body")
