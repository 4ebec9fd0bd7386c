"""The hint of the sniper's possible spaces, in a real Chromium: chosen in the lobby, hidden and shown per device."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.web_panel.conftest import Browser as Seated
from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Screen

pytestmark = IN_CHROMIUM


@pytest.fixture
def table_address(tmp_path: Path) -> Iterator[tuple[str, Seated]]:
    """The address of a table that allows the hint, with the sniper's seat taken."""
    panel = Panel(tmp_path, possible_hints=True)
    sniper = panel.browser()
    sniper.claims("sniper")
    with panel.served() as address:
        yield address, sniper
    panel.loop.stop()


@pytest.mark.nightly
def test_hint_is_chosen_in_lobby_and_hidden_per_device(browser: Browser, table_address: tuple[str, Seated]) -> None:
    address, sniper = table_address
    tablet, tv = Screen(browser, (768, 1024)), Screen(browser, (1920, 1080))
    tablet.go(address)
    tablet.press("take-defenders")
    tablet["claim-pin"].fill("2468")
    tablet.press("claim-send")
    tablet.page.wait_for_url("**/defenders")
    tablet.go(address)
    expect(tablet["option-possible"]).not_to_be_checked()
    tablet["option-possible"].check()
    tablet.press("start")
    tablet.page.wait_for_url("**/defenders")

    while (picture := sniper.get("/api/picture/sniper").json)["view"]["pending"]:
        sniper.acts("sniper", **picture["legal"][0])

    tv.go(address + "table")
    for screen in (tablet, tv):
        screen.says("possible", "Sniper:")
        expect(screen["possible"]).to_have_attribute("aria-pressed", "true")
        expect(marks(screen)).not_to_have_count(0)

    tablet.press("possible")
    expect(tablet["possible"]).to_have_attribute("aria-pressed", "false")
    tablet.page.reload()
    expect(tablet["possible"]).to_have_attribute("aria-pressed", "false")
    expect(marks(tablet)).to_have_count(0)
    expect(marks(tv)).not_to_have_count(0)


def marks(screen: Screen) -> Locator:
    """Return the spaces that are marked on the map."""
    return screen.page.locator("[data-possible]")
