"""What is said to people: English text that remembers how it was made, so that it can be said in any language.

The rules speak English, and whoever has a catalogue says the same in another language (`web_panel/language.py`). A
sentence is one whole text with places in it, never pieces put together: other languages order and bend them otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")
"""`{name}` in a text; a translation may ask for a case of the word that comes there: `{name:gen}`."""
ENDS = (".", "!", "?", "…")


class Text(str):
    """A text, filled: it is the English for it. `values` are words (`Text` too), names and numbers.

    A text with a `number` in it may have a second form, `many`, for all numbers but one. A sentence that begins with a
    word that was filled in begins with a capital.
    """

    text: str
    many: str
    values: Mapping[str, str | int]

    __slots__ = ("many", "text", "values")

    def __new__(cls, text: str, many: str = "", /, **values: str | int) -> Text:
        """`text` with its places filled."""
        template = many if many and values.get("number") != 1 else text
        said = super().__new__(cls, filled(template, values) if values else template)
        said.text, said.many, said.values = text, many, values
        return said

    def with_(self, **values: str | int) -> Text:
        """The same text with its places filled: for texts that stand in a table."""
        return Text(self.text, self.many, **values)


def filled(text: str, values: Mapping[str, str | int]) -> str:
    """A text in English with its places filled; a place without a value is left as it is."""
    whole = PLACE.sub(lambda place: str(values.get(place[1], place[0])), text)
    return begun(text, whole, values)


def begun(text: str, whole: str, values: Mapping[str, str | int]) -> str:
    """`whole`, which was made of `text`, with a capital if a word has come to the beginning of a sentence."""
    first = PLACE.match(text)
    if first is None or not text.endswith(ENDS) or not isinstance(values.get(first[1]), Text):
        return whole
    return whole[:1].upper() + whole[1:]


def listed(names: Iterable[str]) -> str:
    """`A, B and C`. There has to be one at least."""
    *first, last = names
    return Text("{first} and {last}", first=row(first), last=last) if first else last


def row(names: Iterable[str]) -> str:
    """`A, B, C`: names one after another. There has to be one at least."""
    return _joined(Text("{first}, {next}"), "next", [*names])


def _joined(pair: Text, second: str, names: Sequence[str]) -> str:
    """Put names together by halves, so that a long list is not deep: each level of it is translated by a call."""
    if len(names) < 2:
        return names[0]
    half = len(names) // 2
    parts = {"first": _joined(pair, second, names[:half]), second: _joined(pair, second, names[half:])}
    return pair.with_(**parts)


def way(spaces: Iterable[str]) -> str:
    """`A – B – C`: one space after another."""
    return " – ".join(spaces)


def either(names: Iterable[str]) -> str:
    """`A or B or C`. There has to be one at least."""
    return _joined(Text("{first} or {other}"), "other", [*names])
