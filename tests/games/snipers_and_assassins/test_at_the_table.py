"""A whole game at a table, with power cuts and a disconnected phone, then shown as a past game and verified."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from firmware_host.records import imports
from firmware_host.records.past import PastGames
from games.snipers_and_assassins import GAME
from games.snipers_and_assassins.bots.racer import KIND as RACER
from tests.firmware_host.evening import PIN
from tests.firmware_host.test_without_board import SmallTable
from tests.past_pages import told as told_of

SEATS = ("player-1", "player-2", "player-3")
CHOSEN = {"game": "snipers-and-assassins", "map": "pathways-3", "options": {"players": 3, "healing": True}}


def acted(table: SmallTable, random: Random) -> str:
    """Play an act of the seat to act, preferring moves of the Assassin towards its Leader, so that the game ends."""
    (seat,) = table.sees("table")["view"]["to_act"]
    legal: list[dict[str, Any]] = table.sees(seat)["legal"]
    if random.random() < 0.2:
        kind = random.choice(sorted({action["type"] for action in legal}))
        table.act(seat, random.choice([action for action in legal if action["type"] == kind]))
        return seat
    play = table.table.session.play
    assert play is not None
    view = play.referee.pictures[seat]
    chosen = RACER.sit(GAME, seat, view).choose(view, play.referee.legal(seat), Chance(random))
    table.act(seat, legal[play.referee.legal(seat).index(chosen)])
    return seat


@pytest.mark.long
def test_game_survives_power_cuts_and_verifies_afterwards(tmp_path: Path) -> None:
    table = SmallTable(tmp_path, GAME)  # type: ignore[arg-type]
    table.table.choose(CHOSEN)
    table.keys = {seat: table.table.seating.claims.claim(seat, PIN, f"{seat}'s phone", ()) for seat in SEATS}
    table.table.board.use_sensors(False)
    table.table.start({})
    table.wait(0)
    random, number = Random(11), 0
    while table.sees("table")["stage"] != "over":
        number += 1
        assert number < 6000, "the game ends, at the latest after its last round"
        actor = acted(table, random)
        if number in (5, 60):
            before = {viewer: table.sees(viewer)["view"] for viewer in (*SEATS, "table")}
            table.pull_the_plug()
            assert {viewer: table.sees(viewer)["view"] for viewer in before} == before, (
                "a phone that reconnects gets the same picture"
            )
        if number % 50 == 0:
            told = [table.sees(viewer)["view"] for viewer in (*SEATS, "table")]
            assert told == [told[0]] * 4, "everything is public"
            waiting = [seat for seat in SEATS if seat not in table.sees("table")["view"]["to_act"]]
            assert all(table.sees(seat)["legal"] == [] for seat in waiting), actor
    past = PastGames(table.table.journal.path, finished=lambda: table.table.snapshot.finished)
    whole = told_of(past, 1)
    assert whole["outcome"] == table.sees("table")["log"][-1]["sentence"]
    assert {*whole["steps"][-1]["views"]} == {*SEATS, "table", "referee"}
    assert imports.read_checked(past.record(1)[1]).game == GAME.name
    table.table.close()
