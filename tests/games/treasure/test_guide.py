"""`docs/game-author.md` builds just the game that the tests keep."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
KEPT = ROOT / "tests" / "tiny" / "games" / "treasure"
BLOCK = re.compile(r"^`games/treasure/(\S+)`:\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_files_of_the_guide_are_those_of_the_kept_game() -> None:
    blocks = BLOCK.findall((ROOT / "docs" / "game-author.md").read_text("utf-8"))
    kept = {path.relative_to(KEPT).as_posix(): path.read_text("utf-8") for path in KEPT.rglob("*.py")}
    assert dict(blocks) == kept
    assert len(blocks) == len(kept), "each file once"
