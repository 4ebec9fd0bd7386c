"""Chance, handed in: every random result of a game comes from here, and can be forced for tests and replays.

A forced result is a pair `(kind, value)`. Forced results are used in order; one that does not fit what is asked for
is refused (it would silently force something else). What a forced result leaves open is drawn at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from engine.refusal import NotUnderstood, Refused


class Chance:
    """A source of random results over `random` (seeded, or the operating system's)."""

    def __init__(self, random: Random, forced: Sequence[tuple[str, Any]] = ()) -> None:
        self._random = random
        self._forced = list(forced)

    def force(self, results: Sequence[tuple[str, Any]]) -> None:
        """Let `results` be the next ones, instead of any that were forced before and not used yet."""
        self._forced = list(results)

    def mark(self) -> tuple[object, list[tuple[str, Any]]]:
        """A point to come back to with `rewind`."""
        state = self._random.getstate() if type(self._random) is Random else None
        return state, list(self._forced)

    def rewind(self, mark: tuple[object, list[tuple[str, Any]]]) -> None:
        """Forget everything drawn since `mark`."""
        state, self._forced = mark[0], list(mark[1])
        if isinstance(state, tuple):
            self._random.setstate(state)

    def order(self, kind: str, items: Sequence[Any]) -> tuple[Any, ...]:
        """All `items` shuffled, top first; a forced list names the top ones."""
        forced = self._next(kind, list)
        rest = list(items)
        for item in forced:
            if item not in rest:
                raise _impossible(kind, f"{item!r} is not (any more) among {list(items)}")
            rest.remove(item)
        self._random.shuffle(rest)
        return (*forced, *rest)

    def assign(self, kind: str, keys: Sequence[str], values: Sequence[str]) -> dict[str, str]:
        """A different value for each key; a forced mapping names some of them."""
        forced = self._next(kind, dict)
        if any(key not in keys for key in forced):
            raise _impossible(kind, f"the keys are {list(keys)}")
        taken = list(forced.values())
        if len(set(map(str, taken))) != len(taken) or any(value not in values for value in taken):
            raise _impossible(kind, f"the values are different ones of {list(values)}")
        rest = [value for value in values if value not in taken]
        self._random.shuffle(rest)
        return {key: forced[key] if key in forced else rest.pop() for key in keys}

    def tokens(self, kind: str, bag: Mapping[str, int], count: int) -> dict[str, int]:
        """`count` tokens drawn from `bag` without replacement (MP-SHOOT-06); a forced mapping names some of them."""
        forced = self._next(kind, dict)
        for token, number in forced.items():
            whole = isinstance(number, int) and not isinstance(number, bool)
            if token not in bag or not whole or not 0 <= number <= bag[token]:
                raise _impossible(kind, f"the bag holds {dict(bag)}, not {number!r} of {token!r}")
        if sum(forced.values()) > count:
            raise _impossible(kind, f"only {count} tokens are drawn")
        rest = [token for token, number in bag.items() for _ in range(number - forced.get(token, 0))]
        drawn = Counter(self._random.sample(rest, count - sum(forced.values())))
        return {token: forced.get(token, 0) + drawn[token] for token in bag}

    def _next(self, kind: str, shape: type) -> Any:
        if not self._forced:
            return shape()
        found, value = self._forced[0]
        if found != kind:
            raise _impossible(found, f"the next result needed is {kind!r}")
        if not isinstance(value, shape):
            raise NotUnderstood(f"chance {kind!r}: expected a {'list' if shape is list else 'mapping'}")
        self._forced.pop(0)
        return value


def _impossible(kind: str, why: str) -> Refused:
    return Refused("chance", f"The forced result {kind!r} is impossible: {why}.")
