"""The lesson of a game without screens is played on the generic page of its seat."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.games.treasure.daemon import TreasureTable
from tests.web_panel.looks import OUT_OF_REACH, PALE
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value

pytestmark = IN_CHROMIUM


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TreasureTable]:
    running = TreasureTable(tmp_path)
    yield running
    running.close()


def test_lesson_is_listed_and_played_to_the_end(browser: Browser, table: TreasureTable) -> None:
    pupil = Screen(browser, (360, 740), has_touch=True)
    asked: list[str] = []
    pupil.page.on("request", lambda request: asked.append(request.url))
    pupil.go(f"http://127.0.0.1:{table.device.port}/learn")
    pupil.press("lesson-seeker")
    pupil.says("coach-step", "Step 1 of 3")
    pupil.press("act-dig")
    pupil.says("coach-wrong", "roll first")
    pupil.press("act-roll")
    pupil.says("coach-step", "Step 2 of 3")
    for check in (OUT_OF_REACH, PALE):
        expect_value(pupil.page, check, [])
    pupil.tap("a3")
    pupil.tap("a3")
    pupil.says("coach-step", "Step 3 of 3")
    pupil.press("act-dig")
    pupil.says("coach-say", "Now you know a seeker's turn.")
    expect(pupil["to-lobby"]).to_be_visible()
    assert not [address for address in asked if "/api/stream/" in address], "the table's lamps are of another game"
    assert pupil.faults == []
