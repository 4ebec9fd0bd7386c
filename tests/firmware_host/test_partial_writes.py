"""A disk that fails between two writes of one call: the table shows what it has stored, and nothing is half done."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from firmware_host.core.errors import UserError
from firmware_host.seats.identity import ANONYMOUS, Checked
from firmware_host.table.loop import Call
from firmware_host.table.table import Table
from tests.firmware_host.disks import Disk
from tests.firmware_host.evening import Evening
from tests.firmware_host.test_rematch import finish

VIEWERS = ("table", "sniper", "defenders")
SHOWN = ("stage", "view", "legal", "log", "paused", "finished")


def playing(evening: Evening) -> None:
    """Two people play on the screens, and have called a time-out."""
    evening.start()
    evening.enter()
    evening.table.board.use_sensors(False)
    evening.table.session.pause(True, "Ada")


def alone(evening: Evening) -> None:
    """One person plays against a bot."""
    evening.sniper_key = evening.table.play_alone("sniper", "Ada", {}, {}, ANONYMOUS)


def people(evening: Evening) -> Checked:
    return Checked((evening.sniper_key, evening.defenders_key))


CALLS: dict[str, tuple[Callable[[Evening], None], Callable[[Evening, Table], Any]]] = {
    "end the game": (playing, lambda evening, table: table.abandon()),
    "end a game of one person": (alone, lambda evening, table: table.abandon()),
    "free the seat of one person": (alone, lambda evening, table: table.free_left_seat()),
    "start": (Evening.claim_seats, lambda evening, table: table.start({}, people(evening))),
    "play now": (lambda evening: None, lambda evening, table: alone(evening)),
    "play again": (finish, lambda evening, table: table.play_again(False, people(evening))),
    "swap sides": (finish, lambda evening, table: table.offer_rematch(True, {}, people(evening))),
    "choose another game": (finish, lambda evening, table: table.choose({"game": "stalingrad"})),
}


def call(evening: Evening, action: Callable[[Evening, Table], Any], failing: int, *, lasting: bool = False) -> bool:
    """Make a call, in which this commit fails, and all after it if the fault is `lasting`. Return whether it was
    refused.
    """
    disk, commits = Disk(evening.table.journal), count(1)

    def fail(statement: str) -> None:
        if statement == "COMMIT" and ((number := next(commits)) == failing or (lasting and number > failing)):
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error

    disk.before = fail
    asked: Call = Call(lambda table: action(evening, table))
    asked.run(evening.table)
    disk.before = lambda statement: None
    refusal = asked.answer.exception()
    assert refusal is None or (isinstance(refusal, UserError) and refusal.code == "halted")
    return refusal is not None


def shown(evening: Evening) -> dict[str, Any]:
    """Return what everyone sees of the game, and whether the sensors are used."""
    evening.wait(0)
    seats = {seat.name for seat in evening.table.session.seats}
    pictures = {viewer: evening.sees(viewer) for viewer in VIEWERS if viewer in {"table", *seats}}
    found = {viewer: {name: picture[name] for name in SHOWN} for viewer, picture in pictures.items()}
    return {"game": evening.table.session.game.name, "sensors": evening.table.board.sensors_used, **found}


def prepared(folder: Path, prepare: Callable[[Evening], object]) -> Evening:
    folder.mkdir()
    evening = Evening(folder)
    prepare(evening)
    return evening


@pytest.mark.parametrize("name", CALLS)
def test_refused_call_leaves_what_restart_shows(tmp_path: Path, name: str) -> None:
    prepare, action = CALLS[name]
    for failing in count(1):
        evening = prepared(tmp_path / str(failing), prepare)
        evening.table.board.mark_used(math.inf)
        refused = call(evening, action, failing)
        before = shown(evening)
        evening.pull_the_plug()
        assert json.dumps(shown(evening)) == json.dumps(before), failing
        if not refused:
            assert failing > 1
            return


def test_game_whose_end_was_refused_loses_no_act(tmp_path: Path) -> None:
    for failing in (1, 2):
        folder = tmp_path / str(failing)
        folder.mkdir()
        evening = Evening(folder)
        evening.start()
        evening.enter()
        evening.table.board.use_sensors(False)
        if not call(evening, lambda _, table: table.abandon(), failing):
            assert not evening.table.session.running
            continue
        evening.sniper({"type": "end-turn"})
        evening.pull_the_plug()
        assert evening.table.journal.lost == []
        assert evening.view("table")["turn"] == "defenders"


STARTS = ("start", "play now", "play again", "swap sides", "choose another game")


def places(evening: Evening) -> tuple[str, list[tuple[str, str, str]]]:
    """Return the stage, and who sits where with which key."""
    claims = evening.table.seating.claims.all
    return evening.table.session.name, [(claim.seat, claim.device, claim.key) for claim in claims]


@pytest.mark.parametrize("name", STARTS)
def test_refused_start_on_full_disk_moves_no_one(tmp_path: Path, name: str) -> None:
    prepare, action = CALLS[name]
    for failing in count(1):
        evening = prepared(tmp_path / str(failing), prepare)
        before = places(evening)
        if not call(evening, action, failing, lasting=True):
            assert failing > 1
            assert places(evening) != before
            return
        assert places(evening) == before
        evening.pull_the_plug()
        assert places(evening) == before
