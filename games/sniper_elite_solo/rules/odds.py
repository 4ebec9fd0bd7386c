"""Exact odds of a draw. In the solo game, noise attracts and doesn't reveal (SO-SHT-09)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from msgspec.structs import asdict

from games.sniper_elite.rules.odds import STEADY, Steadiness, complete_bag, counted, hits, misfires, silenced
from games.sniper_elite_solo.rules.words import TOKENS, Tokens


def draw_odds(
    bag: Tokens, draw: int, need: int, silenced_ammo: bool, steady: Steadiness = STEADY
) -> dict[str, Fraction]:
    """Return the odds of drawing `draw` tokens at a target that needs `need` aim, for a sniper who is `steady`.

    Kinds missing from `bag` count as zero. `reveal` is the probability of drawing a noise, 0 if it is silenced. Raises
    `NotUnderstood` for an impossible draw.
    """
    full = complete_bag(bag, draw, need, TOKENS)

    def outcome(drawn: Tokens) -> tuple[bool, bool, bool]:
        return hits(drawn, need, steady), misfires(drawn, steady), drawn["noise"] > 0

    return asdict(counted(silenced(full) if silenced_ammo else full, draw, outcome))


@lru_cache(maxsize=4096)
def float_odds(
    aim: int, noise: int, recoil: int, draw: int, need: int, silenced_ammo: bool, steady: Steadiness
) -> tuple[float, float, float]:
    """Return the odds of hit, misfire and reveal. Cached for bots, which rate every possible shot."""
    found = draw_odds({"aim": aim, "noise": noise, "recoil": recoil}, draw, need, silenced_ammo, steady)
    return float(found["hit"]), float(found["misfire"]), float(found["reveal"])
