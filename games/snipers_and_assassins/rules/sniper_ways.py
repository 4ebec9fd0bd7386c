"""Destinations of the Sniper's options, and the legs that lead there (SA-SNP-*, SA-IMP-04)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple

from msgspec import Struct

from engine.game import Command
from engine.lazy import latest
from games.snipers_and_assassins.rules import commands as c
from games.snipers_and_assassins.rules import places
from games.snipers_and_assassins.rules.events import DoubleJump
from games.snipers_and_assassins.rules.hits import Way, Ways, jump, jump_places, places_along, shot, sneak, walk
from games.snipers_and_assassins.rules.picture import Picture

STEPS_A, STEPS_B, STEPS_C = 1, 2, 3  # Maximum steps in the walks of options A, B and C (SA-SNP-01..03)
HALVES: Final[Mapping[type[Command], Literal[1, 2]]] = {c.DoubleOne: 1, c.DoubleTwo: 2}
"""Command for the first turn of a double jump -> option number."""


class Stand(NamedTuple):
    """Everything that decides where a Sniper's options lead.

    `steps` is what its card adds to a walk of option B or C (SA-R-64). `half` is the double jump in progress.
    """

    pathways: int
    here: str
    steps: int
    half: DoubleJump | None


@latest
def stand_of(view: Picture) -> Stand:
    """Return the stand of the current player's Sniper."""
    me, card = view.me, view.improvement(view.turn)
    return Stand(view.pathways, str(me.sniper), card.steps if card else 0, me.jump)


def _walks(stand: Stand, most: int) -> Iterator[str]:
    return (name for name in places_along(stand.here, most) if places.is_space(name))


def ways_a(stand: Stand, command: c.OptionA) -> Ways:
    """Return the ways of option A (SA-SNP-01)."""
    here = stand.here
    if command.order == "move-shoot":
        return {to: (walk(to), shot(to)) for to in _walks(stand, STEPS_A)}
    return {here: (shot(here),), **{to: (shot(here), walk(to)) for to in _walks(stand, STEPS_A)}}


def ways_b_walk(stand: Stand, command: c.WalkB) -> Ways:
    """Return the ways of a walk of option B (SA-SNP-02). Staying in place requires a shot."""
    here = stand.here
    # Staying without a shot would be the same as holding.
    still: Ways = {} if command.target is None else {here: (shot(here),)}
    return {**still, **{to: (walk(to), shot(to)) for to in _walks(stand, STEPS_B + stand.steps)}}


def ways_b_jump(stand: Stand, command: c.JumpB | c.DoubleOne) -> Ways:
    """Return the way of a jump followed by a shot (SA-SNP-02, SA-SNP-05)."""
    return {to: (jump(to), shot(to)) for to in jump_places(stand.pathways, stand.here).values()}


def ways_c_jump(stand: Stand, command: c.JumpC) -> Ways:
    """Return the ways of a jump and a step (SA-SNP-03). The step is an ordinary one (SA-R-16)."""
    ways: dict[str, Way] = {}
    for landing in jump_places(stand.pathways, stand.here).values():
        ways |= {landing: (jump(landing),), **{to: (jump(landing), walk(to)) for to in places.next_to(landing)}}
    return ways


def ways_continue(stand: Stand, command: c.DoubleContinue) -> Ways:
    """Return the ways of a double jump's second turn, in the same direction (SA-SNP-06, SA-R-32)."""
    half = stand.half
    landing = None if half is None else jump_places(stand.pathways, stand.here).get(half.dir)
    if half is None or landing is None:
        return {}
    # Only option 2 has a stealth step after the second jump.
    sneaks = places.next_to(landing) if half.option == HALVES[c.DoubleTwo] else ()
    return {landing: (jump(landing),), **{to: (jump(landing), sneak(to)) for to in sneaks}}


def ways_fast(stand: Stand, command: c.DoubleFast) -> Ways:
    """Return the ways of both turns in one (SA-R-34)."""
    ways: dict[str, Way] = {}
    for direction, middle in jump_places(stand.pathways, stand.here).items():
        landing = jump_places(stand.pathways, middle).get(direction)
        if landing is not None and command.option == HALVES[c.DoubleOne]:
            ways[landing] = (jump(middle), shot(middle), jump(landing))
        elif landing is not None:
            two = (jump(middle), jump(landing))
            ways |= {landing: two, **{to: (*two, sneak(to)) for to in places.next_to(landing)}}
    return ways


class Option(Struct, frozen=True):
    """An option of the Sniper: its rule, its ways, and the forms in which it is offered.

    A form is a command without values for `to` and `target`. Without a target, it is an act without a shot.
    """

    command: type[c.SniperCommand]
    rule: str
    ways: Callable[[Stand, Any], Ways]
    forms: tuple[c.SniperCommand, ...]


OPTIONS: Final = (
    Option(c.OptionA, "SA-SNP-01", ways_a, (c.OptionA("shoot-move", "", ""), c.OptionA("move-shoot", "", ""))),
    Option(c.WalkB, "SA-SNP-02", ways_b_walk, (c.WalkB(""), c.WalkB("", ""))),
    Option(c.JumpB, "SA-SNP-02", ways_b_jump, (c.JumpB(""), c.JumpB("", ""))),
    Option(
        c.WalkC,
        "SA-SNP-03",
        lambda stand, command: {to: (walk(to),) for to in _walks(stand, STEPS_C + stand.steps)},
        (c.WalkC(""),),
    ),
    Option(c.JumpC, "SA-SNP-03", ways_c_jump, (c.JumpC(""),)),
    Option(c.DoubleOne, "SA-SNP-04", ways_b_jump, (c.DoubleOne(""), c.DoubleOne("", ""))),
    Option(
        c.DoubleTwo,
        "SA-SNP-04",
        lambda stand, command: {to: (jump(to),) for to in jump_places(stand.pathways, stand.here).values()},
        (c.DoubleTwo(""),),
    ),
    Option(c.DoubleContinue, "SA-SNP-04", ways_continue, (c.DoubleContinue(""),)),
    Option(c.DoubleFast, "SA-SNP-04", ways_fast, (c.DoubleFast(1, ""), c.DoubleFast(1, "", ""), c.DoubleFast(2, ""))),
)


def has_room(stand: Stand, command: Any) -> bool:
    """Return whether the second jump that a command may start ends on the board (SA-R-32)."""
    if type(command) not in HALVES:
        return True
    # Find the direction of the first jump, then check that a second one fits.
    ways = (way for way, to in jump_places(stand.pathways, stand.here).items() if to == command.to)
    return any(way in jump_places(stand.pathways, command.to) for way in ways)
