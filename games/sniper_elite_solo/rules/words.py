"""The solo game's nouns beside those of multiplayer: tokens, sectors, the parts of a game, and how it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, get_args

from engine.text import Text
from games.sniper_elite.rules.cards import CARDS
from games.sniper_elite.rules.nest import GEAR
from games.sniper_elite.rules.words import DEFENDERS, SNIPER, SQUADS

Token = Literal["aim", "noise", "recoil"]
Face = Literal["up", "down"]

TOKENS: Final[tuple[str, ...]] = get_args(Token)
NEUTRAL: Final = "white"
SECTORS: Final = (*SQUADS, NEUTRAL)
TOTALS: Final = {"aim": 11, "noise": 9, "recoil": 7}
"""The tokens in play; suppression is not (SO-SET-11, SO-R-38, SO-R-46)."""
START_STACK: Final = ("noise", "recoil", "recoil", "noise", "recoil", "recoil")
"""Bottom first (SO-SET-10)."""
STACK_CAPS: Final = {"noise": 2, "recoil": 4}
"""What a kill can fill the stack up to (SO-SHT-05)."""
SLOTS: Final = 3
DIE_FACES: Final = (1, 1, 2, 2, 3, 3)
"""SO-R-03."""
WINNERS: Final = {"objectives": SNIPER, "wounds": DEFENDERS, "deck": DEFENDERS}
END_RULES: Final = {"objectives": "SO-FIN-01", "wounds": "SO-FIN-02", "deck": "SO-FIN-03"}

LOADOUT: Final = {**{name: card.title for name, card in CARDS.items()}, **{name: g.title for name, g in GEAR.items()}}
"""The titles of all loadout cards, gear included, in card order."""

Tokens = Mapping[str, int]
"""How many of each kind: aim, noise, recoil."""

CAUSE_WORDS: Final = {
    "noisy-move": Text("the noisy move"), "end-turn": Text("defenders close by"), "deploy": Text("a deployment"),
    "scan": Text("a scan"), "search": Text("a search"), "attack": Text("an attack"), "noise": Text("the noise"),
    "reveal": Text("being revealed"),
}  # fmt: skip
"""What a hit comes from, for the middle of a sentence."""


def counts(tokens: Tokens) -> dict[str, int]:
    """All three kinds, zeros too."""
    return {token: tokens.get(token, 0) for token in TOKENS}


def plus(one: Tokens, other: Tokens, sign: int = 1) -> dict[str, int]:
    """Two counts as one, or the difference."""
    return {token: one.get(token, 0) + sign * other.get(token, 0) for token in TOKENS}


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Loadout cards as a multiset, in card order."""
    return tuple(sorted(cards, key=list(LOADOUT).index))


def without(cards: Sequence[str], taken: Iterable[str]) -> tuple[str, ...]:
    """`cards` less one copy of each card `taken`."""
    return in_order((Counter(cards) - Counter(taken)).elements())
