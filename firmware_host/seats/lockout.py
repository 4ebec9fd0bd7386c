"""How often a PIN may be guessed, whoever asks: a few wrong PINs are free, every further try waits, for all together.

Each door (a seat, the admin page) has one budget for all strangers: addresses cost nothing, so they are not looked at.
A device that has held the door's key has a budget of its own, of the same shape: it has shown the PIN before.

A try counts as wrong, and is saved, before anything is worked out; the right PIN gives it back. After `FREE` wrong PINs
a try waits for 1, 2, 5, 10 and then always 15 minutes, and one wrong PIN is forgiven each half hour. So in `h` hours
strangers make at most 10 + 2h + 4h tries: nine before the longest wait, one more for each that is forgiven, and one
each 15 minutes. An evening of six hours has room for 46 guesses at most, twelve hours for 82; a PIN of four random
digits is found with a probability of 0.5 % and 0.8 %.

Only counts are saved, and no times: after a restart nothing has been forgiven in between, and each wait begins anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable

from msgspec import Struct
from msgspec.structs import replace

from engine.text import Text
from firmware_host.core.errors import UserError

FREE = 5
"""Wrong PINs before the first wait."""
WAITS = (60.0, 120.0, 300.0, 600.0, 900.0)
"""Seconds to wait after `FREE` wrong PINs and after each further one, the last for all that follow."""
FORGIVEN = 1800.0
"""Seconds after which one wrong PIN counts no more."""
MOST = FREE + len(WAITS)
"""So many wrong PINs count at once: a budget is whole again five hours after the last try, however many there were."""
MOST_TOLD = 99
"""So many wrong PINs are told of at once."""


class AttemptBudget(Struct, frozen=True):
    """`wrong` PINs that count, when the `last` was tried, and `since` when the next is to be forgiven (seconds)."""

    wrong: int = 0
    last: float = 0.0
    since: float = 0.0

    def at(self, now: float) -> AttemptBudget:
        """The budget at a later time."""
        forgiven = min(self.wrong, int((now - self.since) // FORGIVEN))
        return replace(self, wrong=self.wrong - forgiven, since=self.since + forgiven * FORGIVEN)

    def wait(self, now: float) -> float:
        """Seconds until the next try is listened to; 0 or less where it would be now."""
        if self.wrong < FREE:
            return 0.0
        return self.last + WAITS[min(self.wrong - FREE, len(WAITS) - 1)] - now

    def tried(self, now: float) -> AttemptBudget:
        """After one more wrong PIN."""
        return AttemptBudget(min(self.wrong + 1, MOST), now, self.since if self.wrong else now)

    def given_back(self) -> AttemptBudget:
        """After a try that was not wrong after all."""
        return replace(self, wrong=max(0, self.wrong - 1))


class LockoutState(Struct, frozen=True):
    """What outlives a restart: budget -> wrong PINs that count; door -> wrong PINs that are to be told of."""

    wrong: dict[str, int] = {}
    told: dict[str, int] = {}


class Lockout:
    """Budgets and doors by name. `clock` gives monotonic seconds; `save` keeps what outlives a restart.

    Not safe to use from several threads at once.
    """

    def __init__(self, clock: Callable[[], float], kept: LockoutState, save: Callable[[LockoutState], None]) -> None:
        self._clock, self._save = clock, save
        now = clock()
        self._budgets = {name: AttemptBudget(min(wrong, MOST), now, now) for name, wrong in kept.wrong.items()}
        self._told = dict(kept.told)
        self._open = Counter[str]()

    def wait(self, budget: str) -> float:
        """Seconds until a try on this budget is listened to; 0 or less where it would be now."""
        now = self._clock()
        return self._budgets.get(budget, AttemptBudget()).at(now).wait(now)

    def check(self, budgets: Iterable[str]) -> None:
        """Raises `UserError` (locked) where a try on one of these budgets has to wait."""
        wait = max(self.wait(name) for name in budgets)
        if wait > 0:
            says = Text("Too many wrong PINs. Try again in {span}.", span=span(wait))
            raise UserError("locked", says, after=int(wait) + 1)

    def attempt(self, door: str, budgets: Collection[str]) -> None:
        """A PIN is tried at a door, on these budgets. It counts as wrong in all of them, and is saved so, until `right`
        says otherwise. Raises `UserError` (locked) where one of them has to wait; then nothing is counted or saved.
        """
        self.check(budgets)
        now = self._clock()
        all_now = {name: budget.at(now) for name, budget in self._budgets.items()}
        tried = {name: all_now.get(name, AttemptBudget()).tried(now) for name in budgets}
        after = {name: budget for name, budget in {**all_now, **tried}.items() if budget.wrong}
        told = {**self._told, door: min(MOST_TOLD, self._told.get(door, 0) + 1)}
        self._save(_kept(after, told))
        self._budgets, self._told = after, told
        self._open[door] += 1

    def wrong(self, door: str) -> None:
        """The PIN that was tried is wrong: it is told of from now on."""
        self._open[door] -= 1

    def right(self, door: str, budgets: Iterable[str]) -> None:
        """The PIN that was tried is right, or nobody has looked at it: the try is given back. What `save` raises is
        raised; the try is given back until a restart all the same.
        """
        self._open[door] -= 1
        self._told = {**self._told, door: max(0, self._told.get(door, 0) - 1)}
        back = {name: self._budgets[name].given_back() for name in budgets if name in self._budgets}
        self._budgets = {**self._budgets, **back}
        self._save(self.kept)

    def told(self, door: str) -> int:
        """How many wrong PINs were tried at a door and have not been acknowledged."""
        return max(0, self._told.get(door, 0) - self._open[door])

    def acknowledge(self, door: str, number: int) -> None:
        """Somebody has seen so many of them. Raises what `save` raises, and then nothing has changed."""
        seen = min(number, self.told(door))
        if seen > 0:
            told = {**self._told, door: self._told[door] - seen}
            self._save(_kept(self._budgets, told))
            self._told = told

    def keep_only(self, doors: Collection[str], budgets: Collection[str]) -> bool:
        """Forget all other doors and budgets; whether there were any."""
        before = self.kept
        self._budgets = {name: budget for name, budget in self._budgets.items() if name in budgets}
        self._told = {door: number for door, number in self._told.items() if door in doors}
        return self.kept != before

    @property
    def kept(self) -> LockoutState:
        """What outlives a restart."""
        return _kept(self._budgets, self._told)


def _kept(budgets: dict[str, AttemptBudget], told: dict[str, int]) -> LockoutState:
    counted = {name: budget.wrong for name, budget in budgets.items() if budget.wrong}
    return LockoutState(counted, {door: number for door, number in told.items() if number})


def span(seconds: float) -> Text:
    """A time in words, rounded up."""
    if seconds < 90:
        whole = int(seconds) + 1
        return Text("{number} second", "{number} seconds", number=whole)
    return Text("{number} minute", "{number} minutes", number=int(seconds / 60) + 1)
