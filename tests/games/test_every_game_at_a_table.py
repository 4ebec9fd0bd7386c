"""What a table does for every game in `games/`: time-outs, lost phones, bots in a seat, power cuts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.game import TABLE, Game
from firmware_host.core import bots
from firmware_host.core.errors import UserError
from games import find, names
from tests.firmware_host.evening import PIN, take_over
from tests.firmware_host.test_without_board import SmallTable

LONG = 4_000
"""Milliseconds. No bot waits as long between two acts."""


@pytest.fixture(params=names())
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SmallTable]:
    """Return a started game with a person on every seat, played on screens only."""
    game: Game = find(request.param)
    found = SmallTable(tmp_path, game)  # type: ignore[arg-type]
    table, claims = found.table, found.table.seating.claims
    found.keys = {seat.name: claims.claim(seat.name, PIN, f"{seat.name}'s phone", ()) for seat in table.session.seats}
    table.start({})
    table.board.use_sensors(False)
    found.wait(0)
    play(found, 5)
    yield found
    found.table.close()


def play(table: SmallTable, acts: int, only: str | None = None) -> None:
    """Play random acts. With `only`, stop when another seat is to act."""
    random = Random(acts)
    for _ in range(acts):
        seat = to_act(table)
        if seat is None or only not in (None, seat):
            return
        table.act(seat, random.choice(table.sees(seat)["legal"]))


def to_act(table: SmallTable) -> str | None:
    """Return a seat that is to act, or None once the game is over."""
    found = table.table.session.play
    assert found is not None
    return next(iter(found.referee.to_act), None)


def first_act(table: SmallTable) -> dict[str, Any]:
    """Return the first legal act of the seat to act."""
    return dict(table.sees(str(to_act(table)))["legal"][0])


def all_pictures(table: SmallTable) -> dict[str, Any]:
    """Return what every viewer sees of the game."""
    parts = ("view", "legal", "log", "foresight")
    return {viewer: [table.sees(viewer)[part] for part in parts] for viewer in (*table.keys, TABLE)}


def sentence_count(table: SmallTable, viewer: str = TABLE) -> int:
    """Return the number of sentences that a viewer got."""
    found = table.table.session.play
    assert found is not None
    return len(found.referee.told[viewer])


def test_time_out_stops_all_acts_even_after_a_power_cut(table: SmallTable) -> None:
    seat, before = str(to_act(table)), all_pictures(table)
    table.table.session.pause(True, "Ada's phone")
    table.wait(0)
    with pytest.raises(UserError) as caught:
        table.act(seat, first_act(table))
    assert caught.value.code == "paused"
    table.pull_the_plug()
    assert table.sees(TABLE)["paused"] == "Ada's phone"
    assert {viewer: parts[0] for viewer, parts in all_pictures(table).items()} == {
        viewer: parts[0] for viewer, parts in before.items()
    }
    with pytest.raises(UserError, match="Ada's phone has paused the game"):
        table.act(seat, first_act(table))
    table.table.session.pause(False, "Ada's phone")
    table.wait(0)
    count = sentence_count(table, seat)
    table.act(seat, first_act(table))
    assert sentence_count(table, seat) > count or all_pictures(table) != before


def test_seat_can_move_from_one_phone_to_another(table: SmallTable) -> None:
    seat, before = str(to_act(table)), all_pictures(table)
    old = table.keys[seat]
    table.keys[seat] = take_over(table.table, seat, PIN, "another phone")
    table.wait(0)
    assert all_pictures(table) == before
    with pytest.raises(UserError) as caught:
        table.table.submit(old, first_act(table), table.sees(seat)["revision"], "from-the-old-phone")
    assert caught.value.code == "no-seat"
    table.act(seat, first_act(table))
    assert all_pictures(table) != before


def test_viewers_see_the_same_after_a_power_cut(table: SmallTable) -> None:
    before = all_pictures(table)
    table.pull_the_plug()
    assert all_pictures(table) == before
    play(table, 5)


def test_bot_plays_a_seat_until_the_pin_takes_it_back(table: SmallTable) -> None:
    seat = str(to_act(table))
    table.table.session.pause(True, "Ada's phone")
    table.table.seating.hand_over(table.keys[seat], bots.strongest(table.game, seat))  # type: ignore[arg-type]
    before = all_pictures(table)[seat][0]
    table.wait(LONG)
    assert all_pictures(table)[seat][0] == before, "a bot rests in a time-out, too"
    table.table.session.pause(False, "Ada's phone")
    table.wait(LONG)
    assert all_pictures(table)[seat][0] != before, "the bot goes on"
    table.keys[seat] = take_over(table.table, seat, PIN, "Ada's tablet")
    table.wait(0)
    before = all_pictures(table)[seat][0]
    table.wait(LONG)
    if to_act(table) == seat:
        assert all_pictures(table)[seat][0] == before, "it is the person's turn, and no bot acts"
        play(table, 3, only=seat)
