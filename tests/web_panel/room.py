"""People at their screens: a daemon as users start it, and pages clicked, tapped and dragged in Chromium."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

import pytest
from playwright.sync_api import APIResponse, Browser, Error, Locator, Page, TimeoutError, expect

from engine.graph import Map
from tests.devices import borrow
from tests.firmware_host.evening import fresh_name
from tests.patience import reserved_port
from tools.showroom import PIN, Showroom
from tools.tour import KNOWN, PATIENCE

IN_CHROMIUM = pytest.mark.browser
"""The mark of a test file that opens pages."""

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")

SPOT = """space => {
    const path = document.querySelector(`[data-space="${space}"][data-spot]`);
    const [x, y] = path.dataset.spot.split(",").map(Number);
    const grid = path.getScreenCTM();
    return [grid.a * x + grid.e, grid.d * y + grid.f];
}"""
"""Return the screen position of a space's spot."""

FRAME = "new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 250); })"
"""The next frame, or a quarter of a second: a busy browser may draw none, and a script has no time limit."""

STILL = f"""async () => {{
  const end = performance.now() + {PATIENCE};
  const view = () => document.querySelector("#map > .view");
  const now = () => view() && JSON.stringify([view().getAttribute("viewBox"), view().getBoundingClientRect()]);
  for (let same = 0, last = null; same < 3; same = last && now() === last ? same + 1 : 0) {{
    if (performance.now() > end) throw Error(`the map never stands still: ${{last}}, ${{now()}}`);
    last = now();
    await {FRAME};
  }}
}}"""
"""Wait until the map is loaded and stops moving.

It is fetched after the page, its camera glides, and it makes room for the text below it.
"""


SHOWS = "least => Number(document.body?.dataset.revision) >= least && !document.querySelector('dialog')"
"""Whether a screen shows a picture of at least this number, with no dialog open."""
SEEN = "[location.href, document.body?.dataset.revision, document.body?.innerText.slice(0, 500)]"


def wait_two_frames(page: Page) -> None:
    """Wait until everything that has started is drawn."""
    page.evaluate(f"async () => {{ await {FRAME}; await {FRAME}; }}")


def wait_shown(page: Page, revision: int) -> None:
    """Wait until a page shows a picture of at least this number, with no dialog open."""
    try:
        # Not at each frame, which is the default: a busy browser may draw none.
        page.wait_for_function(SHOWS, arg=revision, timeout=PATIENCE, polling=50)
    except TimeoutError as error:
        raise AssertionError(f"picture {revision} is not shown: {page.evaluate(SEEN)}") from error


def expect_value(
    page: Page | Locator, script: str, wanted: object = True, arg: object = None, *, where: object = ""
) -> None:
    """Wait until a script in the page returns a value.

    A page may draw again between two questions: one script reads all that belongs together.
    """
    timer, end, pause = page if isinstance(page, Page) else page.page, time.monotonic() + PATIENCE / 1000, 20
    while True:
        found: object
        try:
            found = page.evaluate(script, arg)
        except Error as error:  # what it looks at is not there yet, or the page is being left
            found = error.message
        if found == wanted:
            return
        assert time.monotonic() < end, f"{where} {found!r} instead of {wanted!r}".lstrip()
        timer.wait_for_timeout(pause)
        pause = min(2 * pause, 200)  # each question takes 5 ms of CPU time


TOASTS = """
window.toasted = [];
addEventListener("DOMContentLoaded", () => {
  const note = (changes) => changes.forEach((it) => it.addedNodes.forEach((toast) => toasted.push(toast.textContent)));
  const holder = document.querySelector("#toasts");
  if (holder) new MutationObserver(note).observe(holder, { childList: true });
});
"""
"""Note every toast of a page: it is gone after seven seconds, before a busy machine asks for it."""
LASTING_TOASTS = """
const later = setTimeout;
window.setTimeout = (work, ms, ...more) => later(work, ms === 7000 ? 2 ** 31 - 1 : ms, ...more);
"""
"""Let toasts stay, for tests that press something on one."""


