"""Whole games in Chromium, to the end: a sniper's phone, two squad devices, the simulated board and a TV.

The sniper uses the phone's touch screen; the squads are on two devices, one of which moves its miniatures on the
simulated board. The random results and the players' choices are seeded. `make games` plays many, each with another
seed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from firmware_host.core import maps
from games.sniper_elite.map_rules import sites_of
from tests.web_panel.conftest import Panel
from tests.web_panel.room import (
    IN_CHROMIUM,
    SPOT,
    STILL,
    Screen,
    asks_at_end,
    drag,
    sniper_asks_at_end,
    wait_shown,
    way,
)

pytestmark = IN_CHROMIUM

GAMES = int(os.environ.get("WHOLE_GAMES", "1"))
FIRST = 2
"""A short game with a bit of everything."""
SHORT = {"experienced_sniper": ["D"]}
"""The countdown starts at 7: as many kinds of acts in fewer rounds."""


class Device(Screen):
    """A screen of a seat. What it shows is known from the picture that it was sent."""

    def __init__(self, browser: Browser, panel: Panel, seat: str, size: tuple[int, int], **more: Any) -> None:
        super().__init__(browser, size, **more)
        self._panel = panel
        self.seat = seat
        self.touch = bool(more.get("has_touch"))

    @property
    def picture(self) -> dict[str, Any]:
        """Return the picture that the table sent the seat, once this screen shows it and can be used again."""
        picture = self._panel.company.picture(self.seat)
        wait_shown(self.page, picture["revision"])
        return picture

    def legal(self, *types: str) -> list[dict[str, Any]]:
        return [action for action in self.picture["legal"] if action["type"] in types]

    def press(self, testid: str) -> None:
        self[testid].tap() if self.touch else self[testid].click()

    def see_all(self) -> None:
        """Show the whole map, which larger screens do anyway."""
        if self.touch:
            self.press("zoom-fit")

    def tap(self, space: str) -> None:
        """Tap a lit space of the map."""
        self.see_all()
        expect(self.page.locator(f'.lit[data-space="{space}"]')).to_be_attached()
        self.page.evaluate(STILL)
        spot = self.page.evaluate(SPOT, space)
        self.page.touchscreen.tap(*spot) if self.touch else self.page.mouse.click(*spot)

    def taps(self, space: str) -> None:
        """Make a tap on the map that sends an act; return once the screen shows the result."""
        before = self.revision
        with self.page.expect_response("**/api/act") as answer:
            self.tap(space)
        assert answer.value.ok, answer.value.text()
        wait_shown(self.page, before + 1)

    def draw(self, path: list[str]) -> None:
        """Draw a path with one stroke of a finger."""
        self.see_all()
        self.page.evaluate(STILL)
        mouse = self.page.mouse
        mouse.move(*self.page.evaluate(SPOT, path[0]))
        mouse.down()
        for space in path[1:]:
            mouse.move(*self.page.evaluate(SPOT, space), steps=4)
        mouse.up()


class Sniper:
    """Takes the shortest path to the objectives, and shoots at targets in range."""

    def __init__(self, phone: Device, luck: Random) -> None:
        self.phone, self.luck = phone, luck
        self.board = maps.load("launch-facility")

    def plays(self) -> None:
        """Play one turn."""
        if self.phone.legal("choose-entry"):
            self.phone.does(f"enter-{self.luck.choice(self.phone.legal('choose-entry'))['sector']}")
        if self.phone.legal("move"):
            self._moves()
        if self.phone.legal("complete"):
            self.phone.does("complete", sure=True)
        elif self.phone.legal("shoot") and self.luck.random() < 0.5:
            self._shoots()
        elif self.phone.legal("loot"):
            self.phone.does("loot", sure=True)
        while keeps := self.phone.legal("keep"):
            self.phone.does(f"keep-{keeps[0]['card']}")
        while self.phone.legal("end-turn"):
            self.phone.does("end-turn", sure=sniper_asks_at_end(self.phone.picture))

    def _moves(self) -> None:
        picture = self.phone.picture
        view, moves = picture["view"], picture["foresight"]["moves"]
        path = min((move["path"] for move in moves), key=lambda path: (self._left(view, path[-1]), len(path)))
        if len(path) > 1 and self.luck.random() < 0.5:
            self.phone.draw([*([view["sniper"]["space"]] if view["sniper"]["space"] else []), *path])
        else:
            for space in path:
                self.phone.tap(space)
        self.phone.says("path", path[-1])
        self.phone.does("confirm-move")

    def _left(self, view: dict[str, Any], space: str) -> int:
        """Return the distance to the nearest objective."""
        goals = [number for number in view["sniper"]["objectives"] if number not in view["sniper"]["completed"]]
        held = {unit for unit in view["units"].values() if unit}
        ends = [end for number, end in sites_of(self.board).objectives.items() if number in goals and end not in held]
        return min((self._far(space, end, held) for end in ends), default=0)

    def _far(self, space: str, end: str, held: set[str]) -> int:
        """Return the number of steps. If units block every path, they are ignored: they move on."""
        if space == end:
            return 0
        try:
            return len(way(self.board, space, end, held))
        except AssertionError:
            return len(way(self.board, space, end, set()))

    def _shoots(self) -> None:
        shots = [shot for shot in self.phone.picture["foresight"]["shots"] if shot["odds"]]
        if len(shots) > 4:  # the targets are listed once one is aimed at
            self.phone.press("shoot")
        self.phone.press(f"target-{self.luck.choice(shots)['target']}")
        self.phone["draw-slider"].press("ArrowLeft")
        self.phone.does("fire")


class Warden:
    """Leads its squads on its own screen; with `hands`, it moves the miniatures on the board."""

    def __init__(self, device: Device, squads: tuple[str, ...], luck: Random, hands: Page | None = None) -> None:
        self.device, self.squads, self.luck, self.hands = device, squads, luck, hands

    def plays(self) -> None:
        """Make two acts of one of the squads."""
        squad = self.luck.choice(self.squads)
        for kinds in (("move", "deploy"), ("sweep", "spot", "attack", "intel")):
            acts = [act for act in self.device.legal(*kinds) if self._leads(act, squad)]
            if acts:
                self._acts(self.luck.choice(acts))

    def _leads(self, act: dict[str, Any], squad: str) -> bool:
        return bool(act.get("squad") == squad or act.get("unit", "").startswith(squad)) and not act.get("use")

    def _acts(self, act: dict[str, Any]) -> None:
        if act["type"] == "intel":
            self.device.press(f"intel-{act['squad']}")
            self.device.does("confirm")
        elif act["type"] == "move" and self.hands is not None:
            self._carries(act["unit"], act["to"])
        else:
            self._orders(act["unit"], act["type"], act)

    def _orders(self, unit: str, deed: str, act: dict[str, Any]) -> None:
        if self.device[f"unit-{unit}"].get_attribute("aria-pressed") != "true":
            self.device.press(f"unit-{unit}")
        if deed == "attack":
            self.device.does("deed-attack")
            return
        if deed == "move":
            self.device.taps(act["to"])
            return
        self.device.press(f"deed-{deed}")
        if deed == "spot":
            self.device.taps(act["space"])
            return
        for space in self._others(act) if deed == "sweep" else [act["space"]]:
            self.device.tap(space)
        self.device.does("confirm")

    def _others(self, act: dict[str, Any]) -> list[str]:
        """Return the controls to tap for a sweep: selected ones that are unwanted, and missing ones."""
        chosen = {*self.device.lit("picked").evaluate_all("all => all.map((it) => it.dataset.space)")}
        return [*(str(space) for space in chosen - {*act["spaces"]}), *(it for it in act["spaces"] if it not in chosen)]

    def _carries(self, unit: str, to: str) -> None:
        """Drag a miniature over the simulated board by mouse, once all others are where they belong."""
        assert self.hands is not None
        with self.hands.expect_response("**/api/tidy"):
            self.hands.get_by_test_id("tidy").click()
        expect(self.hands.get_by_test_id("board-strip")).to_have_attribute("data-state", "agreed")
        drag(self.hands, unit, to)
        expect(self.device[f"unit-{unit}"]).to_contain_text(to)


class Company:
    """The players and screens of one table."""

    def __init__(self, browser: Browser, panel: Panel, address: str, seed: int) -> None:
        luck = Random(f"whims {seed}")
        calm = {"reduced_motion": "reduce"}
        self.panel, self.address = panel, address
        self.phone = Device(browser, panel, "sniper", (360, 780), has_touch=True, **calm)
        self.tablet = Device(browser, panel, "defenders", (768, 1024), **calm)
        self.other = Device(browser, panel, "defenders", (1280, 800), **calm)
        self.tv = Screen(browser, (1920, 1080))
        self.board = Screen(browser, (1200, 900), **calm)
        self.sniper = Sniper(self.phone, luck)
        self.wardens = (
            Warden(self.tablet, ("yellow", "red"), luck),
            Warden(self.other, ("black",), luck, self.board.page),
        )

    @property
    def screens(self) -> tuple[Screen, ...]:
        return self.phone, self.tablet, self.other, self.tv, self.board

    def sit_down(self) -> None:
        """Seat three devices, open a TV and the board, and start the game."""
        self._claim(self.phone, "sniper")
        self._claim(self.tablet, "defenders", without=("black",))
        self._claim(self.other, "defenders")
        self.tv.go(self.address + "table")
        self.board.go(self.address + "board")
        options = {"random_setup": True, **SHORT}
        self.tablet.page.request.post(
            self.address + "api/start",
            data={"map": "launch-facility", "options": options},
            headers={"Origin": self.address.rstrip("/")},
        )
        while returns := self.phone.legal("return-objective"):
            self.phone.does(f"return-{returns[0]['objective']}")
        self.board.press("tidy")
        self.phone.says("board-sentence", "agree")

    def _claim(self, device: Device, seat: str, without: tuple[str, ...] = ()) -> None:
        device.go(self.address)
        device.press(f"take-{seat}")
        device["claim-pin"].fill("2468")
        for squad in without:
            device[f"claim-{squad}"].uncheck()
        device.press("claim-send")
        device.page.wait_for_url(f"**/{seat}")
        keys = {cookie.get("name"): cookie.get("value", "") for cookie in device.page.context.cookies()}
        self.panel.company.keys[seat] = keys[f"sniperboard-8000-{seat}"]

    def plays(self) -> None:
        """Play to the end."""
        while not self.over:
            if "sniper" in self.panel.company.picture("sniper")["view"]["to_act"]:
                self.sniper.plays()
                self._keeps_quiet()
            else:
                self._hunt()

    def _hunt(self) -> None:
        if saves := self.tablet.legal("save"):
            self.tablet.does(f"save-{saves[0]['unit']}")
            return
        for warden in self.wardens:
            if not self.over:
                warden.plays()
        if not self.over:
            self.tablet.does("end-turn", sure=asks_at_end(self.tablet.picture))

    def _keeps_quiet(self) -> None:
        strangers = "".join(screen.page.content() for screen in (self.tablet, self.other, self.tv, self.board))
        assert "You move" not in strangers
        assert "You are on" not in strangers

    @property
    def over(self) -> bool:
        return bool(self.panel.company.picture("table")["view"]["over"])


@pytest.fixture(params=range(FIRST, FIRST + GAMES))
def table(request: pytest.FixtureRequest, tmp_path: Path, browser: Browser) -> Iterator[Company]:
    """All screens in one room, with its own seed."""
    panel = Panel(tmp_path, seed=request.param)
    with panel.served() as address:
        yield Company(browser, panel, address, request.param)
    panel.stop()


@pytest.mark.nightly
@pytest.mark.long
def test_whole_game_is_played_on_five_screens_to_its_end(table: Company) -> None:
    table.sit_down()
    table.plays()

    over = table.panel.company.picture("table")["view"]["over"]
    verdicts = {
        "sniper": ("got away", "got away", "escaped"),
        "defenders": ("They caught you|Your mission failed", "You (have|stopped)", "stopped"),
    }
    mine, theirs, everybodys = verdicts[over["winner"]]
    for screen, verdict in zip(table.screens, (mine, theirs, theirs, everybodys), strict=False):
        screen.says("over", re.compile(verdict))
        screen.says("figures", "Spaces the sniper walked")
        screen.says("records", "in games like this: ")
    truth = table.panel.company.picture("table")["view"]["opened"]["log"]
    expect(table.tv.page.locator(".stamp")).to_have_count(sum(1 for _, space in truth if space))
