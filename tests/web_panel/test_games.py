"""Past games by HTTP: open once over, closed before, records as files, and who may do what."""

from __future__ import annotations

import itertools
import json
import re
import sqlite3
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_host.api import legend
from firmware_host.core import installed
from firmware_host.core.hang_note import FEATURES, PAGES, Purpose
from firmware_host.core.time_limit import WATCH
from firmware_host.table.interruption import ReplayStep
from tests.firmware_host.published import latest
from tests.patience import PATIENCE
from tests.web_panel.conftest import Browser, Panel
from tests.web_panel.endings import play_out, walk_to_the_end
from tests.web_panel.test_error_shape import refused
from web_panel.gateway import kind_of
from web_panel.workers import RequestKind

OF_GAME = re.compile('data-of-game="([^"]*)"')
PATHS = ("/games/1", "/api/games/1", "/api/games/1/record", "/api/games/1/analysis")


def all_answers(browser: Browser) -> list[Any]:
    """Return everything that a client gets about past games by guessing addresses, heads included."""
    paths = (*PATHS, "/games", "/api/games", "/api/games/older/9", "/games/2", "/api/games/2", "/api/games/2/record")
    answers = [browser.get(path) for path in paths]
    return [(answer.status_code, dict(answer.headers), answer.data) for answer in answers]


def test_game_opens_only_when_it_is_over(panel: Panel) -> None:
    panel.company.sit_down()
    panel.company.start(random_setup=True)
    closed = [panel.browser().get(path) for path in PATHS]
    walk_to_the_end(panel.company)
    opened = [panel.browser().get(path) for path in PATHS]

    assert [answer.status_code for answer in closed] == [409] * len(PATHS)
    assert [answer.status_code for answer in opened] == [200] * len(PATHS)
    assert all(b"still running" in answer.data for answer in closed)


def test_workers_of_long_work_know_all_its_addresses(panel: Panel) -> None:
    all_rules = [*panel.app.url_map.iter_rules()]
    rules = [rule for rule in all_rules if rule.endpoint.startswith("games.")]
    assert len(rules) > 10
    rules += [rule for rule in all_rules if rule.endpoint.startswith(("learn.", "puzzles.")) and "/api/" in rule.rule]
    assert len(rules) > 15
    asks = itertools.product(("GET", "POST"), (re.sub("<[^>]*>", "7", rule.rule) for rule in rules))
    for method, path in asks:
        imports = (method, path) == ("POST", "/api/games")
        kind = RequestKind.IMPORT if imports else RequestKind.LONG
        assert kind_of({"REQUEST_METHOD": method, "PATH_INFO": path}) is kind, path
    for path in ("/games", "/games/stalingrad/static/table.js", "/api/gamesters", "/api/lobby", "/"):
        assert kind_of({"REQUEST_METHOD": "GET", "PATH_INFO": path}) is RequestKind.READ, "pages load these"


