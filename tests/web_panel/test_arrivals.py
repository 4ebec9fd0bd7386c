"""Which of the accepted sockets is next, and which one is closed."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from web_panel.connections import A_SECOND, AT_ONCE, Arrivals


@pytest.fixture
def new() -> Iterator[Callable[[], socket.socket]]:
    with ExitStack() as held:
        yield lambda: held.enter_context(socket.socket())


def test_the_addresses_take_turns(new: Callable[[], socket.socket]) -> None:
    arrivals = Arrivals()
    for address in "aaaab":
        arrivals.add(address, new(), 0)
    found = [arrivals.next(1.0) for _ in range(6)]
    assert [one and one[0] for one in found] == ["a", "b", "a", "a", "a", None]


def test_an_address_that_connects_in_a_loop_loses_its_own(new: Callable[[], socket.socket]) -> None:
    arrivals = Arrivals(most=4)
    phone = new()
    arrivals.add("phone", phone, 0)
    eve = [new() for _ in range(100)]
    for one in eve:
        arrivals.add("eve", one, 0)
    assert phone.fileno() >= 0
    assert [one.fileno() >= 0 for one in eve] == [False] * 97 + [True] * 3
    assert len(list(arrivals)) == 4


def test_the_server_begins_with_so_many_in_a_second(new: Callable[[], socket.socket]) -> None:
    arrivals = Arrivals(most=1000)
    assert arrivals.seconds_to_wait() is None
    for _ in range(600):
        arrivals.add("a", new(), 0)

    def begun(now: float) -> int:
        return len(list(iter(lambda: arrivals.next(now), None)))

    assert begun(10.0) == AT_ONCE
    assert arrivals.seconds_to_wait() == pytest.approx(1 / A_SECOND)
    assert begun(10.5) == pytest.approx(A_SECOND / 2, abs=1)
