"""Questions about cases that the rules do not decide, and the meaning of each answer. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from engine.game import Command, Placement
from engine.text import Text, or_list
from firmware_host.board.tracking import belief as beliefs
from firmware_host.board.tracking.belief import Belief, Story
from firmware_host.board.tracking.facts import Facts
from firmware_host.board.tracking.hints import PossibleAnswer, Question
from firmware_host.board.tracking.readings import Reading, agree_on


class DistinctAnswer(Struct, frozen=True):
    """The meaning of a tap: `unit` stands on `space`. `command` is the act, if the question is about acts.

    `looks` maps each space that distinguishes this answer from the others to the look of the piece there (None: no
    piece of the game).
    """

    unit: str
    space: str
    command: Command | None = None
    looks: Mapping[str, str | None] = {}

    def fits(self, story: Story, facts: Facts) -> bool:
        """Return whether a story agrees with this answer."""
        return all(_look(facts, story.at.get(space)) == look for space, look in self.looks.items())


class Asked(Struct, frozen=True):
    """The open question. `answers` is tap -> its meaning.

    `tapping` is the space where somebody begins to answer by lifting its piece, or by setting one down if it is
    empty. `tapped` is the time when that happened (monotonic seconds).
    """

    hint: Question
    answers: Mapping[str, DistinctAnswer]
    tapping: str | None = None
    tapped: float = 0.0

    def answered(self, belief: Belief, facts: Facts, tap: str, now: float) -> Belief:
        """Return the belief after an answer, which says that people have put the miniature there on purpose."""
        answer = self.answers[tap]
        # Stories that contradict the answer are dropped first, so that the rest stays consistent.
        belief = beliefs.keep_stories(belief, lambda story: answer.fits(story, facts))
        return beliefs.mark_intended(
            beliefs.place_unit(belief, facts, answer.unit, answer.space, now), answer.unit, answer.space
        )


def ask_which(facts: Facts, readings: Sequence[Reading]) -> Asked | None:
    """Ask where one miniature stands.

    People tap one of its possible places; a place in the air is represented by the space it came from.

    Return None if fewer than two answers are possible.
    """
    pivots = (act for reading in readings for act in reading.acts)
    # The question is about the first act on which the readings disagree.
    pivot = next((act for act in pivots if not agree_on(act, readings)), None)
    if pivot is None:
        return None
    answer_of: dict[str, tuple[Reading, Placement]] = {}
    for reading in readings:
        # Each answer needs its own tap, because readings with the same tap could not be distinguished.
        tap = next((space for space, unit in reading.at.items() if unit == pivot.unit), _tap(facts, pivot.unit))
        act = _distinguishing_act(facts, readings, reading, pivot)
        if tap not in answer_of and act is not None:
            answer_of[tap] = reading, act
    if len(answer_of) < 2:
        return None
    # The pieces on these spaces decide which stories fit an answer.
    telling = {*answer_of, *(act.to for _, act in answer_of.values())}
    answers = {
        tap: DistinctAnswer(act.unit, act.to, None, {space: _look(facts, reading.at.get(space)) for space in telling})
        for tap, (reading, act) in answer_of.items()
    }
    choices = [PossibleAnswer(act.unit, act.command, tap) for tap, (_, act) in answer_of.items()]
    says = Text(
        "Where is {unit}: on {spaces}? Tap it, or lift it and set it down again.",
        unit=facts.called(pivot.unit),
        spaces=or_list(answers),
    )
    return Asked(Question(pivot.to, tuple(choices), says), answers)


def _distinguishing_act(
    facts: Facts, readings: Sequence[Reading], reading: Reading, pivot: Placement
) -> Placement | None:
    """Return the act that distinguishes a reading from the others.

    It is an act of the miniature in question, or on a space where it may be. An accident also counts if it would be
    legal as an act.
    """
    acts = [act for act in reading.acts if not agree_on(act, readings)]
    own = [act for act in acts if act.unit == pivot.unit]
    there = facts.legal.get((str(reading.at.get(pivot.to)), pivot.to))
    return next(iter([*own, *([] if there is None else [there]), *acts]), None)


def _look(facts: Facts, unit: str | None) -> str | None:
    return None if unit is None else facts.look_of(unit)


def _tap(facts: Facts, unit: str) -> str:
    """Return the space to tap for a miniature in the air: its own, or one of its group."""
    home = facts.standing[unit]
    if home is not None:
        return home
    # A miniature from the box has no space, so use the space of another one of its group.
    friends = (other for other, group in facts.groups.items() if group == facts.groups[unit] and other != unit)
    places = (facts.standing[other] for other in friends)
    return next((place for place in places if place is not None), facts.goals[unit][0])


def on_shared_space(facts: Facts, belief: Belief, reading: Reading) -> Asked | None:
    """Ask whether the piece in the air was set down next to another piece, where the sensor cannot tell."""
    if len(reading.aloft) != 1 or reading.open:
        return None
    unit = next(iter(reading.aloft))
    occupied = facts.optional | facts.homes.keys()
    # The sensor of a space that is already occupied does not notice a second piece.
    shared = [goal for goal in facts.goals.get(unit, ()) if goal in occupied and goal in belief.came]
    if not shared:
        return None
    return ask_to_confirm(facts, *(facts.legal[unit, goal] for goal in shared))


def ask_to_confirm(facts: Facts, *acts: Placement) -> Asked:
    """Ask whether a miniature made one of these acts. People tap its space for yes, or set it down elsewhere for no."""
    unit = facts.called(acts[0].unit)
    if len(acts) == 1:
        question = Text(
            "Does {unit} stand on {space} now? Tap {space} to say so, or set it down elsewhere.",
            unit=unit,
            space=acts[0].to,
        )
    else:
        question = Text(
            "Does {unit} stand on {spaces} now? Tap the space to say so, or set it down elsewhere.",
            unit=unit,
            spaces=or_list(act.to for act in acts),
        )
    choices = tuple(PossibleAnswer(act.unit, act.command, act.to) for act in acts)
    return Asked(Question(acts[0].to, choices, question), {act.to: DistinctAnswer(act.unit, act.to) for act in acts})


MOST_WAYS: Final = 50
"""Maximum number of acts that a question offers for one carry. More would make a sentence too long for screens."""


def ask_which_act(facts: Facts, act: Placement) -> Asked:
    """Ask which act a carry was that can mean several, such as a ride by taxi or by bus.

    Each act has a space to tap: the goal, the start, then free spaces near the goal.
    """
    acts, ends = facts.ways[act.unit, act.to], (act.to, act.start)
    near = (*facts.near.get(act.to, ()), *facts.near)
    free = dict.fromkeys(space for space in near if space not in facts.homes and space not in ends)
    taps = [space for space in (*ends, *free) if space is not None]
    choices = tuple(
        PossibleAnswer(placement.unit, placement.command, tap, caption)
        for tap, (placement, caption) in zip(taps, acts[:MOST_WAYS], strict=False)
    )
    ways = [Text("{what} (tap {space})", what=choice.caption or "", space=choice.tap) for choice in choices]
    question = Text("What did {unit} do? {ways}. Tap with a wand, or choose on the screen.")
    says = question.with_(unit=facts.called(act.unit), ways=or_list(ways))
    answers = {choice.tap: DistinctAnswer(act.unit, act.to, choice.action) for choice in choices}
    return Asked(Question(act.to, choices, says), answers)
