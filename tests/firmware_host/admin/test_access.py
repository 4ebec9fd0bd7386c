"""The admin PIN is shown once and stored as a hash. Entering it gives a device a key that is valid for half a day."""

from __future__ import annotations

import errno
import hashlib
import json
import stat
from pathlib import Path
from typing import Any

import pytest

from firmware_host.admin import pin as pins
from firmware_host.admin.access import KEY_HOURS, MOST_KEYS, AdminAccess
from firmware_host.core.errors import UserError
from firmware_host.seats.identity import Requester
from firmware_host.seats.lockout import FREE_TRIES, WAITS

WRONG = "no such pin"
ADA, EVE = Requester(address="192.168.1.7"), Requester(address="192.168.1.66")


class Setup:
    """Admin access on a clock that only the test moves."""

    def __init__(self, state: Path) -> None:
        self.now = 1000.0
        self.state = state
        self.admin_access = AdminAccess(state, self.clock)

    def restart(self) -> None:
        """Restart on a machine whose clock starts at zero again."""
        self.now = 3.0
        self.admin_access = AdminAccess(self.state, self.clock)

    def clock(self) -> float:
        return self.now


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup(tmp_path)


def test_pin_is_generated_once_and_stored_as_private_hash(setup: Setup) -> None:
    told = setup.admin_access.make_pin()
    assert told is not None and len(told) == pins.SHORTEST and told.isdigit()
    assert setup.admin_access.make_pin() is None
    kept = setup.state / pins.FILE
    assert told.encode() not in kept.read_bytes()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert setup.admin_access.is_valid(setup.admin_access.sign_in(told, ADA))


def test_wrong_pins_lock_out_every_address(setup: Setup) -> None:
    pin = setup.admin_access.make_pin() or ""
    askers = [Requester(address=f"10.0.0.{number}") for number in range(3 * FREE_TRIES)]
    assert [refusal(setup, WRONG, requester) for requester in askers] == ["wrong-pin"] * FREE_TRIES + [
        "locked"
    ] * 2 * FREE_TRIES
    assert setup.admin_access.wrong_pins == FREE_TRIES
    assert refusal(setup, pin, ADA) == "locked"
    setup.now += WAITS[0]
    assert setup.admin_access.is_valid(setup.admin_access.sign_in(pin, ADA))


def test_device_with_former_key_does_not_wait_for_strangers(setup: Setup) -> None:
    pin = setup.admin_access.make_pin() or ""
    held, left = (Requester(admin_key=setup.admin_access.sign_in(pin, ADA)) for _ in range(2))
    setup.admin_access.sign_out(left)
    use_up(setup)
    for again in range(2):
        for requester in (held, left):
            assert refusal(setup, WRONG, requester) == "wrong-pin"
            assert setup.admin_access.is_valid(setup.admin_access.sign_in(pin, requester))
        assert refusal(setup, pin, Requester(admin_key="forged")) == "locked"
        if not again:
            setup.restart()
    assert [refusal(setup, WRONG, held) for _ in range(FREE_TRIES)] == ["wrong-pin"] * (FREE_TRIES - 2) + ["locked"] * 2


def test_restart_keeps_wrong_pins_and_restarts_wait(setup: Setup) -> None:
    pin = setup.admin_access.make_pin() or ""
    use_up(setup)
    setup.now += WAITS[0] - 1
    setup.restart()
    assert refusal(setup, pin) == "locked"
    assert setup.admin_access.wrong_pins == FREE_TRIES
    setup.now += WAITS[0]
    assert refusal(setup, WRONG) == "wrong-pin"
    assert refusal(setup, pin) == "locked"
    assert stat.S_IMODE((setup.state / pins.TRIES).stat().st_mode) == 0o600


def test_changed_pin_clears_wrong_attempts_and_ends_old_keys(setup: Setup) -> None:
    old = Requester(admin_key=setup.admin_access.sign_in(setup.admin_access.make_pin() or "", ADA))
    use_up(setup)
    pins.write_pin(setup.state, "from the shell")
    assert setup.admin_access.is_valid(setup.admin_access.sign_in("from the shell", EVE))
    assert setup.admin_access.wrong_pins == 0
    use_up(setup)
    assert refusal(setup, "from the shell", old) == "locked"
    pins.write_pin(setup.state, "once more")
    setup.restart()
    assert setup.admin_access.wrong_pins == 0
    assert setup.admin_access.is_valid(setup.admin_access.sign_in("once more", EVE))


