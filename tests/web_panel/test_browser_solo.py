"""A whole solo game in Chromium, on a phone alone with a TV, and what the phone shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.depth import DEPTH
from tests.web_panel.conftest import LONGEST_WORDS, Panel
from tests.web_panel.room import IN_CHROMIUM, SPOT, STILL, Screen, expect_value, wait_shown
from tests.web_panel.test_browser_table_view import expect_no_overflow

pytestmark = IN_CHROMIUM

PHONE = (360, 780)
ROUNDS = 2 if DEPTH == 1 else 60
"""By day the beginning of a game; at night more than any game has."""
"""More rounds than any game has: the deck is shuffled once."""


COLUMNS = """() => {
    const parts = [...document.querySelectorAll("[data-testid=panel-cards] > *")];
    return new Set(parts.map((it) => it.getBoundingClientRect().left)).size;
}"""
"""Return in how many columns the parts of a section are: the look of a list of cards must not apply to it."""


class Alone:
    """One player with a phone, and a TV."""

    def __init__(self, browser: Browser, panel: Panel, address: str, seed: int, **device: Any) -> None:
        self.panel, self.address, self.luck = panel, address, Random(seed)
        self.phone = Screen(browser, PHONE, **device)
        self.tv = Screen(browser, (1280, 720), locale=LONGEST_WORDS)

    def sit_down(self) -> None:
        """Choose the solo game, take the seat, and start the game."""
        self.tv.go(self.address + "table")
        self.tv.sends("choose", game="sniper-elite-solo")
        self.phone.claims(self.address, "sniper")
        self.phone.sends("start", game="sniper-elite-solo", map="launch-facility", options={})
        self.phone.sends("heed", heeding=True)
        self.phone.go(f"{self.address}sniper")
        wait_shown(self.phone.page, self.sent["revision"])
        self.tidy()

    def tidy(self) -> None:
        """Put every miniature where the game has it. Until then the TV has the most to show."""
        wait_shown(self.tv.page, self.panel.company.picture("table")["revision"])
        expect_no_overflow(self.tv.page, "TV")
        self.phone.sends("tidy")
        self.panel.advance_clock()

    @property
    def sent(self) -> dict[str, Any]:
        """Return the picture that the table has sent the seat."""
        return self.panel.company.picture("sniper")

    @property
    def picture(self) -> dict[str, Any]:
        """Return the same, once the phone shows it and can be used again."""
        found = self.sent
        wait_shown(self.phone.page, found["revision"])
        return found

    def legal(self, *types: str) -> list[dict[str, Any]]:
        """Return the legal acts of these types."""
        return [action for action in self.picture["legal"] if action["type"] in types]

    def over(self) -> bool:
        """Return whether the game has ended."""
        return bool(self.sent["view"]["over"])

    def tap(self, space: str) -> None:
        """Tap a lit space of the map."""
        self.phone.press("zoom-fit")
        expect(self.phone.page.locator(f'.lit[data-space="{space}"]')).to_be_attached()
        self.phone.page.evaluate(STILL)
        self.phone.page.mouse.click(*self.phone.page.evaluate(SPOT, space))

    # --- a turn -------------------------------------------------------------------------------------------------

    def enters(self) -> None:
        """Answer the questions before the first turn."""
        while self.legal("return-objective"):
            self.phone.does(f"return-{self.legal('return-objective')[0]['objective']}")
        self.phone.does(f"enter-{self.legal('choose-entry')[0]['sector']}")

    def plays(self) -> None:
        """Play one turn, up to the end of the defenders' turn."""
        if self.legal("move"):
            self.moves()
        if not self.over() and self.legal("complete"):
            self.phone.does("complete", sure=True)
        elif not self.over() and self.legal("shoot") and self.luck.random() < 0.7:
            self.shoots()
        elif not self.over() and self.legal("loot"):
            self.phone.does("loot", sure=True)
        self.answers()
        if not self.over():
            self.phone.does("end-turn", sure=bool(self.legal("move")))
            self.answers()
        if not self.over():
            self.tidy()

    def moved(self) -> int:
        """Return the number of moves in the defenders' last turn; none are shown after the end."""
        log = self.picture["log"]
        start = max(number for number, line in enumerate(log) if line["type"] == "die")
        return 0 if self.over() else sum(bool(line.get("from") and line.get("to")) for line in log[start:])

    def moves(self) -> None:
        """Choose a path on the map, read its cost, and walk it."""
        moves = self.picture["foresight"]["moves"]
        move = self.luck.choice([move for move in moves if not move["hits"]] or moves)
        for space in move["path"]:
            self.tap(space)
        self.phone.says("path", move["path"][-1])
        hit = "Costs a hit" if move["hits"] else "costs a hit" if move["near"] else "No cost"
        self.phone.says("costs", "learn where you are" if move["update"] else hit)
        if move["near"]:
            expect(self.phone["costs"]).not_to_contain_text("No cost")
        self.phone.does("confirm-move")

    def shoots(self) -> None:
        """Shoot at a target in sight."""
        shots = [shot for shot in self.picture["foresight"]["shots"] if shot["odds"]]
        if not shots:
            return
        self.aims()
        self.phone.does("fire")

    def aims(self) -> None:
        """Aim at a target: the first one listed, or the nearest if there is no room for a list."""
        self.phone.page.locator("[data-testid=shoot], [data-testid^=target-]").first.click()

    def answers(self) -> None:
        """Answer the questions that the game asks meanwhile."""
        while not self.over() and (pending := self.picture["view"]["pending"]) is not None:
            if pending["for"] == "keep":
                self.phone.does(f"keep-{self.legal('keep')[0]['card']}")
            elif pending["for"] == "after-hit":
                reward = self.luck.choice(self.legal("after-hit"))
                self.phone.does(f"reward-{reward['option']}{reward.get('count') or ''}")
            else:
                assert pending["for"] == "place-return"
                self.phone.press(f"place-{pending['spaces'][0]}")
                self.phone.does("confirm-return")


