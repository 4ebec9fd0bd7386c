"""A chattering sensor in a real Chromium: it is reported, set to manual in the message, and turned on on its page."""

from __future__ import annotations

import time

from playwright.sync_api import Browser, expect

from firmware_host.table.table import Table
from hardware.ports import Edge
from tests.web_panel.conftest import PIN, Panel
from tests.web_panel.looks import FITS
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value

pytestmark = IN_CHROMIUM
AHEAD = 30.0
"""Seconds of chatter. It outlasts the test: its last edges are in the future."""


def chatter(table: Table) -> None:
    """Make W1's reed switch fifty times a second, as the driver would report it."""
    sensor = table.board.io.wiring.sensor_of("W1")
    assert sensor is not None
    now = time.monotonic()
    for step in range(50 * int(AHEAD)):
        table.feed(Edge(sensor, step % 2 == 0, now + step / 50))


def test_chattering_sensor_is_set_to_manual_and_back(browser: Browser, panel: Panel, served: str) -> None:
    sniper, _ = panel.start()
    while sniper.get("/api/picture/sniper").json["view"]["pending"]:
        sniper.acts("sniper", **sniper.get("/api/picture/sniper").json["legal"][0])
    sniper.post("/api/tidy")
    tablet, page = Screen(browser, (360, 780)), Screen(browser, (360, 780))
    tablet.address = served
    tablet.sends("take-over", seat="defenders", pin=PIN, device="a tablet")
    tablet.go(served + "defenders")
    tablet.says("board-sentence", "agree")
    page.page.context.add_cookies(tablet.page.context.cookies())
    page.go(served + "health")
    page.says("doubt-count", "All sensors look good")
    expect_value(page.page, FITS)

    panel.loop.call(chatter)
    tablet.says("board-sentence", "W1: its sensor chatters")
    page.says("doubt-W1", "Set it to manual")
    tablet.press("set-manual-W1")
    expect(tablet.page.locator('[data-manual="W1"]')).to_be_attached()
    tablet.says("board-sentence", "agree")

    switch = page["manual-W1"]
    expect(switch).to_have_attribute("aria-checked", "true")
    expect(page["doubt-count"]).to_contain_text("All sensors")
    page.press("sort-state")
    expect(page.page.locator("tbody th").first).to_have_text("W1")
    switch.focus()
    page.page.keyboard.press("Space")
    expect(switch).to_have_attribute("aria-checked", "false")
    expect(switch).to_be_focused()
    expect(tablet.page.locator('[data-manual="W1"]')).not_to_be_attached()


def test_write_failure_is_shown_on_every_screen_until_it_ends(browser: Browser, panel: Panel, served: str) -> None:
    panel.start()
    tv, polish = Screen(browser, (1920, 1080)), Screen(browser, (320, 640), locale="pl-PL")
    tv.go(served + "table")
    polish.go(served + "health")
    panel.loop.call(lambda table: forbid(table, "ON"))
    tv.says("halted", "read-only. No act is accepted")
    polish.says("halted", "tylko do odczytu")
    polish.says("ills", "tylko do odczytu")
    expect_value(polish.page, FITS)
    panel.loop.call(lambda table: forbid(table, "OFF"))
    expect(tv["halted"]).to_be_hidden()


def forbid(table: Table, switch: str) -> None:
    """Deny or allow SQLite to write, after a failed attempt."""
    table.journal._db.execute(f"PRAGMA query_only = {switch}")
    table.upkeep.check_disk()
