"""Wrong PINs for a seat and the admin page: counted across a power failure, and reported only to the seat's player."""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from firmware_host.admin import pin as pins
from tests.depth import DEPTH
from tests.patience import PATIENCE
from tests.web_panel.conftest import Panel
from tests.web_panel.looks import FITS
from tests.web_panel.room import IN_CHROMIUM, Daemon, Room, Screen, expect_value
from tools.showroom import ADMIN_PIN

pytestmark = [IN_CHROMIUM, pytest.mark.true_hashes]


def asks(home: str, path: str, address: str = "127.0.0.1", **body: str) -> int:
    """Send a request from a loopback address and return the status."""
    line = http.client.HTTPConnection(urlsplit(home).netloc, timeout=PATIENCE, source_address=(address, 0))
    line.request("POST", f"/api/{path}", json.dumps(body), {"Content-Type": "application/json"})
    answer = line.getresponse()
    answer.read()
    line.close()
    return answer.status


def test_wrong_pins_are_remembered_after_power_failure(daemon: Daemon) -> None:
    pins.write_pin(daemon.state, ADMIN_PIN)
    assert asks(daemon.address, "claim", seat="sniper", pin="2468", device="Ada") == 200
    guesses = (
        ("take-over", {"seat": "sniper", "pin": "0000", "device": "Eve"}),
        ("house/enter", {"pin": "000000"}),
    )
    for path, body in guesses:
        tried = [asks(daemon.address, path, f"127.0.1.{1 + number}", **body) for number in range(8)]
        assert tried == [403] * 5 + [429] * 3

    daemon.kill()
    daemon.start()

    for path, body in guesses:
        for pin in (body["pin"], {"0000": "2468", "000000": ADMIN_PIN}[body["pin"]]):
            assert asks(daemon.address, path, "127.0.2.1", **{**body, "pin": pin}) == 429


@pytest.mark.nightly
@pytest.mark.parametrize("language", ["pl"] if DEPTH == 1 else ["en", "pl"])
def test_wrong_pins_are_reported_to_seat_on_small_phone(browser: Browser, daemon: Daemon, language: str) -> None:
    words = {
        "en": ("Someone tried 3 wrong PINs for your seat.", "Someone tried 1 wrong PIN for your seat."),
        "pl": ("Ktoś wpisał 3 błędne PIN-y do twojego miejsca.", "Ktoś wpisał 1 błędny PIN do twojego miejsca."),
    }[language]
    room = Room(browser, daemon.address)
    room.sit_down_and_start()
    sniper = room.sniper
    sniper.go(f"{daemon.address}sniper?language={language}")
    expect(sniper["headline"]).to_be_visible()
    region = sniper.page.locator("#wrong-pins")
    expect(region).to_have_attribute("role", "status")
    expect(region).to_be_hidden()

    for _ in range(3):
        assert asks(daemon.address, "take-over", seat="sniper", pin="0000", device="Eve") == 403
    sniper.says("wrong-pins", words[0])
    for other in (room.defenders, room.tv):
        expect(other["wrong-pins"]).to_have_count(0)
    page = sniper.page
    expect_value(page, FITS)
    for part in (sniper["wrong-pins"], sniper["wrong-pins-seen"], sniper["headline"], page.locator("#tabs")):
        expect(part).to_be_in_viewport(ratio=0.99)

    sniper.press("wrong-pins-seen")
    expect(region).to_be_hidden()
    assert asks(daemon.address, "take-over", seat="sniper", pin="0000", device="Eve") == 403
    sniper.says("wrong-pins", words[1])


def test_admin_page_shows_number_of_wrong_pins(browser: Browser, panel: Panel, served: str) -> None:
    pins.write_pin(panel.folder, ADMIN_PIN)
    screen = Screen(browser, (360, 780))
    screen.go(f"{served}house")
    screen["admin-pin"].fill(ADMIN_PIN)
    screen.press("admin-enter")
    expect(screen["live-sensors"]).to_be_visible()
    expect(screen["wrong-pins"]).to_have_count(0)

    assert [asks(served, "house/enter", pin="000000") for _ in range(2)] == [403] * 2

    screen.says("wrong-pins", "2 wrong admin PINs were tried")
    expect_value(screen.page, FITS)
