"""Explanations: what each story comes to by the rules, and which of them is the likeliest. Pure.

A reading says of each space where something has come to rest who stands there. It is free where everybody is at home,
where setting them down is a legal act, or where they came by accident; whatever it must call wrong or unknown costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from engine.game import Placement
from firmware_host.board.thresholds import (
    DROPOUT_S,
    GHOST_S,
    RIVAL_COST,
    SLOW_COST,
    STRANGE_COST,
    UNLIKELY_COST,
    WRONG_COST,
)
from firmware_host.board.tracking.belief import LONG_AGO, NOBODY, Belief, Story, settled
from firmware_host.board.tracking.facts import Facts

At = Mapping[str, str | None]
"""Space -> who stands there; None: nobody of the game."""


class Reading(Struct, frozen=True):
    """What a story comes to. Pairs are (miniature, space).

    `acts` are legal now; `later` may be legal once they are done; `wrong` are not, those of `accidents` by nobody's
    fault; `strange` is unknown; `gone` has no place in the game any more; `aloft` are those in somebody's hand.
    """

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
        """How many acts it takes."""
        return len(self.acts) + len(self.later)

    @property
    def misplaced(self) -> bool:
        """Whether somebody has set a miniature down where it may not stand."""
        return any(pair not in self.accidents for pair in self.wrong)

    @property
    def open(self) -> tuple[str, ...]:
        """The spaces where anything is to be made of what stands there."""
        pairs = (*self.later, *self.wrong)
        return (*(act.to for act in self.acts), *(space for _, space in pairs), *self.strange)

    def holds(self, act: Placement, facts: Facts) -> bool:
        """Whether it has this act, or the same of a look-alike that may do as much, neither being in a hand."""
        unit = self.at.get(act.to)
        return act.unit in (unit, *self.story.on(act.to)) or (
            unit is not None
            and act.unit not in self.aloft
            and facts.look(unit) == facts.look(act.unit)
            and _rights(facts, unit) == _rights(facts, act.unit)
        )


class ReadingInput(Struct, frozen=True):
    """What is to be read: the belief, the facts, the spaces at rest, the landings that may be acts, and miniature ->
    when its place in the game last changed."""

    belief: Belief
    facts: Facts
    rested: frozenset[str]
    fresh: frozenset[tuple[str, str]]
    since: Mapping[str, float]


def read(given: ReadingInput) -> list[Reading]:
    """All readings, the cheapest first. Where all is upset, only the likeliest."""
    found = sorted((_read(given, story) for story in _called(given)), key=_likelihood)
    return found[:1] if given.belief.upset else found


def _called(given: ReadingInput) -> Iterator[Story]:
    """All stories, and those that call look-alikes otherwise: each by the name of the place where it stands."""
    for story in given.belief.stories:
        yield story
        if (same := settled(story, given.belief, given.facts)) is not story:
            yield same


def _likelihood(reading: Reading) -> tuple[float, int, int]:
    return reading.cost, len(reading.story.exchanged), reading.story.stretch


def likeliest(found: Sequence[Reading], facts: Facts) -> list[Reading]:
    """The cheapest of them, look-alikes taken for one another where it does not matter.

    What needs two to have changed places is not believed alone as long as anything else is legal.
    """
    cheapest = [reading for reading in found if reading.cost <= found[0].cost]
    if cheapest[0].story.exchanged:
        cheapest += [one for one in rivals(found) if not one.misplaced and not one.story.exchanged]
    return _told_apart(cheapest, facts)


def rivals(found: Sequence[Reading]) -> list[Reading]:
    """Those that must be reckoned with."""
    return [reading for reading in found if reading.cost <= found[0].cost + RIVAL_COST]


def doubts(found: Sequence[Reading], likely: Sequence[Reading], facts: Facts) -> list[Reading]:
    """Readings by which an act of the likeliest is the landing of another miniature, one that has no legal act at all.

    Nobody lifts such a miniature to play it. That the rules forbid it to stand there does not prove that another one
    does. Look-alikes are no doubt: one is as good there as the other.
    """
    goals = {(act.to, facts.look(act.unit)) for reading in likely for act in reading.acts}
    spaces = {space for space, _ in goals}

    def misplays(reading: Reading) -> bool:
        return any(
            space in spaces and unit not in facts.goals and (space, facts.look(unit)) not in goals
            for unit, space in reading.wrong
            if (unit, space) not in reading.accidents
        )

    return [reading for reading in rivals(found) if not reading.story.exchanged and misplays(reading)]


def _read(given: ReadingInput, story: Story) -> Reading:
    facts = given.facts
    at = {space: unit for space, unit in story.at.items() if space in given.rested}
    acts, later, wrong, strange, gone = [], [], [], [], []
    for space, unit in [pair for pair in story.pairs if pair[0] in given.rested]:
        if unit is None:
            if space not in given.belief.known:
                strange.append(space)
        elif unit in facts.sharing.get(space, ()) or _exchanged(story, facts, unit, space):
            continue
        elif (unit, space) in given.fresh and (unit, space) not in story.accidents:
            acts.append(facts.legal[unit, space])
        elif facts.standing.get(unit) is None and given.belief.came[space] < given.since.get(unit, LONG_AGO):
            gone.append((unit, space))
        elif _follows(given, story, at, unit, space):
            later.append((unit, space))
        else:
            wrong.append((unit, space))
    nobodys = story.accidents | story.exchanged
    accidents = frozenset(pair for pair in wrong if pair in nobodys)
    placed = {unit for space, unit in story.pairs if unit is not None and space in at}
    aloft = frozenset(unit for unit in story.lifts if unit not in placed and facts.standing.get(unit) is not None)
    cost = story.odd + _price_of_wrong(len(wrong) - len(accidents)) + sum(_price(given, space) for space in strange)
    cost += _doubts(given, story, acts, aloft)
    return Reading(
        story, at, tuple(acts), tuple(later), tuple(wrong), accidents, tuple(strange), tuple(gone), aloft, cost
    )


def _exchanged(story: Story, facts: Facts, unit: str, space: str) -> bool:
    """Whether a miniature has long stood in another's place, and so does somebody in its own."""
    return (unit, space) in story.exchanged and facts.standing.get(unit) in story.at


