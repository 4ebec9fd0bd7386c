"""Piece tracking: turn settled edges into legal acts. Pure; the time is a parameter.

A sensor only says that something stands on a space. The tracker finds out which miniature it is (`belief.py`), which
legal acts explain it (`readings.py`), and what to show if none does (`guide.py`). The occupied spaces count more than
the order of events. The caller follows the `Outcome`. It calls `feed` with the edges from `hardware/settle.py`, when
the facts have changed, and at `due`. It submits `act` at once and calls `feed` again with the new facts, because
another act may follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from engine.game import Command, Placement
from firmware_host.board.thresholds import HINTS_PER_MINIATURE, Timing
from firmware_host.board.tracking import belief as beliefs
from firmware_host.board.tracking.asking import Asked, ask_to_confirm, ask_which, ask_which_act, on_shared_space
from firmware_host.board.tracking.belief import Belief
from firmware_host.board.tracking.facts import Facts
from firmware_host.board.tracking.guide import Situation
from firmware_host.board.tracking.hints import Hint, Outcome, SettledEdge
from firmware_host.board.tracking.readings import Reading, ReadingInput, agree_on, doubts, likeliest, rivals
from firmware_host.board.tracking.touches import Touches, after_sweep
from hardware.settle import ROUNDING

NO_FACTS = Facts({})


class PieceTracker(Struct, frozen=True):
    """The state of piece tracking. A new tracker knows nothing until the first edges.

    - `since`: miniature -> when its place in the game last changed; pieces that stood there before are no acts.
    - `acted`: space -> time of the landing that has become an act.
    - `started`: whether board and game have agreed since this game began.
    - `hinted`: number of hints since the last agreement or act.
    - `chosen`: the act that people have chosen, where the open carry can mean several.
    - `facts`, `contacts`, `now`, `outcome`: the last ones. The outcome stays the same while nothing changes and nothing
      is due.
    """

    timing: Timing = Timing()
    belief: Belief = Belief()
    facts: Facts = NO_FACTS
    contacts: Mapping[str, float] = {}
    now: float = beliefs.LONG_AGO
    since: Mapping[str, float] = {}
    acted: Mapping[str, float] = {}
    started: bool = False
    hinted: int = 0
    asked: Asked | None = None
    chosen: Command | None = None
    outcome: Outcome = Outcome()

    def feed(
        self, facts: Facts, edges: Sequence[SettledEdge], now: float, contacts: Mapping[str, float] | None = None
    ) -> tuple[PieceTracker, Outcome]:
        """Take settled edges in order and return the new tracker and its outcome at `now` (monotonic seconds).

        `contacts` is space -> last contact of its sensor, including chatter: a piece is not at rest while its magnet is
        just leaving. With None, the last contacts stay.
        """
        contacts = self.contacts if contacts is None else contacts
        due = self.outcome.due
        if (
            not edges
            and facts == self.facts
            and contacts == self.contacts
            and (due is None or not _is_reached(now, due))
        ):
            return self, self.outcome
        tracker = replace(self._with_facts(facts, now), contacts=dict(contacts), now=now)
        touched: list[str] = []
        for edge in edges:
            if edge.space not in facts.blind:
                before = tracker.belief
                tracker = tracker._take_edge(edge)
                touched += _touched_spaces(before, tracker.belief, facts, edge, self.timing)
        tracker, outcome = tracker._conclude()
        # An act is reported only once. The next call has to search again, because another act may follow.
        settled = outcome if outcome.act is None else replace(outcome, act=None, due=now)
        return replace(tracker, outcome=settled), replace(outcome, touched=tuple(touched))

    @property
    def occupied(self) -> Set[str]:
        """The spaces on which something was felt."""
        return self.belief.came.keys()

    def pick(self, facts: Facts, space: str, now: float) -> tuple[PieceTracker, Outcome]:
        """Take a tap on a screen, which may answer the open question."""
        if self.asked is None or space not in self.asked.answers:
            return self.feed(facts, (), now)
        belief, chosen = self.asked.answered(self.belief, facts, space, now), self.asked.answers[space].command
        answered = replace(self, belief=belief, asked=None, chosen=chosen, outcome=replace(self.outcome, due=now))
        return answered.feed(facts, (), now)

    # --- input -------------------------------------------------------------------------------------------------

    def _with_facts(self, facts: Facts, now: float) -> PieceTracker:
        """Take over changes of the game. A piece that was set down before a new turn is not an act of that turn."""
        before, belief = self.facts, self.belief
        if _phase(facts) == _phase(before):
            return replace(self, facts=facts)
        turned = bool(facts.acting - before.acting)
        changed = [unit for unit, space in facts.standing.items() if turned or space != before.standing.get(unit)]
        gone = [unit for unit in changed if facts.standing[unit] is None]
        belief = replace(beliefs.without_units(belief, gone), spare=belief.spare and facts.optional == before.optional)
        return replace(
            self,
            belief=belief,
            facts=facts,
            since={**self.since, **dict.fromkeys(changed, now)},
            asked=None,
            chosen=None,
            # If the game is in its opening again, the board has to be set up again.
            started=self.started and (before.opening or not facts.opening),
        )

    def _take_edge(self, edge: SettledEdge) -> PieceTracker:
        """Take a settled edge. An edge down on an occupied space is the end of a dropout."""
        touches = Touches(self.belief, self.facts, self.timing)
        if edge.down == (edge.space in self.belief.came):
            if not edge.down or edge.began is None:
                return self
            return replace(self, belief=touches.dropped_out(edge.space, edge.began, edge.at))
        if edge.down:
            belief = touches.after_landing(edge.space, edge.at, edge.began)
        else:
            belief = after_sweep(touches.after_lift(edge.space, edge.since), self.facts, self.timing.crowd)
        return replace(self, belief=belief)._after_tap(edge)

    def _after_tap(self, edge: SettledEdge) -> PieceTracker:
        """Lifting a piece from a possible answer and setting it down there again is the answer. If the space of an act
        is empty, setting a piece down there and lifting it is.
        """
        question = self.asked
        if question is None:
            return self
        if question.tapping == edge.space:
            if edge.since < question.tapped + self.timing.push:  # too fast for a hand, so it was a weak magnet
                return replace(self, asked=replace(question, tapping=None))
            belief, chosen = (
                question.answered(self.belief, self.facts, edge.space, self.now),
                question.answers[edge.space].command,
            )
            return replace(self, asked=None, chosen=chosen, belief=belief)
        answer = question.answers.get(edge.space)
        if question.tapping is None and answer is not None and (not edge.down or answer.command is not None):
            return replace(self, asked=replace(question, tapping=edge.space, tapped=edge.since))
        # Any other edge means that people went on playing.
        return replace(self, asked=None)

    # --- conclusions ------------------------------------------------------------------------------------------

    def _conclude(self) -> tuple[PieceTracker, Outcome]:
        facts, belief = self.facts, self.belief
        if beliefs.agreed(belief, facts) and self._all_at_rest():
            return self._after_agreement(), Outcome(agreed=True)
        source = ReadingInput(belief, facts, self._rested_spaces(), self._fresh_landings(), self.since)
        readings = source.readings()
        # Until board and game agree for the first time, there are no stories to read.
        if not readings:
            return self, Outcome(hint=self._guiding_hint(readings), due=self._next_limit())
        likely = likeliest(readings)
        doubtful = doubts(readings, likely)
        outcome = self._outcome([*likely, *doubtful])
        ready = self._ready_acts(source, readings, likely)
        # An act is certain only if no doubtful reading contradicts it.
        certain = (act for act in ready if agree_on(act, doubtful))
        act = next((act for act in certain if not any(reading.story.unfelt(act.unit) for reading in likely)), None)
        intended = None if act is None else self._intended_act(act)
        if intended is not None:
            return self._after_act(intended), replace(outcome, act=intended)
        question = self.asked or (self._question(likely, doubtful) if act is None else ask_which_act(facts, act))
        if question is not None:
            return replace(self, asked=question), replace(outcome, hint=question.hint)
        if any(reading.acts for reading in likely) and not self._at_rest(likely):
            return self, outcome  # the hint may change once it is at rest
        hint = self._held_back() or self._guiding_hint(likely)
        hinted = self.hinted + (hint is not None and hint != self.outcome.hint)
        # The hints did not help, so the tracker has confused miniatures. Start again from the occupied spaces.
        if hinted > HINTS_PER_MINIATURE * len(facts.standing) and not belief.upset:
            return replace(self, belief=replace(belief, upset=True))._conclude()
        return replace(self, hinted=hinted), replace(outcome, hint=hint)

    def _intended_act(self, act: Placement) -> Placement | None:
        """Return the act that was meant.

        If the carry can mean several acts, return the chosen one, or None until people choose.
        """
        ways = self.facts.ways.get((act.unit, act.to))
        return act if ways is None else next((way for way, _ in ways if way.command == self.chosen), None)

    def _after_agreement(self) -> PieceTracker:
        """Return the tracker after board and game agree. No question stays open."""
        if self.belief.upset or not self.started:  # with hints, people have confirmed each carry
            belief = beliefs.after_agreement(self.belief, self.facts)
        else:
            belief = beliefs.after_agreement_in_play(self.belief, self.facts, self.timing.push)
        answering = self.asked if self.asked is not None and self.asked.tapping is not None else None
        return replace(self, belief=belief, started=True, asked=answering, hinted=0)

    def _held_back(self) -> Hint | None:
        """Return the last hint while a piece was only just set down, which may be lifted again or become an act."""
        fresh = (self.belief.came[space] for space in self._unknown_spaces)
        return None if all(self._is_past(came, self.timing.slide) for came in fresh) else self.outcome.hint

    @property
    def _unknown_spaces(self) -> Set[str]:
        """The spaces that something has come to since the last agreement."""
        return self.belief.came.keys() - self.belief.known - self.facts.blind

    def _is_past(self, time: float, wait: float) -> bool:
        return _is_reached(self.now, time + wait)

    def _all_at_rest(self) -> bool:
        """Return whether unknown pieces are at rest: a short contact is no piece, and a sliding piece is no marker."""
        return not self.started or all(
            self._is_past(self._touched_at(space), self.timing.rest) for space in self._unknown_spaces
        )

    def _rested_spaces(self) -> frozenset[str]:
        belief, rest = self.belief, self.timing.rest
        return frozenset(
            space
            for space in belief.came.keys() - self.facts.blind
            if space in belief.known
            or self._is_past(self._touched_at(space), rest)
            or self.contacts.get(space, beliefs.LONG_AGO)
            >= belief.came[space] + rest  # and the magnet may be just leaving
        )

    def _fresh_landings(self) -> frozenset[tuple[str, str]]:
        """Return the landings that may be acts: (miniature, space), later than the game's last change, not yet acts."""
        came = {} if self.belief.upset else self.belief.came
        return frozenset(
            (unit, space)
            for unit, space in self.facts.legal
            if space in came
            and came[space] >= self.since.get(unit, beliefs.LONG_AGO)
            and self.acted.get(space) != came[space]
        )

    def _ready_acts(
        self, source: ReadingInput, readings: Sequence[Reading], likely: Sequence[Reading]
    ) -> Iterator[Placement]:
        """Yield the acts on which all likely readings agree and whose miniatures are at rest.

        While a miniature stands in a wrong place, legality proves little. Then all possible readings must agree.
        """
        facts, first, possible = self.facts, likely[0], rivals(readings)
        acts = [act for act in first.acts if agree_on(act, likely)]
        # Also make the readings as if everything were at rest: a piece that was only just set down may change the
        # result.
        everything = replace(source, rested=frozenset(self.occupied) - facts.blind)
        touched = likeliest(everything.readings()) if acts else []
        for act in acts:
            if not agree_on(act, touched) or self._may_be_swept(act):
                continue
            if facts.standing[act.unit] is None and (first.wrong or first.aloft):
                continue  # a piece that seems to come from the box may be the missing one
            if agree_on(act, possible):
                spaces: Sequence[str] = [act.to]
            elif first.misplaced:
                continue
            else:
                spaces = first.open
            if all(_is_reached(self.now, self._rest_time(first, space)) for space in spaces):
                yield act

    def _may_be_swept(self, act: Placement) -> bool:
        """Return whether a piece that hopped may be the first of several: something else was just touched."""
        return any(
            time > hop.at and not self._is_past(time, self.timing.push)
            for hop in self.belief.hops
            if hop.goal == act.to
            for space, time in self.contacts.items()
            if space not in (hop.start, hop.goal)
        )

    def _rest_time(self, reading: Reading, space: str) -> float:
        """Return when what stands on a space will be at rest. A piece that may be a wand has to stay longer."""
        facts, timing, unit = self.facts, self.timing, reading.at[space]
        lift = reading.story.lifts.get(str(unit))
        if lift is not None and lift.slow and lift.start != space:
            return lift.at + timing.ask  # it may be in a hand, to be set down elsewhere
        stranger = unit is None or reading.story.unfelt(unit) or facts.standing.get(unit) is None
        if space in facts.choosable and stranger:
            return self._touched_at(space) + timing.stranger
        slides = unit is None or facts.extendable(unit, space)
        return self._touched_at(space) + (timing.slide if slides else timing.rest)

    def _touched_at(self, space: str) -> float:
        """Return when the piece on a space was last touched."""
        return max(self.belief.came[space], self.contacts.get(space, beliefs.LONG_AGO))

    def _after_act(self, act: Placement) -> PieceTracker:
        """Return the tracker after an act, which is reported once. Stories that contradict it are dropped."""
        acted = {**self.acted, act.to: self.belief.came[act.to]}
        belief = beliefs.place_unit(self.belief, self.facts, act.unit, act.to, self.now)
        return replace(
            self, belief=beliefs.clear_accidents(belief, act.start), acted=acted, asked=None, chosen=None, hinted=0
        )

    def _question(self, readings: Sequence[Reading], doubtful: Sequence[Reading]) -> Asked | None:
        """Return the question if the rules do not decide, or None while the next moves may still answer it."""
        facts, belief = self.facts, self.belief
        if belief.upset or not self._at_rest(readings) or any(reading.misplaced for reading in readings):
            return None
        if any(reading.aloft for reading in readings) and not self._is_past(self._last_touch, self.timing.ask):
            return None
        if len(readings) > 1:
            return ask_which(facts, readings)
        only_reading = readings[0]
        doubted = (
            act for act in only_reading.acts if only_reading.story.unfelt(act.unit) or not agree_on(act, doubtful)
        )
        act = next(doubted, None)
        return on_shared_space(facts, belief, only_reading) if act is None else ask_to_confirm(facts, act)

    def _at_rest(self, readings: Sequence[Reading]) -> bool:
        return all(
            _is_reached(self.now, self._rest_time(reading, space)) for reading in readings for space in reading.open
        )

    @property
    def _last_touch(self) -> float:
        belief = self.belief
        touches = [time for space, time in belief.came.items() if space not in belief.known]
        return max([*touches, *belief.lifted()], default=beliefs.LONG_AGO)

    # --- outcome -----------------------------------------------------------------------------------------------

    def _guiding_hint(self, readings: Sequence[Reading]) -> Hint | None:
        started = self.started and bool(readings)
        return Situation(self.belief, self.facts, readings, self.now, self.timing, started).hint()

    def _outcome(self, readings: Sequence[Reading]) -> Outcome:
        facts = self.facts
        order = list(facts.standing)
        ranks = sorted({tuple(sorted(order.index(unit) for unit in reading.aloft)) for reading in readings})
        alternatives = tuple(tuple(order[rank] for rank in alternative) for alternative in ranks)
        # Before the board is set up, a missing miniature is not in the air.
        if not self.started:
            alternatives = ((),)
        units = sorted({unit for units in alternatives for unit in units}, key=order.index)
        # With many miniatures in the air, their possible places would light most of the board.
        few = units if len(units) < self.timing.crowd else []
        left = tuple(home for unit in units if (home := facts.standing[unit]) is not None)
        goals = dict.fromkeys(goal for unit in few for goal in facts.allowed(unit) if goal not in self.belief.known)
        return Outcome(
            held=() if alternatives == ((),) else alternatives, left=left, reach=tuple(goals), due=self._next_limit()
        )

    def _next_limit(self) -> float | None:
        belief, timing = self.belief, self.timing
        # For every piece that is not settled, each of the waiting times may change the result.
        waits = (timing.rest, timing.push, timing.slide, timing.stranger, timing.ask)
        unsure = belief.came.keys() - belief.known
        times = [time for space in unsure for time in (belief.came[space], self._touched_at(space))]
        times += belief.lifted()
        times += [time for time in self.contacts.values() if not self._is_past(time, timing.push)]
        return min((time + wait for time in times for wait in waits if time + wait > self.now + ROUNDING), default=None)


# Other facts, such as names and choosable spaces, may change within a phase.
def _phase(facts: Facts) -> tuple[object, ...]:
    return facts.standing, facts.optional, facts.opening, facts.acting


def _is_reached(now: float, time: float) -> bool:
    return now + ROUNDING >= time


def _touched_spaces(before: Belief, after: Belief, facts: Facts, edge: SettledEdge, timing: Timing) -> list[str]:
    """Return the space of the edge if an unknown piece has left it and all miniatures are where they belong.

    While a space may be picked, a piece from the box counts as a wand too, if it does not stay.
    """
    gone = not edge.down and edge.space in before.came
    if not gone or not before.stories or edge.space in facts.optional or not beliefs.agreed(after, facts):
        return []
    stood = ((story, story.at.get(edge.space)) for story in before.stories)
    there = {unit for story, unit in stood if unit is not None and not (facts.choosable and story.unfelt(unit))}
    brief = _is_reached(before.came.get(edge.space, beliefs.LONG_AGO) + timing.stranger, edge.since)
    if edge.space in facts.choosable and brief:
        there = {unit for unit in there if facts.standing.get(unit) is not None}
    return [] if there else [edge.space]
