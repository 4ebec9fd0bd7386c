"""How an edge changes the stories of `belief.py`: something left a space, came to one, or dropped out. Pure."""

from __future__ import annotations

from collections.abc import Iterator

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


def after_lift(belief: Belief, facts: Facts, space: str, at: float, timing: Timing) -> Belief:
    """Return the belief after something left a space at `at`.

    What was felt elsewhere after that may be the same piece, because debouncing may change the order. So may what was
    felt on a neighbouring space just before: a sliding piece closes the next sensor before it leaves the last one.
    """
    near = facts.bordering.get(space, ())
    out = belief.left.get(space)  # after a dropout another piece may have passed over it
    first = out.at if out is not None and _is_within(at - out.at, timing.push) else at
    # Spaces whose piece may be the one that left: touched later, or on a neighbour just before.
    ahead = [
        other
        for other in belief.came
        if other != space and belief.arrived.get(other, LONG_AGO) >= first - (timing.overlap if other in near else 0.0)
    ]
    # A slow slide: the next sensor felt the piece long before it left this one.
    lingering = [other for other in near if other not in ahead and _is_unknown(belief, facts, other)]
    came = {other: at if other in lingering else time for other, time in belief.came.items() if other != space}
    # In every story, what left is not part of the game, such as a marker or a wand.
    odd_one = bool(belief.stories) and all(story.at.get(space, "") is None for story in belief.stories)
    after = replace(
        belief,
        came=came,
        left={**belief.left, space: Left(at, belief.came.get(space, at), space in belief.known)},
        known=belief.known - {space},
        hops=frozenset(hop for hop in belief.hops if hop.goal != space),
        spare=belief.spare or (odd_one and space in facts.optional | belief.known),
    )
    stories = [
        new for story in belief.stories for new in _leaving_stories(story, facts, space, first, ahead, belief, timing)
    ]
    slid = (new for story in stories for new in _slide_stories(story, facts, space, lingering, belief, timing))
    after = with_stories(after, [*stories, *slid])
    for other in ahead:
        after = _with_hop(after, facts, space, other, timing)
    return after


def _leaving_stories(
    story: Story, facts: Facts, space: str, at: float, ahead: list[str], belief: Belief, timing: Timing
) -> Iterator[Story]:
    """Yield the stories: the piece is in the air, or it is what was felt ahead and that other piece is in the air."""
    unit = story.at.get(space)
    others = {other: one for other, one in story.at.items() if other != space}
    pairs = frozenset(pair for pair in story.accidents if pair[1] != space)
    story = replace(story, at=others, accidents=pairs, exchanged=story.exchanged - {(str(unit), space)})
    story = _with_it(story, facts, space, at)
    if unit is None:
        # A short contact may be a piece passing by; a longer one needs something unknown.
        stayed = space not in belief.known and at - belief.came.get(space, at) > BRIEF_CONTACT_S
        yield replace(story, odd=story.odd + ODD_COST) if stayed else story
        return
    # The game has this miniature off the board, so it is not in the air but gone.
    if facts.standing.get(unit) is None:
        yield story
        return
    story = replace(story, air=story.air | {unit}, lifts={**story.lifts, unit: Lift(space, at)})
    yield story
    for other in ahead:
        occupant = others.get(other)
        if other not in others or not _may_be_the_lifted(story, facts, unit, occupant, other, at, belief):
            continue
        back = story if occupant is None else replace(story, air=story.air | {occupant})
        without = replace(back, at={place: standing for place, standing in others.items() if place != other})
        yield _set_down(without, facts, unit, other, belief.arrived[other], belief, timing)


def _is_unknown(belief: Belief, facts: Facts, space: str) -> bool:
    """Return whether something came to a space since the last agreement and may not be part of the game."""
    news = space in belief.came and space not in belief.known | facts.blind
    return news and any(story.at.get(space, "") is None for story in belief.stories)


def _slide_stories(
    story: Story, facts: Facts, space: str, lingering: list[str], belief: Belief, timing: Timing
) -> Iterator[Story]:
    """Yield the stories in which a piece slid slowly: the next sensor felt it long before it left the space."""
    for unit in sorted(story.air):
        lift = story.lifts[unit]
        if lift.start != space or lift.at < belief.came[space]:
            continue
        for other in lingering:
            if story.at.get(other, "") is not None:
                continue
            lifts = {**story.lifts, unit: replace(lift, slow=True)}
            slow = replace(
                story, lifts=lifts, at={place: standing for place, standing in story.at.items() if place != other}
            )
            yield _set_down(slow, facts, unit, other, belief.arrived[other], belief, timing)


def _with_it(story: Story, facts: Facts, space: str, at: float) -> Story:
    """Return the story with all other miniatures of the space, which is empty now, in the air too."""
    gone = frozenset(pair for pair in story.under if pair[1] == space)
    if not gone:
        return story
    units = [unit for unit, _ in gone if facts.standing.get(unit) is not None]
    lifts = {**story.lifts, **dict.fromkeys(units, Lift(space, at))}
    return replace(story, under=story.under - gone, air=story.air.union(units), lifts=lifts)


