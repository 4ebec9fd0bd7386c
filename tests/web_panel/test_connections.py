"""Who has a place among the connections, and who has to go; how many bytes are held for whom."""

from __future__ import annotations

import pytest

from web_panel.budget import Budget
from web_panel.connections import Connection, Connections, Limit, Stage


class Crowd:
    """Connections with small limits: two of this machine, three of seats, six of strangers with three each."""

    def __init__(self) -> None:
        self.all = Connections(Limit(2, 2), Limit(3, 2), Limit(6, 3))
        self.closed: list[str] = []

    def comes(self, name: str, address: str, here: bool = False) -> Connection | None:
        """A new connection, if it is taken in."""
        found = Connection(address, here, "http", lambda: self.closed.append(name))
        return found if self.all.add(found) else None

    def must(self, name: str, address: str, here: bool = False) -> Connection:
        found = self.comes(name, address, here)
        assert found is not None
        return found


def test_who_holds_most_and_is_idle_for_longest_goes_first() -> None:
    crowd = Crowd()
    for number, address in enumerate("abbbcc"):
        crowd.must(f"{address}{number}", address)
    crowd.must("d6", "d")
    assert crowd.closed == ["b1"]
    crowd.must("e7", "e")
    assert crowd.closed == ["b1", "b2"]
    assert len(crowd.all) == 6


def test_of_one_address_the_idlest_goes_though_there_is_room() -> None:
    crowd = Crowd()
    first, _, _ = (crowd.must(str(number), "a") for number in range(3))
    crowd.all.idle(first)
    crowd.must("3", "a")
    assert crowd.closed == ["1"], "the first has asked for something meanwhile"


@pytest.mark.parametrize("stage", [Stage.WORKING, Stage.ANSWERING, Stage.STREAMING])
def test_whoever_is_worked_for_stays_and_the_new_one_is_turned_away(stage: Stage) -> None:
    crowd = Crowd()
    for number in range(3):
        crowd.must(str(number), "a").stage = stage
    assert crowd.comes("3", "a") is None
    assert crowd.closed == []


def test_strangers_take_no_place_from_seats_or_from_this_machine() -> None:
    crowd = Crowd()
    seated = [crowd.must(f"seat {number}", f"s{number}") for number in range(3)]
    for one in seated:
        crowd.all.seat(one)
    crowd.must("here", "127.0.0.1", here=True)
    for number in range(40):
        crowd.must(f"stranger {number}", f"x{number}")
    assert [name for name in crowd.closed if not name.startswith("stranger")] == []
    assert len(crowd.all) == 10


def test_a_seat_cannot_take_all_places_of_seats() -> None:
    crowd = Crowd()
    for number in range(3):
        one = crowd.must(str(number), "a")
        one.stage = Stage.STREAMING
        crowd.all.seat(one)
    other = crowd.must("other", "b")
    crowd.all.seat(other)
    assert other.seated
    assert sum(one.seated for one in crowd.all) == 3, "the third of one address stays among the strangers"


def test_a_place_that_was_left_is_free() -> None:
    crowd = Crowd()
    for number in range(3):
        crowd.must(str(number), "a").stage = Stage.WORKING
    crowd.all.remove(next(iter(crowd.all)))
    crowd.must("3", "a")
    assert crowd.closed == []


def test_bytes_are_bounded_for_all_for_strangers_and_for_each() -> None:
    budget = Budget(total=100, reserved=30, each=50)
    assert budget.take("a", 50, trusted=False)
    assert not budget.take("a", 1, trusted=False)
    assert budget.take("b", 20, trusted=False)
    assert not budget.take("c", 1, trusted=False)
    assert budget.take("c", 30, trusted=True)
    assert not budget.take("d", 1, trusted=True)
    budget.give_back("a", 50)
    assert budget.held == 50
    assert budget.take("d", 20, trusted=False)
