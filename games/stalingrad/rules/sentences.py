"""Sentences that describe events to players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from engine.events import Event
from engine.text import Text, Wording, and_list, comma_list, fill, text_for
from games.stalingrad.rules import events as e
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.words import STAT_TITLES, called

SHOTS: Final = {
    True: Text("{card}: {seat} rolls {die} against {value} and hits!"),
    False: Text("{card}: {seat} rolls {die} against {value} and misses."),
}
ESCAPES: Final = {
    True: Text("{card}: {seat} rolls {die} against {value} and gets away."),
    False: Text("{card}: {seat} rolls {die} against {value} and is caught."),
}
WOUNDS: Final = {
    "minor": Text("{seat} rolls {die}: a scratch, but this turn is over."),
    "serious": Text("{seat} rolls {die}: a serious wound. This turn and the next are lost."),
    "major": Text("{seat} rolls {die}: a bad wound. This turn and the next two are lost."),
    "out": Text("{seat} rolls {die}: out of action."),
}
SENTENCES: Final[Mapping[type[Event], Wording]] = {
    e.ShootRolled: ("hit", SHOTS),
    e.EvadeRolled: ("evaded", ESCAPES),
    e.Wounded: ("wound", WOUNDS),
    e.Shuffled: Text("The deck is shuffled."),
    e.FirstRolled: Text("The highest die starts, and 0 counts as ten: {rolls}."),
    e.TurnStarted: Text("It is the turn of {seat}."),
    e.TurnEnded: Text("{seat} is done for this turn."),
    e.TurnSkipped: Text(
        "{seat} rests for a turn, and for {number} more turn.", "{seat} rests for a turn, and for {number} more turns."
    ),
    e.AidSpent: Text("{seat} plays {cards} for {stat}."),
    e.Drew: Text("{seat} lays {number} card face down.", "{seat} lays {number} cards face down."),
    e.Revealed: Text("{seat} turns over {card}."),
    e.Rolled: Text("{seat} has rolled {die} already."),
    e.AidGained: Text("{seat} keeps {card}."),
    e.XpGained: Text(
        "{seat} gains experience: {number} token in all.", "{seat} gains experience: {number} tokens in all."
    ),
    e.Killed: Text(
        "{seat} kills {card} and has {number} star now.",
        "{seat} kills {card} and has {number} stars now.",
    ),
    e.DiscardedUnseen: Text("{number} card is discarded unseen.", "{number} cards are discarded unseen."),
    e.Eliminated: Text("{seat} leaves the game and lays down {cards}."),
    e.StatRaised: Text("{seat} raises {stat} to {value}."),
    e.Discarded: Text("{seat} discards {card}."),
}
NUMBERS: Final = ("skip", "xp", "stars", "count")
"""Fields that can fill `{number}` in a sentence. An event has at most one of them."""


def _rolls(dice: Mapping[str, int]) -> str:
    return comma_list(Text("{seat}: {die}", seat=called(seat), die=die) for seat, die in dice.items())


def _die_value(event: Any) -> str | int:
    """Return the die of a roll. 0 counts as ten, except on the wound table (ST-R-06)."""
    die: int = event.die
    return die if die or isinstance(event, e.Wounded) else Text("0 (ten)")


WORDS: Final[Mapping[str, Callable[[Any], str | int]]] = {
    "die": _die_value,
    "seat": lambda event: called(event.seat),
    "card": lambda event: CARDS[event.card].title,
    "cards": lambda event: and_list(CARDS[card].title for card in event.cards),
    "stat": lambda event: STAT_TITLES[event.stat],
    "number": lambda event: next(getattr(event, name) for name in NUMBERS if hasattr(event, name)),
    "rolls": lambda event: _rolls(event.dice),
}
"""Functions that fill the placeholders of the sentences."""


def sentence(event: Event) -> Text:
    if isinstance(event, e.GameOver):
        return outcome(event.winners, event.ranking)
    return fill(_template(event), event, WORDS)


def _template(event: Event) -> Text:
    match event:
        case e.TurnSkipped(skip=0):
            return Text("{seat} rests for a turn and is back for the next.")
        case e.Eliminated(cards=()):
            return Text("{seat} leaves the game.")
    return text_for(event, SENTENCES)


def outcome(winners: Iterable[str], ranking: tuple[e.Rank, ...]) -> Text:
    """Return a sentence that says how the game ended."""
    first, names = ranking[0], [*winners]
    text = Text("{seat} wins with {number} star!", "{seat} wins with {number} stars!")
    if not names:
        text = Text(
            "{seat} is out with {number} star, and nobody wins.", "{seat} is out with {number} stars, and nobody wins."
        )
    elif len(ranking) == 1:
        text = Text("{seat} has earned {number} star.", "{seat} has earned {number} stars.")
    elif len(names) > 1:
        return Text(
            "They share the win with {number} star each: {seats}.",
            "They share the win with {number} stars each: {seats}.",
            seats=and_list(map(called, names)),
            number=first.stars,
        )
    return text.with_(seat=called(first.seat), number=first.stars)
