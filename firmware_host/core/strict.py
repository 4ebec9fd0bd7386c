"""Strict decoding of untrusted input: bytes or text in, a plain value out, one type of error.

Accepted JSON can be encoded and decoded again without a change: no lone surrogates, no numbers that lose digits, no
duplicate names in an object, no endless nesting.
"""

from __future__ import annotations

import json
import tomllib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from math import copysign, isfinite
from typing import Any, Literal

DEEPEST = 32
"""Maximum nesting. Our own messages have eight levels."""
INTEGER_BITS = 64
"""Bits of an integer with its sign: what every JSON reader supports."""

Fault = Literal["too-large", "empty", "not-text", "not-json", "surrogate", "too-deep", "number", "twice"]
_WORDS: Mapping[Fault, str] = {
    "too-large": "is too long",
    "not-text": "is not JSON in UTF-8",
    "empty": "is empty",
    "not-json": "is not JSON",
    "surrogate": "holds half of a surrogate pair",
    "too-deep": "is nested too deeply",
    "number": "has a number that is out of range, or minus zero",
    "twice": "says {name!r} twice in one object",
}


class Malformed(Exception):
    """Input that is not accepted.

    `fault` says why: `too-large`, `empty`, `not-text` (not UTF-8), `not-json`, `surrogate` (half of a pair),
    `too-deep`, `number` (out of range, or minus zero), or `twice` (the field `name` is duplicate).

    Converted to text, it is English and continues a sentence after the name of the input: "is nested too deeply".
    """

    def __init__(self, fault: Fault, name: str = "") -> None:
        super().__init__(_WORDS[fault].format(name=name))
        self.fault, self.name = fault, name


def decode(data: bytes, largest: int, deepest: int = DEEPEST, bits: int = INTEGER_BITS) -> Any:
    """Return the value of a JSON text with at most `largest` bytes, `deepest` levels of brackets, and integers of
    `bits`, including the sign. Raises `Malformed`.
    """
    if len(data) > largest:
        raise Malformed("too-large")
    if not data.strip():
        raise Malformed("empty")
    try:
        # The standard decoder silently keeps the last of two equal names.
        value = json.loads(data.decode(), object_pairs_hook=_without_repeats, parse_constant=_refuse)
    except UnicodeDecodeError:
        raise Malformed("not-text") from None
    except RecursionError:
        raise Malformed("too-deep") from None
    except json.JSONDecodeError:
        raise Malformed("not-json") from None
    except ValueError:  # Python raises it for an integer with thousands of digits
        raise Malformed("number") from None
    _check(value, deepest, 1 << (bits - 1))
    return value


def _check(value: Any, deepest: int, most: int) -> None:
    """Raise `Malformed` if a value is too deep, or cannot be encoded again. `most` is the largest integer."""
    # Level by level: recursion would let deeply nested input exhaust the stack.
    level = [value]
    for _ in range(deepest + 1):
        level = [part for it in level for part in _parts(it, most)]
        if not level:
            return
    raise Malformed("too-deep")


def _parts(value: Any, most: int) -> Iterator[Any]:
    """Yield the items of a list, or the names and values of an object. Raises `Malformed` for a bad plain value."""
    if isinstance(value, dict):
        yield from value
        yield from value.values()
    elif isinstance(value, list):
        yield from value
    elif isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Malformed("surrogate") from None
    elif type(value) is float:
        # Minus zero equals zero, so it could be encoded differently the next time.
        if not isfinite(value) or (value == 0 and copysign(1, value) < 0):
            raise Malformed("number")
    elif type(value) is int and not -most <= value < most:
        raise Malformed("number")


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise Malformed("twice", name)
        members[name] = value
    return members


def _refuse(constant: str) -> None:
    """Refuse `NaN` and `Infinity`, which the standard library reads."""
    raise Malformed("not-json")


class NotUtf8(ValueError):
    """A file in another encoding. The message continues after the file's name, and names the remedy."""


GZIP = b"\x1f\x8b"
_NO_TEXT = {
    GZIP: "compressed with gzip",
    b"%PDF-": "a PDF",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"PK\x03\x04": "a ZIP archive",
}
"""The first bytes of kinds of files that people may have renamed, with the names of these kinds."""


def other_kind(file: bytes) -> str | None:
    """Return the kind of a file that can't be text, as the end of a sentence; None for text and unknown files."""
    return next((kind for head, kind in _NO_TEXT.items() if file.startswith(head)), None)


def is_utf16(file: bytes) -> bool:
    """Return whether a file is UTF-16. No other text contains zero bytes; the head of a compressed file does."""
    return file.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or (b"\0" in file[:4] and not file.startswith(GZIP))


def text_of(file: bytes) -> str:
    """Return the text of a file in UTF-8, without the byte order mark that some editors write. Raises `NotUtf8`."""
    if is_utf16(file):
        raise NotUtf8("not text in UTF-8, but UTF-16: save it as UTF-8")
    if kind := other_kind(file):
        raise NotUtf8(f"not text, but {kind}: save it as text in UTF-8")
    try:
        return file.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = file.count(b"\n", 0, error.start) + 1
        raise NotUtf8(f"not text in UTF-8 (see line {line}): save it as UTF-8") from error


def strip_bom(file: bytes) -> bytes:
    """Return a gettext catalogue without a byte order mark; its own header names its encoding. Raises `NotUtf8`."""
    if is_utf16(file):
        text_of(file)
    return file.removeprefix(BOM_UTF8)


_MOST_DOTS = 4_000_000
"""Maximum of the squared numbers of dots per line of TOML, added up over all lines.

`tomllib` stores each beginning of a dotted key: 40,000 dots take gigabytes.
"""


def decode_toml(file: bytes) -> dict[str, Any]:
    """Return a TOML document. Raises `NotUtf8`, or a `ValueError` whose message continues after the file's name."""
    text = text_of(file)
    try:
        if sum(line.count(".") ** 2 for line in text.split("\n")) > _MOST_DOTS:
            raise RecursionError
        document = tomllib.loads(text)
        # Python can read larger integers, but can't convert them to a float or to text.
        if any(value.bit_length() >= INTEGER_BITS for value in _integers(document)):
            raise ValueError(f"a number of more than {INTEGER_BITS} bits")
        return document
    except RecursionError:
        raise ValueError("too deeply nested TOML") from None
    except ValueError as error:
        raise ValueError(f"not TOML ({error})") from error


def _integers(value: object) -> Iterator[int]:
    """Yield all integers in a TOML value."""
    if isinstance(value, int):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _integers(part)
