"""Landing: what happens to a marker where it arrives (SA-RUN-*, SA-MIN-02, SA-R-49..51)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from games.snipers_and_assassins.rules import events, places
from games.snipers_and_assassins.rules.hits import explode, hit
from games.snipers_and_assassins.rules.picture import Picture, Telling
from games.snipers_and_assassins.rules.words import SNIPER, kind_of, seat_of

WALK, JUMP, STEALTH = "walk", "jump", "stealth"
MEETINGS: Final = {WALK: events.RunIn, JUMP: events.Surprise, STEALTH: events.Stealth}
"""How a marker arrived -> the event of the meeting (SA-RUN-01, SA-RUN-03, SA-R-15)."""


def land(telling: Telling, marker: str, how: str) -> bool:
    """Apply the consequences of a marker's arrival. Return whether it continues unhurt (SA-R-52)."""
    space = telling.truth.at(marker)
    if not places.is_space(space):
        return True
    # The mine comes first: a Sniper that dies of it meets no one.
    if kind_of(marker) == SNIPER and space in telling.truth.mines:
        explode(telling, space, (marker,))
        if telling.truth.at(marker) != space:
            return False
    met = standing_on(telling.truth, space, telling.truth.enemies_of(seat_of(marker)))
    if not met:
        return True
    struck, stopped = struck_by(telling.truth, marker, met, how)
    telling.tell(MEETINGS[how](marker, met))
    for victim in struck:
        hit(telling, victim)
    if stopped:
        hit(telling, marker)
    return not stopped


def standing_on(view: Picture, space: str, markers: Iterable[str]) -> tuple[str, ...]:
    """Return the markers that stand on a space."""
    return tuple(marker for marker in markers if view.at(marker) == space)


def struck_by(view: Picture, mover: str, met: tuple[str, ...], how: str) -> tuple[tuple[str, ...], bool]:
    """Return which met markers are hit, and whether the mover is hit (SA-R-11, SA-R-14, SA-R-49, SA-R-50)."""
    struck = tuple(marker for marker in met if not view.holds(seat_of(marker), "drop"))
    stabbed = how == WALK or len(struck) < len(met)
    return struck, stabbed and not view.holds(seat_of(mover), "drop")
