"""The possible acts, holding a marker, ending a turn (SA-SET-05, SA-SET-07, SA-TRN-*, SA-R-20, SA-R-46, SA-R-61)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.events import Told
from engine.game import Command
from engine.naming import Naming, Noun
from engine.refusal import Refused
from engine.seats import player_names
from engine.text import Text
from games.snipers_and_assassins.rules import commands, events, places, setup
from games.snipers_and_assassins.rules.commands import EndTurn, Hold
from games.snipers_and_assassins.rules.picture import Picture, Telling
from games.snipers_and_assassins.rules.rule import KindCheck, Rule, first_refusal
from games.snipers_and_assassins.rules.words import (
    END_RULES,
    KINDS,
    MOST,
    ROUNDS,
    called,
    kind_of,
    markers_of,
    seat_of,
)

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


def is_possible(view: Picture, rule: Rule) -> bool:
    """Return whether the current player can give commands of a type now."""
    return not why_not_now(view, view.turn, rule.command) and not first_refusal(rule.before, view, rule.command)


def why_not_now(view: Picture, seat: str, kind: type[Command]) -> Refused | None:
    """Return why a seat can't give a type of command now, or None."""
    if view.over is not None:
        return Refused(END_RULES[view.over.reason], Text("The game is over."))
    choosing = issubclass(kind, commands.SetupCommand)
    if view.setup is None and choosing:
        return Refused("SA-SET-05", Text("Starts, Targets and Leaders are chosen already."))
    if view.setup is not None and (kind is not setup.CHOSEN_BY[view.setup] or seat != view.turn):
        return Refused("SA-SET-05", _WAITING[view.setup].with_(seat=called(view.turn)))
    if seat != view.turn:
        return Refused("SA-SET-07", Text("It is not your turn."))
    return None


def is_retractable(view: Picture, telling: Iterable[Told]) -> bool:
    """Return whether the act with these events can be taken back: in the same turn, if no card was drawn or shuffled.

    Everything else is public and without chance, so the act has told no one anything new.
    """
    final = (events.TurnStarted, events.GameOver, events.ImprovementDrawn, events.DeckShuffled)
    chosen = (events.StartChosen, events.TargetChosen, events.LeaderPlaced)
    return view.setup is None and not any(isinstance(told.event, (*final, *chosen)) for told in telling)


def not_acted(marker: str) -> KindCheck:
    """Return a check that the current player's marker of this kind hasn't acted yet (SA-TRN-02)."""
    return lambda view, kind: _why_spent(view, marker)


def _why_spent(view: Picture, kind: str) -> Refused | None:
    if kind not in view.acted:
        return None
    return Refused("SA-TRN-02", Text("{marker} has acted this turn."), marker=called(view.own(kind)))


def _check_hold(view: Picture, command: Hold) -> Refused | None:
    if seat_of(command.marker) != view.turn:
        return Refused("SA-TRN-01", Text("You play your own two markers only."))
    return _why_spent(view, kind_of(command.marker))


def _end(telling: Telling, command: EndTurn) -> None:
    """Hold the markers that haven't acted. Then start the next turn, or end the game as a draw (SA-R-46)."""
    truth, seat, seats = telling.truth, telling.truth.turn, telling.truth.seats
    for kind in KINDS:
        if kind not in truth.acted:
            telling.tell(events.Held(truth.own(kind)))
    telling.tell(events.TurnEnded(seat))
    following = seats[(seats.index(seat) + 1) % len(seats)]
    played = truth.round
    # A round ends when the first player's turn comes again.
    if following != truth.first:
        telling.tell(events.TurnStarted(following, played))
    elif played < ROUNDS:
        telling.tell(events.TurnStarted(following, played + 1))
    else:
        telling.tell(events.GameOver(None, "rounds"))


HOLDS = {marker: Hold(marker) for marker in markers_of(player_names(MOST))}
END = (EndTurn(),)
RULES = [
    Rule(
        Hold,
        lambda view: [HOLDS[view.own(kind)] for kind in KINDS if kind not in view.acted],
        (_check_hold,),
        lambda telling, command: telling.tell(events.Held(command.marker)),
    ),
    Rule(EndTurn, lambda view: END, (), _end),
]
