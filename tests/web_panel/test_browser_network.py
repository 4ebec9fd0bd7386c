"""The network page in a real Chromium: a first start on a phone, from the first admin PIN to the local Wi-Fi."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from firmware_host.network.keeper import NetworkKeeper
from firmware_host.network.manager import NetworkManager
from tests.firmware_host.network.world import PASSWORD, World
from tests.web_panel.looks import FITS
from tests.web_panel.room import IN_CHROMIUM, Screen, expect_value
from tests.web_panel.test_network import Inn

pytestmark = IN_CHROMIUM


class NearKeeper(NetworkKeeper):
    """Counts this machine's own address as one in the hotspot, where Chromium cannot be."""

    def is_guest(self, address: str) -> bool:
        return super().is_guest("10.42.0.17" if address == "127.0.0.1" else address)


class NearWorld(World):
    def keeper(self) -> NetworkKeeper:
        return NearKeeper(NetworkManager(str(self.program)), self.clock)


def test_first_start_without_a_screen(browser: Browser, tmp_path: Path) -> None:
    inn = Inn(tmp_path, world=NearWorld)
    try:
        with inn.served() as address:
            phone = Screen(browser, (360, 780), locale="pl")
            phone.go(address + "network")
            phone["admin-pin"].fill("135790")
            phone["admin-pin-again"].fill("135791")
            phone.press("admin-enter")
            phone.says("admin-fault", "PIN-y się różnią")
            phone["admin-pin-again"].fill("135790")
            phone.press("admin-enter")
            expect(phone["mode"]).to_have_attribute("data-mode", "hotspot")

            for password, ends in (("not the right one", "hotspot"), (PASSWORD, "connected")):
                phone["wifi-My: Attic"].check()
                phone["wifi-password"].fill(password)
                phone.press("join")
                expect(phone["mode"]).to_have_attribute("data-mode", "joining")
                inn.keeper.check_network()
                expect(phone["mode"]).to_have_attribute("data-mode", ends)
                phone.says("last", "jest błędne" if ends == "hotspot" else "My: Attic")
            phone["host"].fill("attic-table")
            phone.press("name-send")
            phone.says("mode", "http://attic-table.local/")
            expect_value(phone.page, FITS)
    finally:
        inn.stop()
