"""Starting a game against bots at once, another game after it, and changing sides."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.seats.absence import LEFT_AFTER
from tests.web_panel.conftest import Browser, Panel


def seats(browser: Browser) -> dict[str, Any]:
    """Return who has which seat, as the lobby shows."""
    found: dict[str, Any] = browser.get("/api/lobby").json["seats"]
    return found


def mine(browser: Browser) -> list[str]:
    """Return the seats of this browser."""
    return list(browser.get("/api/lobby").json["mine"])


def refused(answer: Any) -> str:
    """Return the code of a refusal."""
    assert not answer.json["ok"]
    return str(answer.json["error"]["code"])


def finish(panel: Panel) -> None:
    """End the running game."""
    panel.loop.call(lambda table: table.abandon())


def sensors(panel: Panel) -> bool:
    """Return whether the board's sensors are in use."""
    return panel.loop.call(lambda table: table.board.sensors_used)


@pytest.mark.parametrize(("seat", "bot"), [("sniper", "cadet"), ("defenders", "straggler")])
def test_one_request_starts_a_game_without_pin_or_board(panel: Panel, seat: str, bot: str) -> None:
    browser = panel.browser()
    assert browser.post("/api/play-now", seat=seat, device="Ada's phone").json == {"ok": True}
    assert mine(browser) == [seat]
    assert browser.get("/api/lobby").json["stage"] == "playing"
    (other,) = set(seats(browser)) - {seat}
    assert seats(browser)[other]["devices"][0]["bot"] == bot
    assert seats(browser)[seat]["devices"][0]["pin"] is False
    assert not sensors(panel)


def test_guest_calls_a_time_out(panel: Panel) -> None:
    browser = panel.browser()
    assert browser.post("/api/play-now", seat="sniper", device="").json == {"ok": True}
    for paused in (True, False):
        assert browser.post("/api/pause", paused=paused).json == {"ok": True}
        assert browser.get("/api/lobby").json["paused"] == ("" if paused else None)


def test_quick_game_uses_chosen_game_and_bots(panel: Panel) -> None:
    browser = panel.browser()
    answer = browser.post(
        "/api/play-now",
        seat="player-2",
        device="Ada",
        game="stalingrad",
        options={"players": 3},
        bots={"player-1": "random"},
    )
    assert answer.json == {"ok": True}
    bots = {seat: it["devices"][0]["bot"] for seat, it in seats(browser).items()}
    assert bots == {"player-1": "random", "player-2": None, "player-3": "conscript"}


@pytest.mark.parametrize(
    "asked",
    [
        {"seat": "nobody"},
        {"seat": "sniper", "bots": {"defenders": "nobody"}},
        {"seat": "sniper", "bots": {"defenders": 3}},
        {"seat": "sniper", "game": "chess"},
        {"seat": "sniper", "options": {"random_setup": "perhaps"}},
    ],
)
def test_unplayable_choice_leaves_the_lobby_unchanged(panel: Panel, asked: dict[str, Any]) -> None:
    browser = panel.browser()
    before = panel.browser().get("/api/lobby").json
    assert refused(browser.post("/api/play-now", **{"device": "Ada", **asked})) in ("not-understood", "no-seat")
    assert panel.browser().get("/api/lobby").json == before


@pytest.mark.parametrize("asked", [{"bots": {"player-1": "nobody"}}, {"device": "\x07"}, {"seat": "nobody"}])
def test_refused_game_with_other_seats_moves_no_one(panel: Panel, asked: dict[str, Any]) -> None:
    browser = panel.browser()
    browser.claims("defenders")
    refused(browser.post("/api/play-now", **{"seat": "player-2", "device": "Ada", "game": "stalingrad", **asked}))
    panel.loop.call(lambda table: table.publish())
    assert mine(browser) == ["defenders"]
    assert browser.get("/api/lobby").json["game"] == "sniper-elite"
    assert browser.post("/api/choose", game="snipers-and-assassins").json == {"ok": True}


def test_options_of_others_are_not_inherited(panel: Panel) -> None:
    host, ada = panel.browser(), panel.browser()
    strict = {"random_setup": False, "experienced_sniper": ["B", "D"]}
    assert host.post("/api/choose", game="sniper-elite", options=strict).json == {"ok": True}
    assert ada.post("/api/play-now", seat="sniper", device="Ada").json == {"ok": True}
    options = ada.get("/api/lobby").json["options"]
    assert (options["random_setup"], options["experienced_sniper"]) == (True, [])
    finish(panel)
    assert ada.post("/api/play-now", seat="sniper", device="Ada", options={"experienced_sniper": ["B"]}).json["ok"]
    options = ada.get("/api/lobby").json["options"]
    assert (options["random_setup"], options["experienced_sniper"]) == (True, ["B"])
    finish(panel)
    assert ada.post("/api/choose", game="snipers-and-assassins", options={"players": 4, "healing": True}).json["ok"]
    assert ada.post("/api/play-now", seat="player-4", device="Ada").json == {"ok": True}, "the number of seats stays"
    assert not ada.get("/api/lobby").json["options"]["healing"]