def _follows(given: ReadingInput, story: Story, at: At, unit: str, space: str) -> bool:
    """Whether a miniature could have come to a space because its holder has gone on by a legal act, or still may."""
    seen = {space}
    holder = given.facts.homes.get(space)
    while holder is not None and given.facts.could_follow(unit, space):
        if (unit, space) in story.accidents:
            return False
        next_space = next((place for place, other in at.items() if other == holder), None)
        if next_space is None:
            return holder in story.lifts
        if next_space in seen or (holder, next_space) in story.accidents:
            return False
        if (holder, next_space) in given.fresh:
            return True
        seen.add(next_space)
        unit, space, holder = holder, next_space, given.facts.homes.get(next_space)
    return False


def _price_of_wrong(count: int) -> float:
    """What it costs to call so many miniatures wrong: the more are, the less one more says, and all of them together
    never as much as something unknown.
    """
    return 2 * WRONG_COST * (1 - 0.5**count)


def _price(given: ReadingInput, space: str) -> float:
    """What it costs to call a thing unknown: nothing for a marker that was lifted, where markers stand."""
    return 0.0 if given.belief.spare and space in given.facts.optional else STRANGE_COST


def _doubts(given: ReadingInput, story: Story, acts: list[Placement], aloft: frozenset[str]) -> float:
    """A deployment while another miniature is in somebody's hand, one that may be another landing's ghost, one driven
    off its space that nobody has felt since, and a slow slide, above all together with a deployment."""
    slow = sum(lift.slow and unit not in aloft for unit, lift in story.lifts.items())
    deployed = [act.to for act in acts if given.facts.standing[act.unit] is None]
    held = UNLIKELY_COST * len(deployed) if aloft else 0.0
    ghosts = STRANGE_COST * sum(_ghostly(given, space) for space in deployed)
    held += slow * (SLOW_COST + STRANGE_COST * len(deployed))
    return held + ghosts + STRANGE_COST * sum(story.lifts[unit].driven for unit in aloft)


def _ghostly(given: ReadingInput, space: str) -> bool:
    """Whether something else came to another space at the same moment, as when one magnet is felt by two sensors.

    What only dropped out for a moment did not come.
    """
    came, left = given.belief.came, given.belief.left
    others = (other for other in came if other != space and abs(came[other] - came[space]) < GHOST_S)
    return any(other not in left or came[other] - left[other].at >= DROPOUT_S for other in others)


# --- look-alikes ------------------------------------------------------------------------------------------------


def _told_apart(found: list[Reading], facts: Facts) -> list[Reading]:
    """One reading for all that look the same and come to the same: the one with the fewest acts."""
    groups: dict[object, list[Reading]] = {}
    for reading in found:
        picture = frozenset((space, None if unit is None else facts.look(unit)) for space, unit in reading.at.items())
        groups.setdefault(picture, []).append(reading)
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
