"""The tracking cubes, by which the defenders remember where the sniper can be (MP-DEF-10)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.chance import Chance
from engine.events import Told
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
        raise Refused("MP-DEF-10", Text("A tracking cube lies on {space} already.", space=command.space))
    if len(view.marks) >= MARKS:
        raise Refused(
            "MP-DEF-10", Text("All {marks} tracking cubes are on the board; take one back first.", marks=MARKS)
        )
    if not view.map.spaces[command.space].enterable:
        raise Refused("MP-DEF-10", Text("Nobody can be on {space}; there is nothing to track.", space=command.space))
    return command


def _mark(truth: Picture, command: Mark, chance: Chance) -> Iterable[Told]:
    return (to_all(events.Marked(command.space)),)


def _offer_unmarks(view: Picture) -> Iterable[Unmark]:
    return [Unmark(space) for space in view.marks]


def _check_unmark(view: Picture, command: Unmark) -> Unmark:
    if command.space not in view.marks:
        raise Refused("MP-DEF-10", Text("There is no tracking cube on {space}.", space=command.space))
    return command


def _unmark(truth: Picture, command: Unmark, chance: Chance) -> Iterable[Told]:
    return (to_all(events.Unmarked(command.space)),)


RULES = [
    Rule(Mark, _offer_marks, _check_mark, _mark, any_time=True),
    Rule(Unmark, _offer_unmarks, _check_unmark, _unmark, any_time=True),
]
