"""Limits how often a PIN may be guessed: a few wrong PINs are free, then each attempt has to wait.

Each PIN (of a seat, of the admin page) has one budget for all strangers. Addresses are ignored, because anyone has
many. A device that has held the door's key has its own budget, because it has shown the PIN before.

An attempt counts as wrong, and is stored, before the PIN is hashed; the right PIN takes it back. After `FREE_TRIES`
wrong PINs an attempt waits 1, 2, 5, 10 and then always 15 minutes, and one wrong PIN is forgiven every half hour. In
`h` hours strangers make at most 10 + 2h + 4h attempts: nine before the longest wait, one more for each that is
forgiven, and one every 15 minutes. Six hours allow 46 guesses at most, twelve hours 82; the chance to find a PIN of
four random digits is 0.5 % and 0.8 %.

Only counts are stored, not times: a restart forgives nothing and starts each wait again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable

from msgspec import Struct
from msgspec.structs import replace

from engine.text import Text
from firmware_host.core.errors import UserError

FREE_TRIES = 5
"""Wrong PINs before the first wait."""
WAITS = (60.0, 120.0, 300.0, 600.0, 900.0)
"""Seconds to wait after `FREE_TRIES` wrong PINs and after each further one. The last value repeats."""
FORGIVE_AFTER = 1800.0
"""Seconds after which one wrong PIN is forgiven."""
MOST_WRONG = FREE_TRIES + len(WAITS)
"""Wrong PINs that count at once. Five hours after the last attempt, all are forgiven, however many there were."""
MOST_TOLD = 99
"""Wrong PINs that are reported at once."""


class AttemptBudget(Struct, frozen=True):
    """`wrong` PINs that count, when the `last` was tried, and `since` when the next is to be forgiven (seconds)."""

    wrong: int = 0
    last: float = 0.0
    since: float = 0.0

    def at(self, now: float) -> AttemptBudget:
        """Return the budget at a later time."""
        forgiven = min(self.wrong, int((now - self.since) // FORGIVE_AFTER))
        # Move `since` by whole periods, so that the current partial period still counts.
        return replace(self, wrong=self.wrong - forgiven, since=self.since + forgiven * FORGIVE_AFTER)

    def seconds_to_wait(self, now: float) -> float:
        """Return the seconds until the next attempt is allowed; zero or less if it is allowed now."""
        if self.wrong < FREE_TRIES:
            return 0.0
        return self.last + WAITS[min(self.wrong - FREE_TRIES, len(WAITS) - 1)] - now

    def tried(self, now: float) -> AttemptBudget:
        """Return the budget after one more wrong PIN."""
        # Further attempts do not put off the forgiving of the first.
        return AttemptBudget(min(self.wrong + 1, MOST_WRONG), now, self.since if self.wrong else now)


class LockoutState(Struct, frozen=True):
    """What is stored: for each budget, the wrong PINs that count; for each door, the wrong PINs to report (`told`)."""

    wrong: dict[str, int] = {}
    told: dict[str, int] = {}


class Lockout:
    """Budgets and doors by name. `clock` returns monotonic seconds; `save` stores the state. Not thread-safe."""

    def __init__(self, clock: Callable[[], float], stored: LockoutState, save: Callable[[LockoutState], None]) -> None:
        self._clock, self._save = clock, save
        now = clock()
        # Monotonic times mean nothing after a restart, so the time to forgive starts again.
        self._budgets = {name: AttemptBudget(min(wrong, MOST_WRONG), now, now) for name, wrong in stored.wrong.items()}
        self._told = dict(stored.told)
        self._open = Counter[str]()

    def seconds_to_wait(self, budget: str) -> float:
        """Return the seconds until an attempt on this budget is allowed; zero or less if it is allowed now."""
        now = self._clock()
        return self._budgets.get(budget, AttemptBudget()).at(now).seconds_to_wait(now)

    def check(self, budgets: Iterable[str]) -> None:
        """Raise `UserError` (locked) if an attempt on one of these budgets has to wait."""
        # The longest wait counts: a second budget must not shorten the first.
        wait = max(self.seconds_to_wait(name) for name in budgets)
        if wait > 0:
            says = Text("Too many wrong PINs. Try again in {span}.", span=time_in_words(wait))
            raise UserError("locked", says, after=int(wait) + 1)

    def count_attempt(self, door: str, budgets: Collection[str]) -> None:
        """Count an attempt at a door as wrong on these budgets, and store that, until `right` withdraws it. Raises
        `UserError` (locked) if a budget has to wait; then nothing is counted.
        """
        self.check(budgets)
        now = self._clock()
        all_now = {name: budget.at(now) for name, budget in self._budgets.items()}
        tried = {name: all_now.get(name, AttemptBudget()).tried(now) for name in budgets}
        # A budget without wrong PINs is a new one, so it need not be stored.
        after = {name: budget for name, budget in {**all_now, **tried}.items() if budget.wrong}
        reported = {**self._told, door: min(MOST_TOLD, self._told.get(door, 0) + 1)}
        # Store the attempt first: pulling the plug must not give attempts back.
        self._save(_state_to_store(after, reported))
        self._budgets, self._told = after, reported
        self._open[door] += 1

    def report_wrong(self, door: str) -> None:
        """Report a wrong PIN from now on."""
        self._open[door] -= 1

    def right(self, door: str, budgets: Iterable[str]) -> None:
        """The PIN was right or was not checked: withdraw the attempt. If `save` raises, it counts again after a
        restart.
        """
        self._open[door] -= 1
        self._told = {**self._told, door: max(0, self._told.get(door, 0) - 1)}
        for name in budgets:
            if (budget := self._budgets.get(name)) is not None:
                self._budgets = {**self._budgets, name: replace(budget, wrong=max(0, budget.wrong - 1))}
        self._save(self.state_to_store)

    def unseen(self, door: str) -> int:
        """Return how many wrong PINs were tried at a door and not acknowledged."""
        # An attempt that is still being checked is counted already, but may turn out right.
        return max(0, self._told.get(door, 0) - self._open[door])

    def acknowledge(self, door: str, number: int) -> None:
        """Mark the first `number` reports of a door as seen. If `save` raises an error, nothing changes."""
        seen = min(number, self.unseen(door))
        if seen > 0:
            reported = {**self._told, door: self._told[door] - seen}
            self._save(_state_to_store(self._budgets, reported))
            self._told = reported

    def keep_only(self, doors: Collection[str], budgets: Collection[str]) -> bool:
        """Forget all other doors and budgets. Return whether there were any."""
        before = self.state_to_store
        self._budgets = {name: budget for name, budget in self._budgets.items() if name in budgets}
        self._told = {door: number for door, number in self._told.items() if door in doors}
        return self.state_to_store != before

    @property
    def state_to_store(self) -> LockoutState:
        """The state to store."""
        return _state_to_store(self._budgets, self._told)


def _state_to_store(budgets: dict[str, AttemptBudget], reported: dict[str, int]) -> LockoutState:
    counted = {name: budget.wrong for name, budget in budgets.items() if budget.wrong}
    return LockoutState(counted, {door: number for door, number in reported.items() if number})


def time_in_words(seconds: float) -> Text:
    """Return a time in words, rounded up."""
    if seconds < 90:
        # Rounded up: a person who waits as long as it says is not refused again.
        number = int(seconds) + 1
        return Text("{number} second", "{number} seconds", number=number)
    return Text("{number} minute", "{number} minutes", number=int(seconds / 60) + 1)
