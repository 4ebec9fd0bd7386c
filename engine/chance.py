"""Chance as a parameter: every random result of a game comes from here, and tests and replays can force it.

A forced result is a pair `(kind, value)`. Forced results are used in order. If the next one doesn't fit the draw, it is
refused with the rule of the draw; otherwise it could silently force a later draw. Draws without a forced result are
random.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol

from engine.refusal import NotUnderstood, Refused

SECRET_BYTES = 32
WORD = 32  # Number of bits that one call of `Random` draws
SHAPES = {list: "list", dict: "mapping", int: "whole number", str: "name"}
"""The name of a forced result in an error, by its type."""


class Impossible(Refused):
    """A forced result that the draw does not allow."""


class Moment:
    """A state between two draws.

    `word` is the random word that a `Random` drew next, and `after` is the state after it.
    """

    after: Moment | None = None
    word = 0


ChanceMark = tuple[tuple[tuple[str, Any], ...], Moment]  # The forced results at a moment, for `Chance.rewind`


class _Words(Random):
    """Draws words from `source`, and repeats them from any earlier state. `at` is the state before the next draw."""

    # Reading the state of a `Random` takes longer than most acts, so the drawn words are stored as long as a mark
    # refers to them.
    def __init__(self, source: Random) -> None:
        self._source = source
        self.at = Moment()

    def getrandbits(self, k: int, /) -> int:
        now = self.at
        if now.after is None:
            now.word, now.after = self._source.getrandbits(WORD), Moment()
        self.at = now.after
        return now.word >> WORD - k if k <= WORD else now.word | self.getrandbits(k - WORD) << WORD


class Source(Protocol):
    """The three methods of `random.Random` that `Chance` uses."""

    def choice(self, seq: Sequence[Any], /) -> Any:
        """Return one element of `seq`."""

    def shuffle(self, x: list[Any], /) -> None:
        """Shuffle `x` in place."""

    def sample(self, population: Sequence[Any], k: int, /) -> list[Any]:
        """Return `k` different elements of `population`, in random order."""


class Chance:
    """The random results of a game: forced ones first, then draws from `random` (seeded, or the operating system's).

    The following rolls a die whose first result is forced::

        chance = Chance(Random(7), [("die", 6)])
        chance.roll("die", range(1, 7), "T-3")  # 6
        chance.roll("die", range(1, 7), "T-3")  # random
    """

    def __init__(self, random: Random, forced: Sequence[tuple[str, Any]] = ()) -> None:
        self._words = _Words(random)
        # Compare the exact type: a `SystemRandom` must not repeat anything.
        self._first = self._words if type(random) is Random else random
        self._source: Source = self._first
        self._forced = tuple(forced)

    def secret(self) -> bytes:
        """Return bytes to seed another source; they can't be guessed without knowing the first source."""
        self._to_draw()
        # `draw_from` may have set a source whose seed is published after the game.
        return self._first.randbytes(SECRET_BYTES)

    def draw_from(self, source: Source) -> None:
        """Draw from `source` from now on. Marks that were made before can't go back to it."""
        self._source, self._words.at = source, Moment()

    def force(self, results: Sequence[tuple[str, Any]]) -> None:
        """Force `results` next, and drop forced results that are still unused."""
        self._forced = tuple(results)

    def mark(self) -> ChanceMark:
        """Return the current state, for `rewind`. Two marks are equal if nothing was drawn or forced between them."""
        return self._forced, self._words.at

    def rewind(self, mark: ChanceMark) -> None:
        """Go back to `mark`. Only a `random.Random` repeats its draws afterwards."""
        self._forced, self._words.at = mark

    def _to_draw(self) -> Source:
        """Return the source, for a draw."""
        if self._source is not self._words:
            self._words.at = Moment()
        return self._source

    def order(self, kind: str, items: Sequence[Any], rule: str) -> tuple[Any, ...]:
        """Return all `items` shuffled, top first.

        A forced list names the top ones. `rule` is the rule that a refusal names.
        """
        forced = self._next(kind, list, rule)
        remaining = list(items)
        top = [_take_from(remaining, item, kind, rule) for item in forced]
        self._to_draw().shuffle(remaining)
        return (*top, *remaining)

    def assign(self, kind: str, keys: Sequence[str], values: Sequence[str], rule: str) -> dict[str, str]:
        """Return a different value for each key. A forced mapping sets some of them."""
        forced = self._next(kind, dict, rule)
        if any(key not in keys for key in forced):
            raise _impossible(rule, kind, f"the keys are {', '.join(keys)}")
        remaining = list(values)
        assigned = {key: _take_from(remaining, value, kind, rule) for key, value in forced.items()}
        self._to_draw().shuffle(remaining)
        return {key: assigned[key] if key in assigned else remaining.pop() for key in keys}

    def tokens(self, kind: str, bag: Mapping[str, int], count: int, rule: str) -> dict[str, int]:
        """Draw `count` tokens from `bag` (token -> number) without replacement. Return how many of each token.

        A forced mapping sets the numbers of the tokens that it names; the rest is drawn from the other tokens.
        """
        forced = self._next(kind, dict, rule)
        for token, number in forced.items():
            if token not in bag or type(number) is not int or not 0 <= number <= bag[token]:
                raise _impossible(rule, kind, f"{number!r} of {token!r} cannot come from a bag of {_token_counts(bag)}")
        # Forced numbers are exact, so the random part of the draw uses only the other tokens.
        unforced = [token for token, number in bag.items() if token not in forced for _ in range(number)]
        missing = count - sum(forced.values())
        if not 0 <= missing <= len(unforced):
            raise _impossible(rule, kind, f"exactly {count} tokens are drawn from a bag of {_token_counts(bag)}")
        drawn = self._to_draw().sample(unforced, missing)
        return {token: forced.get(token, drawn.count(token)) for token in bag}

    def roll(self, kind: str, faces: Sequence[int], rule: str) -> int:
        """Roll one die with these `faces`.

        A forced number must be one of the faces. Roll several dice one after another.
        """
        return int(self._pick(kind, faces, int, rule))

    def one(self, kind: str, items: Sequence[str], rule: str) -> str:
        """Return one of `items` at random. A forced name must be one of them."""
        return str(self._pick(kind, items, str, rule))

    def _pick(self, kind: str, items: Sequence[Any], shape: type, rule: str) -> Any:
        if not self._forced:
            return self._to_draw().choice(items)
        return _take_from(list(items), self._next(kind, shape, rule), kind, rule)

    def _next(self, kind: str, shape: type, rule: str) -> Any:
        if not self._forced:
            return shape()
        forced_kind, value = self._forced[0]
        if forced_kind != kind:
            raise _impossible(rule, forced_kind, f"the next result needed is {kind!r}")
        # In Python, True is an `int`. In JSON, `true` is not a number.
        if not isinstance(value, shape) or isinstance(value, bool):
            raise NotUnderstood(f"chance {kind!r}: expected a {SHAPES[shape]}.")
        self._forced = self._forced[1:]
        return value


def _take_from(remaining: list[Any], item: Any, kind: str, rule: str) -> Any:
    """Remove `item` from `remaining` and return it.

    Values of different types are different: true and 1.0 are not the number 1.
    """
    for index, other in enumerate(remaining):
        if type(other) is type(item) and other == item:
            return remaining.pop(index)
    raise _impossible(rule, kind, f"{item!r} is none of what is left: {', '.join(map(str, remaining))}")


def _token_counts(bag: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {token}" for token, number in bag.items())


def _impossible(rule: str, kind: str, why: str) -> Impossible:
    return Impossible(rule, f"The forced result {kind!r} is impossible: {why}.")
