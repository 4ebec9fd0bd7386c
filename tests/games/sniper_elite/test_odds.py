"""The odds are exact: they match a count of every possible draw, and many random draws."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

import pytest

from engine.chance import Chance
from engine.refusal import NotUnderstood
from games.sniper_elite import GAME
from games.sniper_elite.rules.odds import draws, odds, odds_of_second

START = {"aim": 6, "noise": 2, "recoil": 3, "suppression": 0}
LATE = {"aim": 4, "noise": 4, "recoil": 3, "suppression": 2}


NO_TOKENS = dict.fromkeys(START, 0)


def counted(
    bag: dict[str, int],
    draw: int,
    need: int,
    silenced: bool = False,
    first: dict[str, int] = NO_TOKENS,
    spoilt: bool = False,
) -> dict[str, Fraction]:
    """Return the odds from a count of every draw of single tokens by the rules of the book."""
    tokens = [token for token, number in bag.items() for _ in range(number)]
    found: Counter[str] = Counter()
    draws = list(combinations(range(len(tokens)), draw))
    for chosen in draws:
        drawn = Counter(tokens[index] for index in chosen)
        both = drawn + Counter(first)
        judged = both if spoilt else drawn
        misfire = judged["noise"] + judged["recoil"] >= 5
        found["misfire"] += misfire
        found["hit"] += drawn["aim"] >= need and not misfire
        found["reveal"] += not silenced and both["noise"] >= 2 + both["suppression"]
    return {name: Fraction(found[name], len(draws)) for name in ("hit", "misfire", "reveal")}


@pytest.mark.rule("MP-SHOOT-07", "MP-SHOOT-08", "MP-SHOOT-09", "MP-SHOOT-10")
@pytest.mark.parametrize("silenced", [False, True])
@pytest.mark.parametrize(("bag", "draw"), [(START, 1), (START, 4), (START, 7), (START, 11), (LATE, 5), (LATE, 6)])
def test_odds_equal_a_count_of_every_draw(bag: dict[str, int], draw: int, silenced: bool) -> None:
    for need in (1, 2, 4):
        assert GAME.odds(bag, draw, need, silenced) == counted(bag, draw, need, silenced)


@pytest.mark.rule("MP-LOAD-15", "R-26", "R-27")
@pytest.mark.parametrize("spoilt", [False, True])
@pytest.mark.parametrize("first", [{"noise": 1, "recoil": 2}, {"aim": 3, "noise": 3}, {"suppression": 1, "recoil": 4}])
def test_odds_of_a_second_shot_include_the_first_draw(first: dict[str, int], spoilt: bool) -> None:
    for draw in (1, 4, 7):
        found = odds_of_second(LATE, {**NO_TOKENS, **first}, draw, 2, spoilt)
        counts = counted(LATE, draw, 2, first=first, spoilt=spoilt)
        assert {"hit": found.hit, "misfire": found.misfire, "reveal": found.reveal} == counts


def test_only_possible_draws_are_listed() -> None:
    assert sum(ways for _, ways in draws(LATE, 5)) == comb(13, 5)
    assert all(ways > 0 and sum(drawn.values()) == 5 for drawn, ways in draws(LATE, 5))


def test_missing_kinds_count_as_zero() -> None:
    assert GAME.odds({"aim": 2}, 1, 1, False) == {"hit": 1, "misfire": 0, "reveal": 0}
    assert GAME.odds({}, 0, 1, False) == {"hit": 0, "misfire": 0, "reveal": 0}
    assert GAME.odds({"aim": 11, "noise": 9, "recoil": 7, "suppression": 3}, 30, 1, False)["misfire"] == 1


def test_impossible_draws_are_not_understood() -> None:
    for bag, draw, need in (({"luck": 1}, 1, 1), ({"aim": -1, "noise": 2}, 1, 1), ({"aim": 31}, 1, 1)):
        with pytest.raises(NotUnderstood, match="A bag holds"):
            GAME.odds(bag, draw, need, False)
    for draw, need, words in (
        (12, 1, "'draw' is 12, but this bag holds 11 tokens"),
        (-1, 1, "'draw' is -1"),
        (3, 0, "'need' is the distance of the target, which is 1 at the least, not 0"),
    ):
        with pytest.raises(NotUnderstood, match=words):
            GAME.odds(START, draw, need, False)


@pytest.mark.rule("MP-SHOOT-06")
def test_many_draws_approach_the_odds() -> None:
    chance, hits = Chance(Random(5)), 0
    for _ in range(4000):
        drawn = chance.tokens("draw", START, 4, "MP-SHOOT-06")
        hits += drawn["aim"] >= 2
    assert abs(hits / 4000 - odds(START, 4, 2).hit) < 0.02
