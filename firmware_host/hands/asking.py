"""Questions: what to ask where the rules do not decide what the hands have done, and what an answer says. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from engine.said import Said, either
from firmware_host.hands import belief as beliefs
from firmware_host.hands.belief import NOBODY, Belief
from firmware_host.hands.facts import Facts
from firmware_host.hands.hints import Choice, Question
from firmware_host.hands.readings import Reading


class Asked(Struct, frozen=True):
    """The question that waits for an answer: where does `unit` stand? `answers` is tap -> space, None for on none of
    those in question; `tapping` is the tap that was just lifted, `tapped` when (monotonic seconds).
    """

    hint: Question
    unit: str
    answers: Mapping[str, str | None]
    tapping: str | None = None
    tapped: float = 0.0

    def answered(self, known: Belief, tap: str, now: float) -> Belief:
        """What is known after the answer."""
        place = self.answers[tap]
        if place is None:
            return beliefs.absent(known, self.unit, self.hint.about)
        return beliefs.told(known, {place: self.unit}, now)


def misplaced(known: Belief, reading: Reading) -> bool:
    """Whether somebody has set a miniature down where it may not stand; one that was pushed there is another matter."""
    return any(known.pushed.get(space) != unit for unit, space in reading.wrong)


def which(facts: Facts, found: Sequence[Reading]) -> Asked | None:
    """Where does one miniature stand? Its possible places are the taps; one in the air is tapped where it came from."""
    acting = [reading for reading in found if reading.acts]
    pivots = (act for reading in acting[:1] for act in reading.acts)
    pivot = next((act for act in pivots if not all(reading.holds(act) for reading in found)), None)
    if pivot is None:
        return None
    answers: dict[str, str | None] = {}
    choices: list[Choice] = []
    for reading in acting:
        act = next((act for act in reading.acts if act.unit == pivot.unit), None)
        place = next((space for space, unit in reading.at.items() if unit == pivot.unit), None)
        tap = place or _tap(facts, pivot.unit)
        if tap not in answers:
            act = act or next((act for act in reading.acts if act.to == pivot.to), reading.acts[0])
            answers[tap] = place
            choices.append(Choice(act.unit, act.command, tap))
    says = Said(
        "Where is {unit}: on {spaces}? Tap it, or lift it and set it down again.",
        unit=facts.called(pivot.unit),
        spaces=either(answers),
    )
    return Asked(Question(pivot.to, tuple(choices), says), pivot.unit, answers)


def _tap(facts: Facts, unit: str) -> str:
    """A space to tap for a miniature that is not on the board: its own, or one of its squad's."""
    home = facts.standing[unit]
    if home is not None:
        return home
    friends = (other for other, squad in facts.squads.items() if squad == facts.squads[unit] and other != unit)
    places = (facts.standing[other] for other in friends)
    return next((place for place in places if place is not None), facts.goals[unit][0])


def beside_marker(facts: Facts, known: Belief, reading: Reading) -> Asked | None:
    """Whether the one in the air was set down beside a marker, where its sensor cannot tell."""
    if len(reading.aloft) != 1 or reading.at:
        return None
    unit = next(iter(reading.aloft))
    shared = [goal for goal in facts.goals.get(unit, ()) if goal in facts.optional and known.who.get(goal) == NOBODY]
    if not shared or unit in known.bumped:
        return None
    act = facts.legal[unit, shared[0]]
    says = Said(
        "Does {unit} stand on {space} now? Tap {space} to say so, or set it down elsewhere.",
        unit=facts.called(unit),
        space=act.to,
    )
    return Asked(Question(act.to, (Choice(unit, act.command, act.to),), says), unit, {act.to: act.to})


def really(facts: Facts, known: Belief, found: Sequence[Reading]) -> Asked | None:
    """Whether one moved, where it may have driven another one over to there instead."""
    acts = (act for reading in found for act in reading.acts if act.to in known.shoved)
    act = next(acts, None)
    if act is None:
        return None
    says = Said(
        "Does {unit} stand on {space}? Tap {space} to say so, or set it down where it belongs.",
        unit=facts.called(act.unit),
        space=act.to,
    )
    return Asked(Question(act.to, (Choice(act.unit, act.command, act.to),), says), act.unit, {act.to: act.to})
