"""A turn of the race in Chromium: taps on the map, what is drawn there, take-back, and every size in both languages."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.depth import DEPTH
from tests.web_panel.conftest import LONGEST_WORDS, Panel
from tests.web_panel.looks import MISFITS, OUT_OF_REACH, PALE, expect_readable
from tests.web_panel.room import IN_CHROMIUM, STILL, Screen, expect_value, wait_shown
from tools.showroom import PIN
from web_panel.language import codes

pytestmark = IN_CHROMIUM

ALL_SIZES = ((360, 640), (740, 360), (768, 1024), (1280, 720), (360, 740), (390, 844), (1920, 1080))
SIZES = ALL_SIZES if DEPTH > 1 else ALL_SIZES[:2]
WALLS = ((1280, 720), (1920, 1080))
READ = ("choosing", "shot", "Target", "TV")
"""Scenes that are checked for screen readers."""
LANGUAGES = codes() if DEPTH > 1 else [LONGEST_WORDS]
FACED = (
    ("player-1", {"type": "walk", "to": "A2"}),
    ("player-1", {"type": "c-walk", "to": "A3"}),
    ("player-2", {"type": "walk", "to": "D2"}),
    ("player-1", {"type": "jump", "to": "B2"}),
    ("player-1", {"type": "c-jump", "to": "B4"}),
    ("player-2", {"type": "jump", "to": "C2", "mine": {"when": "after", "space": "C3"}}),
)
"""Acts after which Sniper 1 on B4 can shoot at Assassin 2 on C2, beside a mine. Turns end where the player changes."""
SEES = """([spaces]) => spaces.every((space) => {
  const lit = document.getElementById(`s-${space}`)?.getBoundingClientRect();
  const map = document.querySelector("#map").getBoundingClientRect();
  return lit && lit.left >= map.left - 1 && lit.right <= map.right + 1 && lit.top >= map.top - 1
    && lit.bottom <= map.bottom + 1;
})"""
"""Whether these spaces are within the map."""
SHOWS_ALL = """() => {
  const view = document.querySelector("#map > .view");
  return view.viewBox.baseVal.width >= view.firstElementChild.width.baseVal.value;
}"""
"""Whether the map shows all of the board."""
UNFOLDED = f"({MISFITS})(false)"
UNDER_PIECES = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((it) => [it, it.getBoundingClientRect()]);
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const pieces = boxes("#map .layer-pieces .base");
  const names = boxes("#map text.id:not([visibility=hidden])");
  return pieces.flatMap(([, box], at) => [...names, ...pieces.slice(at + 1)]
    .filter(([, other]) => meet(box, other)).map(([it]) => it.textContent || it.closest("[data-piece]").dataset.piece));
}"""
"""Names of spaces and pieces that a piece covers."""
ANIMATED = "(selector) => getComputedStyle(document.querySelector(selector)).animationName"


class Duel:
    """Two players without special cards: one phone for player 1; the other acts through the table's interface."""

    def __init__(self, browser: Browser, panel: Panel, address: str, language: str, players: int = 2) -> None:
        self.browser, self.panel, self.address, self.language = browser, panel, address, language
        self.seats = [f"player-{number}" for number in range(1, players + 1)]
        self.phone = Screen(browser, SIZES[0], has_touch=True)
        self.phone.go(f"{address}?language={language}")
        self.phone.sends("choose", **self.game())
        self.phone.sends("heed", heeding=False)
        for seat in self.seats:
            self.panel.company.keys[seat] = panel.interface.claim(seat, PIN, f"{seat}'s phone")
        self.phone.holds(address, "player-1", panel.company.keys["player-1"])
        self.phone.sends("start", **self.game())
        self.phone.go(f"{address}player-1?language={language}")

    def game(self, first: str = "player-1") -> dict[str, Any]:
        """Return what to choose for a game that a player begins."""
        players = len(self.seats)
        options = {"players": players, "first": first, "core_only": True}
        return {"game": "snipers-and-assassins", "map": f"pathways-{players}", "options": options}

    @property
    def view(self) -> dict[str, Any]:
        """Return the public picture."""
        found: dict[str, Any] = self.panel.company.picture("table")["view"]
        return found

    def acts(self, *acts: tuple[str, dict[str, Any]]) -> None:
        """Play acts, and end turns where the player changes, the last one included."""
        for (seat, act), after in zip(acts, (*acts[1:], ("", {})), strict=True):
            self.panel.company.act(seat, act)
            if after[0] != seat:
                self.panel.company.act(seat, {"type": "end-turn"})

    def shown(self, screen: Screen, viewer: str) -> Screen:
        """Return a screen once it shows the last act and its map stands still."""
        seen = self.panel.company.picture(viewer)["revision"]
        wait_shown(screen.page, seen)
        screen.page.evaluate(STILL)
        return screen

    @property
    def own(self) -> Screen:
        """Return the phone, once it shows the last act."""
        return self.shown(self.phone, "player-1")

    def wall(self, **device: Any) -> Screen:
        """Return a TV that shows the last act."""
        screen = Screen(self.browser, WALLS[0], **device)
        screen.go(f"{self.address}table?language={self.language}")
        screen.page.locator("#map > .view").wait_for()
        return self.shown(screen, "table")


