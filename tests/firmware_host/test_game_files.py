"""Files of a game: what its code decides is told from how it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.core.game_files import code_digest

CODE = '''"""What is drawn."""

from engine.text import Text

WON = Text("You # won: {name}.")
KINDS = {"red": 3, "#": 'a "b"'}


def reach(steps: int) -> int:
    """Return how far
    someone gets."""
    return steps + 1  # one more
'''
SAME = {
    "a comment": ("    return", "    # Mines count, too.\n\n    return"),
    "a docstring": ('"""Return how far\n    someone gets."""', '"""Return it."""'),
    "the page's docstring": ('"""What is drawn."""\n', '"""It "says" # so."""\n'),
    "a sentence": ('"You # won: {name}."', '\n    "{name} \\"wins\\", "\n    "# and how."\n'),
    "the end of a line": ("  # one more", ""),
}
OTHER = {
    "a number": ("+ 1", "+ 2"),
    "a key": ('"red"', '"blue"'),
    "text after a hash": ("'a \"b\"'", "'a \"c\"'"),
    "a name": ("WON", "LOST"),
    "a place of a sentence": ("Text(", "Text.plain("),
    "code in a long string": ("steps + 1", '"""1"""'),
}


def digest(folder: Path, old: str = "", new: str = "") -> str:
    assert old in CODE
    (folder / "rules.py").write_text(CODE.replace(old, new) if old else CODE, "utf-8")
    return code_digest([folder / "rules.py"])


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_words_and_comments_leave_the_digest(tmp_path: Path, change: tuple[str, str]) -> None:
    """A corrected sentence must not take a game's puzzles away."""
    compile(CODE.replace(*change), "rules.py", "exec")
    assert digest(tmp_path) == digest(tmp_path, *change)


@pytest.mark.parametrize("change", OTHER.values(), ids=OTHER)
def test_code_changes_the_digest(tmp_path: Path, change: tuple[str, str]) -> None:
    assert digest(tmp_path) != digest(tmp_path, *change)
