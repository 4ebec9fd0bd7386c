"""Rules of the Sniper's options (SA-SNP-*, SA-IMP-04)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from engine.game import Command
from engine.lazy import Lazy
from engine.refusal import Refused
from engine.text import Text
from games.snipers_and_assassins.rules import commands as c
from games.snipers_and_assassins.rules import events, places, shooting
from games.snipers_and_assassins.rules.hits import SHOOT, Way, jump_places, shooting_place, step, was_hit
from games.snipers_and_assassins.rules.picture import Picture, Telling
from games.snipers_and_assassins.rules.rule import Rule
from games.snipers_and_assassins.rules.sniper_ways import HALVES, OPTIONS, Option, Stand, has_room, stand_of
from games.snipers_and_assassins.rules.turn import not_acted
from games.snipers_and_assassins.rules.words import SNIPER

JUMPS: Final = (c.JumpB, c.JumpC, c.DoubleOne, c.DoubleTwo, c.DoubleContinue, c.DoubleFast)
OPTION_CACHE_SIZE: Final = 512  # Cache size of each option: acts by Sniper stand, and ways by stand and form

# --- what forbids them ------------------------------------------------------------------------------------------


def _why_unable(view: Picture, kind: type[Command]) -> Refused | None:
    """Refuse a Sniper that can't act (SA-R-30, SA-R-32, SA-R-59)."""
    if view.me.recover:
        return Refused("SA-R-30", Text("Your Sniper recovers this turn and can only hold."))
    if view.me.jump is not None and kind is not c.DoubleContinue:
        return Refused("SA-R-32", Text("In the middle of a double jump, your Sniper can only finish it or hold."))
    if view.me.jump is None and kind is c.DoubleContinue:
        return Refused("SA-R-32", Text("Your Sniper is not in the middle of a double jump."))
    return None


def _why_no_card(view: Picture, kind: type[Command]) -> Refused | None:
    """Check the card that an option needs (SA-IMP-04, SA-R-58)."""
    if kind is c.DoubleFast and not view.holds(view.turn, "spring"):
        return Refused("SA-IMP-04", Text("Only Steel Coiled Spring makes a double jump in one turn."))
    if kind in HALVES and view.holds(view.turn, "spring"):
        return Refused("SA-IMP-04", Text("With Steel Coiled Spring a double jump takes one turn."))
    return None


def _why_no_jump(view: Picture, kind: type[Command]) -> Refused | None:
    """Refuse a jump from a Hideout (SA-R-47)."""
    if kind in JUMPS and view.rulings.grounded_in_hideouts and not places.is_space(str(view.me.sniper)):
        return Refused("SA-R-47", Text("A Sniper cannot jump out of a Hideout."))
    return None


def _why_closed(view: Picture, command: Any) -> Refused | None:
    """Refuse a Hideout as the destination, unless the Sniper stays in it or jumps there from the next (SA-R-40)."""
    here = str(view.me.sniper)
    stays = command.to == here and not view.rulings.closed_hideouts
    jumps = type(command) in JUMPS and not view.rulings.grounded_in_hideouts and not places.is_space(here)
    if places.is_space(command.to) or stays or jumps:
        return None
    return Refused("SA-R-40", Text("Snipers do not enter Hideouts."))


def why_no_room(view: Picture, command: Any) -> Refused | None:
    """Check that the second jump of a double jump ends on the board (SA-R-32)."""
    if has_room(stand_of(view), command):
        return None
    return Refused("SA-R-32", Text("A double jump needs two more pathways in that direction."))


class _Offer(NamedTuple):
    """An act without a shot, or acts that shoot from `place`, keyed by target."""

    act: c.SniperCommand
    place: str | None
    aimed: Lazy[str, c.SniperCommand]


def _offers_of(option: Option, stand: Stand) -> Iterator[_Offer]:
    """Yield the acts of an option, regardless of targets."""
    for form in option.forms:
        for to, way in option.ways(stand, form).items():
            act: c.SniperCommand = replace(form, to=to)
            # A double jump may start only if its second jump stays on the board.
            if has_room(stand, act):
                # A form without a target has no shot, so it needs no place to shoot from.
                place = None if getattr(form, "target", None) is None else shooting_place(way)
                yield _Offer(act, place, Lazy(lambda target, act=act: replace(act, target=target)))  # type: ignore[misc]


