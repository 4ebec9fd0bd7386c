"""The network page by HTTP: phones are led to it in the table's own Wi-Fi, and no one else changes anything there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.admin import pin as pins
from firmware_host.api.network import TableNetwork
from firmware_host.network.keeper import LOST_SECONDS, NetworkKeeper
from firmware_host.network.machine import MachineOwner
from tests.firmware_host.network.world import PASSWORD, World
from tests.web_panel.conftest import ADMIN_PIN, Browser, Panel
from tools.showroom import SIMULATED
from web_panel.settings import PanelSettings

GUEST, STRANGER = "10.42.0.17", "192.168.1.66"
PROBES = {
    "Android": "http://connectivitycheck.gstatic.com/generate_204",
    "Chrome": "http://www.google.com/gen_204",
    "iOS": "http://captive.apple.com/hotspot-detect.html",
    "Windows": "http://www.msftconnecttest.com/connecttest.txt",
    "Windows, older": "http://www.msftncsi.com/ncsi.txt",
    "Firefox": "http://detectportal.firefox.com/canonical.html",
    "GNOME": "http://nmcheck.gnome.org/check_network_status.txt",
    "anybody": "http://example.com/anything?at=all",
}
"""What devices request when they join a Wi-Fi."""
COMMANDS: dict[str, dict[str, Any]] = {
    "join": {"name": "My: Attic", "password": PASSWORD},
    "name": {"name": "attic-table"},
    "country": {"country": "PL"},
}


class Inn(Panel):
    """A panel whose table is in a simulated network with an open hotspot."""

    def __init__(self, folder: Path, settings: PanelSettings = SIMULATED, world: type[World] = World) -> None:
        self.world = world(folder / "bin")
        self.keeper: NetworkKeeper = self.world.keeper()
        self.asked = folder / "asked"
        systemctl = folder / "systemctl"
        systemctl.write_text(
            f'#!/bin/sh\necho "$@" >> {self.asked}\nexit $(cat {folder}/refuses 2>/dev/null || echo 0)\n'
        )
        systemctl.chmod(0o755)
        country = folder / "regdom"
        country.write_text("00\n")
        owner = MachineOwner(str(systemctl), country)
        super().__init__(folder, settings, network=TableNetwork(self.keeper, owner))
        self.world.passes(self.keeper, LOST_SECONDS)

    def guest(self) -> Browser:
        """Return the browser of a phone in the table's own Wi-Fi."""
        return self.browser(GUEST)


@pytest.fixture
def inn(tmp_path: Path) -> Iterator[Inn]:
    found = Inn(tmp_path)
    yield found
    found.stop()


def asks(browser: Browser, address: str) -> Any:
    host, _, path = address.removeprefix("http://").partition("/")
    return browser.get(f"/{path}", headers={"Host": host})


def test_only_phones_in_own_wifi_are_led_to_the_page(inn: Inn) -> None:
    for device, probe in PROBES.items():
        led = asks(inn.guest(), probe)
        assert (led.status_code, led.headers["Location"]) == (302, "http://10.42.0.1/network"), device
        assert led.headers["Cache-Control"] == "no-store", "the phone must ask again in another Wi-Fi"
        assert asks(inn.browser(STRANGER), probe).status_code == 421, device
    inn.world.change(cable=True)
    inn.keeper.check_network()
    for device, probe in PROBES.items():
        assert asks(inn.guest(), probe).status_code == 421, device


def test_page_and_table_work_as_usual_for_a_guest(inn: Inn) -> None:
    for path in ("/network", "/", "/table", "/api/lobby"):
        assert inn.guest().get(path, headers={"Host": "10.42.0.1"}).status_code == 200
    assert asks(inn.guest(), "http://evil.example/api/lobby").status_code == 302
    assert (
        inn.guest().client.post("/api/network/first-pin", json={"pin": "x"}, headers={"Host": "evil"}).status_code
        == 421
    )


def test_https_table_leads_there(tmp_path: Path) -> None:
    inn = Inn(tmp_path, PanelSettings(simulated=True, secure=True, port=8443, machine="table"))
    try:
        led = asks(inn.guest(), PROBES["iOS"])
        assert led.headers["Location"] == "https://10.42.0.1:8443/network"
        led = inn.browser().get("/rules?a=b", headers={"Host": "table.local"})
        assert (led.status_code, led.headers["Location"]) == (302, "https://table.local:8443/rules?a=b")
        assert inn.browser().get("/", base_url="https://table.local").status_code == 200
    finally:
        inn.stop()


def test_first_pin_is_chosen_once_and_only_in_own_wifi(inn: Inn) -> None:
    ada, eve = inn.guest(), inn.browser("10.42.0.66")
    assert ada.get("/api/network").json["error"]["code"] == "no-pin"
    stranger = inn.browser(STRANGER)
    assert stranger.get("/api/network").json["error"]["code"] == "no-house"
    assert stranger.post("/api/network/first-pin", pin="nobodys").json["error"]["code"] == "no-house"
    assert ada.post("/api/network/first-pin", pin="12345").status_code == 400

    assert ada.post("/api/network/first-pin", pin=ADMIN_PIN).json == {"ok": True}
    assert ada.get("/api/network").status_code == ada.get("/api/house").status_code == 200
    assert eve.post("/api/network/first-pin", pin="eves own").json["error"]["code"] == "not-now"
    assert eve.get("/api/network").json["error"]["code"] == "no-house"
    assert inn.browser(STRANGER).post("/api/house/enter", pin=ADMIN_PIN).status_code == 200