def test_attempt_is_stored_before_hashing(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    pin, scrypt = setup.admin_access.make_pin() or "", hashlib.scrypt
    found = []

    def watched(*words: Any, **more: Any) -> bytes:
        found.append(json.loads((setup.state / pins.TRIES).read_bytes())["tries"]["wrong"])
        return scrypt(*words, **more)

    monkeypatch.setattr(hashlib, "scrypt", watched)
    assert refusal(setup, WRONG) == "wrong-pin"
    assert refusal(setup, pin) == "open"
    assert found == [{"house": 1}, {"house": 2}]
    assert json.loads((setup.state / pins.TRIES).read_bytes())["tries"]["wrong"] == {"house": 1}


def test_attempt_that_cannot_be_stored_is_not_checked(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    pin = setup.admin_access.make_pin() or ""
    (setup.state / f"{pins.TRIES}.new").mkdir()
    monkeypatch.setattr(hashlib, "scrypt", None)
    for tried in (WRONG, pin):
        with pytest.raises(UserError, match="wrong ones cannot be stored"):
            setup.admin_access.sign_in(tried, EVE)


def test_refused_attempts_write_nothing(setup: Setup) -> None:
    setup.admin_access.make_pin()
    use_up(setup)
    before = (setup.state / pins.TRIES).stat().st_ino
    for tried in (WRONG, "short", "x" * (pins.LONGEST + 1)):
        for _ in range(50):
            assert refusal(setup, tried) in ("locked", "not-understood")
    assert (setup.state / pins.TRIES).stat().st_ino == before


@pytest.mark.parametrize(
    "text", [b"", b"{}", b"\xff", b'{"salt": "", "tries": {"wrong": {"house": "x"}}}', b"x" * 10_000]
)
def test_unreadable_attempts_file_locks_access(setup: Setup, text: bytes) -> None:
    pin = setup.admin_access.make_pin() or ""
    (setup.state / pins.TRIES).write_bytes(text)
    setup.restart()
    assert refusal(setup, pin) == "locked"
    setup.now += WAITS[0]
    assert refusal(setup, pin) == "open"


def use_up(setup: Setup) -> None:
    while refusal(setup, WRONG) == "wrong-pin":
        pass


def refusal(setup: Setup, pin: str, requester: Requester = EVE) -> str:
    try:
        setup.admin_access.sign_in(pin, requester)
    except UserError as error:
        return error.code
    return "open"


def test_keys_expire_and_their_number_is_limited(setup: Setup) -> None:
    pin = setup.admin_access.make_pin() or ""
    keys = [setup.admin_access.sign_in(pin, ADA) for _ in range(MOST_KEYS + 1)]
    assert [setup.admin_access.is_valid(key) for key in keys] == [False] + [True] * MOST_KEYS
    setup.now += KEY_HOURS * 3600
    assert not setup.admin_access.is_valid(keys[-1])
    assert not setup.admin_access.is_valid("")


def test_repeated_sign_in_keeps_key_and_ends_no_other(setup: Setup) -> None:
    pin = setup.admin_access.make_pin() or ""
    other, key = (setup.admin_access.sign_in(pin, ADA) for _ in range(2))
    setup.now += KEY_HOURS * 3600 - 1
    assert setup.admin_access.sign_in(pin, Requester(admin_key=other)) == other
    for _ in range(MOST_KEYS):
        assert setup.admin_access.sign_in(pin, Requester(admin_key=key)) == key
    setup.now += 2
    assert setup.admin_access.is_valid(key)
    assert setup.admin_access.is_valid(other)
    setup.now += KEY_HOURS * 3600
    assert setup.admin_access.sign_in(pin, Requester(admin_key=key)) != key


def test_sign_out_ends_key(setup: Setup) -> None:
    key = setup.admin_access.sign_in(setup.admin_access.make_pin() or "", ADA)
    setup.admin_access.sign_out(Requester(admin_key=key))
    assert not setup.admin_access.is_valid(key)
    with pytest.raises(UserError, match="Enter the admin PIN"):
        setup.admin_access.check(Requester(admin_key=key))


def test_changing_pin_needs_old_one_and_ends_other_keys(setup: Setup) -> None:
    pin = setup.admin_access.make_pin() or ""
    mine, other = (setup.admin_access.sign_in(pin, ADA) for _ in range(2))
    me = Requester(admin_key=mine, address=ADA.address)
    for old, new, why in ((pin, "12345", "6 to 64 characters"), (WRONG, "a new one", "not the admin PIN")):
        with pytest.raises(UserError, match=why):
            setup.admin_access.change_pin(old, new, me)
    fresh = setup.admin_access.change_pin(pin, "a new one", me)
    assert [setup.admin_access.is_valid(key) for key in (mine, other, fresh)] == [False, False, True]


def test_pin_that_is_set_is_not_refused_because_of_a_full_disk(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer said that PINs cannot be checked; the new one was valid, and the old one was not."""

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    real = pins.write_pin

    def write(state: Path, pin: str, *, first: bool = False) -> None:
        real(state, pin, first=first)
        monkeypatch.setattr(pins, "write_attempts", full)

    with monkeypatch.context() as disk:
        disk.setattr(pins, "write_pin", write)
        key = setup.admin_access.choose_first("the first", ADA)
    assert setup.admin_access.is_valid(key)
    monkeypatch.undo()
    monkeypatch.setattr(pins, "write_pin", write)
    key = setup.admin_access.change_pin("the first", "the second", Requester(admin_key=key, address=ADA.address))
    assert setup.admin_access.is_valid(key)


def test_device_that_changes_the_pin_stays_the_same_device(setup: Setup) -> None:
    """Else it would lose the workshop, which only it can close."""
    access, pin = setup.admin_access, setup.admin_access.make_pin() or ""
    me = Requester(admin_key=access.sign_in(pin, ADA), address=ADA.address)
    who = access.key_id(me)
    for new in ("the second", "the third"):
        me, pin = Requester(admin_key=access.change_pin(pin, new, me), address=ADA.address), new
        assert access.key_id(me) == who
    assert access.key_id(Requester(admin_key=access.sign_in(pin, ADA))) != who


def test_pin_from_command_line_counts_at_once_and_ends_keys(setup: Setup) -> None:
    key = setup.admin_access.sign_in(setup.admin_access.make_pin() or "", ADA)
    pins.write_pin(setup.state, "from the shell")
    assert not setup.admin_access.is_valid(key)
    assert setup.admin_access.is_valid(setup.admin_access.sign_in("from the shell", ADA))


@pytest.mark.parametrize("text", [b"", b"{}", b"[1]", b"\xff", b'{"salt": "zz", "pin": "0"}', b"x" * 10_000])
def test_invalid_pin_file_refuses_everyone_and_names_remedy(setup: Setup, text: bytes) -> None:
    (setup.state / pins.FILE).write_bytes(text)
    with pytest.raises(UserError, match="sniperboard admin pin"):
        setup.admin_access.sign_in("", ADA)
