"""Whose turn it is, and for which commands it is time (SA-SET-05, SA-SET-07)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.game import Command
from engine.refusal import Refused
from engine.text import Text
from games.snipers_and_assassins.rules import commands, places, setup
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.rule import Rule, first_refusal
from games.snipers_and_assassins.rules.words import END_RULES, called

_WAITING: Final = {
    "start": Text("First {seat} chooses a start."),
    "target": Text("First {seat} chooses a Target."),
    "leader": Text("First {seat} places the own Leader."),
}


class Timing(NamedTuple):
    """All that decides for which kinds of command it is time, while the game runs: how the markers of the seat whose
    turn it is are, or the choice that set-up waits for.
    """

    setup: str | None
    acted: tuple[str, ...] = ()
    recovers: bool = False
    jumping: bool = False
    springs: bool = False
    sniper_out: bool = False
    shot_at: bool = False
    locked: bool = False
    assassin_out: bool = False


def _timing(view: Picture) -> Timing:
    if view.setup is not None:
        return Timing(view.setup)
    me = view.players[view.turn]
    return Timing(
        None,
        view.acted,
        me.recover,
        me.jump is not None,
        me.improvement == "spring",
        places.is_space(str(me.sniper)),
        me.shot == "fresh",
        me.locked,
        places.is_space(str(me.assassin)),
    )


class Order:
    """The rules by what the seat whose turn it is can do at all."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        self._timely: dict[Timing, tuple[Rule, ...]] = {}

    def timely(self, view: Picture) -> tuple[Rule, ...]:
        """The rules for whose commands it is time, in their order, while nobody has won."""
        timing = _timing(view)
        found = self._timely.get(timing)
        if found is None:
            found = self._timely[timing] = tuple(rule for rule in self._rules if _is_time(view, rule))
        return found


def _is_time(view: Picture, rule: Rule) -> bool:
    untimely = late(view, view.turn, rule.command)
    return untimely is None and first_refusal(rule.before, view, rule.command) is None


def late(view: Picture, seat: str, kind: type[Command]) -> Refused | None:
    """Why now is not the time for a seat's command of a kind, or None."""
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
