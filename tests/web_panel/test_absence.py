"""A person who plays alone and leaves: others may then use the table. Nothing ends by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from engine.graph.fault import MapError
from firmware_host.core.guarded import GameFault
from firmware_host.play import resuming
from firmware_host.seats.absence import LEFT_AFTER, LEFT_AFTER_PAUSED
from firmware_host.table.selection import SELECTION_KEY
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
    panel.advance_clock(LEFT_AFTER - MOMENT)
    assert lobby(bo)["left"] is None
    assert bo.post("/api/release", seat="sniper").json["error"]["code"] == "not-now"
    panel.advance_clock(2 * MOMENT)
    assert lobby(bo)["left"] == bo.get("/api/picture/table").json["left"] == "sniper"
    assert bo.post("/api/release", seat="sniper").json == {"ok": True}
    assert (lobby(bo)["stage"], taken(bo)) == ("lobby", [])
    assert bo.post("/api/play-now", seat="defenders", device="Bo").json == {"ok": True}


def test_open_screen_keeps_the_seat_and_nothing_ends_by_itself(panel: Panel) -> None:
    ada = panel.browser()
    assert ada.post("/api/play-now", seat="sniper", device="Ada").json == {"ok": True}
    stream = ada.get("/api/stream/table,sniper", buffered=False)
    panel.advance_clock(2 * LEFT_AFTER_PAUSED)
    assert (lobby(ada)["stage"], lobby(ada)["left"]) == ("playing", None)
    stream.close()
    panel.advance_clock(LEFT_AFTER - MOMENT)
    assert lobby(ada)["left"] is None
    panel.advance_clock(2 * LEFT_AFTER_PAUSED)
    assert (lobby(ada)["stage"], lobby(ada)["left"]) == ("playing", "sniper")
    assert ada.post("/api/pause", paused=True).json == {"ok": True}
    assert lobby(ada)["left"] is None, "she is back, although she has opened no screen"


@pytest.mark.parametrize("path", ["/rules", "/table", "/api/lobby", "/api/picture/sniper"])
def test_each_request_of_the_persons_browser_keeps_the_seat(panel: Panel, path: str) -> None:
    """Only the page of the seat counted: a person who read the rules for five minutes lost a solo game."""
    ada, bo = panel.browser(), panel.browser()
    assert ada.post("/api/play-now", seat="sniper", device="Ada").json == {"ok": True}
    for _ in range(2):
        panel.advance_clock(LEFT_AFTER - MOMENT)
        assert ada.get(path).status_code == 200
        bo.get(path)
    panel.advance_clock(LEFT_AFTER - MOMENT)
    assert lobby(bo)["left"] is None
    panel.advance_clock(2 * MOMENT)
    assert lobby(bo)["left"] == "sniper"


def test_person_who_has_left_makes_room_for_the_next_ones(panel: Panel) -> None:
    """As soon as someone sat down at another seat, that of the person who had left could not be taken or freed."""
    ada, bo, cy = panel.browser(), panel.browser(), panel.browser()
    assert ada.post("/api/play-now", seat="sniper", device="Ada").json == {"ok": True}
    panel.loop.call(lambda table: table.abandon())
    panel.advance_clock(LEFT_AFTER + MOMENT)
    assert bo.post("/api/release", seat="defenders").json == {"ok": True}
    assert taken(bo) == ["sniper"]
    assert bo.post("/api/claim", seat="defenders", device="Bo", pin="2468").json["ok"]
    assert taken(bo) == ["defenders"]
    assert cy.post("/api/claim", seat="sniper", device="Cy", pin="1357").json["ok"]


def sit_down_alone(panel: Panel, browser: Browser) -> None:
    """Let Ada have a seat without a PIN, with no game on the table and no one else."""
    panel.loop.call(lambda table: table.change_settings({"seat_pins": False}))
    assert browser.post("/api/claim", seat="sniper", device="Ada").json == {"ok": True}
    panel.loop.call(lambda table: table.change_settings({"seat_pins": True}))


def test_others_who_sit_down_bring_no_one_back(panel: Panel) -> None:
    """A stranger who took and freed another seat every few minutes kept the seat of a person who had left."""
    ada, eve = panel.browser(), panel.browser()
    sit_down_alone(panel, ada)
    for seconds in (LEFT_AFTER / 2, LEFT_AFTER / 2 + MOMENT):
        panel.advance_clock(seconds)
        assert eve.post("/api/claim", seat="defenders", device="Eve", pin="2468").json["ok"]
        panel.advance_clock(MOMENT)
        assert eve.post("/api/release", seat="defenders").json == {"ok": True}
    assert taken(eve) == []


def test_person_with_others_at_the_table_gives_signs(panel: Panel) -> None:
    ada, bo = panel.browser(), panel.browser()
    sit_down_alone(panel, ada)
    assert bo.post("/api/claim", seat="defenders", device="Bo", pin="2468").json["ok"]
    panel.advance_clock(LEFT_AFTER)
    assert ada.get("/api/lobby").status_code == 200
    assert bo.post("/api/release", seat="defenders").json == {"ok": True}
    panel.advance_clock(LEFT_AFTER - MOMENT)
    assert (lobby(bo)["left"], taken(bo)) == (None, ["sniper"])
    panel.advance_clock(2 * MOMENT)
    assert lobby(bo)["left"] == "sniper"


def test_game_with_others_needs_a_pin_at_each_seat(panel: Panel) -> None:
    """If the device of the other one failed, no one could take that seat over."""
    ada, bo = panel.browser(), panel.browser()
    sit_down_alone(panel, ada)
    assert bo.post("/api/claim", seat="defenders", device="Bo", pin="2468").json["ok"]
    start = {"map": "launch-facility", "options": {"random_setup": True}}
    assert "Ada has a seat without a PIN" in bo.post("/api/start", **start).json["error"]["sentence"]
    assert ada.post("/api/release", seat="sniper").json == {"ok": True}
    assert ada.post("/api/claim", seat="sniper", device="Ada", pin="1357").json["ok"]
    assert bo.post("/api/start", **start).json == {"ok": True}


def test_seat_without_pin_comes_back_from_a_bot(panel: Panel) -> None:
    """The dialog promised that the PIN gets it back, and there was none."""
    ada, eve = panel.browser(), panel.browser()
    assert ada.post("/api/play-now", seat="sniper", device="Ada").json == {"ok": True}
    assert ada.post("/api/hand-over", seat="sniper", bot="random").json == {"ok": True}
    assert (lobby(ada)["mine"], lobby(ada)["back"], lobby(eve)["back"]) == ({}, ["sniper"], [])
    assert eve.post("/api/take-over", seat="sniper", device="Eve").json["error"]["code"] == "wrong-pin"
    assert ada.post("/api/take-over", seat="sniper", device="Ada").json == {"ok": True}
    assert (lobby(ada)["mine"]["sniper"]["device"], lobby(ada)["back"]) == ("Ada", [])


def test_seat_that_was_left_to_a_bot_comes_back_in_that_game_only(panel: Panel) -> None:
    """Hours later, Ada took the seat in the middle of the next game, which others were playing against the bot."""
    ada, bo = panel.browser(), panel.browser()
    assert ada.post("/api/play-now", seat="sniper", device="Ada").json == {"ok": True}
    assert ada.post("/api/hand-over", seat="sniper", bot="random").json == {"ok": True}
    assert bo.post("/api/abandon").json == {"ok": True}
    assert bo.post("/api/release", seat="defenders").json == {"ok": True}
    assert bo.post("/api/claim", seat="defenders", device="Bo", pin="2468").json["ok"]
    assert bo.post("/api/start", map="launch-facility", options={"random_setup": True}).json == {"ok": True}
    assert lobby(ada)["back"] == []
    assert ada.post("/api/take-over", seat="sniper", device="Ada").json["error"]["code"] == "wrong-pin"


def test_pause_of_someone_else_brings_no_one_back(panel: Panel) -> None:
    """With one pause, a stranger kept the table of a person who had left for an hour, again and again."""
    ada, eve = panel.browser(), panel.browser()
    assert ada.post("/api/play-now", seat="sniper", device="Ada").json == {"ok": True}
    panel.advance_clock(LEFT_AFTER + MOMENT)
    for paused in (True, False, True):
        assert eve.post("/api/pause", paused=paused).json == {"ok": True}
        panel.advance_clock(LEFT_AFTER / 2)
        assert lobby(eve)["left"] == "sniper"
    assert ada.get("/api/lobby").status_code == 200
    for seconds in (MOMENT, LEFT_AFTER_PAUSED - 2 * MOMENT):
        panel.advance_clock(seconds)
    assert lobby(eve)["left"] is None, "she is back, and the game is paused"


def test_seat_of_a_paused_game_is_kept_for_an_hour(panel: Panel) -> None:
    ada, bo = panel.browser(), panel.browser()
    assert ada.post("/api/play-now", seat="sniper", device="Ada").json == {"ok": True}
    assert ada.post("/api/pause", paused=True).json == {"ok": True}
    panel.advance_clock(LEFT_AFTER_PAUSED - MOMENT)
    assert bo.post("/api/release", seat="sniper").json["error"]["code"] == "not-now"
    panel.advance_clock(2 * MOMENT)
    assert (lobby(bo)["stage"], lobby(bo)["left"]) == ("playing", "sniper")
    assert bo.post("/api/release", seat="sniper").json == {"ok": True}
    assert (lobby(bo)["stage"], taken(bo)) == ("lobby", [])


def finish(panel: Panel, player: Browser, seat: str = "player-1") -> None:
    """Play a solo game or one of Stalingrad to its end."""
    while lobby(player)["stage"] == "playing":
        panel.advance_clock()
        legal = player.get(f"/api/picture/{seat}").json["legal"]
        if legal:
            player.acts(seat, **next((act for act in legal if act["type"] == "end-turn"), legal[-1]))


def test_table_of_a_finished_game_is_free_for_the_next_person(panel: Panel) -> None:
    ada, bo = panel.browser(), panel.browser()
    for player, other in ((ada, bo), (bo, ada)):
        again = {"seat": "player-1", "device": "", "game": "stalingrad"}
        assert player.post("/api/play-now", **again).json == {"ok": True}
        assert (lobby(other)["left"], list(lobby(other)["mine"])) == (None, [])
        assert other.post("/api/play-now", **again).json["error"]["code"] == "no-seat"
        finish(panel, player)
        assert (lobby(other)["left"], "player-1" in taken(other)) == ("player-1", True)
        assert other.post("/api/take-over", seat="player-1", device="").json["error"]["code"] == "seat-taken"
    assert ada.post("/api/choose", game="sniper-elite").json == {"ok": True}
    assert lobby(ada)["stage"] == "lobby"


def test_table_of_a_game_that_was_given_up_is_free_for_the_next_person(panel: Panel) -> None:
    ada, bo = panel.browser(), panel.browser()
    stream = ada.get("/api/stream/table,sniper", buffered=False)
    for player, other in ((ada, bo), (bo, ada)):
        assert player.post("/api/play-now", seat="sniper", device="Ada").json == {"ok": True}
        assert other.post("/api/play-now", seat="sniper", device="Bo").json["error"]["code"] == "no-seat"
        assert player.post("/api/abandon", seat="sniper").json == {"ok": True}
        assert (lobby(other)["stage"], lobby(other)["left"]) == ("lobby", "sniper")
    stream.close()


def test_person_who_sits_down_after_a_game_waits_for_the_next_one(panel: Panel) -> None:
    panel.loop.call(lambda table: table.change_settings({"seat_pins": False}))
    ada, bo = panel.browser(), panel.browser()
    assert ada.post("/api/play-now", seat="player-1", device="Ada", game="stalingrad").json == {"ok": True}
    finish(panel, ada)
    assert bo.post("/api/release", seat="player-1").json == {"ok": True}
    assert bo.post("/api/claim", seat="player-1", device="Bo").json == {"ok": True}
    panel.advance_clock(MOMENT)
    assert (lobby(ada)["stage"], lobby(ada)["left"]) == ("over", None)
    assert ada.post("/api/play-now", seat="player-1", device="Ada").json["error"]["code"] == "no-seat"


ALONE = [("sniper-elite", "sniper"), ("sniper-elite", "defenders"), ("sniper-elite-solo", "sniper")]
ALONE += [("snipers-and-assassins", "player-1"), ("stalingrad", "player-1")]


@pytest.mark.parametrize(("game", "seat", "route"), [(*ALONE[0], "bot"), *((*alone, "claim") for alone in ALONE)])
def test_seat_of_a_game_that_was_given_up_is_free_to_take(panel: Panel, game: str, seat: str, route: str) -> None:
    """Others were told to free it first, and it could be taken over only after five minutes."""
    ada, bo = panel.browser(), panel.browser()
    assert ada.post("/api/play-now", seat=seat, device="Ada", game=game).json == {"ok": True}
    bot = {"bot": lobby(ada)["bots"][seat][0]["name"]}
    request = {"seat": seat, **({"device": "Bo", "pin": "2468"} if route == "claim" else bot)}
    key = ada.client.get_cookie(f"sniperboard-8000-{seat}")
    assert not bo.post(f"/api/{route}", **request).json["ok"], "Ada plays"
    assert ada.post("/api/abandon").json == {"ok": True}
    assert ada.post(f"/api/{route}", **request).json["error"]["code"] == "seat-taken", "Ada sits there"
    invalid = request | ({"pin": "1"} if route == "claim" else {"bot": "none"})
    assert bo.post(f"/api/{route}", **invalid).json["error"]["code"] == "not-understood"
    assert list(lobby(ada)["mine"]) == [seat], "a refused request takes nothing"
    assert bo.post(f"/api/{route}", **request).json == {"ok": True}
    assert (list(lobby(ada)["mine"]), len(lobby(ada)["seats"][seat]["devices"])) == ([], 1)
    assert ada.client.get_cookie(f"sniperboard-8000-{seat}") == key, "she still has the old key"
    for path in (f"/api/picture/{seat}", f"/api/stream/{seat}", f"/api/draft/{seat}"):
        assert ada.get(path).status_code == 403, path
    assert ada.post("/api/rematch").json["error"]["code"] == "no-seat"


@pytest.mark.parametrize(("game", "seat"), [("sniper-elite-solo", "sniper"), ("stalingrad", "player-1")])
def test_person_who_has_finished_plays_again_until_the_seat_is_taken(panel: Panel, game: str, seat: str) -> None:
    ada, bo = panel.browser(), panel.browser()
    bo.get("/api/lobby")
    assert ada.post("/api/play-now", seat=seat, device="Ada", game=game).json == {"ok": True}
    for _ in range(2):
        finish(panel, ada, seat)
        assert ada.post("/api/rematch").json == {"ok": True}
        assert bo.claims(seat).json["error"]["code"] == "seat-taken"
    finish(panel, ada, seat)
    assert bo.claims(seat).json == {"ok": True}
    assert ada.get(f"/api/picture/{seat}").status_code == 403
    assert ada.post("/api/rematch").json["error"]["code"] == "no-seat"
    assert ada.claims(seat).json["error"]["code"] == "seat-taken", "Bo has not played yet"


@pytest.mark.parametrize("stage", ["playing", "lobby"])
def test_stranger_frees_or_takes_no_seat_whose_person_is_here(panel: Panel, stage: str) -> None:
    ada, eve = panel.browser(), panel.browser()
    asks = [("release", {}), ("take-over", {"device": "Eve"}), ("play-now", {"device": "Eve"}), ("choose", {})]

    def refused() -> bool:
        return not any(eve.post(f"/api/{route}", **{"seat": "sniper", **more}).json["ok"] for route, more in asks)

    if stage == "lobby":
        sit_down_alone(panel, ada)
    else:
        assert ada.post("/api/play-now", seat="sniper", device="Ada").json == {"ok": True}
    stream = ada.get("/api/stream/table,sniper", buffered=False)
    panel.advance_clock(2 * LEFT_AFTER)
    assert refused(), "the page is open"
    stream.close()
    assert refused(), "she looks at another app"
    panel.advance_clock(LEFT_AFTER - MOMENT)
    assert refused()
    panel.advance_clock(2 * MOMENT)
    assert eve.post("/api/release", seat="sniper").json == {"ok": True}


def test_two_people_and_a_seat_with_a_pin_are_never_freed(panel: Panel) -> None:
    ada, _ = panel.start()
    panel.advance_clock(2 * LEFT_AFTER_PAUSED)
    assert (lobby(ada)["stage"], lobby(ada)["left"], len(taken(ada))) == ("playing", None, 2)


def test_game_that_waits_for_its_person_is_neither_finished_nor_given_up(panel: Panel) -> None:
    """Its seat was free to take as soon as the game had failed, and with the seat, the game ended."""
    ada, eve = panel.browser(), panel.browser()
    assert ada.post("/api/play-now", seat="sniper", device="Ada").json == {"ok": True}
    panel.advance_clock()
    panel.loop.call(lambda table: table.session.let_wait(GameFault("sniper-elite", RuntimeError())))
    asks = [("choose", {"game": "stalingrad"}), ("claim", {"seat": "sniper", "device": "Eve", "pin": "2468"})]
    asks += [("release", {"seat": "sniper"}), ("play-now", {"seat": "sniper", "device": "Eve"})]
    for _ in range(2):
        assert not any(eve.post(f"/api/{route}", **more).json["ok"] for route, more in asks)
        assert lobby(eve)["left"] is None
        panel.advance_clock()
    assert panel.loop.call(lambda table: table.journal.running()) is not None
    panel.advance_clock(LEFT_AFTER)
    assert eve.claims("sniper").json == {"ok": True}


def waiting(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Panel, dict[str, str]]:
    """Let a game of two people with PINs wait, at seats that the chosen game does not have. Return the next table, and
    the cookies of one of them.
    """
    before = Panel(folder)
    ada, bo = before.browser(), before.browser()
    assert ada.post("/api/choose", game="snipers-and-assassins").json == {"ok": True}
    assert ada.claims("player-1").json["ok"]
    assert bo.claims("player-2").json["ok"]
    assert ada.post("/api/start").json == {"ok": True}
    key = ada.client.get_cookie("sniperboard-8000-player-1")
    assert key is not None
    before.loop.call(lambda table: table.journal.store_value(SELECTION_KEY, None))
    before.stop()
    with monkeypatch.context() as patch:
        patch.setattr(resuming, "_resumed", Mock(side_effect=MapError("pathways", [])))
        return Panel(folder), {key.key: key.value}


ENDS: dict[str, dict[str, Any]] = {
    "release": {"seat": "sniper"},
    "bot": {"seat": "sniper", "bot": "random"},
    "choose": {"map": "frozen-town"},
    "claim": {"seat": "sniper", "device": "Eve", "pin": "2468"},
    "play-now": {"seat": "sniper", "device": "Eve"},
}


def test_stranger_ends_no_game_that_waits_for_people_with_pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No seat of the chosen game was taken, so anyone could take or free one, and even a free one that was freed ended
    the game.
    """
    panel, _ = waiting(tmp_path, monkeypatch)
    eve = panel.browser()
    assert (lobby(eve)["game"], taken(eve), len(lobby(eve)["lost"])) == ("sniper-elite", [], 1)
    for route, more in ENDS.items():
        assert eve.post(f"/api/{route}", **more).json["error"]["code"] == "no-seat", route
    panel.stop()
    panel = Panel(tmp_path)
    assert lobby(panel.browser())["stage"] == "playing"
    panel.stop()


@pytest.mark.parametrize("admin", [True, False])
def test_its_people_and_the_admin_can_go_on_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, admin: bool
) -> None:
    panel, cookies = waiting(tmp_path, monkeypatch)
    ada, eve = panel.keeper_browser() if admin else panel.browser(), panel.browser()
    for name, key in () if admin else cookies.items():
        ada.client.set_cookie(name, key)
    assert ada.post("/api/release", seat="sniper").json == {"ok": True}
    assert len(lobby(ada)["lost"]) == 1, "nothing has changed"
    assert ada.claims("sniper").json == {"ok": True}
    assert lobby(ada)["lost"] == []
    assert eve.claims("defenders").json == {"ok": True}
    panel.stop()
