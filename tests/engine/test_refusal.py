"""Refusals: sentences are made when they are read, and every place has a fact."""

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
    assert isinstance(why.sentence, Text), "it can be said in another language"
    assert why.sentence.values == {"unit": "red", "number": 2}
    assert (why.rule, why.brief, why.code) == ("MP-1", None, "refused")


def test_sentence_without_facts_is_unchanged() -> None:
    assert Refused("MP-1", "A {curious} one.", "curious").sentence == "A {curious} one."
    assert str(NotUnderstood("What?")) == "What?"


def unfilled(tree: ast.Module) -> Iterator[str]:
    """Yield texts of refusals whose places and facts differ."""
    texts = {
        target.id: node.value.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _called(node.value, "Text") and isinstance(node.value, ast.Call)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value.args[0], ast.Constant)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not _called(node, "Refused") or len(node.args) < 2:
            continue
        said, given = node.args[1], {word.arg for word in node.keywords}
        text = texts.get(said.id) if isinstance(said, ast.Name) else None
        if isinstance(said, ast.Call) and _called(said, "Text") and isinstance(said.args[0], ast.Constant):
            text, given = said.args[0].value, given | {word.arg for word in said.keywords}
        if text is not None and {name for name, _ in PLACE.findall(str(text))} != given:
            yield str(text)


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
    ],
)
def test_place_without_a_fact_is_found(code: str, found: list[str]) -> None:
    assert list(unfilled(ast.parse(code))) == found


def test_every_place_of_a_refusal_has_a_fact() -> None:
    found = {str(file): texts for file in FILES if (texts := list(unfilled(ast.parse(file.read_text("utf-8")))))}
    assert found == {}
