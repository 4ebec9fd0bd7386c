"""Hints for a board that differs from the game: one at a time, the most urgent first. Pure.

During play the order is: a piece in a wrong place, pieces to take off, carries until board and game agree, unknown
things. During setup one group of miniatures after another is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from engine.text import Text, comma_list, or_list
from firmware_host.board.thresholds import MAX_WRONG_SHOWN, Timing
from firmware_host.board.tracking import orders
from firmware_host.board.tracking.belief import Belief
from firmware_host.board.tracking.facts import Facts
from firmware_host.board.tracking.hints import Correction, Hint, Remove, SetUp, UnknownPiece, WrongPlace
from firmware_host.board.tracking.orders import carries, fits
from firmware_host.board.tracking.readings import Reading

OFF_BOARD = Text("the table next to the board")
"""Shown instead of a space if a miniature belongs on no legal space."""


class Situation(Struct, frozen=True):
    """The state from which a hint is chosen.

    `readings` are the likeliest readings, `now` is in monotonic seconds. `started` is whether board and game have
    agreed since the game began.
    """

    belief: Belief
    facts: Facts
    readings: Sequence[Reading]
    now: float
    timing: Timing
    started: bool

    @property
    def reading(self) -> Reading:
        """The first of the likely readings without acts, or else the first of all."""
        return next((reading for reading in self.readings if not reading.acts), self.readings[0])

    def stood(self, spaces: Iterable[str], seconds: float) -> tuple[str, ...]:
        """Return the `spaces` on which something has stood for `seconds`."""
        return tuple(space for space in spaces if self.now + 1e-9 >= self.belief.came[space] + seconds)

    @property
    def missing(self) -> tuple[str, ...]:
        """Spaces whose miniatures are not there, in setup order."""
        return tuple(space for space in self.facts.homes if space not in self.belief.came)

    @property
    def outside(self) -> tuple[str, ...]:
        """Occupied spaces where nothing should stand."""
        counted = self.belief.came.keys() - self.facts.blind
        return tuple(sorted(counted - self.facts.homes.keys() - self.facts.optional))

    def hint(self) -> Hint | None:
        """Return the most urgent hint, or None if nothing is wrong."""
        if not self.started:
            return self._set_up()
        # After an accident no reading is trusted. Nothing is called wrong, and pieces go home.
        if self.belief.upset:
            return self._leaver_hint() or self._order() or self._stranger_hint() or self._left_over()
        return (
            self._wrong_place()
            or self._leaver_hint()
            or self._list()
            or self._correction_hint()
            or self._arrival_hint()
            or self._stranger_hint()
            or self._left_over()
        )

    # --- setting up ---------------------------------------------------------------------------------------------

    def _set_up(self) -> Hint | None:
        facts, missing = self.facts, self.missing
        extra = self.stood(self.outside, self.timing.slide)
        if not missing:
            return _taken_off(extra)
        # The daemon was restarted while people carried miniatures: continue with that list of carries.
        if facts.before and not facts.opening and (late := orders.misplaced(facts, self.belief.came)):
            goals = [space for space, unit in facts.homes.items() if unit in late]
            return _to_be_carried(facts, late, goals, self.belief.came)
        # One group at a time: the first that is not complete.
        group = facts.group(facts.homes[missing[0]])
        pairs = [(space, unit) for space in missing for unit in facts.sharing[space] if facts.group(unit) == group]
        spaces, units = tuple(space for space, _ in pairs), tuple(unit for _, unit in pairs)
        if extra and facts.opening:
            return WrongPlace(extra, spaces, _wrong_start(facts, group, extra, spaces), units)
        if extra:
            start, goal = carries(facts, dict.fromkeys(extra), missing)[0]
            return _carry(facts, start, goal, facts.homes[goal])
        return SetUp(group, spaces, units, _to_set_up(facts, group, units, spaces))

    # --- playing ------------------------------------------------------------------------------------------------

    def _wrong_place(self) -> Hint | None:
        """Return the hint for a miniature that may act and was set down on an illegal space."""
        facts, belief = self.facts, self.belief
        # Setting down a miniature that cannot act is no attempt to move, nor is pushing one. Such a miniature goes
        # home.
        wrong = {
            (unit, space)
            for reading in self.readings
            for unit, space in reading.wrong
            if unit in facts.goals and unit in reading.story.lifts and (unit, space) not in reading.accidents
        }
        spaces = self.stood(sorted({space for _, space in wrong}), self.timing.slide)
        if not 0 < len(spaces) <= MAX_WRONG_SHOWN:
            return None
        units = tuple(sorted({unit for unit, space in wrong if space in spaces}))
        legal = tuple(dict.fromkeys(goal for unit in units for goal in facts.allowed(unit) if goal not in belief.came))
        says = Text("{who} cannot stand on {spaces} now. Set it down on {legal}.")
        who, goals = or_list(map(facts.called, units)), comma_list(legal or [OFF_BOARD])
        return WrongPlace(spaces, legal, says.with_(who=who, spaces=comma_list(spaces), legal=goals), units)

    def _leaver_hint(self) -> Hint | None:
        """Return the hint to take off a miniature that the game has removed, or a marker left behind."""
        facts, reading = self.facts, self.reading
        for unit, space in sorted(reading.gone, key=lambda pair: pair[1]):
            return Remove((space,), Text("Take {unit} off {space}.", unit=facts.called(unit), space=space), unit)
        for space in sorted(self.belief.known - facts.homes.keys() - facts.optional - facts.blind):
            # None is something that is not part of the game. The default is for an empty space.
            if reading.at.get(space, "") is None:
                return Remove((space,), Text("Take the marker off {space}.", space=space))
        return None

    def _list(self) -> Hint | None:
        """Return several carries at once, in a game that moves miniatures by itself, if only one reading is likely."""
        facts, reading = self.facts, self.reading
        if facts.before is None or len(self.readings) > 1:
            return None
        in_hand = [unit for unit in sorted(reading.aloft) if self._must_go_home(unit)]
        named = {unit: space for space, unit in self._misplaced().items()} | dict.fromkeys(in_hand)
        # If a lifted miniature may act, guide no other one to its place.
        reserved = {facts.standing[unit] for unit in reading.story.air if unit not in in_hand}
        goals = [
            space
            for space in facts.homes
            if space not in reserved and (space not in reading.at or reading.at[space] in named)
        ]
        return _to_be_carried(facts, named, goals, self.belief.came) if len(goals) > 1 else None

    def _correction_hint(self) -> Hint | None:
        """Return one carry: first a miniature in the air, then the one nearest to its goal."""
        facts = self.facts
        in_hand = [unit for unit in sorted(self.reading.aloft) if self._must_go_home(unit)]
        free = [unit for unit in in_hand if facts.standing[unit] in self.missing]
        if free:
            home = str(facts.standing[free[0]])
            return Correction(None, home, free[0], _homeward(facts, free[0], home))
        sources = self._misplaced()
        if not sources:
            return None
        pairs = carries(facts, sources, self.missing)
        if pairs:
            start, goal = pairs[0]
            sharing = [reading.at.get(start) for reading in self.readings]
            units = sorted({unit for unit in sharing if unit in facts.sharing[goal]}) or [facts.homes[goal]]
            unit = units[0]
            # People can see which miniature stands where, so name all spaces where it may be.
            may_be = {
                space: [fits(facts, reading.at.get(space), goal) for reading in self.readings] for space in sources
            }
            others = [space for space in sources if space != start and any(may_be[space])]
            if others and not all(may_be[start]):
                says = Text("Carry {unit} to {goal}: it stands on {spaces}.")
                says = says.with_(unit=facts.called(unit), goal=goal, spaces=or_list([start, *others]))
                return Correction(start, goal, unit, says)
            return _carry(facts, start, goal, *units)
        for space, unit in sorted(sources.items()):
            home = str(facts.standing[unit])
            if len(facts.sharing.get(home, ())) > 1:  # the space is shared
                return _carry(facts, space, home, unit)
        space = min(sources)
        unit = sources[space]
        says = Text("Take {unit} off {space}: another one stands where it belongs.")
        return Remove((space,), says.with_(unit=facts.called(unit), space=space), unit)

    def _order(self) -> Hint | None:
        """Return one carry after an accident.

        Wrong spaces follow from the sensors alone; the reading only chooses between the possible carries.
        """
        facts = self.facts
        extra, missing = self.stood(self.outside, self.timing.rest), self.missing
        # All wrong pieces have a goal, but one miniature is still missing, so it is in someone's hand.
        if missing and len(extra) == len(self.outside) < len(missing):
            away = [space for space in missing if facts.homes[space] in self.reading.aloft] or missing
            unit = facts.homes[away[0]]
            return Correction(None, away[0], unit, _homeward(facts, unit, away[0]))
        if extra and not missing:
            return self._from_shared(extra)
        if not extra:
            return None
        pairs = [(space, goal) for space in extra for goal in missing]
        # Prefer to carry a miniature that fits, then the shortest carry.
        unlike = {carry: not fits(facts, self.reading.at.get(carry[0]), carry[1]) for carry in pairs}
        start, goal = min(pairs, key=lambda carry: (unlike[carry], facts.steps(*carry), carry))
        return _carry(facts, start, goal, facts.homes[goal])

    def _from_shared(self, extra: Sequence[str]) -> Hint | None:
        """Return the carry back to a shared space that a miniature left unnoticed."""
        facts = self.facts
        pairs = [(space, home) for space in extra for home, units in facts.sharing.items() if len(units) > 1]
        if not pairs:
            return None
        start, home = min(pairs, key=lambda carry: (facts.steps(*carry), carry))
        return _carry(facts, start, home, *facts.sharing[home])

    def _must_go_home(self, unit: str) -> bool:
        """Return whether a miniature in the air may only go home."""
        facts, story = self.facts, self.reading.story
        lift = story.lifts.get(unit)
        if lift is None or self.now + 1e-9 < lift.at + self.timing.rest:
            return False
        # It stood in a wrong place before it was lifted, and it may not act.
        strayed = lift.start != facts.standing[unit] and unit not in facts.goals
        # If there is no legal act on the board, every lifted miniature goes home.
        return not facts.placements or strayed

    def _misplaced(self) -> dict[str, str]:
        """Return space -> miniature for those in a wrong place, unless a look-alike belongs there."""
        facts, belief = self.facts, self.belief
        wrong = {space: unit for unit, space in sorted(self.reading.wrong) if facts.standing[unit] is not None}
        # A piece that came before the last agreement no longer slides, so the shorter time is enough.
        settled = self.stood(sorted(wrong.keys() & belief.known), self.timing.rest)
        stood = {*settled, *self.stood(sorted(wrong), self.timing.slide)}
        return {space: unit for space, unit in wrong.items() if space in stood and not facts.belongs(unit, space)}

    def _arrival_hint(self) -> Hint | None:
        """Return the hint to set down a miniature that the game has brought onto the board."""
        facts, story = self.facts, self.reading.story
        placed = {unit for _, unit in story.pairs} | story.air
        missing = ((space, unit) for space in self.missing for unit in facts.sharing[space])
        for space, unit in missing:
            if unit not in placed:
                says = Text(
                    "{unit} comes onto the board. Set it down on {space}.", unit=facts.called(unit), space=space
                )
                return Correction(None, space, unit, says)
        return None

    def _stranger_hint(self) -> Hint | None:
        """Return the hint about an unknown piece, with the miniatures that it may be."""
        facts = self.facts
        off_board = (space for unit, space in self.reading.wrong if facts.standing[unit] is None)
        unknown = dict.fromkeys((*self.reading.strange, *off_board))
        here = (space for space in unknown if space in self.belief.came)
        spaces = self.stood(here, self.timing.stranger)
        if not spaces:
            return None
        if len(spaces) == 1 and (units := self._crossing_miniatures(spaces[0])):
            says = Text(
                "Something is felt on {space}. If {unit} stands across two spaces, push it onto one of them; otherwise "
                "take off what stands there."
            )
            return UnknownPiece(spaces, says.with_(space=spaces[0], unit=or_list(map(facts.called, units))))
        # Spaces where a miniature from the box may be deployed.
        off = dict.fromkeys(goal for unit in facts.goals if facts.standing[unit] is None for goal in facts.goals[unit])
        stands = comma_list(spaces)
        if off and not self.belief.spare:
            says = Text("Something unknown stands on {spaces}. Take it off, or deploy it on {goals}.")
            return UnknownPiece(spaces, says.with_(spaces=stands, goals=comma_list(off)))
        return UnknownPiece(spaces, Text("Something unknown stands on {spaces}. Take it off.", spaces=stands))

    def _crossing_miniatures(self, space: str) -> list[str]:
        """Return the miniatures on neighbouring spaces that the sensor of this space may also feel."""
        places = (self.reading.at.get(place) for place in self.facts.bordering.get(space, ()))
        units = {*places}
        return [unit for unit in self.facts.standing if unit in units]

    def _left_over(self) -> Hint | None:
        """Return the hint to take off what stands on an empty space while nothing is missing."""
        if self.missing:
            return None
        return _taken_off(self.stood(self.outside, self.timing.stranger))


def _to_be_carried(facts: Facts, named: Mapping[str, str | None], goals: Sequence[str], came: Iterable[str]) -> Hint:
    """Return the hint with the list of carries, or with the goal of the miniature in the air."""
    occupied = frozenset(came)
    ways = orders.assigned(facts, named, goals)
    in_hand = [(unit, goal) for unit, start, goal in ways if start is None and unit in named and goal not in occupied]
    if in_hand:
        unit, goal = in_hand[0]
        return Correction(None, goal, unit, _homeward(facts, unit, goal))
    unit, start, goal = ways[0]
    return _carry(facts, start, goal, unit) if len(ways) == 1 and start else orders.list_carries(facts, ways, occupied)


def _taken_off(spaces: Sequence[str]) -> Remove | None:
    if not spaces:
        return None
    says = Text("{spaces}: nothing stands there in this game. Take it off.", spaces=comma_list(spaces))
    return Remove(tuple(spaces), says)


# --- sentences ------------------------------------------------------------------------------------------------


def _carry(facts: Facts, start: str, goal: str, *units: str) -> Correction:
    """Return the carry of one miniature; `units` are all miniatures that belong on the goal."""
    called = or_list(map(facts.called, units))
    return Correction(start, goal, units[0], orders.carry_text(called, start, goal))


def _homeward(facts: Facts, unit: str, home: str) -> Text:
    return Text("{unit} belongs on {home}. Set it down there.", unit=facts.called(unit), home=home)


def _to_set_up(facts: Facts, squad: str, units: Sequence[str], spaces: Sequence[str]) -> Text:
    places = (
        Text("{unit} on {space}", unit=facts.called(unit), space=space)
        for unit, space in zip(units, spaces, strict=True)
    )
    if squad in facts.owners:
        return Text("{player} sets up: {places}.", player=facts.owners[squad], places=comma_list(places))
    if len(units) == 1:
        return _homeward(facts, units[0], spaces[0])
    return Text("Set up the {colour} miniatures: {places}.", colour=Text(squad), places=comma_list(places))


def _wrong_start(facts: Facts, squad: str, extra: Iterable[str], homes: Iterable[str]) -> Text:
    if squad in facts.owners:
        says, places = Text("Nobody starts on {spaces}: {player} starts on {homes}."), comma_list(dict.fromkeys(homes))
        return says.with_(spaces=comma_list(extra), player=facts.owners[squad], homes=places)
    says = Text("Nobody starts on {spaces}. The {colour} miniatures start on {homes}.")
    return says.with_(spaces=comma_list(extra), colour=Text(squad), homes=comma_list(homes))
