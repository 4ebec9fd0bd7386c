"""`python -m tools.analysis_pictures STATE NUMBER`: take the pictures of docs/analysis.md.

They show a game that the table with this state folder has analysed. The table must not run.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import expect

from maker.page_parts import DOCS
from tools.screens import packed
from tools.showroom import Showroom
from tools.tour import PATIENCE, Screenshot, TourBrowser, start_chromium

FOLDER = DOCS / "analysis"
GRAPHS = "[data-testid=graph-possible]"
KEY_MOMENT = "[data-testid^=key-moment]"
PIECES = ("#known .layer-pieces .mini", "#truth .layer-pieces .mini")
SIZES = {"wide": (1280, 800), "phone": (360, 780)}


def main() -> int:
    path = f"/games/{int(sys.argv[2])}?analysis"
    scene = Screenshot("analysis", "The analysis of a past game", path, GRAPHS, None, (KEY_MOMENT,))
    room = Showroom(Path(sys.argv[1]))
    with room.served() as address, start_chromium() as browser:
        for name, size in SIZES.items():
            page = TourBrowser(browser, address, room.company, *size).open_scene(scene)
            for piece in PIECES:
                expect(page.locator(piece).first).to_be_attached(timeout=PATIENCE)
            page.evaluate("document.querySelector('#study').scrollTo(0, 0)")
            (FOLDER / f"{name}.webp").write_bytes(packed(page.screenshot(full_page=name == "phone"), 1))
    room.stop()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
