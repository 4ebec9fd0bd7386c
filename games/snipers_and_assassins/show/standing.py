"""A short summary of the race: who leads, who still has to act, and each marker's place and status."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engine.text import Text, and_list, comma_list
from games.snipers_and_assassins.rules import cards, places
from games.snipers_and_assassins.rules.assassin import STEPS, goal
from games.snipers_and_assassins.rules.picture import Picture, Player
from games.snipers_and_assassins.rules.words import KINDS, called

Line = tuple[Text, str]

CHOICES: Final[Mapping[str, Text]] = {
    "start": Text("a start"),
    "target": Text("a Target"),
    "leader": Text("a Hideout for the Leader"),
}
SHOT: Final[Mapping[str, Text]] = {
    "fresh": Text("Assassin shot at: it cannot move, the next shot hits"),
    "stale": Text("Assassin shot at: the next shot hits"),
    "healing": Text("Assassin heals: nobody may shoot at it"),
    "healed": Text("Assassin heals: nobody may shoot at it"),
}


def summary(view: Picture) -> list[Line]:
    """Return the round, the remaining acts and the leaders; then each player in turn order, and the deck."""
    if view.setup is not None:
        return [*_choosing(view), *(_player(view, seat) for seat in view.seats)]
    left = [called(view.own(kind)) for kind in KINDS if kind not in view.acted]
    doing = and_list(left) if left else Text("nothing but to end the turn")
    return [
        (Text("Round"), str(view.round)),
        *([(Text("Still to act"), doing)] if view.over is None else []),
        (Text("Ahead"), _leaders(view)),
        *(_player(view, seat) for seat in view.seats),
        (Text("Cards in the deck"), str(view.deck_size or 0)),
    ]


def turns_to_go(view: Picture, seat: str) -> int:
    """Return the fewest turns in which a seat's Assassin can reach its Target with no one in the way."""
    return _turns(view.players[seat].assassin, goal(view, seat))


def turns_of_race(view: Picture, seat: str) -> int:
    """Return the same from the seat's own Hideout: the length of its race."""
    return _turns(view.players[seat].start, goal(view, seat))


def turns_to_hide(view: Picture, seat: str, hideouts: Iterable[str]) -> dict[str, int]:
    """Return how soon the Assassin of a player who hunts `seat` can reach each of these Hideouts."""
    starts = [player.start for player in view.players.values() if player.target == seat]
    return {space: min(_turns(start, space) for start in starts) for space in hideouts if starts}


def _turns(start: str | None, end: str | None) -> int:
    assert start is not None, "called after the starts are chosen"
    assert end is not None, "called during the game"
    a, b = places.place_of(start), places.place_of(end)
    jumps, columns = abs(a.pathway - b.pathway), abs(a.column - b.column)
    if jumps and not columns and not a.is_space:
        return jumps + 2  # no jump leads from one Hideout into another
    # Round the walk up to whole turns.
    return jumps + -(-columns // STEPS)


def _choosing(view: Picture) -> Iterator[Line]:
    if view.setup is not None and view.setup in CHOICES:
        yield Text("Now chosen"), Text("{what}, by {seat}", what=CHOICES[view.setup], seat=called(view.turn))


def open_cards(view: Picture) -> list[tuple[Text, str]]:
    """Return each player's Improvement, which is face up (SA-SET-06)."""
    return [(called(seat), player.improvement) for seat, player in view.players.items() if player.improvement]


def _leaders(view: Picture) -> str:
    """Return the seats with the fewest turns to go, and the number of turns."""
    turns = {seat: turns_to_go(view, seat) for seat in view.seats}
    fewest = min(turns.values())
    seats = and_list(called(seat) for seat in view.seats if turns[seat] == fewest)
    return Text("{seats}: {number} turn to go", "{seats}: {number} turns to go", seats=seats, number=fewest)


def _player(view: Picture, seat: str) -> Line:
    label = Text("Player {which}", which=seat.partition("-")[2])
    parts = [*_place_texts(view, seat), *_state_texts(view.players[seat]), *_possession_texts(view.players[seat])]
    return label, comma_list(parts) if parts else Text("nothing chosen yet")


def _place_texts(view: Picture, seat: str) -> Iterator[Text]:
    player = view.players[seat]
    end = goal(view, seat)
    if view.setup is None and end is not None:
        number = turns_to_go(view, seat)
        yield Text("{number} turn to {space}", "{number} turns to {space}", number=number, space=end)
    elif player.target is not None:
        yield Text("hunts the Leader of {seat}", seat=called(player.target))
    if player.assassin is not None and player.sniper is not None:
        yield Text("Assassin on {space}", space=player.assassin)
        yield Text("Sniper on {space}", space=player.sniper)
    if player.leader is not None:
        yield Text("Leader in {space}", space=player.leader)


def _state_texts(player: Player) -> Iterator[Text]:
    if player.shot is not None:
        yield SHOT[player.shot]
    if player.locked:
        yield Text("Assassin gassed: it cannot move next")
    if player.start is not None and player.pushed_back and player.assassin == places.space_before_hideout(player.start):
        yield Text("Assassin can set off Claymores")
    if player.recover:
        yield Text("Sniper has to recover")
    if player.jump is not None:
        yield Text("Sniper in the middle of a double jump")


def _possession_texts(player: Player) -> Iterator[Text]:
    if player.improvement is not None:
        title = cards.CARDS[player.improvement].title
        if player.armor is None:
            yield title
        else:
            yield Text("{card}: {number} shot", "{card}: {number} shots", card=title, number=player.armor)
    if player.mines:
        number, spaces = len(player.mines), comma_list(player.mines)
        yield Text("{number} mine: {spaces}", "{number} mines: {spaces}", number=number, spaces=spaces)
