"""Who may stand where: every story that accounts for what the sensors have felt, remembered without guessing. Pure.

A story says of each occupied space who stands there, and who is in somebody's hand. An edge makes each story into all
those that it leaves possible (`touches.py`); which of them is *meant* is decided in `readings.py`. As long as one is
left that says otherwise, nothing is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.thresholds import MAX_GUESSES, MAX_STORIES, ODD_COST
from firmware_host.board.tracking.facts import Facts

NOBODY: frozenset[str] = frozenset()
NOTHING: frozenset[tuple[str, str]] = frozenset()
LONG_AGO = float("-inf")


class Lift(Struct, frozen=True):
    """A miniature left a space; it was `driven` off where another one came there before any hand could have.

    `unfelt`: another one stayed on that space, so that its sensor did not notice. `slow`: it stood on the next sensor
    as well for longer than a slide usually takes.
    """

    start: str
    at: float
    driven: bool = False
    unfelt: bool = False
    slow: bool = False


class Left(Struct, frozen=True):
    """Something left a space at `at`; it had come there at `came`, and was `known`."""

    at: float
    came: float
    known: bool


class Hop(Struct, frozen=True):
    """Something came from `start`, where it had stood, to the next space in no time; `at`: when it left."""

    start: str
    goal: str
    at: float


class Story(Struct, frozen=True):
    """One account of what has happened. Pairs are (miniature, space).

    - `at`: occupied space -> who stands there; None: something of no part in the game.
    - `under`: who stands on a space beside the one that `at` names; its sensor feels one thing.
    - `air`: who is in somebody's hand; `lifts`: miniature -> its last lift, kept until it is at home again.
    - `odd`: how much has happened that hardly happens, beyond what every story says; `stretch`: how many steps
      everybody was carried in all.
    - `accidents`: who came to a space as nobody meant it, pushed by a hand that held another one,
      or swept along with another one.
    - `exchanged`: who has stood in another one's place since board and game agreed; nobody calls that wrong.
    """

    at: Mapping[str, str | None]
    air: frozenset[str] = NOBODY
    lifts: Mapping[str, Lift] = {}
    odd: float = 0.0
    stretch: int = 0
    accidents: frozenset[tuple[str, str]] = NOTHING
    exchanged: frozenset[tuple[str, str]] = NOTHING
    under: frozenset[tuple[str, str]] = NOTHING

    def where(self, unit: str) -> str | None:
        """On which space a miniature stands; None if on none."""
        return next((space for space, other in self.pairs if other == unit), None)

    @property
    def pairs(self) -> list[tuple[str, str | None]]:
        """(space, who stands there), for everybody who stands somewhere."""
        return [*self.at.items(), *((space, unit) for unit, space in sorted(self.under))]

    def unfelt(self, unit: str) -> bool:
        """Whether nobody has felt a miniature leave, as others stayed on its space, nor said that it has."""
        return unit in self.lifts and self.lifts[unit].unfelt

    def on(self, space: str) -> list[str]:
        """The miniatures on a space."""
        return [unit for place, unit in self.pairs if place == space and unit is not None]


class Belief(Struct, frozen=True):
    """What is known of every thing on the board. Times are monotonic seconds.

    - `came`: occupied space -> when it was last touched; `arrived`: when its chatter began; `left`: space -> when it
      was last left.
    - `stories`: the likelier first; none before board and game have first agreed.
    - `known`: spaces that nothing has come to since board and game last agreed.
    - `hops`: how something may have gone from a space to the next one in no time, without having slid there before.
    - `spare`: something of no part in the game, such as the marker of an optional space, is in somebody's hand.
    - `upset`: so much is astray at once that nobody meant it; nothing is an act before board and game agree again.
    """

    came: Mapping[str, float] = {}
    arrived: Mapping[str, float] = {}
    left: Mapping[str, Left] = {}
    stories: tuple[Story, ...] = ()
    known: frozenset[str] = NOBODY
    hops: frozenset[Hop] = frozenset()
    spare: bool = False
    upset: bool = False

    def lifted(self) -> set[float]:
        """When what is astray was lifted, by any story."""
        return {lift.at for story in self.stories for lift in story.lifts.values()}


def told(belief: Belief, stories: Iterable[Story]) -> Belief:
    """With these stories, each once, the plainest first; too many of them are a mess."""
    best: dict[object, Story] = {}
    for story in stories:
        key = (frozenset(story.at.items()), story.under, story.air, story.accidents)
        if key not in best or story.odd < best[key].odd:
            best[key] = story
    least = min((story.odd for story in best.values()), default=0.0)
    order = sorted((replace(story, odd=story.odd - least) for story in best.values()), key=_plainness)
    if len(order) > MAX_STORIES:
        order = [story for story in order if _plainness(story)[0] <= _plainness(order[0])[0] + 1]
    upset = belief.upset or len(order) > MAX_STORIES
    return replace(belief, stories=tuple(order[:MAX_GUESSES] if upset else order), upset=upset)


def _plainness(story: Story) -> tuple[float, int]:
    return story.odd + sum(unit is None for unit in story.at.values()), story.stretch


def agreed(belief: Belief, facts: Facts) -> bool:
    """Return whether the occupied spaces are those of the game.

    What the stories say does not matter: sensors cannot tell who stands on a space, so the game is right.
    """
    occupied = belief.came.keys() - facts.blind
    return facts.homes.keys() <= occupied <= facts.homes.keys() | facts.optional


def confirmed(belief: Belief, facts: Facts) -> Belief:
    """After agreement: each miniature is where it belongs, and all doubts are over.

    How things came there is not forgotten: what was felt before may still be settling.
    """
    return Belief(
        came=belief.came,
        arrived=belief.arrived,
        left=belief.left,
        stories=(Story({space: facts.homes.get(space) for space in belief.came}, under=_under(belief, facts)),),
        known=frozenset(belief.came),
        spare=belief.spare,
    )


def _under(belief: Belief, facts: Facts) -> frozenset[tuple[str, str]]:
    """Who shares a space with the one that is named for it, when all are where they belong."""
    return frozenset((unit, space) for space in belief.came for unit in facts.sharing.get(space, ())[1:])


def presumed(belief: Belief, facts: Facts, least_away: float) -> Belief:
    """The same after agreement in the middle of a game. Everybody is where the game says.

    Where several were lifted together and set back together, the stories in which they have changed places are kept as
    well, as long as one of the likeliest says that they have not. None was exchanged that was away for less than
    `least_away` seconds.
    """
    sure = confirmed(belief, facts)
    complete = [story for story in belief.stories if _complete(story, facts) and _away(story, belief, least_away)]
    least = min((story.odd for story in complete), default=0.0)
    calm = {_calm(story, facts) for story in complete if story.odd < least + ODD_COST}
    if NOTHING not in calm:
        return sure
    order = sorted(calm, key=lambda pairs: (len(pairs), sorted(pairs)))[:MAX_GUESSES]
    plain = sure.stories[0]
    stories = [
        replace(plain, at={**plain.at, **{space: unit for unit, space in pairs}}, exchanged=pairs) for pairs in order
    ]
    return replace(sure, stories=tuple(stories))


def _away(story: Story, belief: Belief, least: float) -> bool:
    """Whether everybody who stands elsewhere was in a hand for as long as that takes."""
    carried = (
        (space, story.lifts[unit]) for space, unit in story.at.items() if unit is not None and unit in story.lifts
    )
    return all(belief.arrived.get(space, lift.at) - lift.at >= least for space, lift in carried)


def _complete(story: Story, facts: Facts) -> bool:
    """Whether everybody stands in somebody's place."""
    return sorted(facts.homes.values()) == sorted(str(story.at.get(space)) for space in facts.homes)


