"""The house PIN: told once, kept as a hash, and whoever shows it holds a key for half a day."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from firmware_host.face import Asker, Slip
from firmware_host.house import pin as pins
from firmware_host.house.keeper import GUESTS, HOURS, Keeper
from firmware_host.seats.lockout import Lockout

ADA, EVE = Asker(address="192.168.1.7"), Asker(address="192.168.1.66")


class House:
    """A keeper on a clock that only the test moves."""

    def __init__(self, state: Path) -> None:
        self.now = 1000.0
        self.state = state
        self.keeper = Keeper(state, self.clock, Lockout(self.clock))

    def clock(self) -> float:
        return self.now


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def test_a_pin_is_made_up_once_and_only_its_hash_is_kept_for_the_owner_alone(house: House) -> None:
    told = house.keeper.begin()
    assert told is not None and len(told) == pins.SHORTEST and told.isdigit()
    assert house.keeper.begin() is None
    kept = house.state / pins.FILE
    assert told.encode() not in kept.read_bytes()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert house.keeper.holds(house.keeper.enter(told, ADA))


def test_a_wrong_pin_opens_nothing_and_makes_its_device_wait_but_not_the_owner(house: House) -> None:
    pin = house.keeper.begin()
    assert pin is not None
    codes = [refusal(house, "000000" if pin != "000000" else "111111") for _ in range(5)]
    assert codes == ["wrong-pin"] * 3 + ["locked"] * 2
    assert house.keeper.holds(house.keeper.enter(pin, ADA))


def refusal(house: House, pin: str) -> str:
    try:
        house.keeper.enter(pin, EVE)
    except Slip as slip:
        return slip.code
    return "open"


def test_no_key_opens_for_ever_and_few_devices_hold_one_at_once(house: House) -> None:
    pin = house.keeper.begin() or ""
    keys = [house.keeper.enter(pin, ADA) for _ in range(GUESTS + 1)]
    assert [house.keeper.holds(key) for key in keys] == [False] + [True] * GUESTS
    house.now += HOURS * 3600
    assert not house.keeper.holds(keys[-1])
    assert not house.keeper.holds("")


def test_whoever_leaves_has_to_show_the_pin_again(house: House) -> None:
    key = house.keeper.enter(house.keeper.begin() or "", ADA)
    house.keeper.leave(Asker(house=key))
    assert not house.keeper.holds(key)
    with pytest.raises(Slip, match="wants the house PIN"):
        house.keeper.need(Asker(house=key))


def test_another_pin_wants_the_old_one_and_puts_everybody_else_out(house: House) -> None:
    pin = house.keeper.begin() or ""
    mine, other = (house.keeper.enter(pin, ADA) for _ in range(2))
    me = Asker(house=mine, address=ADA.address)
    for old, new, why in ((pin, "12345", "6 to 64 characters"), ("nonsense", "a new one", "not the PIN")):
        with pytest.raises(Slip, match=why):
            house.keeper.change(old, new, me)
    fresh = house.keeper.change(pin, "a new one", me)
    assert [house.keeper.holds(key) for key in (mine, other, fresh)] == [False, False, True]


def test_a_pin_from_the_command_line_counts_at_once_and_ends_all_keys(house: House) -> None:
    key = house.keeper.enter(house.keeper.begin() or "", ADA)
    pins.write(house.state, "from the shell")
    assert not house.keeper.holds(key)
    assert house.keeper.holds(house.keeper.enter("from the shell", ADA))


@pytest.mark.parametrize("text", [b"", b"{}", b"[1]", b"\xff", b'{"salt": "zz", "pin": "0"}', b"x" * 10_000])
def test_a_file_that_is_none_opens_for_nobody_and_says_what_to_do(house: House, text: bytes) -> None:
    (house.state / pins.FILE).write_bytes(text)
    with pytest.raises(Slip, match="sniperboard house pin"):
        house.keeper.enter("", ADA)
