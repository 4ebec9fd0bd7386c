"""The panel can be added to a home screen. A device stores only a page that says that the table is away."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.patience import reserved_port
from tests.web_panel.conftest import Panel
from tests.web_panel.room import Screen, expect_value
from tools import icons
from tools.tour import PATIENCE, TourBrowser, tour
from web_panel.serve import serve
from web_panel.shell import AWAY, FILES

STORED = sorted((AWAY, *(f"/static/{name}" for name in FILES)))
KEPT = """async () => {
  const kept = [];
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) kept.push(new URL(url).pathname);
  return kept.map((path) => path.replace(/^\\/~\\w+/, "")).sort();
}"""
STYLED = "() => getComputedStyle(document.querySelector('.wall')).display === 'grid'"


def test_manifest_names_existing_icons_in_stated_sizes(panel: Panel) -> None:
    browser = panel.browser()
    answer = browser.get("/manifest.webmanifest")
    manifest = json.loads(answer.text)

    assert answer.mimetype == "application/manifest+json"
    assert manifest["display"] == "standalone"
    assert {icon["purpose"] for icon in manifest["icons"] if "purpose" in icon} == {"any", "maskable"}
    for icon in manifest["icons"]:
        sent = browser.get(icon["src"])
        assert sent.mimetype == icon["type"]
        if icon["type"] == "image/png":
            wide, high = (int.from_bytes(sent.data[at : at + 4], "big") for at in (16, 20))
            assert f"{wide}x{high}" == icon["sizes"]


@pytest.mark.parametrize("path", sorted(icons.files()), ids=lambda path: path.name)
def test_every_icon_is_made_from_the_crest(path: Path) -> None:
    assert path.read_bytes() == icons.files()[path], "the crest has changed: python -m tools.icons"


def test_worker_changes_when_its_cached_files_change(panel: Panel) -> None:
    answer = panel.browser().get("/worker.js")

    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.text.startswith('const SHELL = "shell-')
    named = json.loads(answer.text.splitlines()[1].removeprefix("const KEPT = ").removesuffix(";"))
    assert sorted(re.sub(r"^/~\w+", "", path) for path in named) == STORED


@pytest.mark.browser
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_device_stores_no_picture_and_shows_table_is_away(browser: Browser, panel: Panel) -> None:
    with reserved_port() as port:
        returns_to_the_table(browser, panel, port)


def returns_to_the_table(browser: Browser, panel: Panel, port: int) -> None:
    server = serve(panel.app, "127.0.0.1", port)
    server.start()
    visit = TourBrowser(browser, f"http://127.0.0.1:{port}/", panel.company, 360, 780, installs=True)
    scene = next(scene for scene in tour(panel) if scene.name == "sniper-way")
    page = visit.open_scene(scene)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => 0)")
    page.reload()
    expect(page.locator(scene.there).first).to_be_attached()

    expect_value(page, KEPT, STORED)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    expect(page.locator("body")).to_be_hidden()
    with page.expect_navigation():
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator(scene.there).first).to_be_attached()
    server.stop()
    page.reload()
    expect(page.get_by_test_id("away-sentence")).to_be_visible()
    assert "R1" not in page.content()
    expect_value(page, KEPT, STORED)

    again = serve(panel.app, "127.0.0.1", port)
    again.start()
    try:
        expect(page.locator(scene.there).first).to_be_attached()
    finally:
        again.stop()


LOST = [("wall.css", 1), ("table.js", 2), ("ui.js", 2), ("/words/", 2)]


@pytest.mark.browser
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_page_without_a_file_recovers(browser: Browser, served: str) -> None:
    """As on a TV, where no one can reload it. The first request for a script is a preload, which is repeated."""
    screen, missing, refused = Screen(browser, (1280, 720)), list[str](), False

    def answer(route: Route) -> None:
        if missing and missing[0] in route.request.url:
            missing.pop()
            route.fulfill(status=503) if refused else route.abort("connectionreset")
        else:
            route.continue_()

    screen.page.route(lambda url: any(file in url for file, _ in LOST), answer)
    for refused in (False, True):
        for file, times in LOST:
            missing = [file] * times
            screen.go(f"{served}kiosk")
            expect(screen.page.locator("body[data-connection=live]")).to_be_attached(timeout=PATIENCE)
            expect_value(screen.page, STYLED)
            assert not missing, (file, refused)


WITHOUT_PAUSE = "const later = setTimeout; window.setTimeout = (work, ms) => later(work, ms === 4000 ? 0 : ms);"
"""Load an incomplete page again at once."""
FAULTY = [(404, ""), (200, "throw new TypeError('a fault of this game');"), (200, "this is no JavaScript")]


@pytest.mark.browser
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_page_with_a_faulty_file_is_not_loaded_without_end(browser: Browser, served: str) -> None:
    """People could not use it, and the table would be busy with it."""
    page, opened = Screen(browser, (1280, 720), WITHOUT_PAUSE).page, list[str]()
    status, body = FAULTY[0]
    page.route(
        "**/games/sniper-elite/static/legend.js",
        lambda route: route.fulfill(status=status, body=body, content_type="text/javascript"),
    )
    page.on("framenavigated", lambda frame: opened.append(frame.url))
    for status, body in FAULTY:
        page.goto(f"{served}legend")
        expect(page.locator("body[data-incomplete=yes]")).to_be_attached(timeout=PATIENCE)
        assert len(opened) == 3, (status, body)
        page.evaluate("sessionStorage.clear()")
        opened.clear()
