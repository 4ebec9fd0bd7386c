"""Readings: rate each story by the rules and find the most likely. Pure.

A reading says which miniature stands on each space where something is at rest. Miniatures at home, legal acts and
accidents cost nothing. Miniatures in wrong places and unknown things do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from engine.game import Placement
from firmware_host.board.thresholds import (
    DROPOUT_S,
    GHOST_S,
    ODD_COST,
    RIVAL_COST,
    SLOW_COST,
    UNLIKELY_COST,
    WRONG_COST,
)
from firmware_host.board.tracking.belief import LONG_AGO, NO_UNITS, Belief, Story, with_names_settled
from firmware_host.board.tracking.facts import Facts

At = Mapping[str, str | None]
"""Space -> miniature; None: something that is not part of the game."""


class Reading(Struct, frozen=True):
    """A story, sorted by the rules. Pairs are (miniature, space).

    - `acts` are legal now; `later` may be legal after them.
    - `wrong` are not legal; those in `accidents` were pushed there without intent.
    - `strange` are spaces with something unknown; `gone` are miniatures that the game has removed.
    - `aloft` are the miniatures in the air.
    """

    facts: Facts
    story: Story
    at: At
    acts: tuple[Placement, ...]
    later: tuple[tuple[str, str], ...]
    wrong: tuple[tuple[str, str], ...]
    accidents: frozenset[tuple[str, str]]
    strange: tuple[str, ...]
    gone: tuple[tuple[str, str], ...]
    aloft: frozenset[str]
    cost: float

    @property
    def moved(self) -> int:
        """The number of acts."""
        return len(self.acts) + len(self.later)

    @property
    def misplaced(self) -> bool:
        """Whether a miniature was set down where it may not stand."""
        return any(pair not in self.accidents for pair in self.wrong)

    @property
    def open(self) -> tuple[str, ...]:
        """The spaces of acts, wrong miniatures and unknown things."""
        pairs = (*self.later, *self.wrong)
        return (*(act.to for act in self.acts), *(space for _, space in pairs), *self.strange)

    def holds(self, act: Placement) -> bool:
        """Return whether it has this act, or the same act of a look-alike with equal rights, neither in the air."""
        unit = self.at.get(act.to)
        return act.unit in (unit, *self.story.on(act.to)) or (
            unit is not None
            and act.unit not in self.aloft
            and self.facts.alike(unit, act.unit)
            and _rights(self.facts, unit) == _rights(self.facts, act.unit)
        )


def agree_on(act: Placement, readings: Iterable[Reading]) -> bool:
    """Return whether all readings have this act."""
    return all(reading.holds(act) for reading in readings)


class ReadingInput(Struct, frozen=True):
    """What readings are made from.

    `rested` are the spaces at rest, `fresh` the landings that may be acts as (miniature, space), `since` is miniature
    -> when its place in the game last changed (seconds).
    """

    belief: Belief
    facts: Facts
    rested: frozenset[str]
    fresh: frozenset[tuple[str, str]]
    since: Mapping[str, float]

    def readings(self) -> list[Reading]:
        """Return all readings, the cheapest first; after an accident (`upset`), only the first."""
        readings = []
        for story in self.belief.stories:
            readings.append(self._read(story))
            # Add the story with look-alikes renamed, if that gives another reading.
            if (same := with_names_settled(story, self.belief, self.facts)) is not story:
                readings.append(self._read(same))
        readings.sort(key=lambda it: (it.cost, len(it.story.exchanged), it.story.stretch))
        return readings[:1] if self.belief.upset else readings

    def _read(self, story: Story) -> Reading:
        facts, home = self.facts, self.facts.standing.get
        # A piece that is not at rest yet may still be moving, so leave it out.
        at = {space: unit for space, unit in story.at.items() if space in self.rested}
        acts, later, wrong, strange, gone = [], [], [], [], []
        # The order of the cases matters: at home (or exchanged, and its home is filled), an act, removed by the game,
        # legal after another act, wrong.
        for space, unit in [pair for pair in story.pairs if pair[0] in self.rested]:
            if unit is None:
                if space not in self.belief.known:
                    strange.append(space)
            elif unit in facts.sharing.get(space, ()) or ((unit, space) in story.exchanged and home(unit) in story.at):
                continue
            elif (unit, space) in self.fresh and (unit, space) not in story.accidents:
                acts.append(facts.legal[unit, space])
            elif home(unit) is None and self.belief.came[space] < self.since.get(unit, LONG_AGO):
                gone.append((unit, space))
            elif self._may_follow(story, at, unit, space):
                later.append((unit, space))
            else:
                wrong.append((unit, space))
        # No one has put these pieces where they are, so they cost nothing.
        blameless = story.accidents | story.exchanged
        accidents = frozenset(pair for pair in wrong if pair in blameless)
        placed = {unit for space, unit in story.pairs if unit is not None and space in at}
        aloft = frozenset(unit for unit in story.lifts if unit not in placed and facts.standing.get(unit) is not None)
        # Each further wrong miniature costs half as much, so that all together cost less than one unknown piece.
        cost = story.odd + 2 * WRONG_COST * (1 - 0.5 ** (len(wrong) - len(accidents)))
        # A lifted marker that is set on a space for markers is not an unknown piece.
        allowed = facts.optional if self.belief.spare else NO_UNITS
        cost += ODD_COST * sum(space not in allowed for space in strange) + self._doubt_cost(story, acts, aloft)
        landings = (tuple(acts), tuple(later), tuple(wrong))
        return Reading(facts, story, at, *landings, accidents, tuple(strange), tuple(gone), aloft, cost)

    def _may_follow(self, story: Story, at: At, unit: str, space: str) -> bool:
        """Return whether a miniature may stand on a space because its occupant has left, or may, by a legal act."""
        seen = {space}
        holder = self.facts.homes.get(space)
        # Follow the chain of occupants: each must have moved on, or be in the air.
        while holder is not None and self.facts.could_follow(unit, space):
            if (unit, space) in story.accidents:
                return False
            next_space = next((place for place, other in at.items() if other == holder), None)
            if next_space is None:
                return holder in story.lifts
            if next_space in seen or (holder, next_space) in story.accidents:
                return False
            if (holder, next_space) in self.fresh:
                return True
            seen.add(next_space)
            unit, space, holder = holder, next_space, self.facts.homes.get(next_space)
        return False

    def _doubt_cost(self, story: Story, acts: list[Placement], aloft: frozenset[str]) -> float:
        """Return the total cost of unlikely events.

        These are: a deployment while another miniature is in the air; a deployment that may be a second sensor feeling
        one magnet; a miniature that was pushed off and not felt since; and slow slides, which cost more together with a
        deployment.
        """
        # A slow slide in the air is not finished, so it is not counted yet.
        slow = sum(lift.slow and unit not in aloft for unit, lift in story.lifts.items())
        deployed = [act.to for act in acts if self.facts.standing[act.unit] is None]
        unlikely = UNLIKELY_COST * len(deployed) if aloft else 0.0
        ghosts = ODD_COST * sum(self._may_feel_one_magnet(space) for space in deployed)
        unlikely += slow * (SLOW_COST + ODD_COST * len(deployed))
        return unlikely + ghosts + ODD_COST * sum(story.lifts[unit].driven for unit in aloft)

    def _may_feel_one_magnet(self, space: str) -> bool:
        """Return whether two sensors may feel one magnet: something else came at that moment, not after a dropout."""
        came, left = self.belief.came, self.belief.left
        others = (other for other in came if other != space and abs(came[other] - came[space]) < GHOST_S)
        return any(other not in left or came[other] - left[other].at >= DROPOUT_S for other in others)


def likeliest(readings: Sequence[Reading]) -> list[Reading]:
    """Return the cheapest readings.

    Of readings that differ only in look-alikes, and not in what they mean, return one. If two miniatures are exchanged
    in the cheapest reading, other legal readings without an exchange are kept, too.
    """
    cheapest = [reading for reading in readings if reading.cost <= readings[0].cost]
    # An exchange alone is weak evidence.
    if cheapest[0].story.exchanged:
        cheapest += [reading for reading in rivals(readings) if not reading.misplaced and not reading.story.exchanged]
    return _told_apart(cheapest)


def rivals(readings: Sequence[Reading]) -> list[Reading]:
    """Return the readings that are still possible, although they cost more than the cheapest."""
    return [reading for reading in readings if reading.cost <= readings[0].cost + RIVAL_COST]


def doubts(readings: Sequence[Reading], likely: Sequence[Reading]) -> list[Reading]:
    """Return possible readings that contradict a likely act: a miniature without any legal act was set down instead.

    No one lifts such a miniature to make a move. That it may not stand there does not prove that it doesn't.
    Look-alikes cause no doubt, because either may stand there.
    """
    facts = readings[0].facts
    goals = {(act.to, facts.look_of(act.unit)) for reading in likely for act in reading.acts}
    spaces = {space for space, _ in goals}

    def misplays(reading: Reading) -> bool:
        return any(
            space in spaces and unit not in facts.goals and (space, facts.look_of(unit)) not in goals
            for unit, space in reading.wrong
            if (unit, space) not in reading.accidents
        )

    return [reading for reading in rivals(readings) if not reading.story.exchanged and misplays(reading)]


def _told_apart(readings: list[Reading]) -> list[Reading]:
    """Return one reading of each group that looks the same: the one with the fewest acts."""
    groups: dict[object, list[Reading]] = {}
    for reading in readings:
        picture = frozenset(
            (space, None if unit is None else reading.facts.look_of(unit)) for space, unit in reading.at.items()
        )
        groups.setdefault(picture, []).append(reading)
    return [simplest for group in groups.values() for simplest in _simplest(group)]


def _simplest(group: list[Reading]) -> list[Reading]:
    fewest = min(reading.moved for reading in group)
    # Look-alikes that could have made the same move: the reading with the fewest acts is enough.
    best = [reading for reading in group if reading.moved == fewest]
    if best[0].aloft or any(_differ(best[0], other) for other in best[1:]):
        return best
    return best[:1]


def _differ(one: Reading, other: Reading) -> bool:
    """Return whether it matters which of two look-alikes stands where."""
    pairs = ((unit, other.at[space]) for space, unit in one.at.items())
    return any(_rights(one.facts, unit) != _rights(one.facts, its_like) for unit, its_like in pairs)


def _rights(facts: Facts, unit: str | None) -> frozenset[str]:
    return NO_UNITS if unit is None else facts.rights.get(unit, NO_UNITS)
