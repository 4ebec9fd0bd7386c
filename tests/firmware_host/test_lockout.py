"""Wrong PINs delay the next attempt from any device, for a limited time. The number of attempts is saved first."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from firmware_host.core.errors import UserError
from firmware_host.seats.lockout import FORGIVE_AFTER, FREE_TRIES, MOST_TOLD, MOST_WRONG, WAITS, Lockout, LockoutState

HOUR = 3600.0


class Door:
    """A lockout on a clock that only the test moves, on a disk that may be full."""

    def __init__(self) -> None:
        self.now, self.saved, self.full = 1000.0, list[LockoutState](), False
        self.start(LockoutState())

    def start(self, kept: LockoutState) -> None:
        self.lockout = Lockout(lambda: self.now, kept, self.save)

    def restart(self) -> None:
        """Restart on a machine whose clock starts at zero again."""
        self.now = 3.0
        self.start(self.saved[-1])

    def save(self, kept: LockoutState) -> None:
        if self.full:
            raise OSError("no room")
        self.saved.append(kept)

    def try_wrong_pin(self, *budgets: str) -> int:
        """Enter a wrong PIN; return how long to wait before the next is checked, 0 if this one was."""
        try:
            self.lockout.count_attempt("sniper", budgets or ("sniper",))
        except UserError as error:
            assert error.code == "locked"
            return error.after
        self.lockout.report_wrong("sniper")
        return 0

    def use_up(self) -> None:
        while not self.try_wrong_pin():
            pass


@pytest.fixture
def door() -> Door:
    return Door()


def test_first_wrong_pins_are_free_then_waits_grow_to_maximum(door: Door) -> None:
    assert [door.try_wrong_pin() for _ in range(FREE_TRIES)] == [0] * FREE_TRIES
    waits = []
    for _ in range(len(WAITS) + 2):
        waits.append(wait := door.try_wrong_pin())
        door.now += wait
        assert door.try_wrong_pin() == 0
    assert waits == [61, 121, 301, 601, 901, 901, 901]


def test_wait_has_a_maximum_and_attempts_expire_each_half_hour(door: Door) -> None:
    for _ in range(3 * MOST_WRONG):
        door.try_wrong_pin()
        door.now += WAITS[-1]
    door.now += FORGIVE_AFTER * (MOST_WRONG - FREE_TRIES)
    assert door.try_wrong_pin() == 0
    assert door.try_wrong_pin() > 0
    door.now += FORGIVE_AFTER * MOST_WRONG
    assert [door.try_wrong_pin() for _ in range(FREE_TRIES)] == [0] * FREE_TRIES


@pytest.mark.parametrize("hours", [1, 6, 12])
@pytest.mark.parametrize("restarts", [False, True])
def test_no_strategy_gets_more_guesses_than_documented(hours: int, restarts: bool) -> None:
    """Attempts at once, after a rest, or at random, with restarts in between, which only cost time."""
    found = []
    for seed in range(30):
        door, luck, heard, passed = Door(), Random(seed), 0, 0.0
        while passed < hours * HOUR:
            wait = float(door.try_wrong_pin())
            heard += wait == 0
            rest = luck.choice((0.0,) * 9 + (60.0, FORGIVE_AFTER)) if seed else 0.0
            door.now += wait + rest
            passed += wait + rest
            if restarts and luck.random() < 0.2:
                door.restart()
        found.append(heard)
    assert FREE_TRIES + 3 * hours < max(found) <= 10 + 6 * hours


def test_attempt_counts_before_check_and_not_after_right_pin(door: Door) -> None:
    door.lockout.count_attempt("sniper", ("sniper",))
    assert door.saved[-1] == LockoutState({"sniper": 1}, {"sniper": 1})
    assert door.lockout.unseen("sniper") == 0
    door.lockout.right("sniper", ("sniper",))
    assert door.saved[-1] == LockoutState()
    for _ in range(3 * FREE_TRIES):
        door.lockout.count_attempt("sniper", ("sniper",))
        door.lockout.right("sniper", ("sniper",))
    assert door.try_wrong_pin() == 0


def test_attempt_that_cannot_be_saved_is_not_made(door: Door) -> None:
    door.full = True
    with pytest.raises(OSError, match="no room"):
        door.lockout.count_attempt("sniper", ("sniper",))
    door.full = False
    assert [door.try_wrong_pin() for _ in range(FREE_TRIES)] == [0] * FREE_TRIES


def test_refused_attempts_write_nothing(door: Door) -> None:
    door.use_up()
    written = len(door.saved)
    for _ in range(500):
        assert door.try_wrong_pin() > 0
    assert len(door.saved) == written == FREE_TRIES


def test_restart_keeps_wrong_pins_and_restarts_wait(door: Door) -> None:
    door.use_up()
    door.now += WAITS[0] - 1
    door.restart()
    assert door.try_wrong_pin() == WAITS[0] + 1
    assert door.lockout.unseen("sniper") == FREE_TRIES
    door.now += WAITS[0]
    assert door.try_wrong_pin() == 0
    door.restart()
    assert door.try_wrong_pin() == WAITS[1] + 1


def test_budgets_are_separate_and_shared_attempt_waits_for_both(door: Door) -> None:
    door.use_up()
    assert door.try_wrong_pin("ada's phone") == 0
    assert door.try_wrong_pin("ada's phone", "sniper") > 0
    assert [door.try_wrong_pin("ada's phone") for _ in range(FREE_TRIES)] == [*[0] * (FREE_TRIES - 1), 61]


def test_wrong_pins_are_reported_until_acknowledged(door: Door) -> None:
    for _ in range(3):
        door.try_wrong_pin()
    assert (door.lockout.unseen("sniper"), door.lockout.unseen("defenders")) == (3, 0)
    door.lockout.acknowledge("sniper", 2)
    assert door.lockout.unseen("sniper") == 1
    written = len(door.saved)
    for number in (0, -5):
        door.lockout.acknowledge("sniper", number)
    assert len(door.saved) == written
    door.lockout.acknowledge("sniper", 1000)
    assert door.lockout.unseen("sniper") == 0
    for _ in range(MOST_TOLD + 20):
        door.now += HOUR
        door.try_wrong_pin()
    assert door.lockout.unseen("sniper") == MOST_TOLD


def test_forgotten_budget_is_as_new(door: Door) -> None:
    door.use_up()
    assert door.lockout.keep_only((), ())
    assert not door.lockout.keep_only((), ())
    assert door.lockout.state_to_store == LockoutState()
    assert [door.try_wrong_pin() for _ in range(FREE_TRIES)] == [0] * FREE_TRIES


def test_waits_grow() -> None:
    assert all(one < other for one, other in pairwise(WAITS))
