"""Use the map editor with mouse and keys; the editor is served as a command serves it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import expect

from maker.editor.command import BODIES
from maker.editor.desk import Desk
from maker.editor.pages import create_editor
from tests.web_panel.room import FRAME, Screen, expect_value
from tools.tour import PATIENCE
from web_panel.serve import serve

KEY = "a-key-of-the-tests"
Point = tuple[float, float]
TURN = 120
STEP = 1.44
"""The zoom factor of one turn of the wheel."""
HAND = Path(__file__).with_suffix(".js")
EDGE = 60
"""Margin around the drawing in pixels."""

SEEN = """() => {
  const [x, y, w] = document.querySelector("[data-testid=sheet]").getAttribute("viewBox").split(" ").map(Number);
  const box = document.querySelector("[data-testid=sheet]").getBoundingClientRect();
  return [x, y, w / box.width, box.left, box.top, box.width, box.height];
}"""


class View(NamedTuple):
    """The upper left corner of the visible area, tenths of a millimetre per pixel, and its position on the page."""

    x: float
    y: float
    scale: float
    left: float
    top: float
    width: float
    height: float

    def px(self, point: Point) -> tuple[float, float]:
        """Return the pixel of a place of the drawing."""
        return self.left + (point[0] - self.x) / self.scale, self.top + (point[1] - self.y) / self.scale


STILL = f"""async () => {{
  const view = () => document.querySelector("[data-testid=sheet]").getAttribute("viewBox");
  const before = view();
  await {FRAME};
  await {FRAME};
  return view() === before;
}}"""
"""Whether the view stays the same from one frame to the next."""


@contextmanager
def editing(path: Path, photo: Path | None = None) -> Iterator[str]:
    """Yield the address of the editor of a drawing."""
    server = serve(create_editor(Desk(path, photo), KEY), "127.0.0.1", 0, bodies=BODIES)
    server.start()
    try:
        yield f"http://127.0.0.1:{server.port}/#{KEY}"
    finally:
        server.stop()


class Draughtsman:
    """Draws on the page with mouse and keys."""

    def __init__(self, screen: Screen, address: str) -> None:
        self.screen, self.page = screen, screen.page
        screen.go(address)
        self.wait("[data-ready=yes]")
        self.look()

    def wait(self, state: str, patience: float = PATIENCE) -> None:
        expect(self.page.locator(f"body{state}")).to_be_attached(timeout=patience)

    def still(self) -> None:
        """Wait until the view has stopped moving."""
        expect_value(self.page, STILL)

    def checked(self) -> None:
        self.wait("[data-checked=yes]")

    # --- the view -----------------------------------------------------------------------------------------------

    def look(self) -> View:
        """Return the current view of the page."""
        self.view = View(*self.page.evaluate(SEEN))
        return self.view

    def show(self, points: Sequence[Point]) -> None:
        """Zoom with the wheel and drag with the right button until the points are in sight, as large as they fit."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
        view = self.look()
        centre = (view.left + view.width / 2, view.top + view.height / 2)
        wanted = max((max(xs) - min(xs)) / (view.width - 4 * EDGE), (max(ys) - min(ys)) / (view.height - 4 * EDGE), 0.5)
        self.zoom(centre, wanted, wanted * STEP * STEP)
        for _ in range(30):
            x, y = self.view.px(middle)
            if abs(x - centre[0]) < EDGE / 2 and abs(y - centre[1]) < EDGE / 2:
                return
            self.drag(centre, x, y)
        raise AssertionError("the view does not reach this place")

    def drag(self, centre: tuple[float, float], x: float, y: float) -> None:
        """Drag the view with the right button, moving a pixel towards the centre."""
        view = self.view
        across = max(EDGE - view.width / 2, min(view.width / 2 - EDGE, centre[0] - x))
        down = max(EDGE - view.height / 2, min(view.height / 2 - EDGE, centre[1] - y))
        self.page.mouse.move(*centre)
        self.page.mouse.down(button="right")
        self.page.mouse.move(centre[0] + across, centre[1] + down)
        self.page.mouse.up(button="right")
        self.look()

    def zoom(self, place: tuple[float, float], least: float, most: float) -> None:
        """Turn the wheel over a pixel until the scale is in a range of tenths of a millimetre per pixel."""
        for _ in range(40):
            scale = self.view.scale
            if least <= scale <= most:
                return
            self.page.mouse.move(*place)
            self.page.mouse.wheel(0, -TURN if scale > most else TURN)
            expect_value(self.page, f"({SEEN})()[2] !== {scale}")
            self.look()
        raise AssertionError("the wheel does not reach this scale")

    def press(self, point: Point) -> None:
        """Press a place."""
        self.page.mouse.click(*self.view.px(point))

    def pull(self, start: Point, end: Point) -> None:
        """Drag what is at one place to another."""
        self.page.mouse.move(*self.view.px(start))
        self.page.mouse.down()
        self.page.mouse.move(*self.view.px(end), steps=4)
        self.page.mouse.up()

    # --- drawing ------------------------------------------------------------------------------------------------

    def tool(self, name: str) -> None:
        self.screen.press(f"tool-{name}")

    def save(self, patience: float = PATIENCE) -> None:
        """Save the drawing; a map of a maps folder is compiled meanwhile."""
        self.page.keyboard.press("Control+s")
        self.wait("[data-saved=yes]", patience)


def redraw(hand: Draughtsman, document: Mapping[str, Any]) -> None:
    """Draw everything of a document, space after space, with events made inside the page."""
    hand.page.evaluate(HAND.read_text("utf-8"), document)


def bare(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sheet that a document is drawn on."""
    return {**document, "features": []}
