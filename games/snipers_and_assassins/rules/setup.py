"""Set-up: starts, Targets, Leaders, cards and first player (SA-SET-*, SA-R-41, SA-R-42, SA-R-63)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from engine.events import Event
from engine.game import Command
from engine.refusal import Refused
from engine.seats import player_names
from engine.text import Text
from games.snipers_and_assassins.rules import cards, events, places
from games.snipers_and_assassins.rules.commands import ChooseStart, ChooseTarget, PlaceLeader
from games.snipers_and_assassins.rules.hits import shuffle
from games.snipers_and_assassins.rules.picture import Layout, Picture, Player, Telling
from games.snipers_and_assassins.rules.rule import Check, Rule

CHOSEN_BY: Mapping[str, type] = {"start": ChooseStart, "target": ChooseTarget, "leader": PlaceLeader}
"""Set-up choice -> its command."""
FOR_TWO = {"player-1": Layout("AL", "player-2", "AR"), "player-2": Layout("DL", "player-1", "DR")}
"""The fixed layout of a game for two players (SA-SET-03, SA-SET-04)."""


def usual_layout(players: int) -> dict[str, Layout]:
    """Return the default layout for a position. For two players, it is the layout of a new game."""
    if players == len(FOR_TWO):
        return FOR_TWO
    seats, pathways = player_names(players), players + places.EXTRA_PATHWAYS
    return {
        seat: Layout(
            start=f"{places.letter(number)}L",
            target=seats[number % players],
            # Number the Leaders from the bottom, so that each has a Hideout of its own.
            leader=f"{places.letter(pathways - (number - 2) % players)}R",
        )
        for number, seat in enumerate(seats, 1)
    }


def open_targets(view: Picture, seat: str) -> Iterator[str]:
    """Yield the players without a hunter that a seat can hunt, so that later seats find a Target (SA-R-41).

    If the ruling is off, all other players can be hunted.
    """
    if not view.rulings.single_hunters:
        yield from (other for other in view.seats if other != seat)
        return
    hunted = {player.target for other, player in view.players.items() if other != seat}
    later = [other for other, player in view.players.items() if other != seat and player.target is None]
    for target in view.seats:
        # The last player to choose must not be left with only their own Leader.
        left = [other for other in view.seats if other not in hunted and other != target]
        if target != seat and target not in hunted and not (len(later) == 1 and later == left):
            yield target


def _check_space(view: Picture, command: ChooseStart | PlaceLeader) -> Refused | None:
    if places.is_space(command.space):
        return Refused("SA-SET-05", Text("{space} is not a Hideout.", space=command.space))
    if any(command.space in (player.start, player.leader) for player in view.players.values()):
        return Refused("SA-R-42", Text("The Hideout {space} is taken.", space=command.space))
    return None


def _check_target(view: Picture, command: ChooseTarget) -> Refused | None:
    if command.seat == view.turn:
        return Refused("SA-R-41", Text("You can't hunt your own Leader; choose another one."))
    if command.seat not in open_targets(view, view.turn):
        return Refused("SA-R-41", Text("Each Leader is hunted by exactly one other player; choose another one."))
    return None


def _choice(
    kind: type[Command],
    among: Callable[[Picture], Iterable[str]],
    check: Check,
    event: Callable[[str, str], Event],
) -> Rule:
    """Return the rule of a set-up choice: the command's only field is the second field of the event."""
    # A set-up command has exactly one field.
    (field,) = kind.__struct_fields__

    def offers(view: Picture) -> list[Command]:
        return [command for command in map(kind, among(view)) if check(view, command) is None]

    def decide(telling: Telling, command: Command) -> None:
        telling.tell(event(telling.truth.turn, getattr(command, field)))
        begin(telling)

    return Rule(kind, offers, (check,), decide)


def begin(telling: Telling) -> None:
    """If all choices are made, shuffle, deal and draw the first player (SA-SET-06, SA-SET-07, SA-R-63)."""
    if telling.truth.setup != "deal":
        return
    shuffle(telling, cards_left(telling.truth), "SA-SET-06")
    for seat in telling.truth.seats:
        if telling.truth.deck:
            telling.tell(events.ImprovementDrawn(seat, telling.truth.deck[0]))
    # A described position takes precedence over the options.
    first = telling.truth.first or telling.truth.options.first
    if first is None:
        first = telling.chance.order("first", telling.truth.seats, "SA-R-48")[0]
    telling.tell(events.TurnStarted(first, 1))


def cards_left(view: Picture) -> tuple[str, ...]:
    """Return the described deck, or the cards that are neither held nor discarded."""
    if view.deck is not None:
        return view.deck
    improvements = [player.improvement for player in view.players.values() if player.improvement is not None]
    return cards.without(cards.box(view.options.core_only), [*improvements, *view.discard])


def players_at_starts(layout: Mapping[str, Layout]) -> dict[str, Player]:
    """Return the players at their starts (SA-SET-02)."""
    return {
        seat: Player(place.start, place.target, place.leader, sniper=place.start, assassin=place.start)
        for seat, place in layout.items()
    }


def _hideouts(view: Picture) -> tuple[str, ...]:
    return places.hideouts(view.pathways)


RULES = [
    _choice(ChooseStart, _hideouts, _check_space, events.StartChosen),
    _choice(ChooseTarget, lambda view: view.seats, _check_target, events.TargetChosen),
    _choice(PlaceLeader, _hideouts, _check_space, events.LeaderPlaced),
]
