"""`python -m tools.measure_screens`: how soon a slow phone shows something, on its first visit to each page.

The table runs in this process; the phone is Chromium at 360 pixels with an empty cache, whose processor is four times
slower than this machine's, over a line of 1.6 Mbit/s with 150 ms there and back, as Lighthouse has it. The first
picture is the first text or drawing that is painted, the map the first paint of all its spaces. Nothing here is
asserted anywhere; docs/performance.md says what the figures mean.
"""

from __future__ import annotations

import platform
import sys
import tempfile
from datetime import date
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from tools.showroom import Showroom
from tools.tour import MAP, Screenshot, TourBrowser, chromium, tour
from web_panel.serve import serve

PAGES = ("lobby", "rules", "sniper-way", "defenders-sweep", "table", "board", "health")
"""Scenes of the tour, one for each page."""
TIMES = 5
SLOWER, DOWN, UP, DELAY_MS = 4, 1.6e6 / 8, 750e3 / 8, 150
"""The processor's share, bytes a second, and the time there and back."""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
MAPPED = f"""
const look = () => document.querySelector({MAP!r})
  ? requestAnimationFrame(() => requestAnimationFrame(() => (globalThis.mapped = performance.now())))
  : requestAnimationFrame(look);
look();
"""
"""Notes when the page has painted its map: the frame after the one in which it got it."""


def measured(browser: Browser, room: Showroom, address: str, scene: Screenshot) -> tuple[float, float | None]:
    """When the page of a scene has painted anything, and its map (ms from asking for it), on a first visit."""
    visit = TourBrowser(browser, address, room.company, 360, 780)
    try:
        phone = visit.page.context.new_cdp_session(visit.page)
        line = {"offline": False, "latency": DELAY_MS, "downloadThroughput": DOWN, "uploadThroughput": UP}
        phone.send("Network.enable")
        phone.send("Network.emulateNetworkConditions", line)
        phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        visit.page.add_init_script(MAPPED)
        page = visit.look(scene)
        if page.locator("#map").count():
            page.wait_for_function("() => globalThis.mapped")
        return page.evaluate(PAINTED), page.evaluate("globalThis.mapped ?? null")
    finally:
        visit.leave()


def table(found: dict[str, list[tuple[float, float | None]]]) -> str:
    """The figures as a table, the middle one of all visits."""
    rows = ["| page | first picture | its map |", "| --- | --- | --- |"]
    for name, visits in found.items():
        maps = [mapped for _, mapped in visits if mapped is not None]
        drawn = f"{median(maps) / 1000:.1f} s" if maps else "–"
        rows.append(f"| {name} | {median(first for first, _ in visits) / 1000:.2f} s | {drawn} |")
    return "\n".join(rows)


def main() -> int:
    """Visit each page some times, and print what came of it."""
    found: dict[str, list[tuple[float, float | None]]] = {}
    with tempfile.TemporaryDirectory() as state, chromium() as browser:
        room = Showroom(Path(state))
        server = serve(room.app, "127.0.0.1", 0)
        server.start()
        try:
            address = f"http://127.0.0.1:{server.port}/"
            for scene in tour(room):
                if scene.name in PAGES:
                    found[scene.path] = [measured(browser, room, address, scene) for _ in range(TIMES)]
        finally:
            server.stop()
            room.stop()
    print(table(found))
    print(f"\n{date.today():%d %B %Y}, {platform.machine()}, Python {platform.python_version()}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
