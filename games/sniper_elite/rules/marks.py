"""Tracking cubes, which mark where the defenders think the sniper may be (MP-DEF-10)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules import events
from games.sniper_elite.rules.commands import Mark, Unmark
from games.sniper_elite.rules.map_acts import acts_of
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.rule import Rule, to_all
from games.sniper_elite.rules.words import MARKS


def _offer_marks(view: Picture) -> Iterable[Mark]:
    if len(view.marks) >= MARKS:
        return ()
    left = acts_of(view.map).marks.copy()
    for space in view.marks:
        left.pop(space, None)
    return left.values()


def _check_mark(view: Picture, command: Mark) -> Mark:
    if command.space in view.marks:
        raise Refused("MP-DEF-10", Text("A tracking cube lies on {space} already."), space=command.space)
    if len(view.marks) >= MARKS:
        text = Text("All {marks} tracking cubes are on the board; take one back first.")
        raise Refused("MP-DEF-10", text, marks=MARKS)
    if not view.map.spaces[command.space].enterable:
        text = Text("Nobody can be on {space}; there is nothing to track.")
        raise Refused("MP-DEF-10", text, space=command.space)
    return command


def _check_unmark(view: Picture, command: Unmark) -> Unmark:
    if command.space not in view.marks:
        raise Refused("MP-DEF-10", Text("There is no tracking cube on {space}."), space=command.space)
    return command


RULES = [
    Rule(
        Mark,
        _offer_marks,
        _check_mark,
        lambda truth, command, chance: [to_all(events.Marked(command.space))],
        any_time=True,
    ),
    Rule(
        Unmark,
        lambda view: map(Unmark, view.marks),
        _check_unmark,
        lambda truth, command, chance: [to_all(events.Unmarked(command.space))],
        any_time=True,
    ),
]
