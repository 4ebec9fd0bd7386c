"""The loadout cards: one entry a card (MP-LOAD-06, MP-LOAD-07)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from engine.chance import Chance
from engine.game import Command
from engine.games.sniper_elite.commands import Play
from engine.games.sniper_elite.picture import Picture
from engine.games.sniper_elite.rule import Rule
from engine.refusal import Refused
from engine.told import Told


class LoadoutCard(Struct, frozen=True):
    """A kind of card: how many exist, and what it does in one sentence for the hand."""

    title: str
    copies: int
    text: str


CARDS: Final[dict[str, LoadoutCard]] = {
    "sound-masking": LoadoutCard("Sound Masking", 2, "This turn a move of two or three spaces alerts nobody."),
    "s-mine": LoadoutCard("S-Mine", 2, "Mine your space: the next unit that ends a movement there is killed."),
    "silenced-ammo": LoadoutCard("Silenced Ammo", 2, "This turn drawn noise counts as recoil: shots reveal nothing."),
    "distraction": LoadoutCard("Distraction", 2, "Move any unit up to two spaces to where you can see it."),
    "tommy-gun": LoadoutCard("Tommy Gun", 1, "Your shoot action may be two shots, both announced first."),
    "trench-gun": LoadoutCard("Trench Gun", 1, "No draw: all units here and matching-adjacent die; you are seen."),
}

FULL_DECK: Final = tuple(name for name, card in CARDS.items() for _ in range(card.copies))


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards as a multiset, in the order of the table above."""
    return tuple(sorted(cards, key=list(CARDS).index))


def without(cards: Sequence[str], taken: Iterable[str]) -> tuple[str, ...]:
    """`cards` less one copy of each card `taken`."""
    return in_order((Counter(cards) - Counter(taken)).elements())


def _offers(view: Picture) -> Iterable[Command]:
    return ()


def _check(view: Picture, command: Play) -> Command:
    raise Refused("MP-LOAD-03", "Loadout cards cannot be played at this table yet; keep them, and loot more.")


def _decide(truth: Picture, command: Play, chance: Chance) -> Iterable[Told]:
    raise NotImplementedError  # unreachable: _check lets nothing through


RULES = [Rule(Play, _offers, _check, _decide)]
