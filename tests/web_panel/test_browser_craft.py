"""Every screen in a real Chromium: screen readers, contrast, every width, keyboard only, and few bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.depth import DEPTH
from tests.web_panel.conftest import LONGEST_WORDS, Panel
from tests.web_panel.looks import OUT_OF_REACH, PALE, expect_readable
from tests.web_panel.room import FRAME, IN_CHROMIUM, Screen, expect_value
from tools.showroom import shown_network
from tools.tour import Screenshot, TourBrowser, tour
from web_panel.language import codes
from web_panel.padding import ANSWER_BYTES, PICTURE_BYTES
from web_panel.settings import PanelSettings
from web_panel.streams import STREAM, Stream

pytestmark = IN_CHROMIUM

WIDTHS = (320,) if DEPTH == 1 else (320, 360, 768, 1280, 2560)
READ_AT = WIDTHS if DEPTH == 1 else (320, 1280)
"""Widths at which axe checks the page as well. Each run takes a second; only the layout differs between widths."""
ALIKE = "sniper-waiting sniper-papers defenders-unit board-setup table-over"
"""Scenes whose parts all appear in others too, though at another width.

They are in the pictures, but not checked here.
"""
BY_DAY = "lobby rules network-first sniper-way defenders-sweep table health admin defenders-over game workshop"
"""A scene of each kind of page. At night, all scenes are checked."""
BUDGET = 150_000
"""Bytes of a first visit, without `PADDING`."""
PADDING = PICTURE_BYTES + 2 * ANSWER_BYTES
"""Padding of a first visit to the page of a secret seat: one picture, and its other requests."""
LONG = {"rules", "health"}
"""Pages with hundreds of lines, for which axe takes seconds to check the contrast."""


@pytest.fixture
def panel(tmp_path: Path, panel_settings: PanelSettings) -> Iterator[Panel]:
    """A panel of a table that manages its network, because that has its own page."""
    running = Panel(tmp_path, panel_settings, network=shown_network())
    yield running
    running.stop()


class Visit(TourBrowser):
    """A tour on a device that tests pass on."""

    def __init__(self, browser: Browser, address: str, panel: Panel, size: tuple[int, int], **device: Any) -> None:
        self._address, self._company = address, panel.company
        self.page = Screen(browser, size, **device).page
        self._context = self.page.context


VALUES_AS_TEXT = """() => document.body.innerText.split("\\n")
  .filter((line) => /^(false|true)$|\\b(null|undefined|NaN)\\b|\\[object /.test(line.trim()))"""
"""Lines that a script has written by mistake."""


def expect_no_faults(page: Page, scene: str) -> None:
    """Check a scene at every width: for reach, contrast and screen readers."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        expect_value(page, VALUES_AS_TEXT, [], where=(scene, width))
        expect_value(page, OUT_OF_REACH, [], where=(scene, width))
        if width in (320, 1280):
            expect_value(page, PALE, [], where=(scene, width))
        if width in READ_AT:
            light = DEPTH == 1 or width > READ_AT[0] or scene in LONG  # PALE checks the contrast everywhere
            expect_readable(page, (scene, width), contrast=not light)


@pytest.mark.long
@pytest.mark.parametrize("code", codes() if DEPTH > 1 else [LONGEST_WORDS])
def test_every_screen_is_accessible_at_every_width(browser: Browser, panel: Panel, served: str, code: str) -> None:
    visit = Visit(browser, served, panel, (360, 800), locale=code)

    for scene in tour(panel):
        if scene.name in BY_DAY.split() if DEPTH == 1 else scene.name not in ALIKE.split():
            expect_no_faults(visit.open_scene(scene), scene.name)


# --- keyboard only ------------------------------------------------------------------------------------------------

SPOKEN_SECRETS = """(space) => [...document.querySelectorAll("[aria-live], [role=log], [role=status], [role=alert]")]
  .map((it) => it.innerText)
  .filter((text) => text.includes(space) || text.includes("You "))"""
FOCUSED = "selector => document.activeElement.matches(selector)"


def tab_to(page: Page, selector: str) -> None:
    """Press the tab key until a control has the focus, at most once around the page."""
    expect(page.locator(selector).first).to_be_visible()
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED, selector):
            return
    raise AssertionError(f"the tab key never reaches {selector}")