@pytest.fixture
def duel(browser: Browser, panel: Panel, served: str) -> Duel:
    return Duel(browser, panel, served, "en")


def piece(screen: Screen, name: str) -> Any:
    """Return the drawing of a piece on the map."""
    return screen.page.locator(f"#map [data-piece={name}]")


RESULTS = """async () => {
  const { resultOf } = await import("/games/snipers-and-assassins/static/recent.js");
  const turn = { type: "turn-started" };
  const log = [turn, { type: "shot", sentence: "Sniper 2 shoots." }, turn];
  return [log, [...log, { type: "moved" }]].map((log) => resultOf({ log, seats: {} })?.textContent ?? null);
}"""
"""What a player reads of hits before and after the first act of a turn."""


def test_turn_is_made_by_few_taps_and_taken_back(duel: Duel) -> None:
    expect_value(duel.own.page, UNDER_PIECES, [], where="two markers in a Hideout:")
    duel.phone.says("standing", "Get your Assassin to the Leader in")
    duel.acts(*FACED)
    phone = duel.own
    expect_value(phone.page, UNDER_PIECES, [], where="one marker on a space:")
    phone.says("standing", "Neck and neck")
    expect(phone.page.locator(".hunt.own")).to_have_count(1)
    expect(phone.page.locator(".hunt.threat")).to_have_count(1)
    expect(piece(phone, "leader-2")).to_be_visible()
    expect(phone.page.locator(".layer-under .gas")).to_have_count(1)

    phone.says("race", "You")
    phone.says("race", "turns to the Leader")

    # A shot in three taps: the marker, the target, the confirmation.
    phone.press("marker-sniper")
    phone.page.evaluate(STILL)
    ends = [act["to"] for act in duel.panel.company.legal("player-1", "c-walk", "c-jump")]
    expect_value(phone.page, SEES, arg=[ends], where="the map follows the choice:")
    expect(phone.page.locator('.lit.target[data-space="C2"]')).to_be_visible()
    phone.tap("C2")
    phone.says("outlook", "Assassin 2, who dodges")
    phone.says("way-b-walk", "costs a turn")
    expect(phone.page.locator(".layer-lines .sight")).to_have_count(1)
    phone.does("confirm")
    assert duel.view["players"]["player-2"]["shot"] == "fresh"
    expect(piece(phone, "assassin-2").locator(".mark.shot.fresh")).to_be_visible()
    phone.says("result", "Near miss! Your Sniper shoots at Assassin 2, who dodges.")

    # A move in two: the other marker is chosen by itself.
    expect(phone["marker-assassin"]).to_have_attribute("aria-pressed", "true")
    with phone.page.expect_response("**/api/act"):
        phone.tap("B1")
    assert duel.view["players"]["player-1"]["assassin"] == "B1"
    duel.own.does("take-back")
    assert duel.view["players"]["player-1"]["assassin"] == "B2"
    expect(phone["end-turn"]).not_to_have_class("button main")

    # A mine: the ways of the deed, a space, a second tap on it.
    phone.press("deed-mine")
    phone.press("way-after")
    phone.tap("B3")
    expect(phone.page.locator('.lit.mine-space[data-space="B2"]')).to_be_visible()
    expect(phone.page.locator('.lit.mine-space[data-space="B4"]')).to_have_count(0)  # the own Sniper stands there
    expect(phone.page.locator("[data-plan=mine]")).to_have_count(1)
    phone.does("confirm")
    assert duel.view["players"]["player-1"]["mines"] == ["B2"]
    phone.says("headline", "Both markers have acted.")
    phone.does("end-turn")
    assert duel.view["turn"] == "player-2"
    # The headline is who was hit in this turn, not the mine that was laid after it.
    phone.says("latest", "Your Sniper shoots at Assassin 2, who dodges.")
    expect_value(phone.page, RESULTS, ["Sniper 2 shoots.", None], where="who was hit stays until the next player acts:")

    # The next game starts with a view of the markers, wherever the map was left.
    phone.press("zoom-fit")
    expect_value(phone.page, SHOWS_ALL)
    duel.panel.loop.call(lambda table: table.abandon())
    phone.sends("start", **duel.game(first="player-2"))
    phone.says("turn", "player-2's phone's turn")
    expect_value(phone.page, SHOWS_ALL, False)


