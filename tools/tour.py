"""A short game that stops at each screen, for the tests of all pages and for screenshots.

`tour` plays at a showroom's table and stops at each scene, so that any number of browsers can show it before the game
continues. `TourBrowser` is such a browser.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest

from playwright.sync_api import Browser, Page, expect, sync_playwright

from firmware_host.seats.identity import Requester
from tools import system
from tools.showroom import SeatedPlayers, Showroom

CHROMIUM = system.find_browser() or "/usr/bin/chromium"
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
PATIENCE = 120_000
"""Milliseconds that a page may take on a busy machine: the timeout of every wait in the browser tests."""
MAP = "#map .view .layer-pieces"
HEAD = "[data-testid=headline]"

KNOWN = """try {
  const known = {
    "sniperboard.person": { name: "Robin" },
    "sniperboard-briefed": [
      "sniper-elite sniper", "sniper-elite defenders", "sniper-elite-solo sniper", "snipers-and-assassins player",
      "stalingrad player", "treasure seeker", "treasure hider",
    ],
  };
  for (const [key, value] of Object.entries(known))
    if (localStorage.getItem(key) === null) localStorage.setItem(key, JSON.stringify(value));
} catch {}"""
"""A browser that knows its person's name, and in which every briefing has been read."""


@dataclass(frozen=True)
class Screenshot:
    """A screen at one moment of the game.

    `seat` is the seat that opens it, `there` the selector of an element that must be visible, `presses` the selectors
    to press, and `brings` the test IDs of the dialogs that they open.
    """

    name: str
    title: str
    path: str
    there: str
    seat: str | None = None
    presses: tuple[str, ...] = ()
    brings: tuple[str, ...] = ()


BEFORE = (
    Screenshot("lobby", "The lobby: map, options, seats", "/", "[data-testid=take-sniper]"),
    Screenshot(
        "lobby-claim",
        "Taking a seat",
        "/",
        "[data-testid=take-defenders]",
        presses=("[data-testid=take-defenders]",),
        brings=("claim-dialog",),
    ),
    Screenshot("play-now", "Play now: the next opponent on the ladder", "/#alone", "[data-testid=rung-sniper]"),
    Screenshot("campaign", "The campaign: missions with stars", "/campaign", "[data-testid=start-1-first-steps]"),
    Screenshot("table-waiting", "The table view before players join", "/table", MAP),
    Screenshot("closed", "A seat's page without access", "/sniper", "[data-testid=closed-sentence]"),
    Screenshot("rules", "The rule book", "/rules", "[data-testid=rule-MP-MOVE-03]"),
    Screenshot("aids", "The player aids", "/aids", "[data-testid=aid-defenders]"),
)
"""Before any seat is taken."""

FIRST_START = Screenshot(
    "network-first", "First start: choosing the admin PIN", "/network", "[data-testid=admin-pin-again]"
)
NETWORK = Screenshot("network", "Network, table name and country", "/network", "[data-testid=wifi-Attic]", "admin")
"""Only on a table that manages its network."""

SEATED = Screenshot("sniper-waiting", "The sniper before the start", "/sniper", HEAD, "sniper")

SETUP = Screenshot("board-setup", "Setting up the board, squad by squad", "/board", MAP)
LOADOUT = Screenshot("sniper-loadout", "The sniper chooses cards", "/sniper", "[data-testid=loadout-keep]", "sniper")
SPECIALISTS = Screenshot(
    "defenders-specialists",
    "The defenders choose specialists",
    "/defenders",
    "[data-testid=specialists-confirm]",
    "defenders",
)
ENTRY = Screenshot("sniper-entry", "Choosing the entry arrow", "/sniper", "[data-testid^=enter-]", "sniper")
HIDING = (
    Screenshot("sniper-way", "A noisy move", "/sniper", ".lit.noisy", "sniper", (".lit.noisy",)),
    Screenshot("sniper-papers", "Objectives and cards", "/sniper", HEAD, "sniper", ("[data-testid=tab-dossier]",)),
    Screenshot("sniper-menu", "The menu", "/sniper", HEAD, "sniper", ("[data-testid=menu]",), ("menu-dialog",)),
    Screenshot(
        "sniper-device",
        "Settings of this device",
        "/sniper",
        HEAD,
        "sniper",
        ("[data-testid=menu]", "[data-testid=menu-device]"),
        ("menu-dialog", "device-dialog"),
    ),
)

