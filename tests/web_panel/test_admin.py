"""The admin page by HTTP: nothing without its PIN, and its full functions with it."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.admin import pin as pins
from tests.web_panel.conftest import ADMIN_PIN, Panel

ASKED: dict[str, dict[str, Any]] = {
    "choose": {"choices": {"brightness": 0.5}},
    "forget-results": {},
    "pin": {"old": ADMIN_PIN, "new": "another one"},
    "shut-down": {},
}


@pytest.mark.parametrize("path", ["/api/house", "/api/house/report.txt"])
def test_admin_data_needs_the_key(panel: Panel, path: str) -> None:
    sniper, _ = panel.start()
    for stranger in (panel.browser(), sniper, panel.browser("127.0.0.1")):
        answer = stranger.get(path)
        assert answer.json["error"]["code"] == "no-house"
        assert "choices" not in answer.text
    assert panel.keeper_browser().get(path).status_code == 200


@pytest.mark.parametrize("path", ASKED)
def test_admin_commands_need_the_key(panel: Panel, path: str) -> None:
    sniper, _ = panel.start()
    pins.write_pin(panel.folder, ADMIN_PIN)
    for stranger in (panel.browser(), sniper, panel.browser("127.0.0.1")):
        assert stranger.post(f"/api/house/{path}", **ASKED[path]).json["error"]["code"] == "no-house"
    assert panel.ends == []
    assert panel.keeper_browser().post(f"/api/house/{path}", **ASKED[path]).json == {"ok": True}


def test_wrong_pins_count_across_addresses_and_known_device_may_return(panel: Panel) -> None:
    keeping = panel.keeper_browser()
    tried = [panel.browser(f"10.0.0.{number}").post("/api/house/enter", pin="000000") for number in range(12)]

    assert [answer.status_code for answer in tried] == [403] * 5 + [429] * 7
    assert "Try again in" in tried[-1].json["error"]["sentence"]
    assert int(tried[-1].headers["Retry-After"]) <= 61
    assert keeping.get("/api/house").json["wrong_pins"] == 5
    assert panel.browser("10.0.1.1").post("/api/house/enter", pin=ADMIN_PIN).status_code == 429
    assert keeping.post("/api/house/enter", pin="000000").status_code == 403
    assert keeping.post("/api/house/enter", pin=ADMIN_PIN).status_code == 200


def test_pin_opens_admin_page_and_key_is_returned(panel: Panel) -> None:
    pins.write_pin(panel.folder, ADMIN_PIN)
    ada = panel.browser("192.168.1.7")
    opened = ada.post("/api/house/enter", pin=ADMIN_PIN)

    assert opened.json == {"ok": True}
    for word in ("HttpOnly", "SameSite=Strict", "Path=/"):
        assert word in opened.headers["Set-Cookie"].split("; ")
    assert ada.get("/api/house").json["machine"] == "raspberrypi"
    key = ada.client.get_cookie("sniperboard-8000-house")
    assert key is not None
    assert ada.post("/api/house/leave").json == {"ok": True}
    ada.client.set_cookie("sniperboard-8000-house", key.value)
    assert ada.get("/api/house").status_code == 403


def test_admin_page_without_pin_says_how_to_set_one(panel: Panel) -> None:
    assert "sniperboard admin pin" in panel.browser().post("/api/house/enter", pin="").json["error"]["sentence"]


def test_no_answer_contains_pin_or_key(panel: Panel) -> None:
    keeping = panel.keeper_browser()
    key = keeping.client.get_cookie("sniperboard-8000-house")
    assert key is not None
    for path in ("/house", "/api/house", "/api/house/report.txt", "/api/lobby"):
        text = keeping.get(path).text
        assert ADMIN_PIN not in text
        assert key.value not in text


def test_invalid_setting_is_refused_with_a_sentence(panel: Panel) -> None:
    answer = panel.keeper_browser().post("/api/house/choose", choices={"brightness": 7})
    assert answer.status_code == 400
    assert "not between 0.05 and 1.0" in answer.json["error"]["sentence"]


def test_table_language_is_used_for_devices_without_a_supported_one(panel: Panel) -> None:
    panel.keeper_browser().post("/api/house/choose", choices={"language": "pl"})
    for asked, spoken in (("sv", "pl"), ("en", "en"), ("", "pl")):
        page = panel.browser().get("/", headers={"Accept-Language": asked}).text
        assert f'<html lang="{spoken}"' in page
