"""What acts are called on buttons, and what a viewer knows in a few lines: for the generic screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.game import Command
from engine.text import Text, and_list
from games.stalingrad.rules import commands
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.picture import Picture, Player
from games.stalingrad.rules.words import STAT_TITLES


def caption(command: Command) -> Text:
    """What an act is called."""
    return _CAPTIONS[type(command)](command)


def _commit(command: commands.Commit) -> Text:
    if not command.cards:
        return Text("Roll without help")
    return Text("Roll with {cards}", cards=and_list(CARDS[card].title for card in command.cards))


_CAPTIONS: Mapping[type[Command], Callable[[Any], Text]] = {
    commands.Play: lambda command: Text("Play {card}", card=CARDS[command.card].title),
    commands.Draw: lambda command: Text("Lay out this turn's cards"),
    commands.Reveal: lambda command: Text("Turn over the next card"),
    commands.Commit: _commit,
    commands.Buy: lambda command: Text("Raise {stat}", stat=STAT_TITLES[command.stat]),
    commands.Discard: lambda command: Text("Discard {card}", card=CARDS[command.card].title),
    commands.EndTurn: lambda command: Text("End the turn"),
}


def summary(view: Picture) -> list[tuple[Text, str]]:
    """The street, then every player with what lies open of the hand."""
    return [*_street(view), *(line for seat, player in view.players.items() for line in _player(seat, player))]


def _street(view: Picture) -> Iterator[tuple[Text, str]]:
    yield Text("Cards in the deck"), str(view.deck_size)
    if view.facedown_size:
        yield Text("Face down before you"), str(view.facedown_size)
    if view.card is not None:
        yield Text("Turned over"), CARDS[view.card].title
    if view.die is not None:
        yield Text("Die"), str(view.die)


def _player(seat: str, player: Player) -> Iterator[tuple[Text, str]]:
    yield (
        Text("Player {which}", which=seat.partition("-")[2]),
        Text(
            "stars {stars}, hunt {hunt}, shoot {shoot}, evade {evade}, experience {xp}",
            stars=player.stars,
            hunt=player.hunt,
            shoot=player.shoot,
            evade=player.evade,
            xp=player.xp,
        ),
    )
    if player.out:
        yield Text("Out of action"), Text("player {which}", which=seat.partition("-")[2])
    elif player.skip:
        yield Text("Turns to rest"), str(player.skip)
    if player.hand:
        yield Text("Hand"), and_list(CARDS[card].title for card in player.hand)
    elif player.hand is None:
        yield Text("Cards in hand"), str(player.hand_size)