def test_unreadable_pin_file_does_not_allow_a_new_pin(inn: Inn) -> None:
    (inn.folder / pins.FILE).write_text("{broken", "utf-8")
    assert "cannot be read" in inn.guest().post("/api/network/first-pin", pin="eves own").json["error"]["sentence"]
    assert (inn.folder / pins.FILE).read_text("utf-8") == "{broken"


@pytest.mark.parametrize("command", COMMANDS)
def test_network_is_not_changed_without_the_pin(inn: Inn, command: str) -> None:
    pins.write_pin(inn.folder, ADMIN_PIN)
    before = inn.world["calls"]
    for stranger in (inn.guest(), inn.browser(STRANGER), inn.browser("127.0.0.1")):
        assert stranger.post(f"/api/network/{command}", **COMMANDS[command]).json["error"]["code"] == "no-house"
    inn.keeper.check_network()
    assert not inn.asked.exists()
    assert [words for words in inn.world["calls"][len(before) :] if "add" in words] == []
    assert inn.keeper_browser().post(f"/api/network/{command}", **COMMANDS[command]).json == {"ok": True}


def test_page_reports_command_result_and_never_a_password(inn: Inn) -> None:
    keeping = inn.keeper_browser()
    facts = keeping.get("/api/network").json
    assert (facts["mode"], facts["hotspot"], facts["country"]) == ("hotspot", "sniperboard-1a2b", "")
    assert facts["reach"] == [{"name": "My: Attic", "strength": 60, "lock": "password"}]

    for password, ends in (("not the right one", "hotspot"), (PASSWORD, "connected")):
        assert keeping.post("/api/network/join", name="My: Attic", password=password).json == {"ok": True}
        assert keeping.get("/api/network").json["mode"] == "joining"
        inn.keeper.check_network()
        page = keeping.get("/api/network")
        assert page.json["mode"] == ends
        for path in ("/api/network", "/network", "/api/house", "/api/house/report.txt"):
            assert password not in keeping.get(path).text
    assert page.json["last"] == {"name": "My: Attic", "why": None}


def test_sentences_are_in_the_language_of_the_device(inn: Inn) -> None:
    keeping = inn.keeper_browser()
    keeping.post("/api/network/join", name="My: Attic", password="not the right one")
    inn.keeper.check_network()
    for code, words in (("en", "The password of the Wi-Fi"), ("pl", "Hasło do sieci Wi-Fi")):
        said = keeping.get("/api/network", headers={"Accept-Language": code}).json["last"]["why"]
        assert words in said and "My: Attic" in said
    page = keeping.get("/network", headers={"Accept-Language": "pl"}).text
    assert '<option value="PL">Polska</option>' in page and 'value="EU"' not in page


def test_root_service_is_asked_and_new_name_applies_at_once(inn: Inn) -> None:
    keeping = inn.keeper_browser()
    assert asks(keeping, "http://attic-table.local/").status_code == 421
    for command in ("name", "country"):
        keeping.post(f"/api/network/{command}", **COMMANDS[command])
    lines = inn.asked.read_text("utf-8").splitlines()
    assert [line.rpartition(" ")[2] for line in lines] == [
        "sniperboard-machine@name-attic-table.service",
        "sniperboard-machine@country-PL.service",
    ]
    assert asks(keeping, "http://attic-table.local/").status_code == 200
    assert keeping.get("/api/network").json["name"] == "attic-table"
    (inn.folder / "refuses").write_text("4")
    answer = keeping.post("/api/network/name", name="other")
    assert answer.json["error"]["code"] == "not-now" and "journalctl" in answer.json["error"]["sentence"]
    assert keeping.get("/api/network").json["name"] == "attic-table"


NONSENSE: list[tuple[str, dict[str, Any]]] = [
    ("name", {"name": "x; reboot"}),
    ("name", {"name": "../../etc"}),
    ("country", {"country": "pl"}),
    ("join", {"name": "My: Attic", "password": "short"}),
    ("join", {"name": "My: Attic"}),
    ("join", {"name": "a\nset connection.permissions x"}),
    ("join", {"name": "a", "password": "12345678\nquit"}),
]


def test_invalid_command_is_refused_with_a_sentence_and_not_tried(inn: Inn) -> None:
    keeping = inn.keeper_browser()
    for command, body in NONSENSE:
        answer = keeping.post(f"/api/network/{command}", **body)
        assert (answer.status_code, answer.json["error"]["code"]) == (400, "not-understood"), body
    inn.keeper.check_network()
    assert not inn.asked.exists() and inn.world.joined == "sniperboard-1a2b"


def test_table_without_network_management_has_no_such_page(panel: Panel) -> None:
    assert panel.browser().get("/network").status_code == 409
    assert panel.keeper_browser().get("/api/network").json["error"]["code"] == "not-now"
    assert panel.browser(GUEST).post("/api/network/first-pin", pin="eves own").json["error"]["code"] == "not-now"
    assert asks(panel.browser(GUEST), PROBES["Android"]).status_code == 421