@pytest.fixture
def alone(tmp_path: Path, browser: Browser) -> Iterator[Alone]:
    """A phone, a TV and a table with a seed, for a player with reduced motion."""
    panel = Panel(tmp_path, seed=5)
    with panel.served() as address:
        found = Alone(browser, panel, address, 5, has_touch=True)
        found.sit_down()
        yield found
    panel.stop()


def test_game_is_played_on_a_phone(alone: Alone) -> None:
    alone.enters()
    alone.phone.says("health", "Health")
    alone.phone.page.set_viewport_size({"width": 1920, "height": 1080})
    expect_value(alone.phone.page, COLUMNS, 1)
    alone.phone.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    for _ in range(ROUNDS):
        if alone.over():
            break
        alone.plays()
        for screen in (alone.phone, alone.tv):
            expect(screen.page.locator(".layer-trail .trail")).to_have_count(alone.moved())

    if DEPTH == 1:
        assert alone.sent["view"]["round"] > ROUNDS or alone.over()
        return
    verdicts = {"sniper": ("got away", "uciekł"), "defenders": ("mission failed", "powstrzymany")}
    for screen, verdict in zip((alone.phone, alone.tv), verdicts[alone.sent["view"]["over"]["winner"]], strict=True):
        screen.says("over", verdict)


@pytest.mark.nightly
def test_phone_shows_health_cards_and_defenders_acts(alone: Alone) -> None:
    alone.enters()
    view = alone.picture["view"]
    alone.phone.press("menu")
    alone.phone.press("menu-briefing")
    expect(alone.phone["briefing-goals"].locator("li")).to_have_count(len(view["sniper"]["objectives"]))
    alone.phone.press("briefing-done")
    expect(alone.phone.page.locator("#strip .slab")).to_have_count(len(view["sniper"]["stack"]))
    alone.phone.says("status", str(view["counts"]["deck"]))
    alone.phone.press("tab-cards")
    expect(alone.phone["slot-3"]).to_have_class("slot back")
    for number, slot in enumerate(view["slots"][:2], 1):
        steps = alone.picture["foresight"]["cards"][slot["card"]]
        expect(alone.phone[f"slot-{number}"].locator(".steps li")).to_have_count(len(steps))
    alone.phone.press("tab-cards")
    alone.phone.press("tab-bag")
    alone.phone.says("supply", "× aim")
    alone.phone.press("shut-bag")
    alone.moves()
    alone.phone.does("end-turn")
    alone.answers()
    alone.phone.press("tab-recap")
    lines = alone.phone["recap"].locator("li")
    expect(lines.first).to_contain_text("The die shows")
    expect(alone.phone["recap-line"]).to_have_count(0)
    alone.phone.press("recap-on")
    expect(lines.first).to_have_attribute("aria-current", "step")
    alone.phone.press("recap-later")  # on a phone the section has closed, so that the map shows the step
    expect(lines.nth(1)).to_have_attribute("aria-current", "step")
    alone.phone.says("recap-line", "the defenders play")
    alone.phone.press("recap-skip")
    expect(alone.phone["recap-line"]).to_have_count(0)
