"""Which connections are kept and which are closed, and how many bytes are buffered for each client."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
from tornado.iostream import IOStream

from firmware_host.api.interface import MACHINE, Lane, lane_for_address
from web_panel.connections import (
    ARRIVING,
    Budget,
    Connection,
    Connections,
    InParts,
    LaneTurns,
    Limit,
    Limits,
    Stage,
)

SNIPER, DEFENDERS = Lane("sniper", "0"), Lane("defenders", "0")


class Crowd:
    """Connections with small limits: two for this machine, three for seats, six for strangers with three each."""

    def __init__(self) -> None:
        self.all = Connections(Limit(2, 2), Limit(3, 2), Limit(6, 3))
        self.closed: list[str] = []

    def comes(self, name: str, address: str, here: bool = False) -> Connection | None:
        """Open a connection that has sent the head of a request, if there is room for it."""
        found = self.arrives(name, address, here)
        return found if self.all.move_to_lane(found, lane_for_address(address, here)) else None

    def arrives(self, name: str, address: str, here: bool = False) -> Connection:
        """Open a connection that has sent nothing."""
        found = Connection(address, here, "http", lambda: self.closed.append(name))
        assert self.all.add(found)
        return found

    def must(self, name: str, address: str, here: bool = False) -> Connection:
        found = self.comes(name, address, here)
        assert found is not None
        return found


def test_client_with_most_connections_loses_its_idlest_first() -> None:
    crowd = Crowd()
    for number, address in enumerate("abbbcc"):
        crowd.must(f"{address}{number}", address)
    crowd.must("d6", "d")
    assert crowd.closed == ["b1"]
    crowd.must("e7", "e")
    assert crowd.closed == ["b1", "b2"]
    assert len(crowd.all) == 6


def test_idlest_connection_of_an_address_closes_at_its_limit() -> None:
    crowd = Crowd()
    first, _, _ = (crowd.must(str(number), "a") for number in range(3))
    crowd.all.mark_idle(first)
    crowd.must("3", "a")
    assert crowd.closed == ["1"], "the first connection was used meanwhile"


@pytest.mark.parametrize("stage", [Stage.WORKING, Stage.ANSWERING, Stage.STREAMING])
def test_busy_connections_stay_and_new_one_is_refused(stage: Stage) -> None:
    crowd = Crowd()
    for number in range(3):
        crowd.must(str(number), "a").stage = stage
    assert crowd.comes("3", "a") is None
    assert crowd.closed == []


def test_seat_device_connects_while_strangers_fill_their_places() -> None:
    crowd = Crowd()
    for number in range(6):
        crowd.must(str(number), "ab"[number % 2]).stage = Stage.WORKING
    phone = crowd.arrives("phone", "p")
    assert crowd.all.move_to_lane(phone, SNIPER)
    assert crowd.closed == []


def test_silent_connections_make_room_for_new_ones() -> None:
    crowd = Crowd()
    phone = crowd.arrives("phone", "p")
    for number in range(3 * ARRIVING.total):
        crowd.arrives(str(number), "a" if number % 2 else "b")
    assert "phone" not in crowd.closed
    assert len(crowd.all) <= ARRIVING.total
    assert crowd.all.move_to_lane(phone, SNIPER)


def test_new_client_gets_a_place_of_the_client_with_most() -> None:
    crowd = Crowd()
    for number, address in enumerate("aaabbc"):
        crowd.must(f"{address}{number}", address).stage = Stage.WORKING
    crowd.must("d6", "d").stage = Stage.WORKING
    assert crowd.closed == ["a0"]
    assert crowd.comes("d7", "d") is None


def test_strangers_take_no_place_from_seats_or_own_machine() -> None:
    crowd = Crowd()
    seated = [crowd.must(f"seat {number}", f"s{number}") for number in range(3)]
    for one in seated[:2]:
        crowd.all.move_to_lane(one, SNIPER)
    crowd.all.move_to_lane(seated[2], DEFENDERS)
    crowd.must("here", "127.0.0.1", here=True)
    for number in range(40):
        crowd.must(f"stranger {number}", f"x{number}")
    assert [name for name in crowd.closed if not name.startswith("stranger")] == []
    assert len(crowd.all) == 10


def test_seat_cannot_take_all_places_of_seats() -> None:
    crowd = Crowd()
    for number in range(3):
        one = crowd.must(str(number), "a")
        one.stage = Stage.STREAMING
        crowd.all.move_to_lane(one, SNIPER)
    other = crowd.must("other", "b")
    crowd.all.move_to_lane(other, DEFENDERS)
    assert other.lane == DEFENDERS
    assert sum(one.lane == SNIPER for one in crowd.all) == 2, "the third still counts as a stranger"


def test_seats_behind_one_address_close_none_of_each_others_connections() -> None:
    """Otherwise one of them could count the connections of the other."""
    crowd = Crowd()
    for number in range(2):
        crowd.all.move_to_lane(crowd.must(f"sniper {number}", "a"), SNIPER)
    for number in range(5):
        crowd.all.move_to_lane(crowd.must(f"defenders {number}", "a"), DEFENDERS)
    assert [name for name in crowd.closed if not name.startswith("defenders")] == []


def test_device_without_key_counts_as_stranger_again() -> None:
    crowd = Crowd()
    one = crowd.must("1", "a")
    crowd.all.move_to_lane(one, SNIPER)
    crowd.all.move_to_lane(one, lane_for_address("a", here=False))
    for number in range(2):
        crowd.all.move_to_lane(crowd.must(str(number), "b"), SNIPER)
    assert crowd.closed == []


@pytest.mark.parametrize("stage", [Stage.IDLE, Stage.STREAMING])
def test_lost_key_keeps_no_place_by_stream_or_body(stage: Stage) -> None:
    crowd = Crowd()
    for number in range(2):
        one = crowd.must(f"former {number}", "a")
        crowd.all.move_to_lane(one, SNIPER)
        one.stage, one.current_lane = stage, lambda: lane_for_address("a", here=False)
    crowd.all.leave_lost_lanes()
    assert sorted(crowd.closed) == ["former 0", "former 1"]


def test_next_holder_of_a_seat_gets_a_place_at_once() -> None:
    crowd = Crowd()
    for number in range(2):
        former = crowd.must(f"former {number}", "a")
        crowd.all.move_to_lane(former, SNIPER)
        former.stage, former.current_lane = Stage.STREAMING, lambda: lane_for_address("a", here=False)
    assert crowd.all.move_to_lane(crowd.must("next", "b"), SNIPER)


def test_answer_is_sent_after_its_key_has_moved() -> None:
    crowd = Crowd()
    one = crowd.must("1", "a")
    crowd.all.move_to_lane(one, SNIPER)
    one.stage, one.current_lane = Stage.ANSWERING, lambda: DEFENDERS
    crowd.all.leave_lost_lanes()
    assert (crowd.closed, one.lane) == ([], DEFENDERS)


def test_closed_connection_frees_its_place() -> None:
    crowd = Crowd()
    for number in range(3):
        crowd.must(str(number), "a").stage = Stage.WORKING
    crowd.all.remove(next(iter(crowd.all)))
    crowd.must("3", "a")
    assert crowd.closed == []


def test_buffered_bytes_are_limited_for_strangers_and_seats() -> None:
    budget = Budget(Limits(strangers=Limit(70, 50), others=Limit(40, 30)))
    one, other, third = (lane_for_address(address, here=False) for address in "abc")
    assert budget.reserve(one, 50)
    assert not budget.reserve(one, 1)
    assert budget.reserve(other, 20)
    assert not budget.reserve(third, 1)
    assert budget.reserve(SNIPER, 30)
    assert not budget.reserve(SNIPER, 1)
    assert budget.reserve(Lane("sniper", "another phone"), 10)
    assert not budget.reserve(Lane("sniper", "a third phone"), 1)
    for lane in (DEFENDERS, Lane(MACHINE)):
        assert budget.reserve(lane, 30), "lanes must not share their buffers"
    budget.release(one, 50)
    assert budget._held.total() == 120
    assert budget.reserve(third, 50)


@pytest.mark.parametrize("many", [1, 2, 20])
def test_addresses_that_take_all_they_can_leave_bytes_to_the_next_one(many: int) -> None:
    budget = Budget(Limits(strangers=Limit(4000, 2000), others=Limit(1, 1)))
    taking = [lane_for_address(f"eve {number}", here=False) for number in range(many)]
    took = [True]
    while any(took):
        took = [budget.reserve(one, 16) for one in taking]
    for _ in range(4):
        assert budget.reserve(lane_for_address("Ada", here=False), 16)


def test_a_member_with_many_connections_takes_no_place_of_one_with_fewer() -> None:
    """Its only connection is idle while the body of its request arrives; those of the others are busy."""
    crowd = Crowd()
    for number in range(5):
        crowd.must(f"eve {number}", "ab"[number % 2]).stage = Stage.WORKING
    crowd.must("Ada", "c")
    assert crowd.comes("eve 6", "b") is None
    assert crowd.closed == []


def test_request_that_arrives_at_the_last_moment_keeps_its_connection() -> None:
    """It was carried out, and its answer, for example with the key of a seat, was lost."""

    async def arrive_late() -> bytes:
        ours, theirs = socket.socketpair()
        stream = IOStream(ours)
        parts = InParts(stream, Connection("a", False, "http", stream.close), LaneTurns(), 0.0)
        reading = asyncio.ensure_future(parts.read_until_regex(b"\r\n\r\n", 1000))
        await asyncio.sleep(0)
        # It is read in the next round of the loop, in which the time is over, too.
        theirs.send(b"GET / HTTP/1.1\r\n\r\n")
        head = await reading
        assert not stream.closed()
        stream.close()
        theirs.close()
        return head

    # In a thread of its own, because Playwright keeps a loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(lambda: asyncio.run(arrive_late())).result().startswith(b"GET")
