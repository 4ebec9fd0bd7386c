"""The strip of explanation below a drawn map: its rules, its title and its notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.graph.palette import INK, NIGHT
from engine.graph.pen import text_element

HEIGHT = 300  # The usual `depth`
LINES = (122, 218)  # Vertical positions of the two lines of text in a strip
SIZE = 62

STRIP_RULES = (
    f" .note{{text-anchor:start;fill:{INK};opacity:.72}}* .title{{text-anchor:start;fill:{INK};font-weight:700}}",
    f" .tick{{fill:{INK};opacity:.9}}",
    f" .strip{{fill:{NIGHT}}}",
)
"""Style rules of every overlay that has a strip."""


def titled(title: str, below: str) -> Iterable[str]:
    """Yield the left end of a strip: the picture's title, and one line below it."""
    yield text_element("title", title, (90, LINES[0]), 88)
    yield from notes(90, ["", below])


def notes(left: float, lines: Sequence[str]) -> Iterable[str]:
    """Yield up to two lines of explanation in a strip."""
    yield from (
        text_element("note", line, (left, down), SIZE) for line, down in zip(lines, LINES, strict=False) if line
    )
