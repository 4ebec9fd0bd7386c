"""The names that people give on their devices."""

from __future__ import annotations

import re
from itertools import groupby
from unicodedata import category, normalize

from engine.text import Text
from firmware_host.core.errors import UserError

LONGEST_NAME, MOST_MARKS = 40, 4
"""Maximum characters of a name, and maximum accents and other marks on one letter. No language needs more."""
LONGEST_GIVEN = 4 * LONGEST_NAME
"""Maximum characters of a typed name.

Unicode composition, which joins some characters into one, would take long for more.
"""
SHOWN_AS = {
    **dict.fromkeys(map(ord, "\u115f\u1160\u2800\u3164\uffa0\U0001d159\U00013441\U00013442"), " "),
    **dict.fromkeys((0xFE0E, 0xFE0F)),
}
"""Letters and symbols that show nothing, which are replaced by spaces. The last two only choose the style of an emoji.
"""
INVISIBLE = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0d\U000e0100-\U000e01ef]")
"""Marks that show nothing: the default-ignorable characters of Unicode that count as printable."""


def person_name(given: str) -> str:
    """Return a person's name as it is shown. Raises `UserError` if the name is invisible or can't be displayed."""
    # Compose characters and join spaces, so that names that look the same are the same.
    joined = " ".join(given.translate(SHOWN_AS).split())[:LONGEST_GIVEN]
    name = normalize("NFC", joined)[:LONGEST_NAME].rstrip()
    # A name of accents alone is invisible, too.
    if all(category(letter)[0] in "MZ" for letter in name):
        raise UserError("not-understood", Text("Enter your name, so that the others see who sits there."))
    if INVISIBLE.search(name) or not name.isprintable():
        says = Text(
            "Your name contains a joined emoji or a character that no screen shows. Delete it, or type your name again."
        )
        raise UserError("not-understood", says)
    marks = (len([*run]) for is_mark, run in groupby(name, lambda it: category(it)[0] == "M") if is_mark)
    if max(marks, default=0) > MOST_MARKS:
        says = Text("A letter of your name has more than {most} marks. Type your name again.", most=MOST_MARKS)
        raise UserError("not-understood", says)
    return name


def name_key(name: str) -> str:
    """Return a key that is equal for all spellings of a person's name: it ignores capitals, widths and styles."""
    return normalize("NFKC", normalize("NFKC", name[:LONGEST_GIVEN]).casefold())
