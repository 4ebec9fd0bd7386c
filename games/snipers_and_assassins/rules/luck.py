"""Forced results: read the random results from events, or from a request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.events import Told
from engine.naming import Forced, read_forced
from engine.text import Text
from games.snipers_and_assassins.rules import events
from games.snipers_and_assassins.rules.cards import CARDS


def results_of(telling: Iterable[Told]) -> list[tuple[str, Any]]:
    """Return the results in the order in which the rules request them. A first player who was chosen remains unused."""
    results: list[tuple[str, Any]] = []
    for event in (told.event for told in telling):
        if isinstance(event, events.Deck):
            results.append(("improvements", list(event.cards)))
        elif isinstance(event, events.TurnStarted) and results:
            results.append(("first", [event.seat]))
    return results


def read_luck(seats: Sequence[str], raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return forced results from decoded JSON. Raises `NotUnderstood` for an unknown kind or wrong type.

    The first player is drawn as the top of a shuffled list of all seats.
    """
    kinds = {
        "improvements": Forced(list[str], "a list of cards, the top one first", Text("card"), CARDS),
        "first": Forced(str, "a seat", Text("seat"), seats),
    }
    return [(kind, [value] if kind == "first" else list(value)) for kind, value in read_forced(raw, kinds)]