def scene_of(panel: Panel, name: str) -> Screenshot:
    """Play the tour up to a scene."""
    return next(scene for scene in tour(panel) if scene.name == name)


def test_sniper_moves_by_keyboard_and_secrets_are_not_announced(browser: Browser, panel: Panel, served: str) -> None:
    visit = Visit(browser, served, panel, (360, 780))
    page = visit.open_scene(scene_of(panel, "sniper-entry"))
    tab_to(page, "[data-testid^=enter-]")
    page.keyboard.press("Enter")

    tab_to(page, ".lit.quiet")
    start = page.evaluate("document.activeElement.dataset.space")
    page.keyboard.press("Enter")
    tab_to(page, "[data-testid=confirm-move]")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("end-turn")).to_be_visible()

    assert panel.company.picture("sniper")["view"]["sniper"]["space"] == start
    tab_to(page, "[data-testid=end-turn]")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("headline")).to_contain_text("defenders")
    expect_value(page, SPOKEN_SECRETS, [], start)


def test_defenders_move_by_keyboard(browser: Browser, panel: Panel, served: str) -> None:
    visit = Visit(browser, served, panel, (1280, 800))
    scene = scene_of(panel, "defenders-unit")
    page = visit.open_scene(Screenshot("keys", "", "/defenders", scene.there, "defenders"))
    before = panel.company.picture("defenders")["view"]["units"]["black-1"]

    for control in ("[data-testid=unit-black-1]", "[data-testid=deed-move]", ".lit.choice"):
        tab_to(page, control)
        page.keyboard.press("Enter")
    to = page.evaluate("document.querySelector('.lit.picked').dataset.space")
    tab_to(page, "[data-testid=confirm]")
    page.keyboard.press("Enter")

    expect(page.get_by_test_id("unit-black-1")).to_contain_text(to)
    assert to != before


# --- reduced motion, and size -------------------------------------------------------------------------------------


ZOOMS_AT_ONCE = f"""async () => {{
  const press = (testid) => document.querySelector(`[data-testid=${{testid}}]`).click();
  const around = () => document.querySelector("#map .view").getAttribute("viewBox");
  press("zoom-in");
  await {FRAME};
  const near = around();
  press("zoom-fit");
  const there = around();
  await {FRAME};
  await {FRAME};
  return near !== there && around() === there;
}}"""
"""Whether the map shows at once what a button zooms to."""


def test_nothing_moves_with_reduced_motion(browser: Browser, panel: Panel, served: str) -> None:
    visit = Visit(browser, served, panel, (360, 780))
    page = visit.open_scene(scene_of(panel, "sniper-entry"))
    moving = "document.getAnimations().length"

    page.emulate_media(reduced_motion="no-preference")
    expect_value(page, f"{moving} > 0")
    page.emulate_media(reduced_motion="reduce")
    expect_value(page, moving, 0)
    expect_value(page, ZOOMS_AT_ONCE)


FETCHED = """() => Promise.all(
  [
    navigator.serviceWorker.ready,
    ...[...document.images].map((it) => {
      it.loading = "eager";
      return it.decode();
    }),
  ]
).then(() => 0)"""
"""Wait until the service worker's files and all pictures are loaded, also those too far down to load by themselves."""


OFFER = "/api/offer"
"""A page repeats to the board what can be chosen; on a slow machine it does so before the page is measured."""


