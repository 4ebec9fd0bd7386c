"""Find the spaces and places of a drawing that a fault names, so that a click on the sentence leads there."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import Any

from engine.graph.drawing import Drawing

POINT = re.compile(r"\((-?\d{1,7}), (-?\d{1,7})\)")
FEATURE = re.compile(r"\bfeature (\d+)\b")
WORD = re.compile(r"[^\s,:;()\"']+")
MOST = 12
"""Maximum number of places, and of spaces, of one sentence."""


def locate_fault(sentence: str, known: Set[str], drawing: Drawing | None = None) -> dict[str, Any]:
    """Return the `sentence` with the `spaces` of `known` and the `places` ([x, y]) that it names.

    `drawing` is needed for spaces named by the number of their feature.
    """
    named = [part for word in WORD.findall(sentence) for part in _readings(word.rstrip(".")) if part in known]
    if drawing is not None:
        by_number = {int(space.label.split()[1].rstrip(",")): space.id for space in drawing.spaces}
        named += [by_number[number] for number in map(int, FEATURE.findall(sentence)) if number in by_number]
    places = [[int(x), int(y)] for x, y in POINT.findall(sentence)]
    return {"sentence": sentence, "spaces": list(dict.fromkeys(named))[:MOST], "places": places[:MOST]}


def _readings(word: str) -> Sequence[str]:
    """Return what a word may name: the word itself, and both sides of `Y7-Y8`."""
    return (word, *word.split("-")) if "-" in word else (word,)
