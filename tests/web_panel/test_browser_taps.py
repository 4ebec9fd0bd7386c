"""How many taps an act takes on a phone, from the page of a seat in its turn, as listed in docs/testing.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.depth import DEPTH
from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Screen, asks_at_end, wait_shown
from tests.web_panel.test_browser_solo import Alone
from tests.web_panel.test_browser_whole_game import Device
from tools.tour import tour

pytestmark = IN_CHROMIUM
TESTING = Path(__file__).parents[2] / "docs" / "testing.md"
MOST = {
    "move": 2,
    "attack": 2,
    "spot": 3,
    "sweep": 3,
    "shoot": 2,
    "end of the turn": 2,
    "from the first page to a move against a bot": 6,
    "from the first page to a move in a lesson": 4,
}
SIZES = ((360, 740), (768, 1024), (1920, 1080))[: 1 if DEPTH == 1 else 3]


class Fingers(Device):
    """A device that counts its taps."""

    def __init__(self, browser: Browser, panel: Panel, served: str, seat: str, size: tuple[int, int]) -> None:
        super().__init__(browser, panel, seat, size, has_touch=True)
        self.holds(served, seat, panel.company.keys[seat])
        self.touches = 0
        self.go(served + seat)
        expect(self["turn"]).to_be_visible()

    def press(self, testid: str) -> None:
        super().press(testid)
        self.touches += 1

    def tap(self, space: str) -> None:
        super().tap(space)
        self.touches += 1

    def see_all(self) -> None:
        """Show the whole map. It isn't counted, because the visible part of the map is another question."""
        self["zoom-fit"].tap()


class Newcomer(Screen):
    """A first-time player with a phone."""

    def __init__(self, browser: Browser, served: str) -> None:
        super().__init__(browser, (360, 740), has_touch=True)
        self.touches = 0
        self.go(served)

    def touch(self, selector: str) -> None:
        """Tap the first of the controls found."""
        self.page.locator(selector).first.tap()
        self.touches += 1


def first(panel: Panel, kind: str, **wanted: Any) -> dict[str, Any]:
    """Return the first legal act of a kind, without a specialist."""
    return next(
        act
        for act in panel.company.legal("defenders", kind)
        if not act.get("use") and all(act[name] == value for name, value in wanted.items())
    )


def taps(panel: Panel, device: Fingers, kind: str) -> int:
    """Make the first act of a kind on a defenders' device with the squads open."""
    act = first(panel, kind)
    if device[f"unit-{act['unit']}"].get_attribute("aria-pressed") == "true":
        device.press(f"unit-{act['unit']}")
    device.touches = 0
    device.press(f"unit-{act['unit']}")
    if kind == "move":
        device.taps(act["to"])
    elif kind == "attack":
        device.does("deed-attack")
    else:
        device.press(f"deed-{kind}")
        device.taps(act["space"]) if kind == "spot" else device.does("confirm")
    return device.touches


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_no_act_takes_more_taps_than_documented(
    browser: Browser, panel: Panel, served: str, size: tuple[int, int]
) -> None:
    next(scene for scene in tour(panel) if scene.name == "sniper-aim")
    phone = Fingers(browser, panel, served, "sniper", size)
    target = phone.legal("shoot")[0]["target"]
    phone.press(f"target-{target}")
    phone.does("fire")
    counted = {"shoot": phone.touches}
    panel.company.act("sniper", {"type": "end-turn"})
    while saves := panel.company.legal("defenders", "save"):
        panel.company.act("defenders", saves[0])

    device = Fingers(browser, panel, served, "defenders", size)
    for kind in ("sweep", "spot", "move", "attack"):
        wait_shown(device.page, panel.company.picture("defenders")["revision"])
        if device["tab-squads"].is_visible() and device["tab-squads"].get_attribute("aria-expanded") != "true":
            device["tab-squads"].tap()
        counted[kind] = taps(panel, device, kind)
    while abilities := panel.company.legal("defenders", "ability"):
        panel.company.act("defenders", abilities[0])
    device.touches = 0
    if not any(act.get("use") for act in panel.company.legal("defenders")):
        asked = asks_at_end(panel.company.picture("defenders"))
        device.does("end-turn", sure=asked)
        counted["end of the turn"] = device.touches
    assert {name: number for name, number in counted.items() if number > MOST[name]} == {}


COUNTING = """() => {
  window.taps = 0;
  addEventListener("click", ({ target }) => (window.taps += target.closest("[data-map]") ? 0 : 1), true);
}"""
"""Count the taps on a page, without those of the map's own buttons."""


@pytest.mark.nightly
def test_solo_acts_take_no_more_taps_than_documented(tmp_path: Path, browser: Browser) -> None:
    panel = Panel(tmp_path, seed=5)
    with panel.served() as address:
        alone = Alone(browser, panel, address, 5, has_touch=True)
        alone.sit_down()
        alone.enters()
        page, counted = alone.phone.page, dict[str, int]()
        page.evaluate(COUNTING)
        while "shoot" not in counted and not alone.over():
            page.evaluate("window.taps = 0")
            alone.tap(next(move["path"][0] for move in alone.picture["foresight"]["moves"] if len(move["path"]) == 1))
            alone.phone.does("confirm-move")
            counted["move"] = page.evaluate("window.taps")
            page.evaluate("window.taps = 0")
            if alone.legal("shoot"):
                # Several targets are listed behind one button, which aims at the nearest.
                alone.phone.page.locator("[data-testid=shoot], [data-testid^=target-]").first.click()
                alone.phone.does("fire")
                counted["shoot"] = page.evaluate("window.taps")
            alone.answers()
            alone.phone.does("end-turn")
            alone.answers()
            alone.tidy()
        assert {name: number for name, number in counted.items() if number > MOST[name]} == {}
        assert set(counted) == {"move", "shoot"}
    panel.stop()


def test_new_player_moves_after_documented_number_of_taps(browser: Browser, panel: Panel, served: str) -> None:
    learner = Newcomer(browser, served)
    for selector in ("[data-testid=link-learn]", "[data-testid=lesson-sniper]"):
        learner.touch(selector)
    learner.tap("Y32")
    learner.touch("[data-testid=confirm-move]")
    learner.says("coach-step", "Step 2 of")
    assert learner.touches + 1 <= MOST["from the first page to a move in a lesson"]

    player = Newcomer(browser, served)
    for selector in ("[data-testid=topic-alone]", "[data-testid=play-sniper]"):
        player.touch(selector)
    deciding = player.page.locator("[data-testid^=enter-], [data-testid^=return-]").first
    expect(deciding).to_be_visible()
    while str(deciding.get_attribute("data-testid")).startswith("return-"):
        before = player.revision
        player.touch("[data-testid^=return-]")
        wait_shown(player.page, before + 1)
        expect(deciding).to_be_visible()
    player.touch("[data-testid^=enter-]")
    player.tap(str(player.lit("quiet").first.get_attribute("data-space")))
    player.touch("[data-testid=confirm-move]")
    player.says("headline", "moved")
    assert player.touches + 1 <= MOST["from the first page to a move against a bot"]


def test_documented_tap_table_matches_this_test() -> None:
    page = TESTING.read_text("utf-8")
    assert {name: f"| {name} | {number} |" in page for name, number in MOST.items()} == dict.fromkeys(MOST, True)