def expect_toast(page: Page, text: str) -> None:
    """Wait until a page with `TOASTS` has shown a toast with this text."""
    expect_value(page, "text => toasted.some((it) => it.includes(text))", arg=text, where=f"no toast says {text!r}:")


def stop_clock(page: Page) -> None:
    """Stop a page's clock a second from now, again if this took longer than a second."""
    while True:
        try:
            page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
            return
        except Error as error:
            if "to the past" not in error.message:
                raise


RETRIES = 2
"""Retries of a request: the table closes idle connections, and browsers then ask again by themselves."""


class Daemon:
    """`sniperboard run --simulate` on a port of its own. It can be killed and started again with the same state."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self._reserved = ExitStack()
        self.port = self._reserved.enter_context(reserved_port())
        self.address = ""
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "firmware_host", "run", "--simulate", "--host", "127.0.0.1"]
        command += ["--port", str(self.port), "--state", str(self.state)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ})
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := ADDRESS.search(line):
                self.address = found[0]
                return
        raise AssertionError("the daemon printed no address")

    def kill(self) -> None:
        """Kill the process, as a power failure does."""
        self.process.send_signal(signal.SIGKILL)
        self.end()

    def stop(self) -> None:
        self.process.terminate()
        self.end()
        self._reserved.close()

    def end(self) -> None:
        self.process.wait(PATIENCE / 1000)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Screen:
    """One device with one page; `faults` are the errors of its page. A test that leaves one there fails."""

    opened: ClassVar[list[Screen]] = []
    """The screens of the current test."""

    def __init__(
        self, browser: Browser, size: tuple[int, int], runs: str = "", *, known: bool = True, **device: Any
    ) -> None:
        """`runs` runs first in each page. `known` is false for a person who has never been here: see `KNOWN`."""
        # Animations cost more processor time than the rest of a test. Service workers cost a tenth of it; they only
        # store the page for an unreachable table, which has its own tests. Without the wake lock, which phones grant,
        # each page of a game plays a video (see `awake.js`), which costs more than the rest of an idle page.
        traits = {"reduced_motion": "reduce", "color_scheme": "dark", "service_workers": "block"}
        device = traits | {"permissions": ["screen-wake-lock"]} | device
        lent = borrow(browser, size, TOASTS + KNOWN * known + runs, device)
        self.page, self.faults = lent.page, lent.faults
        Screen.opened.append(self)
        self.address = ""
        """Where commands are sent before the first page is opened, and from then on."""

    def __getitem__(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def go(self, address: str) -> None:
        # The page that is left may reload or open another one at the same moment, for example the lobby when the game
        # changes, and Chromium then shows that instead. A blank page does nothing.
        for place in ("about:blank", address) if self.page.url != "about:blank" else (address,):
            self._goes(place)

    def _goes(self, address: str) -> None:
        # Don't wait for `load`: images load after the page is usable.
        while True:
            try:
                self.page.goto(address, wait_until="domcontentloaded")
                return
            except Error as error:
                if "interrupted by another navigation" not in error.message:
                    raise
                self.page.wait_for_load_state("domcontentloaded")

    def press(self, testid: str) -> None:
        self[testid].click()

    def holds(self, address: str, seat: str, key: str) -> None:
        """Have a seat's key, without its lobby."""
        self.page.context.add_cookies([{"name": f"sniperboard-8000-{seat}", "value": key, "url": address}])

    @property
    def revision(self) -> int:
        """Return the number of the picture on the screen."""
        return int(self.page.evaluate("document.body?.dataset.revision || 0"))

    def does(self, testid: str, *, sure: bool = False) -> None:
        """Press what sends an act, and confirm it if asked (`sure`); return once the screen shows the result.

        If the screen does not show an earlier act yet, the table refuses: press again as a player would.
        """
        end = time.monotonic() + PATIENCE / 1000
        while True:
            before = self.revision
            with self.page.expect_response("**/api/act") as answer:
                self.press(testid)
                if sure:
                    self.press("confirm-yes")
            if answer.value.ok or answer.value.json()["error"]["code"] != "stale" or time.monotonic() > end:
                break
        assert answer.value.ok, answer.value.text()
        wait_shown(self.page, before + 1)

    def says(self, testid: str, text: str | re.Pattern[str]) -> None:
        expect(self[testid]).to_contain_text(text)

    def acts(self, seat: str, /, **action: Any) -> None:
        """Send an act as a tap on this screen would, once the screen shows the previous act (answered earlier)."""
        end = time.monotonic() + PATIENCE / 1000
        while True:
            asked = self.page.request.get(f"{self.home}api/picture/{seat}", max_retries=RETRIES)
            shown = asked.json()["revision"]
            act = {"seat": seat, "action": action, "revision": shown, "id": fresh_name()}
            answer = self._posts("act", act)
            if answer.ok or answer.json()["error"]["code"] != "stale" or time.monotonic() > end:
                break
        assert answer.ok, answer.text()

    def claims(self, address: str, seat: str, device: str = "Robin") -> None:
        """Take a seat without its lobby, which has tests of its own: each page costs a second of CPU time."""
        self.address = address
        self.sends("claim", seat=seat, pin=PIN, device=device)

    def sends(self, path: str, **body: Any) -> None:
        """Post a command as the page would."""
        answer = self._posts(path, body)
        assert answer.ok, answer.text()

    def _posts(self, path: str, body: dict[str, Any]) -> APIResponse:
        headers = {"Origin": self.home.rstrip("/")}
        return self.page.request.post(f"{self.home}api/{path}", data=body, headers=headers, max_retries=RETRIES)

    @property
    def home(self) -> str:
        """Return the table's address."""
        there = (self.address or self.page.url).split("/", 3)
        return f"{there[0]}//{there[2]}/"

    def tap(self, space: str) -> None:
        """Tap the spot of a lit space; the middle of an irregular space may be outside it."""
        expect(self.page.locator(f'.lit[data-space="{space}"]')).to_be_visible()
        self.page.evaluate(STILL)
        self.page.mouse.click(*self.page.evaluate(SPOT, space))

    def lit(self, kind: str) -> Locator:
        return self.page.locator(f".lit.{kind}")


