"""Whose decision it is, and for which commands it is time (MP-TURN-01, MP-SETUP-21)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from engine.game import Command
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules import dealt
from games.sniper_elite.rules.commands import ChooseEntry
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.rule import Rule
from games.sniper_elite.rules.setup import must_choose_entry
from games.sniper_elite.rules.words import DEFENDERS, END_RULES, SNIPER

RuleTable = Mapping[type[Command], Rule[Picture]]
"""The rules by the command that each is about."""

DECISIONS: Final = {
    "return-objective": ("MP-SETUP-10", Text("First return one of your two objectives of the same suit.")),
    "choose-loadout": ("MP-SETUP-14", Text("First choose your loadout.")),
    "show-objective": ("MP-DIFF-03", Text("First show the defenders an objective that is none of yours.")),
    "save": ("MP-SPEC-26", Text("First the defenders decide whether the medic helps.")),
    "shoot-second": ("MP-LOAD-12", Text("First take the second shot that you announced.")),
    "choose-specialists": ("MP-SETUP-17", Text("First choose the specialists.")),
    "keep": ("MP-LOOT-02", Text("First keep one of the cards that you drew.")),
}
"""What is said where a pending decision goes before."""
SETUP_FIRST: Final = ("MP-SETUP-21", Text("The other side is still choosing its cards."))
OTHERS: Final = "another seat"
"""Stands for the pending decision where the seat is not to act."""
ENTERING: Final = "entering"
"""Stands for it where the sniper has an arrow to choose first (MP-TURN-02)."""


def to_act(view: Picture) -> tuple[str, ...]:
    """Whose decision it is; nobody's once the game is over."""
    if view.over is not None:
        return ()
    if view.pending is not None:
        return (DEFENDERS,) if view.pending.name in ("choose-specialists", "save") else (SNIPER,)
    return (view.turn,)


class Order:
    """The rules of each seat, by the decision that is pending."""

    def __init__(self, rules: Mapping[str, RuleTable]) -> None:
        self._rules: dict[str, dict[str | None, RuleTable]] = {}
        """Seat -> pending decision, `OTHERS` or `ENTERING` -> rules."""
        for seat, table in rules.items():
            always = {kind for kind, rule in table.items() if rule.any_time}
            by_decision: dict[str | None, RuleTable] = {}
            for pending in (OTHERS, None, *DECISIONS):
                kinds = always | {kind for kind, rule in table.items() if rule.pending == pending}
                by_decision[pending] = _only(table, kinds)
            by_decision[ENTERING] = _only(table, always | {ChooseEntry})
            self._rules[seat] = by_decision

    def timely(self, view: Picture, seat: str) -> RuleTable:
        """The rules for whose commands it is time, in the order of the rule tables, while nobody has won."""
        rules, pending = self._rules[seat], view.pending
        if pending is not None:
            return rules[pending.name if seat in to_act(view) else OTHERS]
        if seat != view.turn:
            return rules[OTHERS]
        return rules[ENTERING if seat == SNIPER and must_choose_entry(view) else None]

    def late(self, view: Picture, seat: str, rule: Rule[Picture]) -> Refused | None:
        """Why it is not the time for a rule's command, or None."""
        if view.over is not None:
            return Refused(END_RULES[view.over.reason], Text("The game is over."))
        if rule.command in self.timely(view, seat):
            return None
        waiting = None if view.pending is None else view.pending.name
        if seat not in to_act(view):
            return Refused(*_not_yours(waiting))
        if rule.pending != waiting:
            return Refused(*_out_of_step(waiting, rule.pending))
        return Refused("MP-TURN-02", Text("First choose the arrow by which you enter."))


def _only(table: RuleTable, kinds: Collection[type[Command]]) -> RuleTable:
    """The rules about these kinds of command, in the table's order."""
    return {kind: rule for kind, rule in table.items() if kind in kinds}


def _not_yours(waiting: str | None) -> tuple[str, Text]:
    if waiting == "save":
        return DECISIONS[waiting]
    return SETUP_FIRST if waiting in dealt.BEFORE_SPECIALISTS else ("MP-TURN-01", Text("It is not your turn."))


def _out_of_step(waiting: str | None, wanted: str | None) -> tuple[str, Text]:
    if waiting is not None:
        return DECISIONS[waiting]
    rule, _ = DECISIONS[str(wanted)]
    return rule, Text("That is not to be decided now.")