def _made_of(offers: Iterable[_Offer]) -> tuple[tuple[_Offer, ...], tuple[Command, ...], tuple[str, ...]]:
    """Return the offers, the acts without a shot, and the places from which the others shoot."""
    made = tuple(offers)
    plain = tuple(offer.act for offer in made if offer.place is None)
    return made, plain, tuple(dict.fromkeys(offer.place for offer in made if offer.place is not None))


class _OptionRule:
    """One option: its acts, restrictions and effects."""

    def __init__(self, option: Option) -> None:
        self._rule = option.rule
        self._ways = lru_cache(maxsize=OPTION_CACHE_SIZE)(option.ways)
        self._made = lru_cache(maxsize=OPTION_CACHE_SIZE)(lambda stand: _made_of(_offers_of(option, stand)))

    def way(self, view: Picture, command: Any) -> Way | None:
        """Return the legs that take a command to its destination, or None if it is out of reach."""
        aimed = getattr(command, "target", None) is not None
        form = replace(command, to="", target="") if aimed else replace(command, to="")
        return self._ways(stand_of(view), form).get(command.to)

    def offers(self, view: Picture) -> Iterable[Command]:
        offers, plain, shot_from = self._made(stand_of(view))
        targets = shooting.targets_by_place(view)
        if not any(map(targets.__getitem__, shot_from)):
            return plain
        acts: list[Command] = []
        for act, place, aimed in offers:
            if place is None:
                acts.append(act)
            else:
                acts += map(aimed.__getitem__, targets[place])
        return acts

    def reach(self, view: Picture, command: Any) -> Refused | None:
        if self.way(view, command) is None:
            return Refused(self._rule, Text("This option does not lead to {space}.", space=command.to))
        return None

    def why_no_shot(self, view: Picture, command: Any) -> Refused | None:
        """Check that the target can be shot at from the place of the shot."""
        target = getattr(command, "target", None)
        if target is None:
            return None
        place = shooting_place(self.way(view, command) or ())
        return None if place is None else shooting.refusal(view, target, place)

    def decide(self, telling: Telling, command: Any) -> None:
        """Carry out the legs in order. A Sniper that is hit on landing stops there (SA-R-52)."""
        sniper, target, fired = telling.truth.own(SNIPER), getattr(command, "target", None), False
        # Directions start where the Sniper stands, so read this before the legs move it.
        half = _double_jump_of(telling.truth, command)
        way = self.way(telling.truth, command)
        assert way is not None, "a checked command leads to its end"
        for leg in way:
            if leg.how == SHOOT:
                if target is None:
                    continue
                fired = shooting.shoot(telling, sniper, target)
                # An Assassin that retreats onto the shooter hits it (SA-R-19 switched off).
                if was_hit(telling, sniper):
                    return
            elif not step(telling, sniper, leg):
                return
        # A shot in option B costs the Sniper its next turn (SA-R-30). A shot that fell away costs nothing (SA-R-53).
        if isinstance(command, c.WalkB | c.JumpB) and fired and not telling.truth.holds(telling.truth.turn, "reload"):
            telling.tell(events.Status(sniper, "recover", True))
        if half is not None:
            telling.tell(events.Status(sniper, "jump", half))


def _double_jump_of(view: Picture, command: Any) -> events.DoubleJump | None:
    """Return the double jump that a command starts, or None (SA-SNP-04)."""
    option = HALVES.get(type(command))
    if option is None:
        return None
    directions = {to: direction for direction, to in jump_places(view.pathways, str(view.me.sniper)).items()}
    return events.DoubleJump(directions[command.to], option)


def _rule_of(option: Option) -> Rule:
    own = _OptionRule(option)
    return Rule(option.command, own.offers, (_why_closed, own.reach, why_no_room, own.why_no_shot), own.decide, ACTING)


ACTING = (not_acted(SNIPER), _why_unable, _why_no_card, _why_no_jump)
RULES = [_rule_of(option) for option in OPTIONS]
