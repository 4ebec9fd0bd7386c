"""A person who plays alone and leaves: others may free the seat, and later it is freed by itself."""

from __future__ import annotations

from typing import Any

from firmware_host.table.absence import ABANDONED, FINISHED, LEFT
from tests.web_panel.conftest import Browser, Panel

MOMENT = 1.0


def lobby(browser: Browser) -> dict[str, Any]:
    """Return the lobby's facts."""
    found: dict[str, Any] = browser.get("/api/lobby").json
    return found


def taken(browser: Browser) -> list[str]:
    """Return the taken seats."""
    return [seat for seat, facts in lobby(browser)["seats"].items() if facts["taken"]]


def test_seat_that_was_left_is_freed_by_anyone_and_ends_the_game(panel: Panel) -> None:
    ada, bo = panel.browser(), panel.browser()
    assert ada.post("/api/play-now", seat="sniper", device="Ada").json == {"ok": True}
    panel.rest(LEFT - MOMENT)
    assert lobby(bo)["left"] is None
    assert bo.post("/api/release", seat="sniper").json["error"]["code"] == "not-now"
    panel.rest(2 * MOMENT)
    assert lobby(bo)["left"] == bo.get("/api/picture/table").json["left"] == "sniper"
    assert bo.post("/api/release", seat="sniper").json == {"ok": True}
    assert (lobby(bo)["stage"], taken(bo)) == ("lobby", [])
    assert bo.post("/api/play-now", seat="defenders", device="Bo").json == {"ok": True}


def test_open_screen_keeps_the_seat(panel: Panel) -> None:
    ada = panel.browser()
    assert ada.post("/api/play-now", seat="sniper", device="Ada").json == {"ok": True}
    stream = ada.get("/api/stream/table,sniper", buffered=False)
    panel.rest(2 * ABANDONED)
    assert (lobby(ada)["stage"], lobby(ada)["left"]) == ("playing", None)
    stream.close()
    panel.rest(ABANDONED - MOMENT)
    assert lobby(ada)["stage"] == "playing"
    panel.rest(2 * MOMENT)
    assert (lobby(ada)["stage"], taken(ada)) == ("lobby", [])


def test_finished_game_frees_the_seat_soon_and_stays_to_be_seen(panel: Panel) -> None:
    ada = panel.browser()
    assert ada.post("/api/play-now", seat="player-1", device="Ada", game="stalingrad").json == {"ok": True}
    while lobby(ada)["stage"] == "playing":
        panel.rest()
        legal = ada.get("/api/picture/player-1").json["legal"]
        if legal:
            ada.acts("player-1", **legal[-1])
    panel.rest(FINISHED + MOMENT)
    assert (lobby(ada)["stage"], taken(ada)) == ("over", [])


def test_two_people_and_a_seat_with_a_pin_are_never_freed(panel: Panel) -> None:
    ada, _ = panel.start()
    panel.rest(2 * ABANDONED)
    assert (lobby(ada)["stage"], lobby(ada)["left"], len(taken(ada))) == ("playing", None, 2)
