"""The lamps on a map in Chromium pulse like the board's lamps, or stay steady if motion is reduced."""

from __future__ import annotations

from typing import Literal

from playwright.sync_api import Browser

from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value

pytestmark = IN_CHROMIUM

MAP = """async () => {
  const { GameMap } = await import("/static/map.js");
  const { Lamps } = await import("/static/scene.js");
  const frame = document.querySelector(".map-frame").cloneNode(true);
  document.body.append(frame);
  const map = new GameMap(frame.querySelector(".map"));
  const lamps = new Lamps(map);
  window.loads = () => map.load("launch-facility");
  window.lights = (colour) => lamps.show({ K1: colour });
  window.shown = () => map.layers.lamps.querySelector("[data-lamp]").dataset.lamp;
}"""
"""Add a second map to the page, whose lamps only the test lights."""

PULSE = ("ff0000", "a00000", "500000", "500000", "500000", "500000", "500000") * 3
STEP, AFTER = 130, 2000
DARK = "000000"


def lamps(screen: Screen, motion: Literal["no-preference", "reduce"]) -> None:
    """Add a map on which the test lights lamps."""
    screen.page.emulate_media(reduced_motion=motion)
    screen.page.evaluate(MAP)
    screen.page.evaluate("loads()")


def pulses(screen: Screen, colours: tuple[str, ...]) -> list[str]:
    """Return what a lamp shows while it pulses."""
    seen = []
    for colour in colours:
        screen.page.evaluate("(colour) => lights(colour)", colour)
        seen.append(str(screen.page.evaluate("shown()")))
        screen.page.clock.run_for(STEP)
    return seen


def test_lamps_pulse_unless_the_device_asks_for_calm(browser: Browser, served: str) -> None:
    screen = Screen(browser, (768, 900))
    screen.page.clock.install(time=0)
    screen.go(served + "table")
    lamps(screen, "no-preference")
    screen.page.clock.pause_at(60_000)
    assert pulses(screen, (*PULSE, DARK)) == [*PULSE, DARK]

    lamps(screen, "reduce")
    assert set(pulses(screen, (*PULSE, DARK))) == {"ff0000"}
    screen.page.clock.run_for(AFTER)
    expect_value(screen.page, "shown()", DARK, where="even without another picture:")

    lamps(screen, "reduce")
    assert pulses(screen, ("ff0000", "00ff00", "0000a0")) == ["ff0000", "00ff00", "00ff00"]
    screen.page.clock.run_for(AFTER)
    expect_value(screen.page, "shown()", "0000a0", where="the latest colour:")

    lamps(screen, "reduce")
    pulses(screen, ("ff0000", "500000"))
    screen.page.emulate_media(reduced_motion="no-preference")
    assert pulses(screen, ("0000ff",)) == ["0000ff"]
    screen.page.clock.run_for(AFTER)
    expect_value(screen.page, "shown()", "0000ff", where="earlier colours must be discarded:")


def test_lamp_lit_before_the_map_loads_is_drawn(browser: Browser, served: str) -> None:
    screen = Screen(browser, (768, 900))
    screen.go(served + "table")
    screen.page.evaluate(MAP)
    screen.page.evaluate("lights('ff0000')")
    screen.page.evaluate("loads()")
    expect_value(screen.page, "shown()", "ff0000")
