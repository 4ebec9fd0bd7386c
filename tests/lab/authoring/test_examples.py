"""The example games of the manual work as they are: their own tests pass, and `game check` finds nothing.

By day, `test_create.py` runs the tests of a copy of each.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.authoring.test_plugin import ROOT, run

EXAMPLES = sorted(path.parent for path in (ROOT / "docs/examples").glob("*/pyproject.toml"))


@pytest.mark.nightly
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_example_passes_all_checks(folder: Path) -> None:
    code, out = run(folder)
    assert code == 0, out


def test_guide_lists_every_example() -> None:
    guide = (ROOT / "docs/game-author.md").read_text("utf-8")
    assert len(EXAMPLES) >= 2
    assert all(f"`docs/examples/{folder.name}/games/" in guide for folder in EXAMPLES)
