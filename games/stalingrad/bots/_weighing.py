"""What the bots of this game have in common: each Aid is weighed against what it brings, in stars.

They play those for the hunt while the deck is thick enough.
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
"""What it costs, in stars, to be caught: on average for going out and for lost turns, and for each card face down."""
DRAWN = 0.2
"""What a card more is worth."""
KEPT, SPARE = 0.15, 0.02
"""What a point of an Aid is worth in hand, and of one that could not be kept."""
LETTERS: Mapping[str | None, float] = {"E": 1.0, "S": 1.0, "X": 1.5, "H": 0.3}
"""How much more the Aids of one kind are worth than those of another."""
BUYS: Mapping[Stat, float] = {"shoot": 3.0, "hunt": 2.0, "evade": 1.0}
"""What is bought first: the greatest."""


class Style(Struct, frozen=True):
    """How a bot plays: whether it thinks of its Aids, and how many of ten acts are any useful one, not the best."""

    aids: bool = True
    slips: int = 0


class Weigher:
    """A player who looks at its own hand and at what everybody sees."""

    def __init__(self, style: Style) -> None:
        self._style: Final = style

    def told(self, event: Event) -> None:
        """The picture has all of it."""

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """The act that is worth the most in stars, or a slip."""
        acts = legal if self._style.aids else [act for act in legal if not _spends(act)]
        return slipping(acts, lambda command: _worth(view, command), None, chance, self._style.slips)


def _spends(command: Command) -> bool:
    """Whether an Aid is spent for a draw or a roll."""
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
    """An Aid before the draw: more cards if they are there, or safer ones (ST-HNT-02, ST-R-32)."""
    amount, hunt = CARDS[card].amount, view.actor.hunt
    if not view.options.switches.hunt_aid_hunts:
        return DRAWN * amount - _kept(card, KEPT)
    more = min(CAP, view.deck_size, hunt + amount) - min(hunt, view.deck_size)
    return DRAWN * more - _kept(card, KEPT)


def _of_commit(view: Picture, cards: tuple[str, ...]) -> float:
    """What the roll brings on average, less the Aids."""
    value = max(0, view.value(cards) or 0)
    made = value / 10 if view.die is None else float((view.die or 10) <= value)
    danger = CAUGHT + CARD * view.facedown_size
    at_stake = CARDS[view.card].stars if view.card and view.phase == "target" else danger
    price = KEPT if len(view.hand) <= HAND else SPARE
    return made * at_stake - sum(_kept(card, price) for card in cards)


def _kept(card: str, price: float) -> float:
    """What an Aid is worth in hand."""
    return price * CARDS[card].amount * LETTERS[CARDS[card].letter]
