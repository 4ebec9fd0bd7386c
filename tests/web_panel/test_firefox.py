"""The screens in a real Firefox, if there is one: a path drawn by finger, an answer, drawings, and no errors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web_panel.conftest import Panel
from tests.web_panel.drafting import editing
from tests.web_panel.drawn_elsewhere import CASES, LEFT_OUT
from tests.web_panel.firefox import FIREFOX, Firefox
from tests.web_panel.room import SPOT
from tests.web_panel.test_browser_svg import difference, differing, read_all
from tools.tour import tour

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(FIREFOX is None, reason="there is no Firefox here (Debian: apt-get install firefox-esr)"),
]

PAGES = ("", "table", "board", "rules", "aids", "legend", "health", "games")
LEFT = "Failed to load"
"""Firefox's message about an icon whose page was left before it loaded."""
THERE = "document.querySelector('main')"


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    profile = tmp_path / "profile"
    profile.mkdir()
    (profile / "user.js").write_text('user_pref("ui.prefersReducedMotion", 1);\n')
    running = Firefox(profile, (360, 780))
    yield running
    running.close()


@pytest.mark.long
def test_a_turn_of_either_side_is_played_in_firefox(firefox: Firefox, panel: Panel, served: str) -> None:
    next(scene for scene in tour(panel) if scene.name == "sniper-way")
    company = panel.company
    for seat, key in company.keys.items():
        firefox.cookie(f"sniperboard-8000-{seat}", key)
    way = next(move["path"] for move in company.picture("sniper")["foresight"]["moves"] if len(move["path"]) == 2)

    firefox.go(served + "sniper")
    firefox.until("document.querySelector('.lit.quiet')")
    firefox.press("zoom-fit")
    firefox.draw([firefox.evaluate(f"({SPOT})('{space}')") for space in way])
    firefox.until(f"document.querySelector('[data-testid=path]')?.textContent === '{' – '.join(way)}'")
    firefox.press("confirm-move")
    firefox.until("document.querySelector('[data-testid=end-turn]')")
    assert company.picture("sniper")["view"]["sniper"]["space"] == way[-1]
    firefox.press("end-turn")
    firefox.until("document.querySelector('[data-testid=headline]').textContent.includes('search')")

    firefox.go(served + "defenders")
    firefox.press("intel-black")
    firefox.press("confirm")
    firefox.until("document.querySelector('[data-testid=latest]')?.textContent.includes('black sector')")
    for page in PAGES:
        firefox.go(served + page)
        firefox.until(THERE)
    assert [fault for fault in firefox.faults if not fault.startswith(LEFT)] == []


def test_drawings_are_imported_as_firefox_draws_them(firefox: Firefox, tmp_path: Path) -> None:
    with editing(tmp_path / "sheet.geojson") as address:
        firefox.go(address)
        firefox.until("document.querySelector('.draft-bar')")
        found = read_all(firefox, [case.text for case in CASES.values()])
        left_out = read_all(firefox, [*LEFT_OUT])
    wrong = {name: difference(case, it) for (name, case), it in zip(CASES.items(), found, strict=True)}
    assert {name: it for name, it in wrong.items() if it} == {}
    assert differing(left_out) == []
    assert firefox.faults == []
