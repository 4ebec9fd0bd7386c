"""No machine takes what all need: requests come back with time, and each seat's streams are kept for it."""

from __future__ import annotations

import pytest

from firmware_host.table.errors import UserError
from web_panel.crowd import A_SECOND, ACT, AT_ONCE, KEPT_FREE, MACHINES, STREAMS_EACH, Places, RequestRates

EVE, ADA = "192.168.1.66", "192.168.1.7"
SEATS = ("sniper", "defenders")


class Clock:
    now = 5.0

    def __call__(self) -> float:
        return self.now


def asks(pace: RequestRates, machine: str, cost: float = 1.0) -> int:
    """How many requests are heard until one is not."""
    for number in range(10_000):
        try:
            pace.take(machine, cost)
        except UserError as slip:
            assert slip.code == "too-often"
            return number
    raise AssertionError("it is heard without end")


def test_a_machine_may_hurry_for_a_while_and_then_only_at_its_pace() -> None:
    clock = Clock()
    pace = RequestRates(clock)
    assert asks(pace, EVE) == AT_ONCE
    clock.now += 0.5
    assert asks(pace, EVE) == A_SECOND / 2
    assert asks(pace, ADA, ACT) == AT_ONCE / ACT
    clock.now += 3600
    assert asks(pace, EVE) == AT_ONCE


def test_so_many_machines_at_once_are_forgotten_in_turn() -> None:
    pace = RequestRates(Clock())
    for number in range(3 * MACHINES):
        pace.take(str(number), 1.0)
    assert len(pace._left) == MACHINES


def fill(places: Places, viewer: str, machine: str | None) -> int:
    """How many streams there are for a viewer."""
    for number in range(1000):
        try:
            places.take(viewer, machine)
        except UserError as slip:
            assert slip.code == "too-many-screens"
            return number
    raise AssertionError("there are streams without end")


def test_whoever_looks_on_leaves_each_seat_its_streams() -> None:
    places = Places(32, lambda: SEATS)
    assert fill(places, "table", None) == 32 - 2 * KEPT_FREE
    assert fill(places, "defenders", None) == KEPT_FREE
    assert fill(places, "sniper", None) == KEPT_FREE


def test_one_machine_has_few_and_those_it_gives_back_are_free() -> None:
    places = Places(32, lambda: SEATS)
    back = places.take("table", EVE)
    assert fill(places, "table", EVE) == STREAMS_EACH - 1
    assert fill(places, "table", ADA) == STREAMS_EACH
    back()
    assert fill(places, "board", EVE) == 1


@pytest.mark.parametrize("limit", [1, 3])
def test_where_there_are_few_streams_none_is_kept(limit: int) -> None:
    assert fill(Places(limit, lambda: SEATS), "table", EVE) == limit
