"""The solo screens in a real Chromium: accessible, within reach at every width, by keyboard, and without motion."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.depth import DEPTH
from tests.web_panel.conftest import LONGEST_WORDS, Panel
from tests.web_panel.looks import expect_no_faults
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value
from tests.web_panel.test_browser_craft import tab_to
from tests.web_panel.test_browser_solo import Alone
from web_panel.language import codes

pytestmark = IN_CHROMIUM

WIDTHS = (320,) if DEPTH == 1 else (320, 360, 768, 1920)
PAPERS = ("cards", "recap", "dossier", "bag", "log")[: 2 if DEPTH == 1 else 5]


def room(tmp_path: Path, browser: Browser, **device: Any) -> Iterator[Alone]:
    """A phone, a TV and a table with a seed."""
    panel = Panel(tmp_path, seed=5)
    with panel.served() as address:
        found = Alone(browser, panel, address, 5, **device)
        found.sit_down()
        yield found
    panel.stop()


@pytest.fixture
def still(tmp_path: Path, browser: Browser) -> Iterator[Alone]:
    """A player with reduced motion."""
    yield from room(tmp_path, browser)


@pytest.fixture
def lively(tmp_path: Path, browser: Browser) -> Iterator[Alone]:
    """A player without a board."""
    yield from room(tmp_path, browser, reduced_motion="no-preference")


def scenes(alone: Alone) -> Iterator[tuple[str, Screen]]:
    """Yield the main screens, from the arrow to an aimed shot."""
    while alone.legal("return-objective"):
        alone.phone.does(f"return-{alone.legal('return-objective')[0]['objective']}")
    yield "entry", alone.phone
    alone.enters()
    alone.tidy()
    yield "move", alone.phone
    alone.phone.acts("sniper", **alone.legal("move")[-1])
    alone.tidy()
    alone.phone.does("end-turn")
    alone.answers()
    yield "orders", alone.phone
    yield "tv", alone.tv
    for paper in PAPERS:
        alone.phone.press(f"tab-{paper}")
        yield paper, alone.phone
        alone.phone.press(f"tab-{paper}")
    alone.tidy()
    alone.phone.press("recap-open")
    yield "a step", alone.phone
    alone.phone.press("recap-skip")
    if any(shot["odds"] for shot in alone.picture["foresight"]["shots"]):
        alone.aims()
        yield "shot", alone.phone


@pytest.mark.long
@pytest.mark.parametrize("code", codes() if DEPTH > 1 else [LONGEST_WORDS])
def test_every_solo_screen_is_accessible_and_within_reach(tmp_path: Path, browser: Browser, code: str) -> None:
    for alone in room(tmp_path, browser, locale=code):
        for scene, screen in scenes(alone):
            expect_no_faults(screen.page, scene, WIDTHS, (320, 1920))
        expect(alone.phone.page.locator("html")).to_have_attribute("lang", code)


def steps_of(alone: Alone) -> list[str]:
    """Return the sentences of the defenders' last turn. A choice by chance is part of the move that it leads to."""
    log = alone.sent["log"]
    first = max(i for i, entry in enumerate(log) if entry["type"] == "die")
    turn = list(takewhile(lambda entry: entry["type"] != "turn-ended", log[first:]))
    chosen = [[move.get("unit"), move.get("to")] for move in turn[1:]] + [[]]
    return [step["sentence"] for step, move in zip(turn, chosen, strict=True) if step.get("tie") != move]


@pytest.mark.nightly
def test_turn_and_defenders_turn_are_played_by_keyboard(still: Alone) -> None:
    page, keys = still.phone.page, still.phone.page.keyboard
    while still.legal("return-objective"):
        still.phone.does(f"return-{still.legal('return-objective')[0]['objective']}")
    tab_to(page, "[data-testid^=enter-]")
    keys.press("Enter")
    tab_to(page, ".lit.quiet")
    start = page.evaluate("document.activeElement.dataset.space")
    keys.press("Enter")
    tab_to(page, "[data-testid=confirm-move]")
    keys.press("Enter")
    expect(still.phone["end-turn"]).to_be_visible()
    assert still.picture["view"]["sniper"]["space"] == start
    tab_to(page, "[data-testid=end-turn]")
    keys.press("Enter")
    still.phone.says("round", "2")

    expect(still.phone["recap-line"]).to_have_count(0)
    tab_to(page, "[data-testid=recap-open]")
    keys.press("Enter")
    steps = steps_of(still)
    assert any("tie" in entry for entry in still.sent["log"])
    still.phone.says("recap-line", f"Step 1 of {len(steps)}")
    keys.press("ArrowRight")
    still.phone.says("recap-line", "Step 2 of")
    expect(still.phone["recap-before"].locator("li")).to_have_count(1)
    expect(page.locator("#news")).to_contain_text("the defenders play")
    keys.press("ArrowLeft")
    still.phone.says("recap-line", "Step 1 of")
    keys.press("Escape")
    expect(still.phone["recap-line"]).to_have_count(0)


def ends_a_turn(alone: Alone) -> None:
    """Take one silent step and end the turn, at a table with its sensors off."""
    alone.phone.sends("heed", heeding=False)
    alone.enters()
    alone.moves()
    alone.phone.press("end-turn")


