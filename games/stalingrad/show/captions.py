"""Text for the generic screens: labels of acts, a summary of a picture, event details, figures and luck."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from engine.events import Event
from engine.game import Command, Fortune
from engine.text import Text, addressed_to_each, and_list, fill
from games.stalingrad.rules import commands
from games.stalingrad.rules import events as e
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.picture import Picture, Player
from games.stalingrad.rules.sentences import OWN, YOURS, sentence
from games.stalingrad.rules.words import STAT_TITLES, called

CAPTIONS: Final[Mapping[type[Command], Text]] = {
    commands.Play: Text("Play {card}"),
    commands.Draw: Text("Lay out this turn's cards"),
    commands.Reveal: Text("Turn over the next card"),
    commands.Commit: Text("Roll with {cards}"),
    commands.Buy: Text("Raise {stat}"),
    commands.Discard: Text("Discard {card}"),
    commands.EndTurn: Text("End the turn"),
}
WORDS: Final[Mapping[str, Callable[[Any], str | int]]] = {
    "card": lambda command: CARDS[command.card].title,
    "cards": lambda command: and_list(CARDS[card].title for card in command.cards),
    "stat": lambda command: STAT_TITLES[command.stat],
}


def caption(command: Command) -> Text:
    if command == commands.Commit(()):
        return Text("Roll without help")
    return fill(CAPTIONS[type(command)], command, WORDS)


HIGHLIGHTS = (e.Killed, e.Wounded, e.Eliminated, e.GameOver)


def details(event: Event) -> dict[str, Any]:
    """Return what screens show of an event besides its sentence: `card`, `die`, `needed` and `good`, its `moment`, and
    in `yours` the sentence for players whom it is about.

    `needed` is the highest face that succeeds. `good` says whether the roll helped the player. It is None if the roll
    isn't decided yet.
    """
    found = {**_facts(event), "yours": addressed_to_each(sentence(event), OWN, YOURS), "moment": _moment(event)}
    return {name: value for name, value in found.items() if value or name not in ("yours", "moment")}


LONG_SHOT = 2  # A hit with this value or less has a chance of 20 %


def _moment(event: Event) -> int:
    """Return how much an event decides, for the story of a finished game; 0 for most events."""
    match event:
        case e.ShootRolled(hit=True) | e.EvadeRolled(evaded=True) if event.value <= LONG_SHOT:
            return 4
        case e.Killed():
            return CARDS[event.card].stars
        case e.Wounded():
            return event.skip
        case e.Eliminated():
            return 5
    return 0


def _facts(event: Event) -> dict[str, Any]:
    match event:
        case e.Revealed():
            return {"card": event.card}
        case e.Rolled():
            return {"die": event.die, "good": None}
        case e.ShootRolled():
            return {"card": event.card, "die": event.die, "needed": event.value, "good": event.hit}
        case e.EvadeRolled():
            return {"card": event.card, "die": event.die, "needed": event.value, "good": event.evaded}
        case e.Wounded():
            return {"die": event.die, "good": False}
    return {}


def figures(events: Iterable[Event]) -> list[tuple[Text, int]]:
    history = list(events)
    shots = [it.hit for it in history if isinstance(it, e.ShootRolled)]
    dangers = [it.evaded for it in history if isinstance(it, e.EvadeRolled)]
    return [
        (Text("Shots"), len(shots)),
        (Text("Shots that hit"), sum(shots)),
        (Text("Dangers"), len(dangers)),
        (Text("Dangers evaded"), sum(dangers)),
        (Text("Aids played"), sum(len(it.cards) for it in history if isinstance(it, e.AidSpent))),
        (Text("Wounds"), sum(isinstance(it, e.Wounded) for it in history)),
    ]


def summary(view: Picture) -> list[tuple[Text, str]]:
    """Return the cards on the table, then each player with the visible part of the hand."""
    return [*_table_lines(view), *(line for seat, player in view.players.items() for line in _player(seat, player))]


def _table_lines(view: Picture) -> Iterator[tuple[Text, str]]:
    yield Text("Cards in the deck"), str(view.deck_size)
    if view.facedown_size:
        yield Text("Face down before you"), str(view.facedown_size)
    if view.card is not None:
        yield Text("Turned over"), CARDS[view.card].title
    if view.die is not None:
        yield Text("Die"), str(view.die)


def _player(seat: str, player: Player) -> Iterator[tuple[Text, str]]:
    stats = Text("stars {stars}, hunt {hunt}, shoot {shoot}, evade {evade}, experience {xp}")
    yield Text("Player {which}", which=seat.partition("-")[2]), fill(stats, player, {})
    if player.out:
        yield Text("Out of action"), called(seat)
    elif player.skip:
        yield Text("Turns to rest"), str(player.skip)
    if player.hand:
        yield Text("Hand"), and_list(CARDS[card].title for card in player.hand)
    elif player.hand is None:
        yield Text("Cards in hand"), str(player.hand_size)


FACES = 10  # Number of faces of the die: a shot with the value n hits on n of them


def fortunes(events: Iterable[Event]) -> Sequence[Fortune]:
    """Return the luck of each player that has shot."""
    expected, got = defaultdict[str, float](float), defaultdict[str, float](float)
    for event in events:
        if isinstance(event, e.ShootRolled):
            stars = CARDS[event.card].stars
            expected[event.seat] += stars * max(0, event.value) / FACES
            got[event.seat] += stars * event.hit
    return [Fortune(seat, round(mean, 1), got[seat], _said(seat, got[seat] - mean)) for seat, mean in expected.items()]


def _said(seat: str, more: float) -> Text:
    stars, who = f"{abs(more):.1f}", called(seat)
    if stars == "0.0":
        return Text("{who} rolled exactly as expected", who=who)
    if more < 0:
        return Text("{who} rolled {stars} stars below expectation", who=who, stars=stars)
    return Text("{who} rolled {stars} stars above expectation", who=who, stars=stars)