class Match:
    """Players with phones, the second in Polish, and a TV, in a game that they have started."""

    def __init__(
        self, browser: Browser, panel: Showroom, address: str, sizes: Collection[tuple[int, int]], **chosen: str
    ) -> None:
        self.panel, self.tv = panel, Screen(browser, (1920, 1080))
        self.phones = {f"player-{number}": Screen(browser, size) for number, size in enumerate(sizes, 1)}
        self.tv.go(f"{address}table")
        self.tv.sends("choose", options={"players": len(sizes)}, **chosen)
        self.tv.sends("heed", heeding=False)
        for seat, phone in self.phones.items():
            phone.claims(address, seat)
        self.phones["player-1"].sends("start")
        for seat, phone in self.phones.items():
            phone.go(f"{address}{seat}?language={'pl' if seat == 'player-2' else 'en'}")

    @property
    def view(self) -> dict[str, Any]:
        """Return the public picture."""
        found: dict[str, Any] = self.panel.company.picture("table")["view"]
        return found

    def shown(self, seat: str) -> Screen:
        """Return a seat's phone, once it shows the last act."""
        phone = self.phones[seat]
        wait_shown(phone.page, self.panel.company.picture(seat)["revision"])
        return phone


class Room:
    """The screens of everyone in one room."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.address = address
        self.sniper = Screen(browser, (360, 780), has_touch=True)
        self.defenders = Screen(browser, (768, 1024))
        self.tv = Screen(browser, (1920, 1080))
        self.board = Screen(browser, (1200, 900))

    @property
    def screens(self) -> tuple[Screen, ...]:
        return self.sniper, self.defenders, self.tv, self.board

    def sit_down_and_start(self, *, dealt: bool = True, board: bool = True) -> None:
        """Take both seats and start a game; `dealt` draws cards and specialists at random, `board` opens its page."""
        self.sniper.claims(self.address, "sniper")
        self.defenders.claims(self.address, "defenders")
        self.sniper.sends("start", map="launch-facility", options={"random_setup": dealt})
        for screen, path in zip(
            self.screens[: 4 if board else 3], ("sniper", "defenders", "table", "board"), strict=False
        ):
            screen.go(self.address + path)

    def finish_dealing(self) -> None:
        """Hand back objectives while both have the same suit."""
        page = self.sniper.page
        waiting = page.locator("[data-testid^=enter-], [data-testid^=return-], [data-testid=loadout-keep]")
        while True:
            expect(waiting.first).to_be_visible()
            testid = str(waiting.first.get_attribute("data-testid"))
            if not testid.startswith("return-"):
                return
            self.sniper.does(testid)

    def set_up(self) -> None:
        """Put the miniatures where they belong, as the lamps show."""
        self.board.says("board-sentence", "Set up the yellow miniatures")
        self.board.press("tidy")
        self.board.says("board-sentence", "agree")

    def quiet_step(self) -> str:
        """Move one space silently; return the sniper's new space."""
        self.sniper.press("zoom-fit")
        space = str(self.sniper.lit("quiet").first.get_attribute("data-space"))
        self.sniper.tap(space)
        self.sniper.says("headline", "Silent")
        self.sniper.press("confirm-move")
        self.sniper.says("headline", "moved")
        return space

    def drag(self, unit: str, to: str) -> None:
        """Drag a miniature by mouse to a space of the simulated board."""
        drag(self.board.page, unit, to)


