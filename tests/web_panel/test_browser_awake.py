"""Screens that stay on: while a game is played; on a kiosk always, which also reloads itself once a day."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, PATIENCE, Screen, expect_value, wait_shown
from web_panel.settings import PanelSettings

pytestmark = IN_CHROMIUM

LOCKS = """
window.asked = 0;
window.kept = new Set();
class Lock extends EventTarget {
  async release() {
    if (kept.delete(this)) this.dispatchEvent(new Event("release"));
  }
}
const request = async (what) => {
  asked += 1;
  if (what !== "screen" || document.hidden || window.weak) throw new DOMException("no", "NotAllowedError");
  const lock = new Lock();
  kept.add(lock);
  return lock;
};
Object.defineProperty(navigator, "wakeLock", { value: { request } });
"""
"""A browser that keeps a screen on, unless its battery is `weak`."""
BEATS = """
delete window.SharedWorker;
window.beats = {};
window.EventSource = class extends EventSource {
  constructor(address) {
    super(address);
    this.addEventListener("beat", () => (beats[address] = (beats[address] || 0) + 1));
  }
};
"""
"""A browser that counts the heartbeats of each stream, in the page itself."""
SEEN = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
  if (hidden) [...kept].forEach((lock) => lock.release());
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""The page is hidden, as a browser does it, or shown again."""
DAY, MINUTE, MOMENT = 24 * 60 * 60 * 1000, 60_000, 5_000
"""Milliseconds. A stream that is silent for longer counts as lost."""


@pytest.fixture
def panel(tmp_path: Path) -> Iterator[Panel]:
    """A panel with enough streams for a reloaded page before its old streams are known to be dead."""
    running = Panel(tmp_path, PanelSettings(simulated=True, heartbeat=0.05))
    yield running
    running.stop()


def opened(browser: Browser, served: str, panel: Panel, path: str) -> Screen:
    screen = Screen(browser, (900, 700), LOCKS + BEATS)
    if key := panel.company.keys.get(path):
        screen.holds(served, path, key)
    if path == "kiosk":
        screen.page.clock.install()
    screen.go(served + path)
    live(screen)
    return screen


def live(screen: Screen) -> None:
    expect(screen.page.locator("body")).to_have_attribute("data-connection", "live")


def keeps(page: Page, locks: int) -> None:
    expect_value(page, "kept.size", locks)


@pytest.mark.parametrize(
    "path", ["sniper", *(pytest.param(it, marks=pytest.mark.nightly) for it in ("defenders", "table"))]
)
def test_screen_stays_on_while_a_game_is_played(browser: Browser, panel: Panel, served: str, path: str) -> None:
    panel.company.sit_down()
    screen = opened(browser, served, panel, path)
    page = screen.page
    wait_shown(page, panel.company.picture(path)["revision"])
    expect_value(page, "asked", 0)
    panel.company.start(random_setup=True)
    keeps(page, 1)
    page.evaluate(SEEN, True)
    keeps(page, 0)
    page.evaluate(SEEN, False)
    keeps(page, 1)

    for paused, locks in ((True, 0), (False, 1)):
        panel.interface.pause(paused, panel.company.requester)
        keeps(page, locks)
    panel.interface.abandon(panel.company.requester)
    keeps(page, 0)


FILM = "[...document.querySelectorAll('video.film')].filter((it) => !it.paused && it.currentTime > 0)"


def films(page: Page, number: int) -> None:
    expect_value(page, f"{FILM}.length", number)


def test_refused_wake_lock_falls_back_to_video_and_is_requested_again(
    browser: Browser, panel: Panel, served: str
) -> None:
    panel.company.sit_down()
    screen = opened(browser, served, panel, "defenders")
    screen.page.evaluate("window.weak = true")
    panel.company.start(random_setup=True)
    films(screen.page, 1)
    wait_shown(screen.page, panel.company.picture("defenders")["revision"])
    expect_value(screen.page, "asked", 1, where="a picture doesn't ask again:")
    screen.page.evaluate(SEEN, True)
    films(screen.page, 0)
    screen.page.evaluate(SEEN, False)
    films(screen.page, 1)
    screen.page.evaluate(SEEN, True)
    screen.page.evaluate("window.weak = false")
    screen.page.evaluate(SEEN, False)
    keeps(screen.page, 1)
    films(screen.page, 0)


SOUND = "() => document.querySelector('video.film')?.srcObject.getAudioTracks().length === 1"
REFUSED = """
const play = HTMLMediaElement.prototype.play;
let tapped = false;
addEventListener("pointerdown", () => (tapped = true), true);
HTMLMediaElement.prototype.play = function () {
  if (!tapped) return Promise.reject(new DOMException("no", "NotAllowedError"));
  return play.call(this);
};
"""
"""A phone in low power mode: it plays nothing before a tap.

The browser's own `userActivation` is also set by what this test evaluates in the page.
"""


def test_silent_video_keeps_screen_on_without_wake_lock(browser: Browser, panel: Panel, served: str) -> None:
    panel.company.sit_down()
    panel.company.start(random_setup=True)
    without = "Object.defineProperty(navigator, 'wakeLock', { value: undefined });"
    screen = Screen(browser, (360, 740), without + REFUSED)
    screen.go(f"{served}table")
    live(screen)
    screen.page.wait_for_selector("video.film", state="attached")
    films(screen.page, 0)
    screen.page.mouse.click(5, 5)
    films(screen.page, 1)
    expect_value(screen.page, SOUND)
    video = screen.page.locator("video.film")
    expect_value(video, "it => [it.muted, it.loop, it.playsInline]", [False, False, True])
    screen.page.evaluate("document.querySelector('video.film').pause()")
    films(screen.page, 1)
    for paused, number in ((True, 0), (False, 1)):
        panel.interface.pause(paused, panel.company.requester)
        films(screen.page, number)
    panel.interface.abandon(panel.company.requester)
    expect_value(screen.page, "document.querySelector('video.film')", None)


# --- the kiosk --------------------------------------------------------------------------------------------------


def pass_a_minute(screen: Screen) -> None:
    """Let a minute pass. A heartbeat of the stream arrives meanwhile, as in a real minute."""
    for _ in range(MINUTE // MOMENT + 1):
        screen.page.evaluate("beats = {}")
        expect_value(screen.page, "Object.keys(beats).length", 1)
        screen.page.clock.fast_forward(MOMENT)


def test_kiosk_stays_on_and_reloads_once_a_day_between_games(browser: Browser, panel: Panel, served: str) -> None:
    panel.company.sit_down()
    tv = opened(browser, served, panel, "kiosk")
    keeps(tv.page, 1)
    tv.page.evaluate("window.before = true")
    pass_a_minute(tv)
    panel.company.start(random_setup=True)
    expect(tv["turn"]).not_to_contain_text("Lobby")
    tv.page.clock.set_system_time(tv.page.evaluate("Date.now()") + DAY)
    pass_a_minute(tv)
    expect_value(tv.page, "before")

    panel.interface.abandon(panel.company.requester)
    expect(tv["turn"]).to_contain_text("Lobby")
    expect(tv.page.locator("#hud")).to_contain_text("Sniper Elite")
    with tv.page.expect_navigation(timeout=PATIENCE), suppress(Error):  # the page reloads while the minute passes
        pass_a_minute(tv)
    live(tv)
    keeps(tv.page, 1)
