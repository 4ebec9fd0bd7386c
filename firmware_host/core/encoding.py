"""Pictures as JSON text: encoded once, compared often, and translated without encoding again.

Encoded JSON has a hole for every `Text` in it. A translation fills the holes; the bytes between them are shared by all
languages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

import msgspec

from engine.text import Text
from firmware_host.core.sizes import LARGEST_PICTURE, check_translatable, json_size

Translate = Callable[[Text], str]
"""Translates a sentence or a word into the language of a screen; `str` leaves it in English."""

TEXT_MARK = b"\0"
"""Marks the place of a text. It is unambiguous, because JSON escapes control characters in strings."""
_SIZE = attrgetter("size")


class Fragment:
    """An object as encoded JSON that can be completed in any language. Immutable."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """`data` contains JSON values and `Text`.

        Raises `TypeError` for other values, and `ValueError` for invalid text.
        """
        self._texts: list[Text] = []
        self._pieces = msgspec.json.encode(data, enc_hook=self._hole).split(TEXT_MARK)
        # Half a surrogate pair fails here, not later when the picture is sent to a screen.
        "".join(self._texts).encode()
        self._members: dict[Translate, bytes] = {}
        self.size = sum(map(len, self._pieces)) + sum(map(len, self._texts))
        """The approximate number of bytes."""

    def _hole(self, value: Any) -> msgspec.Raw:
        if not isinstance(value, Text):
            raise TypeError(f"a picture holds no {type(value).__name__}")
        self._texts.append(value)
        check_translatable(value)
        return msgspec.Raw(TEXT_MARK)

    def same(self, other: PicturePart) -> bool:
        """Return whether this and another object are equal in every language."""
        if self is other:
            return True
        if not isinstance(other, Fragment):
            return False
        return self._pieces == other._pieces and all(map(_same_text, self._texts, other._texts))

    def members(self, translate: Translate) -> bytes:
        """Return the members of the object in a language, without its braces."""
        if translate not in self._members:
            texts = [msgspec.json.encode(translate(text)) for text in self._texts]
            encoded = b"".join(chain(*zip(self._pieces, [*texts, b""], strict=True)))
            self._members[translate] = encoded[1:-1]
        return self._members[translate]


class FragmentLog:
    """An object with the member `log`, a list of objects, which are encoded one by one."""

    def __init__(self, items: Sequence[Fragment]) -> None:
        self._items = tuple(items)
        self._members: dict[Translate, bytes] = {}
        self.size = sum(map(_SIZE, self._items))
        """The approximate number of bytes."""

    def same(self, other: PicturePart) -> bool:
        """Return whether this and another log are equal in every language."""
        if self is other:
            return True
        if not isinstance(other, FragmentLog) or len(self._items) != len(other._items):
            return False
        return all(map(Fragment.same, self._items, other._items))

    def members(self, translate: Translate) -> bytes:
        """Return the member in a language."""
        if translate not in self._members:
            # Avoid a method call for each item, which would take longer than everything else: usually only the last
            # item is new.
            known = [item._members.get(translate) or item.members(translate) for item in self._items]
            items = b"{" + b"},{".join(known) + b"}" if known else b""
            self._members[translate] = b'"log":[' + items + b"]"
        return self._members[translate]


PicturePart = Fragment | FragmentLog


def whole_picture(data: Mapping[str, Any]) -> Fragment:
    """Return the picture as a whole, encoded. Raises an error of any type if it cannot be sent, or is too large."""
    json_size(data, LARGEST_PICTURE)  # check the size before encoding, which needs more memory
    return Fragment(data)


class EncodedPicture:
    """A JSON object whose members are those of all `parts`, in order; no two have a member of the same name."""

    def __init__(self, *parts: PicturePart) -> None:
        self._parts = parts
        self._texts: dict[Translate, str] = {}

    def same(self, other: EncodedPicture) -> bool:
        """Return whether this and another picture are equal in every language."""
        return same_parts(self._parts, other._parts)

    @property
    def languages(self) -> tuple[Translate, ...]:
        """The languages in which the picture was read."""
        return tuple(self._texts)

    def text(self, translate: Translate) -> str:
        """Return the picture as JSON text in a language."""
        if translate not in self._texts:
            members = (part.members(translate) for part in self._parts)
            self._texts[translate] = (b"{" + b",".join(filter(None, members)) + b"}").decode()
        return self._texts[translate]


def same_parts(some: Sequence[PicturePart], others: Sequence[PicturePart]) -> bool:
    """Return whether this and another picture have equal parts in every language."""
    return len(some) == len(others) and all(one.same(other) for one, other in zip(some, others, strict=True))


def _same_text(one: Text, other: Text) -> bool:
    return one is other or (
        (one.text, one.many) == (other.text, other.many)
        and one.values.keys() == other.values.keys()
        and all(_same_value(value, other.values[name]) for name, value in one.values.items())
    )


def _same_value(one: str | int, other: str | int) -> bool:
    if isinstance(one, Text) and isinstance(other, Text):
        return _same_text(one, other)
    # Compare the types too: `True == 1`, but their JSON differs.
    return type(one) is type(other) and one == other
