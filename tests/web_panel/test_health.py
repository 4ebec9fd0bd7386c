"""Sensor health by HTTP: what anyone may ask, what players may set, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web_panel.conftest import Panel

FIELDS = {"space", "sensor", "state", "changes", "bounce_ms", "dwell_s", "around", "sentence"}


def lines(panel: Panel) -> dict[str, dict[str, Any]]:
    """Return what a stranger gets, by space."""
    answer = panel.browser().get("/api/health").json
    assert list(answer) == ["sensors"]
    return {line["space"]: line for line in answer["sensors"]}


def test_every_space_has_an_entry_with_or_without_game(panel: Panel) -> None:
    before = lines(panel)
    assert all(set(line) == FIELDS for line in before.values())
    assert {line["state"] for line in before.values()} == {"new"}
    assert set(before) == set(panel.browser().get("/api/picture/board").json["lamps"])
    panel.start()
    assert set(lines(panel)) == set(before)


def test_player_sets_space_to_manual_and_public_pictures_show_it(panel: Panel) -> None:
    sniper, defenders = panel.start()
    stranger = panel.browser()

    assert defenders.post("/api/manual", space="R12", manual=True).json == {"ok": True}

    assert lines(panel)["R12"]["state"] == "manual"
    seen = [sniper.get("/api/picture/sniper"), defenders.get("/api/picture/defenders")]
    seen += [stranger.get("/api/picture/table"), stranger.get("/api/picture/board")]
    assert [answer.json["board"]["manual"] for answer in seen] == [["R12"]] * 4
    assert defenders.post("/api/manual", space="R12", manual=False).json == {"ok": True}
    assert lines(panel)["R12"]["state"] == "new"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"space": "Z9", "manual": True}, "no space 'Z9' that can be entered"),
        ({"space": "", "manual": True}, "no space '' that can be entered"),
        ({"space": 12, "manual": True}, "'space' has to be a text"),
        ({"space": "R12", "manual": 1}, "'manual' has to be true or false"),
        ({"space": "R12"}, "'manual' has to be true or false"),
        ({"space": "R12", "manual": True, "seat": "sniper"}, "no field 'seat'"),
    ],
)
def test_invalid_request_is_refused_and_changes_nothing(panel: Panel, body: dict[str, Any], why: str) -> None:
    answer = panel.browser().post("/api/manual", **body)

    assert answer.status_code == 400
    assert why in answer.json["error"]["sentence"]
    assert "manual" not in {line["state"] for line in lines(panel).values()}


def test_snipers_secret_acts_leave_no_trace_in_sensors(panel: Panel) -> None:
    sniper, _ = panel.start()
    before = lines(panel)
    for _ in range(4):
        legal = sniper.get("/api/picture/sniper").json["legal"]
        sniper.acts("sniper", **legal[0])

    assert lines(panel) == before
