"""The workshop in Chromium, on a small phone: a board is calibrated by taps, and what the others see meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from firmware_host.admin import pin as pins
from firmware_host.board.drivers import WAND
from firmware_host.board.wiring import FILE, read_wiring
from firmware_host.core import maps
from firmware_host.workshop.calibration import NOTES, Found
from hardware.drivers.shift_register import BROKEN
from hardware.ports import DriverStatus
from hardware.simulated import SimulatedBoard
from tests.web_panel.conftest import ADMIN_PIN, Panel
from tests.web_panel.looks import FITS
from tests.web_panel.room import IN_CHROMIUM, STILL, Screen, expect_value

pytestmark = IN_CHROMIUM

BOARD = maps.load("launch-facility")
SHIPPED = read_wiring(maps.FOLDER / BOARD.slug / FILE, BOARD)
LAMPS = len(SHIPPED.lamps)
LEFT = 5
"""Spaces that an earlier session has not found, so that the test needs only a small board."""


class Maker(Screen):
    """A small phone in the workshop, and a magnet."""

    def __init__(self, browser: Browser, panel: Panel) -> None:
        super().__init__(browser, (360, 740), has_touch=True)
        self.panel = panel

    def comes_in(self, address: str) -> None:
        self.go(address + "workshop")
        self["admin-pin"].fill(ADMIN_PIN)
        self["admin-enter"].tap()

    def sets_down(self, sensor: int | None) -> None:
        """Put the magnet on a sensor, or take it back."""

        def carry(to: int | None) -> None:
            def done(board: object) -> None:
                assert isinstance(board, SimulatedBoard)
                board.carry(WAND, to)

            self.panel.loop.call(lambda table: done(table.board.io.sensors))
            self.panel.advance_clock()

        carry(None)
        carry(sensor)

    def taps(self, space: str) -> None:
        """Tap a lit space of the whole map with a finger."""
        self["zoom-fit"].tap()
        self.page.evaluate(STILL)
        expect(self.page.locator(f'.lit[data-space="{space}"]')).to_be_attached()
        self.tap(space)


@pytest.fixture
def maker(browser: Browser, panel: Panel, served: str) -> Iterator[Maker]:
    pins.write_pin(panel.folder, ADMIN_PIN)
    phone = Maker(browser, panel)
    phone.comes_in(served)
    yield phone
    expect_value(phone.page, FITS)


def test_board_is_calibrated_by_taps_and_used_at_once(maker: Maker, panel: Panel) -> None:
    folder = panel.folder / "boards" / BOARD.slug
    before = enumerate(map(str, SHIPPED.lamps[:-LEFT]))
    known = [Found(lamp, space, SHIPPED.sensors.index(space)) for lamp, space in before]
    (folder / NOTES).write_bytes(msgspec.json.encode(known))
    spaces = [str(space) for space in SHIPPED.lamps[-LEFT:]]
    sensors = [SHIPPED.sensors.index(space) for space in spaces]

    maker.says("hardware", "a board in memory")
    maker["workshop-open"].tap()
    maker["job-calibrate"].tap()
    maker.says("progress", f"{LAMPS - LEFT} of {LAMPS}")
    maker.says("asks", f"The lit space should be {spaces[0]}")
    maker.sets_down(sensors[0])
    maker.says("asks", f"The lit space should be {spaces[1]}")

    maker.taps(spaces[2])  # the lamps of two spaces are swapped
    maker.says("asks", f"Set the magnet on {spaces[2]}")
    maker.sets_down(sensors[2])
    maker.says("asks", "should be one that is already found")
    maker.taps(spaces[1])
    maker.says("asks", f"Set the magnet on {spaces[1]}")
    maker.sets_down(sensors[1])
    maker.says("progress", f"{LAMPS - 2} of {LAMPS}")

    maker.sets_down(sensors[0])
    maker.says("told", f"Sensor {sensors[0]} has answered under {spaces[0]} already")
    maker["word-skip"].tap()
    maker.says("progress", f"{LAMPS - 1} of {LAMPS}")
    maker["word-back"].tap()
    maker.says("progress", f"{LAMPS - 2} of {LAMPS}")
    maker.says("asks", spaces[3])
    maker.sets_down(sensors[3])
    maker.says("asks", spaces[4])
    maker["word-skip"].tap()

    maker.says("told", "The table uses the new wiring from now on")
    found = read_wiring(folder / FILE, BOARD)
    assert found.lamps[-LEFT:] == (spaces[0], spaces[2], spaces[1], *spaces[3:])
    assert found.manual == {spaces[4]}
    maker["workshop-close"].tap()
    expect(maker["workshop-open"]).to_be_visible()
    assert panel.loop.call(lambda table: table.board.io.wiring) == found


WHOLE = """it => {
  const { left, right, top, bottom } = it.getBoundingClientRect();
  return it.scrollHeight <= it.clientHeight && left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
}"""


def test_remedy_of_a_fault_is_whole_on_a_small_phone(maker: Maker, panel: Panel) -> None:
    maker["workshop-open"].tap()
    maker["job-scan"].tap()
    panel.loop.call(lambda table: table.feed(DriverStatus("simulated", BROKEN.format(chips=16))))
    maker.says("board-is", "or set loop = false")
    maker.says("still", "Paused until the board works again")
    for width, height in ((360, 640), (740, 360)):
        maker.page.set_viewport_size({"width": width, "height": height})
        for part in ("board-is", "workshop-close", "job-scan"):
            expect_value(maker[part], WHOLE, where=(part, width))
        expect_value(maker.page, f"[...document.querySelectorAll('#acts .button')].every({WHOLE})", where=width)


@pytest.mark.nightly
def test_game_waits_for_workshop_and_another_device_takes_it_over(
    maker: Maker, browser: Browser, panel: Panel, served: str
) -> None:
    panel.company.sit_down()
    panel.company.start(random_setup=True)
    seat = Screen(browser, (360, 740), has_touch=True)
    seat.holds(served, "defenders", panel.company.key("defenders"))
    seat.go(served + "defenders")
    expect(seat["headline"]).to_be_visible()

    maker["workshop-open"].tap()
    maker["confirm-yes"].tap()
    maker["job-scan"].tap()
    seat.says("headline", "The workshop is open on Robin")
    expect(seat["resume"]).to_have_count(0)
    maker.says("asks", "Set a magnet on any space")
    maker.sets_down(5)
    expect(maker.page.locator(f'[data-down="{SHIPPED.sensors[5]}"]')).to_be_attached()
    maker.says("told", f"sensor 5, {SHIPPED.sensors[5]}: down")

    other = Maker(browser, panel)
    other.comes_in(served)
    other.says("holder", "Robin has the workshop")
    other["workshop-take"].tap()
    other["confirm-yes"].tap()
    expect(other["asks"]).to_contain_text("Set a magnet on any space")
    expect(maker["holder"]).to_be_visible()
    other["workshop-close"].tap()
    expect(maker["workshop-open"]).to_be_visible()
    expect(seat["headline"]).not_to_contain_text("workshop")