RESTING = (
    Screenshot("sniper-time-out", "A time-out", "/sniper", "[data-testid=resume]", "sniper"),
    Screenshot("lobby-playing", "The lobby while a game is paused", "/", "[data-testid=pause]", "sniper"),
)

TARGET = "[data-testid^=target-]"
FIRE = "[data-testid=fire]"
"""Visible at once for the second visitor, because the seat's plan is stored for all devices."""
AIMING = Screenshot(
    "sniper-aim", "Aiming: line of sight, distance, odds", "/sniper", f"{TARGET}, {FIRE}", "sniper", (TARGET,)
)

HUNTING = (
    Screenshot(
        "defenders-unit",
        "A unit and its actions",
        "/defenders",
        "[data-testid=unit-black-1]",
        "defenders",
        ("[data-testid=tab-squads]", "[data-testid=unit-black-1]"),
    ),
    Screenshot(
        "defenders-sweep",
        "Choosing spaces to sweep",
        "/defenders",
        "[data-testid=unit-black-1]",
        "defenders",
        ("[data-testid=tab-squads]", "[data-testid=unit-black-1]", "[data-testid=deed-sweep]"),
    ),
    Screenshot("defenders-log", "The event log", "/defenders", HEAD, "defenders", ("[data-testid=tab-log]",)),
    Screenshot("table", "The table view for a TV", "/table", MAP),
    Screenshot("board", "The simulated board", "/board", MAP),
    Screenshot("health", "Sensor status by space", "/health", "#spaces table"),
    Screenshot("admin-door", "The admin page asks for its PIN", "/admin", "[data-testid=admin-pin]"),
    Screenshot(
        "admin", "The admin page: board, settings, log, shutdown", "/admin", "[data-testid=live-sensors]", "admin"
    ),
    Screenshot(
        "workshop-closed", "The workshop before you open it", "/workshop", "[data-testid=workshop-open]", "admin"
    ),
)

TRUTH = "[data-testid=side-truth]"
OVER = (
    Screenshot("sniper-over", "The end of the game, with the sniper's path", "/sniper", "[data-testid=over]", "sniper"),
    Screenshot("defenders-over", "What the defenders missed", "/defenders", "[data-testid=over]", "defenders"),
    Screenshot("table-over", "The end of the game, public view", "/table", "[data-testid=over]"),
    Screenshot("games", "Past games and an imported record", "/games", "[data-testid=look-1]"),
    Screenshot("game", "A past game, step by step", "/games/1#13", "#known .layer-pieces .mini"),
    Screenshot(
        "game-truth",
        "The same on a small screen: actual positions",
        "/games/1#13",
        "#truth .layer-pieces .mini",
        presses=(TRUTH,),
    ),
)
LOOKED_BACK = Screenshot("table-replay", "A past game on the board and TV", "/kiosk", "[data-testid=replay]")
"""Shows `/games/1` to everyone."""

WORKSHOP = (
    Screenshot("workshop-scan", "What the sensors detect", "/workshop", "[data-testid=job-scan]", "admin"),
    Screenshot("workshop", "Calibrating the board on a phone", "/workshop", "[data-testid=word-skip]", "admin"),
)


def tour(room: Showroom) -> Iterator[Screenshot]:
    """Play, and stop at every scene. The scene's browser has the keys of its seat."""
    company = room.company
    yield from BEFORE
    networked = room.interface.network.exists
    if networked:
        yield FIRST_START
    company.sit_down()
    yield SEATED
    company.start(random_setup=False)
    yield SETUP
    _return_objectives(company)
    yield LOADOUT
    company.act("sniper", company.legal("sniper", "choose-loadout")[0])
    yield SPECIALISTS
    company.act("defenders", company.legal("defenders", "choose-specialists")[0])
    yield ENTRY
    company.act("sniper", company.legal("sniper", "choose-entry")[0])
    yield from HIDING
    room.interface.pause(True, company.requester)
    yield from RESTING
    room.interface.pause(False, company.requester)
    company.act("sniper", min(company.legal("sniper", "move"), key=lambda action: len(action["path"])))
    yield AIMING
    _hunt(company)
    yield from HUNTING
    if networked:
        yield NETWORK
    _let_time_run_out(company)
    yield from OVER
    room.interface.replay(1, 13, company.requester)
    room.advance_clock()
    yield LOOKED_BACK
    yield from _workshop(room)


