"""What happened, in a sentence for a person who was told of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.events import Event
from engine.text import Text, and_list
from games.snipers_and_assassins.rules import events as e
from games.snipers_and_assassins.rules.cards import CARDS
from games.snipers_and_assassins.rules.words import called


def sentence(event: Event) -> Text:
    """The sentence of an event."""
    return _SENTENCES[type(event)](event)


SHOTS = {
    "kill": Text("{marker} shoots {target}!"),
    "deflected": Text("{marker} shoots at {target}: the armor stops it."),
    "dodge": Text("{marker} shoots at {target}, who dodges."),
    "hit": Text("{marker} hits {target}!"),
    "mine": Text("{marker} shoots at {target}, who dodges onto the gas mine."),
}
STATUS = {
    "shot": Text("{marker} was shot at and cannot move next turn."),
    "locked": Text("{marker} heals and cannot move next turn."),
    "recover": Text("{marker} has to recover next turn."),
    "jump": Text("{marker} is in the middle of a double jump."),
}


def _retreated(event: e.Retreated) -> Text:
    if event.from_ == event.to:
        return Text("{marker} is driven back, but has no room.", marker=called(event.marker))
    return Text("{marker} retreats from {start} to {to}.", marker=called(event.marker), start=event.from_, to=event.to)


def _moved(event: e.Moved) -> Text:
    return Text("{marker} moves from {start} to {to}.", marker=called(event.marker), start=event.from_, to=event.to)


def _jumped(event: e.Jumped) -> Text:
    return Text("{marker} jumps from {start} to {to}.", marker=called(event.marker), start=event.from_, to=event.to)


def _replaced(event: e.SniperReplaced) -> Text:
    return Text(
        "{marker} falls on {start}; another comes in at {to}.",
        marker=called(event.marker),
        start=event.from_,
        to=event.to,
    )


def _exploded(event: e.MineExploded) -> Text:
    struck = and_list(map(called, event.markers))
    return Text("The gas mine on {space} goes off under {struck}.", space=event.space, struck=struck)


def _claymore(event: e.ClaymoreSet) -> Text:
    marker = called(event.marker)
    if not event.hit:
        return Text(
            "{marker} sets off Claymores on pathway {pathway}: nobody there.", marker=marker, pathway=event.pathway
        )
    struck = and_list(map(called, event.hit))
    return Text(
        "{marker} sets off Claymores on pathway {pathway}: {struck}!",
        marker=marker,
        pathway=event.pathway,
        struck=struck,
    )


def _held(event: e.Held) -> Text:
    return Text("{marker} holds.", marker=called(event.marker))


def ending(winner: str | None) -> Text:
    """How a game went."""
    if winner is None:
        return Text("The last round is over: nobody wins.")
    return Text("{seat} takes out the Target and wins!", seat=called(winner))


_SENTENCES: Mapping[type[Event], Callable[[Any], Text]] = {
    e.StartChosen: lambda event: Text("{seat} starts in {space}.", seat=called(event.seat), space=event.space),
    e.TargetChosen: lambda event: Text(
        "{seat} hunts the Leader of {target}.", seat=called(event.seat), target=called(event.target)
    ),
    e.LeaderPlaced: lambda event: Text(
        "The Leader of {seat} hides in {space}.", seat=called(event.seat), space=event.space
    ),
    e.DeckShuffled: lambda event: Text(
        "The deck is shuffled: {number} card.", "The deck is shuffled: {number} cards.", number=event.count
    ),
    e.Deck: lambda event: Text("The cards lie in a new order."),
    e.ImprovementDrawn: lambda event: Text(
        "{seat} draws {card}.", seat=called(event.seat), card=CARDS[event.card].title
    ),
    e.ImprovementDiscarded: lambda event: Text(
        "{seat} discards {card}.", seat=called(event.seat), card=CARDS[event.card].title
    ),
    e.TurnStarted: lambda event: Text(
        "Round {round}: it is the turn of {seat}.", round=event.round, seat=called(event.seat)
    ),
    e.Moved: _moved,
    e.Jumped: _jumped,
    e.Shot: lambda event: SHOTS[event.result].with_(marker=called(event.marker), target=called(event.target)),
    e.RunIn: lambda event: Text(
        "{marker} runs into {others}.", marker=called(event.marker), others=and_list(map(called, event.with_))
    ),
    e.Surprise: lambda event: Text(
        "{marker} surprises {others}.", marker=called(event.marker), others=and_list(map(called, event.with_))
    ),
    e.Stealth: lambda event: Text(
        "{marker} steals up to {others}.", marker=called(event.marker), others=and_list(map(called, event.with_))
    ),
    e.Retreated: _retreated,
    e.MinePlanted: lambda event: Text(
        "{seat} plants a gas mine on {space}.", seat=called(event.seat), space=event.space
    ),
    e.MineExploded: _exploded,
    e.SniperReplaced: _replaced,
    e.ClaymoreSet: _claymore,
    e.Status: lambda event: STATUS[event.kind].with_(marker=called(event.marker)),
    e.Held: _held,
    e.TurnEnded: lambda event: Text("{seat} ends the turn.", seat=called(event.seat)),
    e.GameOver: lambda event: ending(event.winner),
}
