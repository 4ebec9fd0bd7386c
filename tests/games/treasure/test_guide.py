"""`docs/game-author.md` builds exactly the game in `lab/authoring/template`."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
KEPT = ROOT / "lab/authoring/template/games/treasure"
GUIDE = (ROOT / "docs" / "game-author.md").read_text("utf-8")
BLOCK = re.compile(r"^`games/treasure/(\S+)`:\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_guide_has_the_files_of_the_tiny_game() -> None:
    blocks = BLOCK.findall(GUIDE)
    kept = {path.relative_to(KEPT).as_posix(): path.read_text("utf-8") for path in KEPT.rglob("*.py")}
    assert dict(blocks) == kept
    assert len(blocks) == len(kept), "each file once"


def test_guide_has_the_end_of_the_lesson() -> None:
    found = re.search(r"`games/treasure/(\S+)` ends:\n\n```toml\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert found is not None
    assert (KEPT / found[1]).read_text("utf-8").endswith(found[2])


def test_guide_has_the_start_of_the_catalogue() -> None:
    found = re.search(r"`games/treasure/(\S+)` begins:\n\n```po\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert found is not None
    assert (KEPT / found[1]).read_text("utf-8").startswith(found[2])
