"""Where each miniature may be, as a list of stories: each explains what the sensors have felt. Pure.

A story says which miniature stands on each occupied space and which are in the air. Each edge turns a story into all
stories that are possible after it (`touches.py`). `readings.py` rates them by the rules. Something is certain only if
all stories agree on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.thresholds import MAX_GUESSES, MAX_STORIES, ODD_COST
from firmware_host.board.tracking.facts import Facts

NO_UNITS: frozenset[str] = frozenset()
NO_PAIRS: frozenset[tuple[str, str]] = frozenset()
LONG_AGO = float("-inf")


class Lift(Struct, frozen=True):
    """A miniature left the space `start` at `at`.

    - `driven`: another piece came there too fast for a hand, so this one was pushed off.
    - `unfelt`: another piece stayed on the space, so the sensor did not notice.
    - `slow`: two sensors felt it for longer than a slide usually takes.
    """

    start: str
    at: float
    driven: bool = False
    unfelt: bool = False
    slow: bool = False


class Left(Struct, frozen=True):
    """Something left a space at `at`.

    It had come there at `came`; `known` is whether the contact on that space was settled.
    """

    at: float
    came: float
    known: bool


class Hop(Struct, frozen=True):
    """Something left `start` at `at` and reached the next space, `goal`, faster than a hand carries."""

    start: str
    goal: str
    at: float


class Story(Struct, frozen=True):
    """One explanation of what the sensors have felt. Pairs are (miniature, space).

    - `at`: occupied space -> the miniature on it; None: something that is not part of the game.
    - `under`: further miniatures on spaces for which `at` has only one; a single sensor cannot distinguish them.
    - `air`: the miniatures in the air; `lifts`: miniature -> its last lift, kept until it is at home again.
    - `odd`: cost of unlikely events, relative to the most likely story; `stretch`: total length of all carries in
      steps.
    - `accidents`: miniatures that were pushed or swept to a space without intent.
    - `exchanged`: miniatures that stand in each other's places since board and game agreed. Such places are not wrong.
    """

    at: Mapping[str, str | None]
    air: frozenset[str] = NO_UNITS
    lifts: Mapping[str, Lift] = {}
    odd: float = 0.0
    stretch: int = 0
    accidents: frozenset[tuple[str, str]] = NO_PAIRS
    exchanged: frozenset[tuple[str, str]] = NO_PAIRS
    under: frozenset[tuple[str, str]] = NO_PAIRS

    def where(self, unit: str) -> str | None:
        """Return the space of a miniature, or None if it is on none."""
        return next((space for space, other in self.pairs if other == unit), None)

    @property
    def pairs(self) -> list[tuple[str, str | None]]:
        """(space, miniature) for everything that stands on the board."""
        return [*self.at.items(), *((space, unit) for unit, space in sorted(self.under))]

    def unfelt(self, unit: str) -> bool:
        """Return whether a miniature left a shared space unnoticed and no one has confirmed that it did."""
        return unit in self.lifts and self.lifts[unit].unfelt

    def on(self, space: str) -> list[str]:
        """Return the miniatures on a space."""
        return [unit for place, unit in self.pairs if place == space and unit is not None]


class Belief(Struct, frozen=True):
    """What is known of everything on the board. Times are monotonic seconds.

    - `came`: occupied space -> when it was last touched; `arrived`: when its contact first closed; `left`: space ->
      when it was last left.
    - `stories`: most likely first; empty until board and game agree for the first time.
    - `known`: spaces on which nothing has been set down since board and game last agreed.
    - `hops`: moves to the next space that were too fast for a hand.
    - `spare`: something that is not part of the game, for example a marker, is in the air.
    - `upset`: too much has moved at once to be intended. Until board and game agree again, no change counts as an act.
    """

    came: Mapping[str, float] = {}
    arrived: Mapping[str, float] = {}
    left: Mapping[str, Left] = {}
    stories: tuple[Story, ...] = ()
    known: frozenset[str] = NO_UNITS
    hops: frozenset[Hop] = frozenset()
    spare: bool = False
    upset: bool = False

    def lifted(self) -> set[float]:
        """Return the times of all lifts, in any story."""
        return {lift.at for story in self.stories for lift in story.lifts.values()}


def with_stories(belief: Belief, stories: Iterable[Story]) -> Belief:
    """Return the belief with these stories: without duplicates, the simplest first.

    Too many stories make the belief `upset`.
    """
    best: dict[object, Story] = {}
    for story in stories:
        # Stories that differ only in their history are one story; keep the cheaper.
        key = (frozenset(story.at.items()), story.under, story.air, story.accidents)
        if key not in best or story.odd < best[key].odd:
            best[key] = story
    least = min((story.odd for story in best.values()), default=0.0)
    order = sorted((replace(story, odd=story.odd - least) for story in best.values()), key=_plainness)
    # Too many: first drop those that are clearly less likely than the best.
    if len(order) > MAX_STORIES:
        order = [story for story in order if _plainness(story)[0] <= _plainness(order[0])[0] + 1]
    upset = belief.upset or len(order) > MAX_STORIES
    # After an accident, hints follow the occupied spaces, so a few stories are enough.
    return replace(belief, stories=tuple(order[:MAX_GUESSES] if upset else order), upset=upset)


def _plainness(story: Story) -> tuple[float, int]:
    return story.odd + sum(unit is None for unit in story.at.values()), story.stretch


def agreed(belief: Belief, facts: Facts) -> bool:
    """Return whether the occupied spaces are those of the game.

    The stories do not matter: sensors cannot distinguish the pieces, so the game is assumed to be right.
    """
    occupied = belief.came.keys() - facts.blind
    return facts.homes.keys() <= occupied <= facts.homes.keys() | facts.optional


def after_agreement(belief: Belief, facts: Facts) -> Belief:
    """Return the belief after board and game agree: each miniature is where it belongs.

    The times are kept, because contacts that were felt before may still be settling.
    """
    # `at` names only the first miniature of a shared space; the others are `under` it.
    under = frozenset((unit, space) for space in belief.came for unit in facts.sharing.get(space, ())[1:])
    return Belief(
        came=belief.came,
        arrived=belief.arrived,
        left=belief.left,
        stories=(Story({space: facts.homes.get(space) for space in belief.came}, under=under),),
        known=frozenset(belief.came),
        spare=belief.spare,
    )


def after_agreement_in_play(belief: Belief, facts: Facts, least_away: float) -> Belief:
    """Return the belief after board and game agree again during a game.

    If several miniatures were lifted and set back, they may have changed places. Stories in which they did are also
    kept, if nothing was exchanged in one of the most likely stories. A miniature that was away for less than
    `least_away` seconds was not exchanged.
    """
    sure = after_agreement(belief, facts)
    complete = [
        story for story in belief.stories if _fills_places(story, facts) and _all_in_air(story, belief, least_away)
    ]
    least = min((story.odd for story in complete), default=0.0)
    # Compare costs with the likeliest story: much higher ones are ruled out.
    calm = {_strangers_at_homes(story, facts) for story in complete if story.odd < least + ODD_COST}
    # If every story needs an exchange, the game is trusted instead.
    if NO_PAIRS not in calm:
        return sure
    # Keep the stories with the fewest exchanges.
    order = sorted(calm, key=lambda pairs: (len(pairs), sorted(pairs)))[:MAX_GUESSES]
    plain = sure.stories[0]
    stories = [
        replace(plain, at={**plain.at, **{space: unit for unit, space in pairs}}, exchanged=pairs) for pairs in order
    ]
    return replace(sure, stories=tuple(stories))


def _all_in_air(story: Story, belief: Belief, least: float) -> bool:
    """Return whether every miniature that was carried was in the air for at least `least` seconds."""
    carried = (
        (space, story.lifts[unit]) for space, unit in story.at.items() if unit is not None and unit in story.lifts
    )
    return all(belief.arrived.get(space, lift.at) - lift.at >= least for space, lift in carried)


def _fills_places(story: Story, facts: Facts) -> bool:
    """Return whether the miniatures fill exactly the places of the game."""
    return sorted(facts.homes.values()) == sorted(str(story.at.get(space)) for space in facts.homes)


def _strangers_at_homes(story: Story, facts: Facts) -> frozenset[tuple[str, str]]:
    """Return who stands in the place of a miniature that looks different. Look-alikes are named after their places."""
    strangers = {
        space: unit
        for space, owner in facts.homes.items()
        if (unit := story.at[space]) is not None and not facts.alike(unit, owner)
    }
    # Look-alikes have no identity, so name them after the places, in a fixed order.
    owners: dict[str, list[str]] = {}
    for space in sorted(strangers):
        owners.setdefault(facts.look_of(facts.homes[space]), []).append(facts.homes[space])
    return frozenset((owners[facts.look_of(strangers[space])].pop(0), space) for space in sorted(strangers))


# --- what becomes certain ---------------------------------------------------------------------------------------


def keep_stories(belief: Belief, holds: Callable[[Story], bool]) -> Belief:
    """Return the belief with only the stories for which `holds` returns True; with all stories if there is none."""
    return with_stories(belief, [story for story in belief.stories if holds(story)] or belief.stories)


def place_unit(belief: Belief, facts: Facts, unit: str, space: str, now: float) -> Belief:
    """Return the belief in which a miniature, or a look-alike that takes its name, is certainly on a space.

    If no story says so, it came there unnoticed at `now`.
    """

    def there(story: Story) -> bool:
        here = (story.at.get(space), *story.on(space))
        return any(standing is not None and facts.alike(standing, unit) for standing in here)

    if any(map(there, belief.stories)):
        consistent = keep_stories(belief, there)
        return with_stories(consistent, (_with_name(story, unit, space) for story in consistent.stories))
    if space not in belief.came:
        return belief
    came = replace(belief, came={**belief.came, space: now}, known=belief.known - {space})
    return with_stories(came, (_with_move(story, facts, unit, space, now) for story in belief.stories))


def _with_move(story: Story, facts: Facts, unit: str, space: str, now: float) -> Story:
    """Return the story with the miniature on the space. It shares the space if legal, else replaces others."""
    # No sensor noticed that it was lifted, so its time may not be used to find pushes and hops.
    if (unit, space) in facts.legal and any(facts.standing[other] == space for other in story.on(space)):
        # Its lift was never felt, so no push or hop may be derived from the time.
        lifts = {unit: Lift(str(facts.standing[unit]), LONG_AGO), **story.lifts}
        separated = replace(without_unit_on(story, unit, story.where(unit)), air=story.air - {unit}, lifts=lifts)
        return replace(separated, under=separated.under | {(unit, space)})
    at = {place: other for place, other in story.at.items() if other != unit}
    driven = {driven_unit for driven_unit in [story.at.get(space)] if driven_unit is not None}
    lifts = {**story.lifts, **dict.fromkeys(driven, Lift(space, now))}
    return replace(story, at={**at, space: unit}, air=story.air - {unit} | driven, lifts=lifts)


def without_unit_on(story: Story, unit: str, space: str | None) -> Story:
    """Return the story without a miniature on a space; others stay there."""
    others = sorted(other for other in ([] if space is None else story.on(space)) if other != unit)
    if space is None or not others:
        return replace(story, at={place: other for place, other in story.at.items() if other != unit})
    # `at` must name a miniature on every occupied space, so use another one from `under`.
    under = frozenset(pair for pair in story.under if pair[1] != space)
    return replace(
        story, at={**story.at, space: others[0]}, under=under | frozenset((below, space) for below in others[1:])
    )


def clear_accidents(belief: Belief, space: str | None) -> Belief:
    """Return the belief after an act left `space`: what came there later may have been intended."""
    left = ((story, frozenset(pair for pair in story.accidents if pair[1] != space)) for story in belief.stories)
    return with_stories(belief, (replace(story, accidents=pairs) for story, pairs in left))


def mark_intended(belief: Belief, unit: str, space: str) -> Belief:
    """Return the belief after a person has confirmed that a miniature is on a space on purpose."""

    def intended(story: Story) -> Story:
        lifts = story.lifts
        if story.unfelt(unit):
            lifts = {**lifts, unit: replace(lifts[unit], unfelt=False)}
        return replace(story, accidents=story.accidents - {(unit, space)}, lifts=lifts)

    return with_stories(belief, map(intended, belief.stories))


def _with_name(story: Story, unit: str, space: str) -> Story:
    """Return the story with the names of `unit` and of its look-alike on the space exchanged."""
    other = story.at.get(space)
    if other is None or unit in story.on(space):
        return story

    def name(one: str) -> str:
        return {unit: other, other: unit}.get(one, one)

    return replace(
        story,
        at={place: None if one is None else name(one) for place, one in story.at.items()},
        air=frozenset(map(name, story.air)),
        lifts={name(one): lift for one, lift in story.lifts.items()},
        accidents=frozenset((name(one), place) for one, place in story.accidents),
        exchanged=frozenset((name(one), place) for one, place in story.exchanged),
        under=frozenset((name(one), place) for one, place in story.under),
    )


def with_names_settled(story: Story, belief: Belief, facts: Facts) -> Story:
    """Return the story with look-alikes renamed so that accidents are undone where possible.

    If a look-alike was later set on the space of a pushed miniature, the two exchange their names.
    """
    for space, owner in facts.homes.items():
        unit = story.at.get(space)
        if unit is None or unit == owner or not facts.alike(unit, owner) or unit not in story.lifts:
            continue
        # The owner was pushed away, and its look-alike came later: the look-alike takes the owner's name.
        strays = [place for other, place in story.accidents if other == owner and place in belief.came]
        if strays and story.lifts[unit].at > belief.came[strays[0]]:
            story = _with_name(story, owner, space)
    return story


def without_units(belief: Belief, units: Iterable[str]) -> Belief:
    """Return the belief after the game removed these miniatures: they are not in the air. Where they stand is kept."""
    gone = frozenset(units)
    if not gone:
        return belief

    def left(story: Story) -> Story:
        lifts = {unit: lift for unit, lift in story.lifts.items() if unit not in gone}
        return replace(story, air=story.air - gone, lifts=lifts)

    return with_stories(belief, map(left, belief.stories))
