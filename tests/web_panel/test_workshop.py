"""The workshop by HTTP: nothing without the admin PIN, and nothing that the board does not show anyway."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.admin import pin as pins
from tests.web_panel.conftest import ADMIN_PIN, Browser, Panel

ASKED: dict[str, dict[str, Any]] = {
    "open": {"device": "a phone", "sure": True},
    "job": {"job": "scan"},
    "tell": {"step": 1, "word": "skip"},
    "close": {},
}


@pytest.mark.parametrize("path", ASKED)
def test_workshop_needs_the_admin_key(panel: Panel, path: str) -> None:
    sniper, _ = panel.start()
    pins.write_pin(panel.folder, ADMIN_PIN)
    for stranger in (panel.browser(), sniper, panel.browser("127.0.0.1")):
        assert stranger.post(f"/api/workshop/{path}", **ASKED[path]).json["error"]["code"] == "no-house"
        assert stranger.get("/api/workshop").json["error"]["code"] == "no-house"
    assert sniper.get("/api/lobby").json["workshop"] is None


def test_workshop_shows_only_whether_a_secret_game_is_played(panel: Panel) -> None:
    keeper = panel.keeper_browser()
    before = keeper.get("/api/workshop").json
    panel.start()
    assert keeper.get("/api/workshop").json == {**before, "playing": True}


def second(panel: Panel) -> Browser:
    other = panel.browser("192.168.1.3")
    assert other.post("/api/house/enter", pin=ADMIN_PIN).status_code == 200
    return other


def test_workshop_is_opened_used_taken_over_and_closed(panel: Panel) -> None:
    keeper = panel.keeper_browser()
    other = second(panel)
    assert keeper.post("/api/workshop/open", device="Ada's phone").json == {"ok": True}
    assert keeper.post("/api/workshop/job", job="calibrate").json == {"ok": True}
    job = keeper.get("/api/workshop").json["job"]
    assert other.get("/api/workshop").json["mine"] is False
    assert "Ada's phone has the workshop" in other.post("/api/workshop/open", device="x").json["error"]["sentence"]
    assert keeper.post("/api/workshop/tell", step=job["step"], word="skip").json == {"ok": True}
    again = keeper.post("/api/workshop/tell", step=job["step"], word="skip")
    assert (again.status_code, again.json["error"]["code"]) == (409, "stale")
    assert other.post("/api/workshop/open", device="Bo's phone", instead=True).json == {"ok": True}
    assert keeper.post("/api/workshop/close").status_code == 409
    assert other.get("/api/workshop").json["job"]["progress"] == [1, 127]
    assert other.post("/api/workshop/close").json == {"ok": True}
    assert keeper.get("/api/workshop").json["device"] is None


def test_sentences_are_in_the_language_of_the_phone(panel: Panel) -> None:
    keeper = panel.keeper_browser()
    keeper.post("/api/workshop/open", device="telefon")
    keeper.post("/api/workshop/job", job="scan")
    polish = keeper.get("/api/workshop", headers={"Accept-Language": "pl"}).json
    assert polish["job"]["asks"].startswith("Postaw magnes")
    assert polish["connected"] == ["simulated: plansza w pamięci, bez sprzętu."]
