"""Sentences that describe events to players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from engine.events import Event
from engine.seats import player_names
from engine.text import Text, Wording, addressed, and_list, fill, text_for
from games.snipers_and_assassins.rules import events as e
from games.snipers_and_assassins.rules.cards import CARDS
from games.snipers_and_assassins.rules.words import ASSASSIN, MOST, SNIPER, called, marker_of

SHOTS: Final = {
    "kill": Text("{marker} shoots {target}!"),
    "deflected": Text("{marker} shoots at {target}: the armor stops it."),
    "dodge": Text("{marker} shoots at {target}, who dodges."),
    "hit": Text("{marker} hits {target}!"),
    "mine": Text("{marker} shoots at {target}, who dodges onto the gas mine."),
}
STATUS: Final = {
    "shot": Text("{marker} was shot at and cannot move next turn."),
    "locked": Text("{marker} heals and cannot move next turn."),
    "recover": Text("{marker} has to recover next turn."),
    "jump": Text("{marker} is in the middle of a double jump."),
}
SENTENCES: Final[Mapping[type[Event], Wording]] = {
    e.Shot: ("result", SHOTS),
    e.Status: ("kind", STATUS),
    e.StartChosen: Text("{seat} starts in {space}."),
    e.TargetChosen: Text("{seat} hunts {target}'s Leader."),
    e.LeaderPlaced: Text("{seat} hides the Leader in {space}."),
    e.DeckShuffled: Text("The deck is shuffled: {number} card.", "The deck is shuffled: {number} cards."),
    e.Deck: Text("The cards lie in a new order."),
    e.ImprovementDrawn: Text("{seat} draws {card}."),
    e.ImprovementDiscarded: Text("{seat} discards {card}."),
    e.TurnStarted: Text("Round {round}: it is the turn of {seat}."),
    e.Moved: Text("{marker} moves from {start} to {to}."),
    e.Jumped: Text("{marker} jumps from {start} to {to}."),
    e.RunIn: Text("{marker} runs into {others}."),
    e.Surprise: Text("{marker} surprises {others}."),
    e.Stealth: Text("{marker} sneaks up on {others}."),
    e.Retreated: Text("{marker} retreats from {start} to {to}."),
    e.MinePlanted: Text("{seat} plants a gas mine on {space}."),
    e.MineExploded: Text("The gas mine on {space} goes off under {struck}."),
    e.SniperReplaced: Text("{marker} dies on {start}; a new one starts at {to}."),
    e.ClaymoreSet: Text("{marker} sets off Claymores on pathway {pathway}: {struck}!"),
    e.Held: Text("{marker} holds."),
    e.TurnEnded: Text("{seat} ends the turn."),
}
YOURS: Final[Mapping[tuple[str, str], Text]] = {
    ("{seat} starts in {space}.", "seat"): Text("You start in {space}."),
    ("{seat} hunts {target}'s Leader.", "seat"): Text("You hunt {target}'s Leader."),
    ("{seat} hunts {target}'s Leader.", "target"): Text("{seat} hunts your Leader."),
    ("{seat} hides the Leader in {space}.", "seat"): Text("You hide your Leader in {space}."),
    ("{seat} draws {card}.", "seat"): Text("You draw {card}."),
    ("{seat} discards {card}.", "seat"): Text("You discard {card}."),
    ("Round {round}: it is the turn of {seat}.", "seat"): Text("Round {round}: it's your turn."),
    ("{seat} plants a gas mine on {space}.", "seat"): Text("You plant a gas mine on {space}."),
    ("{seat} ends the turn.", "seat"): Text("You end your turn."),
    ("{seat} takes out the Target and wins!", "seat"): Text("You take out the Target and win!"),
}
"""Template and place of a seat -> the template for the player of that seat."""
OWN: Final[Mapping[str, Mapping[str, Text]]] = {
    seat: {
        called(seat): Text("you"),
        called(marker_of(seat, SNIPER)): Text("your Sniper"),
        called(marker_of(seat, ASSASSIN)): Text("your Assassin"),
    }
    for seat in player_names(MOST)
}
"""Seat -> name of what belongs to it -> the name for its player."""


def _names(markers: Iterable[str]) -> str:
    return and_list(map(called, markers))


WORDS: Final[Mapping[str, Callable[[Any], str | int]]] = {
    "seat": lambda event: called(event.seat),
    "marker": lambda event: called(event.marker),
    "target": lambda event: called(event.target),
    "card": lambda event: CARDS[event.card].title,
    "number": lambda event: event.count,
    "start": lambda event: event.from_,
    "others": lambda event: _names(event.with_),
    "struck": lambda event: _names(event.hit if isinstance(event, e.ClaymoreSet) else event.markers),
}
"""Functions that fill the placeholders of the sentences."""


def sentence(event: Event) -> Text:
    return ending(event.winner) if isinstance(event, e.GameOver) else fill(_template(event), event, WORDS)


def sentence_for(seat: str, event: Event) -> Text:
    """Return what happened, for the player of `seat`."""
    return addressed(sentence(event), OWN[seat], YOURS)


def _template(event: Event) -> Text:
    match event:
        case e.Retreated() if event.from_ == event.to:
            return Text("{marker} is driven back, but has no room.")
        case e.ClaymoreSet(hit=()):
            return Text("{marker} sets off Claymores on pathway {pathway}: nobody there.")
    return text_for(event, SENTENCES)


def ending(winner: str | None) -> Text:
    """Return a sentence that says how a game ended."""
    if winner is None:
        return Text("The last round is over: nobody wins.")
    return Text("{seat} takes out the Target and wins!", seat=called(winner))