@pytest.mark.parametrize("game", ["sniper-elite", "sniper-elite-solo"])
def test_objectives_of_one_suit_are_dealt_away(panel: Panel, game: str) -> None:
    ada = panel.browser()
    for _ in range(6):
        assert ada.post("/api/play-now", seat="sniper", device="", game=game).json == {"ok": True}
        kinds = {action["type"] for action in ada.get("/api/picture/sniper").json["legal"]}
        assert "choose-entry" in kinds
        assert "return-objective" not in kinds
        finish(panel)


def test_lone_player_needs_no_name_and_keeps_one(panel: Panel) -> None:
    ada, tablet = panel.browser(), panel.browser()
    names = lambda: [it["device"] for it in seats(ada)["sniper"]["devices"]]  # noqa: E731
    assert ada.post("/api/play-now", seat="sniper", device=" ").json == {"ok": True}
    assert names() == ["Guest"]
    assert (
        ada.client.get("/api/picture/table", headers={"Accept-Language": "pl"}).json["seats"]["sniper"]["devices"][0][
            "device"
        ]
        == "Gość"
    )
    finish(panel)
    assert ada.post("/api/play-now", seat="sniper", device="Ada").json == {"ok": True}
    panel.advance_clock(LEFT_AFTER + 1)
    assert tablet.post("/api/take-over", seat="sniper", device="").json == {"ok": True}
    assert (names(), mine(ada), mine(tablet)) == (["Ada"], [], ["sniper"])
    assert refused(panel.browser().post("/api/claim", seat="defenders", pin="2468", device="")) != ""


def test_seated_players_keep_their_seats(panel: Panel) -> None:
    ada, bo = panel.browser(), panel.browser()
    ada.claims("sniper", "Ada's phone")
    assert refused(bo.post("/api/play-now", seat="defenders", device="Bo")) == "no-seat"
    assert ada.post("/api/play-now", seat="defenders", device="Ada").json == {"ok": True}, "only she sat there"
    assert mine(ada) == ["defenders"]
    assert refused(bo.post("/api/play-now", seat="sniper", device="Bo")) in ("no-seat", "not-now")


def test_leaving_a_seat_to_a_bot_opens_no_other(panel: Panel) -> None:
    panel.loop.call(lambda table: table.change_settings({"seat_pins": False}))
    ada, bo = panel.browser(), panel.browser()
    ada.post("/api/claim", seat="sniper", device="Ada")
    bo.post("/api/claim", seat="defenders", device="Bo")
    assert ada.post("/api/start").json == {"ok": True}
    assert bo.post("/api/hand-over", seat="defenders", bot="warden").json == {"ok": True}
    assert refused(bo.post("/api/take-over", seat="sniper", device="Bo")) == "wrong-pin"
    assert mine(ada) == ["sniper"]


def test_free_seat_is_named_as_such(panel: Panel) -> None:
    answer = panel.browser().post("/api/take-over", seat="sniper", device="Cy")
    assert refused(answer) == "wrong-pin"
    assert "That seat is free." in answer.text


def test_seat_with_a_pin_is_not_taken_without_it(panel: Panel) -> None:
    ada, bo = panel.start()
    for seat in ("sniper", "defenders"):
        assert refused(panel.browser().post("/api/take-over", seat=seat, device="Cy")) == "wrong-pin"
    assert (mine(ada), mine(bo)) == (["sniper"], ["defenders"])


def test_table_without_pins_accepts_none_and_protects_both_seats(panel: Panel) -> None:
    assert refused(panel.browser().post("/api/claim", seat="sniper", device="Ada")) == "not-understood"
    panel.loop.call(lambda table: table.change_settings({"seat_pins": False}))
    ada, bo = panel.browser(), panel.browser()
    assert ada.get("/api/lobby").json["pins"] is False
    assert ada.post("/api/claim", seat="sniper", device="Ada").json == {"ok": True}
    assert bo.post("/api/claim", seat="defenders", device="Bo").json == {"ok": True}
    assert refused(bo.post("/api/take-over", seat="sniper", device="Bo")) == "wrong-pin"
    assert refused(bo.post("/api/release", seat="sniper")) == "no-seat"
    assert mine(ada) == ["sniper"]