def drag(board: Page, what: str, to: str) -> None:
    """Drag a miniature or the wand by mouse to a space of the simulated board.

    If the drag misses because a new sentence has just moved the map, it tries again.
    """
    held, end = board.get_by_test_id("held"), time.monotonic() + PATIENCE / 1000
    while True:
        board.evaluate(STILL)
        board.mouse.move(*middle(board.get_by_test_id(f"mini-{what}")))
        board.mouse.down()
        if held.count():
            break
        board.mouse.up()
        assert time.monotonic() < end, f"{what} cannot be dragged"
    board.evaluate(STILL)
    board.mouse.move(*board.evaluate(SPOT, to), steps=5)
    board.mouse.up()


def middle(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def asks_at_end(picture: dict[str, Any]) -> bool:
    """Return whether the defenders' page asks before their turn ends.

    It asks about acts that a squad can still do, and about a specialist: in the last round, or if the specialist could
    act where the sniper is seen.
    """
    view, legal = picture["view"], picture["legal"]
    able = {str(action.get("unit") or action.get("squad")).split("-")[0] for action in legal}
    left = any(squad["left"] and name in able for name, squad in view["squads"].items())
    uses = [action for action in legal if action["type"] == "ability" or action.get("use")]
    seen = any(use.get("space") and use["space"] == view["sniper"]["miniature"] for use in uses)
    return left or seen or (view["countdown"] <= 1 and bool(uses))


def sniper_asks_at_end(picture: dict[str, Any]) -> bool:
    """Return whether the sniper's page asks before the turn ends: about a move, and in the last round about any act."""
    kinds = {action["type"] for action in picture["legal"]}
    return "move" in kinds or (picture["view"]["countdown"] <= 1 and kinds != {"end-turn"})


def end_defenders_turn(room: Room) -> None:
    """End the defenders' turn, and confirm if the page asks."""
    defenders = room.defenders
    expect(defenders["end-turn"]).to_be_enabled()
    asked = asks_at_end(defenders.page.request.get(f"{defenders.home}api/picture/defenders").json())
    defenders.press("end-turn")
    if asked:
        defenders.press("confirm-yes")


def way(board: Map, start: str, end: str, held: set[str]) -> list[str]:
    """Return a shortest path around held spaces, without the start."""
    ways, seen = deque([[start]]), {start}
    while ways:
        path = ways.popleft()
        if path[-1] == end:
            return path[1:]
        for space in board.walk[path[-1]]:
            if space not in seen | held:
                seen.add(space)
                ways.append([*path, space])
    raise AssertionError(f"no path from {start} to {end}")