def test_no_other_worker_waits_for_past_games(panel: Panel) -> None:
    """Someone who asks for a long game again and again could otherwise hold up every page."""
    stranger, seats = panel.browser(), [seat.name for seat in panel.loop.call(lambda table: table.session.seats)]
    rules = [rule.rule for rule in panel.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    paths = [re.sub("<[^>]*>", seats[0], rule) for rule in rules if "/stream/" not in rule]
    reads = [path for path in paths if kind_of({"REQUEST_METHOD": "GET", "PATH_INFO": path}) is not RequestKind.LONG]
    assert len(reads) > 30
    with panel.interface.past.turns.next():
        busy = [path for path in reads if stranger.get(path).status_code == 503]
    assert busy == []
    assert kind_of({"REQUEST_METHOD": "GET", "PATH_INFO": "/api/career"}) is RequestKind.LONG


def test_pages_do_without_what_has_hung(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hang in such a call is never repeated, because no page needs its answer."""
    company, seen = panel.company, set[Purpose]()
    company.sit_down()
    company.start(random_setup=True)
    paths = ["/maps/pathways-4.svg", "/games/1", "/games/1/static/table.js"]
    paths += [
        rule.rule for rule in panel.app.url_map.iter_rules() if not rule.arguments and "/stream/" not in rule.rule
    ]
    run = WATCH.run

    def noted(name: str, *args: Any) -> Any:
        seen.add(Purpose(name, getattr(WATCH._mine, "feature", PAGES)))
        return run(name, *args)

    def statuses() -> dict[str, int]:
        monkeypatch.setattr(legend, "_drawings", {})
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: {path: panel.browser().get(path).status_code for path in paths}).result()

    monkeypatch.setattr(WATCH, "run", noted)
    before = statuses()
    assert Purpose("snipers-and-assassins", PAGES) in seen
    assert before["/maps/pathways-4.svg"] == 200
    hung = itertools.product(installed.names(), FEATURES)
    monkeypatch.setattr(WATCH, "left_out", frozenset(itertools.starmap(Purpose, hung)))
    assert statuses() == before


def test_pages_are_answered_while_a_past_game_is_read(panel: Panel) -> None:
    """All come from one address. They share their other workers, so each page would wait until the end of the game."""
    reads, may_end = threading.Event(), threading.Event()

    def held() -> str:
        reads.set()
        assert may_end.wait(60)
        return "read"

    panel.app.add_url_rule("/api/games/held", view_func=held)
    with panel.served() as address, ThreadPoolExecutor(1) as reader:
        reading = reader.submit(get, f"{address}api/games/held")
        try:
            assert reads.wait(60)
            assert [get(address + path)[0] for path in ("", "api/lobby", "table")] == [200] * 3
        finally:
            may_end.set()
        assert reading.result() == (200, b"read")


def get(address: str) -> tuple[int, bytes]:
    """Return status and body of an address."""
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        return answer.status, answer.read()


def test_secret_act_changes_nothing_in_past_game_answers(panel: Panel) -> None:
    company = panel.company
    play_out(company)
    company.start(random_setup=True)
    while company.picture("sniper")["view"]["pending"]:
        company.act("sniper", company.legal("sniper", "return-objective", "choose-loadout")[0])
    before = all_answers(panel.browser())
    company.act("sniper", company.legal("sniper", "choose-entry")[0])
    company.act("sniper", next(act for act in company.legal("sniper", "move") if len(act["path"]) == 1))

    assert all_answers(panel.browser()) == before


def test_abandoned_game_keeps_its_secrets(panel: Panel) -> None:
    company = panel.company
    company.sit_down()
    company.start(random_setup=True)
    panel.interface.abandon(company.requester)
    stranger = panel.browser()

    refused(stranger.get("/api/games/1"), "not-over")
    refused(stranger.get("/api/games/1/record"), "not-over")
    assert "put away before its end" in stranger.get("/games/1").text
    assert stranger.get("/api/games").json["games"][0]["state"] == "put-away"


def test_game_is_analysed_only_when_it_is_over(panel: Panel) -> None:
    company, player = panel.company, panel.browser()
    company.sit_down()
    company.start(random_setup=True)
    player.client.set_cookie("sniperboard-8000-sniper", company.keys["sniper"])
    for do in ("start", "stop"):
        refused(player.post("/api/games/1/analyse", do=do), "not-over")
    assert not (panel.folder / "analysis").exists()
    walk_to_the_end(company)
    assert player.get("/api/games/1/analysis").json["state"] == "none"
    refused(player.post("/api/games/1/analyse", do="again"), "not-understood")
    refused(player.post("/api/games/2/analyse", do="start"), "not-found")
    assert player.post("/api/games/1/analyse", do="start").json == {"ok": True}
    try:
        assert player.get("/api/games/1/analysis").json["state"] == "running"
    finally:
        assert player.post("/api/games/1/analyse", do="stop").json == {"ok": True}
    told = player.get("/api/games/1/analysis").json
    assert told["state"] in ("none", "stopped")
    assert {side["side"] for side in told["sides"]} == {"sniper", "defenders"}


def test_deleted_game_has_no_analysis_and_no_number_of_its_own(panel: Panel) -> None:
    play_out(panel.company)
    panel.interface.abandon(panel.company.requester)
    admin, file = panel.keeper_browser(), panel.folder / "analysis" / "1.jsonl"
    bytes_of = lambda: admin.get("/api/house/games").json["games"][0]["bytes"]  # noqa: E731
    before = bytes_of()
    file.parent.mkdir(mode=0o700)
    file.write_bytes(b"x" * 1000)
    assert bytes_of() == before + 1000
    assert admin.get("/api/games/1/analysis").json["state"] == "none", "it is no file of this game"
    assert admin.post("/api/house/games/delete", game=1).json == {"ok": True}
    assert not file.exists()
    refused(admin.get("/api/games/1/analysis"), "not-found")


def test_damaged_game_has_no_analysis(tmp_path: Path) -> None:
    panel = Panel(tmp_path)
    play_out(panel.company)
    panel.interface.abandon(panel.company.requester)
    panel.stop()
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as db, db:
        db.execute("UPDATE games SET map = '', started = 1e300 WHERE id = 1")
    panel = Panel(tmp_path)
    try:
        assert "damaged" in refused(panel.browser().get("/api/games/1/analysis"), "not-over")["sentence"]
    finally:
        panel.stop()


def test_strangers_neither_start_nor_stop_analyses_of_people_at_the_table(panel: Panel) -> None:
    play_out(panel.company)
    stranger, player = panel.browser(), panel.browser()
    player.client.set_cookie("sniperboard-8000-sniper", panel.company.keys["sniper"])
    refused(stranger.post("/api/games/1/analyse", do="start"), "no-seat")
    assert player.post("/api/games/1/analyse", do="start").json == {"ok": True}
    try:
        refused(stranger.post("/api/games/1/analyse", do="stop"), "no-seat")
        assert stranger.get("/api/games/1/analysis").json["state"] == "running"
    finally:
        assert player.post("/api/games/1/analyse", do="stop").json == {"ok": True}


def test_invalid_number_leads_to_no_game(panel: Panel) -> None:
    play_out(panel.company)

    for number in ("2", "0", "-1", "x", "1e3", "9" * 40, "%00", "１"):
        for path in (f"/api/games/{number}", f"/api/games/{number}/record", f"/api/games/{number}/analysis"):
            refused(panel.browser().get(path), "not-found")
        assert panel.browser().get(f"/games/{number}").status_code == 404


def test_record_is_a_file_that_another_table_imports(panel: Panel, tmp_path: Path) -> None:
    play_out(panel.company)
    file = panel.browser().get("/api/games/1/record")
    (tmp_path / "other").mkdir()
    other = Panel(tmp_path / "other")
    try:
        answer = sends(other.browser(), file.data)
        assert answer.json == {"ok": True, "number": 1}
        assert other.browser().get("/api/games/1").json["imported"] is True
        assert "here already" in refused(sends(other.browser(), file.data), "not-now")["sentence"]
    finally:
        other.stop()

    assert file.headers["Content-Disposition"].startswith('attachment; filename="sniperboard-launch-facility-')
    assert file.mimetype == "application/json"


def sends(browser: Browser, data: bytes, kind: str = "application/json") -> Any:
    return browser.client.post("/api/games", data=data, content_type=kind)


def test_invalid_record_is_refused_with_a_sentence(panel: Panel) -> None:
    play_out(panel.company)
    sniper = panel.browser()
    sniper.client.set_cookie("sniperboard-8000-sniper", panel.company.keys["sniper"])
    data = panel.browser().get("/api/games/1/record").data

    for spoiled in (b"", b"{}", b'"x"', data[:-3], data.replace(b"launch-facility", b"lunch-facility!", 1)):
        refused(sends(sniper, spoiled), "bad-record")
    refused(sends(sniper, b" " * (1 << 20) + b" "), "too-large")
    refused(sends(sniper, data, "text/plain"), "not-json")
    refused(sends(sniper, data), "not-now")
    assert [game["number"] for game in sniper.get("/api/games").json["games"]] == [1]


def test_strangers_put_nothing_on_a_table_with_players(panel: Panel) -> None:
    play_out(panel.company)
    stranger = panel.browser()
    data = stranger.get("/api/games/1/record").data

    refused(sends(stranger, data), "no-seat")
    refused(stranger.post("/api/replay", game=1, step=0), "no-seat")
    refused(stranger.post("/api/pause", paused=True), "no-seat")


def test_replay_of_another_game_leaves_the_seats_theirs(panel: Panel) -> None:
    """Their pages were made for the game on the table, and can show no other one."""
    sniper, _ = panel.start()
    panel.loop.call(lambda table: table.abandon())
    past = installed.find("stalingrad")
    panel.loop.call(
        lambda table: table.session.replay(ReplayStep(past, "", "", past.title, (), {"game": 9, "step": 1}))
    )
    panel.advance_clock()

    shown = {path: OF_GAME.search(sniper.get(f"/{path}").text) for path in ("", "sniper", "table", "board", "legend")}
    games = {path: found and found[1] for path, found in shown.items()}
    assert games == dict.fromkeys(games, "stalingrad") | {"": "sniper-elite", "sniper": "sniper-elite"}
    pictures = {viewer: sniper.get(f"/api/picture/{viewer}").json for viewer in ("sniper", "table", "board")}
    assert {viewer: picture["game"] for viewer, picture in pictures.items()} == {
        "sniper": "sniper-elite",
        "table": "stalingrad",
        "board": "stalingrad",
    }
    assert (pictures["sniper"]["map"], pictures["table"]["map"]) == ("launch-facility", "")
    assert sniper.get("/api/lobby").json["game"] == "sniper-elite"


def test_step_is_shown_on_board_and_table_view(panel: Panel) -> None:
    play_out(panel.company)
    panel.interface.replay(1, 3, panel.company.requester)
    panel.advance_clock()
    replay = json.loads(panel.interface.picture("table", str))["replay"]

    assert (replay["game"], replay["step"]) == (1, 3)
    people = {seat: facts["devices"] for seat, facts in replay["seats"].items()}
    assert people == {"sniper": [{"device": "Ada's phone"}], "defenders": [{"device": "Bo's tablet"}]}
    assert "specialists" in replay["words"]
    assert replay["truth"] == panel.browser().get("/api/games/1").json["steps"][3]["views"]["referee"]
    assert "replay" not in json.loads(latest(panel.loop.followers, "sniper")[1])
    sniper = panel.browser()
    sniper.client.set_cookie("sniperboard-8000-sniper", panel.company.keys["sniper"])
    refused(sniper.post("/api/replay", game=1, step=9999), "not-understood")
    refused(sniper.post("/api/replay", game=1, step=-1), "not-understood")
    refused(sniper.post("/api/replay", game=7), "not-found")
    assert sniper.post("/api/replay").json == {"ok": True}


def test_seat_calls_a_time_out_and_another_ends_it(panel: Panel) -> None:
    sniper, defenders = panel.start()

    assert sniper.post("/api/pause", paused=True).json == {"ok": True}
    assert defenders.get("/api/lobby").json["paused"] == "Ada's phone"
    refused(sniper.acts("sniper", type="end-turn"), "paused")
    assert defenders.post("/api/pause", paused=False).json == {"ok": True}
    assert defenders.get("/api/lobby").json["paused"] is None


def test_steps_come_in_pages_that_make_up_the_whole(panel: Panel) -> None:
    play_out(panel.company)
    stranger = panel.browser()
    whole = stranger.get("/api/games/1").json
    steps: list[Any] = []
    first = 0
    while first is not None:
        page = stranger.get(f"/api/games/1/steps/{first}")
        assert page.mimetype == "application/json"
        steps += page.json["steps"]
        first = page.json["next"]
    assert steps == whole["steps"]
    assert page.json["count"] == len(steps)
    refused(stranger.get(f"/api/games/1/steps/{len(steps)}"), "not-found")


def test_page_is_in_the_language_of_the_device(panel: Panel) -> None:
    play_out(panel.company)
    english, polish = (
        panel.browser().client.get("/api/games/1/steps/0", headers={"Accept-Language": code}).json
        for code in ("en", "pl")
    )
    assert english["outcome"] != polish["outcome"]
    assert [len(step["told"]) for step in english["steps"]] == [len(step["told"]) for step in polish["steps"]]
    assert polish["name"] == panel.browser().client.get("/api/games/1", headers={"Accept-Language": "pl"}).json["name"]


def test_only_the_admin_deletes_a_game(panel: Panel) -> None:
    company = panel.company
    play_out(company)
    play_out(company)
    keeper, stranger = panel.keeper_browser(), panel.browser()
    refused(stranger.get("/api/house/games"), "no-house")
    refused(stranger.post("/api/house/games/delete", game=1), "no-house")
    listed = keeper.get("/api/house/games").json
    on_table, over = listed["games"]
    assert (on_table["number"], on_table["bytes"]) == (2, None)
    assert over["bytes"] > 5_000
    assert (listed["imported"]["games"], listed["imported"]["bytes"]) == (0, 0)
    refused(keeper.post("/api/house/games/delete", game=2), "not-now")
    refused(keeper.post("/api/house/games/delete", game=7), "not-found")
    stranger.get("/api/games/1/steps/0")
    assert keeper.post("/api/house/games/delete", game=1).json == {"ok": True}
    for path in ("/api/games/1", "/api/games/1/steps/0", "/api/games/1/record", "/api/games/1/ending"):
        refused(stranger.get(path), "not-found")
    assert [game["number"] for game in stranger.get("/api/games").json["games"]] == [2]
    assert {player["history"]["played"] for player in stranger.get("/api/games/2/ending").json["players"]} == {1}


def test_game_is_deleted_while_another_runs_without_affecting_it(panel: Panel) -> None:
    company = panel.company
    play_out(company)
    company.start(random_setup=True)
    keeper = panel.keeper_browser()
    running = keeper.get("/api/house/games").json["games"][0]
    assert {*running} == {"number", "game", "title", "map", "name", "started", "state", "bytes"}
    assert running["bytes"] is None
    assert keeper.post("/api/house/games/delete", game=1).json == {"ok": True}
    assert company.picture("sniper")["stage"] == "playing"


def test_deleted_game_leaves_the_board(panel: Panel) -> None:
    play_out(panel.company)
    play_out(panel.company)
    panel.interface.replay(1, 3, panel.company.requester)
    panel.advance_clock()
    assert json.loads(panel.interface.picture("table", str))["replay"]["game"] == 1
    assert panel.keeper_browser().post("/api/house/games/delete", game=1).json == {"ok": True}
    panel.advance_clock()
    assert json.loads(panel.interface.picture("table", str))["replay"] is None
