"""Rate limits and stream quotas: requests become available again with time, and streams are reserved for players."""

from __future__ import annotations

from contextlib import suppress

import pytest

from firmware_host.api.interface import MACHINE, Lane, lane_for_address
from firmware_host.core.errors import UserError
from firmware_host.core.sizes import MOST_SEATS
from tests.depth import DEPTH
from web_panel.rate_limits import (
    A_SECOND,
    AT_ONCE,
    KEPT_FREE,
    MOST_MEMBERS,
    POST_COST,
    STREAMS_EACH,
    RequestRates,
    StreamPlaces,
)

EVE, ADA = lane_for_address("192.168.1.66", here=False), lane_for_address("192.168.1.7", here=False)
HERE = Lane(MACHINE)
SEATS = ("sniper", "defenders")


class Clock:
    now = 5.0

    def __call__(self) -> float:
        return self.now


def asks(rates: RequestRates, lane: Lane, cost: float = 1.0) -> int:
    """Return how many requests are accepted until one is refused."""
    for number in range(10_000):
        try:
            rates.take(lane, cost)
        except UserError as error:
            assert error.code == "too-often"
            return number
    raise AssertionError("every request is accepted")


def test_member_may_burst_and_then_keeps_its_rate() -> None:
    clock = Clock()
    rates = RequestRates(clock)
    assert asks(rates, EVE) == AT_ONCE
    clock.now += 0.5
    assert asks(rates, EVE) == A_SECOND / 2
    assert asks(rates, ADA, POST_COST) == AT_ONCE / POST_COST
    clock.now += 3600
    assert asks(rates, EVE) == AT_ONCE


def test_oldest_members_are_forgotten_first() -> None:
    rates = RequestRates(Clock())
    for number in range(3 * MOST_MEMBERS):
        rates.take(lane_for_address(str(number), here=False), 1.0)
    assert len(rates._left) == MOST_MEMBERS


def fill(places: StreamPlaces, lane: Lane) -> int:
    """Return how many more streams a lane can open."""
    for number in range(1000):
        try:
            places.take(lane, lambda: None)
        except UserError as error:
            assert error.code == "too-many-screens"
            return number
    raise AssertionError("the number of streams is unlimited")


def test_strangers_leave_streams_for_each_seat_and_the_machine() -> None:
    places = StreamPlaces(32, lambda: SEATS)
    taken = sum(fill(places, lane_for_address(str(number), here=False)) for number in range(60))
    assert taken >= 32 - 3 * KEPT_FREE
    for lane in (HERE, Lane("sniper", "0"), Lane("defenders", "0")):
        assert fill(places, lane) >= KEPT_FREE


def test_machine_leaves_streams_for_each_seat() -> None:
    places = StreamPlaces(32, lambda: SEATS)
    assert fill(places, HERE) == 32 - 3 * KEPT_FREE
    assert fill(places, Lane("sniper", "0")) == KEPT_FREE


def test_member_has_few_streams_and_closed_ones_are_free() -> None:
    places = StreamPlaces(50, lambda: SEATS)
    back = places.take(EVE, lambda: None)
    assert fill(places, EVE) == STREAMS_EACH - 1
    assert fill(places, ADA) == STREAMS_EACH
    back()
    back()
    assert fill(places, EVE) == 1


def test_each_address_gets_one_stream_before_any_gets_two() -> None:
    places, ended = StreamPlaces(8, lambda: ()), list[int]()
    few = 2  # of the eight, half are reserved for the machine and for strangers
    for number in range(8 - few):
        places.take(EVE, lambda number=number: ended.append(number))  # type: ignore[misc]
    others = [lane_for_address(str(number), here=False) for number in range(8 - few - 1)]
    for other in others:
        places.take(other, lambda: None)
    assert ended == [5, 4, 3, 2, 1], "the newest must close first"
    with pytest.raises(UserError, match="Too many screens"):
        places.take(lane_for_address("one more", here=False), lambda: None)
    assert fill(places, EVE) == fill(places, others[0]) == 0
    assert fill(places, HERE) == few


def test_lost_place_does_not_free_that_of_another() -> None:
    places = StreamPlaces(5, lambda: ())
    backs = [places.take(EVE, lambda number=number: None) for number in range(4)]  # type: ignore[misc]
    places.take(ADA, lambda: None)
    for back in backs:
        back()
    assert fill(places, ADA) == 3


@pytest.mark.parametrize("limit", [4, 8, 32, pytest.param(256, marks=pytest.mark.nightly)])
def test_each_seat_the_machine_and_a_stranger_follow_whatever_others_do(limit: int) -> None:
    most = min(MOST_SEATS, limit - 2)
    for number in range(1, most + 1) if limit < 32 or DEPTH > 1 else (1, 2, 3, most - 1, most):
        seats = [f"seat-{one}" for one in range(number)]
        lanes = [*(Lane(seat, "0") for seat in seats), HERE, EVE]
        for last in lanes:
            places = StreamPlaces(limit, lambda: seats)  # noqa: B023
            for other in lanes:
                if other.name != last.name:
                    for member in (other, Lane(other.name, "another")):
                        fill(places, member)
            assert fill(places, last) > 0, f"{last} with {number} seats"


@pytest.mark.parametrize("limit", [8, 16, 32, pytest.param(256, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("others", [1, STREAMS_EACH])
def test_each_seat_of_the_next_game_can_follow(limit: int, others: int) -> None:
    most = min(MOST_SEATS, limit - 2)
    for before, after in {(2, 3), (1, most), (most, most // 2), (1, 2), (2, 6), (6, 2)}:
        for crowd in (
            [lane_for_address(str(one), here=False) for one in range(limit)],
            [HERE],
            [Lane("seat-0", "former")],
        ):
            seats = [f"seat-{one}" for one in range(before)]
            places = StreamPlaces(limit, lambda: seats)  # noqa: B023
            for member in crowd:
                for _ in range(limit if member is HERE else others):
                    with suppress(UserError):
                        places.take(member, lambda: None)
            seats = [f"seat-{one}" for one in range(after)]
            for lane in (*(Lane(seat, "0") for seat in seats), HERE, EVE):
                if lane.name != crowd[0].name:  # the crowd has its own share
                    places.take(lane, lambda: None)


@pytest.mark.parametrize("limit", [1, 3])
def test_few_streams_are_not_reserved(limit: int) -> None:
    assert fill(StreamPlaces(limit, lambda: SEATS), EVE) == limit