SKIP_AT_THE_SECOND_STEP = """() => {
  const steps = (window.steps = []);
  new MutationObserver(() => {
    const step = document.querySelector("[data-testid=recap-line]")?.textContent.match(/Step \\d+/)?.[0];
    if (step === undefined || step === steps.at(-1)) return;
    steps.push(step);
    if (steps.length === 2) document.querySelector("[data-testid=recap-skip]").click();
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""
"""Keep the steps that the page reaches by itself, and skip the others: a step may be over before the test asks."""


@pytest.mark.nightly
def test_defenders_turn_plays_by_itself_without_a_board(lively: Alone) -> None:
    lively.phone.page.evaluate(SKIP_AT_THE_SECOND_STEP)
    ends_a_turn(lively)
    expect_value(lively.phone.page, "window.steps.length >= 2")
    expect(lively.phone["recap-line"]).to_have_count(0)
    expect_value(lively.phone.page, "window.steps", ["Step 1", "Step 2"])
    expect(lively.phone["recap-open"]).to_be_visible()


PLACE_OF_NEXT = """() => {
  const { x, y, height } = document.querySelector("[data-testid=recap-later]").getBoundingClientRect();
  return [x, y, height];
}"""
"""Return where the button to the next step is: it stays there, however long a step's sentence is."""


@pytest.mark.nightly
def test_guided_player_goes_from_step_to_step(lively: Alone) -> None:
    lively.phone.sends("heed", heeding=False)
    lively.enters()
    lively.moves()
    lively.phone.press("tab-recap")
    expect(lively.phone["recap-led"]).to_have_count(0)
    lively.phone.press("tab-recap")
    lively.phone.press("end-turn")
    lively.phone.press("recap-skip")
    lively.answers()
    lively.phone.press("tab-recap")
    lively.phone["recap-led"].check()
    lively.phone.press("tab-recap")
    lively.phone.page.reload()
    lively.phone.press("end-turn")
    lively.phone.press("confirm-yes")
    lively.phone.says("round", "3")
    steps = steps_of(lively)
    lively.phone.says("recap-line", f"Step 1 of {len(steps)}")
    news = lively.phone.page.locator("#news")
    expect(news).to_contain_text(steps[0])
    expect(news).not_to_contain_text(steps[-1])  # a step is no news before it is shown
    expect(lively.phone["recap-earlier"]).to_be_disabled()
    lively.phone.says("turn", "Defenders' turn")
    expect(lively.phone["end-turn"]).to_have_count(0)
    place = lively.phone.page.evaluate(PLACE_OF_NEXT)
    for step in (2, 3):
        lively.phone.press("recap-later")
        lively.phone.says("recap-line", f"Step {step} of")
        expect_value(lively.phone.page, PLACE_OF_NEXT, place)
    lively.phone.press("recap-skip")
    expect(news).to_contain_text(steps[-1])
    lively.phone.says("turn", "Your turn")
    expect(lively.phone["end-turn"]).to_be_visible()
    lively.phone.sends("abandon", seat="sniper")
    lively.phone.press("start")
    first = lively.phone.page.locator("[data-testid^=enter-], [data-testid^=return-]").first
    expect(first).to_be_visible()  # instead of an empty turn of the defenders


@pytest.mark.nightly
def test_with_reduced_motion_playback_waits_for_a_button(still: Alone) -> None:
    ends_a_turn(still)
    still.phone.says("round", "2")
    expect(still.phone["recap-open"]).to_be_visible()
    expect(still.phone["recap-line"]).to_have_count(0)
    expect_value(still.phone.page, "document.getAnimations().length", 0)


@pytest.mark.nightly
def test_carries_are_listed_on_phone_tv_and_board_until_done(still: Alone) -> None:
    still.enters()
    still.tidy()
    for _ in range(20):
        if still.legal("move"):
            still.phone.acts("sniper", **still.legal("move")[0])
        still.phone.acts("sniper", type="end-turn")
        still.answers()
        hint = still.sent["board"]["hint"]
        if hint is not None and hint["kind"] == "orders":
            break
        still.tidy()
    orders = still.sent["board"]["hint"]["orders"]
    assert len(orders) >= 2
    for screen in (still.phone, still.tv):
        expect(screen["orders"].locator("li .badge")).to_have_count(len(orders))
        expect(screen[f"order-{orders[0]['unit']}"]).to_contain_text(f"{orders[0]['from']} → {orders[0]['to']}")
    first = next(order for order in orders if not order["waits"])
    still.phone.sends("touch", miniature=first["unit"], space=first["to"])
    for screen in (still.phone, still.tv):
        expect(screen[f"order-{first['unit']}"]).to_have_count(0)
    if still.sent["board"]["hint"]["kind"] == "orders":
        expect(still.tv["orders-tidy"]).to_have_count(0)
        still.phone.press("orders-tidy")
    still.tidy()
    for screen in (still.phone, still.tv):
        expect(screen["orders"]).to_have_count(0)
        expect(screen["board-strip"]).to_have_attribute("data-state", "agreed")
