"""Refusals: sentences are made when they are read, and every placeholder has a fact."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.refusal import NotUnderstood, Refused
from engine.text import PLACE, Text

ROOT = Path(__file__).resolve().parents[2]
FILES = [file for folder in ("engine", "games", "firmware_host") for file in sorted((ROOT / folder).rglob("*.py"))]


def test_facts_fill_the_sentence_when_it_is_read() -> None:
    why = Refused("MP-1", Text("{unit} has {number} step.", "{unit} has {number} steps."), unit=Text("red"), number=2)
    assert why.sentence == "Red has 2 steps."
    assert str(why) == why.sentence
    assert isinstance(why.sentence, Text), "it can be translated"
    assert why.sentence.values == {"unit": "red", "number": 2}
    assert (why.rule, why.brief, why.code) == ("MP-1", None, "refused")


def test_sentence_without_facts_is_unchanged() -> None:
    assert Refused("MP-1", "A {curious} one.", "curious").sentence == "A {curious} one."
    assert str(NotUnderstood("What?")) == "What?"


Texts = dict[str, set[ast.Call]]
"""Name -> the texts that it may have at one point of the code. Names with other values are left out."""


def unfilled(tree: ast.Module) -> Iterator[str]:
    """Yield texts of refusals whose placeholders and facts differ."""
    found = list[str]()
    _follow(tree.body, {}, found)
    yield from found


def _follow(block: list[ast.stmt], texts: Texts, found: list[str]) -> Texts | None:
    """Check the refusals of a block. Return the texts by name after it, or None if the code never gets past it."""
    for node in block:
        blocks = [value for _, value in ast.iter_fields(node) if _is_block(value)]
        blocks += [part.body for name in ("handlers", "cases") for part in getattr(node, name, ())]
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            # Names assigned in an inner scope are not visible outside.
            _follow(node.body, dict(texts), found)
            continue
        if not blocks:
            found += _faulty(node, texts)
            if isinstance(node, ast.Assign):
                texts = _assigned(node, texts)
            if isinstance(node, ast.Raise | ast.Return):
                return None
            continue
        for _, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                found += _faulty(value, texts)
        ends = [_follow(inner, dict(texts), found) for inner in blocks]
        both = isinstance(node, ast.If) and node.orelse
        reached = [end for end in ends if end is not None] + ([] if both else [texts])
        if not reached:
            return None
        texts = {name: set().union(*(end.get(name, ()) for end in reached)) for end in reached for name in end}
    return texts


def _is_block(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], ast.stmt)


def _assigned(node: ast.Assign, texts: Texts) -> Texts:
    names = {name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    held = {node.value} if isinstance(node.value, ast.Call) and _called(node.value, "Text") else set[ast.Call]()
    return texts | dict.fromkeys(names, held)


def _faulty(tree: ast.AST, texts: Texts) -> Iterator[str]:
    """Yield the texts of one statement's refusals whose placeholders and facts differ."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not _called(node, "Refused") or len(node.args) < 2:
            continue
        said, given = node.args[1], {word.arg for word in node.keywords}
        told = texts.get(said.id, set()) if isinstance(said, ast.Name) else {said}
        for text in told:
            if isinstance(text, ast.Call) and _called(text, "Text") and isinstance(text.args[0], ast.Constant):
                facts = given | {word.arg for word in text.keywords}
                if {name for name, _ in PLACE.findall(str(text.args[0].value))} != facts:
                    yield str(text.args[0].value)


def _called(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('Refused("R", Text("{a} is here."), a=1)', []),
        ('Refused("R", Text("{a} is here."), b=1)', ["{a} is here."]),
        ('Refused("R", Text("{a} and {b}.", a=1), b=1)', []),
        ('SAID = Text("{a} is here.")\nRefused("R", SAID)', ["{a} is here."]),
        ('SAID = Text("{a} is here.")\nRefused("R", SAID, None, a=1)', []),
        ('SAID = Text("{a} is here.")\ndef f():\n    raise Refused("R", SAID)', ["{a} is here."]),
        ('said = Text("{a} is here.", a=1)\nRefused("R", said)', []),
        ('said = Text("{a}.")\nRefused("R", said, a=1)\nsaid = Text("{b}.")\nRefused("R", said, a=1)', ["{b}."]),
        ('if x:\n    said = Text("{a}.")\n    raise Refused("R", said, a=1)\nRefused("R", Text("{b}."), b=1)', []),
        ('said = Text("{a}.")\nif x:\n    said = Text("{b}.")\nRefused("R", said, a=1)', ["{b}."]),
        ('said = Text("{a}.")\nif x:\n    said = Text("{b}.")\nRefused("R", said, b=1)', ["{a}."]),
        ('if x and Refused("R", Text("{a}.")):\n    pass', ["{a}."]),
        ('for x in y:\n    if x:\n        return Refused("R", Text("{a}."))', ["{a}."]),
    ],
)
def test_placeholder_without_a_fact_is_found(code: str, found: list[str]) -> None:
    assert list(unfilled(ast.parse(code))) == found


def test_every_placeholder_of_a_refusal_has_a_fact() -> None:
    found = {str(file): texts for file in FILES if (texts := list(unfilled(ast.parse(file.read_text("utf-8")))))}
    assert found == {}
