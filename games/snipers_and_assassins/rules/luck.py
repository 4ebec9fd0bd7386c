"""Forced results: read the random results from events, or from a request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine.events import Told
from engine.naming import known
from engine.refusal import NotUnderstood
from engine.text import Text
from games.snipers_and_assassins.rules import events
from games.snipers_and_assassins.rules.cards import CARDS

KINDS: Final = ("improvements", "first")


def results_of(telling: Iterable[Told]) -> list[tuple[str, Any]]:
    """Return the results in the order in which the rules request them. A first player who was chosen remains unused."""
    found: list[tuple[str, Any]] = []
    for event in (told.event for told in telling):
        if isinstance(event, events.Deck):
            found.append(("improvements", list(event.cards)))
        elif isinstance(event, events.TurnStarted) and found:
            found.append(("first", [event.seat]))
    return found


def read_luck(seats: Sequence[str], raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return forced results from decoded JSON.

    Raises `NotUnderstood` for an unknown kind or wrong type. Whether a result is possible is checked when it is drawn.
    The first player is drawn as the top of a shuffled list of all seats.
    """
    found: list[tuple[str, Any]] = []
    for kind, value in raw:
        known(Text("forced result"), [kind], KINDS)
        values = [value] if kind == "first" else value
        if not isinstance(values, list | tuple):
            raise NotUnderstood(Text("The forced result {kind} is a list of cards, the top one first.", kind=kind))
        if not all(isinstance(name, str) for name in values):
            raise NotUnderstood(Text("The forced result {kind} consists of names.", kind=kind))
        what, among = (Text("seat"), seats) if kind == "first" else (Text("card"), CARDS)
        known(what, values, among)
        found.append((kind, list(values)))
    return found
