"""SNP: the Sniper's options (SA-SNP-*, SA-IMP-04)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from engine.game import Command
from engine.lazy import Lazy
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
    SniperAct,
    WalkB,
)
from games.snipers_and_assassins.rules.moving import SHOOT, Way, leaps, shooting_place, step
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.rule import Rule
from games.snipers_and_assassins.rules.sniper_ways import HALVES, OPTIONS, Option, Stand, has_room, stand_of
from games.snipers_and_assassins.rules.telling import Telling
from games.snipers_and_assassins.rules.turn import not_acted
from games.snipers_and_assassins.rules.words import SNIPER

JUMPS: Final = (JumpB, JumpC, DoubleOne, DoubleTwo, DoubleContinue, DoubleFast)
KEPT: Final = 512
"""Stands of a Sniper for which the acts of an option, and commands of which the way, are kept."""

# --- what forbids them ------------------------------------------------------------------------------------------


def _able(view: Picture, kind: type[Command]) -> Refused | None:
    """SA-R-30, SA-R-32, SA-R-59."""
    if view.me.recover:
        return Refused("SA-R-30", Text("Your Sniper recovers this turn and can only hold."))
    if view.me.jump is not None and kind is not DoubleContinue:
        return Refused("SA-R-32", Text("In the middle of a double jump your Sniper goes on with it or holds."))
    if view.me.jump is None and kind is DoubleContinue:
        return Refused("SA-R-32", Text("Your Sniper is not in the middle of a double jump."))
    return None


def _card(view: Picture, kind: type[Command]) -> Refused | None:
    """SA-IMP-04, SA-R-58."""
    if kind is DoubleFast and not view.holds(view.turn, "spring"):
        return Refused("SA-IMP-04", Text("Only Steel Coiled Spring makes a double jump in one turn."))
    if kind in HALVES and view.holds(view.turn, "spring"):
        return Refused("SA-IMP-04", Text("With Steel Coiled Spring a double jump takes one turn."))
    return None


def _grounded(view: Picture, kind: type[Command]) -> Refused | None:
    """SA-R-47."""
    if kind in JUMPS and not places.is_space(str(view.me.sniper)):
        return Refused("SA-R-47", Text("A Sniper cannot jump out of a Hideout."))
    return None


def _open(view: Picture, command: Any) -> Refused | None:
    """SA-R-40."""
    if not places.is_space(command.to):
        return Refused("SA-R-40", Text("Snipers do not enter Hideouts."))
    return None


def _way_of(option: Option) -> Callable[[Stand, Any], Way | None]:
    """How a command gets to its end, None where it does not."""
    return lru_cache(maxsize=KEPT)(lambda stand, command: option.ways(stand, command).get(command.to))


def _reach(option: Option, way_of: Callable[[Stand, Any], Way | None]) -> Callable[[Picture, Any], Refused | None]:
    def check(view: Picture, command: Any) -> Refused | None:
        if way_of(stand_of(view), command) is None:
            return Refused(option.rule, Text("This option does not lead to {space}.", space=command.to))
        return None

    return check


def room(view: Picture, command: Any) -> Refused | None:
    """The second jump of a double jump has to end on the board (SA-R-32)."""
    if has_room(stand_of(view), command):
        return None
    return Refused("SA-R-32", Text("Two pathways over there is no pathway any more."))


def _aim(way_of: Callable[[Stand, Any], Way | None]) -> Callable[[Picture, Any], Refused | None]:
    def check(view: Picture, command: Any) -> Refused | None:
        target = getattr(command, "target", None)
        if target is None:
            return None
        place = shooting_place(way_of(stand_of(view), command) or ())
        return None if place is None else shooting.barred(view, target, place)

    return check


# --- what is on offer, and what follows -------------------------------------------------------------------------


class _Offer(NamedTuple):
    """An act without a shot, or acts with a shot from `place`, by their target."""

    act: SniperAct
    place: str | None
    aimed: Lazy[str, SniperAct]


def _offers(option: Option) -> Callable[[Picture], list[Command]]:
    made = lru_cache(maxsize=KEPT)(lambda stand: tuple(_made(option, stand)))

    def offer(view: Picture) -> list[Command]:
        found: list[Command] = []
        for act, place, aimed in made(stand_of(view)):
            if place is None:
                found.append(act)
            else:
                found += [aimed[target] for target in shooting.targets(view, place)]
        return found

    return offer


def _made(option: Option, stand: Stand) -> Iterator[_Offer]:
    """The acts of an option, whatever can be shot at; Hideouts are none of its ends."""
    for form in option.forms:
        for to, way in option.ways(stand, form).items():
            act: SniperAct = replace(form, to=to)
            if has_room(stand, act):
                place = None if getattr(form, "target", None) is None else shooting_place(way)
                yield _Offer(act, place, _aimed(act))


def _aimed(act: SniperAct) -> Lazy[str, SniperAct]:
    return Lazy(lambda target: replace(act, target=target))


def _decide(way_of: Callable[[Stand, Any], Way | None]) -> Callable[[Telling, Any], None]:
    def decide(telling: Telling, command: Any) -> None:
        """The legs of the way; whoever is hit on landing has finished (SA-R-52)."""
        sniper, fired = telling.truth.own(SNIPER), False
        half = _half(telling.truth, command)
        way = way_of(stand_of(telling.truth), command)
        assert way is not None, "a checked command leads to its end"
        for leg in way:
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
    if option is None:
        return None
    ways = {to: direction for direction, to in leaps(view.pathways, str(view.me.sniper)).items()}
    return events.DoubleJump(ways[command.to], option)


ACTING = (not_acted(SNIPER), _able, _card, _grounded)


def _rule(option: Option) -> Rule:
    way_of = _way_of(option)
    checks = (_open, _reach(option, way_of), room, _aim(way_of))
    return Rule(option.command, _offers(option), checks, _decide(way_of), ACTING)


RULES = [_rule(option) for option in OPTIONS]