def _calm(story: Story, facts: Facts) -> frozenset[tuple[str, str]]:
    """Who stands in the place of one that looks otherwise; look-alikes go by the names of their places."""
    strangers = {
        space: unit
        for space, owner in facts.homes.items()
        if (unit := story.at[space]) is not None and facts.look(unit) != facts.look(owner)
    }
    owners: dict[str, list[str]] = {}
    for space in sorted(strangers):
        owners.setdefault(facts.look(facts.homes[space]), []).append(facts.homes[space])
    return frozenset((owners[facts.look(strangers[space])].pop(0), space) for space in sorted(strangers))


# --- what is said ---------------------------------------------------------------------------------------------------


def only(belief: Belief, holds: Callable[[Story], bool]) -> Belief:
    """With those stories alone that hold; all of them where none does."""
    return told(belief, [story for story in belief.stories if holds(story)] or belief.stories)


def stands(belief: Belief, facts: Facts, unit: str, space: str, now: float) -> Belief:
    """It has turned out that a miniature, or one like it, stands on a space; it is called by this name from now on.

    If no story says so, it has come there just now, unfelt.
    """

    def there(story: Story) -> bool:
        return any(_alike(facts, one, unit) for one in (story.at.get(space), *story.on(space)))

    if any(map(there, belief.stories)):
        known = only(belief, there)
        return told(known, (_named(story, unit, space) for story in known.stories))
    if space not in belief.came:
        return belief
    came = replace(belief, came={**belief.came, space: now}, known=belief.known - {space})
    return told(came, (_moved(story, facts, unit, space, now) for story in belief.stories))


