"""The action panel in Chromium: nothing is clipped, too small or below the fold, in the states of each game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from secrets import token_hex
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.depth import DEPTH
from tests.web_panel.conftest import LONGEST_WORDS, Panel
from tests.web_panel.looks import MISFITS, OUT_OF_VIEW, SIZES
from tests.web_panel.room import IN_CHROMIUM, STILL, Screen, expect_toast, expect_value, wait_shown, wait_two_frames
from tools.showroom import PIN

pytestmark = IN_CHROMIUM

MEASURED = SIZES[: 2 if DEPTH == 1 else None]
LARGE_TEXT = "scale => void (document.documentElement.style.fontSize = `${16 * scale}px`)"
PLANS = ("[data-testid^=target-]", ".lit.noisy", ".lit.quiet", "[data-testid^=unit-]:enabled")
"""What a player can choose before an act is sent."""
GAMES = ("sniper-elite", "sniper-elite-solo", "snipers-and-assassins", "stalingrad")
ACTS = {"sniper-elite": 3, "sniper-elite-solo": 2, "stalingrad": 40} if DEPTH == 1 else dict.fromkeys(GAMES, 150)
"""The acts of each game after which its pages are measured, if they offer kinds of acts that were not measured yet."""
FOLDED = {1: set(ACTS), 2: {"stalingrad"}}
"""Scale of the text -> the games in which no action may be below the fold then."""


class Table:
    """A game with a phone for each seat."""

    def __init__(self, browser: Browser, panel: Panel, address: str, game: str, **options: Any) -> None:
        self.panel, self.game, self.luck = panel, game, Random(4)
        panel.interface.choose({"game": game}, panel.company.requester)
        self.phones: dict[str, Screen] = {}
        for seat in panel.interface.lobby()["seats"]:
            panel.company.keys[seat] = panel.interface.claim(seat, PIN, "Telefon gracza")
            self.phones[seat] = Screen(browser, SIZES[0], locale=LONGEST_WORDS, has_touch=True)
        panel.interface.start({"options": options}, panel.company.requester)
        if game != "stalingrad":
            panel.interface.reset_miniatures(panel.company.requester)
        panel.advance_clock()
        for seat, phone in self.phones.items():
            phone.holds(address, seat, panel.company.keys[seat])
            phone.go(f"{address}{seat}")

    def legal(self, seat: str, *types: str) -> list[dict[str, Any]]:
        """Return the legal acts of a seat that are no notes."""
        found = self.panel.company.picture(seat)["legal"]
        return [act for act in found if act["type"] in types or (not types and act["type"] not in ("mark", "unmark"))]

    def turn(self) -> str | None:
        """Return the seat that has something to decide."""
        return next((seat for seat in self.phones if self.legal(seat)), None)

    def phone(self, seat: str) -> Screen:
        """Return a seat's phone, once it shows the last act."""
        found = self.phones[seat]
        wait_shown(found.page, self.panel.company.picture(seat)["revision"])
        expect(found.page.locator("#dock > *").first).to_be_attached()
        return found

    def acts(self, seat: str, action: dict[str, Any]) -> None:
        """Act for a seat."""
        if self.game != "stalingrad":  # the company also moves miniatures
            self.panel.company.act(seat, action)
            return
        held = self.panel.interface.held_seat(self.panel.company.keys[seat])
        held.submit(action, self.revision(seat), token_hex())
        self.panel.advance_clock()

    def revision(self, seat: str) -> int:
        """Return the number of a seat's picture."""
        return int(self.panel.company.picture(seat)["revision"])

    def plays(self, seat: str) -> None:
        """Make any act; a turn rarely ends while something else can be done."""
        kinds = sorted({act["type"] for act in self.legal(seat)})
        others = [kind for kind in kinds if kind != "end-turn"]
        kind = self.luck.choice(others if others and self.luck.random() < 0.85 else kinds)
        self.acts(seat, self.luck.choice(self.legal(seat, kind)))


@pytest.fixture
def table(browser: Browser, panel: Panel, served: str) -> Callable[..., Table]:
    """A function that starts a game."""
    return partial(Table, browser, panel, served)


