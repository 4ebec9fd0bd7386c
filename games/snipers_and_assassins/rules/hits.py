"""Hits, legs of a movement, and landings (SA-HIT-*, SA-MIN-02, SA-MIN-05, SA-RUN-*, SA-R-49..51)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Final

from msgspec import Struct

from games.snipers_and_assassins.rules import events, places
from games.snipers_and_assassins.rules.picture import Picture, Telling
from games.snipers_and_assassins.rules.words import KINDS, SNIPER, STEPS, Direction, kind_of, marker_of, seat_of

RETREAT = 2  # Number of spaces that an Assassin retreats (SA-HIT-04)

HIT_EVENTS = (events.Retreated, events.SniperReplaced)  # Every hit has one of them
WALK, JUMP, STEALTH = "walk", "jump", "stealth"
MEETINGS: Final = {WALK: events.RunIn, JUMP: events.Surprise, STEALTH: events.Stealth}
"""How a marker arrived -> the event of the meeting (SA-RUN-01, SA-RUN-03, SA-R-15)."""


def hit(telling: Telling, marker: str) -> None:
    """Hit a marker: a Sniper dies, an Assassin retreats.

    If retreats are run-ins, each marker is hit only once in an act, so that chains of them end (SA-R-19).
    """
    if not telling.truth.rulings.quiet_retreats and was_hit(telling, marker):
        return
    if kind_of(marker) == SNIPER:
        replace_dead_sniper(telling, marker)
    else:
        retreat(telling, marker)


def was_hit(telling: Telling, marker: str) -> bool:
    """Return whether a marker was hit in this act."""
    return marker in [it.event.marker for it in telling.told if isinstance(it.event, HIT_EVENTS)]


def replace_dead_sniper(telling: Telling, sniper: str) -> None:
    """Replace a dead Sniper at its start, and give its owner another card (SA-HIT-01..03)."""
    seat, owner = seat_of(sniper), telling.truth.owner(sniper)
    assert owner.start is not None, "a Sniper has a start"
    telling.tell(events.SniperReplaced(sniper, telling.truth.at(sniper), owner.start))
    discard(telling, seat)
    draw(telling, seat)


def retreat(telling: Telling, assassin: str) -> None:
    """Move an Assassin back (SA-HIT-04, SA-R-18, SA-R-55). A mine where it ends explodes and locks it (SA-MIN-05)."""
    owner, space = telling.truth.owner(assassin), telling.truth.at(assassin)
    assert owner.start is not None, "an Assassin has a start"
    to = places.pushed_to(owner.start, space, RETREAT)
    # Without room, `to` is the same space. It still counts as a retreat (SA-R-55).
    telling.tell(events.Retreated(assassin, space, to))
    # Any mine counts, also the player's own: nothing on the board says whose it is.
    if telling.truth.is_mined(to):
        telling.tell(events.MineExploded(to, (assassin,)))
        telling.tell(events.Status(assassin, "locked", True))
    if not telling.truth.rulings.quiet_retreats and places.is_space(to):
        met = enemies_on(telling.truth, to, seat_of(assassin))
        meet(telling, assassin, met, WALK)


def discard(telling: Telling, seat: str) -> None:
    """Discard a seat's card, if it has one."""
    card = telling.truth.players[seat].improvement
    if card is not None:
        telling.tell(events.ImprovementDiscarded(seat, card))


def draw(telling: Telling, seat: str) -> None:
    """Draw a card for a seat. If the deck is empty, shuffle the discard pile first (SA-HIT-03, SA-R-36)."""
    # If both piles are empty, the seat gets no card.
    if not telling.truth.deck and telling.truth.discard:
        shuffle(telling, telling.truth.discard, "SA-R-36")
    if telling.truth.deck:
        telling.tell(events.ImprovementDrawn(seat, telling.truth.deck[0]))


def shuffle(telling: Telling, cards: tuple[str, ...], rule: str) -> None:
    """Shuffle these cards into a new deck. `rule` is the rule that requires it."""
    deck = telling.chance.order("improvements", cards, rule)
    telling.tell(events.DeckShuffled(len(deck)))
    # That a deck was shuffled is public; its order is for the referee alone.
    telling.keep(events.Deck(deck))


def explode(telling: Telling, space: str, snipers: tuple[str, ...]) -> None:
    """Explode a mine under Snipers. A Sniper with a mask loses it instead of dying (SA-MIN-02, SA-R-57)."""
    telling.tell(events.MineExploded(space, snipers))
    for sniper in snipers:
        if telling.truth.holds(seat_of(sniper), "mask"):
            discard(telling, seat_of(sniper))
        else:
            replace_dead_sniper(telling, sniper)


