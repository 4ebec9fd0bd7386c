"""A club's screen in a real Chromium: every table of the broker, with links to their TV pages, in another language."""

from __future__ import annotations

from pathlib import Path

import msgspec
from playwright.sync_api import Browser, expect

from firmware_host.mqtt.facts import TableFacts
from tests.firmware_host.mqtt.broker import Broker, Ear
from tests.firmware_host.mqtt.test_broker import settings, table
from tests.web_panel.looks import FITS
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value

pytestmark = IN_CHROMIUM

ATTIC = TableFacts(
    name="<b>Attic</b>",
    game="Stalingrad",
    stage="playing",
    to_act=["defenders"],
    round=4,
    countdown=7,
    sentence="The sniper ends the turn.",
    url="http://attic:8000/table",
)


def test_all_tables_are_shown_and_updated(browser: Browser, tmp_path: Path) -> None:
    broker = Broker(tmp_path / "broker")
    ear = Ear(broker.port)
    try:
        with table(settings(tmp_path, broker.port)) as daemon:
            screen = Screen(browser, (360, 780), locale="pl")
            screen.go(f"{daemon.addresses[0]}club")
            expect(screen["table-den"]).to_contain_text("The den")
            screen.says("facts-den", "w poczekalni")
            ear.say("sniperboard/attic/state", msgspec.json.encode(ATTIC), retain=True)
            ear.say("sniperboard/attic/availability", b"online", retain=True)
            screen.says("facts-attic", "trwa gra · runda 4 · odliczanie 7 · kolej: defenders")
            expect(screen["table-attic"]).to_contain_text("<b>Attic</b>")
            expect(screen["table-attic"].get_by_role("link")).to_have_attribute("href", ATTIC.url)
            ear.say("sniperboard/attic/availability", b"offline", retain=True)
            screen.says("facts-attic", "wyłączony")
            expect(screen["table-attic"].get_by_role("link")).to_have_count(0)
            expect_value(screen.page, FITS)
    finally:
        ear.close()
        broker.close()