def test_lone_players_seat_without_pin_is_freed_between_games(panel: Panel) -> None:
    panel.loop.call(lambda table: table.change_settings({"seat_pins": False}))
    ada, bo = panel.browser(), panel.browser()
    assert ada.post("/api/claim", seat="sniper", device="Ada").json == {"ok": True}
    assert refused(bo.post("/api/release", seat="sniper")) == "no-seat"
    panel.advance_clock(LEFT_AFTER + 1)
    assert bo.post("/api/release", seat="sniper").json == {"ok": True}
    assert mine(ada) == []
    assert bo.post("/api/choose", game="stalingrad").json == {"ok": True}


def test_sides_are_swapped_with_same_cookies_and_pages_end(panel: Panel) -> None:
    ada, bo = panel.start()
    line = ada.get("/api/stream/sniper", buffered=False)
    pieces = iter(line.response)
    next(pieces)
    finish(panel)
    assert refused(panel.browser().post("/api/again", swapped=True)) == "no-seat", "only those who play may do that"
    assert bo.post("/api/again", swapped=True).json == {"ok": True}
    assert (mine(ada), mine(bo)) == (["defenders"], ["sniper"])
    assert [it["device"] for it in seats(ada)["sniper"]["devices"]] == ["Bo's tablet"]
    assert any("event: gone" in str(piece) for piece in pieces), "the former sniper's page no longer shows the sniper"
    assert ada.get("/api/picture/sniper").status_code != 200
    line.close()


def test_same_players_play_again_on_the_same_seats(panel: Panel) -> None:
    ada, bo = panel.start()
    assert refused(ada.post("/api/again")) == "not-now", "a game is running"
    finish(panel)
    assert ada.post("/api/again").json == {"ok": True}
    assert (mine(ada), mine(bo)) == (["sniper"], ["defenders"])
    assert ada.get("/api/lobby").json["stage"] == "playing"


def test_bot_changes_sides_too(panel: Panel) -> None:
    ada = panel.browser()
    ada.post("/api/play-now", seat="sniper", device="Ada")
    finish(panel)
    assert ada.post("/api/again", swapped=True).json == {"ok": True}
    assert mine(ada) == ["defenders"]
    assert seats(ada)["sniper"]["devices"][0]["bot"] == "straggler"
    assert not sensors(panel), "she still plays alone on a simulated board"


def test_devices_with_one_pin_swap_sides_together(panel: Panel) -> None:
    ada, bo = panel.sit_down()
    cy = panel.browser()
    assert cy.post("/api/take-over", seat="defenders", pin="2468", device="Cy", share=True).json["ok"]
    assert ada.post("/api/again", swapped=True).json == {"ok": True}
    assert (mine(ada), mine(bo), mine(cy)) == (["defenders"], ["sniper"], ["sniper"])


def test_sides_are_not_swapped_where_people_with_two_pins_share_a_seat(panel: Panel) -> None:
    ada, bo, cy = (panel.browser() for _ in range(3))
    ada.claims("sniper", "Ada")
    bo.claims("defenders", "Bo", squads=["yellow"])
    cy.claims("defenders", "Cy", squads=["red", "black"])
    assert refused(ada.post("/api/again", swapped=True)) == "not-now"
    assert (mine(ada), mine(bo), mine(cy)) == (["sniper"], ["defenders"], ["defenders"])


def test_moved_key_keeps_its_seat_when_another_is_taken(panel: Panel) -> None:
    ada, bo = panel.start()
    finish(panel)
    assert ada.post("/api/again", swapped=True).json == {"ok": True}
    finish(panel)
    assert bo.post("/api/release", seat="sniper").json == {"ok": True}
    assert ada.claims("sniper", "Ada's phone").json == {"ok": True}
    assert sorted(mine(ada)) == ["defenders", "sniper"]


def test_next_game_is_played_with_the_board_again(panel: Panel) -> None:
    panel.start()
    panel.loop.call(lambda table: table.board.use_sensors(False))
    finish(panel)
    assert sensors(panel)


def test_device_without_a_pin_is_listed_after_it_has_lost_a_secret_seat(panel: Panel) -> None:
    ada = panel.browser()
    ada.post("/api/play-now", seat="sniper", device="")
    for device in ("Eve", "Ada", "Eve", "Bo"):
        panel.advance_clock(LEFT_AFTER + 1)
        assert panel.browser().post("/api/take-over", seat="sniper", device=device).json == {"ok": True}
    assert seats(ada)["sniper"]["left"] == ["Guest", "Eve (2)", "Ada"]
