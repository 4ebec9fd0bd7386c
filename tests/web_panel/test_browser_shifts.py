"""Nothing that is shown moves when the table's answers arrive late, as on a slow line."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value, wait_two_frames
from tools.tour import tour

pytestmark = IN_CHROMIUM

SHIFTS = """
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifts += value;
  }).observe({ type: "layout-shift", buffered: true });
"""
PAINTED = "() => performance.getEntriesByName('first-contentful-paint').length > 0"
MOST = 0.05
"""The sum of layout shifts that people do not notice (a fifth of what Web Vitals call poor)."""
PAGES = {
    "": ((360, 740), "#lobby .seat-cards"),
    "sniper": ((360, 740), "#hud .whose"),
    "table": ((1280, 720), "#side > *"),
    "games": ((360, 740), "#post label"),
    "rules": ((360, 740), "#find-rule"),
}
"""Page -> size of the window, and what it shows once all has arrived."""


REPAINTED = """async () => {
  const { paint } = await import("/static/ui.js");
  const box = document.createElement("div");
  box.style.cssText = "height: 100px; overflow: auto";
  document.body.append(box);
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const line = (number) => Object.assign(document.createElement("p"), { textContent: `line ${number}` });
  const places = [];
  for (const lines of [99, 98, 99, 2]) {
    paint(box, lines, () => Array.from({ length: lines }, (_, i) => line(i)));
    if (!places.length) box.scrollTop = 300;
    places.push(box.scrollTop);
    await frame();
    places.push(box.scrollTop);
  }
  return [places.slice(0, 6), places[7] < 300];
}"""


@pytest.mark.parametrize("path", PAGES)
def test_late_answers_move_nothing(browser: Browser, panel: Panel, served: str, path: str) -> None:
    next(scene for scene in tour(panel) if scene.name == "sniper-way")
    size, shown = PAGES[path]
    screen = Screen(browser, size, SHIFTS)
    if path in panel.company.keys:
        screen.holds(served, path, panel.company.keys[path])
    held: list[Route] = []
    screen.page.route("**/api/**", lambda route: held.append(route))
    screen.go(served + path)
    expect_value(screen.page, PAINTED)
    wait_two_frames(screen.page)
    screen.page.route("**/api/**", lambda route: route.continue_())  # the newest handler comes first
    for route in held:
        route.continue_()
    expect(screen.page.locator(shown).first).to_be_visible()
    wait_two_frames(screen.page)
    expect_value(screen.page, f"shifts < {MOST}")
    if path == "rules":  # any page
        expect_value(screen.page, REPAINTED, [[300] * 6, True], where="a painted part that was scrolled:")
