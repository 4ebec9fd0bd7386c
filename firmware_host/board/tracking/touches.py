"""How an edge changes the stories of `belief.py`: something left a space, came to one, or dropped out. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.thresholds import (
    BRIEF_CONTACT_S,
    CROWD_S,
    FASTEST_CARRY_S,
    LANDING_CHATTER_S,
    ODD_COST,
    SIMULTANEOUS_S,
    SWEPT_PIECES,
    Timing,
)
from firmware_host.board.tracking.belief import LONG_AGO, Belief, Hop, Left, Lift, Story, with_stories, without_unit_on
from firmware_host.board.tracking.facts import UNREACHABLE, Facts
from hardware.settle import ROUNDING


class Touches(Struct, frozen=True):
    """Finds the stories that are possible after one more edge. `belief` is the one before the edge."""

    belief: Belief
    facts: Facts
    timing: Timing

    def after_lift(self, space: str, at: float) -> Belief:
        """Return the belief after something left a space at `at`.

        A contact elsewhere after that may be the same piece, because debouncing may change the order. So may a contact
        on a neighbouring space just before: a sliding piece closes the next sensor before it leaves the last one.
        """
        belief, facts, timing = self.belief, self.facts, self.timing
        near = facts.bordering.get(space, ())
        out = belief.left.get(space)  # after a dropout another piece may have passed over it
        first = out.at if out is not None and _is_within(at - out.at, timing.push) else at
        # Contacts that may be the piece that left: later ones, or those on a neighbour just before.
        ahead = [
            other
            for other in belief.came
            if other != space
            and belief.arrived.get(other, LONG_AGO) >= first - (timing.overlap if other in near else 0.0)
        ]
        # A slow slide: the next sensor felt the piece long before it left this one.
        lingering = [other for other in near if other not in ahead and self._is_unknown(other)]
        came = {other: at if other in lingering else time for other, time in belief.came.items() if other != space}
        # In every story, the piece that left is not part of the game: it is a marker or a wand.
        odd_one = bool(belief.stories) and all(story.at.get(space, "") is None for story in belief.stories)
        after = replace(
            belief,
            came=came,
            left={**belief.left, space: Left(at, belief.came.get(space, at), space in belief.known)},
            known=belief.known - {space},
            hops=frozenset(hop for hop in belief.hops if hop.goal != space),
            spare=belief.spare or (odd_one and space in facts.optional | belief.known),
        )
        stories = [new for story in belief.stories for new in self._leaving_stories(story, space, first, ahead)]
        slid = (new for story in stories for new in self._slide_stories(story, space, lingering))
        after = with_stories(after, [*stories, *slid])
        for other in ahead:
            after = self._with_hop(after, space, other)
        return after

    def _leaving_stories(self, story: Story, space: str, at: float, ahead: list[str]) -> Iterator[Story]:
        """Yield the stories: the piece that left is in the air, or it is the one that landed on another space.

        In the second case, the piece that seemed to land there is still in the air.
        """
        belief = self.belief
        unit = story.at.get(space)
        others = _without(story.at, space)
        pairs = frozenset(pair for pair in story.accidents if pair[1] != space)
        story = replace(story, at=others, accidents=pairs, exchanged=story.exchanged - {(str(unit), space)})
        story = self._with_it(story, space, at)
        if unit is None:
            # A short contact may be a piece passing by; a longer one must be an unknown piece.
            stayed = space not in belief.known and at - belief.came.get(space, at) > BRIEF_CONTACT_S
            yield replace(story, odd=story.odd + ODD_COST) if stayed else story
            return
        # The game has this miniature off the board, so it is not in the air but gone.
        if self.facts.standing.get(unit) is None:
            yield story
            return
        story = replace(story, air=story.air | {unit}, lifts={**story.lifts, unit: Lift(space, at)})
        yield story
        for other in ahead:
            occupant = others.get(other)
            if other not in others or not self._may_be_the_lifted(story, unit, occupant, other, at):
                continue
            back = story if occupant is None else replace(story, air=story.air | {occupant})
            without = replace(back, at=_without(others, other))
            yield self._set_down(without, unit, other, belief.arrived[other])

    def _is_unknown(self, space: str) -> bool:
        """Return whether a piece that came to a space since the last agreement may not be part of the game."""
        news = space in self.belief.came and space not in self.belief.known | self.facts.blind
        return news and any(story.at.get(space, "") is None for story in self.belief.stories)

    def _slide_stories(self, story: Story, space: str, lingering: list[str]) -> Iterator[Story]:
        """Yield the stories in which a piece slid slowly: the next sensor felt it long before it left the space."""
        for unit in sorted(story.air):
            lift = story.lifts[unit]
            if lift.start != space or lift.at < self.belief.came[space]:
                continue
            for other in lingering:
                if story.at.get(other, "") is not None:
                    continue
                lifts = {**story.lifts, unit: replace(lift, slow=True)}
                slow = replace(story, lifts=lifts, at=_without(story.at, other))
                yield self._set_down(slow, unit, other, self.belief.arrived[other])

    def _with_it(self, story: Story, space: str, at: float) -> Story:
        """Return the story in which all other miniatures of the space, which is now empty, are also in the air."""
        gone = frozenset(pair for pair in story.under if pair[1] == space)
        if not gone:
            return story
        units = [unit for unit, _ in gone if self.facts.standing.get(unit) is not None]
        lifts = {**story.lifts, **dict.fromkeys(units, Lift(space, at))}
        return replace(story, under=story.under - gone, air=story.air.union(units), lifts=lifts)

    def _may_be_the_lifted(self, story: Story, unit: str, occupant: str | None, space: str, at: float) -> bool:
        """Return whether the piece that came may be the one that left at `at`.

        It may be if no other piece is in the air, or if both happened at once.
        """
        if occupant is None and story.air == {unit}:
            return True
        if occupant is not None and (occupant not in story.lifts or space == self.facts.standing[occupant]):
            return False
        return self.belief.arrived[space] >= at - SIMULTANEOUS_S

    def after_landing(self, space: str, at: float, began: float | None = None) -> Belief:
        """Return the belief after something came to a space: a piece from the air or the box, or something unknown.

        `began` is when its contact first closed, `at` when it last did. If a piece is back on its sensor faster than a
        hand can move it, it never left.
        """
        belief = self.belief
        began = at if began is None else began
        left = belief.left.get(space)
        # In every story only the piece of this space is in the air, so it is this one that came back.
        alone = all([story.lifts[unit].start for unit in story.air] == [space] for story in belief.stories)
        back = left is not None and left.known and _is_shorter(began - left.at, self.timing.push) and alone
        after = replace(
            belief,
            # A piece that never left keeps the time of its landing.
            came={**belief.came, space: left.came if back and left is not None else at},
            arrived={**belief.arrived, space: began},
            known=belief.known | {space} if back else belief.known,
        )
        if back:
            homing = ((story, unit) for story in belief.stories for unit in story.air)
            return with_stories(after, (self._set_down(story, unit, space, began) for story, unit in homing))
        stories = (landed for story in belief.stories for landed in self._landing_stories(story, space, began))
        after = with_stories(after, stories)
        # The piece may have hopped here from the neighbour that was left last.
        sources = [
            place for place in self.facts.bordering.get(space, ()) if place not in belief.came and place in belief.left
        ]
        if sources:
            after = self._with_hop(after, max(sources, key=lambda place: belief.left[place].at), space)
        return after

    def _landing_stories(self, story: Story, space: str, began: float) -> Iterator[Story]:
        standing = {unit for _, unit in story.pairs}
        # Miniatures that are nowhere in this story: they come from the box, or were lost earlier.
        outside = {unit for unit in self.facts.standing if unit not in story.air and unit not in standing}
        for unit in sorted(story.air):
            yield self._set_down(story, unit, space, began)
        for unit in sorted(outside):
            if self.facts.standing[unit] is not None or (unit, space) in self.facts.legal:
                yield self._set_down(story, unit, space, began)
        # A piece may leave a shared space without an edge, because another one holds the sensor down.
        for unit, home in self._shared_leavers(story):
            lifts = {**story.lifts, unit: Lift(home, began - self.timing.slide, unfelt=True)}
            odd = story.odd + (ODD_COST if story.air else 0.0)  # a piece whose lift was felt is more likely
            taken = replace(without_unit_on(story, unit, home), air=story.air | {unit}, lifts=lifts, odd=odd)
            yield self._set_down(taken, unit, space, began)
        yield replace(story, at={**story.at, space: None})

    def _shared_leavers(self, story: Story) -> Iterator[tuple[str, str]]:
        """Yield (miniature, space) for those that may leave a shared space unnoticed: to act, or to go home."""
        for space in sorted({space for _, space in story.under}):
            for unit in sorted(story.on(space)):
                if unit in self.facts.goals or self.facts.standing.get(unit) != space:
                    yield unit, space

    def _set_down(self, story: Story, unit: str, space: str, began: float) -> Story:
        """Return the story with the miniature on the space.

        It may have pushed off another miniature, or was pushed itself.
        """
        lift, lifts = story.lifts.get(unit), dict(story.lifts)
        odd, accidents = story.odd, story.accidents
        others = story.air - {unit}
        for other, from_here in story.lifts.items():
            if other == unit or from_here.start != space or not _is_shorter(began - from_here.at, self.timing.push):
                continue
            if other in others:
                lifts[other] = replace(from_here, driven=True)
                accidents |= {(unit, space)}
            elif self._has_reached_next(story, other, from_here):
                accidents |= {(unit, space)}
        if lift is not None:
            bordering = space in self.facts.bordering.get(lift.start, ())
            late = began - lift.at
            # A piece that is pushed slides to the next space at once. Anything else is unlikely.
            if lift.driven and not (bordering and _is_shorter(late, 2 * self.timing.push)):
                odd += ODD_COST
            # No hand carries a piece to a space two steps away within this time.
            far = self.facts.steps(lift.start, space) > 1 and not bordering
            if far and lift.start == self.facts.standing[unit] and _is_within(late, FASTEST_CARRY_S):
                odd += ODD_COST
            if bordering and _is_shorter(abs(late), self.timing.push):
                along = self._swept_along(story, lift)
                if along or lift.driven or self._is_pushed(story, others, lift):
                    accidents |= {(unit, space), *along}
        # Back at home: whatever happened on the way no longer matters.
        if self.facts.standing.get(unit) == space:
            accidents = frozenset(pair for pair in accidents if pair[0] != unit)
            lifts.pop(unit, None)
        return replace(
            story,
            at={**story.at, space: unit},
            air=others,
            lifts=lifts,
            odd=odd,
            stretch=story.stretch + (UNREACHABLE if lift is None else self.facts.steps(lift.start, space)),
            accidents=accidents,
        )

    def _has_reached_next(self, story: Story, unit: str, lift: Lift) -> bool:
        """Return whether a pushed miniature has reached the next space already, after it left its own."""
        space = story.where(unit)
        return (unit, space) in story.accidents and self.belief.arrived.get(str(space), LONG_AGO) >= lift.at

    def _is_pushed(self, story: Story, others: frozenset[str], lift: Lift) -> bool:
        """Return whether a hand could have pushed it: with another piece, or just after setting one down next to it."""
        if any(story.lifts[other].at < lift.at and not story.lifts[other].driven for other in others):
            return True
        bordering = (space for space in self.facts.bordering.get(lift.start, ()) if story.at.get(space) in story.lifts)
        return any(
            _is_within(lift.at - self.belief.arrived.get(space, LONG_AGO), self.timing.push) for space in bordering
        )

    def _swept_along(self, story: Story, lift: Lift) -> frozenset[tuple[str, str]]:
        """Return the other miniatures that hopped just before or after, each with its new space."""
        return frozenset(
            (other, goal)
            for goal, other in story.at.items()
            if other is not None
            and (hop := story.lifts.get(other)) is not None
            and goal in self.facts.bordering.get(hop.start, ())
            and _is_within(self.belief.arrived.get(goal, LONG_AGO) - hop.at, self.timing.push)
            and _is_shorter(abs(lift.at - hop.at), self.timing.sweep)
        )

    def dropped_out(self, space: str, began: float, at: float) -> Belief:
        """Return the belief after a sensor lost its magnet from `began` to `at`: ignored unless a piece was pushed."""
        belief = self.belief
        if space not in belief.came or began - belief.came[space] < LANDING_CHATTER_S:
            return belief
        driven = [landed for story in belief.stories for landed in self._driven_off(story, space, began, at)]
        left = {**belief.left, space: Left(began, belief.came[space], space in belief.known)}
        return with_stories(replace(belief, left=left), [*belief.stories, *driven])

    def _driven_off(self, story: Story, space: str, began: float, at: float) -> Iterator[Story]:
        """Yield the stories in which a piece from the air pushed the one that stood there off, or one space on."""
        unit = story.at.get(space)
        if unit is None or self.facts.standing.get(unit) is None:
            return
        others = _without(story.at, space)
        lifts = {**story.lifts, unit: Lift(space, began)}
        lifted = replace(story, at=others, air=story.air | {unit}, lifts=lifts)
        for other in sorted(story.air):
            yield self._set_down(lifted, other, space, at)
        # The pushed piece may have gone one space on, where another piece seemed to be set down.
        for aside in self.facts.bordering.get(space, ()):
            occupant = others.get(aside)
            if (
                occupant is None
                or occupant not in story.lifts
                or self.belief.arrived.get(aside, LONG_AGO) < began - SIMULTANEOUS_S
            ):
                continue
            back = replace(lifted, at=_without(others, aside))
            back = self._set_down(replace(back, air=back.air | {occupant}), occupant, space, at)
            yield self._set_down(back, unit, aside, max(began, self.belief.arrived[aside]))

    def _with_hop(self, belief: Belief, source: str, goal: str) -> Belief:
        """Return the belief with a hop from `source` to `goal`, if it was one.

        After several hops of different miniatures within a short time, something swept across the board. Several hops
        of the same miniature count as one.
        """
        left = belief.left[source]
        soon = _is_within(belief.came[goal] - left.at, self.timing.push)
        if not (soon and left.known) or goal not in self.facts.bordering.get(source, ()):
            return belief
        hops = {hop for hop in belief.hops if _is_shorter(abs(left.at - hop.at), self.timing.sweep)}
        after = replace(belief, hops=frozenset(hops | {Hop(source, goal, left.at)}))
        return replace(after, upset=True) if _are_distinct([*after.hops], SWEPT_PIECES) else after


def _without(at: Mapping[str, str | None], space: str) -> dict[str, str | None]:
    return {other: unit for other, unit in at.items() if other != space}


def _is_shorter(span: float, limit: float) -> bool:
    """Return whether `span` is shorter than `limit` (seconds), allowing for rounding of float sums."""
    return span < limit - ROUNDING


def _is_within(span: float, limit: float) -> bool:
    """Return whether `span` is not negative and shorter than `limit` (seconds)."""
    return span >= 0 and _is_shorter(span, limit)


# --- accidents --------------------------------------------------------------------------------------------------


def _are_distinct(hops: list[Hop], count: int) -> bool:
    """Return whether `count` of the hops can be of different miniatures: no two begin or end on the same space."""
    if count == 0:
        return True
    # Use this hop as one of them, then search among the hops that share no space with it.
    return any(
        _are_distinct(
            [other for other in hops[number + 1 :] if other.start != hop.start and other.goal != hop.goal], count - 1
        )
        for number, hop in enumerate(hops)
    )


def after_sweep(belief: Belief, facts: Facts, crowd: int) -> Belief:
    """Return the belief, `upset` if `crowd` miniatures left their places within `CROWD_S`."""
    empty = facts.homes.keys() - belief.came.keys()
    times = [belief.left[space].at for space in empty if space in belief.left]
    return belief if sum(max(times) - at < CROWD_S for at in times) < crowd else replace(belief, upset=True)
