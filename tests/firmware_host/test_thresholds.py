"""All thresholds of piece tracking are in one table; each is explained and used."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path

import pytest

BOARD = Path(__file__).resolve().parents[2] / "firmware_host" / "board"
TABLE = BOARD / "thresholds.py"
FILES = [*sorted((BOARD / "tracking").glob("*.py")), BOARD / "picking.py", BOARD / "side.py"]
NO_THRESHOLDS = {
    "UNREACHABLE": "farther than any way",
    "MOST_INPUTS": "a limit of memory",
    "HEALTH_SECONDS": "housekeeping",
    "ATTENDED_S": "about a page, not about miniatures",
    "MOST_WAYS": "a limit of what is sent",
}


def numbers(body: list[ast.stmt]) -> list[str]:
    """Return the names that are given a number."""
    named: list[str] = []
    for it in body:
        if isinstance(it, ast.Assign) and isinstance(it.value, ast.Constant) and type(it.value.value) in (int, float):
            named += [target.id for target in it.targets if isinstance(target, ast.Name)]
        if (
            isinstance(it, ast.AnnAssign)
            and isinstance(it.value, ast.Constant)
            and type(it.value.value) in (int, float)
        ):
            named.append(ast.unparse(it.target))
    return named


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_no_other_file_defines_thresholds(path: Path) -> None:
    assert set(numbers(ast.parse(path.read_text("utf-8")).body)) <= NO_THRESHOLDS.keys()


def test_each_threshold_is_explained_and_used() -> None:
    module = ast.parse(TABLE.read_text("utf-8"))
    timing = next(it for it in module.body if isinstance(it, ast.ClassDef))
    used = "".join(path.read_text("utf-8") for path in FILES)
    assert len(numbers(timing.body)) == 8
    for body in (module.body, timing.body):
        for it, after in pairwise([*body, ast.Pass()]):
            if isinstance(it, ast.Assign | ast.AnnAssign):
                assert isinstance(after, ast.Expr), f"line {it.lineno}: what it means is missing"
    for name in numbers(module.body):
        assert name in used, name
    for name in numbers(timing.body):
        assert f"timing.{name}" in used, name