def _may_be_the_lifted(
    story: Story, facts: Facts, unit: str, occupant: str | None, space: str, at: float, belief: Belief
) -> bool:
    """Return whether what came may be the piece that left at `at`: no other is in the air, or both happened at once."""
    if occupant is None and story.air == {unit}:
        return True
    if occupant is not None and (occupant not in story.lifts or space == facts.standing[occupant]):
        return False
    return belief.arrived[space] >= at - SIMULTANEOUS_S


def after_landing(
    belief: Belief, facts: Facts, space: str, at: float, timing: Timing, began: float | None = None
) -> Belief:
    """Return the belief after something came to a space: a piece from the air or from the box, or something unknown.

    `began` is when its contact first closed, `at` when it last did. A piece that is back on its sensor too soon for a
    hand has never left.
    """
    began = at if began is None else began
    left = belief.left.get(space)
    # In every story only the piece of this space is in the air, so it is this one that came back.
    alone = all([story.lifts[unit].start for unit in story.air] == [space] for story in belief.stories)
    back = left is not None and left.known and _is_shorter(began - left.at, timing.push) and alone
    after = replace(
        belief,
        # A piece that never left keeps the time of its landing.
        came={**belief.came, space: left.came if back and left is not None else at},
        arrived={**belief.arrived, space: began},
        known=belief.known | {space} if back else belief.known,
    )
    if back:
        homing = ((story, unit) for story in belief.stories for unit in story.air)
        return with_stories(
            after, (_set_down(story, facts, unit, space, began, belief, timing) for story, unit in homing)
        )
    stories = (
        landed for story in belief.stories for landed in _landing_stories(story, facts, space, began, belief, timing)
    )
    after = with_stories(after, stories)
    # The piece may have hopped here from the neighbour that was left last.
    sources = [place for place in facts.bordering.get(space, ()) if place not in belief.came and place in belief.left]
    if sources:
        after = _with_hop(after, facts, max(sources, key=lambda place: belief.left[place].at), space, timing)
    return after


def _landing_stories(
    story: Story, facts: Facts, space: str, began: float, belief: Belief, timing: Timing
) -> Iterator[Story]:
    standing = {unit for _, unit in story.pairs}
    # Miniatures that this story has nowhere: from the box, or lost earlier.
    outside = {unit for unit in facts.standing if unit not in story.air and unit not in standing}
    for unit in sorted(story.air):
        yield _set_down(story, facts, unit, space, began, belief, timing)
    for unit in sorted(outside):
        if facts.standing[unit] is not None or (unit, space) in facts.legal:
            yield _set_down(story, facts, unit, space, began, belief, timing)
    # A piece may leave a shared space without an edge, because another one holds the sensor down.
    for unit, home in _shared_leavers(story, facts):
        lifts = {**story.lifts, unit: Lift(home, began - timing.slide, unfelt=True)}
        odd = story.odd + (ODD_COST if story.air else 0.0)  # a piece whose lift was felt is more likely
        taken = replace(without_unit_on(story, unit, home), air=story.air | {unit}, lifts=lifts, odd=odd)
        yield _set_down(taken, facts, unit, space, began, belief, timing)
    yield replace(story, at={**story.at, space: None})


