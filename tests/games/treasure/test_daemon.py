"""A game in a folder of its own can be played at a real table. No other code knows it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.games.treasure.daemon import SEATS, TreasureTable, sniperboard
from tests.patience import until

PUBLIC = ("red", "blue", "table")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TreasureTable]:
    running = TreasureTable(tmp_path)
    yield running
    running.close()


def test_game_survives_a_power_cut_and_is_replayed_and_imported(table: TreasureTable, tmp_path: Path) -> None:
    table.begin(rounds=2)
    table.act("hider", "hide", space="b3")
    assert table.picture("hider")["view"]["treasure"] == "b3"
    if table.to_act() == "blue":
        table.act("blue", "end-turn")
    table.act("red", "roll")
    table.walk_by_hand("red", "b1")
    table.act("red", "dig")
    before = {viewer: table.picture(viewer)["view"] for viewer in (*SEATS, "table")}
    table.kill()
    table.open()
    assert {viewer: table.picture(viewer)["view"] for viewer in (*SEATS, "table")} == before
    for viewer in PUBLIC:
        shown = table.picture(viewer)
        assert shown["view"]["treasure"] is None
        assert "hidden" not in {line["type"] for line in shown["log"]}
    table.tidy()
    table.play_on()

    past = table.device.get("/api/games/1")
    assert past["state"] == "over"
    assert past["outcome"] == table.picture("table")["log"][-1]["sentence"]
    assert [seat["name"] for seat in past["seats"]] == list(SEATS)
    steps = [step["views"] for step in past["steps"]]
    assert all(set(views) == {*SEATS, "table", "referee"} for views in steps)
    assert {views[viewer]["treasure"] for views in steps[:-1] for viewer in PUBLIC} == {None}
    assert all(views["hider"]["treasure"] == views["referee"]["treasure"] for views in steps)
    assert steps[1]["hider"]["treasure"] == "b3"

    assert table.seats["red"].post("/api/abandon", seat="red")["ok"]
    file, other = tmp_path / "record.json", tmp_path / "other"
    state = ("--state", str(table.state))
    assert sniperboard("games", "export", "1", str(file), *state).returncode == 0
    assert json.loads(file.read_text())["game"] == "treasure"
    assert "every act follows the rules" in sniperboard("games", "verify", *state).stdout
    assert sniperboard("games", "import", str(file), "--state", str(other)).returncode == 0
    assert "The treasure is hidden" in sniperboard("games", "show", "1", "--state", str(other)).stdout


def test_lobby_offers_the_game_and_its_bots_play(table: TreasureTable) -> None:
    lobby = table.device.get("/api/lobby")
    assert (lobby["game"], lobby["title"]) == ("treasure", "Treasure")
    assert list(lobby["seats"]) == list(SEATS)
    assert [seat["secret"] for seat in lobby["seats"].values()] == [False, False, True]
    assert [board["slug"] for board in lobby["maps"]] == ["island"]
    assert [bot["name"] for bot in lobby["bots"]["red"]] == ["digger", "random"]
    assert [bot["name"] for bot in lobby["bots"]["hider"]] == ["random"]

    table.seats["hider"].claim("hider")
    taken = table.device.post("/api/claim", seat="hider", pin="1357", device="another")
    assert taken["error"]["code"] == "seat-taken"
    for seat in ("red", "blue"):
        assert table.device.post("/api/bot", seat=seat, bot="digger")["ok"]
    assert table.seats["hider"].post("/api/start", map="island", options={"rounds": 1})["ok"]
    table.act("hider", "hide", space="c2")
    until(lambda: table.to_act() is None)  # a single player on a simulated board moves no pieces
    assert [line for line in table.picture("table")["log"] if line["type"] == "dug"]
