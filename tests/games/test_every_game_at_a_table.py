"""What the house does for every game that lies in `games/`: time-outs, lost phones, bots in a seat, power cuts."""

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
"""Milliseconds; no bot waits so long between two acts."""


@pytest.fixture(params=names())
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SmallTable]:
    """A game that has begun, with a person on every seat, played on the screens alone."""
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
    """Random acts of whoever is to act; with `only` until another seat is."""
    random = Random(acts)
    for _ in range(acts):
        seat = to_act(table)
        if seat is None or only not in (None, seat):
            return
        table.act(seat, random.choice(table.sees(seat)["legal"]))


def to_act(table: SmallTable) -> str | None:
    """A seat that is to act; None once the game is over."""
    found = table.table.session.play
    assert found is not None
    return next(iter(found.referee.to_act), None)


def first_act(table: SmallTable) -> dict[str, Any]:
    """What whoever is to act may do."""
    return dict(table.sees(str(to_act(table)))["legal"][0])


def seen(table: SmallTable) -> dict[str, Any]:
    """What everybody sees of the game."""
    parts = ("view", "legal", "log", "foresight")
    return {viewer: [table.sees(viewer)[part] for part in parts] for viewer in (*table.keys, TABLE)}


def told(table: SmallTable, viewer: str = TABLE) -> int:
    """How many sentences a viewer has heard."""
    found = table.table.session.play
    assert found is not None
    return len(found.referee.told[viewer])


def test_in_a_time_out_nobody_acts_not_even_after_a_power_cut(table: SmallTable) -> None:
    seat, before = str(to_act(table)), seen(table)
    table.table.session.pause(True, "Ada's phone")
    table.wait(0)
    with pytest.raises(UserError) as caught:
        table.act(seat, first_act(table))
    assert caught.value.code == "paused"
    table.pull_the_plug()
    assert table.sees(TABLE)["paused"] == "Ada's phone"
    assert {viewer: parts[0] for viewer, parts in seen(table).items()} == {
        viewer: parts[0] for viewer, parts in before.items()
    }
    with pytest.raises(UserError, match="Ada's phone has paused the game"):
        table.act(seat, first_act(table))
    table.table.session.pause(False, "Ada's phone")
    table.wait(0)
    count = told(table, seat)
    table.act(seat, first_act(table))
    assert told(table, seat) > count or seen(table) != before


def test_who_lost_a_phone_goes_on_with_another_and_the_old_one_is_no_seat_any_more(table: SmallTable) -> None:
    seat, before = str(to_act(table)), seen(table)
    old = table.keys[seat]
    table.keys[seat] = take_over(table.table, seat, PIN, "another phone")
    table.wait(0)
    assert seen(table) == before
    with pytest.raises(UserError) as caught:
        table.table.submit(old, first_act(table), table.sees(seat)["revision"], "from-the-old-phone")
    assert caught.value.code == "no-seat"
    table.act(seat, first_act(table))
    assert seen(table) != before


def test_a_power_cut_leaves_everybody_with_what_they_saw(table: SmallTable) -> None:
    before = seen(table)
    table.pull_the_plug()
    assert seen(table) == before
    play(table, 5)


def test_a_seat_is_left_to_a_bot_which_waits_for_time_outs_and_is_taken_back_with_the_pin(table: SmallTable) -> None:
    seat = str(to_act(table))
    table.table.session.pause(True, "Ada's phone")
    table.table.seating.hand_over(table.keys[seat], bots.strongest(table.game, seat))  # type: ignore[arg-type]
    before = seen(table)[seat][0]
    table.wait(LONG)
    assert seen(table)[seat][0] == before, "a bot rests in a time-out, too"
    table.table.session.pause(False, "Ada's phone")
    table.wait(LONG)
    assert seen(table)[seat][0] != before, "the bot goes on"
    table.keys[seat] = take_over(table.table, seat, PIN, "Ada's tablet")
    table.wait(0)
    before = seen(table)[seat][0]
    table.wait(LONG)
    if to_act(table) == seat:
        assert seen(table)[seat][0] == before, "it is the person's turn, and nobody else takes it"
        play(table, 3, only=seat)
