"""Names and numbers that the solo game adds to multiplayer: tokens, sectors, slots and endings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from engine.text import Text
from games.sniper_elite.rules.cards import EVERY_CARD
from games.sniper_elite.rules.words import DEFENDERS, SNIPER, SQUADS

Token = Literal["aim", "noise", "recoil"]
Tokens = Mapping[str, int]  # The number of tokens of each kind
Face = Literal["up", "down"]

TOKENS: Final[tuple[str, ...]] = get_args(Token)
NEUTRAL: Final = "white"
SECTORS: Final = (*SQUADS, NEUTRAL)
TOTALS: Final = {"aim": 11, "noise": 9, "recoil": 7}
"""All tokens in play, without suppression (SO-SET-11, SO-R-38, SO-R-46)."""
START_STACK: Final = ("noise", "recoil", "recoil", "noise", "recoil", "recoil")
"""The starting stack, bottom first (SO-SET-10)."""
STACK_CAPS: Final = {"noise": 2, "recoil": 4}
"""Maximum number of tokens of a kind that a kill can bring the stack to (SO-SHT-05)."""
SLOTS: Final = 3
DIE_FACES: Final = (1, 1, 2, 2, 3, 3)  # Faces of the die (SO-R-03)
WINNERS: Final = {"objectives": SNIPER, "wounds": DEFENDERS, "deck": DEFENDERS}
END_RULES: Final = {"objectives": "SO-FIN-01", "wounds": "SO-FIN-02", "deck": "SO-FIN-03"}

LOADOUT: Final = {name: card.title for name, card in EVERY_CARD.items()}
"""Titles of all loadout cards, including gear, in card order."""

CAUSE_WORDS: Final = {
    "noisy-move": Text("the noisy move"), "end-turn": Text("defenders close by"), "deploy": Text("a deployment"),
    "scan": Text("a scan"), "search": Text("a search"), "attack": Text("an attack"), "noise": Text("the noise"),
    "reveal": Text("being revealed"),
}  # fmt: skip
"""Causes of hits, for use inside a sentence."""


def counts(tokens: Tokens) -> dict[str, int]:
    """Return the counts of all three kinds, including zeros."""
    return {token: tokens.get(token, 0) for token in TOKENS}


def plus(one: Tokens, other: Tokens, sign: int = 1) -> dict[str, int]:
    """Return the sum of two counts, or their difference if `sign` is -1. The first has all kinds of tokens."""
    return {**one, **{token: one[token] + sign * number for token, number in other.items()}}
