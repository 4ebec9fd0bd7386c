"""`docs/game-author.md` builds just the game that the tests keep."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
KEPT = ROOT / "tests" / "tiny" / "games" / "treasure"
GUIDE = (ROOT / "docs" / "game-author.md").read_text("utf-8")
BLOCK = re.compile(r"^`games/treasure/(\S+)`:\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_files_of_the_guide_are_those_of_the_kept_game() -> None:
    blocks = BLOCK.findall(GUIDE)
    kept = {path.relative_to(KEPT).as_posix(): path.read_text("utf-8") for path in KEPT.rglob("*.py")}
    assert dict(blocks) == kept
    assert len(blocks) == len(kept), "each file once"


def test_the_lesson_of_the_guide_is_how_the_kept_one_ends() -> None:
    found = re.search(r"`games/treasure/(\S+)` ends:\n\n```toml\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert found is not None
    assert (KEPT / found[1]).read_text("utf-8").endswith(found[2])


def test_the_catalogue_of_the_guide_is_how_the_kept_one_begins() -> None:
    found = re.search(r"`games/treasure/(\S+)` begins:\n\n```po\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert found is not None
    assert (KEPT / found[1]).read_text("utf-8").startswith(found[2])
