"""Browsers keep scripts and styles for good, under addresses that change with the files."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.room import Screen
from web_panel import versions
from web_panel.game_screens import IMPORT, IMPORTED
from web_panel.versions import CACHE_FOREVER

NAMED = re.compile(r'(?:href|src|data-module)="(/~\w+(/(?:static|games/[\w-]+/static)/[\w/.-]+))"')
ADDRESSES = re.compile(r"""^(?:import|export)\b[^;"']*["']([/\w~-]*/static/[^"']+)["']""", re.MULTILINE)


def named(panel: Panel, page: str = "/table") -> dict[str, str]:
    """Return the files that a page names: plain address -> versioned address."""
    return {plain: kept for kept, plain in NAMED.findall(panel.browser().get(page).text)}


def test_files_of_a_page_are_kept_and_others_revalidated(unchanged: Panel) -> None:
    browser, files = unchanged.browser(), named(unchanged)
    assert {"/static/style.css", "/static/table.js", "/static/ui.js", "/games/sniper-elite/static/table.js"} <= {*files}
    for plain, kept in files.items():
        answer, again = browser.get(kept), browser.get(plain)
        assert (answer.status_code, answer.headers["Cache-Control"], answer.headers.get("ETag")) == (
            200,
            CACHE_FOREVER,
            None,
        )
        assert (again.headers["Cache-Control"], "ETag" in again.headers) == ("no-cache", True)
        assert answer.headers["Content-Security-Policy"] == again.headers["Content-Security-Policy"]


def test_imports_of_a_kept_script_stay_below_its_version(unchanged: Panel) -> None:
    browser, found = unchanged.browser(), 0
    for plain, kept in named(unchanged).items():
        if plain.endswith(".js"):
            addresses = ADDRESSES.findall(browser.get(kept).text)
            assert [it for it in addresses if not it.startswith(kept.removesuffix(plain))] == []
            found += len(addresses)
    assert found > 20


@pytest.mark.parametrize(
    "script",
    ['import "/static/a.js";', "export * from '/static/a.js';", 'const a = await import("/static/a.js");',
     'import {\n  a,\n} from "/games/x-y/static/a.js";'],
)  # fmt: skip
def test_every_way_to_import_is_found(script: str) -> None:
    moved = versions.IMPORTS.sub(rb"\1/~01234567", script.encode()).decode()
    assert "/~01234567/" in moved
    assert moved.replace("/~01234567", "") == script


@pytest.mark.parametrize(
    "script", ['h("img", { src: "/static/icon.svg" });', 'import "./a.js";', 'fetch("/static/a.js")']
)
def test_other_addresses_stay(script: str) -> None:
    assert versions.IMPORTS.sub(rb"\1/~01234567", script.encode()).decode() == script


def test_changed_file_changes_addresses_and_old_ones_still_answer(
    unchanged: Panel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.js").write_text("1")
    monkeypatch.setattr(versions, "_folders", lambda names: [tmp_path])
    before = named(unchanged)
    os.utime(tmp_path / "a.js", (1, 1))
    after = named(unchanged)
    assert before.keys() == after.keys()
    assert not {*before.values()} & {*after.values()}
    old = unchanged.browser().get(before["/static/ui.js"])
    assert (old.status_code, old.headers["Cache-Control"]) == (200, "no-cache")


def test_file_of_the_latest_page_is_answered_without_looking_at_all_files(
    unchanged: Panel, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = named(unchanged)["/static/ui.js"]
    monkeypatch.setattr(versions, "_folders", None)
    answer = unchanged.browser().get(kept)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, CACHE_FOREVER)


def test_link_to_nothing_among_the_files_stops_no_page(
    unchanged: Panel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Editors lock files with such links."""
    (tmp_path / ".#seat.js").symlink_to("someone@somewhere")
    monkeypatch.setattr(versions, "_folders", lambda names: [tmp_path, tmp_path / "removed"])
    assert unchanged.browser().get("/").status_code == 200


@pytest.mark.parametrize("statement", ["import\n", "export {\n"])
def test_search_for_imports_takes_time_in_proportion_to_the_script(statement: str) -> None:
    script = statement * 10_000
    before = time.thread_time()
    assert versions.IMPORTS.sub(b"", script.encode()) == script.encode()
    assert IMPORT.findall(script) == IMPORTED.findall(script) == []
    assert time.thread_time() - before < 1, "it was 60 seconds"


@pytest.mark.parametrize(
    "path", ["/~01234567/api/lobby", "/~01234567/", "/~01234567/static/none.js", "/~x/static/ui.js"]
)
def test_nothing_else_is_served_below_a_version(unchanged: Panel, path: str) -> None:
    assert unchanged.browser().get(path).status_code == 404


@pytest.mark.browser
def test_second_visit_asks_for_no_script_again(browser: Browser, panel: Panel, served: str) -> None:
    asked: list[str] = []
    app = panel.app.wsgi_app

    def count(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        asked.append(environ["PATH_INFO"])
        return app(environ, start)

    panel.app.wsgi_app = count  # type: ignore[method-assign]
    page = Screen(browser, (1280, 720)).page
    for _ in range(2):
        asked.clear()
        page.goto(f"{served}table")
        expect(page.get_by_test_id("turn")).to_be_visible()
    assert [path for path in asked if path.endswith(".js")] == []
    assert asked
