"""Report an invalid map: one exception with every error found, each a sentence.

This file has only the exception and the common wording. The errors are defined in `geojson.py` (form) and `check.py`
(geometry and rules). Errors of a drawing are `Text`: the map editor shows them in the reader's language.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from engine.text import Text, and_list, comma_list

LISTED_NAMES = 7  # How many names a sentence lists before it counts the rest
LISTED_FAULTS = 100  # How many errors a message lists. `MapError.faults` always has all of them.


class MapError(Exception):
    """A map that cannot be used: its source `where`, and all its `faults`, each with a remedy.

    `warnings` are the other findings in a drawing that has errors.
    """

    def __init__(self, where: str, faults: Sequence[str], warnings: Sequence[str] = ()) -> None:
        self.where = where
        self.faults, self.warnings = tuple(faults), tuple(warnings)
        super().__init__(where, self.faults)

    def __str__(self) -> str:
        lines = [f"{self.where}: {fault}" if self.where else fault for fault in self.faults[:LISTED_FAULTS]]
        if len(self.faults) > LISTED_FAULTS:
            lines.append(f"{self.where}: … and {len(self.faults) - LISTED_FAULTS} more faults.")
        return "\n".join(printable(line) for line in lines)


def printable(text: str) -> str:
    """Escape control characters, because they would control the terminal."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def point_text(point: tuple[object, object]) -> str:
    """Return a point as errors show it: `(1204, 880)`."""
    return f"({point[0]}, {point[1]})"


def with_subject(what: str, fault: Text) -> Text:
    """Return an error with its subject: `door Y7-Y8 at (1204, 880): the two share no edge.`"""
    return Text("{what}: {fault}", what=what, fault=fault)


def shortened_list(names: Sequence[str]) -> str:
    """Return the first of many names: `a, b, c, d, e, f, g and 12 more`. A short list is returned in full."""
    if len(names) <= LISTED_NAMES:
        return and_list(names)
    return Text("{names} and {count} more", names=comma_list(names[:LISTED_NAMES]), count=len(names) - LISTED_NAMES)


def did_you_mean(word: object, valid_words: Sequence[str], likeness: float = 0.6) -> str:
    """Return ` Did you mean open?` for the end of a sentence, or "" if no known word is similar enough.

    `likeness` is the least ratio of likeness, from 0 to 1.
    """
    near = get_close_matches(word, valid_words, 1, likeness) if isinstance(word, str) else []
    return Text(" Did you mean {word}?", word=near[0]) if near else ""
