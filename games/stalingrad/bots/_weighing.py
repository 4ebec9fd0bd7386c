"""What the bots of this game share: the value of each act in stars, with the cost of an Aid compared with its use.

They play Aids for the hunt while the deck has enough cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from engine.bots import slipping
from engine.chance import Chance
from engine.events import Event
from engine.game import Command
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.commands import Buy, Commit, Discard, Play
from games.stalingrad.rules.picture import Picture
from games.stalingrad.rules.words import CAP, HAND, Stat

CAUGHT, CARD = 3.0, 0.2
"""The average cost of being caught, in stars: for going out and lost turns, and for each face-down card."""
DRAWN = 0.2
"""The worth of one more card."""
KEPT, SPARE = 0.15, 0.02
"""The worth of a point of an Aid in hand, and of one that can't be kept."""
LETTERS: Mapping[str | None, float] = {"E": 1.0, "S": 1.0, "X": 1.5, "H": 0.3}
"""The relative worth of Aids, by their letter."""
BUYS: Mapping[Stat, float] = {"shoot": 3.0, "hunt": 2.0, "evade": 1.0}
"""The order of buying: the greatest first."""


class Style(Struct, frozen=True):
    """How a bot plays: whether it uses Aids, and in how many of ten cases it plays any useful act, not the best."""

    aids: bool = True
    slips: int = 0


class Weigher:
    """A player who looks at its own hand and at what everyone sees."""

    def __init__(self, style: Style) -> None:
        self._style: Final = style

    def told(self, event: Event) -> None:
        """Ignore it: the picture has everything."""

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the act that is worth the most in stars, or a slip."""
        acts = legal if self._style.aids else [act for act in legal if not _spends(act)]
        return slipping(acts, lambda command: _worth(view, command), None, chance, self._style.slips)


def _spends(command: Command) -> bool:
    """Return whether an Aid is spent for a draw or a roll."""
    return isinstance(command, Play) or (isinstance(command, Commit) and bool(command.cards))


def _worth(view: Picture, command: Command) -> float:
    match command:
        case Play(card):
            return _of_play(view, card)
        case Commit(cards):
            return _of_commit(view, cards)
        case Buy(stat):
            return BUYS[stat]
        case Discard(card):
            return -_kept(card, KEPT)
    return 0.0


def _of_play(view: Picture, card: str) -> float:
    """Return the worth of an Aid before the draw: more cards if there are any, or safer ones (ST-HNT-02, ST-R-32)."""
    amount, hunt = CARDS[card].amount, view.actor.hunt
    if not view.options.switches.hunt_aid_hunts:
        return DRAWN * amount - _kept(card, KEPT)
    more = min(CAP, view.deck_size, hunt + amount) - min(hunt, view.deck_size)
    return DRAWN * more - _kept(card, KEPT)


def _of_commit(view: Picture, cards: tuple[str, ...]) -> float:
    """Return the average gain of the roll, minus the cost of the Aids."""
    value = max(0, view.value(cards) or 0)
    made = value / 10 if view.die is None else float((view.die or 10) <= value)
    danger = CAUGHT + CARD * view.facedown_size
    at_stake = CARDS[view.card].stars if view.card and view.phase == "target" else danger
    price = KEPT if len(view.hand) <= HAND else SPARE
    return made * at_stake - sum(_kept(card, price) for card in cards)


def _kept(card: str, price: float) -> float:
    """Return the worth of an Aid in hand."""
    return price * CARDS[card].amount * LETTERS[CARDS[card].letter]
