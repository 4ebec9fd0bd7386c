"""Forced results: what chance brought, read back from what was told, and what somebody wants it to bring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine.events import Told
from engine.refusal import NotUnderstood
from engine.text import Text
from games.snipers_and_assassins.rules import events
from games.snipers_and_assassins.rules.cards import CARDS
from games.snipers_and_assassins.rules.words import known

KINDS: Final = ("improvements", "first")


def read(telling: Iterable[Told]) -> list[tuple[str, Any]]:
    """The results in the order in which the rules ask for them; a chosen first player is one too many."""
    found: list[tuple[str, Any]] = []
    for event in (told.event for told in telling):
        if isinstance(event, events.Deck):
            found.append(("improvements", list(event.cards)))
        elif isinstance(event, events.TurnStarted) and found:
            found.append(("first", [event.seat]))
    return found


def wanted(seats: Sequence[str], raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Results to be forced. Whether one is possible where it is asked for shows there; its kind and form show here.

    The first player is drawn as the top one of all seats.
    """
    found: list[tuple[str, Any]] = []
    for kind, value in raw:
        known(Text("forced result"), [kind], KINDS)
        if kind == "first":
            _of_names(kind, [value])
            known(Text("seat"), [value], seats)
            found.append((kind, [value]))
        elif isinstance(value, list | tuple):
            _of_names(kind, value)
            known(Text("card"), value, CARDS)
            found.append((kind, list(value)))
        else:
            raise NotUnderstood(Text("The forced result {kind} is a list of cards, the top one first.", kind=kind))
    return found


def _of_names(kind: str, values: Sequence[Any]) -> None:
    if not all(isinstance(value, str) for value in values):
        raise NotUnderstood(Text("The forced result {kind} consists of names.", kind=kind))
