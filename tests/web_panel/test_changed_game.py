"""Another game is chosen while people sit at the table: they keep their seats, and their pages follow."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from firmware_host.table.table import Table
from tests.web_panel.conftest import Browser, Panel
from tests.web_panel.room import IN_CHROMIUM, PATIENCE, Screen


def mine(browser: Browser) -> list[str]:
    """Return the seats of this browser."""
    return list(browser.get("/api/lobby").json["mine"])


def choose(browser: Browser, **choice: Any) -> None:
    assert browser.post("/api/choose", **choice).json == {"ok": True}


def test_people_keep_seats_in_order_and_come_back(panel: Panel) -> None:
    ada, bo = panel.sit_down()
    for game, seats in (
        ("stalingrad", ["player-1", "player-2"]),
        ("snipers-and-assassins", ["player-1", "player-2"]),
        ("sniper-elite", ["sniper", "defenders"]),
    ):
        choose(ada, game=game)
        assert [*mine(ada), *mine(bo)] == seats
    assert bo.get("/api/lobby").json["seats"]["defenders"]["devices"][0]["squads"]
    assert ada.tries("2468").json == {"ok": True}, "the seat has its PIN"


def test_last_to_sit_down_has_no_seat_in_a_smaller_game(panel: Panel) -> None:
    ada, bo = panel.sit_down()
    assert panel.browser().post("/api/take-over", seat="defenders", pin="2468", device="Cy", share=True).json["ok"]
    choose(ada, game="stalingrad", options={"players": 3})
    names = [[it["device"] for it in seat["devices"]] for seat in ada.get("/api/lobby").json["seats"].values()]
    assert names == [["Ada's phone"], ["Bo's tablet"], ["Cy"]]
    choose(ada, options={"players": 2})
    assert (mine(ada), mine(bo)) == (["player-1"], ["player-2"])
    choose(ada, game="sniper-elite-solo")
    assert (mine(ada), mine(bo)) == (["sniper"], [])


def test_devices_of_one_person_keep_one_seat(panel: Panel) -> None:
    ada, bo = panel.sit_down()
    tablet = panel.browser()
    joining = {"seat": "sniper", "pin": "2468", "device": "Ada's tablet", "share": True}
    assert tablet.post("/api/take-over", **joining).json["ok"]
    choose(ada, game="stalingrad", options={"players": 3})
    assert [mine(it) for it in (ada, tablet, bo)] == [["player-1"], ["player-1"], ["player-2"]]
    choose(ada, game="sniper-elite")
    assert [mine(it) for it in (ada, tablet, bo)] == [["sniper"], ["sniper"], ["defenders"]]


def test_game_after_a_finished_one_keeps_seats_of_the_same_name(panel: Panel) -> None:
    ada, bo = panel.browser(), panel.browser()
    choose(ada, game="stalingrad")
    ada.claims("player-2")
    bo.claims("player-1")
    assert ada.post("/api/start").json == {"ok": True}
    panel.loop.call(lambda table: table.abandon())
    choose(ada, game="snipers-and-assassins")
    assert (mine(ada), mine(bo)) == (["player-2"], ["player-1"])


def test_seats_and_who_holds_them_change_together(panel: Panel) -> None:
    """A browser can ask while a change is being made: it gets all of the old state, never a seat without a page."""
    ada, bo = panel.sit_down()
    choose(ada, game="stalingrad")

    def ask_within(table: Table) -> None:
        table.choose({"game": "sniper-elite-solo"})
        assert (mine(ada), mine(bo)) == (["player-1"], ["player-2"])
        assert list(ada.get("/api/lobby").json["seats"]) == ["player-1", "player-2"]
        for browser, seat in ((ada, "player-1"), (bo, "player-2")):
            assert browser.get(f"/{seat}").status_code == 200

    panel.loop.call(ask_within)
    assert (mine(ada), mine(bo)) == (["sniper"], [])
    assert ada.get("/sniper").status_code == 200


def test_lobby_shows_the_chosen_map(panel: Panel) -> None:
    ada, _ = panel.sit_down()
    for game in ("snipers-and-assassins", "stalingrad", "sniper-elite"):
        choose(ada, game=game)
        seat, *_ = mine(ada)
        chosen = ada.get("/api/lobby").json["selection"]["map"]
        assert ada.get(f"/api/picture/{seat}").json["map"] == chosen


class TestInChromium:
    pytestmark = IN_CHROMIUM

    def test_one_choice_fills_all_free_seats(self, browser: Chromium, panel: Panel, served: str) -> None:
        phone = Screen(browser, (360, 640), has_touch=True, locale="pl")
        choose(panel.browser(), game="stalingrad", options={"players": 6})
        phone.go(served + "#together")
        expect(phone["take-player-6"]).to_be_visible()
        expect(phone["fill-seats"]).to_have_count(0)
        phone.claims(served, "player-2", "Olga")
        expect(phone["fill-seats"]).to_be_in_viewport(ratio=1)
        phone.go(served + "player-2")
        phone["fill-seats"].tap()
        phone["bot-choose-hasty"].tap()
        expect(phone["start"]).to_be_in_viewport(ratio=1)
        expect(phone["gathered"]).to_contain_text("Olga")
        phone["to-lobby"].tap()
        expect(phone["open-player-2"]).to_be_attached()
        expect(phone["seat-player-1"]).to_be_in_viewport()
        expect(phone["fill-seats"]).to_have_count(0)

    def test_waiting_pages_follow_seats_bots_and_games(self, browser: Chromium, panel: Panel, served: str) -> None:
        host, first, second, tv = (Screen(browser, (360, 740), has_touch=True) for _ in range(4))
        choose(panel.browser(), game="stalingrad", options={"players": 3})
        for phone, seat in ((first, "player-1"), (second, "player-2")):
            phone.claims(served, seat, seat.replace("player-", "Person "))
            phone.go(f"{served}{seat}")
        host.go(served + "#together")
        tv.go(served + "table")
        for screen in (first, second):
            expect(screen["gathered"]).to_contain_text("Person 2")
        expect(first["gathered"]).to_contain_text("Player 3")
        second.sends("bot", seat="player-3", bot="conscript")
        for screen in (first, second):
            expect(screen["start"]).to_be_visible()
        expect(host["holder-player-3"]).to_contain_text("conscript")
        expect(tv["seats"]).to_contain_text("conscript")
        second.sends("choose", game="sniper-elite")
        first.page.wait_for_url("**/sniper")
        second.page.wait_for_url("**/defenders")
        for screen, device in ((host, "Person 1"), (tv, "Person 1"), (first, "Person 2"), (second, "Person 1")):
            expect(screen.page.locator("body")).to_contain_text(device, timeout=PATIENCE)
        # A page whose seat is gone asks where to go until the table answers.
        busy = {"ok": False, "error": {"code": "busy", "sentence": "The table is busy.", "rule": None}}
        second.page.route("**/api/lobby", lambda route: route.fulfill(status=503, json=busy), times=1)
        second.sends("choose", game="sniper-elite-solo")
        second.page.wait_for_url(served)
        expect(first["start"]).to_be_visible()
        host.go(served + "board")
        for game, piece in (("snipers-and-assassins", "assassin-1"), ("sniper-elite", "yellow-1")):
            first.sends("choose", game=game)
            expect(host[f"mini-{piece}"]).to_be_visible()
