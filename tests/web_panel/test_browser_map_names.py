"""Names on the map, in a real Chromium: readable at every distance, and each for itself."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.web_panel.conftest import Panel
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value
from tests.web_panel.test_browser_phone import played_to

pytestmark = IN_CHROMIUM

VISIBLE = """[...document.querySelectorAll("#map .board-map :is(.id, .name)")]
  .filter((it) => it.getAttribute("visibility") !== "hidden")"""
SMALL = f"""() => {VISIBLE}
  .filter((it) => it.getScreenCTM().a * Number(it.getAttribute("font-size")) < 8.9).map((it) => it.textContent)"""
"""Names of less than 9 pixels."""
TOUCHING = (
    f"() => {VISIBLE}"
    + """.filter((it) => it.classList.contains("id"))
  .map((it) => [it.textContent, it.getBoundingClientRect()])
  .flatMap(([one, {left, right, top, height}], i, all) => all.slice(i + 1)
    .filter(([, box]) => left - box.right < 1 && box.left - right < 1 && Math.abs(box.top - top) < height / 2)
    .map(([other]) => one + other))"""
)
"""Names of spaces in a row without a gap between them."""
IDS = f"""() => {VISIBLE}.filter((it) => it.classList.contains("id")).length > 90"""
NAMES = f"""() => {VISIBLE}.some((it) => it.classList.contains("name"))"""


def test_names_are_readable_on_a_phone(browser: Browser, panel: Panel, served: str) -> None:
    played_to(panel, "table")
    phone = Screen(browser, (360, 740))
    phone.go(f"{served}table")
    expect(phone.page.locator("#map .board-map .id").first).to_be_attached()
    phone.press("zoom-fit")
    expect_value(phone.page, IDS)
    for width, height in ((360, 740), (360, 640), (390, 844), (320, 568)):
        phone.page.set_viewport_size({"width": width, "height": height})
        phone.press("zoom-fit")
        expect_value(phone.page, SMALL, [])
        expect_value(phone.page, TOUCHING, [])
    for _ in range(6):
        phone.press("zoom-in")
    expect_value(phone.page, SMALL, [])
    expect_value(phone.page, NAMES)


ROW = f"""() => {VISIBLE}.map((it) => it.textContent).filter((id) => id.startsWith("A")).map((id) => id.slice(1))"""
EVEN = f"""() => {{
  const [first, ...inner] = ({ROW})();
  const last = inner.pop();
  const steps = new Set(inner.slice(1).map((it, i) => it - inner[i]));
  return first === "L" && last === "R" && inner.length > 3 && steps.size === 1;
}}"""
"""Whether a row shows the names of its ends, and its inner names at equal distances."""


def test_rows_of_a_board_name_their_ends_and_even_steps(browser: Browser, panel: Panel, served: str) -> None:
    choice = {"game": "snipers-and-assassins", "map": "pathways-6", "options": {"players": 6}}
    assert panel.browser().post("/api/choose", **choice).json == {"ok": True}
    screen = Screen(browser, (360, 640))
    screen.go(f"{served}table")
    expect(screen.page.locator("#map .board-map .id").first).to_be_attached()
    for width, height in ((360, 640), (360, 740), (390, 844), (740, 360), (768, 1024), (1280, 720)):
        screen.page.set_viewport_size({"width": width, "height": height})
        expect_value(screen.page, EVEN, where=(width, height))
