"""The changes that are tried on the rules: each kind, what is left alone, and that all of them parse."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tools.mutate import BEGIN, END, FOLDER, MODULES, ROOT, Trial, score, write
from tools.mutations import Change, changes


def tried(source: str) -> list[str]:
    """The source after each change, less what was there before."""
    found = changes("rules.py", source)
    return [change.applied(source.encode()).decode() for change in found]


@pytest.mark.parametrize(
    ("source", "after"),
    [
        ("a < b", ["(a <= b)"]),
        ("a in b", ["(a not in b)"]),
        ("a is None", ["(a is not None)"]),
        ("a <= b < c", ["(a < b < c)", "(a <= b <= c)"]),
        ("x = 2", ["x = 3", "x = 1"]),
        ("x = True", ["x = False"]),
        ("a and b", ["(a or b)"]),
        ("not a", ["bool(a)"]),
        ("a + b", ["(a - b)"]),
        ("min(a)", ["max(a)"]),
        ("a if b else c", ["a if (not b) else c"]),
        ("[a for a in b if a.c]", ["[a for a in b if (not a.c)]"]),
        ("if a:\n    raise b", ["if (not a):\n    raise b", "if a:\n    pass"]),
        ("def f(): return [a]", ["def f(): return []"]),
        ("def f(): return a", ["def f(): return None"]),
        ("def f():\n    yield a", ["def f():\n    yield from ()"]),
        ("'é'; a < b", ["'é'; (a <= b)"]),
    ],
)
def test_a_change_is_one_small_thing(source: str, after: list[str]) -> None:
    assert tried(source) == after


@pytest.mark.parametrize(
    "source",
    ["def f(a: int = None) -> Literal[3]: 'words'", "assert a < 3", "f'{a + 1}'", "@cache(4)\ndef f(): return None"],
)
def test_what_changes_no_rule_is_left_alone(source: str) -> None:
    assert tried(source) == []


@pytest.mark.parametrize("module", MODULES)
def test_every_change_to_the_rules_can_be_read(module: str) -> None:
    file = ROOT / FOLDER / f"{module}.py"
    source = file.read_bytes()
    found = list(changes(str(file), source.decode()))
    assert found
    for change in found:
        changed = change.applied(source)
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source)), change


def test_the_score_counts_by_module_and_gives_the_reasons() -> None:
    one, other = (Change("a/b.py", "f", line, 0, 1, "x", "y") for line in (1, 2))
    table = list(score([Trial(one, "killed"), Trial(other, "survived")], {other.key: "it is the same."}))
    assert table[2:4] == ["| `b.py` | 2 | 1 | 1 | 0 |", "| all | 2 | 1 | 1 | 0 |"]
    assert table[-1] == "- `b.py`: `f: x → y`: it is the same."


def test_the_score_is_written_between_its_marks(tmp_path: Path) -> None:
    page = tmp_path / "testing.md"
    page.write_text("# Testing\n\nBefore.\n", "utf-8")
    write(page, ["one"])
    page.write_text(page.read_text("utf-8") + "\nAfter.\n", "utf-8")
    write(page, ["two"])
    assert page.read_text("utf-8") == f"# Testing\n\nBefore.\n\n{BEGIN}\n\ntwo\n\n{END}\n\nAfter.\n"
