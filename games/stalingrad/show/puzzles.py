"""Puzzles about rolls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import Posed
from engine.text import Text, comma_list
from games.stalingrad.rules.acts import legal
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.commands import Commit
from games.stalingrad.rules.picture import Picture
from games.stalingrad.show.captions import caption


def puzzle(view: Picture, kind: str, about: Mapping[str, Any]) -> Posed:
    """Return the question which Aids are enough for a roll."""
    assert view.card is not None, "a card waits for its roll"
    values: dict[str, str | int] = {"card": CARDS[view.card].title, "faces": about["faces"]}
    question = Text("Hit {card} with at least {faces} of the 10 faces, and as few Aids as possible. Which?")
    if view.phase == "danger":
        question = Text("Evade {card} with at least {faces} of the 10 faces, and as few Aids as possible. Which?")
    acts = commits(view)
    faces = [Text("{act}: {faces}", act=caption(act), faces=number) for act, number in acts.items()]
    why = Text("The faces that succeed: {faces}.", faces=comma_list(faces))
    return Posed(question.with_(**values), why, choices={key(act): caption(act) for act in acts})


def commits(view: Picture) -> dict[Commit, int]:
    """Return each way to roll, with the number of faces of ten that succeed."""
    assert view.turn is not None, "someone is to roll"
    return {act: max(0, view.value(act.cards) or 0) for act in legal(view, view.turn) if isinstance(act, Commit)}


def key(act: Commit) -> str:
    """Return the name of a way to roll among the choices."""
    return "+".join(act.cards) or "none"
