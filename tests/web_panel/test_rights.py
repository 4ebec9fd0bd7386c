"""Who may see and do what, for every address that belongs to a seat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware_host.seats.changes import MOST_LEFT
from tests.firmware_host.evening import fresh_name
from tests.web_panel.conftest import Browser, Panel
from tools.showroom import PIN
from web_panel.settings import PanelSettings

OF_A_SEAT = [
    ("sniper", "/sniper"),
    ("sniper", "/api/picture/sniper"),
    ("sniper", "/api/stream/sniper"),
    ("defenders", "/defenders"),
    ("defenders", "/api/picture/defenders"),
    ("defenders", "/api/stream/defenders"),
]
OF_ALL = ["/", "/table", "/board", "/api/lobby", "/api/picture/table", "/api/picture/board", "/api/stream/table"]
OF_ALL += ["/health", "/api/health", "/rules", "/aids", "/legend"]
OF_ALL += ["/maps/launch-facility.svg", "/qr.svg", "/api/stream/board"]


@pytest.mark.parametrize(("seat", "path"), OF_A_SEAT)
def test_seat_address_opens_only_for_its_holder(panel: Panel, seat: str, path: str) -> None:
    sniper, defenders = panel.sit_down()
    holder, other = (sniper, defenders) if seat == "sniper" else (defenders, sniper)

    assert panel.browser().get(path).status_code == 403
    assert other.get(path).status_code == 403
    assert holder.get(path, buffered=False).status_code == 200


@pytest.mark.parametrize("path", OF_ALL)
def test_public_pages_open_for_everyone(unchanged: Panel, path: str) -> None:
    assert unchanged.browser().get(path, buffered=False).status_code == 200


def test_barred_page_leads_to_the_lobby(unchanged: Panel) -> None:
    page = unchanged.browser().get("/sniper")

    assert page.mimetype == "text/html"
    assert 'href="/"' in page.text
    assert "Take it in the lobby" in page.text


def test_one_browser_can_hold_both_seats(panel: Panel) -> None:
    both = panel.browser()
    both.claims("sniper")
    both.claims("defenders")

    assert both.get("/sniper").status_code == both.get("/defenders").status_code == 200


def test_key_in_the_other_seats_cookie_opens_nothing(panel: Panel) -> None:
    _, defenders = panel.sit_down()
    key = defenders.client.get_cookie("sniperboard-8000-defenders")
    assert key is not None
    defenders.client.set_cookie("sniperboard-8000-sniper", key.value)

    assert defenders.get("/api/picture/sniper").status_code == 403


@pytest.mark.parametrize("seat", ["sniper", "defenders"])
def test_acting_or_abandoning_needs_the_seats_key(panel: Panel, seat: str) -> None:
    panel.start()
    stranger = panel.browser()

    assert stranger.acts(seat, type="end-turn").json["error"]["code"] == "no-seat"
    assert stranger.post("/api/abandon", seat=seat).json["error"]["code"] == "no-seat"


def test_taken_over_seat_is_lost_to_the_old_device(panel: Panel) -> None:
    old, _ = panel.sit_down()
    new = panel.browser()
    stream = old.get("/api/stream/sniper", buffered=False).iter_encoded()
    next(stream)

    assert new.post("/api/take-over", seat="sniper", pin=PIN, device="a new phone").status_code == 200

    assert new.get("/api/picture/sniper").status_code == 200
    assert old.get("/api/picture/sniper").status_code == 403
    assert list(stream) == [b"event: gone\ndata: 1\n\n"]


def test_wrong_pin_takes_nothing_over_and_soon_locks_out(panel: Panel) -> None:
    sniper, _ = panel.sit_down()
    thief = panel.browser()

    answers = [thief.tries(PIN[::-1]) for _ in range(7)]

    assert [answer.status_code for answer in answers] == [403] * 5 + [429] * 2
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert thief.tries(PIN).status_code == 429
    assert thief.get("/api/picture/sniper").status_code == 403
    assert sniper.tries(PIN).status_code == 200


def test_new_address_has_no_extra_guesses(panel: Panel) -> None:
    panel.sit_down()

    answers = [panel.browser(f"10.0.0.{number}").tries("0000").status_code for number in range(100)]

    assert answers.count(403) == 5
    assert answers.count(429) == 95


def test_wrong_name_with_right_pin_reveals_and_costs_nothing(panel: Panel) -> None:
    sniper, _ = panel.sit_down()

    def answer(pin: str, **wrong: Any) -> bytes:
        body = {"seat": "sniper", "pin": pin, "device": "x", **wrong}
        return panel.browser().post("/api/take-over", **body).data

    for wrong in ({"device": ""}, {"instead": 7}, {"share": True, "device": ""}, {"squads": [1]}):
        assert len({answer(pin, **wrong) for pin in (PIN, "0000", PIN[::-1])}) == 1
    panel.advance_clock()
    assert sniper.get("/api/picture/sniper").json["wrong_pins"] == 0
    assert [panel.browser().tries("0000").status_code for _ in range(6)] == [403] * 5 + [429]


def test_wrong_pins_show_on_the_seats_screen_until_acknowledged(panel: Panel) -> None:
    sniper, defenders = panel.sit_down()
    for number in range(3):
        panel.browser(f"10.0.0.{number}").tries("0000")
    panel.advance_clock()

    assert sniper.get("/api/picture/sniper").json["wrong_pins"] == 3
    assert defenders.get("/api/picture/defenders").json["wrong_pins"] == 0
    assert "wrong_pins" not in sniper.get("/api/picture/table").json
    for stranger in (defenders, panel.browser()):
        assert stranger.post("/api/wrong-pins", seat="sniper", seen=3).json["error"]["code"] == "no-seat"
    assert sniper.post("/api/wrong-pins", seat="sniper", seen=2).json == {"ok": True}
    panel.advance_clock()
    assert sniper.get("/api/picture/sniper").json["wrong_pins"] == 1


def test_seat_taken_by_mistake_is_freed_only_before_the_game(panel: Panel) -> None:
    sniper, defenders = panel.sit_down()
    keeper = panel.keeper_browser()

    for free in (
        lambda: sniper.post("/api/release", seat="sniper"),
        lambda: panel.browser().post("/api/release", seat="sniper", pin=PIN),
        lambda: keeper.post("/api/release", seat="sniper"),
    ):
        assert free().json == {"ok": True}
        assert sniper.get("/api/picture/sniper").status_code == 403
        assert defenders.get("/api/picture/defenders").status_code == 200
        sniper.claims("sniper")
    sniper.post("/api/start", map="launch-facility")
    for browser, pin in ((sniper, ""), (keeper, ""), (panel.browser(), PIN)):
        assert browser.post("/api/release", seat="sniper", pin=pin).json["error"]["code"] == "not-now"


def test_seat_of_another_is_not_freed(panel: Panel) -> None:
    sniper, defenders = panel.sit_down()
    stranger = panel.browser()

    for browser in (stranger, defenders):
        answer = browser.post("/api/release", seat="sniper")
        assert answer.status_code == 403
        assert answer.json["error"]["code"] == "no-seat"
        assert "Free the seat from there, with its PIN" in answer.json["error"]["sentence"]
    answers = [stranger.post("/api/release", seat="sniper", pin=f"999{number}") for number in range(7)]
    assert [answer.json["error"]["code"] for answer in answers] == ["wrong-pin"] * 5 + ["locked"] * 2
    assert stranger.tries(PIN).json["error"]["code"] == "locked"
    assert sniper.get("/api/picture/sniper").status_code == 200
    assert sniper.get("/api/lobby").json["seats"]["sniper"]["taken"]


def test_lobby_shows_each_browser_its_own_seats(panel: Panel) -> None:
    sniper, defenders = panel.sit_down()

    assert list(sniper.get("/api/lobby").json["mine"]) == ["sniper"]
    assert defenders.get("/api/lobby").json["mine"]["defenders"]["device"] == "Bo's tablet"
    assert panel.browser().get("/api/lobby").json["mine"] == {}


def test_simulated_board_is_hidden_where_there_is_a_real_one(tmp_path: Path) -> None:
    real = Panel(tmp_path, PanelSettings(simulated=False))
    try:
        assert real.browser().get("/board").status_code == 404
    finally:
        real.loop.stop()


def test_only_the_four_viewers_are_known(unchanged: Panel) -> None:
    sniper, _ = unchanged.sit_down()

    for viewer in ("referee", "Sniper", "table/..", "%00"):
        assert sniper.get(f"/api/picture/{viewer}").status_code == 404
        assert sniper.get(f"/api/stream/{viewer}").status_code == 404


def test_bot_is_seated_by_anyone_and_removed_before_the_game(panel: Panel) -> None:
    sniper, stranger = panel.browser(), panel.browser()
    sniper.claims("sniper")

    assert stranger.post("/api/bot", seat="sniper", bot="prowler").json["error"]["code"] == "seat-taken"
    assert stranger.post("/api/bot", seat="defenders", bot="prowler").json["error"]["code"] == "not-understood"
    assert stranger.post("/api/bot", seat="defenders", bot="warden").status_code == 200
    assert stranger.post("/api/release", seat="defenders").json["error"]["code"] == "no-seat"
    assert sniper.post("/api/release", seat="defenders").status_code == 200
    assert stranger.post("/api/bot", seat="defenders", bot="warden").status_code == 200
    sniper.post("/api/start", map="launch-facility", options={"random_setup": True})
    assert stranger.post("/api/release", seat="defenders").json["error"]["code"] == "not-now"
    assert stranger.claims("defenders").json["error"]["code"] == "seat-taken"
    assert stranger.post("/api/take-over", seat="defenders", pin=PIN, device="x").json["error"]["code"] == "wrong-pin"


def test_only_its_holder_leaves_a_seat_to_a_bot(panel: Panel) -> None:
    sniper, defenders = panel.start()

    assert defenders.post("/api/hand-over", seat="sniper", bot="prowler").json["error"]["code"] == "no-seat"
    assert sniper.post("/api/hand-over", seat="sniper", bot="prowler").status_code == 200
    assert sniper.get("/api/picture/sniper").status_code == 403
    assert sniper.post("/api/take-over", seat="sniper", pin=PIN, device="Ada again").status_code == 200
    assert sniper.get("/api/picture/sniper").status_code == 200


OF_PLAYERS = {
    "bot": {"seat": "sniper", "bot": "random"},
    "abandon": {},
    "hurry": {},
    "start": {"map": "launch-facility"},
}
BY_HAND: dict[str, dict[str, Any]] = {
    "answer": {"space": "R12"},
    "heed": {"heeding": False},
    "manual": {"space": "R12", "manual": True},
    "tidy": {},
    "touch": {"miniature": "red-1"},
}


@pytest.mark.parametrize("path", [*OF_PLAYERS, *BY_HAND])
def test_only_players_or_the_admin_affect_a_game(panel: Panel, path: str) -> None:
    sniper, _ = panel.start()
    before = sniper.get("/api/picture/table").text
    body = {**OF_PLAYERS, **BY_HAND}[path]

    refused = panel.browser().post(f"/api/{path}", **body)

    assert refused.json["error"]["code"] == "no-seat"
    assert "People sit at this table" in refused.json["error"]["sentence"]
    assert sniper.get("/api/picture/table").text == before
    assert sniper.post(f"/api/{path}", **body).json.get("error", {}).get("code") != "no-seat"
    assert panel.keeper_browser().post(f"/api/{path}", **body).json.get("error", {}).get("code") != "no-seat"


@pytest.mark.parametrize("path", BY_HAND)
def test_client_on_the_tables_own_machine_uses_the_board(panel: Panel, path: str) -> None:
    panel.start()

    assert panel.browser("127.0.0.1").post(f"/api/{path}", **BY_HAND[path]).status_code == 200


def test_stranger_starts_no_game_for_two_seated_players(panel: Panel) -> None:
    stranger = panel.browser()
    panel.sit_down()

    assert stranger.post("/api/start", map="launch-facility").json["error"]["code"] == "no-seat"
    for seat in ("sniper", "defenders"):
        assert stranger.post("/api/release", seat=seat, pin=PIN).status_code == 200
        assert stranger.claims(seat).status_code == 200
    assert stranger.post("/api/start", map="launch-facility").status_code == 200


def test_forged_key_opens_nothing(panel: Panel) -> None:
    panel.start()
    forger = panel.browser()
    for name in ("sniper", "defenders", "house"):
        forger.client.set_cookie(f"sniperboard-8000-{name}", "A" * 43)

    for path in ("/api/picture/sniper", "/api/picture/defenders", "/api/stream/sniper"):
        assert forger.get(path).json["error"]["code"] == "no-seat"
    assert forger.acts("sniper", type="end-turn").json["error"]["code"] == "no-seat"
    assert forger.post("/api/abandon").json["error"]["code"] == "no-seat"


def test_only_a_game_without_people_is_ended_by_anyone(panel: Panel) -> None:
    stranger = panel.browser()
    panel.start()
    assert stranger.post("/api/abandon").json["error"]["code"] == "no-seat"

    for seat in ("sniper", "defenders"):
        panel.loop.call(lambda table, seat=seat: table.seating.claims.release(seat))
    for seat in ("sniper", "defenders"):
        assert stranger.post("/api/bot", seat=seat, bot="random").status_code == 200
    assert stranger.post("/api/abandon").status_code == 200
    assert stranger.get("/api/lobby").json["stage"] == "lobby"


def test_defenders_share_a_seat_with_its_pin(panel: Panel) -> None:
    _, tablet = panel.start()
    phone = panel.browser("192.168.1.77")
    answer = phone.post("/api/take-over", seat="defenders", pin=PIN, device="Cy's phone", share=True)
    assert answer.status_code == 200

    for device in (tablet, phone):
        assert device.get("/api/picture/defenders").status_code == 200
    led = [device["squads"] for device in tablet.get("/api/lobby").json["seats"]["defenders"]["devices"]]
    assert led == [["yellow", "red", "black"]] * 2
    space = tablet.get("/api/picture/defenders").json["legal"][0]["space"]
    assert phone.acts("defenders", type="mark", space=space).status_code == 200
    panel.advance_clock()
    assert tablet.get("/api/picture/table").json["seats"]["defenders"]["acted"] == {"device": "Cy's phone"}


def test_only_defenders_screens_choose_on_the_board(panel: Panel) -> None:
    sniper, defenders = panel.start()
    asking = {
        "seat": "defenders",
        "id": "a screen",
        "revision": defenders.get("/api/picture/defenders").json["revision"],
    }

    for client in (sniper, panel.browser()):
        assert client.post("/api/offer", **asking, choices=["R12"]).json["error"]["code"] == "no-seat"
    assert defenders.post("/api/offer", **asking, choices=["R12"]).status_code == 200
    assert defenders.post("/api/offer", **{**asking, "seat": ""}, choices=["R12"]).status_code == 200
    assert defenders.post("/api/offer", **asking, choices=["R12", "nowhere"]).json["error"]["code"] == "not-understood"
    assert defenders.post("/api/offer", **{**asking, "id": ""}).json["error"]["code"] == "not-understood"
    assert defenders.post("/api/offer", **{**asking, "revision": 0}).json["error"]["code"] == "stale"


def test_device_with_several_seats_chooses_on_the_board_for_each(panel: Panel) -> None:
    tablet, seats = panel.browser(), ("player-1", "player-2")
    assert tablet.post("/api/choose", game="snipers-and-assassins", map="pathways-2").status_code == 200
    for seat in seats:
        assert tablet.post("/api/claim", seat=seat, pin=PIN, device=f"the tablet of {seat}").status_code == 200
    assert tablet.post("/api/start").status_code == 200
    acted = set[str]()
    while acted != {*seats}:
        pictures = {seat: tablet.get(f"/api/picture/{seat}").json for seat in seats}
        seat = next(seat for seat in seats if pictures[seat]["legal"])
        asking = {"seat": seat, "id": seat, "revision": pictures[seat]["revision"]}
        answer = tablet.post("/api/offer", **asking, choices=["A1"]).json
        acted.add(seat)
        assert answer == {"ok": True}, (seat, answer)
        assert tablet.acts(seat, type="end-turn").json == {"ok": True}


def test_squad_is_passed_to_another_device_during_a_game_visibly(panel: Panel) -> None:
    sniper, tablet = panel.start()
    phone = panel.browser("192.168.1.77")
    joining = {"seat": "defenders", "pin": PIN, "device": "Cy's phone", "share": True}
    assert phone.post("/api/take-over", **joining, squads=["red"]).status_code == 200

    def led(who: Browser) -> list[list[str]]:
        panel.advance_clock()
        return [device["squads"] for device in who.get("/api/picture/table").json["seats"]["defenders"]["devices"]]

    stream = tablet.get("/api/stream/defenders", buffered=False).iter_encoded()
    assert led(sniper) == [["yellow", "black"], ["red"]]
    assert phone.post("/api/lead", squad="black", number=1).json["error"]["code"] == "no-seat"
    assert sniper.post("/api/lead", squad="black", number=1).json["error"]["code"] == "no-seat"
    assert panel.browser().post("/api/lead", squad="black", number=1).json["error"]["code"] == "no-seat"
    assert tablet.post("/api/lead", squad="black", number=1).status_code == 200
    assert led(sniper) == [["yellow"], ["red", "black"]]
    assert phone.get("/api/lobby").json["mine"]["defenders"]["squads"] == ["red", "black"]
    assert b"gone" not in next(stream) + next(stream)


def test_secret_seat_is_played_on_two_devices_of_one_person(panel: Panel) -> None:
    phone, bo = panel.start()
    tablet = panel.browser("192.168.1.77")
    joining = {"seat": "sniper", "pin": PIN, "device": "Ada's tablet", "share": True}
    assert tablet.post("/api/take-over", **joining).status_code == 200

    first, second = (it.get("/api/picture/sniper").json for it in (phone, tablet))
    assert first == second
    names = [it["device"] for it in bo.get("/api/picture/table").json["seats"]["sniper"]["devices"]]
    assert names == ["Ada's phone", "Ada's tablet"], "everyone sees who can read the secrets"
    act = first["legal"][0]
    assert tablet.acts("sniper", **act).status_code == 200
    assert phone.get("/api/picture/sniper").json == tablet.get("/api/picture/sniper").json != first
    late = {"seat": "sniper", "action": act, "revision": first["revision"], "id": fresh_name()}
    assert phone.post("/api/act", **late).json["error"]["code"] == "stale"
    assert phone.acts("sniper", type="take-back").status_code == 200

    assert tablet.post("/api/lead", squad="red", number=0).json["error"]["code"] == "no-seat"
    assert phone.post("/api/hand-over", seat="sniper", bot="random").json["error"]["code"] == "seat-taken"
    assert tablet.post("/api/release", seat="sniper").status_code == 200
    assert tablet.get("/api/picture/sniper").status_code == 403
    assert phone.get("/api/picture/sniper").status_code == 200


def test_device_that_joins_a_secret_seat_for_a_moment_is_named_for_the_rest_of_the_game(panel: Panel) -> None:
    """Screens get the latest picture only, and a phone may be in a pocket: neither shows a device that left again."""
    phone, bo = panel.start()
    visitor = panel.browser("192.168.1.77")
    joining = {"seat": "sniper", "pin": PIN, "device": "Eve", "share": True}
    for _ in range(2):
        assert visitor.post("/api/take-over", **joining).status_code == 200
        assert visitor.get("/api/picture/sniper").status_code == 200
        assert visitor.post("/api/release", seat="sniper").status_code == 200
    for browser, viewer in ((phone, "sniper"), (bo, "table")):
        seats = browser.get(f"/api/picture/{viewer}").json["seats"]
        assert {seat: it["left"] for seat, it in seats.items()} == {"sniper": ["Eve (2)"], "defenders": []}
    assert phone.post("/api/abandon", seat="sniper").status_code == 200
    assert phone.post("/api/start").status_code == 200
    assert phone.get("/api/picture/sniper").json["seats"]["sniper"]["left"] == []


def test_device_that_takes_a_secret_seat_from_a_bot_for_a_moment_is_named(panel: Panel) -> None:
    """A player who comes back with the PIN finds the same bot at the seat."""
    phone, _ = panel.start()
    visitor = panel.browser("192.168.1.77")
    assert phone.post("/api/hand-over", seat="sniper", bot="prowler").status_code == 200
    taking = {"seat": "sniper", "pin": PIN}
    assert visitor.post("/api/take-over", device="Eve", **taking).status_code == 200
    assert visitor.get("/api/picture/sniper").status_code == 200
    assert visitor.post("/api/hand-over", seat="sniper", bot="prowler").status_code == 200
    assert phone.post("/api/take-over", device="Ada's phone", **taking).status_code == 200
    assert phone.get("/api/picture/sniper").json["seats"]["sniper"]["left"] == ["Ada's phone", "Eve"]


def test_device_that_has_a_secret_seat_for_a_moment_under_a_known_name_is_counted(panel: Panel) -> None:
    """Everyone knows the names of the player's own devices."""
    phone, bo = panel.start()
    visitor = panel.browser("192.168.1.77")
    taking = {"seat": "sniper", "pin": PIN, "device": "Ada's phone"}
    for player, left in ((phone, "Ada's phone"), (visitor, "Ada's phone (2)")):
        assert player.post("/api/hand-over", seat="sniper", bot="prowler").status_code == 200
        assert bo.get("/api/picture/table").json["seats"]["sniper"]["left"] == [left]
        assert visitor.post("/api/take-over", **taking).status_code == 200
    for _ in range(MOST_LEFT):
        assert visitor.post("/api/take-over", **taking, share=True).status_code == 200
        assert visitor.post("/api/release", seat="sniper").status_code == 200
    before = bo.get("/api/picture/table").json["seats"]["sniper"]["left"]
    assert visitor.post("/api/take-over", **{**taking, "device": "Eve"}, share=True).status_code == 200
    assert visitor.post("/api/release", seat="sniper").status_code == 200
    assert bo.get("/api/picture/table").json["seats"]["sniper"]["left"] != before


