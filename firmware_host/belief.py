"""Who may stand where: what the sensors' edges say of look-alike things, remembered without guessing. Pure.

For each occupied space the miniatures are kept that may stand on it, and those that may be in the air; an edge makes
these sets larger or smaller. What is deduced from them is a matter of matching: each miniature is in one place only.
Which of the possibilities is *meant* is not decided here but in `readings.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.facts import Facts

Who = Mapping[str, frozenset[str]]
"""Occupied space -> the miniatures that may stand on it; nobody where something unknown stands."""

NOBODY: frozenset[str] = frozenset()
LONG_AGO = float("-inf")


class Lift(Struct, frozen=True):
    """A miniature left a space; None where it is not known which."""

    start: str | None
    at: float


class Limits(Struct, frozen=True):
    """Seconds: how far ahead a sliding piece may be felt, how fast a pushed one is over, how long a sweep lasts."""

    overlap: float
    push: float
    sweep: float


class Belief(Struct, frozen=True):
    """What is known of every thing on the board. Times are monotonic seconds.

    `came`: occupied space -> when it was last touched. `aloft`: who may be in the air. `lifts`: miniature -> its last
    lift, kept while it is astray. `known`: spaces whose occupant is sure since board and game last agreed on it.
    `bumped`: who was swept off its place and may only go home. `pushed`: space -> who was probably pushed
    onto it. `quick`: who has slid over to the next space in no time, and when it started. `sworn`: spaces whose
    occupant somebody has named. `spare`: something of no part in the game, such as the marker of an optional space,
    is in the air.
    """

    came: Mapping[str, float] = {}
    who: Who = {}
    aloft: frozenset[str] = NOBODY
    lifts: Mapping[str, Lift] = {}
    known: frozenset[str] = NOBODY
    bumped: frozenset[str] = NOBODY
    pushed: Mapping[str, str] = {}
    quick: Mapping[str, float] = {}
    sworn: frozenset[str] = NOBODY
    spare: bool = False

    def astray(self, facts: Facts) -> frozenset[str]:
        """The miniatures whose own spaces are empty."""
        return frozenset(unit for space, unit in facts.homes.items() if space not in self.came)

    def sure(self, space: str) -> str | None:
        """Who stands on a space beyond doubt, given where the others may be."""
        if len(self.who[space]) == 1 and space in self.known:
            return next(iter(self.who[space]))
        unsure = {other: self.who[other] for other in self.who if other not in self.known}
        most = len(matched(unsure))
        rest = {other: units for other, units in unsure.items() if other != space}
        possible = [unit for unit in self.who[space] if 1 + len(matched(rest, unit)) == most]
        return possible[0] if len(possible) == 1 else None


def nothing_known(facts: Facts) -> Belief:
    """Before the first edge: every miniature may be anywhere, and none has been moved by anybody."""
    units = frozenset(facts.homes.values())
    return Belief(aloft=units, bumped=units, lifts=dict.fromkeys(units, Lift(None, LONG_AGO)))


def agreed(belief: Belief, facts: Facts) -> bool:
    """Whether everything stands where the game has it, by occupancy alone."""
    occupied = belief.came.keys() - facts.blind
    return facts.homes.keys() <= occupied and occupied <= facts.homes.keys() | facts.optional


def confirmed(belief: Belief, facts: Facts) -> Belief:
    """After agreement: each miniature is where it belongs, and all doubts are over."""
    who = {space: frozenset({facts.homes[space]}) if space in facts.homes else NOBODY for space in belief.came}
    return Belief(came=belief.came, who=who, known=frozenset(who), spare=belief.spare)


def settled_at(belief: Belief, facts: Facts, spaces: Iterable[str]) -> Belief:
    """Agreement on some spaces while others still differ: their occupants are at home, and free to act again."""
    home = {space: facts.homes[space] for space in spaces}
    return replace(
        belief,
        who={**belief.who, **{space: frozenset({unit}) for space, unit in home.items()}},
        known=belief.known | home.keys(),
        bumped=belief.bumped - set(home.values()),
        aloft=belief.aloft - set(home.values()),
        lifts={unit: lift for unit, lift in belief.lifts.items() if unit not in home.values()},
        pushed={space: unit for space, unit in belief.pushed.items() if unit not in home.values()},
        quick={unit: at for unit, at in belief.quick.items() if unit not in home.values()},
    )


# --- edges ------------------------------------------------------------------------------------------------------


def lifted(belief: Belief, facts: Facts, space: str, at: float, limits: Limits) -> Belief:
    """Something left a space at `at`.

    What was felt elsewhere after that may be the same thing (debouncing may turn the order round), and so may what was
    felt just before, if nobody else explains it: a sliding piece is felt ahead before it leaves the last sensor.
    """
    gone = frozenset(unit for unit in belief.who.get(space, NOBODY) if facts.standing.get(unit) is not None)
    who = {other: units for other, units in belief.who.items() if other != space}
    for other in who:
        came = belief.came[other]
        if came >= at or (came >= at - limits.overlap and _unexplained(who, other, gone)):
            who[other] |= gone
    after = replace(
        belief,
        came={other: time for other, time in belief.came.items() if other != space},
        who=who,
        aloft=_possibly_aloft(who, belief.aloft | gone),
        lifts={**belief.lifts, **{unit: Lift(space, at) for unit in gone}},
        known=belief.known - {space},
        sworn=belief.sworn - {space},
        pushed={other: unit for other, unit in belief.pushed.items() if other != space},
        spare=belief.spare or (not belief.who.get(space) and space in facts.optional | belief.known),
    )
    for other, came in after.came.items():
        if came >= at:
            after = _with_push(after, facts, other, gone, belief.aloft, limits)
    return after


def landed(belief: Belief, facts: Facts, space: str, at: float, limits: Limits) -> Belief:
    """Something came to a space: one of those in the air, the space's own, or one that was taken for another."""
    own = facts.homes.get(space)
    elsewhere = NOBODY.union(*(belief.who[other] for other in belief.known | belief.sworn))
    units = belief.aloft | (belief.astray(facts) - elsewhere) | ({own} if own is not None else NOBODY)
    who = {**belief.who, space: units}
    after = replace(
        belief,
        came={**belief.came, space: at},
        who=who,
        aloft=_possibly_aloft(who, belief.aloft),
        known=belief.known - {space},
        sworn=belief.sworn - {space},
    )
    return _with_push(after, facts, space, belief.aloft, belief.aloft, limits)


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


