"""Explanations: which legal acts would account for what stands on the board, and which of them is the likeliest. Pure.

A reading says for each space in question who stands on it. It is free where everybody is at home or where setting
them down is a legal act; whatever it must call wrong or unknown costs. Only the cheapest readings count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import prod

from msgspec import Struct

from engine.game import Placement
from firmware_host.hands.belief import NOBODY, Belief, matched
from firmware_host.hands.facts import Facts

WRONG, STRANGE, UNLIKELY = 1.0, 4.0, 1.5
"""What a reading costs for each miniature in a wrong place, each unknown thing, and each of what hardly happens: a
deployment with a miniature still in somebody's hand, a miniature in somebody's hand that nobody meant to touch."""
GHOST = 0.06
"""Seconds within which two neighbouring sensors may feel one magnet."""
DROPOUT = 0.1
"""Seconds within which a sensor that has lost its magnet has it again; no hand takes one off and puts another there."""
MOST_READINGS = 1500
"""So many are weighed; where there would be more, so much is astray that nobody can have meant it."""

At = Mapping[str, str | None]
"""Space -> who stands there; None: nobody of the game."""


class Reading(Struct, frozen=True):
    """One explanation. `acts` are legal now; `later` may be legal once they are done; `wrong` are not."""

    at: At
    acts: tuple[Placement, ...]
    later: tuple[tuple[str, str], ...]
    wrong: tuple[tuple[str, str], ...]
    strange: tuple[str, ...]
    aloft: frozenset[str]
    cost: float

    @property
    def moved(self) -> int:
        """How many acts it takes."""
        return len(self.acts) + len(self.later)

    def holds(self, act: Placement) -> bool:
        """Whether it has this act."""
        return self.at.get(act.to) == act.unit


class Question(Struct, frozen=True):
    """What is to be read: the belief, the facts, the spaces in question, and the landings that may be acts."""

    belief: Belief
    facts: Facts
    spaces: tuple[str, ...]
    fresh: frozenset[tuple[str, str]]


def readings(belief: Belief, facts: Facts, spaces: Collection[str], fresh: frozenset[tuple[str, str]]) -> list[Reading]:
    """The cheapest readings of what stands on `spaces`, look-alikes taken for one another where it does not matter.

    `fresh` are the (miniature, space) pairs whose setting down would be a legal act. Where all is upset, or there are
    too many spaces to weigh, a single reading by matching says who probably stands where.
    """
    asked = Question(belief, facts, tuple(spaces), fresh)
    if belief.upset or prod(len(_candidates(asked, space)) for space in asked.spaces) > MOST_READINGS:
        return [_crowd(asked)]
    found = [_finished(asked, at) for at in _assignments(asked, 0, {})]
    least = min(reading.cost for reading in found)
    return _told_apart([reading for reading in found if reading.cost == least], facts)


def _assignments(asked: Question, place: int, at: dict[str, str | None]) -> Iterator[dict[str, str | None]]:
    if place == len(asked.spaces):
        yield dict(at)
        return
    space = asked.spaces[place]
    for unit in _candidates(asked, space):
        if unit is None or unit not in at.values():
            yield from _assignments(asked, place + 1, {**at, space: unit})


def _candidates(asked: Question, space: str) -> list[str | None]:
    """Who may stand on a space: whom the belief names, those from the box who may be set down there, or nobody."""
    belief = asked.belief
    believed = belief.who[space]
    if space in belief.sworn:
        return [*believed] or [None]
    elsewhere = NOBODY.union(*belief.who.values(), belief.aloft)
    boxed = (unit for unit, goal in asked.fresh if goal == space and asked.facts.standing[unit] is None)
    return [*sorted(believed | (set(boxed) - elsewhere)), None]


def _finished(asked: Question, at: dict[str, str | None]) -> Reading:
    acts, later, wrong, strange = [], [], [], []
    for space, unit in at.items():
        if unit is None:
            strange.append(space)
        elif asked.facts.homes.get(space) == unit or unit in asked.belief.mixed.get(space, NOBODY):
            continue
        elif (unit, space) in asked.fresh:
            acts.append(asked.facts.legal[unit, space])
        elif _follows(asked, at, unit, space):
            later.append((unit, space))
        else:
            wrong.append((unit, space))
    aloft = _aloft(asked, at)
    cost = WRONG * len(wrong) + sum(_price(asked, space) for space in strange) + _doubts(asked, at, acts, aloft)
    return Reading(at, tuple(acts), tuple(later), tuple(wrong), tuple(strange), aloft, cost)


def _follows(asked: Question, at: dict[str, str | None], unit: str, space: str) -> bool:
    """Whether a miniature could have come to a space because its holder has gone on by a legal act."""
    seen = {space}
    holder = asked.facts.homes.get(space)
    while holder is not None and asked.facts.could_follow(unit, space) and unit not in asked.belief.bumped:
        next_space = next((place for place, other in at.items() if other == holder), None)
        if next_space is None or next_space in seen:
            return False
        if (holder, next_space) in asked.fresh:
            return True
        seen.add(next_space)
        unit, space, holder = holder, next_space, asked.facts.homes.get(next_space)
    return False


def _price(asked: Question, space: str) -> float:
    """What it costs to call a thing unknown: nothing for a marker that was lifted, where markers stand."""
    return 0.0 if asked.belief.spare and space in asked.facts.optional else STRANGE


def _doubts(asked: Question, at: At, acts: list[Placement], aloft: frozenset[str]) -> float:
    """A deployment while another miniature is in somebody's hand, one that may be another landing's ghost, and a piece
    explained away that was pushed."""
    deployed = [act.to for act in acts if asked.facts.standing[act.unit] is None]
    held = UNLIKELY * len(deployed) if aloft else 0.0
    held += UNLIKELY * len(aloft & asked.belief.bumped)
    ghosts = STRANGE * sum(_ghostly(asked, space) for space in deployed)
    pushed = sum(_denial(asked, space) for space, unit in asked.belief.pushed.items() if at.get(space, unit) != unit)
    return held + ghosts + pushed


def _denial(asked: Question, space: str) -> float:
    """What it costs to say that nobody was pushed there: as much as all that would have to be wrong instead."""
    return 2 * WRONG if space in asked.belief.shoved else WRONG


def _ghostly(asked: Question, space: str) -> bool:
    """Whether something else came to another space at the same moment, as when one magnet is felt by two sensors.

    What only dropped out for a moment did not come.
    """
    came, left = asked.belief.came, asked.belief.left
    others = (other for other in came if other != space and abs(came[other] - came[space]) < GHOST)
    return any(other not in left or came[other] - left[other].at >= DROPOUT for other in others)


def _aloft(asked: Question, at: At) -> frozenset[str]:
    """Who is in the air by this reading: everybody who is expected somewhere and stands nowhere."""
    belief, facts = asked.belief, asked.facts
    placed = {unit for unit in at.values() if unit is not None}
    home = {unit for space, unit in facts.homes.items() if space in belief.known and unit in belief.who[space]}
    lifted = belief.aloft | belief.lifts.keys()
    return frozenset(unit for unit in facts.homes.values() if unit in lifted and unit not in placed | home)


def _crowd(asked: Question) -> Reading:
    """Who probably stands where when many things are astray: as many at home as can be."""
    who = {space: asked.belief.who[space] for space in asked.spaces}
    home = {space: unit for space in who if (unit := asked.facts.homes.get(space)) in who[space]}
    rest = {space: units - set(home.values()) for space, units in who.items() if space not in home}
    found = {space: unit for unit, space in matched(rest).items()}
    return _finished(asked, {space: home.get(space, found.get(space)) for space in asked.spaces})


# --- look-alikes ------------------------------------------------------------------------------------------------


def _told_apart(found: list[Reading], facts: Facts) -> list[Reading]:
    """One reading for all that look the same and come to the same: the one with the fewest acts."""
    groups: dict[tuple[int, frozenset[tuple[str, str | None]]], list[Reading]] = {}
    for reading in found:
        picture = frozenset((space, None if unit is None else facts.look(unit)) for space, unit in reading.at.items())
        groups.setdefault((len(reading.wrong), picture), []).append(reading)
    return [kept for group in groups.values() for kept in _simplest(group, facts)]


def _simplest(group: list[Reading], facts: Facts) -> list[Reading]:
    fewest = min(reading.moved for reading in group)
    best = [reading for reading in group if reading.moved == fewest]
    if best[0].aloft or any(_differ(best[0].at, other.at, facts) for other in best[1:]):
        return best
    return best[:1]


def _differ(one: At, other: At, facts: Facts) -> bool:
    """Whether it matters who of two look-alikes stands where."""
    pairs = ((unit, other[space]) for space, unit in one.items())
    return any(_rights(facts, unit) != _rights(facts, its_like) for unit, its_like in pairs)


def _rights(facts: Facts, unit: str | None) -> frozenset[str]:
    return NOBODY if unit is None else facts.rights.get(unit, NOBODY)