def expect_no_misfits(screen: Screen, state: str, game: str = "") -> None:
    """Check that everything fits on a page at each size, also with text twice as large."""
    page = screen.page
    for width, height in MEASURED:
        page.set_viewport_size({"width": width, "height": height})
        for scale in (1, 2):
            page.evaluate(LARGE_TEXT, scale)
            wait_two_frames(page)
            expect_value(page, MISFITS, [], scale == 1 or game in FOLDED[scale], where=(state, width, height, scale))
        page.evaluate(LARGE_TEXT, 1)
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})


def planned(phone: Screen) -> Iterator[str]:
    """Choose one thing after another, each once."""
    for selector in PLANS:
        choice = phone.page.locator(selector).first
        if choice.count() and (choice.is_visible() or selector.startswith("[data-testid^=unit-")):
            choice.dispatch_event("click") if selector.startswith("[") else choice.press("Enter")
            yield selector
            for back in ("aim-back", "undo-step"):
                while phone[back].count():
                    phone.press(back)


@pytest.mark.long
@pytest.mark.parametrize("game", ACTS)
def test_everything_fits_in_every_state(table: Callable[..., Table], game: str) -> None:
    played, measured = table(game), set[tuple[str, ...]]()
    for number in range(ACTS[game]):
        seat = played.turn()
        if seat is None:
            break
        kinds = tuple(sorted({act["type"] for act in played.legal(seat)}))
        if kinds not in measured:
            measured.add(kinds)
            phone, state = played.phone(seat), f"act {number}, {', '.join(kinds)}"
            expect_no_misfits(phone, state, game)
            for plan in planned(phone):
                expect_no_misfits(phone, f"{state}, {plan}")
        played.plays(seat)
    assert len(measured) >= (2 if DEPTH == 1 else 6)


def test_sniper_sees_what_happened_and_end_of_turn_asks_what_would_be_lost(table: Callable[..., Table]) -> None:
    played = table("sniper-elite", random_setup=True)
    while acts := played.legal("sniper", "return-objective", "choose-loadout", "choose-entry"):
        played.acts("sniper", acts[0])
    phone = played.phone("sniper")
    phone.page.evaluate(STILL)
    expect_value(phone.page, OUT_OF_VIEW, [])
    played.acts("sniper", played.legal("sniper", "move")[-1])
    while shots := played.legal("sniper", "shoot"):
        played.acts("sniper", min(shots, key=lambda shot: int(shot["draw"])))
        for save in played.legal("defenders", "save")[:1]:
            played.acts("defenders", save)
        phone = played.phone("sniper")
        expect(phone["result"]).to_have_text(re.compile("Trafienie|Strzał chybia|Pudło"))
        expect(phone["latest"]).not_to_have_attribute("open", "")
        break
    else:
        pytest.fail("this seed has no target")

    while played.legal("sniper"):
        played.plays("sniper") if not played.legal("sniper", "end-turn") else played.acts(
            "sniper", {"type": "end-turn"}
        )
    tablet = played.phone("defenders")
    expect(tablet["end-turn"]).not_to_have_class("main")
    tablet.press("end-turn")
    expect(tablet["confirm-dialog"].locator("p")).to_contain_text("2")
    tablet.press("confirm-no")
    assert played.legal("defenders", "end-turn")


def test_menu_has_three_groups_and_a_new_game_for_a_person_alone(table: Callable[..., Table]) -> None:
    alone = table("sniper-elite-solo")
    phone = alone.phone("sniper")
    phone.press("menu")
    expect(phone["menu-close"]).to_be_in_viewport()
    expect(phone["menu-dialog"].locator("h3")).to_have_count(3)
    expect_no_misfits(phone, "menu")
    expect(phone["menu-abandon"]).to_be_visible()
    before = alone.panel.company.picture("table")["sealed"]["promise"]
    phone.press("menu-new")
    with phone.page.expect_response("**/api/start"):
        phone.press("confirm-yes")
    wait_shown(phone.page, alone.revision("sniper"))
    expect(phone["turn"]).to_be_visible()
    assert alone.panel.company.picture("table")["sealed"]["promise"] != before


def test_other_phones_learn_that_the_game_has_ended(table: Callable[..., Table]) -> None:
    """They showed the lobby without a word."""
    played = table("sniper-elite", random_setup=True)
    tablet = played.phone("defenders")
    played.phone("sniper").sends("abandon", seat="sniper")
    expect_toast(tablet.page, "Koniec gry.")
    tablet.says("turn", "Poczekalnia")
    expect(tablet.page.locator(".layer-pieces > :not(.gone)")).to_have_count(0)
