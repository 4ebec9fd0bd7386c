"""The exact odds of a draw; in solo a drawn noise attracts, and reveals nobody (SO-SHT-09)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from games.sniper_elite.rules.odds import askable, counted, hits, misfires, silenced
from games.sniper_elite_solo.rules.words import TOKENS, Tokens


def asked(bag: Tokens, draw: int, need: int, silenced_ammo: bool) -> dict[str, Fraction]:
    """Odds for whoever asks with any bag: kinds left out are none. Raises `NotUnderstood` for what cannot be.

    `reveal` is the chance that a noise is drawn, 0 if it is silenced.
    """
    full = askable(bag, draw, need, TOKENS)

    def outcome(drawn: Tokens) -> tuple[bool, bool, bool]:
        return hits(drawn, need), misfires(drawn), drawn["noise"] > 0

    found = counted(silenced(full) if silenced_ammo else full, draw, outcome)
    return {"hit": found.hit, "misfire": found.misfire, "reveal": found.reveal}


@lru_cache(maxsize=4096)
def approximate(
    aim: int, noise: int, recoil: int, draw: int, need: int, silenced_ammo: bool
) -> tuple[float, float, float]:
    """The odds of hit, misfire and reveal, kept for bots, who ask for every shot that they could make."""
    found = asked({"aim": aim, "noise": noise, "recoil": recoil}, draw, need, silenced_ammo)
    return float(found["hit"]), float(found["misfire"]), float(found["reveal"])
