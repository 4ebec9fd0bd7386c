"""The manual: MkDocs builds it without a warning, all its links work, and the table shows it offline."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from tests.web_panel.conftest import Browser, Panel
from tests.web_panel.looks import FITS
from tests.web_panel.room import Screen, expect_value
from tools import manual
from tools.showroom import SIMULATED
from web_panel.app import create_app
from web_panel.manual import MISSING
from web_panel.serve import serve

PAGES = ("index.html", "build-guide.html", "commands.html", "pl/play/sniper-elite.html", "project/readme.html")
WIDTHS = (360, 1920)


@pytest.fixture
def small_site(tmp_path: Path) -> Path:
    """A built manual of two pages."""
    site = tmp_path / "site"
    (site / "pl").mkdir(parents=True)
    (site / "index.html").write_text("<p>The manual</p>", "utf-8")
    (site / "pl/index.html").write_text("<p>Podręcznik</p>", "utf-8")
    (site / "bundle.js").write_text("  // not ours\n" * 200, "utf-8")
    (site / "notes.txt").write_text("not for browsers", "utf-8")
    (tmp_path / "secret.html").write_text("not of the manual", "utf-8")
    return site


def reader(panel: Panel, site: Path) -> Browser:
    """A browser at a panel with this manual."""
    return Browser(create_app(panel.interface, SIMULATED, site).test_client(), "192.168.1.66")


def test_manual_is_sent_with_the_tables_policy(panel: Panel, small_site: Path) -> None:
    browser = reader(panel, small_site)
    moved = browser.get("/docs")
    assert (moved.status_code, moved.headers["Location"]) == (308, "/docs/")
    answer = browser.get("/docs/")
    assert answer.get_data(as_text=True) == "<p>The manual</p>"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self';")
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-cache"
    packed = browser.get("/docs/bundle.js", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"


@pytest.mark.parametrize(
    "path", ["/docs/none.html", "/docs/notes.txt", "/docs/pl", "/docs/../secret.html", "/docs/%2e%2e/secret.html"]
)
def test_nothing_else_is_sent(panel: Panel, small_site: Path, path: str) -> None:
    assert reader(panel, small_site).get(path, follow_redirects=True).status_code == 404


def test_lobby_links_to_the_manual_in_the_devices_language(panel: Panel, small_site: Path) -> None:
    browser = reader(panel, small_site)
    assert 'data-manual="/docs/"' in browser.get("/").get_data(as_text=True)
    assert 'data-manual="/docs/pl/index.html"' in browser.get("/", headers={"Accept-Language": "pl"}).get_data(
        as_text=True
    )


def test_table_without_manual_says_how_to_get_it(panel: Panel, tmp_path: Path) -> None:
    browser = reader(panel, tmp_path / "nothing")
    for path in ("/docs/", "/docs/index.html"):
        answer = browser.get(path)
        assert answer.status_code == 404
        assert str(MISSING).split("'")[0] in answer.get_data(as_text=True)
    assert 'data-manual=""' in browser.get("/").get_data(as_text=True)


@pytest.mark.nightly
@pytest.mark.browser
def test_manual_is_complete_and_searchable_in_a_browser(panel: Panel, browser: Chromium, tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert manual.build(site) == 0
    assert manual.site_faults(site) == []
    (site / "broken.html").write_text('<a href="none.html">1</a><a href="index.html#none">2</a>', "utf-8")
    assert manual.site_faults(site) == [
        "broken.html: none.html is a broken link",
        "broken.html: index.html#none is a broken link",
    ]
    server = serve(create_app(panel.interface, SIMULATED, site), "127.0.0.1", 0)
    server.start()
    try:
        _read(browser, f"http://127.0.0.1:{server.port}/docs/")
    finally:
        server.stop()


def _read(browser: Chromium, address: str) -> None:
    """Open pages of each kind and search for one. Any complaint of the browser is a fault."""
    complaints: list[str] = []
    for width in WIDTHS:
        page = Screen(browser, (width, 900), known=False).page
        page.on("console", lambda said: complaints.append(f"{said.text} {said.location}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda asked: asked.url.startswith((address, "data:")) or complaints.append(asked.url))
        for name in PAGES:
            page.goto(address + name, wait_until="load")
            expect(page.locator("h1").first).to_be_visible()
            expect_value(page, FITS, where=(name, width))
    page.locator(".md-search__input").click()
    page.keyboard.type("calibrate")
    expect(page.locator(".md-search-result__item").first).to_be_visible()
    assert complaints == []
