"""Wrong PINs make whoever tries them wait, longer and longer; nobody else, and not for ever."""

from __future__ import annotations

import pytest

from firmware_host.face import Slip
from firmware_host.seats.lockout import FORGET, TOGETHER, WAITS, Lockout, device

EVE, ADA = "192.168.1.66", "192.168.1.7"


class House:
    """A lockout on a clock that only the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.lockout = Lockout(lambda: self.now)

    def tries(self, who: str, door: str = "sniper") -> int:
        """A wrong PIN; how long to wait before the next is listened to, 0 if this one was."""
        try:
            self.lockout.attempt(door, who)
        except Slip as slip:
            assert slip.code == "locked"
            return slip.after
        return 0


@pytest.fixture
def house() -> House:
    return House()


def test_each_wrong_pin_slows_down_the_next_and_then_the_door_is_shut_for_minutes(house: House) -> None:
    waited = []
    for _ in range(len(WAITS) + 2):
        waited.append(wait := house.tries(EVE))
        house.now += wait
        if wait:
            assert house.tries(EVE) == 0
    assert waited[:3] == [0, 0, 0]
    assert waited[3:5] == [3, 6]
    assert waited[5] == 61
    assert waited[-3:] == [901, 901, 901]


def test_a_stranger_who_guesses_locks_out_nobody_else(house: House) -> None:
    while not house.tries(EVE):
        pass
    for _ in range(500):
        house.tries(EVE)
    assert house.tries(ADA) == 0


def test_many_addresses_do_not_make_many_guesses_and_still_lock_nobody_out(house: House) -> None:
    heard = sum(house.tries(f"10.0.{number // 200}.{number % 200}") == 0 for number in range(300) for _ in range(3))
    assert heard < 300 + TOGETHER
    assert house.tries(ADA) == 0
    assert house.tries(ADA) > FORGET - 60
    house.now += FORGET
    assert house.tries("10.0.0.1") == 0


def test_the_right_pin_is_no_guess(house: House) -> None:
    for _ in range(TOGETHER):
        assert house.tries(ADA) == 0
        house.lockout.opened("sniper", ADA)
    assert house.tries(EVE) == house.tries(EVE) == 0


def test_doors_are_apart_and_wrong_pins_are_forgotten(house: House) -> None:
    while not house.tries(EVE):
        pass
    assert house.tries(EVE, "house") == 0
    house.now += FORGET
    assert house.tries(EVE) == 0


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.168.1.7", "::ffff:192.168.1.7", True),
        ("fd00::1:1", "fd00::2:2", True),
        ("fd00::1", "fd00:0:0:1::1", False),
        ("fe80::1%wlan0", "fe80::2%wlan0", False),
        ("nonsense", "nonsense", True),
    ],
)
def test_a_device_with_a_network_full_of_addresses_is_one_device(one: str, other: str, same: bool) -> None:
    assert (device(one) == device(other)) == same