def _workshop(room: Showroom) -> Iterator[Screenshot]:
    keeper = Requester(admin_key=room.company.key("admin"))
    room.interface.workshop.enter("Ada's phone", keeper)
    for job, scene in zip(("scan", "calibrate"), WORKSHOP, strict=True):
        if job == "calibrate":
            _clear_board(room)
        room.interface.workshop.start_job(job, keeper)
        room.advance_clock()
        yield scene


def _clear_board(room: Showroom) -> None:
    """Take all miniatures off, as the workshop asks before it calibrates."""
    room.loop.call(lambda table: table.board.io.tidy({}))
    room.advance_clock()


def _return_objectives(company: SeatedPlayers) -> None:
    while choices := company.legal("sniper", "return-objective"):
        company.act("sniper", choices[0])


def _hunt(company: SeatedPlayers) -> None:
    """Let the sniper fire, and the defenders search."""
    shots = company.legal("sniper", "shoot")
    company.act("sniper", max(shots, key=lambda action: int(action["draw"])))
    while company.legal("sniper", "end-turn"):
        company.act("sniper", {"type": "end-turn"})
    for kind in ("attack", "spot", "intel"):
        company.act("defenders", company.legal("defenders", kind)[0])


def _let_time_run_out(company: SeatedPlayers) -> None:
    while not company.picture("sniper")["view"]["over"]:
        for seat in company.keys:
            while company.legal(seat, "end-turn"):
                company.act(seat, {"type": "end-turn"})


@contextmanager
def start_chromium() -> Iterator[Browser]:
    """Start the system's Chromium without a window."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()


class TourBrowser:
    """A browser with a page for each seat, all of one size and in one language."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        company: SeatedPlayers,
        width: int,
        height: int,
        language: str = "en",
        *,
        installs: bool = False,
    ) -> None:
        """`installs` is whether the browser stores the page for an unreachable table, which takes time."""
        self._address = address
        self._company = company
        self._context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=language,
            reduced_motion="reduce",
            bypass_csp=True,
            color_scheme="dark",
            service_workers="allow" if installs else "block",
        )
        self._context.add_init_script(KNOWN)
        self._context.set_default_timeout(PATIENCE)
        self.page: Page = self._context.new_page()

    def open_scene(self, scene: Screenshot) -> Page:
        """Open a scene and press its selectors that are visible at this width; return the page."""
        # Each scene is opened as its seat only.
        self._context.clear_cookies()
        if scene.seat is not None:
            key = self._company.key(scene.seat)
            name = "house" if scene.seat == "admin" else scene.seat  # the cookies keep their first names
            self._context.add_cookies([{"name": f"sniperboard-8000-{name}", "value": key, "url": self._address}])
            # The table keeps the draft of an earlier visitor with the seat.
            if scene.seat in self._company.keys:
                self._company.delete_draft(scene.seat)
        self.page.goto("about:blank")  # an address that differs only after # would not load the page again
        self.page.goto(self._address.rstrip("/") + scene.path)
        expect(self.page.locator(scene.there).first).to_be_attached(timeout=PATIENCE)
        if self.page.locator("#map").is_visible():
            expect(self.page.locator(MAP).first).to_be_attached(timeout=PATIENCE)
        for selector, dialog in zip_longest(scene.presses, scene.brings):
            self._press(selector)
            if dialog is not None:  # it is loaded when it is needed
                expect(self.page.get_by_test_id(dialog)).to_be_visible(timeout=PATIENCE)
        return self.page

    def leave(self) -> None:
        self._context.close()

    def _press(self, selector: str) -> None:
        thing = self.page.locator(selector).first
        # Some controls exist only at certain widths.
        if thing.is_visible():
            thing.press("Enter")
