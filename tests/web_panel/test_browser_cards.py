"""Cards and specialists in Chromium: chosen, used and noticed on the sniper's phone and the defenders' tablet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from firmware_host.core import maps
from games.sniper_elite.map_rules import sites_of
from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Room, expect_value, way
from tests.web_panel.test_browser_phone import OUT_OF_SIGHT

pytestmark = IN_CHROMIUM


@pytest.fixture
def panel(tmp_path: Path) -> Iterator[Panel]:
    """A table whose random setup leaves the sniper the red arrow."""
    running = Panel(tmp_path, seed=2)
    yield running
    running.stop()


class Evening:
    """A game whose cards and specialists people chose on their screens."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.room = Room(browser, address)
        self.board = maps.load("launch-facility")
        self.space = ""
        self.units = dict(sites_of(self.board).starts)

    def choose(self) -> None:
        """Choose everything by taps: three cards, three specialists, the arrow."""
        room = self.room
        room.sit_down_and_start(dealt=False, board=False)
        room.finish_dealing()
        for card in ("s-mine", "distraction", "trench-gun"):
            room.sniper.press(f"loadout-{card}")
        room.sniper.says("loadout-keep", "Keep these cards")
        room.sniper.press("loadout-keep")
        for card, squad in (("kennel-master", "yellow"), ("medic", "red"), ("scout", "black")):
            room.defenders.press(f"give-{card}-{squad}")
        room.defenders.press("specialists-confirm")
        room.sniper.sends("heed", heeding=False)
        room.sniper.does("enter-red")

    def walk(self, path: list[str]) -> None:
        self.room.sniper.acts("sniper", type="move", path=path)
        self.space = path[-1]

    def rounds(self, end: str) -> None:
        """Let the sniper move silently while the defenders do nothing, until the sniper is on `end`."""
        for space in self.way_to(end):
            self.walk([space])
            self.end_turns()

    def way_to(self, end: str) -> list[str]:
        """Return a shortest path of the sniper's."""
        return way(self.board, self.space, end, set(self.units.values()))

    def end_turns(self) -> None:
        """End both turns. The phone must have followed: a late picture would take back a tapped path."""
        self.room.sniper.acts("sniper", type="end-turn")
        self.room.sniper.says("headline", "defenders")
        self.room.defenders.acts("defenders", type="end-turn")
        self.room.sniper.says("turn", "Your turn")


def test_cards_are_played_and_face_down_cards_stay_hidden(browser: Browser, panel: Panel, served: str) -> None:
    evening = Evening(browser, served)
    evening.choose()
    room = evening.room
    sniper, defenders, tv = room.sniper, room.defenders, room.tv

    evening.walk([sites_of(evening.board).entries["red"]])
    sniper.press("hand")  # more than two cards are chosen in the drawer
    sniper.press("play-distraction")
    lured = [act for act in panel.company.legal("sniper", "play") if act["card"] == "distraction"]
    sniper.press(f"distract-{lured[0]['unit']}")
    spaces = [act["to"] for act in lured if act["unit"] == lured[0]["unit"]]
    expect_value(sniper.page, OUT_OF_SIGHT, [], spaces)
    for _ in range(2):
        sniper.press("play-back")
    sniper.press("hand")
    sniper.press("play-s-mine")
    sniper.press("confirm-yes")
    sniper.press("tab-dossier")
    sniper.says("mines", evening.space)
    tv.says("latest", "face-down")
    assert "mine" not in (defenders.page.content() + tv.page.content()).lower().replace("determine", "")
    evening.end_turns()

    sniper.press("tab-dossier")
    beside = next(near for near in evening.board.adjacent[evening.units["red-1"]] if near in evening.board.walk["R1"])
    evening.rounds(beside)
    sniper.press("quick-trench-gun")
    sniper.press("confirm-yes")
    sniper.says("fire-trench", "Hits red soldier 1.")
    tv.says("latest", "Trench Gun")
    sniper.press("fire-trench")
    sniper.press("confirm-yes")
    defenders.says("headline", "Does the medic help?")
    sniper.says("headline", "Waiting")
    expect(defenders["save-red-1"]).to_have_text("Save red soldier 1")
    expect(defenders["unit-red-1"].locator(".name")).to_have_text("Red soldier 1")
    defenders.press("save-red-1")
    tv.says("latest", "The medic saves")
    expect(defenders["unit-red-1"]).to_contain_text(evening.units["red-1"])


@pytest.mark.nightly
@pytest.mark.long
def test_phone_warns_of_dog_and_table_shows_its_bark(browser: Browser, panel: Panel, served: str) -> None:
    evening = Evening(browser, served)
    evening.choose()
    room = evening.room
    sniper, defenders, tv = room.sniper, room.defenders, room.tv
    dog = evening.units["yellow-officer"]

    evening.walk([sites_of(evening.board).entries["red"]])
    sniper.press("end-turn")
    defenders.press("ability-yellow")
    defenders.press("confirm")
    tv.says("latest", dog)
    scouted = next(space for space in evening.board.enterable if space not in evening.units.values())
    defenders.press("ability-black")
    defenders.press("soldier-black-1")
    defenders.tap(scouted)
    defenders.press("confirm")
    tv.says("latest", scouted)
    expect(defenders["ability-yellow"]).to_contain_text("used this turn")
    away = next(near for near in evening.board.walk[dog] if near not in evening.units.values())
    defenders.acts("defenders", type="move", unit="yellow-officer", to=away)
    evening.units |= {"yellow-officer": away, "black-1": scouted}
    defenders.acts("defenders", type="end-turn")

    evening.rounds(evening.way_to(dog)[-2])
    sniper.press("zoom-fit")
    sniper.tap(dog)
    sniper.says("headline", "A dog will smell you")
    sniper.press("confirm-move")
    tv.says("latest", f"A dog barks on {dog}")
