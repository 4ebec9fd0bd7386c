"""From sensors to acts: what the hands at the table have done. Pure; time is handed in.

Occupancy is the truth, the order of events only a hint. What a board's sensors say is *that* something stands on a
space; here it is worked out *who* stands there (`belief.py`), which legal acts explain it (`readings.py`), and what
to say where none does (`guide.py`). Nothing here submits, lights or waits: the shell does what an `Outcome` says.

The shell's duties: call `feel` with the edges that came out of `settle.py`, whenever the facts have changed, and at
`due`; submit `act` at once, and then call `feel` with the new facts (and no edges), for there may be another act.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from engine.game import Placement
from firmware_host.board.thresholds import HINTS_PER_MINIATURE, Timing
from firmware_host.board.tracking import belief as beliefs
from firmware_host.board.tracking import guide, touches
from firmware_host.board.tracking.asking import Asked, beside_marker, confirm, which
from firmware_host.board.tracking.belief import NOBODY, Belief
from firmware_host.board.tracking.facts import Facts
from firmware_host.board.tracking.hints import Hint
from firmware_host.board.tracking.readings import Reading, ReadingInput, doubts, likeliest, read, rivals
from firmware_host.board.tracking.terms import Outcome, SettledEdge
from hardware.settle import JOT


class PieceTracker(Struct, frozen=True):
    """What is known of the miniatures' whereabouts. A fresh one knows nothing: the first edges tell it.

    `standing`, `optional`, `playing` and `opening` are remembered of the last facts; `since`: miniature -> when its
    place in the game last changed, so that what stood there before is no act; `said`: space -> the landing that has
    been made an act; `started`: board and game have agreed since this game began; `hinted`: how many hints were given
    since the last agreement or act. `facts` and `outcome` are the last
    ones; while neither anything changes nor anything is due, the outcome stays.
    """

    timing: Timing = Timing()
    belief: Belief | None = None
    contacts: Mapping[str, float] = {}
    standing: Mapping[str, str | None] = {}
    optional: frozenset[str] = NOBODY
    playing: bool = False
    opening: bool = False
    since: Mapping[str, float] = {}
    said: Mapping[str, float] = {}
    started: bool = False
    hinted: int = 0
    asked: Asked | None = None
    facts: Facts | None = None
    outcome: Outcome = Outcome()

    def feel(
        self, facts: Facts, edges: Sequence[SettledEdge], now: float, contacts: Mapping[str, float] | None = None
    ) -> tuple[PieceTracker, Outcome]:
        """What follows from these edges, in the order of their coming, at `now` (monotonic seconds).

        `contacts` is space -> when its sensor last stirred, chatter that has not settled included: while a magnet is
        just leaving, nothing there is at rest. Without it the last contacts are kept.
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
        """The spaces on which something stands, as far as was felt."""
        return NOBODY if self.belief is None else self.belief.came.keys()

    def pick(self, facts: Facts, space: str, now: float) -> tuple[PieceTracker, Outcome]:
        """The same after a tap on a screen; a tap that answers nothing changes nothing."""
        if self.belief is None or self.asked is None or space not in self.asked.answers:
            return self.feel(facts, (), now)
        known = self.asked.answered(self.belief, facts, space, now)
        return replace(self, belief=known, asked=None, facts=None).feel(facts, (), now)

    def _nothing_new(self, facts: Facts, contacts: Mapping[str, float], now: float) -> bool:
        """Whether nothing has changed since the last time and nothing is due."""
        due = self.outcome.due
        return facts == self.facts and contacts == self.contacts and (due is None or not _reached(now, due))

    # --- taking in ----------------------------------------------------------------------------------------------

    def _update_facts(self, facts: Facts, now: float) -> tuple[PieceTracker, Belief]:
        """Take in what has changed in the game. What was set down before a new turn is no act in it."""
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
        known = replace(beliefs.without(known, gone), spare=known.spare and facts.optional == self.optional)
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
        """A piece lifted from a tap of the question, and set down there again, is the answer."""
        asked = self.asked
        if asked is None:
            return self, known
        if edge.down and asked.tapping == edge.space:
            if edge.since < asked.tapped + self.timing.push:  # no hand is so quick: a magnet that is weak
                return replace(self, asked=replace(asked, tapping=None)), known
            return replace(self, asked=None), asked.answered(known, facts, edge.space, now)
        if not edge.down and asked.tapping is None and edge.space in asked.answers:
            return replace(self, asked=replace(asked, tapping=edge.space, tapped=edge.since)), known
        return replace(self, asked=None), known

    # --- making of it -------------------------------------------------------------------------------------------

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
            return replace(self, asked=None), outcome  # what is to be said of it may be quite another thing
        hint = self._held_back(facts, known, now) or guide.hint(self._situation(facts, known, likely, now))
        hinted = self.hinted + (hint is not None and hint != self.outcome.hint)
        if hinted > HINTS_PER_MINIATURE * len(facts.standing) and not known.upset:
            return replace(self, belief=touches.upset(known))._conclude(facts, touches.upset(known), now)
        return replace(self, asked=None, hinted=hinted), replace(outcome, hint=hint)

    def _agreed(self, facts: Facts, known: Belief) -> PieceTracker:
        """What is known once the board shows what the game says; nothing is asked any more."""
        sure = known.upset or not self.started  # after a great mess people were led, one carry after another
        known = beliefs.confirmed(known, facts) if sure else beliefs.presumed(known, facts, self.timing.push)
        answering = self.asked if self.asked is not None and self.asked.tapping is not None else None
        return replace(self, belief=known, started=True, asked=answering, hinted=0)

    def _held_back(self, facts: Facts, known: Belief, now: float) -> Hint | None:
        """What was said last, while something has only just been set down, and may be lifted again or be an act."""
        fresh = known.came.keys() - known.known - facts.blind
        if all(_reached(now, known.came[space] + self.timing.slide) for space in fresh):
            return None
        return self.outcome.hint

    def _all_at_rest(self, facts: Facts, known: Belief, now: float) -> bool:
        """Whether whatever came has come to rest: a blip of a sensor is no miniature, and one that slides no marker."""
        came = known.came.keys() - known.known - facts.blind
        return not self.started or all(_reached(now, self._since(known, space) + self.timing.rest) for space in came)

    def _rested(self, facts: Facts, known: Belief, now: float) -> frozenset[str]:
        """Spaces where something has come to rest."""
        rest = self.timing.rest
        return frozenset(
            space
            for space in known.came.keys() - facts.blind
            if space in known.known
            or _reached(now, self._since(known, space) + rest)
            or self.contacts.get(space, beliefs.LONG_AGO) >= known.came[space] + rest  # and may be just leaving
        )

    def _fresh(self, facts: Facts, known: Belief) -> frozenset[tuple[str, str]]:
        """The landings that may be acts: since the game put the miniature elsewhere, and not made acts before."""
        if known.upset:
            return frozenset()
        return frozenset(
            (unit, space)
            for unit, space in facts.legal
            if space in known.came
            and known.came[space] >= self.since.get(unit, beliefs.LONG_AGO)
            and self.said.get(space) != known.came[space]
        )

    def _ready(
        self, asked: ReadingInput, found: Sequence[Reading], likely: Sequence[Reading], now: float
    ) -> Iterator[Placement]:
        """The acts on which all likely readings agree, whatever else is just being touched, and whose miniatures have
        come to rest.

        While somebody stands wrong, legality proves little: then all must agree that are to be reckoned with.
        """
        facts, known, first, possible = asked.facts, asked.belief, likely[0], rivals(found)
        acts = [act for act in first.acts if all(reading.holds(act, facts) for reading in likely)]
        touched = likeliest(read(replace(asked, rested=frozenset(known.came) - facts.blind)), facts) if acts else []
        for act in acts:
            if not all(reading.holds(act, facts) for reading in touched) or self._may_be_swept(known, act, now):
                continue
            if facts.standing[act.unit] is None and (first.wrong or first.aloft):
                continue  # what looks like one from the box may be one that has got lost
            if all(reading.holds(act, facts) for reading in possible):
                spaces: Sequence[str] = [act.to]
            elif first.misplaced:
                continue
            else:
                spaces = first.open
            if all(_reached(now, self._rests_at(facts, known, first, space)) for space in spaces):
                yield act

    def _may_be_swept(self, known: Belief, act: Placement, now: float) -> bool:
        """Whether a piece that hopped so fast may be the first of several: something else has just been touched."""
        for hop in known.hops:
            if hop.goal == act.to:
                others = {space: time for space, time in self.contacts.items() if space not in (hop.start, hop.goal)}
                later = (time for time in others.values() if time > hop.at)
                if any(not _reached(now, time + self.timing.push) for time in later):
                    return True
        return False

    def _rests_at(self, facts: Facts, known: Belief, reading: Reading, space: str) -> float:
        """When what stands on a space will have come to rest; what may be a wand that picks it has to stay longer."""
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
        """When what stands on a space was last touched."""
        return max(known.came[space], self.contacts.get(space, beliefs.LONG_AGO))

    def _acted(self, facts: Facts, known: Belief, act: Placement, now: float) -> PieceTracker:
        """An act is said once, and what says otherwise is over."""
        said = {**self.said, act.to: known.came[act.to]}
        known = beliefs.vacated(beliefs.stands(known, facts, act.unit, act.to, now), act.start)
        return replace(self, belief=known, said=said, asked=None, hinted=0)

    # --- asking -------------------------------------------------------------------------------------------------

    def _question(
        self, facts: Facts, known: Belief, found: Sequence[Reading], doubtful: Sequence[Reading], now: float
    ) -> Asked | None:
        """What to ask where the rules do not decide; nothing as long as the hands may still answer by themselves."""
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
        return beside_marker(facts, known, found[0]) if act is None else confirm(facts, act)

    def _at_rest(self, facts: Facts, known: Belief, found: Sequence[Reading], now: float) -> bool:
        return all(
            _reached(now, self._rests_at(facts, known, reading, space)) for reading in found for space in reading.open
        )

    def _last_touch(self, known: Belief) -> float:
        touches = [time for space, time in known.came.items() if space not in known.known]
        return max([*touches, *known.lifted()], default=beliefs.LONG_AGO)

    # --- telling ------------------------------------------------------------------------------------------------

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
        """The next moment at which one of the times runs out."""
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
    """A space that something unknown has left, while everything else is where it belongs. Where somebody picks a
    space, one out of the box is a wand too, if it does not stay.
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