def _moved(story: Story, facts: Facts, unit: str, space: str, now: float) -> Story:
    """The miniature stands there now: beside whoever belongs there, where the rules let it; else it drove them off."""
    if (unit, space) in facts.legal and any(facts.standing[one] == space for one in story.on(space)):
        lifts = {unit: Lift(str(facts.standing[unit]), LONG_AGO), **story.lifts}
        parted = replace(parted_from(story, unit, story.where(unit)), air=story.air - {unit}, lifts=lifts)
        return replace(parted, under=parted.under | {(unit, space)})
    at = {place: one for place, one in story.at.items() if one != unit}
    driven = {one for one in [story.at.get(space)] if one is not None}
    lifts = {**story.lifts, **dict.fromkeys(driven, Lift(space, now))}
    return replace(story, at={**at, space: unit}, air=story.air - {unit} | driven, lifts=lifts)


def parted_from(story: Story, unit: str, space: str | None) -> Story:
    """The story without a miniature on a space, where others stay."""
    others = sorted(one for one in ([] if space is None else story.on(space)) if one != unit)
    if space is None or not others:
        return replace(story, at={place: one for place, one in story.at.items() if one != unit})
    under = frozenset(pair for pair in story.under if pair[1] != space)
    return replace(
        story, at={**story.at, space: others[0]}, under=under | frozenset((one, space) for one in others[1:])
    )


def vacated(belief: Belief, space: str | None) -> Belief:
    """Whoever stood there has gone by an act: who came there after it may have been meant to, too."""
    return told(
        belief,
        (
            replace(story, accidents=frozenset(pair for pair in story.accidents if pair[1] != space))
            for story in belief.stories
        ),
    )


def meant(belief: Belief, unit: str, space: str) -> Belief:
    """Somebody has said that a miniature stands there as it was meant to."""
    pair = {(unit, space)}
    return told(
        belief,
        (replace(story, accidents=story.accidents - pair, lifts=_felt(story, unit)) for story in belief.stories),
    )


def _felt(story: Story, unit: str) -> Mapping[str, Lift]:
    return {**story.lifts, unit: replace(story.lifts[unit], unfelt=False)} if story.unfelt(unit) else story.lifts


def _alike(facts: Facts, one: str | None, other: str) -> bool:
    return one is not None and facts.look(one) == facts.look(other)


def _named(story: Story, unit: str, space: str) -> Story:
    """The story in which `unit` stands on the space: what is told of it and of its like there change places."""
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


def settled(story: Story, belief: Belief, facts: Facts) -> Story:
    """The same story, in which whoever was carried to the space of its like is called by the name of that one, who came
    to be elsewhere before, as nobody meant it: one soldier is as good there as the other.
    """
    for space, owner in facts.homes.items():
        unit = story.at.get(space)
        if unit is None or unit == owner or facts.look(unit) != facts.look(owner) or unit not in story.lifts:
            continue
        strays = [place for other, place in story.accidents if other == owner and place in belief.came]
        if strays and story.lifts[unit].at > belief.came[strays[0]]:
            story = _named(story, owner, space)
    return story


def without(belief: Belief, units: Iterable[str]) -> Belief:
    """Miniatures that have no place on the board any more are not missed; where they stand is remembered."""
    gone = frozenset(units)
    if not gone:
        return belief
    return told(
        belief,
        (
            replace(
                story,
                air=story.air - gone,
                lifts={unit: lift for unit, lift in story.lifts.items() if unit not in gone},
            )
            for story in belief.stories
        ),
    )
