"""Check that a command's names exist and that its type is possible now (SA-SET-05, SA-SET-07)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.game import Command
from engine.naming import Naming, Noun
from engine.refusal import Refused
from engine.text import Text
from games.snipers_and_assassins.rules import commands, places, setup
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.rule import Rule, first_refusal
from games.snipers_and_assassins.rules.words import END_RULES, called, markers_of

_WAITING: Final = {
    "start": Text("First {seat} chooses a start."),
    "target": Text("First {seat} chooses a Target."),
    "leader": Text("First {seat} places a Leader."),
}

_SPACE: Final[Noun[Picture]] = (Text("space"), lambda view: places.spaces(view.pathways))
_MARKER: Final[Noun[Picture]] = (Text("marker"), lambda view: markers_of(view.seats))
_SEAT: Final[Noun[Picture]] = (Text("seat"), lambda view: view.players)
_NOUNS: Final[dict[str, Noun[Picture]]] = {
    "space": _SPACE,
    "to": _SPACE,
    "mine.space": _SPACE,
    "marker": _MARKER,
    "target": _MARKER,
    "seat": _SEAT,
}
require_known_names: Final = Naming(_NOUNS).require
"""Raises `NotUnderstood` if a space, marker or seat in a command doesn't exist."""


def timing_of(view: Picture) -> tuple[object, ...]:
    """Return everything that decides which types of command are possible during the game."""
    if view.setup is not None:
        return (view.setup,)
    me = view.me
    status = (me.recover, me.jump is not None, me.shot == "fresh", me.locked, me.improvement == "spring")
    in_hideouts = (not places.is_space(str(me.sniper)), not places.is_space(str(me.assassin)))
    return (view.acted, *status, *in_hideouts, view.rulings.grounded_in_hideouts)


class Order:
    """The rules, filtered by what the current player can do."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._possible: dict[tuple[object, ...], tuple[Rule, ...]] = {}

    def possible(self, view: Picture) -> tuple[Rule, ...]:
        """Return the rules whose commands are possible now, in order. Call it only during the game."""
        # Bots list acts constantly, and the checks build a refusal for each impossible type. So the result is cached.
        timing = timing_of(view)
        if (found := self._possible.get(timing)) is None:
            found = self._possible[timing] = tuple(rule for rule in self._rules if _is_possible(view, rule))
        return found


def _is_possible(view: Picture, rule: Rule) -> bool:
    return not why_not_now(view, view.turn, rule.command) and not first_refusal(rule.before, view, rule.command)


def why_not_now(view: Picture, seat: str, kind: type[Command]) -> Refused | None:
    """Return why a seat can't give a type of command now, or None."""
    if view.over is not None:
        return Refused(END_RULES[view.over.reason], Text("The game is over."))
    choosing = issubclass(kind, commands.SetupAct)
    if view.setup is None and choosing:
        return Refused("SA-SET-05", Text("Starts, Targets and Leaders are chosen already."))
    if view.setup is not None and (kind is not setup.CHOSEN_BY[view.setup] or seat != view.turn):
        return Refused("SA-SET-05", _WAITING[view.setup].with_(seat=called(view.turn)))
    if seat != view.turn:
        return Refused("SA-SET-07", Text("It is not your turn."))
    return None
