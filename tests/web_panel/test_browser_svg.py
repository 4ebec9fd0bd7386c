"""Drawings of other programs in the map editor: every shape is imported where the browser draws it; nothing runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.web_panel.drafting import Draughtsman, editing
from tests.web_panel.drawn_elsewhere import CASES, HOSTILE, LEFT_OUT, SQUARE, Box, Case, svg
from tests.web_panel.firefox import Firefox
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value, wait_two_frames

pytestmark = IN_CHROMIUM

READ = """async (texts) => {
  const { planFrom, svgOf } = await import("/static/editor/svgfile.js");
  const { documentOf, planOf } = await import("/static/editor/plan.js");
  const members = { size: [8410, 5940], sectors: ["yellow", "red"] };
  const empty = planOf({ ...members, features: [] });
  return texts.map((text) => {
    try {
      const { plan, lines } = planFrom(text, empty);
      return { ...documentOf(plan), lines, exported: svgOf(plan) };
    } catch (error) {
      return { lines: [error.message] };
    }
  });
}"""
NEAR = 1
"""Tolerance of a box in tenths of a millimetre."""
ROUND = 0.004
"""How much of an area may be lost where a curve becomes a polygon."""


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Any:
    """Yield the page of the editor, on which nothing may fail."""
    screen = Screen(browser, (800, 600))
    with editing(tmp_path / "sheet.geojson") as address:
        yield Draughtsman(screen, address).page


def read_all(page: Page | Firefox, texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return the document that each drawing gives, with the messages as `lines`."""
    found: list[dict[str, Any]] = page.evaluate(f"({READ})({json.dumps(list(texts))})")
    return found


def spaces_of(found: Mapping[str, Any]) -> dict[str, list[list[int]]]:
    """Return the outline of each space."""
    polygons = [it for it in found.get("features", ()) if it["geometry"]["type"] == "Polygon"]
    return {it["properties"]["id"]: it["geometry"]["coordinates"][0] for it in polygons}


def box_of(ring: Sequence[Sequence[int]]) -> Box:
    xs, ys = zip(*ring, strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def area_of(ring: Sequence[Sequence[int]]) -> float:
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(ring))) / 200


def difference(case: Case, found: Mapping[str, Any]) -> object:
    """Return what is wrong, or nothing."""
    spaces = spaces_of(found)
    if spaces.keys() != case.spaces.keys() or tuple(found["size"]) != case.size:
        return found.get("size"), sorted(spaces), found["lines"]
    wrong = {}
    for name, (box, area) in case.spaces.items():
        measured = box_of(spaces[name]), area_of(spaces[name])
        off = max(abs(a - b) for a, b in zip(measured[0], box, strict=True))
        if off > NEAR or (area and abs(measured[1] - area) > area * ROUND):
            wrong[name] = measured
    return wrong


