"""Chance, handed in: every random result of a game comes from here, and can be forced for tests and replays.

A forced result is a pair `(kind, value)`. Forced results are used in order; one that does not fit what is asked for
is refused (it would silently force something else), under the rule that asks. What it leaves open is drawn at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from engine.refusal import NotUnderstood, Refused

SECRET_BYTES = 32
SHAPES = {list: "list", dict: "mapping", int: "whole number"}
"""What a forced result is called, by its type."""


class Impossible(Refused):
    """A forced result that cannot come where it is asked for."""


class _State:
    """The state of a source before the next draw, kept by the draw itself."""

    __slots__ = ("kept",)

    def __init__(self) -> None:
        self.kept: tuple[Any, ...] | None = None


class Mark(NamedTuple):
    """A point to come back to. Equal to another as long as nothing was drawn or used between the two.

    It is void once chance has gone back to an earlier one.
    """

    forced: tuple[tuple[str, Any], ...]
    state: _State


class Source(Protocol):
    """Where what is left open is drawn from: of `random.Random` no more than this."""

    def shuffle(self, x: list[Any], /) -> None:
        """Put `x` into any order."""

    def sample(self, population: Sequence[Any], k: int, /) -> list[Any]:
        """`k` different places of `population`, in any order."""


class Chance:
    """A source of random results over `random` (seeded, or the operating system's)."""

    def __init__(self, random: Random, forced: Sequence[tuple[str, Any]] = ()) -> None:
        self._first = random
        self._source: Source = random
        self._forced = tuple(forced)
        self._unsaved: _State | None = None
        """What the next draw fills in, if there is a mark since the last one."""
        self._current: Mark | None = None
        """The mark of this point, if one was asked for."""

    def secret(self) -> bytes:
        """What nobody can guess who does not know the first source; enough to seed another one with."""
        return self._first.randbytes(SECRET_BYTES)

    def draw_from(self, source: Source) -> None:
        """Let what is not forced come from `source` from now on."""
        self._source = source

    def force(self, results: Sequence[tuple[str, Any]]) -> None:
        """Let `results` be the next ones, instead of any that were forced before and not used yet."""
        self._forced, self._current = tuple(results), None

    def mark(self) -> Mark:
        """A point to come back to with `rewind`."""
        if self._current is None:
            self._unsaved = self._unsaved or _State()
            self._current = Mark(self._forced, self._unsaved)
        return self._current

    def rewind(self, mark: Mark) -> None:
        """Go back to `mark`: forced results are as they were, and so is the source if it is a `random.Random`."""
        self._forced, self._current = mark.forced, None
        if self._unsaved is not mark.state:
            self._unsaved = None
        if mark.state.kept is not None and type(self._source) is Random:
            self._source.setstate(mark.state.kept)

    @property
    def _random(self) -> Source:
        """The source, asked for before each draw.

        Its state is large, and most marks see no draw. Therefore the first draw after a mark keeps it, not the mark.
        """
        if self._unsaved is not None and type(self._source) is Random:
            self._unsaved.kept = self._source.getstate()
        self._unsaved = self._current = None
        return self._source

    def order(self, kind: str, items: Sequence[Any], rule: str) -> tuple[Any, ...]:
        """All `items` shuffled, top first; a forced list names the top ones. `rule` asks for this result."""
        forced = self._next(kind, list, rule)
        rest = list(items)
        top = [_taken(rest, item, kind, rule) for item in forced]
        self._random.shuffle(rest)
        return (*top, *rest)

    def assign(self, kind: str, keys: Sequence[str], values: Sequence[str], rule: str) -> dict[str, str]:
        """A different value for each key; a forced mapping names some of them."""
        forced = self._next(kind, dict, rule)
        if any(key not in keys for key in forced):
            raise _impossible(rule, kind, f"the keys are {', '.join(keys)}")
        rest = list(values)
        given = {key: _taken(rest, value, kind, rule) for key, value in forced.items()}
        self._random.shuffle(rest)
        return {key: given[key] if key in given else rest.pop() for key in keys}

    def tokens(self, kind: str, bag: Mapping[str, int], count: int, rule: str) -> dict[str, int]:
        """`count` tokens drawn from `bag` without replacement.

        A forced mapping says how many there are of the kinds that it names; the others fill what is missing.
        """
        forced = self._next(kind, dict, rule)
        for token, number in forced.items():
            if token not in bag or type(number) is not int or not 0 <= number <= bag[token]:
                raise _impossible(rule, kind, f"{number!r} of {token!r} cannot come from a bag of {_counted(bag)}")
        rest = [token for token, number in bag.items() if token not in forced for _ in range(number)]
        missing = count - sum(forced.values())
        if not 0 <= missing <= len(rest):
            raise _impossible(rule, kind, f"exactly {count} tokens are drawn from a bag of {_counted(bag)}")
        drawn = Counter(self._random.sample(rest, missing))
        return {token: forced.get(token, drawn[token]) for token in bag}

    def roll(self, kind: str, faces: Sequence[int], rule: str) -> int:
        """The face that a die with these `faces` shows, each as likely as the others; a forced number is one of them.

        Several dice are rolled one after the other.
        """
        if not self._forced:
            face: int = self._random.sample(faces, 1)[0]
            return face
        return int(_taken(list(faces), self._next(kind, int, rule), kind, rule))

    def one(self, kind: str, items: Sequence[str], rule: str) -> str:
        """One of `items`, each as likely as the others; a forced name is one of them."""
        if not self._forced:
            picked: str = self._random.sample(items, 1)[0]
            return picked
        return str(_taken(list(items), self._next(kind, str, rule), kind, rule))

    def _next(self, kind: str, shape: type, rule: str) -> Any:
        if not self._forced:
            return shape()
        found, value = self._forced[0]
        if found != kind:
            raise _impossible(rule, found, f"the next result needed is {kind!r}")
        if not isinstance(value, shape) or isinstance(value, bool):
            raise NotUnderstood(f"chance {kind!r}: expected a {SHAPES[shape]}.")
        self._forced, self._current = self._forced[1:], None
        return value


def _taken(rest: list[Any], item: Any, kind: str, rule: str) -> Any:
    """Takes `item` out of `rest`. JSON's true and 1.0 are not the number 1."""
    for index, other in enumerate(rest):
        if type(other) is type(item) and other == item:
            return rest.pop(index)
    raise _impossible(rule, kind, f"{item!r} is none of what is left: {', '.join(map(str, rest))}")


def _counted(bag: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {token}" for token, number in bag.items())


def _impossible(rule: str, kind: str, why: str) -> Impossible:
    return Impossible(rule, f"The forced result {kind!r} is impossible: {why}.")
