"""Puzzles about shots."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine.game import Posed
from engine.text import Text, comma_list
from games.sniper_elite.rules.words import called
from games.sniper_elite.show.puzzles import tokens_text
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.shooting import bag_size, draw_odds, targets


def puzzle(view: Picture, kind: str, about: Mapping[str, Any]) -> Posed:
    """Return the question how many tokens give the best chance of a hit."""
    assert kind == "shot", "there are only puzzles about shots"
    unit = about["target"]
    question = Text(
        "Hit {unit} at distance {distance}. The bag has: {tokens}. How many tokens give the best chance?",
        unit=called(unit),
        distance=targets(view)[unit],
        tokens=tokens_text(view.bag),
    )
    chances = shot_chances(view, unit)
    shares = [Text("{draw}: {share} %", draw=draw, share=round(100 * chance)) for draw, chance in chances.items()]
    why = Text("The chances, by the number of tokens: {shares}.", shares=comma_list(shares))
    return Posed(question, why, choices={str(draw): Text(str(draw)) for draw in chances})


def shot_chances(view: Picture, unit: str) -> dict[int, Fraction]:
    """Return number of tokens -> the exact chance of a hit by the standard sniper."""
    need = targets(view)[unit]
    return {draw: draw_odds(view.bag, draw, need, False)["hit"] for draw in range(need, bag_size(view) + 1)}
