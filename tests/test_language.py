"""The project's prose is plain English: words that send readers to a dictionary, or mean something else, stay out.

The list is the left column of the word table; what to write instead stands beside it. Extend it when another such word
turns up. Only whole words count, so that names on the wire and in files (`heeded`, `ills`) are not meant.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

INSTEAD = {
    r"whoever|whomever|whoso": "anyone who, the player who",
    r"(?<![\"'/-])anew": "again",
    r"parted": "separated, split",
    r"nought|naught": "zero",
    r"amid": "among",
    r"seldom": "rarely",
    r"mend|mends|mended|mending": "fix, repair",
    r"(?<![\"'/])heed|heeds": "follow, use",
    r"dearer|dearest": "more expensive",
    r"furnish(?:es|ed|ing)?": "set up",
    r"whereof|thereof|hereof|whither|thither|hither|henceforth|lest": "a plain word",
    r"strewn": "random",
    r"tells? of|told of|told anew": "report, send, notify",
    r"what holds|what counts": "the current state",
    r"ailments?": "fault, state",
    r"look on|looks on": "watch",
    r"ledgers?": "rule book",
}
ANY = re.compile("|".join(rf"\b(?:{words})\b" for words in INSTEAD))
"""Matches lower case, and is ten times as fast as the patterns of all words."""
WORDS = {re.compile(rf"\b(?:{words})\b", re.IGNORECASE): instead for words, instead in INSTEAD.items()}

PROSE = (".py", ".md", ".js", ".html", ".po", ".toml", ".service", ".yml")
"""Kinds of files with English in them."""
OTHER = ("pl.po", "tests/test_language.py", "docs/pl/")
"""Polish, and this list."""


def prose() -> list[Path]:
    """Return the files of the project that hold English."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split(
        "\n"
    )
    return [
        ROOT / name
        for name in listed
        if name.endswith(PROSE) and not name.endswith(OTHER[0]) and not name.startswith(OTHER[1:])
    ]


def archaic(text: str) -> list[tuple[int, str, str]]:
    """Return line, word and replacement for each archaic word."""
    if ANY.search(text.lower()) is None:
        return []
    return [
        (text.count("\n", 0, found.start()) + 1, found[0], instead)
        for pattern, instead in WORDS.items()
        for found in pattern.finditer(text)
    ]


def test_prose_has_no_archaic_words() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {word!r}; write {instead}"
        for path in prose()
        if path.is_file()
        for line, word, instead in archaic(path.read_text("utf-8"))
    ]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Whoever asks\nmust wait.", "Whoever"),
        ("a list,\nparted by commas", "parted"),
        ("the names it is told of", "told of"),
        ("seldom", "seldom"),
    ],
)
def test_archaic_word_is_found(text: str, word: str) -> None:
    assert [found for _, found, _ in archaic(text)] == [word]


@pytest.mark.parametrize("text", ["recommend", "heeded", "departed", "amidst_name", "on the whole"])
def test_other_words_are_allowed(text: str) -> None:
    assert archaic(text) == []
