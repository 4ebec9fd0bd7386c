"""Shared bot code: rate each act in stars, and weigh the cost of an Aid against its benefit.

The bots spend Aids on the hunt while the deck has enough cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, sqrt

from msgspec import Struct

from engine.advice import Advice, Judged
from engine.bots import Bot, Kind, Level, best_with_slips
from engine.chance import Chance
from engine.game import Command
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.commands import Buy, Commit, Discard, Play
from games.stalingrad.rules.picture import Picture
from games.stalingrad.rules.words import CAP, HAND, Stat

CAUGHT, CARD = 3.0, 0.2
"""Average cost in stars: of being caught (going out and losing turns), and of each face-down card."""
DRAWN = 0.2  # Value of one more card, in stars
KEPT, SPARE = 0.15, 0.02
"""Value of a point of an Aid that stays in hand, and of a point of an Aid above the hand limit."""
LETTERS: Mapping[str | None, float] = {"E": 1.0, "S": 1.0, "X": 1.5, "H": 0.3}
"""Relative value of an Aid, by its letter."""
BUYS: Mapping[Stat, float] = {"shoot": 3.0, "hunt": 2.0, "evade": 1.0}
"""Priority of buying each stat. The highest comes first."""

LEADING, SCORING, RIVALS = 2.1, 1.8, 0.85
"""Weights of the lead against others and against `GOOD_SCORE`, and exponent for the number of others. Fitted to 770
games of the strong bot.
"""
GOOD_SCORE, PER_CARD = 19, 0.29
"""The score that the strong bot reaches alone in every other game, and the stars per card of the deck."""


class Style(Struct, frozen=True):
    """How a bot plays: whether it uses Aids, and how often it slips.

    A slip is any useful act instead of the best one. The rate is out of ten decisions.
    """

    aids: bool = True
    slips: int = 0


class Weigher(Bot):
    """A bot that uses only its own hand and the public information."""

    def __init__(self, seat: str, style: Style) -> None:
        self._seat, self._style = seat, style

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the act worth the most stars, or a slip."""
        acts = legal if self._style.aids else [act for act in legal if not _spends_aid(act)]
        return best_with_slips(acts, lambda command: _worth(view, command), None, chance, self._style.slips)

    def weigh(self, view: Picture, legal: Sequence[Command], played: Command, chance: Chance) -> Advice:
        """Judge all acts by the stars that they bring on average. What stats are worth is no average of stars."""
        if any(isinstance(act, Buy) for act in legal):
            return Advice()
        lead = _lead(view, self._seat)
        worths = {act: _worth(view, act) for act in legal}
        ranked = sorted(worths, key=lambda act: (-worths[act], act != played))
        return Advice(tuple(Judged(act, win_probability(view, lead + worths[act]), 0.0) for act in ranked))

    def appraise(self, truth: Picture, chance: Chance) -> float:
        """Return the chance from the stars so far."""
        if truth.over is not None and len(truth.players) > 1:
            return float(self._seat in truth.over.winners)
        return win_probability(truth, _lead(truth, self._seat))


def _lead(view: Picture, seat: str) -> float:
    """Return by how many stars a player leads; a single player leads `GOOD_SCORE`, with the stars still to come."""
    stars = {name: player.stars for name, player in view.players.items()}
    own = stars.pop(seat)
    return own - (max(stars.values()) if stars else GOOD_SCORE - PER_CARD * view.deck_size)


def win_probability(view: Picture, lead: float) -> float:
    """Return the probability of winning, or of a good score. The fewer cards are left, the more the lead counts."""
    others = len(view.players) - 1
    slope = LEADING if others else SCORING
    against = float(max(1, others) ** RIVALS)
    return 1 / (1 + against * exp(-slope * lead / sqrt(view.deck_size + 1)))


def weigher_kind(level: Level, style: Style) -> Kind:
    return Kind(lambda game, seat, view: Weigher(seat, style), level=level)


def _spends_aid(command: Command) -> bool:
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
    """Return the value of playing an Aid before the draw (ST-HNT-02, ST-R-32).

    An Aid that raises Hunt brings more cards, as far as the deck has them. An Aid that raises Evade makes the cards
    safer.
    """
    amount, hunt = CARDS[card].amount, view.actor.hunt
    if not view.options.switches.hunt_aid_adds_cards:
        return DRAWN * amount - _kept(card, KEPT)
    # Points beyond the cap or the end of the deck bring no cards.
    more = min(CAP, view.deck_size, hunt + amount) - min(hunt, view.deck_size)
    return DRAWN * more - _kept(card, KEPT)


def _of_commit(view: Picture, cards: tuple[str, ...]) -> float:
    """Return the average gain of the roll minus the cost of the Aids."""
    value = max(0, view.value(cards) or 0)
    # A roll succeeds on `value` of the ten faces. A die that is already rolled gives the result; face 0 counts as ten.
    success = value / 10 if view.die is None else float((view.die or 10) <= value)
    danger = CAUGHT + CARD * view.facedown_size
    at_stake = CARDS[view.card].stars if view.card and view.phase == "target" else danger
    # An Aid above the hand limit must be discarded anyway, so spending it is nearly free.
    price = KEPT if len(view.hand) <= HAND else SPARE
    return success * at_stake - sum(_kept(card, price) for card in cards)


def _kept(card: str, price: float) -> float:
    """Return the value of keeping an Aid in hand."""
    return price * CARDS[card].amount * LETTERS[CARDS[card].letter]
