"""Two rounds in a real Chromium: the sniper on a phone, the defenders on a tablet, a TV and the simulated board.

The daemon runs as its users start it; the pages are clicked, tapped and dragged as people do it.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect, sync_playwright

pytestmark = [
    pytest.mark.browser,
    # Playwright's event loop leaves its own resources to the interpreter's end.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")
PATIENCE = 15_000
"""Milliseconds that a page may take on a busy machine."""


SPOT = """space => {
    const path = document.querySelector(`[data-space="${space}"][data-spot]`);
    const [x, y] = path.dataset.spot.split(",").map(Number);
    const grid = path.getScreenCTM();
    return [grid.a * x + grid.e, grid.d * y + grid.f];
}"""
"""Where on the screen a space's spot is."""


class Daemon:
    """`sniperboard run --simulate` on a free port; it can be killed and started again on the same state."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self.port = 0
        self.address = ""
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "firmware_host", "run", "--simulate", "--host", "127.0.0.1"]
        command += ["--port", str(self.port), "--state", str(self.state)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ})
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := ADDRESS.search(line):
                self.address = found[0]
                self.port = int(self.address.rstrip("/").rpartition(":")[2])
                return
        raise AssertionError("the daemon printed no address")

    def kill(self) -> None:
        """As a pulled plug does it."""
        self.process.send_signal(signal.SIGKILL)
        self.end()

    def stop(self) -> None:
        self.process.terminate()
        self.end()

    def end(self) -> None:
        self.process.wait(10)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    running = Daemon(tmp_path / "state")
    yield running
    running.stop()


@pytest.fixture
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


class Screen:
    """One device with one page; every error that its page meets is kept."""

    def __init__(self, browser: Browser, size: tuple[int, int], **device: Any) -> None:
        viewport: ViewportSize = {"width": size[0], "height": size[1]}
        self.page: Page = browser.new_context(viewport=viewport, **device).new_page()
        self.page.set_default_timeout(PATIENCE)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def __getitem__(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def go(self, address: str) -> None:
        self.page.goto(address)

    def press(self, testid: str) -> None:
        self[testid].click()

    def says(self, testid: str, text: str | re.Pattern[str]) -> None:
        expect(self[testid]).to_contain_text(text, timeout=PATIENCE)

    def lit(self, kind: str) -> Locator:
        return self.page.locator(f".lit.{kind}")


class Room:
    """Everybody's screens in one room."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.address = address
        self.sniper = Screen(browser, (360, 780), has_touch=True)
        self.defenders = Screen(browser, (768, 1024))
        self.tv = Screen(browser, (1920, 1080))
        self.board = Screen(browser, (1200, 900))

    @property
    def screens(self) -> tuple[Screen, ...]:
        return self.sniper, self.defenders, self.tv, self.board

    def sit_down_and_start(self) -> None:
        for screen, seat in ((self.sniper, "sniper"), (self.defenders, "defenders")):
            screen.go(self.address)
            screen.press(f"take-{seat}")
            screen["claim-pin"].fill("2468")
            screen.press("claim-send")
            screen.page.wait_for_url(f"**/{seat}")
        self.sniper.go(self.address)
        self.sniper.press("start")
        expect(self.sniper["open-sniper"]).to_be_visible(timeout=PATIENCE)
        self.sniper.go(self.address + "sniper")
        self.tv.go(self.address + "table")
        self.board.go(self.address + "board")

    def finish_dealing(self) -> None:
        """Hand back objectives while both are of one suit."""
        page = self.sniper.page
        waiting = page.locator("[data-testid^=enter-], [data-testid^=return-]")
        while True:
            expect(waiting.first).to_be_visible(timeout=PATIENCE)
            if page.locator("[data-testid^=enter-]").count():
                return
            with page.expect_response("**/api/act"):
                page.locator("[data-testid^=return-]").first.click()

    def set_up(self) -> None:
        """The miniatures go where they belong; the lamps led the way."""
        self.board.says("board-sentence", "Set up the yellow squad")
        self.board.press("tidy")
        self.board.says("board-sentence", "agree")

    def quiet_step(self) -> str:
        """One space, silently; where the sniper is now."""
        self.sniper.press("zoom-fit")
        space = str(self.sniper.lit("quiet").first.get_attribute("data-space"))
        self.sniper.lit("quiet").first.click()
        self.sniper.says("headline", "Silent")
        self.sniper.press("confirm-move")
        self.sniper.says("headline", "moved")
        return space

    def drag(self, unit: str, to: str) -> None:
        """A miniature goes by mouse to a space of the simulated board."""
        mouse = self.board.page.mouse
        start, end = middle(self.board[f"mini-{unit}"]), self.board.page.evaluate(SPOT, to)
        mouse.move(*start)
        mouse.down()
        mouse.move(*end, steps=5)
        mouse.up()


def middle(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_two_rounds_are_played_on_separate_pages_and_a_kill_in_between_loses_nothing(
    browser: Browser, daemon: Daemon
) -> None:
    room = Room(browser, daemon.address)
    room.sit_down_and_start()
    room.finish_dealing()
    room.set_up()

    room.sniper.page.locator("[data-testid^=enter-]").first.click()
    room.quiet_step()
    secret = room.defenders.page.content() + room.tv.page.content()
    assert "You move" not in secret
    assert "You will enter" not in secret
    room.sniper.press("end-turn")

    room.defenders.says("turn", "Your turn")
    room.tv.says("turn", "Defenders")
    room.defenders.press("unit-red-1")
    room.defenders.press("deed-move")
    to = str(room.defenders.lit("choice").first.get_attribute("data-space"))
    room.drag("red-1", to)
    room.tv.says("latest", f"to {to}")
    expect(room.defenders["unit-red-1"]).to_contain_text(to, timeout=PATIENCE)
    room.board.says("board-sentence", "agree")

    daemon.kill()
    daemon.start()
    expect(room.defenders["unit-red-1"]).to_contain_text(to, timeout=PATIENCE)
    room.defenders.press("unit-black-1")
    room.defenders.press("deed-attack")
    room.defenders.press("confirm")
    room.tv.says("latest", "nobody there")
    room.sniper.press("tab-log")
    room.sniper.says("panel-log", "nobody there")

    end_defenders_turn(room)
    room.sniper.says("turn", "Your turn")
    room.tv.says("countdown", "9")
    room.sniper.press("tab-log")
    room.quiet_step()
    room.sniper.press("end-turn")
    end_defenders_turn(room)
    room.sniper.says("turn", "Your turn")
    room.tv.says("countdown", "8")
    assert [screen.faults for screen in room.screens] == [[], [], [], []]


def end_defenders_turn(room: Room) -> None:
    """With cubes unspent the page asks whether that is meant."""
    room.defenders.press("end-turn")
    room.defenders.press("confirm-yes")
