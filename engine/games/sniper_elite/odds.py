"""The exact odds of a draw from the shot bag."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import comb

from msgspec import Struct

from engine.games.sniper_elite.picture import Tokens
from engine.games.sniper_elite.words import TOKENS
from engine.refusal import NotUnderstood

MOST_TOKENS = 30
"""All tokens that exist (ledger part 4); an upper bound on what anybody may ask about."""
MISFIRE = 5
"""Recoil and noise together that spoil a shot (MP-SHOOT-08)."""
REVEAL = 2
"""Noise that gives the sniper away, before suppression (MP-SHOOT-10)."""


class Odds(Struct, frozen=True):
    """Exact probabilities of a shot: hit (MP-SHOOT-07), misfire (MP-SHOOT-08), reveal (MP-SHOOT-10)."""

    hit: Fraction
    misfire: Fraction
    reveal: Fraction


def misfires(drawn: Tokens) -> bool:
    """MP-SHOOT-08; suppression does not count against noise here (MP-SHOOT-09)."""
    return drawn["recoil"] + drawn["noise"] >= MISFIRE


def reveals(drawn: Tokens) -> bool:
    """MP-SHOOT-10, R-75."""
    return drawn["noise"] >= REVEAL + drawn["suppression"]


def hits(drawn: Tokens, need: int) -> bool:
    """MP-SHOOT-07: `need` is the target's distance D."""
    return drawn["aim"] >= need and not misfires(drawn)


def draws(bag: Tokens, count: int) -> Iterator[tuple[dict[str, int], int]]:
    """Every different draw of `count` tokens, with the number of ways to draw it."""
    for noise in range(min(bag["noise"], count) + 1):
        for recoil in range(min(bag["recoil"], count - noise) + 1):
            for suppression in range(min(bag["suppression"], count - noise - recoil) + 1):
                aim = count - noise - recoil - suppression
                if aim <= bag["aim"]:
                    drawn = {"aim": aim, "noise": noise, "recoil": recoil, "suppression": suppression}
                    ways = 1
                    for token, number in drawn.items():
                        ways *= comb(bag[token], number)
                    yield drawn, ways


def odds(bag: Tokens, count: int, need: int) -> Odds:
    """The exact odds of drawing `count` tokens from `bag` at a target at distance `need`."""
    return _odds(tuple(bag[token] for token in TOKENS), count, need)


@lru_cache(maxsize=4096)
def _odds(numbers: tuple[int, ...], count: int, need: int) -> Odds:
    bag = dict(zip(TOKENS, numbers, strict=True))
    every = comb(sum(numbers), count)
    sums = {"hit": 0, "misfire": 0, "reveal": 0}
    for drawn, ways in draws(bag, count):
        sums["hit"] += ways * hits(drawn, need)
        sums["misfire"] += ways * misfires(drawn)
        sums["reveal"] += ways * reveals(drawn)
    return Odds(**{name: Fraction(ways, every) for name, ways in sums.items()})


def odds_of_second(bag: Tokens, first: Tokens, count: int, need: int, spoilt: bool) -> Odds:
    """The odds of a Tommy Gun's second shot, with the `first` draw still out of the bag.

    All noise of both decides the reveal (R-27); the misfire is the second draw's own, unless it is `spoilt` by the
    first (R-26 off).
    """
    every, sums = 0, {"hit": 0, "misfire": 0, "reveal": 0}
    for drawn, ways in draws(bag, count):
        both = together(first, drawn)
        misfire = misfires(both if spoilt else drawn)
        every += ways
        sums["hit"] += ways * (hits(drawn, need) and not misfire)
        sums["misfire"] += ways * misfire
        sums["reveal"] += ways * reveals(both)
    return Odds(**{name: Fraction(ways, every) for name, ways in sums.items()})


def silenced(tokens: Tokens) -> dict[str, int]:
    """The same tokens under Silenced Ammo: every noise counts as recoil (MP-LOAD-10)."""
    return {**tokens, "noise": 0, "recoil": tokens["recoil"] + tokens["noise"]}


def together(one: Tokens, other: Tokens) -> dict[str, int]:
    """Two draws as one (MP-LOAD-15)."""
    return {token: one[token] + other[token] for token in TOKENS}


def asked(bag: Tokens, draw: int, need: int, silenced_ammo: bool) -> dict[str, Fraction]:
    """Odds for whoever asks with any bag: kinds left out are none. Raises `NotUnderstood` for what cannot be."""
    full = {token: bag.get(token, 0) for token in TOKENS}
    if set(bag) - set(TOKENS) or any(number < 0 for number in bag.values()) or sum(full.values()) > MOST_TOKENS:
        raise NotUnderstood(f"A bag holds {', '.join(TOKENS)}, none of them negative, {MOST_TOKENS} at the most.")
    if not 0 <= draw <= sum(full.values()) or need < 1:
        raise NotUnderstood(f"{draw} tokens at distance {need} cannot be drawn from a bag of {sum(full.values())}.")
    found = odds(silenced(full) if silenced_ammo else full, draw, need)
    return {"hit": found.hit, "misfire": found.misfire, "reveal": found.reveal}
