"""Piece tracking: turn settled edges into legal acts. Pure; the time is a parameter.

A sensor only says that something stands on a space. The tracker finds out which miniature it is (`belief.py`), which
legal acts explain it (`readings.py`), and what to show if none does (`guide.py`). What is occupied counts for more than
the order of events.

The caller does what the `Outcome` says. It calls `feel` with the edges from `hardware/settle.py`, when the facts have
changed, and at `due`. It submits `act` at once and calls `feel` again with the new facts, because another act may
follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from engine.game import Placement
from firmware_host.board.thresholds import HINTS_PER_MINIATURE, Timing
from firmware_host.board.tracking import belief as beliefs
from firmware_host.board.tracking import guide, touches
from firmware_host.board.tracking.asking import Asked, confirm, on_shared_space, which
from firmware_host.board.tracking.belief import NO_UNITS, Belief
from firmware_host.board.tracking.facts import Facts
from firmware_host.board.tracking.hints import Hint
from firmware_host.board.tracking.readings import Reading, ReadingInput, doubts, likeliest, read, rivals
from firmware_host.board.tracking.terms import Outcome, SettledEdge
from hardware.settle import JOT


class PieceTracker(Struct, frozen=True):
    """What is known of where the miniatures are. A new tracker knows nothing until the first edges.

    - `standing`, `optional`, `playing`, `opening`: from the last facts.
    - `since`: miniature -> when its place in the game last changed; what stood there before is not an act.
    - `acted`: space -> time of the landing that has become an act.
    - `started`: whether board and game have agreed since this game began.
    - `hinted`: number of hints since the last agreement or act.
    - `facts`, `outcome`: the last ones. The outcome stays while nothing changes and nothing is due.
    """

    timing: Timing = Timing()
    belief: Belief | None = None
    contacts: Mapping[str, float] = {}
    standing: Mapping[str, str | None] = {}
    optional: frozenset[str] = NO_UNITS
    playing: bool = False
    opening: bool = False
    since: Mapping[str, float] = {}
    acted: Mapping[str, float] = {}
    started: bool = False
    hinted: int = 0
    asked: Asked | None = None
    facts: Facts | None = None
    outcome: Outcome = Outcome()

    def feel(
        self, facts: Facts, edges: Sequence[SettledEdge], now: float, contacts: Mapping[str, float] | None = None
    ) -> tuple[PieceTracker, Outcome]:
        """Take settled edges in order and return the new tracker and its outcome at `now` (monotonic seconds).

        `contacts` is space -> last contact of its sensor, including chatter: nothing there is at rest while a magnet is
        just leaving. None keeps the last contacts.
        """
        contacts = self.contacts if contacts is None else contacts
        if not edges and self._nothing_new(facts, contacts, now):
            return self, self.outcome
        tracker, known = self._update_facts(facts, now)
        tracker = replace(tracker, facts=facts, contacts=dict(contacts))
        touched: list[str] = []
        for edge in edges:
            if edge.space in facts.blind:
                continue
            if edge.down == (edge.space in known.came):
                known = tracker._dropped_out(known, facts, edge)
            else:
                before = known
                known = tracker._take_edge(known, facts, edge)
                touched += _touched(before, known, facts, edge, self.timing)
                tracker, known = tracker._tapped(known, facts, edge, now)
        tracker, outcome = replace(tracker, belief=known)._conclude(facts, known, now)
        settled = outcome if outcome.act is None else replace(outcome, act=None, due=now)
        return replace(tracker, outcome=settled), replace(outcome, touched=tuple(touched))

    @property
    def occupied(self) -> Set[str]:
        """The spaces on which something was felt."""
        return NO_UNITS if self.belief is None else self.belief.came.keys()

    def pick(self, facts: Facts, space: str, now: float) -> tuple[PieceTracker, Outcome]:
        """Take a tap on a screen, which may answer the open question."""
        if self.belief is None or self.asked is None or space not in self.asked.answers:
            return self.feel(facts, (), now)
        known = self.asked.answered(self.belief, facts, space, now)
        return replace(self, belief=known, asked=None, facts=None).feel(facts, (), now)

    def _nothing_new(self, facts: Facts, contacts: Mapping[str, float], now: float) -> bool:
        """Return whether nothing has changed since the last call and nothing is due."""
        due = self.outcome.due
        return facts == self.facts and contacts == self.contacts and (due is None or not _reached(now, due))

    # --- input -------------------------------------------------------------------------------------------------

    def _update_facts(self, facts: Facts, now: float) -> tuple[PieceTracker, Belief]:
        """Take over changes of the game. What was set down before a new turn is not an act of that turn."""
        known = Belief() if self.belief is None else self.belief
        if (
            facts.standing == self.standing
            and bool(facts.placements) == self.playing
            and facts.optional == self.optional
        ):
            return self, known
        turned = bool(facts.placements) and not self.playing
        changed = [unit for unit, space in facts.standing.items() if turned or space != self.standing.get(unit)]
        gone = [unit for unit in changed if facts.standing[unit] is None]
        known = replace(beliefs.without_units(known, gone), spare=known.spare and facts.optional == self.optional)
        since = {**self.since, **dict.fromkeys(changed, now)}
        tracker = replace(
            self,
            standing=dict(facts.standing),
            optional=facts.optional,
            playing=bool(facts.placements),
            opening=facts.opening,
            since=since,
            asked=None,
            started=self.started and (self.opening or not facts.opening),
        )
        return tracker, known

    def _dropped_out(self, known: Belief, facts: Facts, edge: SettledEdge) -> Belief:
        if not edge.down or edge.began is None:
            return known
        return touches.dropped_out(known, facts, edge.space, edge.began, edge.at, self.timing)

    def _take_edge(self, known: Belief, facts: Facts, edge: SettledEdge) -> Belief:
        if edge.down:
            return touches.landed(known, facts, edge.space, edge.at, self.timing, edge.began)
        known = touches.lifted(known, facts, edge.space, edge.since, self.timing)
        return touches.swept(known, facts, self.timing.crowd)

    def _tapped(self, known: Belief, facts: Facts, edge: SettledEdge, now: float) -> tuple[PieceTracker, Belief]:
        """Lifting a piece from a possible answer and setting it down there again is the answer."""
        asked = self.asked
        if asked is None:
            return self, known
        if edge.down and asked.tapping == edge.space:
            if edge.since < asked.tapped + self.timing.push:  # too fast for a hand: a weak magnet
                return replace(self, asked=replace(asked, tapping=None)), known
            return replace(self, asked=None), asked.answered(known, facts, edge.space, now)
        if not edge.down and asked.tapping is None and edge.space in asked.answers:
            return replace(self, asked=replace(asked, tapping=edge.space, tapped=edge.since)), known
        return replace(self, asked=None), known

    # --- conclusions ------------------------------------------------------------------------------------------

    def _conclude(self, facts: Facts, known: Belief, now: float) -> tuple[PieceTracker, Outcome]:
        if beliefs.agreed(known, facts) and self._all_at_rest(facts, known, now):
            return self._agreed(facts, known), Outcome(agreed=True)
        question = ReadingInput(known, facts, self._rested(facts, known, now), self._fresh(facts, known), self.since)
        found = read(question)
        if not found:
            return self, Outcome(hint=guide.hint(self._situation(facts, known, found, now)), due=self._due(known, now))
        likely = likeliest(found, facts)
        doubtful = doubts(found, likely, facts)
        outcome = self._outcome(facts, known, [*likely, *doubtful], now)
        ready = self._ready(question, found, likely, now)
        certain = (act for act in ready if all(reading.holds(act, facts) for reading in doubtful))
        act = next((act for act in certain if not any(reading.story.unfelt(act.unit) for reading in likely)), None)
        if act is not None:
            return self._acted(facts, known, act, now), replace(outcome, act=act)
        asked = self.asked or self._question(facts, known, likely, doubtful, now)
        if asked is not None:
            return replace(self, asked=asked), replace(outcome, hint=asked.hint)
        if any(reading.acts for reading in likely) and not self._at_rest(facts, known, likely, now):
            return replace(self, asked=None), outcome  # the hint may be different once it is at rest
        hint = self._held_back(facts, known, now) or guide.hint(self._situation(facts, known, likely, now))
        hinted = self.hinted + (hint is not None and hint != self.outcome.hint)
        if hinted > HINTS_PER_MINIATURE * len(facts.standing) and not known.upset:
            return replace(self, belief=touches.upset(known))._conclude(facts, touches.upset(known), now)
        return replace(self, asked=None, hinted=hinted), replace(outcome, hint=hint)

    def _agreed(self, facts: Facts, known: Belief) -> PieceTracker:
        """Return the tracker after board and game agree. No question stays open."""
        sure = known.upset or not self.started  # then hints have led people through each carry
        known = (
            beliefs.after_agreement(known, facts)
            if sure
            else beliefs.after_agreement_in_play(known, facts, self.timing.push)
        )
        answering = self.asked if self.asked is not None and self.asked.tapping is not None else None
        return replace(self, belief=known, started=True, asked=answering, hinted=0)

    def _held_back(self, facts: Facts, known: Belief, now: float) -> Hint | None:
        """Return the last hint while something was only just set down: it may be lifted again or become an act."""
        fresh = known.came.keys() - known.known - facts.blind
        if all(_reached(now, known.came[space] + self.timing.slide) for space in fresh):
            return None
        return self.outcome.hint

    def _all_at_rest(self, facts: Facts, known: Belief, now: float) -> bool:
        """Return whether all that came is at rest: a blip is not a miniature, and a sliding piece is not a marker."""
        came = known.came.keys() - known.known - facts.blind
        return not self.started or all(_reached(now, self._since(known, space) + self.timing.rest) for space in came)

    def _rested(self, facts: Facts, known: Belief, now: float) -> frozenset[str]:
        """Return the spaces where something has come to rest."""
        rest = self.timing.rest
        return frozenset(
            space
            for space in known.came.keys() - facts.blind
            if space in known.known
            or _reached(now, self._since(known, space) + rest)
            or self.contacts.get(space, beliefs.LONG_AGO) >= known.came[space] + rest  # and may be just leaving
        )

    def _fresh(self, facts: Facts, known: Belief) -> frozenset[tuple[str, str]]:
        """Return the landings that may be acts: (miniature, space), later than the game's last change, not yet acts."""
        if known.upset:
            return frozenset()
        return frozenset(
            (unit, space)
            for unit, space in facts.legal
            if space in known.came
            and known.came[space] >= self.since.get(unit, beliefs.LONG_AGO)
            and self.acted.get(space) != known.came[space]
        )

    def _ready(
        self, asked: ReadingInput, found: Sequence[Reading], likely: Sequence[Reading], now: float
    ) -> Iterator[Placement]:
        """Yield the acts on which all likely readings agree and whose miniatures are at rest.

        While a miniature stands in a wrong place, legality proves little. Then all possible readings must agree.
        """
        facts, known, first, possible = asked.facts, asked.belief, likely[0], rivals(found)
        acts = [act for act in first.acts if all(reading.holds(act, facts) for reading in likely)]
        touched = likeliest(read(replace(asked, rested=frozenset(known.came) - facts.blind)), facts) if acts else []
        for act in acts:
            if not all(reading.holds(act, facts) for reading in touched) or self._may_be_swept(known, act, now):
                continue
            if facts.standing[act.unit] is None and (first.wrong or first.aloft):
                continue  # what looks like one from the box may be the missing one
            if all(reading.holds(act, facts) for reading in possible):
                spaces: Sequence[str] = [act.to]
            elif first.misplaced:
                continue
            else:
                spaces = first.open
            if all(_reached(now, self._rests_at(facts, known, first, space)) for space in spaces):
                yield act

    def _may_be_swept(self, known: Belief, act: Placement, now: float) -> bool:
        """Return whether a piece that hopped may be the first of several: something else was just touched."""
        for hop in known.hops:
            if hop.goal == act.to:
                others = {space: time for space, time in self.contacts.items() if space not in (hop.start, hop.goal)}
                later = (time for time in others.values() if time > hop.at)
                if any(not _reached(now, time + self.timing.push) for time in later):
                    return True
        return False

    def _rests_at(self, facts: Facts, known: Belief, reading: Reading, space: str) -> float:
        """Return when what stands on a space will be at rest. What may be a wand has to stay longer."""
        unit = reading.at[space]
        lift = reading.story.lifts.get(str(unit))
        if lift is not None and lift.slow and lift.start != space:
            return lift.at + self.timing.ask  # it may be in a hand, and set down elsewhere
        stranger = unit is None or reading.story.unfelt(unit) or facts.standing.get(unit) is None
        if space in facts.choosable and stranger:
            return self._since(known, space) + self.timing.stranger
        slides = unit is None or facts.extendable(unit, space)
        return self._since(known, space) + (self.timing.slide if slides else self.timing.rest)

    def _since(self, known: Belief, space: str) -> float:
        """Return when what stands on a space was last touched."""
        return max(known.came[space], self.contacts.get(space, beliefs.LONG_AGO))

    def _acted(self, facts: Facts, known: Belief, act: Placement, now: float) -> PieceTracker:
        """Return the tracker after an act, which is reported once. Stories that contradict it are dropped."""
        acted = {**self.acted, act.to: known.came[act.to]}
        known = beliefs.clear_accidents(beliefs.place_unit(known, facts, act.unit, act.to, now), act.start)
        return replace(self, belief=known, acted=acted, asked=None, hinted=0)

    # --- questions ----------------------------------------------------------------------------------------------

    def _question(
        self, facts: Facts, known: Belief, found: Sequence[Reading], doubtful: Sequence[Reading], now: float
    ) -> Asked | None:
        """Return the question if the rules do not decide, or None while the next moves may still decide it."""
        if known.upset or not self._at_rest(facts, known, found, now):
            return None
        if any(reading.misplaced for reading in found):
            return None
        if any(reading.aloft for reading in found) and not _reached(now, self._last_touch(known) + self.timing.ask):
            return None
        if len(found) > 1:
            return which(facts, found)
        one = found[0]
        doubted = (
            act
            for act in one.acts
            if one.story.unfelt(act.unit) or not all(reading.holds(act, facts) for reading in doubtful)
        )
        act = next(doubted, None)
        return on_shared_space(facts, known, found[0]) if act is None else confirm(facts, act)

    def _at_rest(self, facts: Facts, known: Belief, found: Sequence[Reading], now: float) -> bool:
        return all(
            _reached(now, self._rests_at(facts, known, reading, space)) for reading in found for space in reading.open
        )

    def _last_touch(self, known: Belief) -> float:
        touches = [time for space, time in known.came.items() if space not in known.known]
        return max([*touches, *known.lifted()], default=beliefs.LONG_AGO)

    # --- outcome -----------------------------------------------------------------------------------------------

    def _situation(self, facts: Facts, known: Belief, found: Sequence[Reading], now: float) -> guide.Situation:
        return guide.Situation(known, facts, found, now, self.timing, self.started and bool(found))

    def _outcome(self, facts: Facts, known: Belief, found: Sequence[Reading], now: float) -> Outcome:
        order = list(facts.standing)
        ranks = sorted({tuple(sorted(order.index(unit) for unit in reading.aloft)) for reading in found})
        held = tuple(tuple(order[rank] for rank in alternative) for alternative in ranks)
        if not self.started:
            held = ((),)
        units = sorted({unit for units in held for unit in units}, key=order.index)
        few = units if len(units) < self.timing.crowd else []
        left = tuple(home for unit in units if (home := facts.standing[unit]) is not None)
        reach = dict.fromkeys(goal for unit in few for goal in facts.allowed(unit) if goal not in known.known)
        return Outcome(held=() if held == ((),) else held, left=left, reach=tuple(reach), due=self._due(known, now))

    def _due(self, known: Belief, now: float) -> float | None:
        """Return when the next time limit runs out."""
        timing = self.timing
        waits = (timing.rest, timing.push, timing.slide, timing.stranger, timing.ask)
        unsure = known.came.keys() - known.known
        times = [time for space in unsure for time in (known.came[space], self._since(known, space))]
        times += known.lifted()
        times += [time for time in self.contacts.values() if not _reached(now, time + timing.push)]
        return min((time + wait for time in times for wait in waits if time + wait > now + JOT), default=None)


def _reached(now: float, time: float) -> bool:
    return now + JOT >= time


def _touched(before: Belief, after: Belief, facts: Facts, edge: SettledEdge, timing: Timing) -> list[str]:
    """Return the space of the edge if something unknown has left it and all else is where it belongs.

    While a space may be picked, a piece from the box counts as a wand too, if it does not stay.
    """
    settled = beliefs.agreed(after, facts)
    if edge.down or not before.stories or edge.space in facts.optional or not settled:
        return []
    stood = ((story, story.at.get(edge.space)) for story in before.stories)
    there = {unit for story, unit in stood if unit is not None and not (facts.choosable and story.unfelt(unit))}
    brief = _reached(before.came.get(edge.space, beliefs.LONG_AGO) + timing.stranger, edge.since)
    if edge.space in facts.choosable and brief:
        there = {unit for unit in there if facts.standing.get(unit) is not None}
    return [] if there else [edge.space]
