"""The turn clock on screens whose clock, or the table's, is set meanwhile."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Screen
from tools.showroom import SIMULATED

pytestmark = IN_CHROMIUM

DAY = 24 * 60 * 60
SOON = re.compile(r"^(60:00|59:\d\d)$")
"""What the clock shows at the start of a turn of an hour."""
READS = (
    """picture => document.dispatchEvent(new CustomEvent("picture", { detail: { ...picture, readers: ["sniper"] } }))"""
)
"""Show that the bots wait for the sniper, who reads a briefing."""


def test_turn_clock_is_right_again_after_a_clock_was_set(browser: Browser, tmp_path: Path) -> None:
    """A Raspberry Pi has the time of its last shutdown until it finds a network. From then on, each turn seemed to be
    over on all screens that were open.
    """
    panel = Panel(tmp_path, SIMULATED, turn_minutes=60)
    try:
        panel.company.sit_down()
        panel.company.start(random_setup=True)
        with panel.served() as address:
            screen = Screen(browser, (900, 700))
            screen.page.clock.install()
            screen.go(f"{address}table")
            expect(screen["clock"]).to_have_text(SOON)
            expect(screen["readers"]).to_have_count(0)
            screen.page.evaluate(READS, panel.company.picture("table"))
            screen.says("readers", "Still reading the briefing: Ada's phone")
            screen.page.clock.set_system_time(time.time() + DAY)
            expect(screen["clock"]).not_to_have_text(SOON)
            for act in ("choose-entry", "move", "end-turn"):
                panel.company.act("sniper", panel.company.legal("sniper", act)[0])
            expect(screen["clock"]).to_have_text(SOON)
    finally:
        panel.stop()


def test_page_opened_after_the_table_clock_was_set_shows_the_turn(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = Panel(tmp_path, SIMULATED, turn_minutes=60)
    now = time.time
    try:
        monkeypatch.setattr(time, "time", lambda: now() - DAY)
        panel.company.sit_down()
        panel.company.start(random_setup=True)
        panel.advance_clock()
        monkeypatch.setattr(time, "time", now)
        with panel.served() as address:
            screen = Screen(browser, (900, 700))
            screen.go(f"{address}table")
            expect(screen["clock"]).to_have_text(SOON)
    finally:
        panel.stop()
