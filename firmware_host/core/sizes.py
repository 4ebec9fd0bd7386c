"""Limits for what a game returns: no game fills the memory of the table, or makes an answer too large to send.

All numbers are several times what the shipped games need. `guarded.py` checks results, and `installed.py` checks files.
"""

from __future__ import annotations

import dataclasses
import errno
from collections.abc import Iterable, Mapping
from enum import Enum
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, Final

import msgspec

from engine.text import Text
from hardware.files import read_regular

LONGEST_NAME: Final = 100
"""Characters of a name, for programs (a seat, a space, a board) or for people (a miniature, its owner)."""
LONGEST_LABEL: Final = 300
"""Characters of a label: a title, the caption of an act, a line of a summary."""
LONGEST_SENTENCE: Final = 4_000
"""Characters of a sentence."""
LONGEST_FAULTS: Final = 50_000
"""Characters of all that is wrong with a map."""
MOST_SEATS: Final = 30
"""Seats of a game: as many as can have a screen with the default of `max_streams`; see `least_streams`."""
MOST_LINES: Final = 500
"""Lines of a summary, cards that lie open, figures of a finished game."""
MOST_ACTS: Final = 100_000
"""Legal acts of a seat."""
MOST_TOLD: Final = 2_000
"""Events in the telling of one act."""
MOST_MINIATURES: Final = 100
"""Miniatures of a game. Piece tracking compares each with all others, and one sentence can name all of them."""
MOST_BOARDS: Final = 32
"""Boards that a game makes. The lobby shows facts about each, so all are made when the game is chosen."""
MOST_PLACES: Final = 5_000
"""Cues for the lamps, and the spaces of all of them together."""
LARGEST_FACTS: Final = 512 * 1024
"""Bytes, as JSON, of a game's facts for the lobby, of a picture, and of one event."""
LARGEST_DETAILS: Final = 16 * 1024
"""The same for the details of an event. The limit is lower, because a picture contains the details of many events."""
LARGEST_MAP: Final = 8 << 20
"""Bytes of a generated board as JSON. A grid of 600 spaces, the most that the builder makes, has 84 KB."""
LARGEST_PICTURE: Final = 2 << 20
"""Bytes, as JSON, of a picture with everything that a screen gets with it. The shipped games need 80 KB."""
LARGEST_FILE: Final = 1_000_000
"""Bytes of a page of rules, a lesson, a script or a catalogue of words."""
LARGEST_NUMBER: Final = 2**53
"""The largest number that a browser reads exactly."""
DEEPEST_TEXT: Final = 30
"""Levels of texts in a text: translating each level takes a nested call."""
MOST_TEXTS: Final = 10_000
"""Texts in a text."""
DEEPEST_LABEL: Final = 10
"""Levels of texts in a name or a label. The table inserts these into its own texts."""
MOST_FILES: Final = 100
"""Files of one kind in the folder of a game."""
LARGEST_FILES: Final = 4 << 20
"""Bytes of all files of one kind in the folder of a game: their content stays in memory."""
MOST_SENTENCES: Final = 20
"""Sentences of one act or round that are shown together."""


_PLAIN: Final = frozenset({str, int, float, bool, type(None)})


class TooLarge(Exception):
    """A value of a game is larger than a table can handle."""


