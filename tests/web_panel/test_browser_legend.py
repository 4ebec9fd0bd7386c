"""The legend of the map in Chromium: opened from the menu and the table view, for the game on the table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.looks import FITS
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value
from web_panel.language import codes, language
from web_panel.pages import PIECES

pytestmark = IN_CHROMIUM

DRAWN = """async () => {
  const all = [...document.images];
  for (const one of all) one.loading = "eager";
  await Promise.all(all.map((one) => one.decode()));
  return all.every((one) => one.naturalWidth > 0);
}"""


def test_menu_leads_to_legend_with_every_piece(browser: Browser, panel: Panel, served: str) -> None:
    panel.start()
    phone = Screen(browser, (360, 780))
    phone.address = served
    phone.sends("take-over", seat="defenders", pin="2468", device="a phone")
    phone.go(served + "defenders")
    phone.press("menu")
    with phone.page.expect_popup() as opened:
        phone.press("menu-legend")
    legend = opened.value

    expect(legend.get_by_test_id("mark-door")).to_be_visible()
    for name in language("en", "sniper-elite").family(PIECES):
        expect(legend.locator(f'[data-piece="{name}"] svg')).to_be_visible()
    # Only on the map do lamps brighten what is below them.
    expect(legend.get_by_test_id("legend-lamps").locator("svg").first).to_have_css("mix-blend-mode", "normal")
    expect_value(legend, DRAWN)
    expect(legend.get_by_test_id("legend-other").get_by_role("list")).to_be_hidden()
    expect_value(legend, FITS)


@pytest.mark.nightly
@pytest.mark.parametrize("code", codes())
def test_legend_is_of_the_chosen_game(browser: Browser, panel: Panel, served: str, code: str) -> None:
    assert panel.browser().post("/api/choose", game="snipers-and-assassins").status_code == 200
    wall = Screen(browser, (1920, 1080))
    wall.go(f"{served}table?language={code}")
    with wall.page.expect_popup() as opened:
        wall.press("link-legend")
    legend = opened.value

    expect(legend.get_by_test_id("mark-open")).to_contain_text(
        language(code, "snipers-and-assassins").text("frame.legend.open")
    )
    expect(legend.get_by_test_id("mark-door")).to_have_count(0)
    for name in language(code, "snipers-and-assassins").family(PIECES):
        expect(legend.locator(f'[data-piece="{name}"] svg')).to_be_visible()
    expect_value(legend, FITS)
