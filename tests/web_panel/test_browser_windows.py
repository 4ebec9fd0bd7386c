"""Several windows of one browser: each has all that it shows, over one connection, and none gets another's data."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, PATIENCE, Screen, expect_value, wait_shown
from tests.web_panel.test_browser_phone import played_to
from tools.tour import KNOWN

pytestmark = IN_CHROMIUM

EARS = """
  window.heard = [];
  window.streams = [];
  if (window.SharedWorker) window.SharedWorker = class extends SharedWorker {
    constructor(...all) {
      super(...all);
      this.port.addEventListener("message", ({ data }) => data.kind === "picture" && heard.push(data.data.viewer));
    }
  };
  window.EventSource = class extends EventSource {
    constructor(address) {
      super(address);
      streams.push(address);
      this.addEventListener("message", ({ data }) => heard.push(JSON.parse(data).viewer));
    }
  };
"""
"""Note the streams of a page, and the viewer of every picture that it gets."""
ALONE = "delete window.SharedWorker;"
"""A browser without shared workers."""
ASK = "async () => (await fetch('/api/lobby')).status"
VIEWERS = {"sniper": {"sniper"}, "defenders": {"defenders"}, "table": {"table", "board"}, "board": {"board", "table"}}
"""A page -> the viewers whose pictures it gets."""


def window(context: Any, address: str, page: str, *scripts: str) -> Page:
    """Open a page in a window of its own."""
    opened: Page = context.new_page()
    for script in scripts:
        opened.add_init_script(script)
    opened.goto(address + page)
    expect(opened.locator("#map .view .layer-pieces")).to_be_attached()
    return opened


def everything(browser: Browser, panel: Panel, served: str) -> Any:
    """Return a browser that holds both seats."""
    context = browser.new_context(viewport={"width": 768, "height": 780}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(KNOWN)
    for seat, key in panel.company.keys.items():
        context.add_cookies([{"name": f"sniperboard-8000-{seat}", "value": key, "url": served}])
    return context


@pytest.mark.nightly
def test_seven_windows_share_one_connection_but_no_pictures(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "defenders-unit")
    context = everything(browser, panel, served)
    shown = ["sniper", "defenders", "table", "board", "table", "board", "defenders"]
    pages = [window(context, served, page, EARS) for page in shown]
    for name, page in zip(shown, pages, strict=True):
        expect_value(page, "all => all.every((one) => heard.includes(one))", arg=sorted(VIEWERS[name]))
        expect_value(page, ASK, 200)
    revision = panel.company.picture("defenders")["revision"]
    pages[1].evaluate("heard = []")
    pages[0].close()
    pages[1].bring_to_front()
    pages[1].get_by_test_id("intel-black").click()
    pages[1].get_by_test_id("confirm").click()
    for page in (pages[1], pages[6]):
        expect_value(page, "least => Number(document.body.dataset.revision) > least", arg=revision)
    for name, page in zip(shown[1:], pages[1:], strict=True):
        # A window gets what it has asked for, and nothing else.
        expect_value(page, "all => heard.every((one) => all.includes(one))", arg=[*VIEWERS[name]])
        expect_value(page, "streams", [])


def test_page_has_one_stream_without_shared_workers(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "defenders-unit")
    screen = Screen(browser, (768, 780), ALONE + EARS)
    screen.holds(served, "sniper", panel.company.keys["sniper"])
    for page, stream in (("table", "table,board"), ("board", "board,table"), ("sniper", "sniper")):
        screen.go(served + page)
        expect(screen.page.locator("#map .view .layer-pieces")).to_be_attached()
        expect_value(screen.page, "all => all.every((one) => heard.includes(one))", arg=sorted(VIEWERS[page]))
        expect_value(screen.page, "[...new Set(streams)]", [f"/api/stream/{stream}"])


def test_swapped_seats_of_one_browser_stay_in_their_windows(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "defenders-unit")
    context = everything(browser, panel, served)
    pages = {seat: window(context, served, seat) for seat in ("sniper", "defenders")}
    panel.loop.call(lambda table: table.abandon())
    panel.loop.call(lambda table: table.play_again(True))
    for seat, page in pages.items():
        wait_shown(page, panel.company.picture(seat)["revision"])
        expect(page.locator(".closed")).to_have_count(0)
        expect(page).to_have_url(f"{served}{seat}")


def test_lost_seat_ends_in_a_stream_with_others(panel: Panel) -> None:
    ada, _ = panel.start()
    stream = ada.get("/api/stream/table,sniper,defenders,nobody", buffered=False)
    pieces = (bytes(piece).decode() for piece in stream.response)
    assert next(pieces).startswith("retry:")
    assert {next(pieces), next(pieces)} == {f"event: gone\ndata: {seat}\n\n" for seat in ("defenders", "nobody")}
    first = {len(piece): piece[:30] for piece in (next(pieces), next(pieces))}
    assert 128 * 1024 in first, "a secret seat's pictures keep their length among others"
    assert panel.browser().post("/api/take-over", seat="sniper", pin="2468", device="Cy").json["ok"]
    later = [piece for piece in (next(pieces) for _ in range(4)) if "beat" not in piece]
    assert "event: gone\ndata: sniper\n\n" in later
    assert not [piece for piece in later if piece.startswith('data: {"viewer":"sniper"')]
    assert ada.get("/api/stream/" + ",".join("abcdefghijklm"), buffered=False).status_code == 400
    stream.close()
