"""The page of all tables by HTTP: a sentence where a table hears of no others."""

from __future__ import annotations

from tests.web_panel.conftest import Panel


def test_without_a_broker_the_page_says_what_is_to_be_set(panel: Panel) -> None:
    answer = panel.browser().get("/api/club")
    assert answer.json["error"]["code"] == "not-now"
    assert "mqtt_broker" in answer.json["error"]["sentence"]
    assert panel.browser().get("/club").status_code == 200