def _shared_leavers(story: Story, facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield (miniature, space) for those that may leave a shared space unnoticed, by an act or to go home."""
    for space in sorted({space for _, space in story.under}):
        for unit in sorted(story.on(space)):
            if unit in facts.goals or facts.standing.get(unit) != space:
                yield unit, space


def _set_down(story: Story, facts: Facts, unit: str, space: str, began: float, belief: Belief, timing: Timing) -> Story:
    """Return the story with the miniature on the space. It may have pushed another off, or have been pushed itself."""
    lift, lifts = story.lifts.get(unit), dict(story.lifts)
    odd, accidents = story.odd, story.accidents
    others = story.air - {unit}
    for other, from_here in story.lifts.items():
        if other == unit or from_here.start != space or not _is_shorter(began - from_here.at, timing.push):
            continue
        if other in others:
            lifts[other] = replace(from_here, driven=True)
            accidents |= {(unit, space)}
        elif _has_reached_next(story, other, from_here, belief):
            accidents |= {(unit, space)}
    if lift is not None:
        bordering = space in facts.bordering.get(lift.start, ())
        late = began - lift.at
        # A piece that is pushed slides to the next space at once. Anything else is unlikely.
        if lift.driven and not (bordering and _is_shorter(late, 2 * timing.push)):
            odd += ODD_COST
        # No hand carries a piece two spaces on within this time.
        far = facts.steps(lift.start, space) > 1 and not bordering
        if far and lift.start == facts.standing[unit] and _is_within(late, FASTEST_CARRY_S):
            odd += ODD_COST
        if bordering and _is_shorter(abs(late), timing.push):
            along = _swept_along(story, facts, lift, belief, timing)
            if along or lift.driven or _is_pushed(story, facts, others, lift, belief, timing):
                accidents |= {(unit, space), *along}
    # Back at home: whatever happened on the way no longer matters.
    if facts.standing.get(unit) == space:
        accidents = frozenset(pair for pair in accidents if pair[0] != unit)
        lifts.pop(unit, None)
    return replace(
        story,
        at={**story.at, space: unit},
        air=others,
        lifts=lifts,
        odd=odd,
        stretch=story.stretch + (UNREACHABLE if lift is None else facts.steps(lift.start, space)),
        accidents=accidents,
    )


def _has_reached_next(story: Story, unit: str, lift: Lift, belief: Belief) -> bool:
    """Return whether a pushed miniature has reached the next space already, after it left its own."""
    space = story.where(unit)
    return (unit, space) in story.accidents and belief.arrived.get(str(space), LONG_AGO) >= lift.at


def _is_pushed(story: Story, facts: Facts, others: frozenset[str], lift: Lift, belief: Belief, timing: Timing) -> bool:
    """Return whether a hand that held another piece, or had just set one down next to it, could push a miniature."""
    if any(story.lifts[other].at < lift.at and not story.lifts[other].driven for other in others):
        return True
    bordering = (space for space in facts.bordering.get(lift.start, ()) if story.at.get(space) in story.lifts)
    return any(_is_within(lift.at - belief.arrived.get(space, LONG_AGO), timing.push) for space in bordering)


def _swept_along(story: Story, facts: Facts, lift: Lift, belief: Belief, timing: Timing) -> frozenset[tuple[str, str]]:
    """Return the other miniatures that hopped just before or after, each with its new space."""
    return frozenset(
        (other, goal)
        for goal, other in story.at.items()
        if other is not None
        and (hop := story.lifts.get(other)) is not None
        and goal in facts.bordering.get(hop.start, ())
        and _is_within(belief.arrived.get(goal, LONG_AGO) - hop.at, timing.push)
        and _is_shorter(abs(lift.at - hop.at), timing.sweep)
    )


def dropped_out(belief: Belief, facts: Facts, space: str, began: float, at: float, timing: Timing) -> Belief:
    """Return the belief after a sensor lost its magnet from `began` to `at`: ignored unless a piece was pushed off."""
    if space not in belief.came or began - belief.came[space] < LANDING_CHATTER_S:
        return belief
    driven = [
        landed for story in belief.stories for landed in _driven_off(story, facts, space, began, at, belief, timing)
    ]
    left = {**belief.left, space: Left(began, belief.came[space], space in belief.known)}
    return with_stories(replace(belief, left=left), [*belief.stories, *driven])


def _driven_off(
    story: Story, facts: Facts, space: str, began: float, at: float, belief: Belief, timing: Timing
) -> Iterator[Story]:
    """Yield the stories in which a piece from the air pushed the one that stood there into the air or one space on."""
    unit = story.at.get(space)
    if unit is None or facts.standing.get(unit) is None:
        return
    others = {other: one for other, one in story.at.items() if other != space}
    lifts = {**story.lifts, unit: Lift(space, began)}
    lifted = replace(story, at=others, air=story.air | {unit}, lifts=lifts)
    for other in sorted(story.air):
        yield _set_down(lifted, facts, other, space, at, belief, timing)
    # The pushed piece may have gone one space on, where another piece seemed to be set down.
    for aside in facts.bordering.get(space, ()):
        occupant = others.get(aside)
        if (
            occupant is None
            or occupant not in story.lifts
            or belief.arrived.get(aside, LONG_AGO) < began - SIMULTANEOUS_S
        ):
            continue
        back = replace(lifted, at={place: standing for place, standing in others.items() if place != aside})
        back = _set_down(replace(back, air=back.air | {occupant}), facts, occupant, space, at, belief, timing)
        yield _set_down(back, facts, unit, aside, max(began, belief.arrived[aside]), belief, timing)


def _is_shorter(span: float, limit: float) -> bool:
    """Return whether `span` is shorter than `limit` (seconds), allowing for rounding of float sums."""
    return span < limit - ROUNDING


def _is_within(span: float, limit: float) -> bool:
    """Return whether `span` is not negative and shorter than `limit` (seconds)."""
    return span >= 0 and _is_shorter(span, limit)


# --- accidents --------------------------------------------------------------------------------------------------


def _with_hop(belief: Belief, facts: Facts, source: str, goal: str, timing: Timing) -> Belief:
    """Return the belief with a hop from `source` to `goal`, if it was one.

    After several hops of different miniatures within a short time, something swept across the board. One miniature that
    slides on counts once.
    """
    left = belief.left[source]
    soon = _is_within(belief.came[goal] - left.at, timing.push)
    if not (soon and left.known) or goal not in facts.bordering.get(source, ()):
        return belief
    hops = {hop for hop in belief.hops if _is_shorter(abs(left.at - hop.at), timing.sweep)}
    after = replace(belief, hops=frozenset(hops | {Hop(source, goal, left.at)}))
    return replace(after, upset=True) if _are_distinct([*after.hops], SWEPT_PIECES) else after


def _are_distinct(hops: list[Hop], count: int) -> bool:
    """Return whether `count` of the hops may be of different miniatures: no two from or to the same space."""
    if count == 0:
        return True
    # Take this hop as one of them, then search among those that share no space with it.
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
