"""Which seat decides, which commands it can give now (MP-TURN-01, MP-SETUP-21), and whether their names exist."""

from __future__ import annotations

from typing import Any, Final

from engine.game import Command
from engine.naming import Naming, Noun, require_known
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules.cards import CARDS, EVERY_CARD
from games.sniper_elite.rules.commands import ChooseEntry, ChooseSpecialists
from games.sniper_elite.rules.described import BEFORE_SPECIALISTS
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.rule import Rule
from games.sniper_elite.rules.setup import must_choose_entry
from games.sniper_elite.rules.specialists import SPECIALISTS
from games.sniper_elite.rules.words import DEFENDERS, END_RULES, SNIPER, SQUADS, UNITS

DECISIONS: Final = {
    "return-objective": ("MP-SETUP-10", Text("First return one of your two objectives of the same suit.")),
    "choose-loadout": ("MP-SETUP-14", Text("First choose your loadout.")),
    "show-objective": ("MP-DIFF-03", Text("First show the defenders an objective that isn't yours.")),
    "save": ("MP-SPEC-26", Text("First the defenders decide whether the medic helps.")),
    "shoot-second": ("MP-LOAD-12", Text("First take the second shot that you announced.")),
    "choose-specialists": ("MP-SETUP-17", Text("First choose the specialists.")),
    "keep": ("MP-LOOT-02", Text("First keep one of the cards that you drew.")),
}
"""Pending decision -> the rule and the sentence that refuse other commands."""
_SPACE: Final[Noun[Any]] = (Text("space"), lambda view: view.map.spaces)
_UNIT: Final[Noun[Any]] = (Text("unit"), lambda view: UNITS)
_CARD: Final[Noun[Any]] = (Text("loadout card"), lambda view: CARDS if view.options.nest is None else EVERY_CARD)
NOUNS: Final[dict[str, Noun[Any]]] = {
    "space": _SPACE,
    "to": _SPACE,
    "path": _SPACE,
    "spaces": _SPACE,
    "unit": _UNIT,
    "target": _UNIT,
    "squad": (Text("squad"), lambda view: SQUADS),
    "sector": (Text("sector"), lambda view: view.sites.entries),
    "objective": (Text("objective"), lambda view: view.sites.objectives),
    "card": _CARD,
    "cards": _CARD,
    "use": (Text("specialist"), lambda view: SPECIALISTS),
}
"""Field of a command -> what it names, from the picture of either game of this box."""
_naming: Final = Naming(NOUNS)


def require_known_names(view: Picture, command: Command) -> None:
    """Raise `NotUnderstood` for a space, unit, card or other name that doesn't exist."""
    _naming.require(view, command)
    if isinstance(command, ChooseSpecialists):
        require_known(Text("squad"), command.squads, SQUADS)
        require_known(Text("specialist"), command.squads.values(), SPECIALISTS)


def to_act(view: Picture) -> tuple[str, ...]:
    """Return the seat that decides next, or nothing once the game is over."""
    if view.over is not None:
        return ()
    if view.pending is not None:
        return (DEFENDERS,) if view.pending.name in ("choose-specialists", "save") else (SNIPER,)
    return (view.turn,)


def is_timely(view: Picture, seat: str, rule: Rule[Picture]) -> bool:
    """Return whether a rule's command can be given now. The game must not be over."""
    if rule.any_time:
        return True
    if view.pending is not None:
        return rule.pending == view.pending.name and seat in to_act(view)
    if seat != view.turn:
        return False
    if seat == SNIPER and must_choose_entry(view):
        return rule.command is ChooseEntry
    return rule.pending is None


def not_now(view: Picture, seat: str, rule: Rule[Picture]) -> Refused | None:
    """Return why a rule's command can't be given now, or None."""
    if view.over is not None:
        return Refused(END_RULES[view.over.reason], Text("The game is over."))
    if is_timely(view, seat, rule):
        return None
    waiting = None if view.pending is None else view.pending.name
    if seat not in to_act(view):
        return _not_yours(waiting)
    if rule.pending == waiting:
        return Refused("MP-TURN-02", Text("First choose the arrow by which you enter."))
    if waiting is not None:
        return Refused(*DECISIONS[waiting])
    return Refused(DECISIONS[str(rule.pending)][0], Text("That decision isn't due now."))


def _not_yours(waiting: str | None) -> Refused:
    if waiting == "save":
        return Refused(*DECISIONS[waiting])
    if waiting in BEFORE_SPECIALISTS:
        return Refused("MP-SETUP-21", Text("The other side is still choosing its cards."))
    return Refused("MP-TURN-01", Text("It is not your turn."))