def land(telling: Telling, marker: str, space: str, how: str) -> bool:
    """Apply the consequences of a marker's arrival. Return whether it continues unhurt (SA-R-52)."""
    if not places.is_space(space):
        return True
    # The mine comes first: a Sniper that dies of it meets no one.
    if kind_of(marker) == SNIPER and telling.truth.is_mined(space):
        explode(telling, space, (marker,))
        if telling.truth.at(marker) != space:
            return False
    met = enemies_on(telling.truth, space, seat_of(marker))
    if not met:
        return True
    meet(telling, marker, met, how)
    return not was_hit(telling, marker)


def meet(telling: Telling, marker: str, met: tuple[str, ...], how: str) -> None:
    """Let a marker meet those on its space, if any, with all hits (SA-R-49, SA-R-51)."""
    if not met:
        return
    struck, stopped = struck_by(telling.truth, marker, met, how)
    # The hits were decided above: the first one may discard the card that protects another marker.
    telling.tell(MEETINGS[how](marker, met))
    for victim in struck:
        hit(telling, victim)
    if stopped:
        hit(telling, marker)


def enemies_on(view: Picture, space: str, seat: str) -> tuple[str, ...]:
    """Return the markers of all players except `seat` on a space, in seat order."""
    there: list[str] = []
    for other, player in view.players.items():
        if other != seat and space in (player.sniper, player.assassin):
            there += [marker_of(other, kind) for kind in KINDS if getattr(player, kind) == space]
    return tuple(there)


def struck_by(view: Picture, mover: str, met: tuple[str, ...], how: str) -> tuple[tuple[str, ...], bool]:
    """Return which met markers are hit, and whether the mover is hit (SA-R-11, SA-R-14, SA-R-49, SA-R-50)."""
    struck = tuple(marker for marker in met if not view.holds(seat_of(marker), "drop"))
    # The mover is hit if it walked in, or if anyone that it met holds Got the Drop.
    stabbed = how == WALK or len(struck) < len(met)
    return struck, stabbed and not view.holds(seat_of(mover), "drop")


SHOOT: Final = "shoot"


class Leg(Struct, frozen=True):
    """One part of an option: a walk, jump or stealth step to `place`, or a shot from `place`."""

    how: str
    place: str


Way = tuple[Leg, ...]
Ways = Mapping[str, Way]  # Destination of an option -> the legs that lead there
walk: Final = partial(Leg, WALK)  # A walk along the pathway. Only its end is a landing (SA-R-09).
jump: Final = partial(Leg, JUMP)  # A jump to the next pathway (SA-R-04)
sneak: Final = partial(Leg, STEALTH)  # A stealth step (SA-R-15)
shot: Final = partial(Leg, SHOOT)  # A shot, if the command has a target


@cache
def places_along(start: str, most: int) -> tuple[str, ...]:
    """Return the places 1 to `most` steps away along the pathway, including Hideouts (SA-R-02, SA-R-03)."""
    place = places.place_of(start)
    # Both directions, nearest first: the menu has the same order in every game.
    reached = (place.along(side * steps) for side in places.BOTH_WAYS for steps in range(1, most + 1))
    return tuple(places.name_of(here) for here in reached if places.LEFT <= here.column <= places.RIGHT)


@cache
def jump_places(pathways: int, start: str) -> Mapping[Direction, str]:
    """Return direction -> place in the same column on the next pathway, if there is one (SA-R-04).

    Between Hideouts only some Snipers may jump (SA-R-47); the rules of both markers check that.
    """
    place = places.place_of(start)
    reached = {direction: place.across(step) for direction, step in STEPS.items()}
    return {direction: places.name_of(to) for direction, to in reached.items() if 1 <= to.pathway <= pathways}


def step(telling: Telling, marker: str, leg: Leg) -> bool:
    """Carry out a leg other than a shot. Return whether the marker can continue from there (SA-R-52)."""
    event = events.Jumped if leg.how == JUMP else events.Moved
    telling.tell(event(marker, telling.truth.at(marker), leg.place))
    return land(telling, marker, leg.place, leg.how)


def shooting_place(way: Sequence[Leg]) -> str | None:
    """Return the place from which a way shoots, or None."""
    return next((leg.place for leg in way if leg.how == SHOOT), None)
