"""Where the Sniper's options lead, and how (SA-SNP-*, SA-IMP-04)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple

from msgspec import Struct

from engine.game import Command
from games.snipers_and_assassins.rules import places
from games.snipers_and_assassins.rules.commands import (
    DoubleContinue,
    DoubleFast,
    DoubleOne,
    DoubleTwo,
    JumpB,
    JumpC,
    OptionA,
    SniperAct,
    WalkB,
    WalkC,
)
from games.snipers_and_assassins.rules.events import DoubleJump
from games.snipers_and_assassins.rules.moving import Way, Ways, jump, leaps, shot, sneak, strides, walk
from games.snipers_and_assassins.rules.picture import Picture

STEPS_A, STEPS_B, STEPS_C = 1, 2, 3
"""How far the options walk (SA-SNP-01..03)."""
HALVES: Final[Mapping[type[Command], Literal[1, 2]]] = {DoubleOne: 1, DoubleTwo: 2}
"""The first turns of a double jump -> its option."""


class Stand(NamedTuple):
    """All that decides where the options of a Sniper lead: the board, the place `here`, how many steps its card adds to
    a walk of option B or C (SA-R-64), and the double jump that it is in.
    """

    pathways: int
    here: str
    steps: int
    half: DoubleJump | None


def stand_of(view: Picture) -> Stand:
    """How the Sniper stands whose turn it is."""
    me, card = view.me, view.improvement(view.turn)
    return Stand(view.pathways, str(me.sniper), card.steps if card else 0, me.jump)


def _walks(stand: Stand, most: int) -> Iterator[str]:
    return (name for name in strides(stand.here, most) if places.is_space(name))


def ways_a(stand: Stand, command: OptionA) -> Ways:
    """SA-SNP-01."""
    here = stand.here
    if command.order == "move-shoot":
        return {to: (walk(to), shot(to)) for to in _walks(stand, STEPS_A)}
    return {here: (shot(here),), **{to: (shot(here), walk(to)) for to in _walks(stand, STEPS_A)}}


def ways_b_walk(stand: Stand, command: WalkB) -> Ways:
    """SA-SNP-02; standing still is worth an act only with a shot."""
    here = stand.here
    still: Ways = {} if command.target is None else {here: (shot(here),)}
    return {**still, **{to: (walk(to), shot(to)) for to in _walks(stand, STEPS_B + stand.steps)}}


def ways_b_jump(stand: Stand, command: JumpB | DoubleOne) -> Ways:
    """A jump, then a shot (SA-SNP-02, SA-SNP-05)."""
    return {to: (jump(to), shot(to)) for to in leaps(stand.pathways, stand.here).values()}


def ways_c_walk(stand: Stand, command: WalkC) -> Ways:
    """SA-SNP-03."""
    return {to: (walk(to),) for to in _walks(stand, STEPS_C + stand.steps)}


def ways_c_jump(stand: Stand, command: JumpC) -> Ways:
    """SA-SNP-03; the step is an ordinary one (SA-R-16)."""
    found: dict[str, Way] = {}
    for landing in leaps(stand.pathways, stand.here).values():
        found |= {landing: (jump(landing),), **{to: (jump(landing), walk(to)) for to in places.beside(landing)}}
    return found


def ways_d2(stand: Stand, command: DoubleTwo) -> Ways:
    """SA-SNP-06, the first turn."""
    return {to: (jump(to),) for to in leaps(stand.pathways, stand.here).values()}


def ways_continue(stand: Stand, command: DoubleContinue) -> Ways:
    """The second turn goes on the same way; option two has its step there (SA-SNP-06, SA-R-32)."""
    half = stand.half
    landing = None if half is None else leaps(stand.pathways, stand.here).get(half.dir)
    if half is None or landing is None:
        return {}
    sneaks = places.beside(landing) if half.option == HALVES[DoubleTwo] else ()
    return {landing: (jump(landing),), **{to: (jump(landing), sneak(to)) for to in sneaks}}


def ways_fast(stand: Stand, command: DoubleFast) -> Ways:
    """Both turns in one (SA-R-34)."""
    found: dict[str, Way] = {}
    for direction, middle in leaps(stand.pathways, stand.here).items():
        landing = leaps(stand.pathways, middle).get(direction)
        if landing is not None and command.option == HALVES[DoubleOne]:
            found[landing] = (jump(middle), shot(middle), jump(landing))
        elif landing is not None:
            two = (jump(middle), jump(landing))
            found |= {landing: two, **{to: (*two, sneak(to)) for to in places.beside(landing)}}
    return found


class Option(Struct, frozen=True):
    """An option: the rule that says where it leads, its ways there, and the forms in which it is offered.

    A form lacks its end, and its target where it has one; both are to be filled in.
    """

    command: type[SniperAct]
    rule: str
    ways: Callable[[Stand, Any], Ways]
    forms: tuple[SniperAct, ...]


OPTIONS: Final = (
    Option(OptionA, "SA-SNP-01", ways_a, (OptionA("shoot-move", "", ""), OptionA("move-shoot", "", ""))),
    Option(WalkB, "SA-SNP-02", ways_b_walk, (WalkB(""), WalkB("", ""))),
    Option(JumpB, "SA-SNP-02", ways_b_jump, (JumpB(""), JumpB("", ""))),
    Option(WalkC, "SA-SNP-03", ways_c_walk, (WalkC(""),)),
    Option(JumpC, "SA-SNP-03", ways_c_jump, (JumpC(""),)),
    Option(DoubleOne, "SA-SNP-04", ways_b_jump, (DoubleOne(""), DoubleOne("", ""))),
    Option(DoubleTwo, "SA-SNP-04", ways_d2, (DoubleTwo(""),)),
    Option(DoubleContinue, "SA-SNP-04", ways_continue, (DoubleContinue(""),)),
    Option(DoubleFast, "SA-SNP-04", ways_fast, (DoubleFast(1, ""), DoubleFast(1, "", ""), DoubleFast(2, ""))),
)


def has_room(stand: Stand, command: Any) -> bool:
    """Whether the second jump of a double jump ends on the board, if the command is the first of one (SA-R-32)."""
    if type(command) not in HALVES:
        return True
    ways = (way for way, to in leaps(stand.pathways, stand.here).items() if to == command.to)
    return any(way in leaps(stand.pathways, command.to) for way in ways)