def test_end_of_turn_says_which_marker_could_still_act(duel: Duel) -> None:
    for space in ("A3", "A6", "A9"):
        duel.acts(("player-1", {"type": "c-walk", "to": space}), ("player-2", {"type": "hold", "marker": "assassin-2"}))
    phone = duel.own
    ends = {act["to"] for act in duel.panel.company.picture("player-1")["legal"] if "to" in act}
    assert {"A1", "A12"} <= ends
    expect_value(phone.page, SEES, arg=[sorted(ends)], where="the map shows what either marker can reach:")
    phone.press("end-turn")
    phone.says("confirm-dialog", "Your Sniper and your Assassin can still act")
    phone.press("confirm-no")
    assert duel.view["turn"] == "player-1"
    phone.press("tab-log")
    phone.says("log", "Assassin 2 holds. player-2's phone")


@pytest.mark.nightly
def test_hits_and_retreats_are_animated_unless_motion_is_reduced(duel: Duel) -> None:
    duel.acts(*FACED)
    calm, lively = duel.wall(), duel.wall(reduced_motion="no-preference")
    shot = {"type": "a", "order": "shoot-move", "to": "B4", "target": "assassin-2"}
    duel.acts(("player-1", shot), ("player-2", {"type": "hold", "marker": "assassin-2"}))
    duel.panel.company.act("player-1", shot)
    for screen, name in ((calm, "none"), (lively, "sa-step")):
        duel.shown(screen, "table")
        expect(screen.page.locator(".step.retreat")).to_have_count(1)
        expect(screen.page.locator('[data-mark=hit][data-at="C2"]')).to_be_visible()
        expect_value(screen.page, ANIMATED, name, ".step.retreat")
    assert duel.view["players"]["player-2"]["assassin"] == "C1"


def expect_no_faults(
    screen: Screen, scene: str, sizes: tuple[tuple[int, int], ...], misfits: str = f"({MISFITS})(true)"
) -> None:
    """Check that nothing on a screen is clipped, covered, too small, pale or out of reach, at each size."""
    page = screen.page
    before = page.viewport_size
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(STILL)
        for faults in (misfits, OUT_OF_REACH, PALE):
            expect_value(page, faults, [], where=(scene, width, height))
    if scene in READ:
        expect_readable(page, scene)
    assert before is not None
    page.set_viewport_size(before)


@pytest.mark.nightly
@pytest.mark.parametrize("code", LANGUAGES)
def test_every_state_of_a_turn_fits_every_size(browser: Browser, panel: Panel, served: str, code: str) -> None:
    duel = Duel(browser, panel, served, code)
    duel.acts(*FACED)
    phone = duel.own
    expect_no_faults(phone, "choosing", SIZES)
    phone.press("marker-sniper")
    expect_no_faults(phone, "Sniper", SIZES)
    phone.tap("C2")
    expect_no_faults(phone, "shot", SIZES)
    phone.press("way-b-walk")
    expect_no_faults(phone, "shot with recovery", SIZES)
    phone.does("confirm")
    phone.press("deed-mine")
    expect_no_faults(phone, "mine", SIZES)
    phone.page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect_no_faults(phone, "mine in large letters", SIZES, UNFOLDED)
    phone.page.evaluate("document.documentElement.style.fontSize = ''")
    phone.does("end-turn", sure=True)
    expect_no_faults(phone, "waiting", SIZES)


