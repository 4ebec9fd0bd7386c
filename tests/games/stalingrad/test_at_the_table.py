"""A whole game at a table without its board.

Hands are visible to their owners only, and the record passes verification.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_host.core.errors import UserError
from firmware_host.records import imports
from firmware_host.records import past as past_games
from firmware_host.records.past import PastGames
from games.stalingrad import GAME
from tests.firmware_host.evening import PIN
from tests.firmware_host.test_without_board import SmallTable
from tests.games.stalingrad.table import SWITCHES
from tests.past_pages import told as told_of

SEATS = ("player-1", "player-2", "player-3")


def play(table: SmallTable, random: Random) -> None:
    """Play a random act of the seat to act."""
    (seat,) = table.sees("table")["view"]["to_act"]
    sorts: dict[str, list[dict[str, Any]]] = {}
    for action in table.sees(seat)["legal"]:
        sorts.setdefault(action["type"], []).append(action)
    table.act(seat, random.choice(sorts[random.choice([*sorts])]))


@pytest.mark.rule("ST-R-22")
def test_game_with_hidden_hands_survives_power_cuts(tmp_path: Path) -> None:
    table = SmallTable(tmp_path, GAME)  # type: ignore[arg-type]
    options = {"players": 3, "switches": dict.fromkeys(SWITCHES, False)}
    table.table.choose({"game": "stalingrad", "options": options})
    table.keys = {seat: table.table.seating.claims.claim(seat, PIN, f"{seat}'s phone", ()) for seat in SEATS}
    table.table.start({})
    table.wait(0)
    random, held = Random(4), 0
    for number in range(400):
        if table.sees("table")["stage"] == "over":
            break
        play(table, random)
        for viewer in (*SEATS, "table"):
            players = table.sees(viewer)["view"]["players"]
            held += sum(len(player["hand"] or ()) for player in players.values())
            assert all((player["hand"] is None) == (seat != viewer) for seat, player in players.items())
        if number == 20:
            before = {viewer: table.sees(viewer)["view"] for viewer in (*SEATS, "table")}
            table.pull_the_plug()
            assert {viewer: table.sees(viewer)["view"] for viewer in before} == before
    assert table.sees("table")["stage"] == "over"
    assert held > 50
    past = PastGames(table.table.journal.path, finished=lambda: table.table.snapshot.finished)
    told = told_of(past, 1)
    assert told["outcome"] == table.sees("table")["log"][-1]["sentence"]
    assert {*told["steps"][-1]["views"]} == {*SEATS, "table", "referee"}
    checked = imports.read_checked(past.record(1)[1])
    assert checked.game == "stalingrad", "every act follows the rules and every die the published seed"
    table.table.close()


@pytest.mark.rule("ST-R-26")
def test_best_solo_score_is_found_among_this_table_s_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = SmallTable(tmp_path, GAME)  # type: ignore[arg-type]
    past = PastGames(table.table.journal.path, finished=lambda: table.table.snapshot.finished)
    stars, before = [], []
    for seed in range(4):
        table.table.choose({"game": "stalingrad", "options": {"players": 1}})
        if seed == 0:
            table.keys = {"player-1": table.table.seating.claims.claim("player-1", PIN, "phone", ())}
        table.table.start({})
        table.wait(0)
        random, number = Random(seed), seed + 1
        assert past.score(number) == {"score": None, "best": None}
        while table.sees("table")["stage"] != "over":
            play(table, random)
        before.append(past.score(number))
        stars.append(table.sees("table")["view"]["players"]["player-1"]["stars"])
        bests = past.listed()["bests"]
        assert bests == [{"number": stars.index(max(stars)) + 1, "name": "Stalingrad", "score": max(stars)}]
    assert len({*stars}) > 1, "another seed gives another score"
    expected = [{"score": own, "best": max(stars[:number], default=None)} for number, own in enumerate(stars)]
    assert before == expected
    monkeypatch.setattr(past_games, "LIST_BUDGET", 1)
    lists = PastGames(table.table.journal.path, finished=lambda: table.table.snapshot.finished)
    assert [lists.listed()["bests"] for _ in stars] == [[], [], [], bests], "each request reads one more game"
    scores = PastGames(table.table.journal.path, finished=lambda: table.table.snapshot.finished)
    for _ in stars[1:]:
        with pytest.raises(UserError) as caught:
            scores.score(len(stars))
        assert caught.value.code == "busy"
    assert scores.score(len(stars)) == expected[-1]
    table.table.close()


def test_imported_score_is_not_the_best_of_this_table(tmp_path: Path) -> None:
    table = SmallTable(tmp_path / "there", GAME)  # type: ignore[arg-type]
    table.table.choose({"game": "stalingrad", "options": {"players": 1}})
    table.keys = {"player-1": table.table.seating.claims.claim("player-1", PIN, "phone", ())}
    table.table.start({})
    table.wait(0)
    random = Random(1)
    while table.sees("table")["stage"] != "over":
        play(table, random)
    there = PastGames(table.table.journal.path, finished=lambda: table.table.snapshot.finished)
    record = there.record(1)[1]
    table.table.close()

    here = SmallTable(tmp_path / "here", GAME)  # type: ignore[arg-type]
    past = PastGames(here.table.journal.path)
    number = imports.import_record(here.table.journal, imports.read_checked(record))
    assert past.score(number)["score"] is not None
    assert past.listed()["bests"] == []
    here.table.close()
