"""Holding a marker, and ending a turn (SA-TRN-*, SA-R-20, SA-R-61, SA-R-62, SA-R-46)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.events import Told
from engine.refusal import Refused
from engine.text import Text
from games.snipers_and_assassins.rules import events
from games.snipers_and_assassins.rules.commands import EndTurn, Hold
from games.snipers_and_assassins.rules.picture import Picture, Telling
from games.snipers_and_assassins.rules.rule import KindCheck, Rule
from games.snipers_and_assassins.rules.words import (
    KINDS,
    MOST,
    ROUNDS,
    called,
    kind_of,
    markers_of,
    seat_names,
    seat_of,
)


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
    seat, seats = telling.truth.turn, telling.truth.seats
    for kind in KINDS:
        if kind not in telling.truth.acted:
            telling.tell(events.Held(telling.truth.own(kind)))
    telling.tell(events.TurnEnded(seat))
    following = seats[(seats.index(seat) + 1) % len(seats)]
    played = telling.truth.round
    # A round ends when the first player's turn comes again.
    if following != telling.truth.first:
        telling.tell(events.TurnStarted(following, played))
    elif played < ROUNDS:
        telling.tell(events.TurnStarted(following, played + 1))
    else:
        telling.tell(events.GameOver(None, "rounds"))


HOLDS = {marker: Hold(marker) for marker in markers_of(seat_names(MOST))}
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
