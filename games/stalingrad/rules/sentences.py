"""What happened, in a sentence for a person who was told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.events import Event
from engine.text import Text, and_list, comma_list
from games.stalingrad.rules import events as e
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.events import Rank
from games.stalingrad.rules.words import STAT_TITLES, called


def sentence(event: Event) -> Text:
    """The sentence of an event."""
    return _SENTENCES[type(event)](event)


def outcome(winners: Iterable[str], ranking: tuple[Rank, ...]) -> Text:
    """How the game went."""
    first, names = ranking[0], [*winners]
    seat = called(first.seat)
    if not names:
        return Text(
            "{seat} is out with {number} star, and nobody wins.",
            "{seat} is out with {number} stars, and nobody wins.",
            seat=seat,
            number=first.stars,
        )
    if len(ranking) == 1:
        return Text(
            "{seat} has earned {number} star.", "{seat} has earned {number} stars.", seat=seat, number=first.stars
        )
    if len(names) == 1:
        return Text(
            "{seat} wins with {number} star!", "{seat} wins with {number} stars!", seat=seat, number=first.stars
        )
    return Text(
        "They share the win with {number} star each: {seats}.",
        "They share the win with {number} stars each: {seats}.",
        seats=and_list(map(called, names)),
        number=first.stars,
    )


def _cards(cards: Iterable[str]) -> str:
    return and_list(CARDS[card].title for card in cards)


def _first_rolled(event: e.FirstRolled) -> Text:
    rolls = comma_list(Text("{seat}: {die}", seat=called(seat), die=die) for seat, die in event.dice.items())
    return Text("The highest die begins, and 0 is ten: {rolls}.", rolls=rolls)


def _turn_skipped(event: e.TurnSkipped) -> Text:
    if not event.skip:
        return Text("{seat} rests for a turn and is back for the next.", seat=called(event.seat))
    return Text(
        "{seat} rests for a turn, and for {number} more turn.",
        "{seat} rests for a turn, and for {number} more turns.",
        seat=called(event.seat),
        number=event.skip,
    )


def _aid_spent(event: e.AidSpent) -> Text:
    return Text(
        "{seat} plays {cards} for {stat}.",
        seat=called(event.seat),
        cards=_cards(event.cards),
        stat=STAT_TITLES[event.stat],
    )


def _drew(event: e.Drew) -> Text:
    return Text(
        "{seat} lays {number} card face down.",
        "{seat} lays {number} cards face down.",
        seat=called(event.seat),
        number=event.count,
    )


def _xp_gained(event: e.XpGained) -> Text:
    return Text(
        "{seat} gains experience: {number} token in all.",
        "{seat} gains experience: {number} tokens in all.",
        seat=called(event.seat),
        number=event.xp,
    )


def _shoot_rolled(event: e.ShootRolled) -> Text:
    text = SHOTS[event.hit]
    return text.with_(seat=called(event.seat), card=CARDS[event.card].title, die=event.die, value=event.value)


def _evade_rolled(event: e.EvadeRolled) -> Text:
    text = ESCAPES[event.evaded]
    return text.with_(seat=called(event.seat), card=CARDS[event.card].title, die=event.die, value=event.value)


SHOTS = {
    True: Text("{card}: {seat} rolls {die} against {value} and hits!"),
    False: Text("{card}: {seat} rolls {die} against {value} and misses."),
}
ESCAPES = {
    True: Text("{card}: {seat} rolls {die} against {value} and gets away."),
    False: Text("{card}: {seat} rolls {die} against {value} and is caught."),
}
WOUNDS = {
    "minor": Text("{seat} rolls {die}: a scratch, but this turn is over."),
    "serious": Text("{seat} rolls {die}: a serious wound. This turn and the next are lost."),
    "major": Text("{seat} rolls {die}: a bad wound. This turn and the next two are lost."),
    "out": Text("{seat} rolls {die}: out of action."),
}


def _killed(event: e.Killed) -> Text:
    return Text(
        "{card} is a kill of {seat}, who has {number} star now.",
        "{card} is a kill of {seat}, who has {number} stars now.",
        seat=called(event.seat),
        card=CARDS[event.card].title,
        number=event.stars,
    )


def _discarded_unseen(event: e.DiscardedUnseen) -> Text:
    return Text(
        "Unseen, {number} card leaves the table.",
        "Unseen, {number} cards leave the table.",
        number=event.count,
    )


def _eliminated(event: e.Eliminated) -> Text:
    if not event.cards:
        return Text("{seat} leaves the game.", seat=called(event.seat))
    return Text("{seat} leaves the game and lays down {cards}.", seat=called(event.seat), cards=_cards(event.cards))


def _stat_raised(event: e.StatRaised) -> Text:
    return Text(
        "{seat} raises {stat} to {value}.",
        seat=called(event.seat),
        stat=STAT_TITLES[event.stat],
        value=event.value,
    )


_SENTENCES: Mapping[type[Event], Callable[[Any], Text]] = {
    e.Shuffled: lambda event: Text("The deck is shuffled."),
    e.FirstRolled: _first_rolled,
    e.TurnStarted: lambda event: Text("{seat}: your turn.", seat=called(event.seat)),
    e.TurnEnded: lambda event: Text("{seat} is done for this turn.", seat=called(event.seat)),
    e.TurnSkipped: _turn_skipped,
    e.AidSpent: _aid_spent,
    e.Drew: _drew,
    e.Revealed: lambda event: Text("{seat} turns over {card}.", seat=called(event.seat), card=CARDS[event.card].title),
    e.Rolled: lambda event: Text("{seat} has rolled {die} already.", seat=called(event.seat), die=event.die),
    e.AidGained: lambda event: Text("{seat} keeps {card}.", seat=called(event.seat), card=CARDS[event.card].title),
    e.XpGained: _xp_gained,
    e.ShootRolled: _shoot_rolled,
    e.EvadeRolled: _evade_rolled,
    e.Killed: _killed,
    e.Wounded: lambda event: WOUNDS[event.wound].with_(seat=called(event.seat), die=event.die),
    e.DiscardedUnseen: _discarded_unseen,
    e.Eliminated: _eliminated,
    e.StatRaised: _stat_raised,
    e.Discarded: lambda event: Text("{seat} discards {card}.", seat=called(event.seat), card=CARDS[event.card].title),
    e.GameOver: lambda event: outcome(event.winners, event.ranking),
}
