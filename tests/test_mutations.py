"""The mutations of the rules: each kind, what is left alone, and that all of them parse."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from tools.mutate import FILES, explained, score
from tools.mutations import Mutation, changes
from tools.trials import ROOT, MutationVerdict


def mutated_sources(source: str) -> list[str]:
    """Return the source after each mutation, without the lines that were there before."""
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
        ("x = min(a)", ["x = max(a)"]),
        ("a if b else c", ["a if (not b) else c"]),
        ("[a for a in b if a.c]", ["[a for a in b if (not a.c)]"]),
        ("if a:\n    raise b", ["if (not a):\n    raise b", "if a:\n    pass"]),
        ("def f(): return [a]", ["def f(): return []"]),
        ("def f(): return a", ["def f(): return None"]),
        ("def f():\n    yield a", ["def f():\n    yield from ()"]),
        ("def f():\n    a()", ["def f():\n    pass"]),
        ("a += b", ["pass"]),
        ("def f(): a | b", ["def f(): (a & b)"]),
        ("'é'; a < b", ["'é'; (a <= b)"]),
    ],
)
def test_a_mutation_is_one_small_change(source: str, after: list[str]) -> None:
    assert mutated_sources(source) == after


@pytest.mark.parametrize(
    "source",
    [
        "def f(a: int = None) -> Literal[3]: 'words'",
        "assert a < 3",
        "f'{a + 1}'",
        "@cache(4)\ndef f(): return None",
        "class A(B, frozen=True): pass",
        "Either = A | B",
        "x = zip(a, b, strict=True)",
    ],
)
def test_code_without_rules_is_left_alone(source: str) -> None:
    assert mutated_sources(source) == []


def compact(source: str) -> str:
    """Return source code without spaces and brackets."""
    try:
        return ast.dump(ast.parse(f"({source})"))
    except SyntaxError:
        return ast.dump(ast.parse(source))


@pytest.mark.parametrize("module", FILES)
def test_every_mutation_of_the_rules_parses_and_is_single(module: str) -> None:
    source = (ROOT / FILES[module]).read_bytes()
    for number, change in enumerate(changes(FILES[module], source.decode())):
        assert compact(change.after) != compact(source[change.start : change.end].decode()), change
        if number % 20 == 0:
            ast.parse(change.applied(source))


def test_mutation_is_shown_with_surrounding_lines() -> None:
    (change,) = changes("a/b.py", "def f():\n    x = g(\n        a,\n        y <= z)")
    assert str(change) == "a/b.py:4: f: y <= z) → (y < z))"


def test_function_of_each_mutation_is_known() -> None:
    source = "def f(a=1):\n    def g():\n        2\nclass A:\n    x = 3\n    def h(self):\n        4"
    held = {change.before.strip(): change.holder for change in changes("rules.py", source) if change.in_function}
    assert held == {"2": "f", "4": "A.h"}


@pytest.mark.nightly
@pytest.mark.parametrize(("tests", "noticed"), [("test_mine", 3), ("test_odds", 0)])
def test_surviving_mutations_are_printed_and_counted(tests: str, noticed: int) -> None:
    command = [sys.executable, "-m", "tools.mutate", "--module", "mines", f"tests/games/sniper_elite/{tests}.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert f"| all | 3 | {noticed} | 0 | 0 | {3 - noticed} |" in done.stdout
    assert done.stdout.count("survived games/sniper_elite/rules/mines.py") == 3 - noticed
    assert done.returncode == (0 if noticed == 3 else 1)


def test_every_explained_survivor_is_a_possible_mutation() -> None:
    known = [change.key for file in FILES.values() for change in changes(file, (ROOT / file).read_text("utf-8"))]
    for key, why in explained().items():
        assert known.count(key) == 1, f"tools/survivors.toml: {key} no longer matches exactly one mutation"
        assert why.endswith("."), f"tools/survivors.toml: {key} needs an explanation"


def change(what: str, becomes: str, holder: str = "f") -> Mutation:
    """Return a mutation for the score."""
    return Mutation("a/b.py", holder, holder, (1, 1), 0, 1, what, becomes, becomes)


def test_score_counts_by_module_with_reasons() -> None:
    one, other, third = change("x", "y"), change("x", "z"), change("u", "v")
    trials = [MutationVerdict(one, "killed"), MutationVerdict(other, "survived"), MutationVerdict(third, "timeout")]
    table = list(score(trials, {other.key: "it is the same."}))
    assert table[2:4] == ["| `b.py` | 3 | 2 | 1 | 1 | 0 |", "| all | 3 | 2 | 1 | 1 | 0 |"]
    assert table[-1] == "- `b.py`: `f: x → z`: it is the same."