def check_text(text: str, most: int) -> str:
    """Return a text of at most `most` characters.

    Raises `TooLarge` for a longer one, and `TypeError` for a subclass, whose methods could run code of the game.
    """
    if type(text) not in (str, Text):
        raise TypeError
    if str.__len__(text) > most:
        raise TooLarge(f"more than {most} characters")
    str.encode(text)  # half of a surrogate pair cannot be sent
    # One sentence can have the names of all miniatures in it.
    return check_translatable(text, *((DEEPEST_LABEL, most // 3) if most <= LONGEST_LABEL else ()))


def check_translatable(text: str, deepest: int = DEEPEST_TEXT, most: int = MOST_TEXTS) -> str:
    """Return a text that can be translated.

    Raises `TooLarge` for texts that lie too deep in one another, and `TypeError` for values in them that are not words
    or numbers.
    """
    if not isinstance(text, Text) or not text.values:  # most texts are plain
        return text
    # Level by level: recursion would let deeply nested texts exhaust the stack.
    level: list[str | int] = [text]
    texts = 0
    for _ in range(deepest):
        inside = [value for text in level if isinstance(text, Text) for value in text.values.values()]
        if not inside:
            return text
        texts += len(inside)
        if texts > most:
            break
        if not all(type(value) in (str, Text, int, bool) for value in inside):
            raise TypeError
        level = inside
    raise TooLarge("too many texts in one another")


def at_most(values: Iterable[Any], most: int) -> list[Any]:
    """Return at most `most` values as a list. Raises `TooLarge` if there are more, without reading any further."""
    taken = list(islice(values, most + 1))
    if len(taken) > most:
        raise TooLarge(f"more than {most} values")
    return taken


def json_size(value: Any, most: int = LARGEST_FACTS) -> int:
    """Return how many bytes a value has as JSON. Raises `TooLarge` for too many, and `TypeError` for what is not JSON.

    One object can be in a game's value many times, so the JSON of a small value can fill the memory. This function
    counts bytes without creating the JSON, and stops at the limit.
    """
    left = most
    waiting = [value]
    while waiting:
        value = waiting.pop()
        kind = type(value)
        # Even the smallest value takes a character and a comma.
        left -= 2
        # Most values are of these types.
        if kind is str:
            left -= len(value)
        elif kind is dict or kind is list or kind is tuple:
            if len(value) <= left:
                waiting += value
                if kind is dict:
                    waiting += value.values()
            else:
                left = -1
        elif kind not in _PLAIN:
            left -= str.__len__(value) if isinstance(value, str) else 0
            left -= memoryview(value).nbytes if isinstance(value, bytes | bytearray | memoryview) else 0
            waiting += _parts(value, left)
        if left < 0:
            raise TooLarge(f"more than {most} bytes as JSON")
    return most - left


def _parts(value: Any, most: int) -> Iterable[Any]:
    """Return the parts of a value of any other type than plain values, lists and dicts."""
    if isinstance(value, Text):
        check_translatable(value)
    elif isinstance(value, Mapping):
        return [part for pair in at_most(value.items(), most) for part in pair]
    elif isinstance(value, list | tuple | set | frozenset):
        return at_most(value, most)
    elif isinstance(value, msgspec.Struct):
        return (*value.__struct_encode_fields__, value.__struct_config__.tag, *msgspec.structs.astuple(value))
    elif dataclasses.is_dataclass(value):
        return [part for it in dataclasses.fields(value) for part in (it.name, getattr(value, it.name))]
    elif isinstance(value, Enum):
        return [value.value]
    elif value is not msgspec.UNSET and not isinstance(value, str | int | float | bytes | bytearray | memoryview):
        raise TypeError(f"a {type(value).__name__} is no JSON")
    return ()


def check_json_data(data: Any) -> None:
    """Raise `TypeError` if data cannot be sent as JSON: because of other types, huge numbers, or NaN."""
    if isinstance(data, Mapping):
        if not all(isinstance(name, str | int) for name in data):
            raise TypeError
        check_json_data([*data.values()])
    elif isinstance(data, list | tuple):
        for value in data:
            check_json_data(value)
    elif isinstance(data, int | float):
        if not abs(data) <= LARGEST_NUMBER:  # NaN is not in this range either
            raise TypeError
    elif not isinstance(data, str | None):
        raise TypeError


def files(folder: Path, pattern: str) -> list[Path]:
    """Return the first files of one kind in a folder, by name, up to `MOST_FILES` and `LARGEST_FILES`. Names that are
    not UTF-8 are left out.
    """
    found = sorted(path for path in folder.glob(pattern) if is_utf8(path.name))[:MOST_FILES]
    sums = accumulate(map(_size, found))
    return [path for path, size in zip(found, sums, strict=True) if size <= LARGEST_FILES]


def _size(path: Path) -> int:
    """Return the bytes of a file; 0 if it cannot be read or is too large, which is reported when the file is read."""
    try:
        size = path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0
    return 0 if size > LARGEST_FILE else size


def is_utf8(name: str) -> bool:
    """Return whether the name of a file can be sent: Python represents bytes that are not UTF-8 as lone surrogates."""
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def whole_file(path: Path) -> bytes:
    """Return the content of a game's file. Raises `TooLarge` if it is too large, and `OSError` if it is not a file."""
    try:
        return read_regular(path, LARGEST_FILE)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise TooLarge from error
        raise


def read_code(path: Path) -> bytes:
    """Return the code in a file; empty if it can't be read, such as the broken link that an editor makes next to an
    open file.
    """
    try:
        return whole_file(path)
    except (OSError, TooLarge):
        return b""


def of_text(value: Any) -> str:
    """Return a text for the JSON encoder. Raises `TypeError` for anything else."""
    if not isinstance(value, Text):
        raise TypeError(type(value).__name__)
    return str.__str__(check_translatable(value))