class Meter:
    """Counts every byte that the table sends.

    It counts heads, bodies, streams up to their first picture and the first offer to the board (later ones are updates,
    which grow with time), and what the browser fetches by itself.
    """

    def __init__(self, panel: Panel) -> None:
        self.sent: dict[str, int] = {}
        self.padding: dict[str, int] = {}
        """The padding among the bytes, which hides lengths: see `web_panel/padding.py`."""
        self._app = panel.app.wsgi_app
        panel.app.wsgi_app = self._count  # type: ignore[method-assign]

    def _count(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path == OFFER and path in self.sent:
            return self._app(environ, start)

        def begin(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            self._add(path, len(status) + sum(len(name) + len(value) + 4 for name, value in headers))
            return start(status, headers, *more)

        answer = self._app(environ, begin)
        if STREAM in environ:
            self._count_stream(path, environ[STREAM])
            return answer
        body = b"".join(answer)
        if hasattr(answer, "close"):
            answer.close()
        self._add(path, self._without_padding(path, body))
        return [body]

    def _count_stream(self, path: str, stream: Stream) -> None:
        ready, news = stream.next_piece, False

        def counted() -> str | None:
            nonlocal news
            piece = ready()
            if piece is not None and not news:
                self._add(path, self._without_padding(path, piece.encode()))
                news = piece.startswith("data:")
            return piece

        stream.next_piece = counted  # type: ignore[method-assign]

    def _without_padding(self, path: str, piece: bytes) -> int:
        """Return the bytes without padding: answers to a secret seat are padded with blanks after the JSON."""
        content = piece.rstrip(b" \n") + b"\n\n"
        if path.startswith("/api/") and len(piece) > len(content):
            self.padding[path] = self.padding.get(path, 0) + len(piece) - len(content)
            return len(content)
        return len(piece)

    def _add(self, path: str, number: int) -> None:
        self.sent[path] = self.sent.get(path, 0) + number


NAMED = """() => [...document.querySelectorAll("link[rel=modulepreload], script[src]")]
  .map((it) => new URL(it.href || it.src).pathname)"""
"""The scripts that a page's head names."""
PUZZLE = Screenshot("puzzle", "A puzzle", "/puzzles/sniper-elite", "[data-testid=question]")
KEPT_FOR_LATER = {"/worker.js", "away.js"}
"""The files of the page that is shown while the table is away."""


@pytest.mark.long
def test_first_visit_takes_few_bytes_and_contacts_no_other_host(browser: Browser, panel: Panel, served: str) -> None:
    meter = Meter(panel)
    scenes = {"puzzle", "lobby", "rules", "sniper-way", "table"}
    if DEPTH > 1:
        scenes |= {"campaign", "defenders-sweep", "board", "health", "game"}
    heavy, strangers, drawn, late = [], set(), 0, set()
    for scene in chain([PUZZLE], tour(panel)):
        if scene.name not in scenes:
            continue
        meter.sent.clear()
        meter.padding.clear()
        visit = TourBrowser(browser, served, panel.company, 360, 780, installs=True)
        visit.page.on("request", lambda request: strangers.add(urlsplit(request.url).netloc))
        page = visit.open_scene(scene)
        page.evaluate(FETCHED)
        drawn += any(path.startswith("/maps/") for path in meter.sent)
        late |= {path for path in meter.sent if path.endswith(".js")} - set(page.evaluate(NAMED))
        if sum(meter.sent.values()) >= BUDGET:
            heavy.append((scene.name, sum(meter.sent.values()), dict(meter.sent)))
        if sum(meter.padding.values()) > (PADDING if scene.name == "sniper-way" else 0):
            heavy.append((scene.name, sum(meter.padding.values()), dict(meter.padding)))
        visit.leave()

    assert heavy == []
    assert {re.sub(r"^/~\w+/static/", "", path) for path in late} == KEPT_FOR_LATER, (
        "a page must name all its files in its head, so that they load in parallel"
    )
    assert drawn == len(scenes - {"campaign", "rules", "health"}), "the maps were not counted"
    assert strangers == {urlsplit(served).netloc}
