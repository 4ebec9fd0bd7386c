"""The house PIN: told once, kept as a hash, and whoever shows it holds a key for half a day."""

from __future__ import annotations

import hashlib
import json
import stat
from pathlib import Path
from typing import Any

import pytest

from firmware_host.admin import pin as pins
from firmware_host.admin.keeper import GUESTS, HOURS, Keeper
from firmware_host.seats.lockout import FREE, WAITS
from firmware_host.table.interface import Asker, UserError

WRONG = "no such pin"
ADA, EVE = Asker(address="192.168.1.7"), Asker(address="192.168.1.66")


class House:
    """A keeper on a clock that only the test moves."""

    def __init__(self, state: Path) -> None:
        self.now = 1000.0
        self.state = state
        self.keeper = Keeper(state, self.clock)

    def restart(self) -> None:
        """On a machine whose clock begins anew."""
        self.now = 3.0
        self.keeper = Keeper(self.state, self.clock)

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


def test_wrong_pins_open_nothing_and_make_everybody_wait_whatever_the_address(house: House) -> None:
    pin = house.keeper.begin() or ""
    askers = [Asker(address=f"10.0.0.{number}") for number in range(3 * FREE)]
    assert [refusal(house, WRONG, asker) for asker in askers] == ["wrong-pin"] * FREE + ["locked"] * 2 * FREE
    assert house.keeper.wrong_pins == FREE
    assert refusal(house, pin, ADA) == "locked"
    house.now += WAITS[0]
    assert house.keeper.holds(house.keeper.enter(pin, ADA))


def test_a_device_that_has_held_a_key_waits_for_no_stranger_whether_the_key_still_opens_or_not(house: House) -> None:
    pin = house.keeper.begin() or ""
    held, left = (Asker(house=house.keeper.enter(pin, ADA)) for _ in range(2))
    house.keeper.leave(left)
    use_up(house)
    for again in range(2):
        for asker in (held, left):
            assert refusal(house, WRONG, asker) == "wrong-pin"
            assert house.keeper.holds(house.keeper.enter(pin, asker))
        assert refusal(house, pin, Asker(house="forged")) == "locked"
        if not again:
            house.restart()
    assert [refusal(house, WRONG, held) for _ in range(FREE)] == ["wrong-pin"] * (FREE - 2) + ["locked"] * 2


def test_a_restart_forgets_no_wrong_pin_and_begins_the_wait_anew(house: House) -> None:
    pin = house.keeper.begin() or ""
    use_up(house)
    house.now += WAITS[0] - 1
    house.restart()
    assert refusal(house, pin) == "locked"
    assert house.keeper.wrong_pins == FREE
    house.now += WAITS[0]
    assert refusal(house, WRONG) == "wrong-pin"
    assert refusal(house, pin) == "locked"
    assert stat.S_IMODE((house.state / pins.TRIES).stat().st_mode) == 0o600


def test_a_changed_pin_begins_with_no_wrong_one_and_old_keys_count_for_nothing(house: House) -> None:
    old = Asker(house=house.keeper.enter(house.keeper.begin() or "", ADA))
    use_up(house)
    pins.write(house.state, "from the shell")
    assert house.keeper.holds(house.keeper.enter("from the shell", EVE))
    assert house.keeper.wrong_pins == 0
    use_up(house)
    assert refusal(house, "from the shell", old) == "locked"
    pins.write(house.state, "once more")
    house.restart()
    assert house.keeper.wrong_pins == 0
    assert house.keeper.holds(house.keeper.enter("once more", EVE))


def test_a_try_is_on_the_disk_before_it_is_worked_out(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    pin, scrypt = house.keeper.begin() or "", hashlib.scrypt
    found = []

    def watched(*words: Any, **more: Any) -> bytes:
        found.append(json.loads((house.state / pins.TRIES).read_bytes())["tries"]["wrong"])
        return scrypt(*words, **more)

    monkeypatch.setattr(hashlib, "scrypt", watched)
    assert refusal(house, WRONG) == "wrong-pin"
    assert refusal(house, pin) == "open"
    assert found == [{"house": 1}, {"house": 2}]
    assert json.loads((house.state / pins.TRIES).read_bytes())["tries"]["wrong"] == {"house": 1}


def test_what_cannot_be_counted_is_not_looked_at(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    pin = house.keeper.begin() or ""
    (house.state / f"{pins.TRIES}.new").mkdir()
    monkeypatch.setattr(hashlib, "scrypt", None)
    for tried in (WRONG, pin):
        with pytest.raises(UserError, match="wrong ones cannot be counted"):
            house.keeper.enter(tried, EVE)


def test_whoever_is_refused_writes_nothing(house: House) -> None:
    house.keeper.begin()
    use_up(house)
    before = (house.state / pins.TRIES).stat().st_ino
    for tried in (WRONG, "short", "x" * (pins.LONGEST + 1)):
        for _ in range(50):
            assert refusal(house, tried) in ("locked", "not-understood")
    assert (house.state / pins.TRIES).stat().st_ino == before


@pytest.mark.parametrize(
    "text", [b"", b"{}", b"\xff", b'{"salt": "", "tries": {"wrong": {"house": "x"}}}', b"x" * 10_000]
)
def test_of_tries_that_cannot_be_read_none_is_left(house: House, text: bytes) -> None:
    pin = house.keeper.begin() or ""
    (house.state / pins.TRIES).write_bytes(text)
    house.restart()
    assert refusal(house, pin) == "locked"
    house.now += WAITS[0]
    assert refusal(house, pin) == "open"


def use_up(house: House) -> None:
    while refusal(house, WRONG) == "wrong-pin":
        pass


def refusal(house: House, pin: str, asker: Asker = EVE) -> str:
    try:
        house.keeper.enter(pin, asker)
    except UserError as slip:
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
    with pytest.raises(UserError, match="wants the house PIN"):
        house.keeper.need(Asker(house=key))


def test_another_pin_wants_the_old_one_and_puts_everybody_else_out(house: House) -> None:
    pin = house.keeper.begin() or ""
    mine, other = (house.keeper.enter(pin, ADA) for _ in range(2))
    me = Asker(house=mine, address=ADA.address)
    for old, new, why in ((pin, "12345", "6 to 64 characters"), (WRONG, "a new one", "not the PIN")):
        with pytest.raises(UserError, match=why):
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
    with pytest.raises(UserError, match="sniperboard house pin"):
        house.keeper.enter("", ADA)
