"""`python -m tools.editor_pictures`: take the pictures of docs/map-editor.md in the editor itself.

The photo in the background is a picture of an included map, distorted like a photo that was taken at an angle.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page

from engine.graph.svg import draw
from firmware_host.core import maps
from maker.editor.command import BODIES
from maker.editor.desk import Desk
from maker.editor.pages import create_editor
from maker.page_parts import DOCS
from maker.png import render_png
from tools.screens import packed
from tools.tour import start_chromium
from web_panel.serve import serve

FOLDER = DOCS / "editor"
SLUG = "launch-facility"
SIZE = (1600, 1200)
CORNERS = ((190, 150), (1390, 105), (1545, 1050), (75, 1105))
"""The corners of the board on the photo, in pixels, clockwise from the upper left."""
TABLE = (88, 74, 58)
DRAWN = 22
"""Number of spaces already drawn in the pictures of drawing."""
WAY = ((0.293, 0.772), (0.33, 0.718), (0.389, 0.718), (0.407, 0.776))
"""The corners of a space being drawn, as fractions of the sheet's width and height."""


def photo() -> bytes:
    import numpy as np

    flat = Image.open(io.BytesIO(render_png(draw(maps.load(SLUG)), SIZE[0]))).convert("RGB")
    there = ((0, 0), (flat.width, 0), flat.size, (0, flat.height))
    # The eight coefficients of the perspective: two equations for each corner.
    rows, wanted = [], []
    for (x, y), (u, v) in zip(CORNERS, there, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        wanted += [u, v]
    matrix = np.linalg.solve(np.array(rows, float), np.array(wanted, float))
    askew = flat.transform(SIZE, Image.Transform.PERSPECTIVE, list(matrix), Image.Resampling.BICUBIC, fillcolor=TABLE)
    out = io.BytesIO()
    askew.save(out, "JPEG", quality=88)
    return out.getvalue()


def first_spaces(number: int) -> dict[str, Any]:
    """Return the map with its first `number` spaces, and the doors, ladders and arrows that need no others."""
    document: dict[str, Any] = json.loads((maps.FOLDER / SLUG / maps.DRAWING).read_text("utf-8"))
    kept = {it["properties"].get("id") for it in document["features"][:number]}

    # A door, ladder or arrow belongs to the spaces that it names.
    def own(said: dict[str, Any]) -> bool:
        return {said[name] for name in ("id", "entry") if name in said} | {*said.get("between", ())} <= kept

    return document | {"features": [it for it in document["features"] if own(it["properties"])]}


@contextmanager
def opened(page: Page, folder: Path, number: int, slip: int = 0) -> Iterator[Page]:
    """Open the editor with the first spaces over the photo. `slip` moves a corner of the last space."""
    drawing, document = folder / f"{number}-{slip}.geojson", first_spaces(number)
    ring = document["features"][DRAWN - 1]["geometry"]["coordinates"][0] if number else [[0, 0], [0, 0]]
    # Moving one corner makes the space overlap its neighbour, which the editor's check reports.
    ring[1] = [ring[1][0] - slip, ring[1][1] - slip]
    drawing.write_text(json.dumps(document), "utf-8")
    desk = Desk(drawing, folder / "photo.jpg")
    desk.store_draft(None, {"corners": [[x / SIZE[0], y / SIZE[1]] for x, y in CORNERS], "opacity": 0.8})
    server = serve(create_editor(desk, "key"), "127.0.0.1", 0, bodies=BODIES)
    server.start()
    try:
        page.goto(f"http://127.0.0.1:{server.port}/#key")
        page.wait_for_selector("body[data-ready=yes][data-checked=yes]")
        yield page
    finally:
        # Leave the page first, so that its requests do not fail while the server stops.
        page.goto("about:blank")
        server.stop()


def pictures(page: Page, folder: Path) -> Iterator[tuple[str, bytes]]:
    with opened(page, folder, 0):
        page.get_by_test_id("photo").click()
        page.get_by_test_id("photo-align").click()
        yield "photo", page.screenshot()
    with opened(page, folder, DRAWN):
        page.get_by_test_id("tool-draw").click()
        box = page.get_by_test_id("sheet").bounding_box()
        assert box is not None
        for across, down in WAY:
            page.mouse.click(box["x"] + across * box["width"], box["y"] + down * box["height"])
        page.mouse.move(box["x"] + 0.327 * box["width"], box["y"] + 0.82 * box["height"])
        yield "draw", page.screenshot()
    with opened(page, folder, DRAWN, slip=60):
        page.get_by_test_id("fault").filter(has_text="overlap").first.click()
        page.wait_for_selector(".fault-mark")
        yield "checks", page.screenshot()
    with opened(page, folder, 1000):
        page.get_by_test_id("list-Y6").click()
        page.get_by_test_id("space-look").click()
        page.wait_for_selector("body[data-eye=Y6]")
        page.get_by_test_id("zoom-fit").click()
        yield "sight", page.screenshot()


def main() -> int:
    with tempfile.TemporaryDirectory() as place, start_chromium() as browser:
        (Path(place) / "photo.jpg").write_bytes(photo())
        page = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce").new_page()
        for name, picture in pictures(page, Path(place)):
            (FOLDER / f"{name}.webp").write_bytes(packed(picture, 1))
            print(FOLDER / f"{name}.webp")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
