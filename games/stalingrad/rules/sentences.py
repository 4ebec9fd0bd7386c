"""Sentences that describe events to players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from engine.events import Event
from engine.text import Text, Wording, and_list, comma_list, fill, text_for
from games.stalingrad.rules import events as e
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.words import ALL_SEATS, STAT_TITLES, called

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
_YOURS: Final = {
    "{card}: {seat} rolls {die} against {value} and hits!": Text("{card}: you roll {die} against {value} and hit!"),
    "{card}: {seat} rolls {die} against {value} and misses.": Text("{card}: you roll {die} against {value} and miss."),
    "{card}: {seat} rolls {die} against {value} and gets away.": Text(
        "{card}: you roll {die} against {value} and get away."
    ),
    "{card}: {seat} rolls {die} against {value} and is caught.": Text(
        "{card}: you roll {die} against {value} and are caught."
    ),
    "{seat} rolls {die}: a scratch, but this turn is over.": Text("You roll {die}: a scratch, but this turn is over."),
    "{seat} rolls {die}: a serious wound. This turn and the next are lost.": Text(
        "You roll {die}: a serious wound. This turn and the next are lost."
    ),
    "{seat} rolls {die}: a bad wound. This turn and the next two are lost.": Text(
        "You roll {die}: a bad wound. This turn and the next two are lost."
    ),
    "{seat} rolls {die}: out of action.": Text("You roll {die}: out of action."),
    "It is the turn of {seat}.": Text("It's your turn."),
    "{seat} is done for this turn.": Text("You are done for this turn."),
    "{seat} rests for a turn, and for {number} more turn.": Text(
        "You rest for a turn, and for {number} more turn.", "You rest for a turn, and for {number} more turns."
    ),
    "{seat} plays {cards} for {stat}.": Text("You play {cards} for {stat}."),
    "{seat} lays {number} card face down.": Text(
        "You lay {number} card face down.", "You lay {number} cards face down."
    ),
    "{seat} turns over {card}.": Text("You turn over {card}."),
    "{seat} has rolled {die} already.": Text("You have rolled {die} already."),
    "{seat} keeps {card}.": Text("You keep {card}."),
    "{seat} gains experience: {number} token in all.": Text(
        "You gain experience: {number} token in all.", "You gain experience: {number} tokens in all."
    ),
    "{seat} kills {card} and has {number} star now.": Text(
        "You kill {card} and have {number} star now.", "You kill {card} and have {number} stars now."
    ),
    "{seat} leaves the game and lays down {cards}.": Text("You leave the game and lay down {cards}."),
    "{seat} raises {stat} to {value}.": Text("You raise {stat} to {value}."),
    "{seat} discards {card}.": Text("You discard {card}."),
    "{seat} rests for a turn and is back for the next.": Text("You rest for a turn and are back for the next."),
    "{seat} leaves the game.": Text("You leave the game."),
    "{seat} wins with {number} star!": Text("You win with {number} star!", "You win with {number} stars!"),
    "{seat} is out with {number} star, and nobody wins.": Text(
        "You are out with {number} star, and nobody wins.", "You are out with {number} stars, and nobody wins."
    ),
    "{seat} has earned {number} star.": Text("You have earned {number} star.", "You have earned {number} stars."),
}
YOURS: Final[Mapping[tuple[str, str], Text]] = {(text, "seat"): yours for text, yours in _YOURS.items()}
"""Template and place of a seat -> the template for the player of that seat."""
OWN: Final[Mapping[str, Mapping[str, Text]]] = {seat: {called(seat): Text("you")} for seat in ALL_SEATS}
"""Seat -> its name -> the name for its player."""
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
