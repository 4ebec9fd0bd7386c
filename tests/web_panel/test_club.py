"""The page of all tables by HTTP: a sentence where a table is not connected to others."""

from __future__ import annotations

from tests.web_panel.conftest import Panel


def test_without_broker_page_names_the_missing_setting(panel: Panel) -> None:
    answer = panel.browser().get("/api/club")
    assert answer.json["error"]["code"] == "not-now"
    assert "mqtt_broker" in answer.json["error"]["sentence"]
    assert panel.browser().get("/club").status_code == 200
