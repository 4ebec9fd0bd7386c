"""SNP: the Sniper's options (SA-SNP-*, SA-IMP-04)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.game import Command
from engine.refusal import Refused
from engine.text import Text
from games.snipers_and_assassins.rules import events, places, shooting
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
from games.snipers_and_assassins.rules.moving import (
    SHOOT,
    Way,
    Ways,
    jump,
    leaps,
    shooting_place,
    shot,
    sneak,
    step,
    strides,
    walk,
)
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.rule import Rule, first_refusal
from games.snipers_and_assassins.rules.telling import Telling
from games.snipers_and_assassins.rules.turn import not_acted
from games.snipers_and_assassins.rules.words import SNIPER

STEPS_A, STEPS_B, STEPS_C = 1, 2, 3
"""How far the options walk (SA-SNP-01..03)."""
JUMPS: Final = (JumpB, JumpC, DoubleOne, DoubleTwo, DoubleContinue, DoubleFast)
HALVES: Final[Mapping[type[Command], Literal[1, 2]]] = {DoubleOne: 1, DoubleTwo: 2}
"""The first turns of a double jump -> its option."""
ORDERS: Final = ("shoot-move", "move-shoot")


def _here(view: Picture) -> str:
    return view.at(view.own(SNIPER))


def _walks(view: Picture, most: int) -> Iterator[str]:
    return (name for name in strides(_here(view), most) if places.is_space(name))


def _padded(view: Picture, most: int) -> int:
    """How far a walk of option B or C goes (SA-R-64)."""
    card = view.improvement(view.turn)
    return most + (card.steps if card else 0)


# --- where the options lead -------------------------------------------------------------------------------------


def ways_a(view: Picture, command: OptionA) -> Ways:
    """SA-SNP-01."""
    here = _here(view)
    if command.order == "move-shoot":
        return {to: (walk(to), shot(to)) for to in _walks(view, STEPS_A)}
    return {here: (shot(here),), **{to: (shot(here), walk(to)) for to in _walks(view, STEPS_A)}}


def ways_b_walk(view: Picture, command: WalkB) -> Ways:
    """SA-SNP-02; standing still is worth an act only with a shot."""
    here = _here(view)
    still: Ways = {} if command.target is None else {here: (shot(here),)}
    return {**still, **{to: (walk(to), shot(to)) for to in _walks(view, _padded(view, STEPS_B))}}


def ways_b_jump(view: Picture, command: JumpB | DoubleOne) -> Ways:
    """A jump, then a shot (SA-SNP-02, SA-SNP-05)."""
    return {to: (jump(to), shot(to)) for to in leaps(view.pathways, _here(view)).values()}


def ways_c_walk(view: Picture, command: WalkC) -> Ways:
    """SA-SNP-03."""
    return {to: (walk(to),) for to in _walks(view, _padded(view, STEPS_C))}


def ways_c_jump(view: Picture, command: JumpC) -> Ways:
    """SA-SNP-03; the step is an ordinary one (SA-R-16)."""
    found: dict[str, Way] = {}
    for landing in leaps(view.pathways, _here(view)).values():
        found |= {landing: (jump(landing),), **{to: (jump(landing), walk(to)) for to in places.beside(landing)}}
    return found


def ways_d2(view: Picture, command: DoubleTwo) -> Ways:
    """SA-SNP-06, the first turn."""
    return {to: (jump(to),) for to in leaps(view.pathways, _here(view)).values()}


def ways_continue(view: Picture, command: DoubleContinue) -> Ways:
    """The second turn goes on the same way; option two has its step there (SA-SNP-06, SA-R-32)."""
    half = view.me.jump
    landing = None if half is None else leaps(view.pathways, _here(view)).get(half.dir)
    if half is None or landing is None:
        return {}
    sneaks = places.beside(landing) if half.option == HALVES[DoubleTwo] else ()
    return {landing: (jump(landing),), **{to: (jump(landing), sneak(to)) for to in sneaks}}


def ways_fast(view: Picture, command: DoubleFast) -> Ways:
    """Both turns in one (SA-R-34)."""
    found: dict[str, Way] = {}
    for direction, middle in leaps(view.pathways, _here(view)).items():
        landing = leaps(view.pathways, middle).get(direction)
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
    ways: Callable[[Picture, Any], Ways]
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

# --- what forbids them ------------------------------------------------------------------------------------------


def _able(view: Picture, command: SniperAct) -> Refused | None:
    """SA-R-30, SA-R-32, SA-R-59."""
    if view.me.recover:
        return Refused("SA-R-30", Text("Your Sniper recovers this turn and can only hold."))
    if view.me.jump is not None and not isinstance(command, DoubleContinue):
        return Refused("SA-R-32", Text("In the middle of a double jump your Sniper goes on with it or holds."))
    if view.me.jump is None and isinstance(command, DoubleContinue):
        return Refused("SA-R-32", Text("Your Sniper is not in the middle of a double jump."))
    return None


def _card(view: Picture, command: SniperAct) -> Refused | None:
    """SA-IMP-04, SA-R-58."""
    if isinstance(command, DoubleFast) and not view.holds(view.turn, "spring"):
        return Refused("SA-IMP-04", Text("Only Steel Coiled Spring makes a double jump in one turn."))
    if type(command) in HALVES and view.holds(view.turn, "spring"):
        return Refused("SA-IMP-04", Text("With Steel Coiled Spring a double jump takes one turn."))
    return None


def _grounded(view: Picture, command: SniperAct) -> Refused | None:
    """SA-R-47."""
    if isinstance(command, JUMPS) and not places.is_space(_here(view)):
        return Refused("SA-R-47", Text("A Sniper cannot jump out of a Hideout."))
    return None


def _open(view: Picture, command: Any) -> Refused | None:
    """SA-R-40."""
    if not places.is_space(command.to):
        return Refused("SA-R-40", Text("Snipers do not enter Hideouts."))
    return None


def _reach(option: Option) -> Callable[[Picture, Any], Refused | None]:
    def check(view: Picture, command: Any) -> Refused | None:
        if command.to not in option.ways(view, command):
            return Refused(option.rule, Text("This option does not lead to {space}.", space=command.to))
        return None

    return check


def room(view: Picture, command: Any) -> Refused | None:
    """The second jump of a double jump has to end on the board (SA-R-32)."""
    if type(command) not in HALVES:
        return None
    over = {way: leaps(view.pathways, to) for way, to in leaps(view.pathways, _here(view)).items() if to == command.to}
    if any(way in further for way, further in over.items()):
        return None
    return Refused("SA-R-32", Text("Two pathways over there is no pathway any more."))


def _aim(option: Option) -> Callable[[Picture, Any], Refused | None]:
    def check(view: Picture, command: Any) -> Refused | None:
        target = getattr(command, "target", None)
        place = shooting_place(option.ways(view, command)[command.to])
        return None if target is None or place is None else shooting.barred(view, target, place)

    return check


# --- what is on offer, and what follows -------------------------------------------------------------------------


def _offers(option: Option) -> Callable[[Picture], Iterator[Command]]:
    def offer(view: Picture) -> Iterator[Command]:
        for form in option.forms:
            if first_refusal(ACTING, view, form) is None:
                for to, way in option.ways(view, form).items():
                    yield from _filled(view, replace(form, to=to), way)

    return offer


def _filled(view: Picture, form: SniperAct, way: Way) -> Iterable[Command]:
    """A form with its end, with each target that it may have."""
    if room(view, form) is not None:
        return ()
    place = shooting_place(way)
    if place is None or getattr(form, "target", None) is None:
        return (form,)
    return (replace(form, target=target) for target in shooting.targets(view, place))


def _decide(option: Option) -> Callable[[Telling, Any], None]:
    def decide(telling: Telling, command: Any) -> None:
        """The legs of the way; whoever is hit on landing has finished (SA-R-52)."""
        sniper, fired = telling.truth.own(SNIPER), False
        half = _half(telling.truth, command)
        for leg in option.ways(telling.truth, command)[command.to]:
            if leg.how == SHOOT:
                target = getattr(command, "target", None)
                fired = target is not None and shooting.shoot(telling, sniper, target)
            elif not step(telling, sniper, leg):
                return
        if isinstance(command, WalkB | JumpB) and fired and not telling.truth.holds(telling.truth.turn, "reload"):
            telling.tell(events.Status(sniper, "recover", True))
        if half is not None:
            telling.tell(events.Status(sniper, "jump", half))

    return decide


def _half(view: Picture, command: Any) -> events.DoubleJump | None:
    """The double jump of which a command is the first turn (SA-SNP-04)."""
    option = HALVES.get(type(command))
    ways = {to: direction for direction, to in leaps(view.pathways, _here(view)).items()}
    return None if option is None else events.DoubleJump(ways[command.to], option)


ACTING = (not_acted(SNIPER), _able, _card, _grounded)
RULES = [
    Rule(option.command, _offers(option), (*ACTING, _open, _reach(option), room, _aim(option)), _decide(option))
    for option in OPTIONS
]