def differing(left_out: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the messages about the drawings in `LEFT_OUT` that are not as expected."""
    lines = [" ".join(it["lines"]) for it in left_out]
    return [said for said, wanted in zip(lines, LEFT_OUT.values(), strict=True) if wanted not in said]


def shapes_are_imported_as_drawn(page: Page) -> None:
    found = read_all(page, [case.text for case in CASES.values()])
    wrong = {name: difference(case, it) for (name, case), it in zip(CASES.items(), found, strict=True)}
    assert {name: it for name, it in wrong.items() if it} == {}


def what_is_left_out_is_listed_with_its_reason(page: Page) -> None:
    assert differing(read_all(page, [*LEFT_OUT])) == []


# --- our own export -----------------------------------------------------------------------------------------------

SPACE = {"kind": "open", "sector": "yellow"}
OURS: dict[str, Any] = {
    "type": "FeatureCollection",
    "format": "board-map/1",
    "slug": "it",
    "name": "It",
    "code": "I",
    "size": [2000, 1000],
    "sectors": ["yellow", "red"],
    "features": [
        {
            "type": "Feature",
            "properties": {"id": "Y1", **SPACE, "spot": [500, 400], "lamp": [480, 420]},
            "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1000, 0], [1000, 600], [0, 600], [0, 0]]]},
        },
        {
            "type": "Feature",
            "properties": {"id": "Y2", **SPACE},
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[1000, 0], [2000, 0], [2000, 1000], [1000, 600], [1000, 0]]],
            },
        },
        {
            "type": "Feature",
            "properties": {"access": "door", "between": ["Y1", "Y2"]},
            "geometry": {"type": "Point", "coordinates": [1000, 300]},
        },
        {"type": "Feature", "properties": {"note": 1}, "geometry": {"type": "LineString", "coordinates": []}},
    ],
}
EXPORT = """async (document) => {
  const { svgOf } = await import("/static/editor/svgfile.js");
  const { planOf } = await import("/static/editor/plan.js");
  return svgOf(planOf(document));
}"""
Y1 = "M0,0L1000,0L1000,600L0,600Z"
CIRCLE = 'cx="1000" cy="300" r="40"'


def changed(text: str, *pairs: tuple[str, str]) -> str:
    """Return an export after a drawing program has replaced each of the parts."""
    for before, after in pairs:
        assert before in text, before
        text = text.replace(before, after, 1)
    return text


def own_export_comes_back_whole_from_a_drawing_program(page: Page) -> None:
    text = page.evaluate(EXPORT, OURS)
    door = text[text.index("<circle") : text.index(CIRCLE)].replace("<circle", "<path")
    turned = (
        text[text.index("<circle") : text.index(CIRCLE) + len(CIRCLE)],
        f'{door}d="M1040,300a40,40 0 1 0-80 0 40 40 0 1080,0z"',
    )
    moved = (f'd="{Y1}"', f'd="{Y1}" transform="translate(0,100)"')
    layer = ('id="layer-open"', 'id="layer-open" transform="translate(0,100)"')
    baked = (f'd="{Y1}"', 'd="m 0,100 h 1000 v 600 h -1000 z"')
    scaled = (f'd="{Y1}"', 'd="M0,0L500,0L500,300L0,300Z"')
    edited = (f'd="{Y1}"', 'd="M0,0L1000,0L1000,100L0,600Z"')
    resized = ('viewBox="0 0 2000 1000" width="200mm"', 'viewBox="0 0 3000 1000" width="300mm"')
    offset = ('viewBox="0 0 2000 1000"', 'viewBox="-100 -200 2000 1000"')
    metric = ('viewBox="0 0 2000 1000"', 'viewBox="0 0 200 100"')
    copied = ("</g>", text[text.index("<path") : text.index("/>") + 2].replace(Y1, "M0,700h100v100h-100z") + "</g>")
    everything, ending = text.index("<g "), text.rindex("</svg>")
    inside = f'{text[:everything]}<g transform="scale(.1)">{text[everything:ending]}</g>{text[ending:]}'
    edits = [
        text, changed(text, turned), changed(text, layer), changed(text, moved), changed(text, baked),
        changed(text, scaled), changed(text, edited), changed(text, resized), changed(text, offset),
        changed(inside, metric), changed(text, copied),
    ]  # fmt: skip
    found = read_all(page, edits)

    same, as_path, *moves, smaller, cut, larger, shifted, units, twice = found
    for it in (same, as_path, units):
        assert {name: it[name] for name in OURS} == OURS
        assert it["lines"] == []
    assert same["exported"] == text
    for it in moves:
        assert it["features"][0]["properties"] == {"id": "Y1", **SPACE, "spot": [500, 500], "lamp": [480, 520]}
        assert box_of(spaces_of(it)["Y1"]) == (0, 100, 1000, 700)
        assert it["lines"] == []
    assert smaller["features"][0]["properties"]["spot"] == [250, 200]
    assert "spot" not in cut["features"][0]["properties"]
    assert cut["lines"] == ["1 spot was outside its changed space and was removed: Y1."]
    assert (larger["size"], larger["features"]) == ([3000, 1000], OURS["features"])
    assert "The page is 300 × 100 mm and was 200 × 100 mm" in larger["lines"][0]
    assert shifted["features"][2]["geometry"]["coordinates"] == [1100, 500]
    assert shifted["features"][0]["properties"]["spot"] == [600, 600]
    assert box_of(spaces_of(twice)["Y3"]) == (0, 700, 100, 800)
    assert len(twice["features"]) == 5
    assert twice["lines"] == ["1 copy of a space became a space with a label of its own: Y1."]


def test_drawing_in_any_encoding_is_imported(page: Page, tmp_path: Path) -> None:
    page.get_by_test_id("map-done").click()
    layer = f'<g inkscape:label="Łąka open">{SQUARE.replace("Y1", "Ł")}<rect id="ą" width="5"/></g>'
    for encoding in ("utf-16", "utf-8-sig", "iso-8859-2"):
        head = "" if encoding.startswith("utf") else f'<?xml version="1.0" encoding="{encoding}"?>'
        file: FilePayload = {
            "name": "drawing.svg",
            "mimeType": "image/svg+xml",
            "buffer": (head + svg(layer)).encode(encoding),
        }
        page.get_by_test_id("svg-file").set_input_files(file)
        expect(page.get_by_test_id("svg-report")).to_contain_text("was skipped: ą.")
        page.get_by_test_id("svg-report-close").click()
    page.wait_for_selector("body[data-kept=yes]")
    draft = json.loads((tmp_path / "sheet.geojson.draft").read_bytes())
    assert len(draft["document"]["features"]) == 1


def shapes_of_own_export_that_lost_their_data_are_known_by_id(page: Page) -> None:
    """If Inkscape turns a circle or a stroke into a path, only the ID of the shape stays."""
    text = page.evaluate(EXPORT, OURS)
    circle = text[text.index("<circle") : text.index(CIRCLE) + len(CIRCLE)]
    turned = changed(text, (circle, '<path id="feature-2" d="m1040 300a40 40 0 1 1-80 0 40 40 0 1 1 80 0z"'))
    frame = "M956,256h88v88h-88zm4 4v80h80v-80z"
    stroked = changed(
        text, (f"{circle}/>", f'<g id="feature-2"><path d="M960 260h80v80h-80z"/><path d="{frame}"/></g>')
    )
    removed = changed(text, (f"{circle}/>", ""), (text[text.index("<path") : text.index("/>") + 2], ""))
    *whole, less = read_all(page, [turned, stroked, removed])
    for found in whole:
        assert {name: found[name] for name in OURS} == OURS
        assert found["lines"] == []
    assert less["features"] == [OURS["features"][1], OURS["features"][3]]
    assert less["lines"] == ["2 parts of the exported map are no longer in the drawing: Y1."]


def space_called_like_a_kind_keeps_its_kind(page: Page) -> None:
    named = json.loads(json.dumps(OURS).replace("Y1", "water"))
    again, moved = read_all(
        page, [text := page.evaluate(EXPORT, named), text.replace('label="open"', 'label="elevated"')]
    )
    assert again["features"] == named["features"]
    assert {it["properties"]["kind"] for it in moved["features"] if "kind" in it["properties"]} == {"elevated"}


def nothing_of_a_drawing_runs_or_loads(page: Page) -> None:
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.evaluate("""() => {
      window.reports = [];
      addEventListener("securitypolicyviolation", ({ violatedDirective }) => window.reports.push(violatedDirective));
    }""")
    [found] = read_all(page, [HOSTILE])
    assert box_of(spaces_of(found)["Y1"]) == (10, 0, 1000, 990)
    # Anything that was started would be done after two more frames.
    wait_two_frames(page)
    expect_value(page, "[window.ran, window.reports, !!document.querySelector('#Y1')]", [None, [], False])
    assert [url for url in asked if not url.startswith("http://127.0.0.1:")] == []
    assert said == []
    expect(page.locator(".draft-bar")).to_be_visible()


def browser_that_says_nothing_of_paths_imports_nothing(page: Page) -> None:
    page.evaluate("() => { delete SVGPathElement.prototype.getPathData; CSS.supports = () => false; }")
    assert [it["lines"] for it in read_all(page, [svg(SQUARE)])] == [
        ["This browser can't read the outlines of an SVG. Import it in Chromium or Firefox."]
    ]


CHECKS = (
    shapes_are_imported_as_drawn,
    what_is_left_out_is_listed_with_its_reason,
    own_export_comes_back_whole_from_a_drawing_program,
    shapes_of_own_export_that_lost_their_data_are_known_by_id,
    space_called_like_a_kind_keeps_its_kind,
    nothing_of_a_drawing_runs_or_loads,
    browser_that_says_nothing_of_paths_imports_nothing,
)
"""Checks that share a page. The last one takes functions away from it."""


def test_drawings_are_read(page: Page, subtests: pytest.Subtests) -> None:
    for check in CHECKS:
        with subtests.test(check.__name__):
            check(page)
