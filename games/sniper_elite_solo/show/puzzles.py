"""Puzzles about shots."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine.game import Posed
from games.sniper_elite.show.puzzles import SHOT, shot_question
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.shooting import bag_size, draw_odds, targets


def puzzle(view: Picture, kind: str, about: Mapping[str, Any]) -> Posed:
    """Return the question how many tokens give the best chance of a hit."""
    assert kind == "shot", "there are only puzzles about shots"
    unit = about["target"]
    return shot_question(SHOT, unit, targets(view)[unit], view.bag, shot_chances(view, unit))


def shot_chances(view: Picture, unit: str) -> dict[int, Fraction]:
    """Return number of tokens -> the exact chance of a hit by the standard sniper."""
    need = targets(view)[unit]
    return {draw: draw_odds(view.bag, draw, need, False)["hit"] for draw in range(need, bag_size(view) + 1)}
