"""The panel can be added to a home screen. A device stores only a page that says that the table is away."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

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


RESET = "Fetch.failRequest", {"errorReason": "ConnectionReset"}
REFUSED = "Fetch.fulfillRequest", {"responseCode": 503}
LOST = (
    [("wall.css", 1, RESET), ("table.js", 3, REFUSED), ("ui.js", 2, RESET)],
    [("wall.css", 1, REFUSED), ("words/", 2, RESET), ("ui.js", 2, REFUSED)],
)
"""What a page loses at each load: a file, how often, and how.

A preload that fails is repeated, and two files are called `table.js`. The page loads itself again twice, and then
requests only the lost module again.
"""


@pytest.mark.browser
def test_page_without_a_file_recovers(browser: Browser, served: str) -> None:
    """As on a TV, where no one can reload it."""
    screen, missing = Screen(browser, (1280, 720)), list[tuple[str, Any]]()
    # Playwright's `route` would ask about every file, which takes longer than loading them.
    devtools = screen.page.context.new_cdp_session(screen.page)

    def answer(paused: dict[str, Any]) -> None:
        if paused["resourceType"] == "Document" and faults:
            file, times, fault = faults.pop(0)
            missing.extend([(file, fault)] * times)
        command, options = "Fetch.continueRequest", {}
        if missing and missing[0][0] in paused["request"]["url"]:
            command, options = missing.pop()[1]
        devtools.send(command, {"requestId": paused["requestId"], **options})

    devtools.on("Fetch.requestPaused", answer)
    devtools.send("Network.enable")
    devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    files = ("kiosk", "wall.css", "table.js", "ui.js", "words/")
    devtools.send("Fetch.enable", {"patterns": [{"urlPattern": f"*/{file}*"} for file in files]})
    for faults in (list(load) for load in LOST):
        screen.go(f"{served}kiosk")
        expect(screen.page.locator("div.wall")).to_have_css("display", "grid", timeout=PATIENCE)
        expect(screen.page.locator("body[data-connection=live]")).to_be_attached(timeout=PATIENCE)
        assert (faults, missing) == ([], [])
    screen.faults.clear()


WITHOUT_PAUSE = "const later = setTimeout; window.setTimeout = (work, ms) => later(work, ms === 4000 ? 0 : ms);"
"""Load an incomplete page again at once."""
FAULTY = [
    ("404 Not Found", b""),
    ("200 OK", b"throw new TypeError('a fault of this game');"),
    ("200 OK", b"this is no JavaScript"),
]


@pytest.mark.browser
def test_page_with_a_faulty_file_is_not_loaded_without_end(browser: Browser, panel: Panel, served: str) -> None:
    """People could not use it, and the table would be busy with it."""
    screen, opened = Screen(browser, (1280, 720), WITHOUT_PAUSE), list[str]()
    page = screen.page
    status, body = FAULTY[0]
    app = panel.app.wsgi_app

    def faulty_app(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if not environ["PATH_INFO"].endswith("/games/sniper-elite/static/legend.js"):
            return app(environ, start)
        start(status, [("Content-Type", "text/javascript"), ("Cache-Control", "no-store")])
        return [body]

    panel.app.wsgi_app = faulty_app  # type: ignore[method-assign, assignment]
    page.on("framenavigated", lambda frame: opened.append(frame.url))
    for status, body in FAULTY:
        page.goto(f"{served}legend")
        expect(page.locator("body[data-incomplete=yes]")).to_be_attached(timeout=PATIENCE)
        assert len(opened) == 3, (status, body)
        page.evaluate("sessionStorage.clear()")
        opened.clear()
    screen.faults.clear()