def owner_stands_behind_a_numbered_piece(page: Page, code: str) -> None:
    """Check that turning points and the board say whose piece is meant, in each case of the language."""
    told, shown = {
        "en": ("Sniper 1 shoots Assassin 2, not Sniper 12.", "Sniper 1 (Olga) shoots Assassin 2 (Bo), not Sniper 12."),
        "pl": ("Snajper 1 strzela do Zabójcy 2.", "Snajper 1 (Olga) strzela do Zabójcy 2 (Bo)."),
    }[code]
    named = """async (sentence) => {
        const { ownersIn, namePlayers } = await import("/static/texts.js");
        const seat = (number, device) => [`player-${number}`, { title: `player ${number}`, devices: [{ device }] }];
        const seats = Object.fromEntries([seat(1, "Olga"), seat(2, "Bo")]);
        const board = { sentence, hint: { sentence, orders: [{ sentence }] } };
        namePlayers({ seats, board });
        return [ownersIn(seats)(sentence), board.sentence, board.hint.sentence, board.hint.orders[0].sentence];
    }"""
    expect_value(page, named, [shown] * 4, arg=told)


@pytest.mark.parametrize("code", LANGUAGES)
def test_setup_and_tv_fit_with_six_players(browser: Browser, panel: Panel, served: str, code: str) -> None:
    duel = Duel(browser, panel, served, code, players=6)
    phone, tall = duel.own, tuple(size for size in SIZES if size[1] > 400)
    expect_no_faults(phone, "start", SIZES)
    for seat, letter in zip(duel.seats, "BCDEFG", strict=True):
        panel.company.act(seat, {"type": "choose-start", "space": f"{letter}L"})
    expect_no_faults(duel.own, "Target", tall)
    for seat, target in zip(duel.seats, (*duel.seats[1:], duel.seats[0]), strict=True):
        panel.company.act(seat, {"type": "choose-target", "seat": target})
    expect_no_faults(duel.own, "Leader", SIZES)
    owner_stands_behind_a_numbered_piece(phone.page, code)
    for seat, letter in zip(duel.seats, "HGFEDC", strict=True):
        panel.company.act(seat, {"type": "place-leader", "space": f"{letter}R"})
    wall = duel.wall()
    expect(wall.page.locator(".hunt")).to_have_count(6)
    for size in WALLS:
        wall.page.set_viewport_size({"width": size[0], "height": size[1]})
        for seat in duel.seats:
            expect(wall[f"player-{seat}"]).to_be_in_viewport(ratio=1)
    expect_no_faults(wall, "TV", WALLS, f"({UNFOLDED}).filter((fault) => !fault.includes('SUMMARY'))")


def test_map_of_many_players_follows_the_others_on_a_phone(browser: Browser, panel: Panel, served: str) -> None:
    duel = Duel(browser, panel, served, "en", players=6)
    company = panel.company
    for seat, letter in zip(duel.seats, "ABCDEF", strict=True):
        company.act(seat, {"type": "choose-start", "space": f"{letter}L"})
    for seat, target in zip(duel.seats, (*duel.seats[1:], duel.seats[0]), strict=True):
        company.act(seat, {"type": "choose-target", "seat": target})
    for seat, letter in zip(duel.seats, "HGFEDC", strict=True):
        company.act(seat, {"type": "place-leader", "space": f"{letter}R"})
    duel.acts(("player-1", {"type": "walk", "to": "A2"}))
    for seat, row in (("player-2", "B"), ("player-3", "C"), ("player-4", "D"), ("player-5", "E")):
        for act in ({"type": "c-walk", "to": f"{row}3"}, {"type": "walk", "to": f"{row}2"}):
            company.act(seat, act)
            expect_value(duel.own.page, SEES, arg=[[act["to"]]], where=seat)
            # The list begins with whose turn it is.
            expect(duel.own.page.locator(".racer-card").first).to_have_attribute("data-testid", f"player-{seat}")
        company.act(seat, {"type": "end-turn"})


@pytest.mark.nightly
def test_board_shows_both_markers_on_a_space_and_pieces_without_sensor(duel: Duel) -> None:
    board = Screen(duel.browser, (1280, 720))
    board.go(f"{duel.address}board")
    sides = [board.page.locator(f"[data-mini={name}] > .side") for name in ("sniper-1", "assassin-1")]
    duel.phone.sends("tidy")
    for side, y in zip(sides, (-122, 122), strict=True):
        expect(side).to_have_attribute("transform", f"translate(0 {y}) scale(0.86)")
    expect(piece(board, "leader-2")).to_be_visible()
    expect(board.page.locator(".hunt")).to_have_count(2)
    duel.acts(*FACED)
    expect(board.page.locator(".layer-under .gas")).to_have_count(1)
