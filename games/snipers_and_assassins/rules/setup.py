"""SET: starts, Targets and Leaders, then the cards and the first player (SA-SET-*, SA-R-41, SA-R-42, SA-R-63)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.refusal import Refused
from engine.text import Text
from games.snipers_and_assassins.rules import cards, events, places
from games.snipers_and_assassins.rules.commands import ChooseStart, ChooseTarget, PlaceLeader
from games.snipers_and_assassins.rules.hits import shuffle
from games.snipers_and_assassins.rules.picture import Layout, Picture, Player
from games.snipers_and_assassins.rules.rule import Rule, allowed
from games.snipers_and_assassins.rules.telling import Telling
from games.snipers_and_assassins.rules.words import seat_names

CHOSEN_BY: Mapping[str, type] = {"start": ChooseStart, "target": ChooseTarget, "leader": PlaceLeader}
"""What set-up waits for -> the act that it takes."""
FOR_TWO = {"player-1": Layout("AL", "player-2", "AR"), "player-2": Layout("DL", "player-1", "DR")}
"""SA-SET-03, SA-SET-04."""


def usual_layout(players: int) -> dict[str, Layout]:
    """Where everybody begins in a position that does not say it; for two as in a new game."""
    if players == len(FOR_TWO):
        return FOR_TWO
    seats, pathways = seat_names(players), players + places.EXTRA_PATHWAYS
    return {
        seat: Layout(
            start=f"{places.letter(number)}L",
            target=seats[number % players],
            leader=f"{places.letter(pathways - (number - 2) % players)}R",
        )
        for number, seat in enumerate(seats, 1)
    }


# --- the choices ------------------------------------------------------------------------------------------------


def open_targets(view: Picture, seat: str) -> Iterator[str]:
    """Whom a seat can hunt: nobody's Target yet, and the later seats can still find theirs (SA-R-41)."""
    hunted = {player.target for other, player in view.players.items() if other != seat}
    later = [other for other, player in view.players.items() if other != seat and player.target is None]
    for target in view.seats:
        left = [other for other in view.seats if other not in hunted and other != target]
        if target != seat and target not in hunted and not (len(later) == 1 and later == left):
            yield target


def taken(view: Picture, space: str) -> bool:
    """Whether a Hideout is somebody's start or holds a Leader (SA-R-42)."""
    return any(space in (player.start, player.leader) for player in view.players.values())


def _offer_starts(view: Picture) -> Iterable[ChooseStart]:
    return [ChooseStart(space) for space in places.hideouts(view.pathways)]


def _offer_targets(view: Picture) -> Iterable[ChooseTarget]:
    return [ChooseTarget(seat) for seat in view.seats]


def _offer_leaders(view: Picture) -> Iterable[PlaceLeader]:
    return [PlaceLeader(space) for space in places.hideouts(view.pathways)]


def _check_space(view: Picture, command: ChooseStart | PlaceLeader) -> Refused | None:
    if places.is_space(command.space):
        return Refused("SA-SET-05", Text("{space} is no Hideout.", space=command.space))
    if taken(view, command.space):
        return Refused("SA-R-42", Text("The Hideout {space} is taken.", space=command.space))
    return None


def _check_target(view: Picture, command: ChooseTarget) -> Refused | None:
    if command.seat not in open_targets(view, view.turn):
        return Refused("SA-R-41", Text("Each Leader is hunted by exactly one other player; choose another one."))
    return None


def _choose_start(telling: Telling, command: ChooseStart) -> None:
    telling.tell(events.StartChosen(telling.truth.turn, command.space))
    begin(telling)


def _choose_target(telling: Telling, command: ChooseTarget) -> None:
    telling.tell(events.TargetChosen(telling.truth.turn, command.seat))
    begin(telling)


def _place_leader(telling: Telling, command: PlaceLeader) -> None:
    telling.tell(events.LeaderPlaced(telling.truth.turn, command.space))
    begin(telling)


# --- the deal ---------------------------------------------------------------------------------------------------


def begin(telling: Telling) -> None:
    """Once nothing is left to choose: shuffle, deal, and draw the first player (SA-SET-06, SA-SET-07, SA-R-63)."""
    if telling.truth.setup != "deal":
        return
    shuffle(telling, undealt(telling.truth), "SA-SET-06")
    for seat in telling.truth.seats:
        if telling.truth.deck:
            telling.tell(events.ImprovementDrawn(seat, telling.truth.deck[0]))
    first = telling.truth.first or telling.truth.options.first
    if first is None:
        first = telling.chance.order("first", telling.truth.seats, "SA-R-48")[0]
    telling.tell(events.TurnStarted(first, 1))


def undealt(view: Picture) -> tuple[str, ...]:
    """The cards that are neither held nor discarded; those of the deck where one is described."""
    if view.deck is not None:
        return view.deck
    held = [player.improvement for player in view.players.values() if player.improvement is not None]
    return cards.without(cards.box(view.options.core_only), [*held, *view.discard])


def seated(layout: Mapping[str, Layout]) -> dict[str, Player]:
    """The players at their starts (SA-SET-02)."""
    return {
        seat: Player(one.start, one.target, one.leader, sniper=one.start, assassin=one.start)
        for seat, one in layout.items()
    }


RULES = [
    Rule(ChooseStart, allowed(_offer_starts, _check_space), (_check_space,), _choose_start),
    Rule(ChooseTarget, allowed(_offer_targets, _check_target), (_check_target,), _choose_target),
    Rule(PlaceLeader, allowed(_offer_leaders, _check_space), (_check_space,), _place_leader),
]