def test_device_that_joined_a_secret_seat_is_replaced_with_the_pin(panel: Panel) -> None:
    phone, _ = panel.start()
    tablet, laptop = panel.browser(), panel.browser()
    joining = {"seat": "sniper", "pin": PIN, "share": True}
    assert tablet.post("/api/take-over", device="Ada's tablet", **joining).status_code == 200
    replacing = {"seat": "sniper", "pin": PIN, "device": "Ada's laptop", "instead": 1}
    assert laptop.post("/api/take-over", **replacing).status_code == 200
    assert [it.get("/api/picture/sniper").status_code for it in (phone, tablet, laptop)] == [200, 403, 200]
    assert phone.get("/api/picture/sniper").json["seats"]["sniper"]["left"] == ["Ada's tablet"]


def test_device_that_takes_the_place_of_a_further_one_is_noticed_under_any_name(panel: Panel) -> None:
    """A tablet in a drawer shows no one that it has lost its place."""
    phone, bo = panel.start()
    tablet, visitor = panel.browser(), panel.browser("192.168.1.77")
    assert tablet.post("/api/take-over", seat="sniper", pin=PIN, device="Ada's tablet", share=True).status_code == 200

    def others(browser: Browser, viewer: str) -> tuple[list[int], list[str]]:
        seat = browser.get(f"/api/picture/{viewer}").json["seats"]["sniper"]
        return [it["number"] for it in seat["devices"]], seat["left"]

    assert others(phone, "sniper") == ([0, 1], [])
    taking = {"seat": "sniper", "pin": PIN, "device": "Ada's tablet", "instead": 1}
    assert visitor.post("/api/take-over", **taking).status_code == 200
    # Every screen reports a device with another number.
    assert others(phone, "sniper") == others(bo, "table") == ([0, 2], ["Ada's tablet"])


