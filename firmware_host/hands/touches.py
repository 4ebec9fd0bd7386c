"""What a touch makes of the belief: something left a space, came to one, dropped out; was pushed, driven off or swept
away. Pure. Who may be where is `belief.py`.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.hands.belief import LONG_AGO, NOBODY, Belief, Left, Lift, possibly_aloft, unexplained
from firmware_host.hands.facts import Facts

SWEEP = 2
"""So many pushed over just before another one: something sweeps across the board."""
HASTE = 0.8
"""The share of a push in which something must be back on its sensor, while another one is in the air."""
CHATTER = 0.05
"""Seconds after a landing in which its contact may still drop out."""


class Limits(Struct, frozen=True):
    """Seconds: how far ahead a sliding piece may be felt, how fast a pushed one is over, how long a sweep lasts.

    What is back on its sensor as fast as a pushed one is over never left, or a little faster if another one was in the
    air: no two hands take one miniature off a sensor and set another one down on it in that time.
    """

    overlap: float
    push: float
    sweep: float


def lifted(belief: Belief, facts: Facts, space: str, at: float, limits: Limits) -> Belief:
    """Something left a space at `at`.

    What was felt elsewhere after that may be the same thing (debouncing may turn the order round), and so may what was
    felt just before, if nobody else explains it: a sliding piece is felt ahead before it leaves the last sensor.
    """
    gone = frozenset(unit for unit in belief.who.get(space, NOBODY) if facts.standing.get(unit) is not None)
    before = Left(at, belief.who.get(space, NOBODY), belief.came.get(space, at), space in belief.known)
    belief = _unmixed(belief, gone)
    who = {other: units for other, units in belief.who.items() if other != space}
    for place in facts.near.get(space, ()):
        if place in belief.known and belief.arrived.get(place, LONG_AGO) >= at and place in belief.left:
            belief, who = _reopened(belief, who, place, limits)
    later = [other for other in who if belief.arrived.get(other, belief.came[other]) >= at]
    for other in later:
        who[other] |= gone
    for other in who:
        ahead = other not in belief.known and at - limits.overlap <= belief.came[other]
        if ahead and other in facts.near.get(space, ()) and other not in later and unexplained(who, other, gone):
            who[other] |= gone
    after = replace(
        belief,
        came={other: time for other, time in belief.came.items() if other != space},
        left={**belief.left, space: before},
        who=who,
        aloft=possibly_aloft(who, belief.aloft | gone),
        lifts={**belief.lifts, **{unit: Lift(space, at) for unit in gone}},
        known=belief.known - {space},
        mixed={other: units for other, units in belief.mixed.items() if other != space},
        sworn=belief.sworn - {space},
        pushed={other: unit for other, unit in belief.pushed.items() if other != space},
        shoved=belief.shoved - {space},
        spare=belief.spare or (not belief.who.get(space) and space in facts.optional | belief.known),
    )
    in_air = belief.aloft.union(*(belief.who[other] for other in later))
    for other in later:
        after = _hopped(_with_push(after, facts, other, gone, in_air, limits), facts, space, other, limits)
    return after


def _reopened(
    belief: Belief, who: dict[str, frozenset[str]], place: str, limits: Limits
) -> tuple[Belief, dict[str, frozenset[str]]]:
    """What was back on its sensor so soon that it seemed never to have left may be one from the next space instead."""
    left = belief.left[place]
    if belief.arrived[place] - left.at >= limits.push:
        return belief, who
    since = [other for other in who if other not in belief.known and belief.arrived.get(other, LONG_AGO) >= left.at]
    who = {**who, **{other: who[other] | left.who for other in since}}
    after = replace(
        belief,
        came={**belief.came, place: belief.arrived[place]},
        aloft=belief.aloft | left.who,
        lifts={**belief.lifts, **{unit: Lift(place, left.at) for unit in left.who}},
        known=belief.known - {place},
    )
    return after, who


def _unmixed(belief: Belief, units: frozenset[str]) -> Belief:
    """Where one of several that may have changed places is lifted, the places of all of them are open."""
    if len(units) < 2:
        return belief
    return replace(belief, known=frozenset(space for space in belief.known if not belief.who[space] & units))


def returned(belief: Belief, facts: Facts, space: str, at: float, limits: Limits) -> Belief | None:
    """Something is back on its sensor so soon that it never left; None where this is no such case.

    It is none where something has come to the next space meanwhile: there one may have been driven off by another.
    """
    left = belief.left.get(space)
    longest = limits.push * HASTE if belief.aloft - (NOBODY if left is None else left.who) else limits.push
    if left is None or at - left.at >= longest or not (left.who or left.known):
        return None
    if any(belief.came.get(other, LONG_AGO) >= left.at for other in facts.near.get(space, ())):
        return None
    sure = left.who if len(left.who) == 1 else NOBODY
    who = {other: units - sure for other, units in belief.who.items()} | {space: left.who}
    aloft = belief.aloft - sure
    astray = {unit for unit in sure if facts.standing.get(unit) != space}
    return replace(
        belief,
        came={**belief.came, space: left.came if left.known else at},
        arrived={**belief.arrived, space: at},
        who=who,
        aloft=possibly_aloft(who, aloft),
        lifts={unit: lift for unit, lift in belief.lifts.items() if unit not in sure - astray},
        known=belief.known | {space} if left.known else belief.known,
        quick={unit: time for unit, time in belief.quick.items() if unit not in sure},
    )


def landed(belief: Belief, facts: Facts, space: str, at: float, limits: Limits, began: float | None = None) -> Belief:
    """Something came to a space: one of those in the air, the space's own, or one that was taken for another.

    `began` is when its contact first closed, `at` when it last did.
    """
    if (back := returned(belief, facts, space, at, limits)) is not None:
        return back
    own = facts.homes.get(space)
    elsewhere = NOBODY.union(*(belief.who[other] for other in belief.known | belief.sworn))
    standing = [other for other in belief.who if other not in belief.known | facts.blind and belief.who[other]]
    placed = {belief.sure(other) for other in standing}
    owner = NOBODY if own is None or own in placed else frozenset({own})
    units = belief.aloft | (belief.astray(facts) - elsewhere - placed) | owner | _barely_gone(belief, space, at, limits)
    units |= _taken_for_others(belief, at if began is None else began)
    who = {**belief.who, space: units}
    after = replace(
        belief,
        came={**belief.came, space: at},
        arrived={**belief.arrived, space: at if began is None else began},
        who=who,
        aloft=possibly_aloft(who, belief.aloft),
        known=belief.known - {space},
        sworn=belief.sworn - {space},
    )
    sources = [place for place in facts.near.get(space, ()) if place not in belief.came and place in belief.left]
    if sources:
        after = _hopped(after, facts, max(sources, key=lambda place: belief.left[place].at), space, limits)
    for place in facts.near.get(space, ()):
        if (driven := _driven_off(after, place, space, at, limits)) is not None:
            return _shoved(after, place, space, driven)
    return _with_push(after, facts, space, belief.aloft, belief.aloft, limits)


def _taken_for_others(belief: Belief, began: float) -> frozenset[str]:
    """Who was still in the air at `began`: what came later, and settled sooner, was taken for them."""
    later = (space for space in belief.who if space not in belief.known and belief.arrived.get(space, LONG_AGO) > began)
    return NOBODY.union(*(belief.who[space] for space in later))


def _barely_gone(belief: Belief, space: str, at: float, limits: Limits) -> frozenset[str]:
    """Who left a space so shortly before `at` that the sensor may only have lost its magnet for a moment."""
    left = belief.left.get(space)
    return NOBODY if left is None or at - left.at >= limits.push else left.who


def _hopped(belief: Belief, facts: Facts, source: str, goal: str, limits: Limits) -> Belief:
    """Whether several have gone over to the next space in no time, one after another: then something swept across the
    board. One that slides on is no other.
    """
    left = belief.left[source]
    at = left.at
    if not 0 <= belief.came[goal] - at < limits.push or goal not in facts.near.get(source, ()):
        return belief
    if not left.known:  # it came there a moment ago: one that slides on is no other
        return belief
    recent = {place: time for place, time in belief.hops.items() if abs(at - time) < limits.sweep}
    after = replace(belief, hops={**recent, source: at})
    return after if len(after.hops) <= SWEEP else upset(after, facts)


def dropped_out(belief: Belief, facts: Facts, space: str, began: float, at: float, limits: Limits) -> Belief:
    """A sensor lost its magnet from `began` to `at`: too short to count, unless somebody was driven off it."""
    if space not in belief.came or began - belief.came[space] < CHATTER:
        return belief
    left = Left(began, belief.who[space], belief.came[space], space in belief.known)
    after = replace(belief, left={**belief.left, space: left})
    for aside in facts.near.get(space, ()):
        came = belief.arrived.get(aside, LONG_AGO) if aside in belief.came and aside not in belief.known else LONG_AGO
        if came >= began and (driven := _driven_off(after, space, aside, came, limits)) is not None:
            return _shoved(replace(after, arrived={**after.arrived, space: at}), space, aside, driven)
    return after


def _driven_off(belief: Belief, place: str, aside: str, at: float, limits: Limits) -> Left | None:
    """What was known of an occupied space, if another one may just have driven its own off it, over to `aside`."""
    left = belief.left.get(place)
    if left is None or place not in belief.came or not left.who or at - left.at >= 2 * limits.push:
        return None
    if left.who <= set(belief.pushed.values()):
        return None
    unexplained_there = not belief.who[aside] and belief.arrived.get(aside, LONG_AGO) >= left.at
    return left if unexplained_there or (belief.aloft | belief.who[aside]) - left.who else None


def _shoved(belief: Belief, place: str, aside: str, left: Left) -> Belief:
    """One in the air may have driven what stood on `place` over to `aside`, and stand there itself."""
    in_air = belief.aloft | belief.who[aside]
    who = {**belief.who, place: left.who | in_air, aside: in_air | left.who}
    sole = next(iter(left.who)) if len(left.who) == 1 else None
    return replace(
        belief,
        came={**belief.came, place: belief.came[aside]},
        who=who,
        aloft=possibly_aloft(who, in_air | left.who),
        lifts={**belief.lifts, **{unit: Lift(place, left.at) for unit in left.who}},
        known=belief.known - {place},
        pushed=belief.pushed if sole is None else {**belief.pushed, aside: sole},
        shoved=belief.shoved | {aside},
    )


def _with_push(
    belief: Belief, facts: Facts, space: str, units: frozenset[str], in_air: frozenset[str], limits: Limits
) -> Belief:
    """Whether one of `units` was pushed onto a space: over from the next one in no time, while a hand held another.

    Where several went that way one after another, something has swept across the board.
    """
    for unit in sorted(units - set(belief.pushed.values())):
        lift = belief.lifts.get(unit, Lift(None, LONG_AGO))
        if belief.came[space] - lift.at >= limits.push or space not in facts.near.get(lift.start or "", ()):
            continue
        if any(belief.lifts[other].at < lift.at for other in in_air - {unit} if other in belief.lifts):
            return replace(belief, pushed={**belief.pushed, space: unit})
        if units == {unit}:
            before = {other for other, at in belief.quick.items() if other != unit and lift.at - at < limits.sweep}
            bumped = belief.bumped | before | {unit} if before else belief.bumped
            return replace(belief, quick={**belief.quick, unit: lift.at}, bumped=bumped)
    return belief


def swept(belief: Belief, facts: Facts, crowd: int) -> Belief:
    """Where so many miniatures have left their places at once, nobody meant it: they may only go home."""
    return belief if len(belief.astray(facts)) < crowd else upset(belief, facts)


def upset(belief: Belief, facts: Facts) -> Belief:
    """Nobody meant any of this."""
    return replace(belief, bumped=belief.bumped | belief.astray(facts) | belief.lifts.keys(), upset=True)
