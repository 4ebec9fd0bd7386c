"""Text for people: an English string that keeps its template and values, so that it can be translated.

The rules use English, and a catalogue translates a text (`web_panel/language.py`). A sentence is one whole template
with places to fill, never fragments joined together: other languages order and inflect them differently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")
"""`{name}` in a text. A translation may ask for a grammatical case of the word in that place: `{name:gen}`."""
SENTENCE_ENDS = (".", "!", "?", "…")
SENTENCE_BREAKS = (". ", "! ", "? ")


class Text(str):
    """A string in English, made from a template. `values` are words (other texts, too), names and numbers.

    `many` is the plural form of a text with the value `number`, used for all numbers except one::

        Text("{who} has {number} step.", "{who} has {number} steps.", who=Text("red"), number=2)  # "Red has 2 steps."

    A sentence that begins with a filled-in text gets a capital letter.
    """

    text: str
    many: str
    values: Mapping[str, str | int]

    __slots__ = ("many", "text", "values")

    def __new__(cls, text: str, many: str = "", /, **values: str | int) -> Text:
        """Fill the places of `text`."""
        # The string itself is English; the template and the values are kept for translations.
        template = many if many and values.get("number") != 1 else text
        filled = super().__new__(cls, fill_places(template, values) if values else template)
        filled.text, filled.many, filled.values = text, many, values
        return filled

    def with_(self, **values: str | int) -> Text:
        """Return this text with its places filled. Use it for texts that are stored in a table."""
        return Text(self.text, self.many, **values)


def fill(text: Text, fields: object, words: Mapping[str, Callable[[Any], str | int]]) -> Text:
    """Fill the places of a text from an event or command.

    `words` says how to fill a place from `fields`; any other place takes the field of the same name::

        fill(Text("{who} walks to {to}."), Walked("red", "a2"), {"who": lambda event: called(event.seat)})
    """
    names = [place.name for template in (text.text, text.many) for place in _places(template)[0]]
    return text.with_(**{name: words[name](fields) if name in words else getattr(fields, name) for name in names})


def addressed(text: Text, own: Mapping[str, Text], yours: Mapping[tuple[str, str], Text]) -> Text:
    """Return a sentence addressed to the person it is about: "You draw a card.", "Sniper 1 hits your Assassin!".

    `own` maps names of the person's things to their replacements. `yours` maps a template and the place of such a name
    to another template, if the rest of the sentence changes, too::

        addressed(sentence, {"player 2": Text("you")}, {("{seat} draws {card}.", "seat"): Text("You draw {card}.")})
    """
    template, changed = text, dict[str, Text]()
    for place, value in text.values.items():
        if isinstance(value, Text):
            said = own.get(value) or addressed(value, own, yours)
            if said is not value:
                changed[place] = said
            template = yours.get((text.text, place), template) if value in own else template
    return template.with_(**{**text.values, **changed}) if changed else text


def addressed_to_each(
    text: Text, own: Mapping[str, Mapping[str, Text]], yours: Mapping[tuple[str, str], Text]
) -> dict[str, Text]:
    """Return a sentence for each seat that is addressed in it (see `addressed`), by seat."""
    return {seat: said for seat, names in own.items() if (said := addressed(text, names, yours)) is not text}


Wording = Text | tuple[str, Mapping[Any, Text]]
"""The text of a type of event or command, or a field's name with a text for each value: `("hit", {True: …})`."""


def text_for(thing: object, wordings: Mapping[Any, Wording]) -> Text:
    """Return the text of an event or command, with its places still open, from a table by type."""
    wording = wordings[type(thing)]
    return wording if isinstance(wording, Text) else wording[1][getattr(thing, wording[0])]


def fill_places(
    text: str, values: Mapping[str, str | int], say: Callable[[str, str], str] = lambda value, case: value
) -> str:
    """Fill the places of a text. A place without a value stays as it is.

    `say` translates a value into the grammatical case that its place asks for. A sentence that begins with a `Text`
    gets a capital letter. The first letter of a label or other text that is not a sentence stays as it is.
    """
    places, end = _places(text)
    parts: list[str] = []
    for place in places:
        value = values.get(place.name, place.whole)
        wording = say(value, place.case) if isinstance(value, str) else str(value)
        if place.begins and isinstance(value, Text):
            wording = wording[:1].upper() + wording[1:]
        parts += place.before, wording
    return "".join([*parts, end])


class _Place(NamedTuple):
    """A place in a text, with the text `before` it, and whether the place `begins` a sentence."""

    before: str
    whole: str
    name: str
    case: str
    begins: bool


def _places(text: str) -> tuple[tuple[_Place, ...], str]:
    """Return the places of a text, and what follows the last one."""
    return (_kept_places if len(text) <= LONGEST_KEPT else _find_places)(text)


def _find_places(text: str) -> tuple[tuple[_Place, ...], str]:
    places, end = [], 0
    for found in PLACE.finditer(text):
        start = found.start()
        begins = text[:start].endswith(SENTENCE_BREAKS) if start else text.endswith(SENTENCE_ENDS)
        places.append(_Place(text[end:start], found[0], found[1], found[2] or "", begins))
        end = found.end()
    return tuple(places), text[end:]


LONGEST_KEPT: Final = 1000
"""The length of the longest template that is kept: no game can fill the memory with templates."""
_kept_places = lru_cache(maxsize=1024)(_find_places)  # a game uses the same few templates again and again


def and_list(names: Iterable[str]) -> str:
    """Return `A, B and C`. Needs at least one name."""
    *first, last = _some(names)
    return Text("{first} and {last}", first=comma_list(first), last=last) if first else last


def comma_list(names: Iterable[str]) -> str:
    """Return `A, B, C`. Needs at least one name."""
    return _joined(Text("{first}, {next}"), "next", _some(names))


def _some(names: Iterable[str]) -> list[str]:
    """Return the names as a list. Raises `ValueError` if there are none."""
    if found := [*names]:
        return found
    raise ValueError("a list in a text needs at least one name")


def _joined(pair: Text, second: str, names: Sequence[str]) -> str:
    """Join names in halves, so that a long list has few levels: translating each level takes a nested call."""
    if len(names) < 2:
        return names[0]
    half = len(names) // 2
    parts = {"first": _joined(pair, second, names[:half]), second: _joined(pair, second, names[half:])}
    return pair.with_(**parts)


def dash_list(spaces: Iterable[str]) -> str:
    """Return `A – B – C`, for the spaces of a path."""
    return " – ".join(spaces)


def or_list(names: Iterable[str]) -> str:
    """Return `A or B or C`. Needs at least one name."""
    return _joined(Text("{first} or {other}"), "other", _some(names))


# Former names, for games that were written before.
listed, row, way, either = and_list, comma_list, dash_list, or_list