@pytest.mark.parametrize("seat", ["sniper", "defenders"])
def test_no_seat_is_joined_without_its_pin(panel: Panel, seat: str) -> None:
    panel.sit_down()
    thief = panel.browser()
    answer = thief.post("/api/take-over", seat=seat, pin="0000", device="x", share=True)
    assert answer.json["error"]["code"] == "wrong-pin"
    assert thief.get(f"/api/picture/{seat}").status_code == 403


def test_only_one_of_several_players_leaves_a_running_game(panel: Panel) -> None:
    _, bo = panel.start()
    celina = panel.browser()
    joined = {"seat": "defenders", "pin": PIN, "device": "Celina's phone", "squads": ["black"], "share": True}
    assert bo.post("/api/release", seat="defenders").json["error"]["code"] == "not-now"
    assert celina.post("/api/take-over", **joined).status_code == 200

    assert panel.browser().post("/api/release", seat="defenders", pin=PIN).json["error"]["code"] == "not-now"
    assert celina.post("/api/release", seat="defenders").status_code == 200

    assert celina.get("/api/picture/defenders").status_code == 403
    devices = bo.get("/api/picture/defenders").json["seats"]["defenders"]["devices"]
    assert [(it["device"], it["squads"]) for it in devices] == [("Bo's tablet", ["yellow", "red"])]
    assert bo.post("/api/lead", squad="black", number=devices[0]["number"]).status_code == 200
    assert bo.post("/api/release", seat="defenders").json["error"]["code"] == "not-now"