def sworn(belief: Belief, at: Mapping[str, str | None], now: float) -> Belief:
    """Somebody has said, or a reading has shown, who stands on some spaces; None: nothing of the game.

    What stood there unsuspected counts as having come just now.
    """
    who = {space: units - set(at.values()) for space, units in belief.who.items()}
    who |= {space: NOBODY if unit is None else frozenset({unit}) for space, unit in at.items()}
    news = {space: now for space in at if space in belief.known}
    return replace(
        belief,
        came={**belief.came, **news},
        who=who,
        aloft=_possibly_aloft(who, belief.aloft - set(at.values())),
        known=belief.known - at.keys(),
        sworn=belief.sworn | at.keys(),
    )


def absent(belief: Belief, unit: str, about: str) -> Belief:
    """Somebody has said that a miniature stands on none of the spaces in doubt; nor did it come out of the box."""
    who = {space: units if space in belief.known else units - {unit} for space, units in belief.who.items()}
    aloft = belief.aloft | ({unit} if unit in belief.lifts else NOBODY)
    return replace(belief, who=who, aloft=_possibly_aloft(who, aloft), sworn=belief.sworn | {about})


def without(belief: Belief, units: Iterable[str]) -> Belief:
    """Miniatures that have no place on the board any more are not missed; where they stand is remembered."""
    gone = frozenset(units)
    lifts = {unit: lift for unit, lift in belief.lifts.items() if unit not in gone}
    return replace(belief, aloft=belief.aloft - gone, bumped=belief.bumped - gone, lifts=lifts)


def swept(belief: Belief, facts: Facts, crowd: int) -> Belief:
    """Where so many miniatures have left their places at once, nobody meant it: they may only go home."""
    astray = belief.astray(facts) | belief.lifts.keys()
    return belief if len(belief.lifts) < crowd else replace(belief, bumped=belief.bumped | astray)


# --- matching ---------------------------------------------------------------------------------------------------


def matched(who: Who, without: str | None = None) -> dict[str, str]:
    """As many spaces as can have a miniature of their own, without one of them: miniature -> space."""
    found: dict[str, str] = {}

    def settle(space: str, tried: set[str]) -> bool:
        for unit in sorted(who[space] - tried):
            if unit == without:
                continue
            tried.add(unit)
            if unit not in found or settle(found[unit], tried):
                found[unit] = space
                return True
        return False

    for space in who:
        settle(space, set())
    return found


def _possibly_aloft(who: Who, units: frozenset[str]) -> frozenset[str]:
    """Those of `units` who need not stand anywhere."""
    most = len(matched(who))
    return frozenset(unit for unit in units if len(matched(who, unit)) == most)


def _unexplained(who: Who, space: str, units: frozenset[str]) -> bool:
    """Whether `units` would explain what stands on a space that nobody else does."""
    return len(matched({**who, space: who[space] | units})) > len(matched(who))
