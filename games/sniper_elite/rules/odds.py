"""Exact odds of a draw from the shot bag."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, prod
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict

from engine.refusal import NotUnderstood
from games.sniper_elite.rules.picture import Tokens
from games.sniper_elite.rules.words import TOKENS, plus

MOST_TOKENS = 30  # Total number of tokens, which is the largest bag that can be queried
MISFIRE_LIMIT = 5  # Recoil plus noise that causes a misfire (MP-SHOOT-08)
REVEAL_NOISE = 2  # Noise that reveals the sniper, before suppression (MP-SHOOT-10)


class Steadiness(NamedTuple):
    """When a shot misfires: with `misfire` bad tokens, not counting `ignored` recoil tokens (EN-D-09)."""

    misfire: int = MISFIRE_LIMIT
    ignored: int = 0


STEADY: Final = Steadiness()  # Values of the standard sniper


class Odds(Struct, frozen=True):
    """Exact probabilities of a shot: hit (MP-SHOOT-07), misfire (MP-SHOOT-08), reveal (MP-SHOOT-10)."""

    hit: Fraction
    misfire: Fraction
    reveal: Fraction


def misfires(drawn: Tokens, steady: Steadiness = STEADY) -> bool:
    """Return whether a draw misfires (MP-SHOOT-08). Suppression doesn't reduce noise here (MP-SHOOT-09)."""
    return drawn["recoil"] - min(steady.ignored, drawn["recoil"]) + drawn["noise"] >= steady.misfire


def reveals(drawn: Tokens) -> bool:
    """Return whether a draw reveals the sniper (MP-SHOOT-10, R-75)."""
    return drawn["noise"] >= REVEAL_NOISE + drawn["suppression"]


def hits(drawn: Tokens, need: int, steady: Steadiness = STEADY) -> bool:
    """Return whether a draw hits (MP-SHOOT-07). `need` is the target's distance D."""
    return drawn["aim"] >= need and not misfires(drawn, steady)


def draws(bag: Tokens, count: int) -> Iterator[tuple[dict[str, int], int]]:
    """Yield every different draw of `count` tokens, with the number of ways to draw it."""
    # Three kinds are free. The fourth follows from the count.
    for noise, recoil, suppression in product(*(range(bag[token] + 1) for token in ("noise", "recoil", "suppression"))):
        aim = count - noise - recoil - suppression
        if 0 <= aim <= bag["aim"]:
            drawn = {"aim": aim, "noise": noise, "recoil": recoil, "suppression": suppression}
            yield drawn, prod(comb(bag[token], number) for token, number in drawn.items())


def odds(bag: Tokens, count: int, need: int, steady: Steadiness = STEADY) -> Odds:
    """Return the exact odds of drawing `count` tokens from `bag` at a target at distance `need`."""
    return _odds(tuple(bag[token] for token in TOKENS), count, need, steady)


@lru_cache(maxsize=4096)
def _odds(numbers: tuple[int, ...], count: int, need: int, steady: Steadiness) -> Odds:
    def outcome(drawn: Tokens) -> tuple[bool, bool, bool]:
        return hits(drawn, need, steady), misfires(drawn, steady), reveals(drawn)

    return odds_of_draws(dict(zip(TOKENS, numbers, strict=True)), count, outcome)


def odds_of_second(
    bag: Tokens, first: Tokens, count: int, need: int, spoilt: bool, steady: Steadiness = STEADY
) -> Odds:
    """Return the odds of a Tommy Gun's second shot, with the `first` draw still out of the bag.

    The noise of both draws decides the reveal (R-27). The misfire depends on the second draw only, unless it is
    `spoilt` by the first (R-26 off).
    """

    def outcome(drawn: Tokens) -> tuple[bool, bool, bool]:
        both = plus(first, drawn)  # MP-LOAD-15
        misfire = misfires(both if spoilt else drawn, steady)
        return hits(drawn, need, steady) and not misfire, misfire, reveals(both)

    return odds_of_draws(bag, count, outcome)


def odds_of_draws(bag: Tokens, count: int, outcome: Callable[[Tokens], tuple[bool, bool, bool]]) -> Odds:
    """Return the odds of hit, misfire and reveal. `outcome` returns which of them a draw causes."""
    # Fractions keep the odds exact. Screens convert them.
    every = comb(sum(bag.values()), count)
    outcomes = [(outcome(drawn), ways) for drawn, ways in draws(bag, count)]
    return Odds(*(Fraction(sum(ways for comes, ways in outcomes if comes[index]), every) for index in range(3)))


def silenced(tokens: Tokens) -> dict[str, int]:
    """Return the tokens under Silenced Ammo: every noise counts as recoil (MP-LOAD-10)."""
    return {**tokens, "noise": 0, "recoil": tokens["recoil"] + tokens["noise"]}


def odds_of_any_bag(bag: Tokens, draw: int, need: int, silenced_ammo: bool) -> dict[str, Fraction]:
    """Return the odds for any bag. Kinds that are left out count as zero. Raises `NotUnderstood`."""
    full = complete_bag(bag, draw, need, TOKENS)
    chances = odds(silenced(full) if silenced_ammo else full, draw, need)
    return asdict(chances)


def complete_bag(bag: Tokens, draw: int, need: int, kinds: tuple[str, ...]) -> dict[str, int]:
    """Return a bag with missing kinds of token filled in. Raises `NotUnderstood` for an impossible bag."""
    full = plus(bag, {})
    if set(bag) - set(kinds) or any(number < 0 for number in bag.values()) or sum(full.values()) > MOST_TOKENS:
        raise NotUnderstood(f"A bag holds {', '.join(kinds)}, none of them negative, {MOST_TOKENS} at the most.")
    if need < 1:
        raise NotUnderstood(f"'need' is the distance of the target, which is 1 at the least, not {need}.")
    if not 0 <= draw <= sum(full.values()):
        raise NotUnderstood(f"'draw' is {draw}, but this bag holds {sum(full.values())} tokens.")
    return full
