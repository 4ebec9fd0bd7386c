"""Reads JSON from strangers: bytes in, a plain value out, and one error for whatever is not as it should be.

What gets through can be written as JSON again and read back as the same: no lone surrogate, no number that a
computer rounds, no name that is said twice in one object, nothing that is nested without end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from math import copysign
from typing import Any, Literal

import msgspec

DEEPEST = 32
"""Brackets within brackets. Ours have eight."""
BITS = 64
"""Of an integer, with its sign: what every reader of JSON agrees on."""

Fault = Literal["too-large", "not-text", "not-json", "too-deep", "number", "twice"]
_WORDS: Mapping[Fault, str] = {
    "too-large": "is too long",
    "not-text": "is no JSON in UTF-8",
    "not-json": "is no JSON, or holds half of a surrogate pair",
    "too-deep": "is nested too deeply",
    "number": "has a number that is out of range, or minus zero",
    "twice": "says {name!r} twice in one object",
}


class Malformed(Exception):
    """It cannot be read. `fault` says why: `too-large`, `not-text` (no UTF-8), `not-json` (a lone surrogate too),
    `too-deep`, `number` (out of range, or minus zero), or `twice` (the field `name` is there two times in one object).
    As text it is what follows the name of what was read, in English, for programs: "is nested too deeply".
    """

    def __init__(self, fault: Fault, name: str = "") -> None:
        super().__init__(_WORDS[fault].format(name=name))
        self.fault, self.name = fault, name


def decode(data: bytes, largest: int, deepest: int = DEEPEST, bits: int = BITS) -> Any:
    """The value that `data` is the JSON of: at most `largest` bytes, `deepest` brackets within each other, and integers
    of `bits`, the sign included.

    Raises `Malformed`.
    """
    if len(data) > largest:
        raise Malformed("too-large")
    try:
        data.decode()
        found = msgspec.json.decode(data)
    except UnicodeDecodeError:
        raise Malformed("not-text") from None
    except RecursionError:
        raise Malformed("too-deep") from None
    except msgspec.ValidationError:  # nothing is asked of the value but that its numbers can be told
        raise Malformed("number") from None
    except msgspec.DecodeError:
        raise Malformed("not-json") from None
    _check(found, deepest, 1 << (bits - 1))
    if b'"' in data:
        json.loads(data, object_pairs_hook=_once)
    return found


def _check(value: Any, deepest: int, most: int) -> None:
    """Raises `Malformed` where a value is too deep, or holds what cannot be written again. `most` bounds integers."""
    level = [value]
    for _ in range(deepest + 1):
        level = [part for it in level for part in _parts(it, most)]
        if not level:
            return
    raise Malformed("too-deep")


def _parts(value: Any, most: int) -> Iterator[Any]:
    """What a list or an object holds, its names too. Raises `Malformed` for a plain value that is not to be."""
    if isinstance(value, dict):
        yield from value
        yield from value.values()
    elif isinstance(value, list):
        yield from value
    elif isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Malformed("not-text") from None
    elif (type(value) is int and not -most <= value < most) or (isinstance(value, float) and _minus_zero(value)):
        raise Malformed("number")


def _minus_zero(value: float) -> bool:
    return value == 0 and copysign(1, value) < 0


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise Malformed("twice", name)
            seen.add(name)
    return found
