"""Random results: read them from past events, or force them for a request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final

import msgspec

from engine.events import Event, Told
from engine.graph import Map
from engine.refusal import NotUnderstood
from games.sniper_elite.rules.events import Drew, LootDrawn
from games.sniper_elite.rules.words import UNITS, known
from games.sniper_elite_solo.rules import events
from games.sniper_elite_solo.rules.cards import CARDS
from games.sniper_elite_solo.rules.terrain import terrain_of
from games.sniper_elite_solo.rules.words import LOADOUT, TOKENS, Token

_SOLO_CARDS: Final = (list[str], "a list of solo cards, the top one first")
_LOADOUT: Final = (list[str], "a list of loadout cards, the top one first")
_FORMS: Final[dict[str, tuple[Any, str]]] = {
    "urgent": (list[str], "the urgent cards: the one removed, then right, left and middle slot"),
    "deck": _SOLO_CARDS,
    "loadout": _LOADOUT,
    "objectives": (list[int], "a list of objective numbers, the top one first"),
    "draw": (dict[Token, Annotated[int, msgspec.Meta(ge=0)]], f"tokens ({', '.join(TOKENS)}) with their whole numbers"),
    "loot": _LOADOUT,
    "die": (int, "1, 2 or 3"),
    "snafu": (tuple[str, str], "a unit and the space where it ends"),
}
"""Kind of result -> its type and its description."""


def results_of(told: Iterable[Told]) -> list[tuple[str, Any]]:
    """Return the random results in events, in the order and form that `Chance` expects."""
    return [result for one in told for result in _results(one.event)]


def _results(event: Event) -> list[tuple[str, Any]]:
    match event:
        case events.Dealt(urgent=urgent, cards=cards, loadout=loadout, objectives=objectives):
            decks = {"urgent": urgent, "deck": cards, "loadout": loadout, "objectives": objectives}
            return [(kind, list(deck)) for kind, deck in decks.items()]
        case Drew(tokens=tokens):
            return [("draw", dict(tokens))]
        case LootDrawn(cards=cards):
            return [("loot", list(cards))]
        case events.DeckOrder(cards=cards):
            return [("deck", list(cards))]
        case events.Die(value=value):
            return [("die", value)]
        case events.Snafu(chosen=chosen):
            return [("snafu", [chosen])]
    return []


def read_forced(board: Map, raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return results to force. Raises `NotUnderstood` for an unknown kind or a wrong type.

    Whether a result is possible is checked when it is used.
    """
    known("forced result", [kind for kind, _ in raw], _FORMS)
    return [(kind, _read_result(board, kind, value)) for kind, value in raw]


def _read_result(board: Map, kind: str, value: Any) -> Any:
    form, meaning = _FORMS[kind]
    try:
        read_value = msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        raise NotUnderstood(f"The forced result {kind!r} cannot be read: {error}. It is {meaning}.") from error
    if kind == "objectives":
        known("objective", read_value, terrain_of(board).objectives)
    if kind in ("urgent", "deck"):
        known("solo card", read_value, CARDS)
    if kind in ("loadout", "loot"):
        known("loadout card", read_value, LOADOUT)
    if kind == "snafu":
        known("unit", read_value[:1], UNITS)
        known("space", read_value[1:], board.spaces)
    return [read_value] if kind == "snafu" else read_value
