"""How a broken map is reported: one error that holds every fault found, each a sentence.

Only the error and the wording that all of them share live here. What counts as a fault is decided in `geojson.py`
(form) and `check.py` (geometry and rules). Faults of a drawing are `Text`: the map editor shows them in the reader's
language.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from engine.text import Text, and_list, comma_list

FEW = 7
"""How many names a sentence gives before it counts the others."""
SHOWN = 100
"""How many faults an error message spells out; `MapError.faults` always holds all of them."""


class MapError(Exception):
    """A map that cannot be used: `where` it was read from, and all its `faults`, each a sentence with a remedy.

    `warnings` are what else was found in a drawing that has faults.
    """

    def __init__(self, where: str, faults: Sequence[str], warnings: Sequence[str] = ()) -> None:
        self.where = where
        self.faults, self.warnings = tuple(faults), tuple(warnings)
        super().__init__(where, self.faults)

    def __str__(self) -> str:
        lines = [f"{self.where}: {fault}" if self.where else fault for fault in self.faults[:SHOWN]]
        if len(self.faults) > SHOWN:
            lines.append(f"{self.where}: … and {len(self.faults) - SHOWN} more faults.")
        return "\n".join(printable(line) for line in lines)


def printable(text: str) -> str:
    """A text with its control characters spelled out, for they would steer the terminal."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def at(point: tuple[object, object]) -> str:
    """A point as faults write it: `(1204, 880)`."""
    return f"({point[0]}, {point[1]})"


def of(what: str, fault: Text) -> Text:
    """A fault of something: `door Y7-Y8 at (1204, 880): the two share no edge.`"""
    return Text("{what}: {fault}", what=what, fault=fault)


def some(names: Sequence[str]) -> str:
    """The first of many names: `a, b, c, d, e, f, g and 12 more`; all of a few."""
    if len(names) <= FEW:
        return and_list(names)
    return Text("{names} and {count} more", names=comma_list(names[:FEW]), count=len(names) - FEW)


def guess(word: object, known: Sequence[str]) -> str:
    """` Did you mean open?`, for the end of a sentence; nothing when no known word is near."""
    near = get_close_matches(word, known, 1) if isinstance(word, str) else []
    return Text(" Did you mean {word}?", word=near[0]) if near else ""
