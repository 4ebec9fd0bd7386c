"""Who may stand where: what the sensors' edges say of look-alike things, remembered without guessing. Pure.

For each occupied space the miniatures are kept that may stand on it, and those that may be in the air; an edge makes
these sets larger or smaller. What is deduced from them is a matter of matching: each miniature is in one place only.
What a touch makes of them is `touches.py`; which of the possibilities is *meant* is decided in `readings.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.hands.facts import Facts

Who = Mapping[str, frozenset[str]]
"""Occupied space -> the miniatures that may stand on it; nobody where something unknown stands."""

NOBODY: frozenset[str] = frozenset()
LONG_AGO = float("-inf")


class Lift(Struct, frozen=True):
    """A miniature left a space; None where it is not known which."""

    start: str | None
    at: float


class Left(Struct, frozen=True):
    """What was known of a space when something left it at `at`."""

    at: float
    who: frozenset[str]
    came: float
    known: bool


class Belief(Struct, frozen=True):
    """What is known of every thing on the board. Times are monotonic seconds.

    - `came`: occupied space -> when it was last touched; `arrived`: when its chatter began; `left`: space -> what was
      known before it was last empty.
    - `aloft`: who may be in the air; `lifts`: miniature -> its last lift, kept while it is astray.
    - `known`: spaces whose occupant is sure since board and game last agreed on it; `sworn`: those whose occupant
      somebody has named.
    - `mixed`: space -> its own miniature and those that may have changed places with it, all of them having been
      lifted together and set back together; nobody calls that wrong before it matters.
    - `pushed`: space -> who was probably pushed onto it; it was `shoved` where whoever pushed it may stand in its
      place. `bumped`: who was swept off its place and may only go home.
    - `quick`: who has slid over to the next space in no time, and when it started; `hops`: the spaces where somebody
      had stood before that, with their times.
    - `spare`: something of no part in the game, such as the marker of an optional space, is in the air.
    - `upset`: so much is astray at once that nobody meant it, and who is who may have got lost; nothing is an act
      before board and game agree again.
    """

    came: Mapping[str, float] = {}
    arrived: Mapping[str, float] = {}
    left: Mapping[str, Left] = {}
    who: Who = {}
    aloft: frozenset[str] = NOBODY
    lifts: Mapping[str, Lift] = {}
    known: frozenset[str] = NOBODY
    mixed: Who = {}
    bumped: frozenset[str] = NOBODY
    pushed: Mapping[str, str] = {}
    shoved: frozenset[str] = NOBODY
    quick: Mapping[str, float] = {}
    hops: Mapping[str, float] = {}
    sworn: frozenset[str] = NOBODY
    spare: bool = False
    upset: bool = False

    def astray(self, facts: Facts) -> frozenset[str]:
        """The miniatures whose own spaces are empty."""
        return frozenset(unit for space, unit in facts.homes.items() if space not in self.came)

    def sure(self, space: str) -> str | None:
        """Who stands on a space beyond doubt, given where the others may be."""
        if len(self.who[space]) == 1 and space in self.known:
            return next(iter(self.who[space]))
        unsure = {other: units for other, units in self.who.items() if other not in self.known or len(units) > 1}
        most = len(matched(unsure))
        rest = {other: units for other, units in unsure.items() if other != space}
        possible = [unit for unit in self.who[space] if 1 + len(matched(rest, unit)) == most]
        return possible[0] if len(possible) == 1 else None


def nothing_known(facts: Facts) -> Belief:
    """Before the first edge: every miniature may be anywhere, and none has been moved by anybody."""
    units = frozenset(facts.homes.values())
    return Belief(aloft=units, bumped=units, lifts=dict.fromkeys(units, Lift(None, LONG_AGO)))


def agreed(belief: Belief, facts: Facts) -> bool:
    """Whether everything stands where the game has it: each space is occupied that should be, and none by somebody who
    surely belongs elsewhere.
    """
    occupied = belief.came.keys() - facts.blind
    if not facts.homes.keys() <= occupied <= facts.homes.keys() | facts.optional:
        return False
    doubtful = (space for space in facts.homes if space not in belief.known)
    return belief.upset or all(_may_be_home(belief, facts, space) for space in doubtful)


def _may_be_home(belief: Belief, facts: Facts, space: str) -> bool:
    unit = belief.sure(space)
    return unit is None or facts.look(unit) == facts.look(facts.homes[space])


def confirmed(belief: Belief, facts: Facts) -> Belief:
    """After agreement: each miniature is where it belongs, and all doubts are over.

    How things came there is not forgotten: what was felt before may still be settling.
    """
    who = {space: frozenset({facts.homes[space]}) if space in facts.homes else NOBODY for space in belief.came}
    return Belief(
        came=belief.came,
        arrived=belief.arrived,
        left=belief.left,
        who=who,
        known=frozenset(who),
        spare=belief.spare,
    )


def presumed(belief: Belief, facts: Facts) -> Belief:
    """The same after agreement in the middle of a game. What stays open is who of several, lifted together and set
    back together, stands on whose space; hands that set them back will have set them back aright.
    """
    sure = confirmed(belief, facts)
    mixed = _mixed(belief, facts)
    return replace(sure, who={**sure.who, **mixed}, mixed=mixed)


def _mixed(belief: Belief, facts: Facts) -> dict[str, frozenset[str]]:
    """Space -> its own miniature and those others, of other looks, that may have changed places with it."""
    open_ = {
        space: frozenset(unit for unit in belief.who[space] if facts.standing.get(unit) in belief.came)
        for space, unit in facts.homes.items()
        if space in belief.who and len(belief.who[space]) > 1 and belief.sure(space) is None
    }
    found = {}
    for space, units in open_.items():
        own = facts.homes[space]
        others = {unit for unit in units if own in open_.get(facts.standing[unit] or "", ())}
        if own in units and any(facts.look(unit) != facts.look(own) for unit in others):
            found[space] = frozenset({own, *others})
    return found


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


# --- what is said ---------------------------------------------------------------------------------------------------


def sworn(belief: Belief, at: Mapping[str, str | None], now: float) -> Belief:
    """A reading has shown, or somebody has said, who stands on some spaces; None: nothing of the game.

    What stood there unsuspected counts as having come just now.
    """
    who = {space: units - set(at.values()) for space, units in belief.who.items()}
    who |= {space: NOBODY if unit is None else frozenset({unit}) for space, unit in at.items()}
    news = {space: now for space in at if space in belief.known}
    return replace(
        belief,
        came={**belief.came, **news},
        who=who,
        aloft=possibly_aloft(who, belief.aloft - set(at.values())),
        known=belief.known - at.keys(),
        mixed={space: units for space, units in belief.mixed.items() if space not in at},
        sworn=belief.sworn | at.keys(),
    )


def told(belief: Belief, at: Mapping[str, str | None], now: float) -> Belief:
    """Somebody has said who stands there; then nobody else was pushed there."""
    pushed = {space: unit for space, unit in belief.pushed.items() if at.get(space, unit) == unit}
    return replace(sworn(belief, at, now), pushed=pushed, shoved=belief.shoved - at.keys())


def absent(belief: Belief, unit: str, about: str) -> Belief:
    """Somebody has said that a miniature stands on none of the spaces in doubt; nor did it come out of the box."""
    who = {space: units if space in belief.known else units - {unit} for space, units in belief.who.items()}
    aloft = belief.aloft | ({unit} if unit in belief.lifts else NOBODY)
    return replace(belief, who=who, aloft=possibly_aloft(who, aloft), sworn=belief.sworn | {about})


def without(belief: Belief, units: Iterable[str]) -> Belief:
    """Miniatures that have no place on the board any more are not missed; where they stand is remembered."""
    gone = frozenset(units)
    lifts = {unit: lift for unit, lift in belief.lifts.items() if unit not in gone}
    return replace(belief, aloft=belief.aloft - gone, bumped=belief.bumped - gone, lifts=lifts)


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


def possibly_aloft(who: Who, units: frozenset[str]) -> frozenset[str]:
    """Those of `units` who need not stand anywhere."""
    most = len(matched(who))
    return frozenset(unit for unit in units if len(matched(who, unit)) == most)


def unexplained(who: Who, space: str, units: frozenset[str]) -> bool:
    """Whether `units` would explain what stands on a space that nobody else does."""
    return len(matched({**who, space: who[space] | units})) > len(matched(who))
